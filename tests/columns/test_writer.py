"""The writer refuses what a reader could not read back as it was."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from coldseek_core.columns.writer import describe_file, write_file
from coldseek_core.errors import IndexFileError, UsageError
from columns.small_index import TEXTS, columns_of


def changed(file: str, **columns: Any) -> dict[str, Any]:
    return {**columns_of(TEXTS)[file], **columns}


@pytest.mark.parametrize(
    ("file", "columns", "says"),
    [
        ("vectors", {"codes": np.zeros((1, 1), np.int8)}, "needs the columns remainders, scale, square"),
        ("empty", {}, "needs the columns"),
        ("chunks", changed("chunks", document=np.zeros(3, np.uint32)), "unequal lengths"),
        ("terms", changed("terms", df=np.array([-1])), "terms.df cannot be written as uint32"),
        ("terms", changed("terms", df=np.array([2**32])), "cannot be written as uint32"),
        ("term_blocks", changed("term_blocks", terms=[1]), "term_blocks.terms cannot be written as large_binary"),
        ("term_blocks", changed("term_blocks", terms=[None]), "only metadata columns"),
        ("postings", {"word": np.array([2**16])}, "cannot be written as uint16"),
        ("postings", {"word": np.array([0.5])}, "cannot be written as uint16"),
        ("postings", {"word": np.zeros((1, 1), np.uint16)}, "cannot be written"),
        ("postings", {"word": [None]}, "only metadata columns"),
        ("chunks", changed("chunks", text=["a", None, "c", "d", "e"]), "only metadata columns"),
        ("chunks", changed("chunks", text=["a", "\ud800", "c", "d", "e"]), "chunks.text cannot be written"),
        ("chunks", changed("chunks", text=[1, 2, 3, 4, 5]), "chunks.text cannot be written"),
        ("chunks", changed("chunks", text=[b"\xff"] * 5), "chunks.text cannot be written"),
        ("chunks", changed("chunks", heading_path=["text"] * 5), "expected lists of str"),
        ("chunks", changed("chunks", heading_path=[[None]] * 5), "expected lists of str"),
        ("chunks", changed("chunks", heading_path=[3] * 5), "chunks.heading_path cannot be written"),
        ("vectors", changed("vectors", codes=np.zeros((5, 0), np.int8)), "int8 of shape"),
        ("vectors", changed("vectors", codes=np.zeros((5, 2))), "int8 of shape"),
        ("vectors", changed("vectors", scale=np.array([1, 2, 3, 4, np.nan], np.float32)), "NaN or infinity"),
        ("documents", changed("documents", **{"metadata.integer.x": [1, "a"]}), "cannot be written as int64"),
        (
            "documents",
            changed("documents", **{"metadata.integer.x": [1, 2**63]}),
            "cannot be written as int64",
        ),
        ("documents", changed("documents", **{"metadata.number.x": [None, float("inf")]}), "NaN or infinity"),
        ("weights", {"w": [None]}, "give a NumPy array"),
        ("weights", {"w": np.zeros((1, 1, 1))}, "give a NumPy array"),
    ],
)
def test_unfit_columns_are_refused(tmp_path: Path, file: str, columns: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        write_file(tmp_path, file, columns)


def test_columns_in_another_order_give_equal_bytes(tmp_path: Path) -> None:
    columns = columns_of(TEXTS)["documents"]
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    entry = write_file(tmp_path / "a", "documents", columns)
    assert write_file(tmp_path / "b", "documents", dict(reversed(columns.items()))) == entry


def test_a_folder_that_is_missing_is_an_index_error(tmp_path: Path) -> None:
    with pytest.raises(IndexFileError, match="cannot be written"):
        write_file(tmp_path / "no", "postings", columns_of(TEXTS)["postings"])


def write_arrow(path: Path, table: pa.Table, **options: Any) -> Path:
    settings = pa.ipc.IpcWriteOptions(**options)
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema, options=settings) as writer:
        writer.write_table(table, max_chunksize=2)
    return path


def test_files_that_cannot_be_read_in_place_are_not_described(tmp_path: Path) -> None:
    rows = pa.array([7] * 2, pa.uint32())
    compressed = write_arrow(tmp_path / "lz4.arrow", pa.table({"row": rows}), compression="lz4")
    with pytest.raises(UsageError, match="'row' is compressed"):
        describe_file(compressed)
    for kind in (pa.string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string()), pa.date32()):
        other = write_arrow(tmp_path / "type.arrow", pa.table({"text": pa.array([None, None], kind)}))
        with pytest.raises(UsageError, match=r"'text' has the type"):
            describe_file(other)
    batches = write_arrow(tmp_path / "batches.arrow", pa.table({"row": pa.array([1] * 3, pa.uint32())}))
    with pytest.raises(UsageError, match="2 record batches"):
        describe_file(batches)
    holes = pa.table({"t": pa.array([["a", None]], pa.large_list(pa.large_string()))})
    with pytest.raises(UsageError, match="nulls inside its lists"):
        describe_file(write_arrow(tmp_path / "holes.arrow", holes))
    (tmp_path / "text.arrow").write_bytes(b"not Arrow")
    with pytest.raises(UsageError, match="no Arrow IPC file"):
        describe_file(tmp_path / "text.arrow")


def test_many_texts_and_lists_of_texts_are_as_arrow_makes_them(tmp_path: Path) -> None:
    """More than are joined at once, ASCII and other texts in turn, empty ones and empty lists among them."""
    texts = [("plain " if order // 3000 % 2 else "späť 日本 ") * (order % 4) for order in range(10_000)]
    lists = [texts[order : order + order % 3] for order in range(10_000)]
    write_file(tmp_path, "extra", {"text": texts, "texts": lists})
    with pa.ipc.open_file(tmp_path / "extra.arrow") as file:
        batch = file.get_batch(0)
    batch.validate(full=True)
    assert batch.column("text").equals(pa.array(texts, type=pa.large_string()))
    assert batch.column("texts").equals(pa.array(lists, type=pa.large_list(pa.large_string())))
