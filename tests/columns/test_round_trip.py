"""What is written is what every reader reads: ours, pyarrow, polars and DuckDB."""

import tempfile
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coldseek_core.columns.publish import publish
from coldseek_core.columns.reader import IndexFiles
from coldseek_core.columns.writer import write_file
from coldseek_core.errors import UsageError
from columns.small_index import METADATA, TEXTS, columns_of, terms_of, write_columns, write_small_index

FILES = list(columns_of(TEXTS))
BYTES = [b"", b"\xff\0", b"ab"]


def plain(value: Any) -> Any:
    """A value as Python's own type."""
    if isinstance(value, (memoryview, np.ndarray)):
        return list(map(int, value))
    return list(value) if isinstance(value, tuple) else value


def ours(root: Path, file: str) -> dict[str, list[Any]]:
    with IndexFiles.open(root) as files:
        return {name: [plain(value) for value in files.column(file, name)] for name in files.columns(file)}


def arrow_path(root: Path, file: str) -> Path:
    with IndexFiles.open(root) as files:
        return root / files.generation / f"{file}.arrow"


def read_with_pyarrow(path: Path) -> dict[str, list[Any]]:
    with pa.memory_map(str(path)) as mapped:
        return pa.ipc.open_file(mapped).read_all().to_pydict()


def read_with_polars(path: Path) -> dict[str, list[Any]]:
    return {
        name: [plain(value) for value in values]
        for name, values in polars.read_ipc(path).to_dict(as_series=False).items()
    }


def read_with_duckdb(path: Path) -> dict[str, list[Any]]:
    with pa.memory_map(str(path)) as mapped, duckdb.connect() as connection:
        table = pa.ipc.open_file(mapped).read_all()
        connection.register("file", table)
        rows = connection.execute("select * from file").fetchall()
        return {name: [plain(row[place]) for row in rows] for place, name in enumerate(table.column_names)}


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("read", [read_with_pyarrow, read_with_polars, read_with_duckdb])
def test_every_arrow_reader_reads_what_we_read(index: Path, file: str, read: Any) -> None:
    read_by_us = ours(index, file)
    assert read(arrow_path(index, file)) == read_by_us
    written = {name: [plain(value) for value in values] for name, values in columns_of(TEXTS)[file].items()}
    assert read_by_us == written


def test_values_have_python_types(index: Path) -> None:
    with IndexFiles.open(index) as files:
        documents = {key: files.column("documents", key) for key in METADATA}
        assert documents["metadata.boolean.draft"][1] is True
        assert type(documents["metadata.integer.year"][1]) is int
        assert type(documents["metadata.number.weight"][0]) is float
        codes = files.codes("vectors", "codes")
        assert [(vector.format, len(vector)) for vector in codes if vector] == [("b", codes.width)] * 5
        assert files.numbers("vectors", "scale").view.format == "f"


def test_rows_out_of_range_raise_index_error(index: Path) -> None:
    with IndexFiles.open(index) as files:
        for file in FILES:
            for name in files.columns(file):
                column = files.column(file, name)
                for row in (-1, len(column), 2**70):
                    with pytest.raises(IndexError):
                        column[row]
        with pytest.raises(IndexError):
            files.texts("chunks", "text").bytes_at(-1)


def test_the_kernels_view_is_what_was_written(index: Path) -> None:
    """Addresses and lengths, followed as a kernel follows them."""
    import ctypes

    with IndexFiles.open(index) as files, files.in_use():
        texts, blocks = files.texts("chunks", "text"), files.byte_strings("term_blocks", "terms")
        for column in (texts, blocks):
            offsets = (ctypes.c_int64 * (len(column) + 1)).from_address(column.offsets_address)
            data = ctypes.string_at(column.values_address, column.values_length)
            assert [data[offsets[row] : offsets[row + 1]] for row in range(len(column))] == [
                column.bytes_at(row) for row in range(len(column))
            ]
        words = files.numbers("postings", "word")
        assert list((ctypes.c_uint16 * len(words)).from_address(words.address)) == list(words.view)
        codes = files.codes("vectors", "codes")
        flat = (ctypes.c_int8 * (len(codes) * codes.width)).from_address(codes.address)
        assert list(flat[5:10]) == plain(codes[1])
        drafts = files.column("documents", "metadata.boolean.draft")
        assert ctypes.string_at(drafts.validity_address, 1)[0] & 0b11 == 0b10
        assert texts.validity_address == 0


