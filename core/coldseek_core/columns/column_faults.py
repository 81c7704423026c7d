"""What can be wrong inside one column."""

from collections.abc import Iterator
from math import isfinite

from coldseek_core.columns.mapping import damaged
from coldseek_core.columns.values import Booleans, ByteStrings, Codes, Numbers, TextLists
from coldseek_core.errors import CorruptIndexError


def column_faults(path: str, column: Numbers | Booleans | ByteStrings | TextLists | Codes, nulls: int) -> Iterator[str]:
    """Faults of a column, of the file at `path`, that should have so many nulls: offsets out of order or of range,
    texts that are not UTF-8, numbers that are not finite, another count of nulls."""
    length = len(column)
    if column.validity is not None:
        valid = int.from_bytes(column.validity, "little") & ((1 << length) - 1)
        if length - valid.bit_count() != nulls:
            what = f"{column.name} has {length - valid.bit_count()} nulls, the manifest says {nulls}"
            yield str(damaged(path, what))
    if isinstance(column, (ByteStrings, TextLists)):
        # If every row by itself is within bounds then the offsets ascend. Rows that go back are faults, so a
        # file that makes rows overlap cannot make this long.
        for row in range(length):
            try:
                column[row]
            except CorruptIndexError as error:
                yield str(error)
    elif isinstance(column, Numbers) and column.view.format in ("f", "d"):
        for row, value in enumerate(column.view):
            if not isfinite(value):
                yield str(damaged(path, f"{column.name} at row {row} is {value}, expected a finite number"))
