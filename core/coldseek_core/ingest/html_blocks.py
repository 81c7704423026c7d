"""The content of an HTML page to sections of blocks, the same as Markdown gives."""

import re

from coldseek_core.ingest.block_writer import BlockWriter
from coldseek_core.ingest.html_definitions import Definition, definitions_of, id_inside, own_id
from coldseek_core.ingest.html_inline import inline_text, preformatted_text
from coldseek_core.ingest.html_tables import cells_of, is_layout, rows_of, table_rows
from coldseek_core.ingest.html_tree import Element
from coldseek_core.ingest.sections import Section

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LISTS = frozenset({"ul", "ol", "menu", "dir"})
_PREFORMATTED = frozenset({"pre", "listing", "xmp", "plaintext"})
_LANGUAGE = re.compile(r"(?:(?:language|lang|highlight-source|highlight|src)-|brush:)(?P<name>[\w+#.-]{1,30})\Z")
_NO_LANGUAGES_WORDS = """
    default none text plain plaintext nohighlight notranslate txt console-output wrapper unknown undefined
"""
_NO_LANGUAGES = frozenset(_NO_LANGUAGES_WORDS.split())
# What a heading inside is called belongs to the note, and begins no section.
_NOTES_WORDS = "note tip warning caution important admonition danger info hint attention error seealso alert"
_NOTES = frozenset(_NOTES_WORDS.split())
_SECTION_LISTS_WORDS = "blocklist blocklistlast block-list details-list member-list summary-list"
_SECTION_LISTS = frozenset(_SECTION_LISTS_WORDS.split())
# Ids of what holds the whole page: none of its headings' anchors.
_PAGE_IDS = frozenset({"content", "main", "main-content", "page", "wrapper", "container", "root", "app", "doccontent"})
_DEEPEST_LIST = 40


def blocks_of(content: Element) -> list[Section]:
    """The sections of a page's content, in reading order; the first one has level 0 and no heading."""
    walker = _Walker()
    walker.walk(content)
    return walker.writer.sections


