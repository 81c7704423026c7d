"""HTML that an HTML parser reads in time proportional to its length: nesting, open formatting and attributes
are bounded.

Parsers that follow the HTML standard walk the stack of open elements for many tags, and open all formatting
anew (`<b>`, `<font>`) in each paragraph until it is closed. Elements nested very deep, or formatting that is
never closed, make that quadratic or worse. So does a tag with very many attributes. Only such pages are
changed, and only their tags, not their text.
"""

import re

_TAG = re.compile(r"<(?:!--|(?P<slash>/?)(?P<name>[A-Za-z][^\s/<>]{0,40}))")
_FORMATTING_WORDS = "a b big code em font i nobr s small strike strong tt u"
_FORMATTING = frozenset(_FORMATTING_WORDS.split())
_VOID_WORDS = "area base br col embed frame hr img input keygen link meta param source track wbr"
_VOID = frozenset(_VOID_WORDS.split())
# The next one of these ends the one before, so they are only as deep as what is around them.
_ENDED_BY_NEXT_WORDS = "p li dd dt tr td th thead tbody tfoot caption colgroup option optgroup rp rt"
_ENDED_BY_NEXT = frozenset(_ENDED_BY_NEXT_WORDS.split())
_RAW_WORDS = "script style textarea title xmp iframe noembed noframes"
_RAW = frozenset(_RAW_WORDS.split())
_WHOLE_TAG = re.compile(r"""<([A-Za-z][^\s/<>]{0,40})(?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+')?+)*+>?""")
_ATTRIBUTE_END = re.compile(r"[\s/=]")
_LONG_TAG = 8_000
_MOST_ATTRIBUTE_ENDS = 1_000
_DEEPEST = 300
_MOST_FORMATTING = 6
_SMALL = 300
# `<tag/>` is an open tag in HTML, a whole element in XHTML.
_CLOSED_AT_ONCE = re.compile(r"<([A-Za-z][\w:-]{0,40})((?:\s[^<>]{0,2000})?)/>")


def bounded(source: str) -> str:
    """`source` without the opening tags that stand inside 300 open elements, or inside 6 open formatting
    elements, without their closing tags, and without the attributes of a tag that has very many. Takes time in
    proportion to the length."""
    if len(source) > _LONG_TAG:
        source = _WHOLE_TAG.sub(_with_few_attributes, source)
    if source.count("<") <= _SMALL:
        return source
    kept: list[str] = []
    copied = position = 0
    open_tags: dict[str, int] = {}
    dropped: dict[str, int] = {}
    depth = formatting = 0
    missing: set[str] = set()
    while (tag := _TAG.search(source, position)) is not None:
        position = tag.end()
        if tag["name"] is None:
            position = _behind(source, "-->", position, missing)
            continue
        name = tag["name"].lower()
        if name in _VOID or name in _ENDED_BY_NEXT:
            continue
        if name in _RAW:
            if not tag["slash"]:
                position = _behind(source, f"</{name}", position, missing)
            continue
        is_formatting = name in _FORMATTING
        if tag["slash"]:
            if dropped.get(name):
                dropped[name] -= 1
            elif open_tags.get(name):
                open_tags[name] -= 1
                formatting -= is_formatting
                depth -= not is_formatting
                continue
            else:
                continue
        elif (formatting >= _MOST_FORMATTING) if is_formatting else (depth >= _DEEPEST):
            dropped[name] = dropped.get(name, 0) + 1
        else:
            if name == "a" and open_tags.get("a"):  # a link ends the one before
                continue
            open_tags[name] = open_tags.get(name, 0) + 1
            formatting += is_formatting
            depth += not is_formatting
            continue
        kept.append(source[copied : tag.start()])
        copied = position = _behind(source, ">", position, missing)
        if not is_formatting:
            kept.append("<br>")
    kept.append(source[copied:])
    return "".join(kept)


def _with_few_attributes(tag: re.Match[str]) -> str:
    if tag.end() - tag.start() < _LONG_TAG or len(_ATTRIBUTE_END.findall(tag[0])) < _MOST_ATTRIBUTE_ENDS:
        return tag[0]
    return f"<{tag[1]}>"


def _behind(source: str, needle: str, start: int, missing: set[str]) -> int:
    """The offset behind the next `needle`; `start` if there is none. A search that fails is not repeated."""
    if needle in missing:
        return start
    found = source.find(needle, start)
    if found < 0:
        missing.add(needle)
        return start
    return found + len(needle)


def with_closing_tags(source: str) -> str:
    """XHTML as HTML: `<a id="x"/>` becomes `<a id="x"></a>`; void elements stay as they are."""
    return _CLOSED_AT_ONCE.sub(_closed, source)


def _closed(tag: re.Match[str]) -> str:
    return tag[0] if tag[1].lower() in _VOID else f"<{tag[1]}{tag[2]}></{tag[1]}>"
