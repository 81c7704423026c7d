"""Files that were cut, changed, compressed or made up: an error that names the file and the column, never a
wrong read.
"""

import ctypes
import random
import shutil
import struct
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from coldseek_core.columns.manifest import MANIFEST_NAME
from coldseek_core.columns.mapping import MappedFile
from coldseek_core.columns.publish import publish
from coldseek_core.columns.reader import IndexFiles
from coldseek_core.errors import CorruptIndexError, IndexFileError
from columns.forged import forge, overwrite, place_of, read_everything
from columns.small_index import TEXTS, columns_of, write_columns, write_small_index

FILES = list(columns_of(TEXTS))


def path_of(root: Path, file: str) -> Path:
    with IndexFiles.open(root) as files:
        return root / files.generation / f"{file}.arrow"


@pytest.mark.parametrize("file", FILES)
def test_a_file_of_another_size_does_not_open(index: Path, file: str) -> None:
    path = path_of(index, file)
    whole = path.read_bytes()
    for size in (0, 1, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(CorruptIndexError, match=f"{file}.arrow has {size} bytes.*truncated"):
            IndexFiles.open(index)
    path.write_bytes(whole + b"\0")
    with pytest.raises(CorruptIndexError, match="changed"):
        IndexFiles.open(index)
    path.unlink()
    with pytest.raises(CorruptIndexError, match=f"{file}.arrow is missing"):
        IndexFiles.open(index)
    path.mkdir()
    with pytest.raises(CorruptIndexError, match="not a regular file"):
        IndexFiles.open(index)
    path.rmdir()
    path.write_bytes(whole)
    assert read_everything(index) == []


def test_a_generation_that_is_a_file_is_damage(index: Path) -> None:
    folder = path_of(index, "chunks").parent
    shutil.rmtree(folder)
    folder.write_text("")
    with pytest.raises(CorruptIndexError):
        IndexFiles.open(index)


def test_a_file_cut_between_the_check_and_the_map(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import coldseek_core.columns.mapping as mapping

    path = path_of(index, "chunks")
    size = path.stat().st_size
    real = mapping.open_regular_file

    def cut(name: str) -> tuple[int, int]:
        opened = real(name)
        path.write_bytes(b"x")
        return opened

    monkeypatch.setattr(mapping, "open_regular_file", cut)
    with pytest.raises(CorruptIndexError, match="truncated while"):
        MappedFile(str(path), size)


def test_a_file_that_may_not_be_read(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    real = os.open

    def refuse(name: Any, *rest: Any) -> int:
        if str(name).endswith("terms.arrow"):
            raise PermissionError(13, "Permission denied", name)
        return real(name, *rest)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(IndexFileError, match=r"terms\.arrow cannot be read: Permission denied"):
        IndexFiles.open(index)


@pytest.mark.parametrize("offset", [-1, 2**62, -(2**63), 10_000])
def test_offsets_out_of_range_are_noticed_when_read(index: Path, offset: int) -> None:
    overwrite(index, "chunks", "text", "offsets", 16, struct.pack("<q", offset))
    with IndexFiles.open(index) as files:
        text = files.texts("chunks", "text")
        assert text[0] == TEXTS[0]
        assert text[3] == TEXTS[3]
        for row in (1, 2):
            with pytest.raises(CorruptIndexError, match=rf"chunks\.arrow.*chunks\.text at row {row} "):
                text[row]
            with pytest.raises(CorruptIndexError):
                text.bytes_at(row)


def test_offsets_of_lists_out_of_range_are_noticed_when_read(index: Path) -> None:
    overwrite(index, "chunks", "heading_path", "offsets", 16, struct.pack("<q", 2**40))
    overwrite(index, "chunks", "heading_path", "child_offsets", 24, struct.pack("<q", -1))
    with IndexFiles.open(index) as files:
        paths = files.text_lists("chunks", "heading_path")
        assert paths[0] == []
        for row in (1, 2):
            with pytest.raises(CorruptIndexError, match=rf"chunks\.heading_path at row {row} "):
                paths[row]
    assert len(read_everything(index)) >= 2


def test_offsets_of_lists_just_out_of_range(index: Path) -> None:
    """One list more than there are, and texts that begin before the first."""
    _, _, length = place_of(index, "chunks", "heading_path", "child_offsets")
    overwrite(index, "chunks", "heading_path", "offsets", 40, struct.pack("<q", length // 8))
    overwrite(index, "chunks", "heading_path", "child_offsets", 0, struct.pack("<q", -1))
    with IndexFiles.open(index) as files:
        for row in (1, 4):
            with pytest.raises(CorruptIndexError, match=rf"chunks\.heading_path at row {row} "):
                files.text_lists("chunks", "heading_path")[row]


def test_empty_columns_need_no_offsets(tmp_path: Path) -> None:
    """Arrow lets a writer leave out the single offset of an empty column."""
    columns = columns_of([])
    publish(tmp_path, lambda folder: write_columns(folder, columns))

    def leave_out(body: dict[str, Any]) -> None:
        for file in ("chunks", "terms", "term_blocks"):
            for entry in body["files"][file]["columns"].values():
                entry["buffers"] = {name: [0, 0] for name in entry["buffers"]}

    forge(tmp_path, leave_out)
    with IndexFiles.open(tmp_path) as files:
        blocks = files.byte_strings("term_blocks", "terms")
        assert list(blocks) == list(files.text_lists("chunks", "heading_path")) == []
        offsets = blocks.offsets_address
        assert ctypes.c_int64.from_address(offsets).value == 0


@pytest.mark.parametrize("data", [b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x80"])
def test_what_is_not_utf_8_is_noticed_when_read(index: Path, data: bytes) -> None:
    overwrite(index, "chunks", "text", "values", 0, data)
    overwrite(index, "documents", "metadata.strings.tags", "child_values", 0, b"\xff")
    with IndexFiles.open(index) as files:
        with pytest.raises(CorruptIndexError, match=r"chunks\.text at row 0 is not UTF-8"):
            files.texts("chunks", "text")[0]
        assert files.texts("chunks", "text").bytes_at(0).startswith(data)
        with pytest.raises(CorruptIndexError, match=r"tags at row 0 is not UTF-8"):
            files.column("documents", "metadata.strings.tags")[0]


def test_no_change_of_bytes_is_another_error(index: Path) -> None:
    """Random bytes in random places of the files: rows read, or say that they are damaged."""
    chance = random.Random(20)
    wholes = {file: path_of(index, file).read_bytes() for file in FILES}
    for _ in range(150):
        for file, whole in wholes.items():
            damaged = bytearray(whole)
            for _ in range(chance.randrange(1, 30)):
                damaged[chance.randrange(len(whole))] = chance.choice((0, 1, 127, 128, 255))
            path_of(index, file).write_bytes(damaged)
        read_everything(index)


def rewrite(path: Path, compression: str | None, change: Any = None) -> None:
    """Write an Arrow file again, as another program might."""
    with pa.memory_map(str(path)) as mapped:
        table = pa.Table.from_pydict(pa.ipc.open_file(mapped).read_all().to_pydict(), _schema_of(path))
    table = change(table) if change else table
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema, options=options) as writer:
        writer.write_table(table)


def _schema_of(path: Path) -> pa.Schema:
    with pa.memory_map(str(path)) as mapped:
        return pa.ipc.open_file(mapped).schema


def test_a_file_rewritten_with_compression_does_not_open(index: Path) -> None:
    rewrite(path_of(index, "chunks"), "lz4")
    with pytest.raises(CorruptIndexError, match=r"chunks\.arrow has .* bytes, the manifest says"):
        IndexFiles.open(index)


def test_a_text_column_rewritten_as_string_view_does_not_open(index: Path) -> None:
    def as_view(table: pa.Table) -> pa.Table:
        place = table.schema.get_field_index("text")
        return table.set_column(place, "text", table["text"].cast(pa.string_view()))

    rewrite(path_of(index, "chunks"), None, as_view)
    with pytest.raises(CorruptIndexError, match=r"chunks\.arrow has .* bytes, the manifest says"):
        IndexFiles.open(index)


def shift(root: Path, file: str, by: int) -> None:
    """Put `by` bytes before a file's contents, so that its buffers begin where they do not belong."""
    path = path_of(root, file)
    path.write_bytes(b"\0" * by + path.read_bytes())

    def change(body: dict[str, Any]) -> None:
        body["files"][file]["size"] += by
        for column in body["files"][file]["columns"].values():
            for span in column["buffers"].values():
                span[0] += by

    forge(root, change)


@pytest.mark.parametrize("by", [1, 3, 4])
def test_unaligned_buffers_are_read_right(index: Path, by: int) -> None:
    with IndexFiles.open(index) as files:
        before = {
            (file, name): [repr(bytes(v)) if isinstance(v, memoryview) else v for v in files.column(file, name)]
            for file in FILES
            for name in files.columns(file)
        }
    for file in FILES:
        shift(index, file, by)
    with IndexFiles.open(index) as files:
        for (file, name), values in before.items():
            column: Any = files.column(file, name)
            assert [repr(bytes(v)) if isinstance(v, memoryview) else v for v in column] == values
        assert files.numbers("terms", "start").address % 8 == 0
        assert files.numbers("postings", "word").address % 2 == 0
        assert files.numbers("terms", "df").address % 4 == 0
        assert files.texts("chunks", "text").offsets_address % 8 == 0
        assert files.numbers("term_blocks", "key").address % 8 == 0
        assert files.byte_strings("term_blocks", "terms").offsets_address % 8 == 0
        assert (files.numbers("postings", "word").copied > 0) == (by % 2 != 0)
        assert (files.numbers("terms", "df").copied > 0) == (by != 4)
        assert files.texts("chunks", "text").copied == 8 * (len(TEXTS) + 1)
        assert files.copied_bytes > 0
        assert files.numbers("terms", "start").view.readonly
    assert files.closed


def test_texts_beyond_two_gigabytes(index: Path) -> None:
    """Offsets over 2**31 and 2**32, in a sparse file: the last text is read from its place."""
    path, _, _ = place_of(index, "chunks", "text", "offsets")
    size = path.stat().st_size
    for last_end in (2**31 + 5, 2**32 + 5):
        offsets_at = size + -size % 8
        values_at = offsets_at + 48
        with path.open("r+b") as stream:
            stream.seek(offsets_at)
            stream.write(struct.pack("<6q", 0, 0, 0, 0, last_end - 5, last_end))
            stream.seek(values_at + last_end - 5)
            stream.write("éend".encode())

        def change(body: dict[str, Any], end: int = last_end, offsets: int = offsets_at) -> None:
            body["files"]["chunks"]["size"] = offsets + 48 + end
            buffers = body["files"]["chunks"]["columns"]["text"]["buffers"]
            buffers.update(offsets=[offsets, 48], values=[offsets + 48, end])

        forge(index, change)
        with IndexFiles.open(index) as files:
            assert files.texts("chunks", "text")[4] == "éend"
            assert files.texts("chunks", "text").values_length == last_end
        with path.open("r+b") as stream:
            stream.truncate(size)
        with pytest.raises(CorruptIndexError, match="truncated"):
            IndexFiles.open(index)


def test_another_byte_order_is_refused(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.byteorder", "big")
    with pytest.raises(IndexFileError, match="little-endian"):
        IndexFiles.open(index)


def test_opening_costs_the_same_however_long_the_columns(tmp_path: Path) -> None:
    """Nothing is read of the columns: an index whose pages are all zero but for the manifest's opens."""
    publish(tmp_path, write_small_index)
    for file in FILES:
        path = path_of(tmp_path, file)
        path.write_bytes(bytes(path.stat().st_size))
    with IndexFiles.open(tmp_path) as files:
        assert len(files.texts("chunks", "text")) == len(TEXTS)
    assert (tmp_path / MANIFEST_NAME).is_file()