class _Walker:
    def __init__(self) -> None:
        self.writer = BlockWriter()
        self._language: str = ""
        # Ids since the last text: a heading that follows is found by them.
        self._section_id = ""
        self._anchor = ""
        self._in_note: bool = False

    def walk(self, parent: Element, tight: bool = False) -> None:
        """Writes what is in `parent`: runs of inline items are paragraphs."""
        run: list[Element | str] = []
        for child in parent.children:
            if isinstance(child, str) or not child.is_block:
                run.append(child)
                continue
            self._paragraph(run, tight)
            run = []
            self._block(child, tight)
        self._paragraph(run, tight)

    def _paragraph(self, run: list[Element | str], tight: bool) -> None:
        if not run:
            return
        text = inline_text(run)
        if text:
            self._text(text, tight)
            return
        for item in run:
            if isinstance(item, Element):
                self._anchor = own_id(item) or self._anchor

    def _text(self, text: str, tight: bool = False) -> None:
        self.writer.text(text, tight)
        self._section_id = self._anchor = ""

    def _block(self, element: Element, tight: bool) -> None:
        tag = element.tag
        if tag in _HEADINGS or element.get("role").lower() == "heading" or "headertitle" in element.tokens:
            self._heading(element)
        elif tag in _PREFORMATTED:
            self.writer.code(preformatted_text(element), self._language_of(element))
        elif tag in _LISTS:
            self._list(element)
        elif tag == "dl":
            self._definitions(element)
        elif tag == "blockquote":
            self._quote(element)
        elif tag == "table":
            self._table(element)
        elif tag == "p":
            self._transparent(element, False)
        elif tag != "hr":
            self._transparent(element, tight)

    def _transparent(self, element: Element, tight: bool) -> None:
        if element.get("id") and element.get("id").lower() not in _PAGE_IDS:
            self._section_id = element.get("id")
        language = self._language
        in_note = self._in_note
        self._language = _named_language(element) or language
        self._in_note = in_note or not element.tokens.isdisjoint(_NOTES)
        self.walk(element, tight)
        self._language, self._in_note = language, in_note

    def _heading(self, element: Element) -> None:
        text = " ".join(inline_text(element.children, code_marks=False).split())
        if not text:
            self._section_id = element.get("id") or self._section_id
            return
        if self._in_note:
            self._text(text)
            return
        anchor = own_id(element) or id_inside(element) or self._section_id or self._anchor
        level = element.get("aria-level") if element.tag not in _HEADINGS else element.tag[1]
        self.writer.heading(int(level) if level in {"1", "2", "3", "4", "5", "6"} else 1, text, anchor)
        self._section_id = self._anchor = ""

    def _list(self, element: Element) -> None:
        if not element.tokens.isdisjoint(_SECTION_LISTS) or self.writer.depth >= _DEEPEST_LIST:
            self.walk(element)
            return
        self.writer.begin_list()
        number = _start_of(element)
        for item in element.children:
            if isinstance(item, str) or item.tag != "li":  # not as it should be, but as it is found
                self._between(item)
                continue
            value = item.get("value")
            number = int(value) if value.isascii() and value.isdigit() and len(value) < 9 else number
            self.writer.open_item(f"{number}. " if element.tag == "ol" else "- ")
            self.walk(item, tight=True)
            self.writer.close()
            number += 1

    def _between(self, item: Element | str) -> None:
        """What stands in a list, but in none of its items."""
        if isinstance(item, Element) and item.is_block:
            self._block(item, True)
        else:
            self._paragraph([item], True)

    def _definitions(self, element: Element) -> None:
        """A definition is a section, or its term is the line before it; inside another definition it is a list item."""
        nested = self.writer.in_list or self.writer.in_definition
        if nested and self.writer.depth < _DEEPEST_LIST:
            self.writer.begin_list()
        for entry in definitions_of(element):
            if isinstance(entry, Definition):
                self._definition(entry, nested)
            else:
                self._between(entry)

    def _definition(self, definition: Definition, nested: bool) -> None:
        as_item = nested and self.writer.depth < _DEEPEST_LIST
        if as_item:
            self.writer.open_item("- ")
        self.writer.open_definition(definition.term, definition.heading, definition.anchor)
        self._section_id = self._anchor = ""
        self.walk(definition.body, tight=as_item)
        self.writer.close_definition()
        if as_item:
            self.writer.close()

    def _quote(self, element: Element) -> None:
        if self.writer.depth >= _DEEPEST_LIST:
            self.walk(element)
            return
        self.writer.open_quote()
        self.walk(element)
        self.writer.close()

    def _table(self, element: Element) -> None:
        for child in element.child_elements():
            if child.tag == "caption":
                self.walk(child)
        if is_layout(element):
            for row in rows_of(element):
                for cell in cells_of(row):
                    self._cell(cell)
            return
        table = table_rows(element)
        if table.has_long_rows:
            for row in table.rows:
                named = zip(table.header or [""] * len(row), row, strict=True)
                self._text("\n".join(f"{name}: {text}" if name else text for name, text in named if text))
            return
        width = len(table.header) or max(map(len, table.rows), default=0)
        self.writer.table([table.header or [""] * width, *table.rows])
        self._section_id = self._anchor = ""

    def _cell(self, cell: Element) -> None:
        """The only cell of a row: its paragraphs stay together."""
        if all(not child.is_block or child.tag in {"p", "br", "div"} for child in cell.elements()):
            text = inline_text(cell.children)
            if text:
                self._text(text)
        else:
            self.walk(cell)

    def _language_of(self, pre: Element) -> str:
        code = next((child for child in pre.child_elements() if child.tag == "code"), None)
        return _named_language(pre) or (_named_language(code) if code is not None else "") or self._language


def _named_language(element: Element) -> str:
    for name in ("data-lang", "data-language"):
        value = element.get(name).lower()
        if value:
            return "" if value in _NO_LANGUAGES else value
    classes = element.get("class").lower().replace("brush: ", "brush:").replace(";", " ").split()
    for token in classes:
        found = _LANGUAGE.match(token)
        if found and found["name"] not in _NO_LANGUAGES:
            return found["name"]
    if "sourcecode" in classes:  # pandoc: `sourceCode python`
        return next((token for token in classes if token not in {"sourcecode", *_NO_LANGUAGES}), "")
    return "rust" if element.tag == "pre" and "rust" in classes else ""


def _start_of(element: Element) -> int:
    start = element.get("start")
    return int(start) if start.isascii() and start.isdigit() and len(start) < 9 else 1
