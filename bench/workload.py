"""Synthetic indexes for benchmarks: words drawn from a Zipf law, vectors around centroids, all from one seed."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from coldseek_core.embed.canary import GIVEN_VECTORS
from coldseek_core.ingest.documents import Chunk, Document
from coldseek_core.ingest.index_writer import count_fields, write_index
from coldseek_core.search.settings import DEFAULT_SCORING
from coldseek_core.text import Analyser

ZIPF_EXPONENT = 1.07
VOCABULARY = 20_000
WORDS_A_CHUNK = 60
CENTROIDS = 200
NOISE = 0.35


@dataclass(frozen=True)
class Workload:
    """`documents` of one chunk each, with vectors; `queries` (text, vector) to ask."""

    documents: list[Document]
    queries: list[tuple[str, list[float]]]
    dimensions: int


def zipf_words(rng: np.random.Generator, count: int) -> list[str]:
    """`count` made-up words by rank-frequency 1 / rank ** 1.07; letters only, so that each is one term."""
    weights = 1.0 / np.arange(1, VOCABULARY + 1) ** ZIPF_EXPONENT
    ranks = rng.choice(VOCABULARY, size=count, p=weights / weights.sum())
    return [_word(int(rank)) for rank in ranks]


def _word(rank: int) -> str:
    letters = "bcdfghjklmnprtvz"
    text = ""
    value = rank + 1
    while value:
        text += letters[value % 16] + "aeiou"[value % 5]
        value //= 16
    return text + "x"


def clustered_vectors(rng: np.random.Generator, count: int, dimensions: int) -> NDArray[np.float64]:
    """Unit vectors: one of 200 unit centroids plus noise of length 0.35 on average, normalised."""
    centroids = rng.normal(size=(CENTROIDS, dimensions))
    centroids /= np.linalg.norm(centroids, axis=1, keepdims=True)
    noise = rng.normal(size=(count, dimensions)) * (NOISE / np.sqrt(dimensions))
    vectors = centroids[rng.integers(CENTROIDS, size=count)] + noise
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def make_workload(chunks: int, dimensions: int, queries: int = 20, seed: int = 1) -> Workload:
    rng = np.random.default_rng(seed)
    words = zipf_words(rng, chunks * WORDS_A_CHUNK)
    vectors = clustered_vectors(rng, chunks + queries, dimensions)  # questions lie around the same centroids
    documents = [
        Document(
            id=f"d{row}",
            path=f"d{row}.md",
            url=f"/d{row}",
            title="",
            chunks=(
                Chunk(
                    id=f"/d{row}",
                    text=" ".join(words[row * WORDS_A_CHUNK : (row + 1) * WORDS_A_CHUNK]),
                    vector=tuple(vectors[row].tolist()),
                ),
            ),
        )
        for row in range(chunks)
    ]
    asked = vectors[chunks:]
    texts = [" ".join(zipf_words(rng, 6)) for _ in range(queries)]
    return Workload(documents, [(text, vector.tolist()) for text, vector in zip(texts, asked, strict=True)], dimensions)


def _no_progress(stage: str, done: int) -> None:
    del stage, done


def write_workload(workload: Workload, folder: Path) -> None:
    analyser = Analyser("en")
    write_index(
        folder,
        workload.documents,
        (count_fields(document, analyser) for document in workload.documents),
        analyser=analyser,
        scoring=DEFAULT_SCORING,
        embedder=None,
        use_given_vectors=True,
        retrieval={"min_similarity": 0.25},
        description={"vectors": GIVEN_VECTORS},
        on_progress=_no_progress,
    )
