"""Vector search by databases that keep vectors in tables, all by their exact scan.

sqlite-vec runs in the SQLite of apsw, because many builds of Python's own `sqlite3` load no extensions.
"""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peers.contender import TOP_K, folder_bytes

BLOCK = 50_000
SQLITE_MAPPED = 1 << 36


class LanceDb:
    """A table of rows and vectors without an index; distance "dot", as its documentation says for unit vectors."""

    def _connect(self, index: Path) -> Any:
        lancedb: Any = import_module("lancedb")
        return lancedb.connect(str(index))

    def build(self, source: NDArray[np.float32], index: Path) -> None:
        import pyarrow

        dimensions = source.shape[1]
        schema = pyarrow.schema([("row", pyarrow.int32()), ("vector", pyarrow.list_(pyarrow.float32(), dimensions))])

        def batches() -> Iterator[Any]:
            for first in range(0, len(source), BLOCK):
                block = source[first : first + BLOCK]
                rows = pyarrow.array(np.arange(first, first + len(block), dtype=np.int32))
                vectors = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(block.reshape(-1)), dimensions)
                yield pyarrow.record_batch([rows, vectors], schema=schema)

        self._connect(index).create_table("chunk", data=batches(), schema=schema)

    def index_bytes(self, index: Path) -> int:
        return folder_bytes(index)

    def open(self, index: Path) -> None:
        self._table = self._connect(index).open_table("chunk")

    def question(self, asked: list[float]) -> NDArray[np.float32]:
        return np.array(asked, dtype=np.float32)

    def top(self, question: NDArray[np.float32]) -> list[int]:
        search = self._table.search(question).distance_type("dot").select(["row", "_distance"]).limit(TOP_K)
        return search.to_arrow()["row"].to_pylist()

    def close(self) -> None:
        del self._table


class SqliteVecFloat:
    """A vec0 table of float32. Unit vectors rank alike by L2, its default, and by cosine, which takes longer."""

    column = "float"
    value = "?"

    def _connect(self, index: Path) -> Any:
        apsw: Any = import_module("apsw")
        sqlite_vec: Any = import_module("sqlite_vec")
        database = apsw.Connection(str(index))
        database.enable_load_extension(True)
        sqlite_vec.load(database)
        return database

    def build(self, source: NDArray[np.float32], index: Path) -> None:
        database = self._connect(index)
        database.execute("PRAGMA journal_mode = OFF")
        database.execute("PRAGMA synchronous = OFF")
        database.execute(f"CREATE VIRTUAL TABLE chunk USING vec0(vector {self.column}[{source.shape[1]}])")
        with database:
            database.executemany(
                f"INSERT INTO chunk (rowid, vector) VALUES (?, {self.value})",
                ((row, vector.tobytes()) for row, vector in enumerate(source)),
            )
        database.close()

    def index_bytes(self, index: Path) -> int:
        return folder_bytes(index)

    def open(self, index: Path) -> None:
        self._database = self._connect(index)
        self._database.execute(f"PRAGMA mmap_size = {SQLITE_MAPPED}")

    def question(self, asked: list[float]) -> bytes:
        return np.array(asked, dtype=np.float32).tobytes()

    def top(self, question: bytes) -> list[int]:
        rows = f"SELECT rowid FROM chunk WHERE vector MATCH {self.value} AND k = ? ORDER BY distance"
        return [row for (row,) in self._database.execute(rows, (question, TOP_K))]

    def close(self) -> None:
        self._database.close()


class SqliteVecInt8(SqliteVecFloat):
    """The same of int8, which the extension makes of vectors and questions, for values from -1 to 1."""

    column = "int8"
    value = "vec_quantize_int8(?, 'unit')"
