"""Chunks' vectors: given with the input or embedded, then quantised."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..embed import CANARY_TEXTS, Embedder, canary_codes, embed_checked
from ..embed.canary import GIVEN_VECTORS
from ..embed.quantise import QuantisedVectors, Quantiser
from ..errors import UsageError
from .documents import Chunk, Document

_BATCH = 64


@dataclass(frozen=True)
class Vectors:
    """The chunks' codes in row order, and the manifest's entry about who made them."""

    quantised: QuantisedVectors
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


def embedded_vectors(documents: Sequence[Document], embedder: Embedder, on_progress: Callable[[int], None]) -> Vectors:
    """Embed every chunk, in batches. Blank texts are not sent: their vector is zero.

    Raises EmbedderError if the embedder fails.
    """
    texts = [text_to_embed(document, chunk) for document in documents for chunk in document.chunks]
    canaries = canary_codes(embed_checked(embedder, CANARY_TEXTS))
    settings: dict[str, Any] = {"id": embedder.id, "dimensions": embedder.dimensions, "canaries": canaries}
    return _quantised(_batches(texts, embedder, on_progress), len(texts), embedder.dimensions, settings)


def _batches(texts: list[str], embedder: Embedder, on_progress: Callable[[int], None]) -> Iterator[list[list[float]]]:
    for first in range(0, len(texts), _BATCH):
        batch = texts[first : first + _BATCH]
        sent = [text for text in batch if text.strip()]
        vectors = iter(embed_checked(embedder, sent) if sent else [])
        zero = [0.0] * embedder.dimensions
        yield [next(vectors) if text.strip() else zero for text in batch]
        on_progress(len(batch))


def _quantised(batches: Iterable[list[list[float]]], count: int, dimensions: int, settings: dict[str, Any]) -> Vectors:
    quantiser = Quantiser(count, dimensions)
    for batch in batches:
        quantiser.add(batch)
    return Vectors(quantiser.finish(), settings)
