"""Admonitions, tabs and other containers whose markers are dropped and whose title and body are text.

`:::tip Title` … `:::` (docusaurus, VitePress), `!!! note "Title"`, `??? note` and `=== "Tab"` with an indented body and
`/// note | Title` … `///` (MkDocs), `> [!NOTE]` (GitHub). Block rules for markdown-it, so a marker inside a code fence
stays code.
"""

import re
from typing import cast

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock

_COLONS = re.compile(
    r":{3,}[ \t]*(?:\{(?P<braces>[^{}]*)\}|[A-Za-z][\w-]*)?[ \t]*(?:\[(?P<label>.*)\])?[ \t]*"
    r"(?:\{(?P<attributes>[^{}]*)\})?[ \t]*(?P<title>.*)"
)
_SHOWN_ATTRIBUTE = re.compile(r"""(?<!\S)(?:label|title)[ \t]*=[ \t]*(?:"([^"]*)"|'([^']*)')""")
_ATTRIBUTES_BEHIND = re.compile(r"""\{[\w\s.#="'-]*\}[ \t]*\Z""")
_INDENTED = re.compile(
    r"""(?:!!!|\?\?\?\+?)[ \t]*[\w-]+(?:[ \t]+[\w-]+)*[ \t]*(?P<title>".*")?[ \t]*"""
    r"""|===[+!]?[ \t]+(?P<tab>".*"|'.*')[ \t]*"""
)
_SLASHES = re.compile(
    r"/{3,}[ \t]*(?:(?P<name>abstract|admonition|attention|bug|caption|caution|danger|details|error|example|failure|"
    r"figure-caption|hint|html|important|info|note|question|quote|success|tab|tip|warning)\b[ \t]*"
    r"(?:\|[ \t]*(?P<title>.*))?)?"
)
_ALERT = re.compile(r"\[!\w[\w-]*\][+-]?[ \t]*")
_ENDS_PARAGRAPH: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
# Deeper lists and quotes are text: Python's stack is not endless, and the parser drops what is nested
# deeper than that.
_DEEPEST = 60


def add_directives(parser: MarkdownIt) -> None:
    """Adds the rules to `parser`, and a limit on nesting below which nothing is lost."""
    parser.block.ruler.before("fence", "colon_directive", _colon_directive, _ENDS_PARAGRAPH)
    parser.block.ruler.before("fence", "slash_directive", _slash_directive, _ENDS_PARAGRAPH)
    parser.block.ruler.before("fence", "indented_directive", _indented_directive, _ENDS_PARAGRAPH)
    for name in ("list", "blockquote"):
        _limit_depth(parser, name)


def _limit_depth(parser: MarkdownIt, name: str) -> None:
    ruler = parser.block.ruler
    rule = next(rule for rule in ruler.__rules__ if rule.name == name)
    parse = rule.fn

    def limited(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        return state.level < _DEEPEST and parse(state, start, end, silent)

    ruler.at(name, limited, {"alt": rule.alt})


def without_alert_marker(content: str) -> str | None:
    """A quote's first paragraph without `[!NOTE]`; None if the quote is no GitHub alert."""
    found = _ALERT.match(content)
    return content[found.end() :].lstrip("\n") if found else None


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]


def _push_title(state: StateBlock, title: str, line: int) -> None:
    state.push("paragraph_open", "p", 1).map = [line, line + 1]
    inline = state.push("inline", "", 0)
    inline.content = title
    inline.map = [line, line + 1]
    inline.children = []
    state.push("paragraph_close", "p", -1)


def _colon_directive(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: ARG001 - a rule
    if state.is_code_block(start) or not state.src.startswith(":::", state.bMarks[start] + state.tShift[start]):
        return False
    found = _COLONS.fullmatch(_line(state, start))
    if found is None:
        return False
    if not silent:
        given = _SHOWN_ATTRIBUTE.search(f"{found['braces'] or ''} {found['attributes'] or ''}")
        behind = _ATTRIBUTES_BEHIND.sub("", found["title"]).strip()
        title = " ".join(filter(None, (found["label"], given and (given[1] or given[2]), behind)))
        if title:
            _push_title(state, title, start)
        state.line = start + 1
    return True


def _slash_directive(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: ARG001 - a rule
    if state.is_code_block(start) or not state.src.startswith("///", state.bMarks[start] + state.tShift[start]):
        return False
    found = _SLASHES.fullmatch(_line(state, start).rstrip())
    if found is None or not (found["name"] or state.env.get("slash_directives")):
        return False
    if not silent:
        state.env["slash_directives"] = state.env.get("slash_directives", 0) + (1 if found["name"] else -1)
        if (found["title"] or "").strip():
            _push_title(state, found["title"].strip(), start)
        state.line = start + 1
    return True


def _indented_directive(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    position = state.bMarks[start] + state.tShift[start]
    if state.src[position : position + 3] not in {"!!!", "???", "==="} or state.is_code_block(start):
        return False
    line = _line(state, start)
    found = _INDENTED.fullmatch(line) if len(line) <= 1_000 else None
    if found is None:
        return False
    if silent:
        return True
    title = cast("str", found["title"] or found["tab"] or '""')[1:-1].strip()
    if title:
        _push_title(state, title, start)
    indent = state.sCount[start] + 4
    last = start + 1
    for number in range(start + 1, end):
        if state.isEmpty(number):
            continue
        if state.sCount[number] < indent:
            break
        last = number + 1
    old_indent, old_max, old_parent = state.blkIndent, state.lineMax, state.parentType
    state.blkIndent, state.lineMax, state.parentType = indent, last, "root"
    state.level += 1
    if state.level < _DEEPEST:
        state.md.block.tokenize(state, start + 1, last)
    else:
        _push_title(state, state.getLines(start + 1, last, indent, False).strip(), start)
    state.level -= 1
    state.blkIndent, state.lineMax, state.parentType = old_indent, old_max, old_parent
    state.line = last
    return True
