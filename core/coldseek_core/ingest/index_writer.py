"""From a corpus to a published index: columns, settings, manifest."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..columns.publish import publish
from ..columns.texts import Texts
from ..columns.writer import ColumnData, write_file
from ..embed import Embedder, min_similarity_of, needs_keyword
from ..search.settings import RetrievalSettings
from ..text import Analyser
from ..text.term_numbers import TermNumbers
from .corpus import Corpus
from .counting import count_chunks
from .documents import MetadataValue
from .in_order import in_order
from .postings import Postings, PostingsBuilder
from .vectors import EmbeddingMeanwhile, Vectors, given_vectors

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
    corpus: Corpus,
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
    """Write `corpus` as a new generation of `output`.

    `description` is kept in the manifest's settings as it is. `on_progress(stage, chunks done)`. `workers`: threads
    that count, sort and write. Raises UsageError, EmbedderError, IndexLockedError and IndexFileError.
    """
    builder = PostingsBuilder(scoring)
    numbers = TermNumbers(analyser, len(corpus.texts.data))
    embedding = (
        nullcontext(None)
        if embedder is None
        else EmbeddingMeanwhile(corpus, embedder, lambda done: on_progress("embed", done))
    )
    with embedding as running:
        for counted in count_chunks(corpus, analyser, numbers, workers):
            builder.add(counted)
            on_progress("count", len(counted))
            if running is not None:
                running.check()
        vectors = running.result() if running is not None else given_vectors(corpus) if use_given_vectors else None
    defaults = RetrievalSettings()
    if embedder is not None:
        defaults.min_similarity = min_similarity_of(embedder)
        defaults.similarity_needs_keyword = needs_keyword(embedder)
    counts = {"chunks": corpus.chunk_count, "documents": len(corpus), "terms": len(numbers)}

    def write(folder: Path) -> dict[str, Any]:
        on_progress("write", 0)
        postings: list[Postings] = []

        def keyword_columns() -> _Files:
            postings.append(builder.finish(Texts(*numbers.terms()), workers))
            return _keyword_columns(postings[0])

        groups = (lambda: _text_columns(corpus), keyword_columns, lambda: _vector_columns(vectors))
        files: dict[str, Any] = {}
        # Texts are as good as written while postings are sorted.
        for group in in_order(lambda columns: _write_files(folder, columns()), groups, workers):
            files |= group
        [made] = postings
        counts["postings"] = made.count
        settings: dict[str, Any] = {
            "analyser": analyser.settings,
            "scoring": made.scoring,
            "embedder": vectors.settings if vectors else None,
            "retrieval": defaults.changed(dict(retrieval)).as_dict(),
            "site_name": None,
            "no_answer_message": None,
            **description,
        }
        on_progress("write", corpus.chunk_count)
        return {"settings": settings, "counts": counts, "files": files}

    generation = publish(output, write)
    return WrittenIndex(
        generation=generation,
        documents=len(corpus),
        chunks=corpus.chunk_count,
        terms=len(numbers),
        postings=counts["postings"],
        dimensions=vectors.settings["dimensions"] if vectors else 0,
    )


_Files = dict[str, Mapping[str, ColumnData]]


def _write_files(folder: Path, files: _Files) -> dict[str, Any]:
    """The manifest's entries."""
    return {name: write_file(folder, name, columns) for name, columns in files.items()}


def _text_columns(corpus: Corpus) -> _Files:
    return {
        "chunks": {
            "id": corpus.chunk_ids,
            "document": corpus.document_of,
            "section": corpus.sections,
            "anchor": corpus.anchors,
            "heading_path": corpus.heading_paths,
            "text": corpus.texts,
        },
        "documents": {
            "id": corpus.ids,
            "path": corpus.paths,
            "url": corpus.urls,
            "title": corpus.titles,
            **_metadata_columns(corpus.metadata or ()),
        },
    }


def _keyword_columns(postings: Postings) -> _Files:
    return {
        "terms": {"df": postings.df, "idf": postings.idf, "start": postings.start},
        "term_blocks": {"key": postings.blocks.keys, "terms": postings.blocks.blocks},
        "postings": {"word": postings.words},
    }


def _vector_columns(vectors: Vectors | None) -> _Files:
    if vectors is None:
        return {}
    made = vectors.quantised
    columns = {"codes": made.codes, "remainders": made.remainders, "scale": made.scales, "square": made.squares}
    return {"vectors": columns}


def _metadata_columns(metadata: Sequence[dict[str, MetadataValue]]) -> dict[str, ColumnData]:
    """One column for each key and kind of value, so that nothing is coerced; null where a document lacks it."""
    values: dict[str, list[Any]] = {}
    for order, of_document in enumerate(metadata):
        for key, value in of_document.items():
            name = f"metadata.{_kind(value)}.{key}"
            column = values.setdefault(name, [None] * len(metadata))
            column[order] = str(value) if isinstance(value, int) and value not in _INT64 else value
    return dict(sorted(values.items()))


def _kind(value: MetadataValue) -> str:
    if isinstance(value, int) and not isinstance(value, bool) and value not in _INT64:
        return "string"  # no column type holds it
    return next(kind for kind, cls in _METADATA_KINDS if isinstance(value, cls))
