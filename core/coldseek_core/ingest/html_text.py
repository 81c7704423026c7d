"""The text that a reader sees of HTML inside a Markdown page. Takes time in proportion to the HTML's
length."""

import html
import re

# Tags that do not end a line of text. Every other tag does, unknown ones too.
_INLINE_NAMES = """
    a abbr acronym audio b bdi bdo big button cite code data del dfn em font i img input ins kbd label mark
    meter output progress q rp rt ruby s samp small span strike strong sub sup svg time tt u use var wbr video
"""
INLINE_TAGS = frozenset(_INLINE_NAMES.split())
# Elements that end a line of text. All others stand in the line, unknown ones too, as in a browser.
_BLOCK_NAMES = """
    address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure
    footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main menu nav ol optgroup
    option p plaintext pre search section summary table tbody td tfoot th thead tr ul xmp
"""
BLOCK_TAGS = frozenset(_BLOCK_NAMES.split()) - {"br"}
HIDDEN_TAGS = frozenset({"script", "style", "head"})
_OPENING = re.compile(r"<(?:!--|!\[CDATA\[|[!?]|/?(?P<name>[A-Za-z][\w:.-]*))")
_ALT = re.compile(r"""\salt\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_DATA_URI = re.compile(r"data:[\w.+-]{1,60}/[\w.+-]{1,80}[;,][^\s\"'()<>\[\]]{100,}")
# A drawing that is written into an address as it is.
_DATA_DRAWING = re.compile(r"data:image/svg\+xml[;,][^\s<>]{0,80}<svg(?:(?!data:image).)*?</svg>", re.DOTALL)
_ENCODED_LINES = re.compile(r"""(?:^[ \t>]*["']?[A-Za-z0-9+/=_-]{60,}["',;]{0,3}[ \t]*(?:\n|\Z)){16,}""", re.MULTILINE)
_OUTLINE = re.compile(r"""=(?:"[MmZzLlHhVvCcSsQqTtAaEe0-9\s,.+-]{1000,}"|'[MmZzLlHhVvCcSsQqTtAaEe0-9\s,.+-]{1000,}')""")
_LONG_LINE_LENGTH = 5_000
_LONG_LINE = re.compile(r"^.{5000,}$", re.MULTILINE)
_ENCODED_RUN = re.compile(r"[A-Za-z0-9+/=_%-]{1000,}")
_LONG_RUN = re.compile(r"[!-~]{1000,}")
LEFT_OUT = "…"


class _Finder:
    """`str.find` that remembers what is not there any more, so that a failing search is paid for once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._missing: set[str] = set()

    def __call__(self, needle: str, start: int) -> int:
        if needle in self._missing:
            return -1
        found = self._text.find(needle, start)
        if found < 0:
            self._missing.add(needle)
        return found


def html_text(source: str) -> str:
    """Text of `source`: comments, scripts, styles and tags dropped, alt texts kept, entities decoded once.

    Inline tags vanish; other tags break the line; list items start with `- ` and table cells are parted by
    ` | `.
    """
    find, lowered_find = _Finder(source), _Finder(source.lower())
    parts: list[str] = []
    position = 0
    for_cell = False
    while True:
        opening = _OPENING.search(source, position)
        if opening is None:
            parts.append(html.unescape(source[position:]))
            break
        start = opening.start()
        parts.append(html.unescape(source[position:start]))
        end = _end_of_tag(source, opening, find)
        if end < 0 and find(">", start) < 0:  # no tag ends any more
            parts.append(html.unescape(source[start:]))
            break
        if end < 0:
            parts.append(source[start : opening.end()])
            position = opening.end()
            continue
        position = end
        name = (opening["name"] or "").lower()
        closing = source.startswith("</", start)
        if name in HIDDEN_TAGS:
            stop = end if closing else lowered_find(f"</{name}", end)
            position = len(source) if stop < 0 else stop  # as a browser does if it never ends
        elif name in {"td", "th"}:
            parts.append(" | " if for_cell and not closing else "")
            for_cell = True
        elif name == "img":
            parts.append(alt_text(source[start:end]))
        elif name and name not in INLINE_TAGS:
            for_cell = False
            parts.append("\n- " if name == "li" and not closing else "\n")
    return _tidy("".join(parts))


def _end_of_tag(source: str, opening: re.Match[str], find: _Finder) -> int:
    """Where the construct ends that `opening` begins, -1 if it does not end. A quoted `>` does not end a
    tag."""
    start = opening.start()
    for begin, finish in (("<!--", "-->"), ("<![CDATA[", "]]>")):
        if source.startswith(begin, start):
            end = find(finish, start + len(begin))
            return end + len(finish) if end >= 0 else -1
    end = find(">", start)
    for _ in range(20):
        if end < 0:
            return -1
        quote = next((mark for mark in "\"'" if source.count(mark, start, end) % 2), "")
        closed = find(quote, end) if quote else -1
        if closed < 0:
            break
        end = find(">", closed)
    return end + 1 if end >= 0 else -1


def alt_text(tag: str) -> str:
    """The alt text of an `<img>` tag, "" if there is none."""
    found = _ALT.search(tag)
    return html.unescape(found[1] or found[2] or found[3] or "") if found else ""


def _tidy(text: str) -> str:
    """Lines without spaces at their ends or runs of spaces inside; paragraphs parted by one empty line."""
    lines = [re.sub(r"[ \t]+", " ", line).strip() for line in text.split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join("" if line in {"-", "|"} else line for line in lines)).strip()


def without_embedded_data(source: str) -> str:
    """Markdown or HTML source with data URIs, base64-like runs and lines of 1,000 characters or more, and the outlines
    of drawings replaced by `…`."""
    if "</svg>" in source:
        source = _DATA_DRAWING.sub(LEFT_OUT, source)
    source = _DATA_URI.sub(LEFT_OUT, source) if "data:" in source else source
    source = _ENCODED_RUN.sub(_unless_drawn, source)
    source = _ENCODED_LINES.sub(lambda lines: f"{LEFT_OUT}\n" if _is_encoded(lines[0]) else lines[0], source)
    return _OUTLINE.sub(f"={LEFT_OUT}", source)


def _unless_drawn(run: re.Match[str]) -> str:
    """A rule made of one or two signs is no data."""
    return run[0] if len(set(run[0][:1000])) < 3 else LEFT_OUT


def _is_encoded(lines: str) -> bool:
    signs = set(lines[:1000])
    return len(signs) > 12 and any(sign.isdigit() for sign in signs) and any(sign.isalpha() for sign in signs)


def without_long_runs(text: str) -> str:
    """Text with every run of 1,000 or more ASCII characters without a space (minified code, keys) replaced
    by `…`."""
    return _LONG_RUN.sub(LEFT_OUT, text)


def without_minified_lines(code: str) -> str:
    """Code with every line of 5,000 or more characters that has hardly a space replaced by `…`."""
    return _LONG_LINE.sub(_unless_written, code) if len(code) >= _LONG_LINE_LENGTH else code


def _unless_written(line: re.Match[str]) -> str:
    """A line that people wrote: one character in twelve is a space, or its script has none."""
    text = line[0]
    spaces = text.count(" ") + text.count("\t")
    is_written = spaces * 12 > len(text) or len(text.encode("ascii", "ignore")) * 10 < len(text) * 9
    return text if is_written else LEFT_OUT
