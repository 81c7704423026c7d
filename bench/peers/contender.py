"""What every contender does, and the list of all of them.

Each index is written by a process of its own and answers in another one. Only what a contender needs is imported
there, so this module imports nothing outside of the standard library.
"""

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

TOP_K = 10
KINDS = ("keywords", "vectors")
# Above this, pure Python takes minutes.
PURE_PYTHON_CHUNKS = 10_000


class Peer(Protocol):
    """One program. A kind is asked by its own question: text for keywords, a list of floats for vectors."""

    def build(self, source: Any, index: Path) -> None:
        """Write an index of texts (list of str) or vectors (mapped float32, chunks by dimensions) to `index`."""
        ...

    def index_bytes(self, index: Path) -> int:
        """Size of the files that a search reads, without stored texts."""
        ...

    def open(self, index: Path) -> None:
        """From a written index to one that can answer."""
        ...

    def question(self, asked: Any) -> Any:
        """The question in the form that this program takes it in; not timed. Texts are analysed in `top`."""
        ...

    def top(self, question: Any) -> list[int]:
        """The rows of the best ten, best first."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class Contender:
    """`what`: what it computes with. `packages`: modules that must be there. `where`: module and class of its Peer.
    `written`: whether it keeps an index in files."""

    name: str
    kind: str
    what: str
    packages: tuple[str, ...]
    where: tuple[str, str]
    most_chunks: int | None = None
    written: bool = True

    def missing(self) -> list[str]:
        return [package for package in self.packages if find_spec(package) is None]

    def peer(self) -> Peer:
        module, name = self.where
        return getattr(import_module(module), name)()


CONTENDERS = (
    Contender("coldseek", "keywords", "BM25F, exact", (), ("peers.own", "ColdseekKeywords")),
    Contender(
        "pure Python",
        "keywords",
        "BM25F, exact",
        (),
        ("peers.pure_python", "PurePythonKeywords"),
        PURE_PYTHON_CHUNKS,
        False,
    ),
    Contender("bm25s", "keywords", "BM25, Numba, mapped", ("bm25s", "numba"), ("peers.keywords", "Bm25s")),
    Contender("tantivy", "keywords", "BM25", ("tantivy",), ("peers.keywords", "Tantivy")),
    Contender("SQLite FTS5", "keywords", "BM25", ("sqlite3",), ("peers.keywords", "SqliteFts5")),
    Contender("coldseek", "vectors", "8 + 4 bit", (), ("peers.own", "ColdseekVectors")),
    Contender(
        "pure Python", "vectors", "8 bit", (), ("peers.pure_python", "PurePythonVectors"), PURE_PYTHON_CHUNKS, False
    ),
    Contender("NumPy", "vectors", "float32", ("numpy",), ("peers.vectors", "NumPy")),
    Contender("FAISS flat", "vectors", "float32", ("faiss",), ("peers.vectors", "FaissFlat")),
    Contender("FAISS SQ8", "vectors", "8 bit", ("faiss",), ("peers.vectors", "FaissScalar")),
    Contender("usearch", "vectors", "8 bit, exact search", ("usearch", "numkong"), ("peers.vectors", "Usearch")),
    Contender("LanceDB", "vectors", "float32, no index", ("lancedb",), ("peers.vector_databases", "LanceDb")),
    Contender(
        "sqlite-vec",
        "vectors",
        "float32",
        ("sqlite_vec", "apsw"),
        ("peers.vector_databases", "SqliteVecFloat"),
    ),
    Contender(
        "sqlite-vec int8", "vectors", "8 bit", ("sqlite_vec", "apsw"), ("peers.vector_databases", "SqliteVecInt8")
    ),
)


def contender_of(kind: str, name: str) -> Contender:
    return next(one for one in CONTENDERS if (one.kind, one.name) == (kind, name))


def folder_bytes(index: Path) -> int:
    """Size of all files below `index`, or of that file."""
    files = index.rglob("*") if index.is_dir() else [index]
    return sum(file.stat().st_size for file in files if file.is_file())
