"""From documents to a published index: columns, settings, manifest."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..columns.publish import publish
from ..columns.writer import ColumnData, write_file
from ..embed import Embedder, min_similarity_of, needs_keyword
from ..errors import UsageError
from ..search.settings import RetrievalSettings
from ..text import Analyser
from ..text.counting import TermNumbers
from .collection import no_collection
from .counting import count_chunks
from .documents import Document, MetadataValue
from .postings import Postings, PostingsBuilder
from .vectors import Vectors, embedded_vectors, given_vectors

_METADATA_KINDS: tuple[tuple[str, type], ...] = (
    ("boolean", bool),
    ("integer", int),
    ("number", float),
    ("string", str),
    ("strings", list),
)
_INT64 = range(-(1 << 63), 1 << 63)


@dataclass(frozen=True)
class WrittenIndex:
    """What was published: the generation's name, and how much it holds."""

    generation: str
    documents: int
    chunks: int
    terms: int
    postings: int
    dimensions: int


def write_index(
    output: Path,
    documents: Sequence[Document],
    *,
    analyser: Analyser,
    scoring: Mapping[str, Any],
    embedder: Embedder | None,
    use_given_vectors: bool,
    retrieval: Mapping[str, Any],
    description: Mapping[str, Any],
    on_progress: Callable[[str, int], None],
    workers: int = 1,
) -> WrittenIndex:
    """Write `documents` (in the order of rows) as a new generation of `output`.

    `description` is kept in the manifest's settings as it is. `on_progress(stage, chunks done)`. `workers`: threads
    that count. Raises UsageError, EmbedderError, IndexLockedError and IndexFileError.
    """
    _check_unique(documents)
    builder = PostingsBuilder(scoring)
    numbers = TermNumbers()
    with no_collection():
        for counted in count_chunks(documents, analyser, numbers, workers):
            builder.add(counted)
            on_progress("count", len(counted))
        postings = builder.finish(numbers.terms())
    chunk_count = builder.chunk_count
    vectors: Vectors | None = None
    if embedder is not None:
        vectors = embedded_vectors(documents, embedder, lambda done: on_progress("embed", done))
    elif use_given_vectors:
        vectors = given_vectors(documents)
    defaults = RetrievalSettings()
    if embedder is not None:
        defaults.min_similarity = min_similarity_of(embedder)
        defaults.similarity_needs_keyword = needs_keyword(embedder)
    settings: dict[str, Any] = {
        "analyser": analyser.settings,
        "scoring": postings.scoring,
        "embedder": vectors.settings if vectors else None,
        "retrieval": defaults.changed(dict(retrieval)).as_dict(),
        "site_name": None,
        "no_answer_message": None,
        **description,
    }
    body: dict[str, Any] = {
        "settings": settings,
        "counts": {
            "chunks": chunk_count,
            "documents": len(documents),
            "terms": len(postings.terms),
            "postings": postings.count,
        },
    }

    def write(folder: Path) -> dict[str, Any]:
        with no_collection():
            files = _columns(documents, postings, vectors)
            return {**body, "files": {name: write_file(folder, name, columns) for name, columns in files.items()}}

    generation = publish(output, write)
    return WrittenIndex(
        generation=generation,
        documents=len(documents),
        chunks=chunk_count,
        terms=len(postings.terms),
        postings=postings.count,
        dimensions=vectors.settings["dimensions"] if vectors else 0,
    )


def _check_unique(documents: Sequence[Document]) -> None:
    seen: set[str] = set()
    for document in documents:
        for chunk in document.chunks:
            if chunk.id in seen:
                raise UsageError(f"two chunks have the id {chunk.id!r}; ids must be unique in an index")
            seen.add(chunk.id)


def _columns(
    documents: Sequence[Document], postings: Postings, vectors: Vectors | None
) -> dict[str, dict[str, ColumnData]]:
    numbered = [(order, chunk) for order, document in enumerate(documents) for chunk in document.chunks]
    files: dict[str, dict[str, ColumnData]] = {
        "chunks": {
            "id": [chunk.id for _, chunk in numbered],
            "document": np.array([order for order, _ in numbered], np.uint32),
            "section": np.array([chunk.section for _, chunk in numbered], np.uint32),
            "anchor": [chunk.anchor for _, chunk in numbered],
            "heading_path": [chunk.heading_path for _, chunk in numbered],
            "text": [chunk.text for _, chunk in numbered],
        },
        "documents": {
            "id": [document.id for document in documents],
            "path": [document.path for document in documents],
            "url": [document.url for document in documents],
            "title": [document.title for document in documents],
            **_metadata_columns(documents),
        },
        "terms": {
            "term": postings.terms,
            "df": postings.df,
            "idf": postings.idf,
            "start": postings.start,
        },
        "term_slots": {"slot": postings.slots},
        "postings": {"word": postings.words},
    }
    if vectors is not None:
        made = vectors.quantised
        files["vectors"] = {
            "codes": made.codes,
            "remainders": made.remainders,
            "scale": made.scales,
            "square": made.squares,
        }
    return files


def _metadata_columns(documents: Sequence[Document]) -> dict[str, ColumnData]:
    """One column for each key and kind of value, so that nothing is coerced; null where a document lacks it."""
    values: dict[str, list[Any]] = {}
    for order, document in enumerate(documents):
        for key, value in document.metadata.items():
            name = f"metadata.{_kind(value)}.{key}"
            column = values.setdefault(name, [None] * len(documents))
            column[order] = str(value) if isinstance(value, int) and value not in _INT64 else value
    return dict(sorted(values.items()))


def _kind(value: MetadataValue) -> str:
    if isinstance(value, int) and not isinstance(value, bool) and value not in _INT64:
        return "string"  # no column type holds it
    return next(kind for kind, cls in _METADATA_KINDS if isinstance(value, cls))