def test_an_empty_index_opens(tmp_path: Path) -> None:
    columns = columns_of([])
    for name in columns["documents"]:
        columns["documents"][name] = []
    publish(tmp_path, lambda folder: write_columns(folder, columns))
    with IndexFiles.open(tmp_path) as files:
        assert files.manifest["counts"] == {"chunks": 0, "documents": 0, "terms": 0, "postings": 0}
        assert len(files.numbers("term_blocks", "key")) == 0
        assert files.byte_strings("term_blocks", "terms").offsets_address
        assert [list(files.column("chunks", name)) for name in files.columns("chunks")] == [[]] * 6
        assert files.codes("vectors", "codes").width == 5


def test_an_index_without_vectors_opens(tmp_path: Path) -> None:
    publish(tmp_path, lambda folder: write_small_index(folder, vectors=False))
    with IndexFiles.open(tmp_path) as files:
        assert not files.has("vectors")
        with pytest.raises(UsageError, match="no file 'vectors'"):
            files.column("vectors", "codes")
        with pytest.raises(UsageError, match="has no column 'body'"):
            files.column("chunks", "body")
        with pytest.raises(UsageError, match=r"chunks\.text is of type large_utf8, not numbers"):
            files.numbers("chunks", "text")
        with pytest.raises(UsageError, match=r"term_blocks\.terms is of type large_binary, not texts"):
            files.texts("term_blocks", "terms")
        with pytest.raises(UsageError, match=r"terms\.df is of type uint32, not byte strings"):
            files.byte_strings("terms", "df")


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@settings(max_examples=60, deadline=None)
@given(st.lists(texts, max_size=20), st.lists(st.none() | st.lists(texts, max_size=4), min_size=2, max_size=2))
def test_any_texts_come_back(chunks: list[str], tags: list[list[str] | None]) -> None:
    columns = columns_of(chunks)
    columns["documents"]["metadata.strings.tags"] = tags
    with tempfile.TemporaryDirectory() as folder:
        publish(Path(folder), lambda place: write_columns(place, columns))
        with IndexFiles.open(folder) as files:
            assert list(files.texts("chunks", "text")) == chunks
            assert [files.texts("chunks", "text").bytes_at(row) for row in range(len(chunks))] == [
                chunk.encode() for chunk in chunks
            ]
            assert list(files.text_lists("documents", "metadata.strings.tags")) == tags
            assert list(files.byte_strings("term_blocks", "terms")) == columns["term_blocks"]["terms"]
            assert terms_of(files) == sorted({word for text in chunks for word in text.split()}, key=str.encode)
            assert files.copied_bytes == 0


@settings(max_examples=60, deadline=None)
@given(st.data(), st.integers(0, 30))
def test_any_values_and_nulls_come_back(data: st.DataObject, length: int) -> None:
    """Metadata columns of any length, so that bitmaps end anywhere in a byte."""
    kinds: dict[str, st.SearchStrategy[Any]] = {
        "metadata.integer.n": st.integers(-(2**63), 2**63 - 1),
        "metadata.number.n": st.floats(allow_nan=False, allow_infinity=False),
        "metadata.boolean.n": st.booleans(),
        "metadata.string.n": texts,
        "metadata.strings.n": st.lists(texts, max_size=3),
    }
    columns = columns_of([])
    columns["chunks"]["document"] = np.zeros(0, np.uint32)
    ids = [str(row) for row in range(length)]
    columns["documents"] = {"id": ids, "path": ids, "url": ids, "title": ids}
    for name, values in kinds.items():
        columns["documents"][name] = data.draw(st.lists(st.none() | values, min_size=length, max_size=length))
    with tempfile.TemporaryDirectory() as folder:
        publish(Path(folder), lambda place: write_columns(place, columns))
        with IndexFiles.open(folder) as files:
            for name in kinds:
                assert list(files.column("documents", name)) == columns["documents"][name]


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"])
def test_further_columns_of_every_number_type(tmp_path: Path, dtype: str) -> None:
    values = np.array([0, 1, 100], dtype)
    body: dict[str, Any] = {}

    def write(folder: Path) -> dict[str, Any]:
        body.update(write_small_index(folder))
        body["files"]["weights"] = write_file(
            folder, "weights", {"w": values, "m": np.zeros((3, 2), np.int8), "b": BYTES}
        )
        return body

    publish(tmp_path, write)
    with IndexFiles.open(tmp_path) as files:
        assert list(files.numbers("weights", "w")) == [0, 1, 100]
        assert files.numbers("weights", "w").view.format == values.dtype.char.replace("l", "q").replace("L", "Q")
        assert files.codes("weights", "m").width == 2
        assert list(files.byte_strings("weights", "b")) == BYTES
