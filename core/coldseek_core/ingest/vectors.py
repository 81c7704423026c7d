"""Chunks' vectors: given with the input or embedded, then quantised."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..embed import CANARY_TEXTS, Embedder, canary_codes, embed_checked
from ..embed.canary import GIVEN_VECTORS
from ..errors import UsageError
from ..kernels import load
from .documents import Chunk, Document

_BATCH = 64
MOST_DIMENSIONS = 131_071  # the kernels' exact limit, whatever the codes


@dataclass(frozen=True)
class Vectors:
    """int8 codes (rows, dimensions), float32 scales (max|v| / 127) and int64 squares, and the manifest's entry."""

    codes: NDArray[np.int8]
    scales: NDArray[np.float32]
    squares: NDArray[np.int64]
    settings: dict[str, Any]


def text_to_embed(document: Document, chunk: Chunk) -> str:
    """Title, headings and text: a section's own words often leave out what the page is about."""
    return "\n".join(part for part in (document.title, *chunk.heading_path, chunk.text) if part)


def given_vectors(documents: Sequence[Document]) -> Vectors | None:
    """The vectors that came with the chunks, or None if none did.

    Raises UsageError if only some chunks have one, or sizes differ.
    """
    chunks = [chunk for document in documents for chunk in document.chunks]
    with_vector = [chunk for chunk in chunks if chunk.vector is not None]
    if not with_vector:
        return None
    if len(with_vector) < len(chunks):
        lacking = next(chunk for chunk in chunks if chunk.vector is None)
        raise UsageError(
            f"{len(with_vector)} of {len(chunks)} chunks bring a vector, {lacking.id!r} does not; give every chunk "
            "one, or build with an embedder (or with 'none' for keywords only)"
        )
    size = len(with_vector[0].vector or ())
    rows = [list(chunk.vector or ()) for chunk in with_vector]
    odd = next((chunk for chunk in with_vector if len(chunk.vector or ()) != size), None)
    if odd is not None:
        raise UsageError(
            f"the vector of {odd.id!r} has {len(odd.vector or ())} dimensions, the first one has {size}; "
            "all must have one size"
        )
    settings: dict[str, Any] = {"id": GIVEN_VECTORS, "dimensions": size, "canaries": []}
    return _quantised([rows], len(rows), size, settings)


def embedded_vectors(
    documents: Sequence[Document], embedder: Embedder, on_progress: Callable[[int], None]
) -> Vectors:
    """Embed every chunk, in batches. Blank texts are not sent: their vector is zero.

    Raises EmbedderError if the embedder fails.
    """
    texts = [text_to_embed(document, chunk) for document in documents for chunk in document.chunks]
    canaries = canary_codes(embed_checked(embedder, CANARY_TEXTS))
    settings: dict[str, Any] = {"id": embedder.id, "dimensions": embedder.dimensions, "canaries": canaries}
    return _quantised(_batches(texts, embedder, on_progress), len(texts), embedder.dimensions, settings)


def _batches(
    texts: list[str], embedder: Embedder, on_progress: Callable[[int], None]
) -> Iterator[list[list[float]]]:
    for first in range(0, len(texts), _BATCH):
        batch = texts[first : first + _BATCH]
        sent = [text for text in batch if text.strip()]
        vectors = iter(embed_checked(embedder, sent) if sent else [])
        zero = [0.0] * embedder.dimensions
        yield [next(vectors) if text.strip() else zero for text in batch]
        on_progress(len(batch))


def _quantised(
    batches: "Sequence[list[list[float]]] | Iterator[list[list[float]]]",
    count: int,
    dimensions: int,
    settings: dict[str, Any],
) -> Vectors:
    if not 1 <= dimensions <= MOST_DIMENSIONS:
        raise UsageError(f"vectors must have 1 to {MOST_DIMENSIONS} dimensions, not {dimensions}")
    codes = np.zeros((count, dimensions), np.int8)
    largest = np.zeros(count, np.float64)
    squares = np.zeros(count, np.int64)
    first = 0
    for batch in batches:
        values = np.array(batch, np.float64).reshape(len(batch), dimensions)
        failed = load().quantise_rows(
            *(values.ctypes.data, len(batch), dimensions, codes[first:].ctypes.data),
            *(largest[first:].ctypes.data, squares[first:].ctypes.data),
        )
        if failed >= 0:
            raise UsageError(f"the vector of chunk {first + failed} holds NaN or infinity")
        first += len(batch)
    return Vectors(codes, (largest / 127.0).astype(np.float32), squares, settings)
