"""Tables of an HTML page as rows of text."""

from dataclasses import dataclass

from coldseek_core.ingest.html_inline import inline_text
from coldseek_core.ingest.html_tree import Element

_CELLS = frozenset({"td", "th"})
_UNFOLDING_WORDS = "table pre h1 h2 h3 h4 h5 h6 dl blockquote section article"
_UNFOLDING = frozenset(_UNFOLDING_WORDS.split())
_WIDEST_SPAN = 50
_MOST_FILLED = 20_000
_LONGEST_REPEATED = 200
_LONGEST_ROW = 1_000


@dataclass(frozen=True, slots=True)
class TableRows:
    """`header` is empty if the table has none; all rows are equally wide."""

    header: list[str]
    rows: list[list[str]]

    @property
    def has_long_rows(self) -> bool:
        """Whether a row is too long to be read, and cut, as one line."""
        return any(sum(map(len, row)) > _LONGEST_ROW for row in self.rows)


def rows_of(table: Element) -> list[Element]:
    """The table's own rows, not those of tables inside it."""
    rows: list[Element] = []
    for child in table.child_elements():
        if child.tag == "tr":
            rows.append(child)
        elif child.tag in {"thead", "tbody", "tfoot"}:
            rows += [row for row in child.child_elements() if row.tag == "tr"]
    return rows


def cells_of(row: Element) -> list[Element]:
    return [cell for cell in row.child_elements() if cell.tag in _CELLS]


def is_layout(table: Element) -> bool:
    """Whether a table only places things on the page: by its role, by having one column, or, if no cell is a header,
    by holding what no cell of data holds."""
    if table.get("role").lower() in {"presentation", "none"}:
        return True
    rows = [cells_of(row) for row in rows_of(table)]
    if all(len(cells) <= 1 for cells in rows):
        return True
    if any(cell.tag == "th" for cells in rows for cell in cells):
        return False
    return any(element.tag in _UNFOLDING for cells in rows for cell in cells for element in cell.elements())


def table_rows(table: Element) -> TableRows:
    """Texts of all cells. A cell that spans columns is followed by empty ones; one that spans rows is repeated in
    each, if it is short. A row is a header if it is in `thead`, or the first and of header cells only."""
    rows = rows_of(table)
    texts = _texts(rows)
    width = max(map(len, texts), default=0)
    texts = [row + [""] * (width - len(row)) for row in texts]
    first = rows[0] if rows else None
    heads = {id(row) for child in table.child_elements() if child.tag == "thead" for row in child.child_elements()}
    is_header = first is not None and (id(first) in heads or all(cell.tag == "th" for cell in cells_of(first)))
    return TableRows(texts[0], texts[1:]) if is_header else TableRows([], texts)


def _texts(rows: list[Element]) -> list[list[str]]:
    texts: list[list[str]] = []
    hanging: dict[int, tuple[int, str]] = {}  # by column: rows still to fill, and with what
    filled = 0
    for row in rows:
        line: list[str] = []
        for cell in cells_of(row):
            filled += _fill(line, hanging)
            text = cell_text(cell)
            down = _span(cell, "rowspan")
            across = _span(cell, "colspan") if filled < _MOST_FILLED else 1
            for number in range(across):
                if down > 1 and filled < _MOST_FILLED:
                    hanging[len(line)] = (down - 1, text if number == 0 and len(text) <= _LONGEST_REPEATED else "")
                line.append(text if number == 0 else "")
            filled += across - 1
        filled += _fill(line, hanging)
        texts.append(line)
    return texts


def _fill(line: list[str], hanging: dict[int, tuple[int, str]]) -> int:
    """Adds the cells that hang down from rows above; returns how many."""
    begun = len(line)
    while len(line) in hanging:
        left, text = hanging.pop(len(line))
        if left > 1:
            hanging[len(line)] = (left - 1, text)
        line.append(text)
    return len(line) - begun


def _span(cell: Element, name: str) -> int:
    value = cell.get(name)
    return min(max(int(value), 1), _WIDEST_SPAN) if value.isascii() and value.isdigit() and len(value) < 9 else 1


def cell_text(cell: Element) -> str:
    """A cell's text in one line."""
    return " ".join(inline_text(cell.children).split())
