"""Where parsers put what they find: blocks, with the prefixes of the lists and quotes that are open."""

import re
from collections.abc import Sequence

from coldseek_core.ingest.html_text import without_long_runs
from coldseek_core.ingest.sections import Block, Section

_FENCE_LIKE = re.compile(r"^[ \t]*(`{3,})", re.MULTILINE)


class _Container:
    """A list item or quote that is open: what stands before its first line and before the others."""

    __slots__ = ("first", "in_list", "rest")

    def __init__(self, first: str, rest: str, in_list: bool) -> None:
        self.first = first
        self.rest = rest
        self.in_list = in_list


class BlockWriter:
    """Collects `sections`; the first one has level 0 and no heading."""

    def __init__(self) -> None:
        self.sections = [Section(0, "", "")]
        self._containers: list[_Container] = []
        self._list_begun = False

    @property
    def in_container(self) -> bool:
        return bool(self._containers)

    @property
    def in_list(self) -> bool:
        return any(container.in_list for container in self._containers)

    @property
    def depth(self) -> int:
        return len(self._containers)

    def begin_list(self) -> None:
        """A list opens; its first block is not tight, if the list stands in no other."""
        if not self.in_list:
            self._list_begun = False

    def open_item(self, marker: str) -> None:
        """A list item opens: `marker` before its first line, as much space before the others."""
        self._containers.append(_Container(marker, " " * len(marker), True))

    def open_quote(self, mark: str = "> ") -> None:
        self._containers.append(_Container(mark, mark, False))

    def close(self) -> None:
        """The innermost list item or quote ends."""
        self._containers.pop()

    def heading(self, level: int, text: str, anchor: str) -> None:
        """Begins a section. In a quote or list item a heading titles that item, not what follows it."""
        if self._containers:
            self.text(f"{'#' * level} {text}")
        elif text:
            self.sections.append(Section(level, without_long_runs(text), anchor))

    def text(self, text: str, tight: bool = False) -> None:
        """A paragraph. `tight` counts inside lists only: it follows the block before on the next line."""
        text = without_long_runs(text).strip()
        if text:
            self._add("text", text, tight)

    def code(self, code: str, info: str = "") -> None:
        """A code block, with a fence longer than any inside it."""
        code = without_long_runs(code.rstrip()).strip("\n")
        if not code:
            return
        longest = max((len(run) for run in _FENCE_LIKE.findall(code)), default=2)
        info = without_long_runs(" ".join(info.split())) if "`" not in info else ""
        self._add("code", code, True, fence="`" * max(3, longest + 1), info=info)

    def table(self, rows: Sequence[Sequence[str]]) -> None:
        """A table whose first row is its header; `|` in cells is escaped here, empty rows are left out."""
        if not any(any(cells) for cells in rows):
            return
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
        self.sections[-1].blocks.append(Block(kind, text, lead, indent, tight, fence, info))
