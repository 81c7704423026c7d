"""Keyword search by others. All stem English and get the question as plain words, any of which may match.

No texts are stored, and no positions where that can be chosen: the questions have no phrases.
"""

import sqlite3
from importlib import import_module
from pathlib import Path
from typing import Any

from peers.contender import TOP_K, folder_bytes

# Fewer and larger segments than with the default of 128 MB.
TANTIVY_HEAP = 1_000_000_000
TANTIVY_FILES = {".idx", ".term", ".fieldnorm"}
SQLITE_MAPPED = 1 << 36


class Bm25s:
    """Its Numba backend, which scores in one thread; stop words and stemmer as its documentation shows them."""

    def __init__(self) -> None:
        import Stemmer

        self._bm25s: Any = import_module("bm25s")
        self._stemmer = Stemmer.Stemmer("english")

    def build(self, source: list[str], index: Path) -> None:
        engine = self._bm25s.BM25(backend="numba")
        tokens = self._bm25s.tokenize(source, stopwords="en", stemmer=self._stemmer, show_progress=False)
        engine.index(tokens, show_progress=False)
        engine.save(str(index))

    def index_bytes(self, index: Path) -> int:
        return folder_bytes(index)

    def open(self, index: Path) -> None:
        self._engine = self._bm25s.BM25.load(str(index), mmap=True)

    def question(self, asked: str) -> str:
        return asked

    def top(self, question: str) -> list[int]:
        tokens = self._bm25s.tokenize(
            [question], stopwords="en", stemmer=self._stemmer, show_progress=False, return_ids=False
        )
        return self._engine.retrieve(tokens, k=TOP_K, show_progress=False, n_threads=1).documents[0].tolist()

    def close(self) -> None:
        del self._engine


class Tantivy:
    """One indexing thread. Hits are not counted, so that it may skip blocks; rows come from a fast field."""

    def build(self, source: list[str], index: Path) -> None:
        import tantivy

        index.mkdir()
        schema = tantivy.SchemaBuilder()
        schema.add_text_field("text", stored=False, tokenizer_name="en_stem", index_option="freq")
        schema.add_integer_field("row", fast=True)
        engine = tantivy.Index(schema.build(), path=str(index))
        writer = engine.writer(heap_size=TANTIVY_HEAP, num_threads=1)
        for row, text in enumerate(source):
            writer.add_document(tantivy.Document(text=text, row=row))
        writer.commit()
        writer.wait_merging_threads()

    def index_bytes(self, index: Path) -> int:
        # Postings, dictionary and norms, without the column of rows and the empty store.
        return sum(file.stat().st_size for file in index.iterdir() if file.suffix in TANTIVY_FILES)

    def open(self, index: Path) -> None:
        import tantivy

        self._engine = tantivy.Index.open(str(index))
        self._searcher = self._engine.searcher()

    def question(self, asked: str) -> str:
        # Its tokeniser cuts there, and makes a phrase of the parts, which needs positions.
        return asked.replace("_", " ")

    def top(self, question: str) -> list[int]:
        query = self._engine.parse_query(question, ["text"])
        hits = self._searcher.search(query, TOP_K, count=False).hits
        rows: Any = self._searcher.fast_field_values("row", [address for _, address in hits])
        return rows

    def close(self) -> None:
        del self._searcher, self._engine


class SqliteFts5:
    """A table without content, merged into one tree, read as a mapped file that nobody writes."""

    def build(self, source: list[str], index: Path) -> None:
        database = sqlite3.connect(index)
        database.execute("PRAGMA journal_mode = OFF")
        database.execute("PRAGMA synchronous = OFF")
        database.execute("CREATE VIRTUAL TABLE chunk USING fts5(text, content = '', tokenize = 'porter unicode61')")
        database.executemany("INSERT INTO chunk (rowid, text) VALUES (?, ?)", enumerate(source))
        database.execute("INSERT INTO chunk (chunk) VALUES ('optimize')")
        database.commit()
        database.close()

    def index_bytes(self, index: Path) -> int:
        return folder_bytes(index)

    def open(self, index: Path) -> None:
        self._database = sqlite3.connect(f"{index.as_uri()}?mode=ro&immutable=1", uri=True)
        self._database.execute(f"PRAGMA mmap_size = {SQLITE_MAPPED}")

    def question(self, asked: str) -> str:
        return asked

    def top(self, question: str) -> list[int]:
        query = " OR ".join(f'"{word}"' for word in question.split())
        rows = "SELECT rowid FROM chunk WHERE chunk MATCH ? ORDER BY rank LIMIT ?"
        return [row for (row,) in self._database.execute(rows, (query, TOP_K))]

    def close(self) -> None:
        self._database.close()
