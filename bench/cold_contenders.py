"""What a cold process is asked to do, by each of the programs that people would pick: index, script, interpreter.

Every one gets the same texts and the same questions. coldseek answers from both retrievers, gated and packed; the
others rank by keywords, or only import.
"""

import json
import os
import sqlite3
import subprocess
import sys
import venv
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import coldseek

ROOT = Path(__file__).resolve().parents[1]

# Each prints how many hits it has, so that a run that found nothing is noticed.
COLDSEEK = """
import sys, coldseek
answer = coldseek.open(sys.argv[1]).retrieve(sys.argv[2], top_k=6)
assert answer.mode.ran == "hybrid", answer.mode
print(len(answer.hits), flush=True)
"""
SQLITE = """
import sys, sqlite3
query = " OR ".join(f'"{word}"' for word in sys.argv[2].split())
rows = "SELECT rowid FROM chunk WHERE chunk MATCH ? ORDER BY rank LIMIT 6"
print(len(sqlite3.connect(sys.argv[1]).execute(rows, (query,)).fetchall()), flush=True)
"""
TANTIVY = """
import sys, tantivy
index = tantivy.Index.open(sys.argv[1])
print(len(index.searcher().search(index.parse_query(sys.argv[2], ["text"]), 6).hits), flush=True)
"""
BM25S = """
import sys, bm25s
index = bm25s.BM25.load(sys.argv[1], mmap=True)
rows, scores = index.retrieve(bm25s.tokenize([sys.argv[2]], show_progress=False), k=6, show_progress=False)
print(rows.shape[1], flush=True)
"""
IMPORT = "import {module}; print(1, flush=True)"
BARE = "print(1, flush=True)"


@dataclass(frozen=True)
class Contender:
    """One program: `python -I -c code index question`, with `environment` added."""

    name: str
    what: str
    python: str
    code: str
    index: str = ""
    environment: dict[str, str] = field(default_factory=dict)


def runtime_python(scratch: Path) -> str:
    """An interpreter of a fresh virtual environment that has coldseek without extras."""
    folder = scratch / "runtime"
    venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--quiet", str(ROOT)], check=True)
    return python


def write_coldseek(texts: list[str], folder: Path) -> None:
    """An index with the mock embedder, built as a user would: from ready chunks."""
    lines = folder.with_suffix(".jsonl")
    with lines.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps({"id": f"d{row}", "text": text}) + "\n" for row, text in enumerate(texts))
    coldseek.build([str(lines)], folder, embedder="mock")


def write_sqlite(texts: list[str], file: Path) -> None:
    database = sqlite3.connect(file)
    database.execute("CREATE VIRTUAL TABLE chunk USING fts5(text, tokenize = 'porter unicode61')")
    database.executemany("INSERT INTO chunk (text) VALUES (?)", ((text,) for text in texts))
    database.execute("INSERT INTO chunk (chunk) VALUES ('optimize')")
    database.commit()
    database.close()


def write_tantivy(texts: list[str], folder: Path) -> None:
    import tantivy

    folder.mkdir()
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", stored=False, tokenizer_name="en_stem")
    index = tantivy.Index(builder.build(), path=str(folder))
    writer = index.writer(num_threads=1)
    for text in texts:
        writer.add_document(tantivy.Document(text=text))
    writer.commit()
    writer.wait_merging_threads()


def write_bm25s(texts: list[str], folder: Path) -> None:
    import bm25s

    index = bm25s.BM25()
    index.index(bm25s.tokenize(texts, show_progress=False), show_progress=False)
    index.save(str(folder))


# name, package, what it does, its script, how its index is written
PEERS: list[tuple[str, str, str, str, "Callable[[list[str], Path], None] | None"]] = [
    ("SQLite FTS5", "sqlite3", "keywords", SQLITE, write_sqlite),
    ("tantivy", "tantivy", "keywords", TANTIVY, write_tantivy),
    ("bm25s, memory-mapped", "bm25s", "keywords", BM25S, write_bm25s),
    ("FAISS", "faiss", "import alone", IMPORT.format(module="faiss"), None),
    ("LanceDB", "lancedb", "import alone", IMPORT.format(module="lancedb"), None),
]


def prepare(texts: list[str], scratch: Path) -> tuple[list[Contender], list[str]]:
    """The programs that are installed, their indexes written, a bare interpreter first; and those missing."""
    folder = scratch / "chunks.coldseek"
    write_coldseek(texts, folder)
    runtime = runtime_python(scratch)
    cache = {"XDG_CACHE_HOME": str(scratch / "cache")}
    ready = [
        Contender("bare interpreter", "nothing", runtime, BARE),
        Contender("coldseek", "hybrid, gate, sources", runtime, COLDSEEK, str(folder)),
        Contender(
            "coldseek, Numba's warm cache",
            "hybrid, gate, sources",
            sys.executable,
            COLDSEEK,
            str(folder),
            {"COLDSEEK_CPU_LEVEL": "jit", **cache},
        ),
    ]
    missing: list[str] = []
    for name, package, what, code, write in PEERS:
        if find_spec(package) is None:
            missing.append(name)
            continue
        index = scratch / package
        if write is not None:
            write(texts, index)
        ready.append(Contender(name, what, sys.executable, code, str(index) if write else ""))
    return ready, missing


def environment_of(contender: Contender) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "COLDSEEK"))}
    return {**kept, **contender.environment}
