"""docutils' tree of a page to sections of blocks, the same as Markdown gives."""

import re
from collections.abc import Sequence
from typing import cast

from docutils import nodes

from coldseek_core.ingest.block_writer import BlockWriter

_NOTHING = (
    nodes.comment,
    nodes.target,
    nodes.substitution_definition,
    nodes.raw,
    nodes.pending,
    nodes.transition,
    nodes.decoration,
    nodes.meta,
    nodes.colspec,
)
_AUTOMATIC = re.compile(r"id\d+\Z")
_DEEPEST_LIST = 40
_LONGEST_ROW = 1_000


class RstBlocks:
    """Writes a tree to `writer`. `document` knows the names of targets."""

    def __init__(self, document: nodes.document) -> None:
        self.writer = BlockWriter()
        self._document = document
        self._level = 0

    def write(self, parent: nodes.Element, tight: bool = False) -> None:
        for child in parent.children:
            self._block(child, tight)

    def _block(self, node: nodes.Node, tight: bool) -> None:
        writer = self.writer
        if isinstance(node, nodes.section):
            self._section(node)
        elif isinstance(node, nodes.Text):
            writer.text(node.astext(), tight)
        elif isinstance(node, nodes.system_message):
            self._message(node)
        elif isinstance(node, nodes.title):
            writer.text(self._line(node))
        elif isinstance(node, nodes.math_block):
            writer.text(node.astext())
        elif isinstance(node, nodes.literal_block | nodes.doctest_block):
            self._code(node)
        elif isinstance(node, nodes.bullet_list | nodes.enumerated_list):
            self._list(node)
        elif isinstance(node, nodes.definition_list):
            self._definitions(node)
        elif isinstance(node, nodes.field_list | nodes.option_list):
            self._pairs(node)
        elif isinstance(node, nodes.block_quote):
            self._quote(node)
        elif isinstance(node, nodes.table):
            self._table(node)
        elif isinstance(node, nodes.line_block):
            writer.text("\n".join(self._lines(node)), tight)
        elif isinstance(node, nodes.image):
            writer.text(str(node.get("alt", "")))
        elif isinstance(node, nodes.footnote | nodes.citation):
            self._footnote(node)
        elif isinstance(node, _NOTHING):
            return
        elif isinstance(node, nodes.TextElement):
            writer.text(self.inline(node.children), tight)
        elif isinstance(node, nodes.Element):
            self.write(node, tight)

    def _section(self, section: nodes.section) -> None:
        self._level += 1
        begin = 0
        if section.children and isinstance(section.children[0], nodes.title):
            begin = 1
            anchor = self._anchor(section)
            self.writer.heading(min(self._level, 6), self._line(section.children[0], code_marks=False), anchor)
        for child in section.children[begin:]:
            self._block(child, False)
        self._level -= 1

    @staticmethod
    def _anchor(section: nodes.section) -> str:
        """The id made of the title; if that is only a number, for it has no Latin letters, one that the page gives."""
        ids = [str(found) for found in section["ids"]]
        return next((found for found in ids if not _AUTOMATIC.match(found)), ids[0] if ids else "")

    def _message(self, message: nodes.system_message) -> None:
        """What docutils left out of the page, for it made no sense of it, is in an error's message as written."""
        for child in message.children if int(message.get("level", 0)) >= 3 else ():
            if isinstance(child, nodes.literal_block) and not child.astext().lstrip().startswith(".. "):
                self.writer.code(child.astext())

    def _code(self, node: nodes.literal_block | nodes.doctest_block) -> None:
        classes = [str(found) for found in node.get("classes", [])]
        language = str(node.get("language", "")) or next((name for name in classes if name != "code"), "")
        if isinstance(node, nodes.doctest_block):
            language = "pycon"
        self.writer.code(node.astext(), "" if language in {"none", "text", "default"} else language)

    def _list(self, node: nodes.Element) -> None:
        if self.writer.depth >= _DEEPEST_LIST:
            self.write(node)
            return
        self.writer.begin_list()
        number = int(node.get("start", 1))
        is_tight = all(len(item.children) <= 1 for item in node.children if isinstance(item, nodes.Element))
        for item in node.children:
            if isinstance(item, nodes.list_item):
                self.writer.open_item(f"{number}. " if isinstance(node, nodes.enumerated_list) else "- ")
                self.write(item, tight=is_tight)
                self.writer.close()
                number += 1
            else:
                self._block(item, False)

    def _definitions(self, node: nodes.definition_list) -> None:
        for item in node.children:
            if not isinstance(item, nodes.definition_list_item):
                continue
            terms: list[str] = []
            for child in item.children:
                if isinstance(child, nodes.term):
                    terms.append(self._line(child))
                elif isinstance(child, nodes.classifier):
                    terms[-1:] = [f"{terms[-1] if terms else ''} : {self._line(child)}"]
            bodies = [child for child in item.children if isinstance(child, nodes.definition)]
            self._defined("\n".join(terms), bodies)

    def _defined(self, term: str, bodies: Sequence[nodes.Element]) -> None:
        """A term, and on the next line what begins its definition."""
        as_item = self.writer.in_list and self.writer.depth < _DEEPEST_LIST
        if as_item:
            self.writer.open_item("- ")
        self.writer.open_definition(term)
        for body in bodies:
            self.write(body, as_item)
        self.writer.close_definition()
        if as_item:
            self.writer.close()

    def _pairs(self, node: nodes.Element) -> None:
        for item in node.children:
            if isinstance(item, nodes.field | nodes.option_list_item) and len(item.children) >= 2:
                name, body = cast("list[nodes.Element]", item.children[:2])
                if isinstance(item, nodes.option_list_item):
                    options = [option.astext() for option in name.children]
                    self._defined(", ".join(f"`{option}`" for option in options), [body])
                else:
                    self._defined(self._line(name) + ":", [body])

    def _quote(self, node: nodes.block_quote) -> None:
        if self.writer.depth >= _DEEPEST_LIST:
            self.write(node)
            return
        # Indented text is a quote to docutils; around a list or code alone it is only indented.
        shown = any(isinstance(child, nodes.paragraph | nodes.attribution) for child in node.children)
        self.writer.open_quote("> " if shown else "")
        self.write(node)
        self.writer.close()

    def _footnote(self, node: nodes.Element) -> None:
        label = node.children[0].astext() if node.children and isinstance(node.children[0], nodes.label) else ""
        rest = [child for child in node.children if not isinstance(child, nodes.label)]
        if rest and isinstance(rest[0], nodes.paragraph):
            self.writer.text(f"[{label}] {self.inline(rest.pop(0).children)}")
        for child in rest:
            self._block(child, False)

    def _lines(self, node: nodes.Element, indent: str = "") -> list[str]:
        lines: list[str] = []
        for child in node.children:
            if isinstance(child, nodes.line_block):
                lines += self._lines(child, indent)
            elif isinstance(child, nodes.line):
                lines.append(indent + self._line(child))
        return [line for line in lines if line]

    def _table(self, table: nodes.table) -> None:
        for child in table.children:
            if isinstance(child, nodes.title):
                self.writer.text(self._line(child))
        header: list[str] = []
        rows: list[list[str]] = []
        for row in table.findall(nodes.row):
            cells: list[str] = []
            for entry in row.children:
                if isinstance(entry, nodes.entry):
                    cells.append(" ".join(self._cell(entry).split()))
                    cells += [""] * int(entry.get("morecols", 0))
            if isinstance(row.parent, nodes.thead) and not header:
                header = cells
            else:
                rows.append(cells)
        width = max(map(len, [header, *rows]))
        padded = [[*cells, *[""] * (width - len(cells))] for cells in (header, *rows)]
        if any(sum(map(len, cells)) > _LONGEST_ROW for cells in padded[1:]):
            for cells in padded[1:]:
                pairs = zip(padded[0], cells, strict=True)
                self.writer.text("\n".join(f"{name}: {text}" if name else text for name, text in pairs if text))
        else:
            self.writer.table(padded)

    def _cell(self, entry: nodes.Element) -> str:
        parts: list[str] = []
        for child in entry.children:
            if isinstance(child, nodes.literal_block):
                parts.append(f"`{child.astext()}`")
            elif isinstance(child, nodes.TextElement):
                parts.append(self.inline(child.children))
            elif isinstance(child, nodes.image):
                parts.append(str(child.get("alt", "")))
            elif isinstance(child, nodes.Element) and not isinstance(child, _NOTHING):
                parts.append(self._cell(child))
        return " ".join(filter(None, parts))

    def _line(self, node: nodes.Node, *, code_marks: bool = True) -> str:
        return " ".join(self.inline(node.children, code_marks=code_marks).split())

    def inline(self, items: Sequence[nodes.Node], *, code_marks: bool = True) -> str:
        """Visible text, code in backticks if `code_marks`."""
        parts: list[str] = []
        for item in items:
            if isinstance(item, nodes.Text):
                parts.append(item.astext())
            elif isinstance(item, nodes.literal):
                text = item.astext()
                mark = "``" if "`" in text else "`"
                space = " " if "`" in text else ""
                parts.append(f"{mark}{space}{text}{space}{mark}" if code_marks and text.strip() else text)
            elif isinstance(item, nodes.image):
                parts.append(str(item.get("alt", "")))
            elif isinstance(item, nodes.footnote_reference | nodes.raw | nodes.system_message):
                continue
            elif isinstance(item, nodes.problematic):
                parts.append(item.astext())
            elif isinstance(item, nodes.Element):
                parts.append(self.inline(item.children, code_marks=code_marks))
        return "".join(parts)
