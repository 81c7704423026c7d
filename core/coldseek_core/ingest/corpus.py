"""What a build is made of, as columns: documents and their chunks in the order of rows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..columns.texts import TextLists, Texts
from .documents import Chunk, Document, MetadataValue

_NOTHING: dict[str, MetadataValue] = {}


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Documents by their `ids`, `paths`, `urls`, `titles` and `metadata` (None: no document has any), and their chunks,
    those of the first document first. See Document and Chunk.

    `document_of` (i64[chunks], ascending): the document that a chunk is of. `sections`: u32[chunks]. `vectors`: None if
    no chunk brought one.
    """

    ids: Texts
    paths: Texts
    urls: Texts
    titles: Texts
    metadata: Sequence[dict[str, MetadataValue]] | None
    document_of: NDArray[np.int64]
    chunk_ids: Texts
    texts: Texts
    heading_paths: TextLists
    anchors: Texts
    sections: NDArray[np.uint32]
    vectors: Sequence[tuple[float, ...] | None] | None

    @classmethod
    def of(cls, documents: Sequence[Document]) -> "Corpus":
        chunks = [chunk for document in documents for chunk in document.chunks]
        counts = np.fromiter((len(document.chunks) for document in documents), np.int64, len(documents))
        has_metadata = any(document.metadata for document in documents)
        has_vectors = any(chunk.vector is not None for chunk in chunks)
        return cls(
            ids=Texts.of([document.id for document in documents]),
            paths=Texts.of([document.path for document in documents]),
            urls=Texts.of([document.url for document in documents]),
            titles=Texts.of([document.title for document in documents]),
            metadata=[document.metadata for document in documents] if has_metadata else None,
            document_of=np.repeat(np.arange(len(documents)), counts),
            chunk_ids=Texts.of([chunk.id for chunk in chunks]),
            texts=Texts.of([chunk.text for chunk in chunks]),
            heading_paths=TextLists.of([chunk.heading_path for chunk in chunks]),
            anchors=Texts.of([chunk.anchor for chunk in chunks]),
            sections=np.fromiter((chunk.section for chunk in chunks), np.uint32, len(chunks)),
            vectors=[chunk.vector for chunk in chunks] if has_vectors else None,
        )

    @classmethod
    def joined(cls, parts: "Sequence[Corpus]") -> "Corpus":
        """The documents of all parts, one part after the other."""
        if len(parts) == 1:
            return parts[0]
        begins = np.cumsum([0, *(len(part) for part in parts)])
        metadata: list[dict[str, MetadataValue]] = []
        vectors: list[tuple[float, ...] | None] = []
        for part in parts:
            metadata += part.metadata or [_NOTHING] * len(part)
            vectors += part.vectors or [None] * part.chunk_count
        return cls(
            ids=Texts.joined([part.ids for part in parts]),
            paths=Texts.joined([part.paths for part in parts]),
            urls=Texts.joined([part.urls for part in parts]),
            titles=Texts.joined([part.titles for part in parts]),
            metadata=metadata if any(part.metadata for part in parts) else None,
            document_of=np.concatenate(
                [part.document_of + begin for part, begin in zip(parts, begins, strict=False)]
                or [np.empty(0, np.int64)]
            ),
            chunk_ids=Texts.joined([part.chunk_ids for part in parts]),
            texts=Texts.joined([part.texts for part in parts]),
            heading_paths=TextLists.joined([part.heading_paths for part in parts]),
            anchors=Texts.joined([part.anchors for part in parts]),
            sections=np.concatenate([part.sections for part in parts] or [np.empty(0, np.uint32)]),
            vectors=vectors if any(part.vectors for part in parts) else None,
        )

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def chunk_count(self) -> int:
        return len(self.chunk_ids)

    def sorted_by(self, order: NDArray[np.int64]) -> "Corpus":
        """Document `order[i]` as document i, with its chunks."""
        if np.array_equal(order, np.arange(len(self))):
            return self
        places = np.empty(len(self), np.int64)
        places[order] = np.arange(len(self))
        placed = places[self.document_of]
        chunks = np.argsort(placed, kind="stable")
        metadata, vectors = self.metadata, self.vectors
        documents: list[int] = order.tolist()
        rows: list[int] = chunks.tolist()
        return Corpus(
            ids=self.ids.take(order),
            paths=self.paths.take(order),
            urls=self.urls.take(order),
            titles=self.titles.take(order),
            metadata=None if metadata is None else [metadata[document] for document in documents],
            document_of=placed[chunks],
            chunk_ids=self.chunk_ids.take(chunks),
            texts=self.texts.take(chunks),
            heading_paths=self.heading_paths.take(chunks),
            anchors=self.anchors.take(chunks),
            sections=self.sections[chunks],
            vectors=None if vectors is None else [vectors[row] for row in rows],
        )

    def documents(self) -> list[Document]:
        """The documents, with an object for each and its chunks."""
        vectors = self.vectors or [None] * self.chunk_count
        fields = (self.chunk_ids, self.texts, self.heading_paths, self.anchors, self.sections.tolist(), vectors)
        chunks = [
            Chunk(identifier, text, tuple(path), anchor, section, vector)
            for identifier, text, path, anchor, section, vector in zip(*fields, strict=True)
        ]
        ends = np.searchsorted(self.document_of, np.arange(len(self)), side="right").tolist()
        metadata = self.metadata or [_NOTHING] * len(self)
        heads = zip(self.ids, self.paths, self.urls, self.titles, metadata, [0, *ends], ends, strict=False)
        return [
            Document(identifier, path, url, title, of_document, tuple(chunks[start:stop]))
            for identifier, path, url, title, of_document, start, stop in heads
        ]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Corpus) and self.documents() == other.documents()

    __hash__ = None  # pyright: ignore[reportAssignmentType]
