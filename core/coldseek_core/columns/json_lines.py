"""Fields of JSON objects, one a line, as columns: the fast way to read what is as it should be.

pyarrow comes without types, so the checker is told less about this one file:
"""
# pyright: basic

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.json
from numpy.typing import NDArray

from .texts import TextLists, Texts

_NEWLINE, _RETURN, _CLOSING = b"\n\r}"
_MOST_BYTES = 1 << 30  # Arrow's reader counts with 32 bits


@dataclass(frozen=True)
class LineColumns:
    """A text of each name for each line, empty where the line has none; `given`: where it has one that it need not."""

    texts: dict[str, Texts]
    lists: dict[str, TextLists]
    given: dict[str, NDArray[np.bool_]]


def _line_ends(block: bytes) -> NDArray[np.int64]:
    """Where the lines of a block end, before their newline; the last one needs none."""
    ends = np.flatnonzero(np.frombuffer(block, np.uint8) == _NEWLINE)
    return ends if block.endswith(b"\n") or not block else np.append(ends, len(block))


def _all_end_with_objects(block: bytes, ends: NDArray[np.int64]) -> bool:
    data = np.frombuffer(block, np.uint8)
    lasts = ends - 1
    lasts -= (data[lasts] == _RETURN) & (lasts > 0)  # an empty first line has no last byte: any other serves
    return bool((data[lasts] == _CLOSING).all())


def read_lines(
    block: bytes, needed: tuple[str, ...], texts: tuple[str, ...], lists: tuple[str, ...]
) -> LineColumns | None:
    """Read lines of JSON objects that have a text for each of `needed`, and may have one for each of `texts` and a list
    of texts for each of `lists`. Null is as if it were not there.

    Returns None if anything is otherwise: another key, a key twice, another type, no JSON, no UTF-8, half of a
    surrogate pair, a blank line, several objects on a line, a line that does not end with its object.
    """
    ends = _line_ends(block)
    if not len(ends) or len(block) > _MOST_BYTES or not _all_end_with_objects(block, ends):
        return None
    lines = len(ends)
    text, many = pa.string(), pa.list_(pa.string())
    schema = pa.schema(
        [*(pa.field(name, text) for name in (*needed, *texts)), *(pa.field(name, many) for name in lists)]
    )
    try:
        table = pyarrow.json.read_json(
            pa.BufferReader(block),
            read_options=pyarrow.json.ReadOptions(use_threads=False, block_size=len(block) + 1),
            parse_options=pyarrow.json.ParseOptions(
                explicit_schema=schema, newlines_in_values=False, unexpected_field_behavior="error"
            ),
        )
        table.validate(full=True)
    except pa.ArrowInvalid:
        return None
    # As many objects as lines, each of which ends with one: so each line is one.
    if table.num_rows != lines or table.column(0).num_chunks != 1:
        return None
    columns = {name: table.column(name).chunk(0) for name in table.column_names}
    if any(columns[name].null_count for name in needed) or any(columns[name].values.null_count for name in lists):
        return None
    return LineColumns(
        {name: Texts.of_arrow(columns[name]) for name in (*needed, *texts)},
        {name: TextLists.of_arrow(columns[name]) for name in lists},
        {name: columns[name].is_valid().to_numpy(zero_copy_only=False) for name in texts},
    )
