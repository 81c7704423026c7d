"""Small random indexes, each held twice: by the engine and by the pure-Python implementation."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from baseline.search import BaselineSearch
from baseline.settings import Settings
from coldseek_core.columns.reader import IndexFiles
from coldseek_core.ingest.corpus import Corpus
from coldseek_core.ingest.documents import Chunk, Document
from coldseek_core.ingest.index_writer import write_index
from coldseek_core.search.engine import SearchEngine
from coldseek_core.search.settings import DEFAULT_SCORING
from coldseek_core.text import Analyser

PIECES = [
    *("retry", "backoff", "rate", "limit", "limits", "limited", "token", "bucket", "deploy", "page", "config", "build"),
    *("the", "of", "and", "a", "how", "to", "max_retry_count", "max-retry-count", "maxRetryCount", "retry/backoff"),
    *("URLs", "URL", "GitHub", "github", "C++", "C#", ".NET", "v1.2.3", "ERR-7741X", "@scope/pkg"),
    *("process.env.NODE_ENV", "延迟重试策略", "重试", "策略说明", "説明", "안녕하세요", "สวัสดี"),
    *("café", "naïve", "Привет"),
]
UNKNOWN = ["unknown", "unknown-word", "unknownName", "未知", "🧊", "!!!"]


def no_progress(stage: str, done: int) -> None:
    del stage, done


class World:
    """An opened index and its twin."""

    def __init__(
        self,
        files: IndexFiles,
        engine: SearchEngine,
        oracle: BaselineSearch,
        analyser: Analyser,
        dimensions: int,
        documents: Sequence[Document] = (),
    ) -> None:
        self.files = files
        self.engine = engine
        self.oracle = oracle
        self.analyser = analyser
        self.dimensions = dimensions
        self.documents = documents

    def close(self) -> None:
        self.files.close()

    def random_query(self, rng: random.Random) -> str:
        words = rng.choices([*PIECES, *UNKNOWN], k=rng.randint(0, 8))
        return " ".join(words)

    def random_vector(self, rng: random.Random) -> list[float] | None:
        if not self.dimensions or rng.random() < 0.1:
            return None
        if rng.random() < 0.05:
            return [0.0] * self.dimensions
        return [rng.gauss(0.0, 1.0) * 10.0 ** rng.randint(-3, 3) for _ in range(self.dimensions)]


def write_documents(
    folder: Path,
    documents: Sequence[Document],
    language: str = "en",
    scoring: dict[str, Any] | None = None,
    retrieval: dict[str, Any] | None = None,
) -> Path:
    """Publish documents as they are; their chunks' vectors, if they have any, go along."""
    analyser = Analyser(language)
    write_index(
        folder,
        Corpus.of(documents),
        analyser=analyser,
        scoring=scoring or DEFAULT_SCORING,
        embedder=None,
        use_given_vectors=True,
        retrieval=retrieval or {},
        description={},
        on_progress=no_progress,
    )
    return folder


def random_documents(rng: random.Random, chunks: int, dimensions: int, largest: int = 4) -> list[Document]:
    """`largest`: the most chunks of a document."""
    documents: list[Document] = []
    centres = [[rng.gauss(0, 1) for _ in range(dimensions)] for _ in range(4)]
    made = 0
    while made < chunks:
        size = min(rng.randint(1, largest), chunks - made)
        name = f"d{len(documents)}"
        pieces: list[Chunk] = []
        for order in range(size):
            vector: tuple[float, ...] | None = None
            if dimensions:
                centre = rng.choice(centres)
                vector = tuple(value + rng.gauss(0, 0.3) for value in centre)
                if rng.random() < 0.05:
                    vector = (0.0,) * dimensions
            pieces.append(
                Chunk(
                    id=f"{name}~{order}",
                    text=" ".join(rng.choices(PIECES, k=rng.choice([0, 1, 5, 30]))),
                    heading_path=tuple(rng.choices(PIECES, k=rng.randint(0, 2))),
                    section=order // 2,
                    vector=vector,
                )
            )
        title = " ".join(rng.choices(PIECES, k=rng.randint(0, 3)))
        metadata: dict[str, Any] = {"locale": rng.choice(["en", "ja"]), "version": rng.choice([1, 2, "2"])}
        documents.append(Document(name, f"{name}.md", f"/{name}", title, metadata, tuple(pieces)))
        made += size
    return documents


def random_world(
    folder: Path, rng: random.Random, chunks: int, dimensions: int, language: str = "en", largest: int = 4
) -> World:
    return world_of(folder, rng, random_documents(rng, chunks, dimensions, largest), dimensions, language)


def world_of(
    folder: Path, rng: random.Random, documents: Sequence[Document], dimensions: int, language: str = "en"
) -> World:
    """An index of these documents, with random scoring."""
    scoring = {
        "k1": rng.choice([0.9, 1.2]),
        "weights": [rng.choice([0.0, 1.0, 2.5]), rng.choice([0.5, 1.0]), 1.0],
        "b": [rng.choice([0.0, 0.3, 0.75, 1.0]) for _ in range(3)],
    }
    write_documents(folder / "i.coldseek", documents, language, scoring)
    analyser = Analyser(language)
    pairs = [(document, chunk) for document in documents for chunk in document.chunks]
    oracle = BaselineSearch(
        [
            (
                analyser.analyse(document.title),
                analyser.analyse("\n".join(chunk.heading_path)),
                analyser.analyse(chunk.text),
            )
            for document, chunk in pairs
        ],
        [list(chunk.vector or ()) for _, chunk in pairs] if dimensions else None,
        Settings(weights=tuple(scoring["weights"]), b=tuple(scoring["b"]), k1=scoring["k1"]),
    )
    files = IndexFiles.open(folder / "i.coldseek")
    return World(files, SearchEngine(files), oracle, analyser, dimensions, documents)
