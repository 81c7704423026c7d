"""Where parsers put what they find: blocks, with the prefixes of the lists and quotes that are open."""

import re
from collections.abc import Sequence

from coldseek_core.ingest.html_text import without_long_runs, without_minified_lines
from coldseek_core.ingest.sections import Block, Section

DEFINITION_LEVEL = 7
_LONGEST_TERM = 200
_FENCE_LIKE = re.compile(r"^[ \t]*(`{3,})", re.MULTILINE)


class _Container:
    """A list item or quote that is open: what stands before its first line and before the others."""

    __slots__ = ("first", "in_list", "rest")

    def __init__(self, first: str, rest: str, in_list: bool) -> None:
        self.first = first
        self.rest = rest
        self.in_list = in_list


class _Definition:
    """A definition that is open. `outer` is the section that goes on behind it, None if it has none of its own; `terms`
    are those of the definitions around it."""

    __slots__ = ("outer", "terms")

    def __init__(self, terms: list[str], outer: Section | None) -> None:
        self.terms = terms
        self.outer = outer


class BlockWriter:
    """Collects `sections`; the first one has level 0 and no heading."""

    def __init__(self) -> None:
        self.sections = [Section(0, "", "")]
        self._containers: list[_Container] = []
        self._list_begun = False
        self._definitions: list[_Definition] = []
        self._terms: list[str] = []
        self._first_line = ""  # a term that the next block begins with
        self._anchors: set[str] = set()

    @property
    def in_list(self) -> bool:
        return any(container.in_list for container in self._containers)

    @property
    def depth(self) -> int:
        return len(self._containers)

    def begin_list(self) -> None:
        """A list opens; its first block is not tight, if the list stands in no other."""
        self._write_term()
        if not self.in_list:
            self._list_begun = False

    def open_item(self, marker: str) -> None:
        """A list item opens: `marker` before its first line, as much space before the others."""
        self._write_term()
        self._containers.append(_Container(marker, " " * len(marker), True))

    def open_quote(self, mark: str = "> ") -> None:
        self._write_term()
        self._containers.append(_Container(mark, mark, False))

    def close(self) -> None:
        """The innermost list item or quote ends."""
        self._write_term()
        self._containers.pop()

    @property
    def in_definition(self) -> bool:
        """Whether a definition that is no section is open in the current one."""
        return bool(self._definitions) and self._definitions[-1].outer is None

    def open_definition(self, term: str, heading: str = "", anchor: str = "") -> None:
        """The definition of `term` opens; the term is the line before its text. With an anchor that nothing else has,
        outside lists and quotes, it is a section called `heading`."""
        self._write_term()
        term = without_long_runs(term).strip()
        heading = without_long_runs(heading).strip()
        self._first_line = term
        term = _cut(term)
        if not heading or not anchor or self._containers or anchor in self._anchors:
            self._definitions.append(_Definition(self._terms, None))
            self._terms = [*self._terms, term] if term else self._terms
            return
        level = DEFINITION_LEVEL + sum(definition.outer is not None for definition in self._definitions)
        self._definitions.append(_Definition(self._terms, self.sections[-1]))
        self._terms = []
        self._anchors.add(anchor)
        self.sections.append(Section(level, _cut(heading), anchor))

    def close_definition(self) -> None:
        """The innermost definition ends; what holds it goes on."""
        self._write_term()
        definition = self._definitions.pop()
        self._terms = definition.terms
        outer = definition.outer
        if outer is not None:
            self.sections.append(Section(outer.level, outer.heading, outer.anchor))

    def _write_term(self) -> None:
        """A term that no text followed is a paragraph of its own."""
        term, self._first_line = self._first_line, ""
        if term:
            self._add("text", term, True)

    def heading(self, level: int, text: str, anchor: str) -> None:
        """Begins a section. In a quote or list item a heading titles that item, not what follows it."""
        self._write_term()
        if self._containers:
            self.text(f"{'#' * level} {text}")
        elif text:
            self._anchors.add(anchor)
            self.sections.append(Section(level, without_long_runs(text), anchor))

    def text(self, text: str, tight: bool = False) -> None:
        """A paragraph. `tight` counts inside lists only: it follows the block before on the next line."""
        text = without_long_runs(text).strip()
        if text:
            term, self._first_line = self._first_line, ""
            self._add("text", f"{term}\n{text}" if term else text, tight)

    def code(self, code: str, info: str = "") -> None:
        """A code block, with a fence longer than any inside it."""
        code = without_minified_lines(without_long_runs(code.rstrip())).strip("\n")
        if not code:
            return
        self._write_term()
        longest = max((len(run) for run in _FENCE_LIKE.findall(code)), default=2)
        info = without_long_runs(" ".join(info.split())) if "`" not in info else ""
        self._add("code", code, True, fence="`" * max(3, longest + 1), info=info)

    def table(self, rows: Sequence[Sequence[str]]) -> None:
        """A table whose first row is its header; `|` in cells is escaped here, empty rows are left out."""
        if not any(any(cells) for cells in rows):
            return
        self._write_term()
        kept = [cells for cells in rows if any(cells) or cells is rows[0]]
        escaped = [[cell.replace("|", "\\|") for cell in cells] for cells in kept]
        lines = [without_long_runs(f"| {' | '.join(cells)} |") for cells in escaped]
        lines.insert(1, f"|{' --- |' * len(rows[0])}")
        self._add("table", "\n".join(lines), True)

    def _add(self, kind: str, text: str, tight: bool, fence: str = "", info: str = "") -> None:
        lead, indent = "", ""
        for container in self._containers:
            lead += container.first
            indent += container.rest
            container.first = container.rest
        in_list = self.in_list
        tight = tight and in_list and self._list_begun
        self._list_begun = in_list
        self.sections[-1].blocks.append(Block(kind, text, lead, indent, tight, fence, info, tuple(self._terms)))


def _cut(term: str) -> str:
    """A term that is short enough to be repeated."""
    return term if len(term) <= _LONGEST_TERM else term[:_LONGEST_TERM].rsplit(None, 1)[0]
