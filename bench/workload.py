"""Synthetic indexes for benchmarks: words drawn from a Zipf law, vectors around centroids, all from one seed."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import overload

import numpy as np
from numpy.typing import NDArray

from baseline.search import BaselineSearch
from baseline.settings import Settings
from coldseek_core.embed.canary import CANARY_TEXTS, GIVEN_VECTORS
from coldseek_core.ingest.corpus import Corpus
from coldseek_core.ingest.documents import Chunk, Document
from coldseek_core.ingest.index_writer import write_index
from coldseek_core.search.settings import DEFAULT_SCORING
from coldseek_core.text import Analyser

ZIPF_EXPONENT = 1.07
VOCABULARY = 20_000
WORDS_A_CHUNK = 60
CENTROIDS = 200
NOISE = 0.35


@dataclass(frozen=True)
class Workload:
    """`documents` of one chunk each, their `vectors` float32 (chunks, dimensions), and `queries` (text, vector)."""

    documents: list[Document]
    vectors: NDArray[np.float32]
    queries: list[tuple[str, list[float]]]

    @property
    def dimensions(self) -> int:
        return self.vectors.shape[1]


class Rows(Sequence[list[float]]):
    """The rows of an array as lists, each made when it is asked for: 50,000 lists of 512 would take a gigabyte."""

    def __init__(self, array: NDArray[np.float32]) -> None:
        self._array = array

    def __len__(self) -> int:
        return len(self._array)

    @overload
    def __getitem__(self, place: int) -> list[float]: ...
    @overload
    def __getitem__(self, place: slice) -> list[list[float]]: ...
    def __getitem__(self, place: int | slice) -> list[float] | list[list[float]]:
        return self._array[place].tolist()


class RowEmbedder:
    """Hands out the rows of an array, in order, for whatever texts come; the first call asks for the canaries."""

    id = GIVEN_VECTORS
    may_stall = False

    def __init__(self, vectors: NDArray[np.float32]) -> None:
        self.dimensions = vectors.shape[1]
        self._rows = Rows(vectors)
        self._next = 0

    def embed(self, texts: Sequence[str], /) -> list[list[float]]:
        if tuple(texts) == CANARY_TEXTS:
            return [[1.0] * self.dimensions for _ in texts]
        first, self._next = self._next, self._next + len(texts)
        return self._rows[first : self._next]


def zipf_words(rng: np.random.Generator, count: int) -> list[str]:
    """`count` made-up words by rank-frequency 1 / rank ** 1.07; letters only, so that each is one term."""
    weights = 1.0 / np.arange(1, VOCABULARY + 1) ** ZIPF_EXPONENT
    words = [_word(rank) for rank in range(VOCABULARY)]
    return [words[rank] for rank in rng.choice(VOCABULARY, size=count, p=weights / weights.sum())]


def _word(rank: int) -> str:
    letters = "bcdfghjklmnprtvz"
    text = ""
    value = rank + 1
    while value:
        text += letters[value % 16] + "aeiou"[value % 5]
        value //= 16
    return text + "x"


def clustered_vectors(rng: np.random.Generator, count: int, dimensions: int) -> NDArray[np.float32]:
    """Unit vectors: one of 200 unit centroids plus noise of length 0.35 on average, normalised."""
    return vectors_around(rng, unit_vectors(rng, CENTROIDS, dimensions), count)


def vectors_around(rng: np.random.Generator, centroids: NDArray[np.float32], count: int) -> NDArray[np.float32]:
    """Unit vectors: one of `centroids` plus noise of length 0.35 on average, normalised."""
    dimensions = centroids.shape[1]
    vectors = rng.standard_normal((count, dimensions), dtype=np.float32)
    vectors *= np.float32(NOISE / np.sqrt(dimensions))
    vectors += centroids[rng.integers(len(centroids), size=count)]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


def unit_vectors(rng: np.random.Generator, count: int, dimensions: int) -> NDArray[np.float32]:
    """Unit vectors in all directions alike."""
    vectors = rng.standard_normal((count, dimensions), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


def make_workload(
    chunks: int, dimensions: int, queries: int = 20, seed: int = 1, words_a_chunk: int = WORDS_A_CHUNK
) -> Workload:
    rng = np.random.default_rng(seed)
    words = zipf_words(rng, chunks * words_a_chunk)
    vectors = clustered_vectors(rng, chunks + queries, dimensions)  # questions lie around the same centroids
    documents = [
        Document(
            id=f"d{row}",
            path=f"d{row}.md",
            url=f"/d{row}",
            title="",
            chunks=(Chunk(id=f"/d{row}", text=" ".join(words[row * words_a_chunk : (row + 1) * words_a_chunk])),),
        )
        for row in range(chunks)
    ]
    asked_words = zipf_words(rng, 6 * queries)
    texts = [" ".join(asked_words[first : first + 6]) for first in range(0, 6 * queries, 6)]
    return Workload(documents, vectors[:chunks], list(zip(texts, Rows(vectors[chunks:]), strict=True)))


def _no_progress(stage: str, done: int) -> None:
    del stage, done


def write_workload(workload: Workload, folder: Path) -> None:
    analyser = Analyser("en")
    write_index(
        folder,
        Corpus.of(workload.documents),
        analyser=analyser,
        scoring=DEFAULT_SCORING,
        embedder=RowEmbedder(workload.vectors),
        use_given_vectors=False,
        retrieval={"min_similarity": 0.25},
        description={"vectors": GIVEN_VECTORS},
        on_progress=_no_progress,
    )


def make_oracle(workload: Workload, analyser: Analyser) -> BaselineSearch:
    """The same index held by the pure-Python implementation."""
    return BaselineSearch(
        (
            ([], [], [token.as_tuple() for token in analyser.analyse(document.chunks[0].text)])
            for document in workload.documents
        ),
        Rows(workload.vectors),
        Settings(weights=tuple(DEFAULT_SCORING["weights"])),
    )
