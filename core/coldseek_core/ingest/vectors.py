"""Chunks' vectors: given with the input or embedded, then quantised."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from threading import Event
from typing import Any, Self

from ..embed import CANARY_TEXTS, Embedder, canary_codes, embed_checked
from ..embed.canary import GIVEN_VECTORS
from ..embed.protocol import is_remote
from ..embed.quantise import QuantisedVectors, Quantiser
from ..errors import UsageError
from .corpus import Corpus
from .in_order import in_order

_BATCH = 64  # texts
_REQUESTS = 4  # to a server at a time


@dataclass(frozen=True)
class Vectors:
    """The chunks' codes in row order, and the manifest's entry about who made them."""

    quantised: QuantisedVectors
    settings: dict[str, Any]


def texts_to_embed(corpus: Corpus) -> Iterator[str]:
    """Title, headings and text of each chunk: a section's own words often leave out what the page is about."""
    titles = list(corpus.titles)
    documents: list[int] = corpus.document_of.tolist()
    for document, headings, text in zip(documents, corpus.heading_paths, corpus.texts, strict=True):
        yield "\n".join(part for part in (titles[document], *headings, text) if part)


def given_vectors(corpus: Corpus) -> Vectors | None:
    """The vectors that came with the chunks, or None if none did.

    Raises UsageError if only some chunks have one, or sizes differ.
    """
    if corpus.vectors is None:
        return None
    rows = [vector for vector in corpus.vectors if vector is not None]
    if len(rows) < corpus.chunk_count:
        lacking = corpus.chunk_ids[corpus.vectors.index(None)]
        raise UsageError(
            f"{len(rows)} of {corpus.chunk_count} chunks bring a vector, {lacking!r} does not; give every chunk "
            "one, or build with an embedder (or with 'none' for keywords only)"
        )
    size = len(rows[0])
    odd = next((row for row, vector in enumerate(rows) if len(vector) != size), None)
    if odd is not None:
        raise UsageError(
            f"the vector of {corpus.chunk_ids[odd]!r} has {len(rows[odd])} dimensions, the first one has {size}; "
            "all must have one size"
        )
    settings: dict[str, Any] = {"id": GIVEN_VECTORS, "dimensions": size, "canaries": []}
    return _quantised([rows], len(rows), size, settings)


def embedded_vectors(corpus: Corpus, embedder: Embedder, on_progress: Callable[[int], None]) -> Vectors:
    """Embed every chunk, in batches. Blank texts are not sent: their vector is zero.

    Where the embedder waits for a server, several batches are on their way at a time. Raises EmbedderError if the
    embedder fails.
    """
    canaries = canary_codes(embed_checked(embedder, CANARY_TEXTS))
    settings: dict[str, Any] = {"id": embedder.id, "dimensions": embedder.dimensions, "canaries": canaries}
    batches = in_order(
        lambda batch: _embedded(batch, embedder),
        _batches(texts_to_embed(corpus)),
        _REQUESTS if is_remote(embedder) else 1,
    )
    return _quantised(batches, corpus.chunk_count, embedder.dimensions, settings, on_progress)


class EmbeddingMeanwhile:
    """`embedded_vectors` in a thread of its own while the caller does something else: a context that gives it up."""

    def __init__(self, corpus: Corpus, embedder: Embedder, on_progress: Callable[[int], None]) -> None:
        self._given_up = Event()
        self._on_progress = on_progress
        self._pool = ThreadPoolExecutor(1)
        self._future = self._pool.submit(embedded_vectors, corpus, embedder, self._step)

    def _step(self, done: int) -> None:
        if self._given_up.is_set():
            raise _GivenUpError
        self._on_progress(done)

    def check(self) -> None:
        """Raises what the embedding has raised, if it has failed by now."""
        if self._future.done():
            self._future.result()

    def result(self) -> Vectors:
        return self._future.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._given_up.set()
        self._pool.shutdown()


class _GivenUpError(Exception):
    """Nobody waits for the vectors any more."""


def _batches(texts: Iterator[str]) -> Iterator[list[str]]:
    while batch := list(islice(texts, _BATCH)):
        yield batch


def _embedded(batch: list[str], embedder: Embedder) -> list[list[float]]:
    sent = [text for text in batch if text.strip()]
    vectors = iter(embed_checked(embedder, sent) if sent else [])
    zero = [0.0] * embedder.dimensions
    return [next(vectors) if text.strip() else zero for text in batch]


def _quantised(
    batches: Iterable[Sequence[Sequence[float]]],
    count: int,
    dimensions: int,
    settings: dict[str, Any],
    on_progress: Callable[[int], None] = lambda _: None,
) -> Vectors:
    quantiser = Quantiser(count, dimensions)
    for batch in batches:
        quantiser.add(batch)
        on_progress(len(batch))
    return Vectors(quantiser.finish(), settings)
