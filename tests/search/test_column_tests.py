"""Tests of whole columns against reading row by row, and what damaged columns do to a filter."""

import struct
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coldseek_core.columns.reader import IndexFiles
from coldseek_core.errors import CorruptIndexError
from coldseek_core.ingest.documents import Chunk, Document
from coldseek_core.search.column_tests import bits_of, passing, taken
from coldseek_core.search.engine import SearchEngine
from columns.forged import overwrite
from search.worlds import write_documents

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([0.5, -1.0, 2.0]),
    st.sampled_from(["", "a", "é", "延迟", "a\0b"]),
    st.lists(st.sampled_from(["a", "", "延"]), max_size=3),
)


def index_of(folder: Path, values: list[Any]) -> Path:
    documents = [
        Document(
            f"d{row}", f"{row}.md", f"/{row}", "", {} if value is None else {"key": value}, (Chunk(f"c{row}", "word"),)
        )
        for row, value in enumerate(values)
    ]
    return write_documents(folder / "i", documents)


@settings(max_examples=40, deadline=None)
@given(st.lists(VALUES, max_size=70), st.integers(0, 2**32))
def test_as_row_by_row(tmp_path_factory: pytest.TempPathFactory, values: list[Any], seed: int) -> None:
    """Whatever a test says of each value, it is said of that value's rows."""

    def test(value: object) -> bool:
        return hash((repr(value), seed)) % 3 == 0

    with IndexFiles.open(index_of(tmp_path_factory.mktemp("columns"), values)) as files:
        store = SearchEngine(files)._store
        columns = [column for _, _, column in store.metadata_columns]
        expected = sum(1 << row for row, value in enumerate(values) if test(value))
        assert passing(columns, len(values), test) == expected
        ids = sum(1 << row for row in range(len(values)) if test(f"d{row}"))
        assert passing([store.document_ids], len(values), test) == ids


@given(st.lists(st.booleans(), max_size=200), st.data())
def test_bits(flags: list[bool], data: st.DataObject) -> None:
    bits = bits_of(bytes(flags))
    assert bits == sum(1 << place for place, flag in enumerate(flags) if flag)
    places = data.draw(st.lists(st.integers(0, len(flags) - 1), max_size=50)) if flags else []
    found = taken(bits, len(flags), memoryview(struct.pack(f"{len(places)}I", *places)).cast("I"))
    assert found == sum(1 << order for order, place in enumerate(places) if flags[place])
    with pytest.raises(IndexError):
        taken(bits, len(flags), memoryview(struct.pack("I", len(flags) + 1)).cast("I"))


DAMAGE: list[tuple[str, str, str, int, bytes, dict[str, Any]]] = [
    ("documents", "path", "offsets", 8, struct.pack("<q", -1), {"filename": "1.md"}),
    ("documents", "path", "offsets", 16, struct.pack("<q", 2**40), {"filename": "1.md"}),
    ("documents", "id", "offsets", 8, struct.pack("<q", 5), {"document_ids": ["d0"]}),
    ("documents", "id", "values", 1, b"\xff", {"document_ids": ["d2"]}),
    ("documents", "metadata.string.key", "values", 0, b"\xff", {"metadata": {"key": "b"}}),
    ("documents", "metadata.string.key", "offsets", 16, struct.pack("<q", 3), {"metadata": {"key": {"ne": "b"}}}),
    ("chunks", "document", "values", 4, struct.pack("<I", 7), {"metadata": {"key": "b"}}),
]


@pytest.mark.parametrize(("file", "column", "buffer", "offset", "data", "conditions"), DAMAGE)
def test_a_damaged_column_is_an_error_not_a_row_less(
    tmp_path: Path, file: str, column: str, buffer: str, offset: int, data: bytes, conditions: dict[str, Any]
) -> None:
    """A filter that takes what it can read would show what it should hide."""
    index = index_of(tmp_path, ["a", "b", None])
    overwrite(index, file, column, buffer, offset, data)
    with IndexFiles.open(index) as files:
        engine = SearchEngine(files)
        with pytest.raises(CorruptIndexError):
            engine.search("word", filter=conditions)
