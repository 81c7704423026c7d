"""Lines of JSONL as columns, and the documents that they make up."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..columns.json_lines import read_lines
from ..columns.texts import TextLists, Texts, sort_order
from .corpus import Corpus
from .documents import MetadataValue
from .in_order import in_order
from .json_line import LineFields

_Item = TypeVar("_Item")

_NEEDED, _TEXTS, _LISTS = ("id", "text"), ("document", "url", "title", "anchor"), ("headingPath",)
_GRAPHIC = (0x21, 0x7E)  # ASCII that is neither white space nor control


@dataclass(frozen=True, slots=True, eq=False)
class LineTable:
    """Columns of LineFields. `texts`: several, one after the other. `has_url`, `has_title` (bool[lines]): where one is
    given, if only an empty one. `metadata` and `vectors`: None if no line has any.
    """

    numbers: NDArray[np.int64]
    ids: Texts
    texts: Sequence[Texts]
    documents: Texts
    urls: Texts
    has_url: NDArray[np.bool_]
    titles: Texts
    has_title: NDArray[np.bool_]
    heading_paths: TextLists
    anchors: Texts
    metadata: Sequence[dict[str, MetadataValue] | None] | None = None
    vectors: Sequence[tuple[float, ...] | None] | None = None

    @classmethod
    def of_block(cls, block: bytes) -> "LineTable | None":
        """The lines of a block, numbered from 0; None where one is not as simple as most are."""
        found = read_lines(block, _NEEDED, _TEXTS, _LISTS)
        if found is None:
            return None
        get, ids = found.texts.__getitem__, found.texts["id"]
        if not ids.sizes.all():
            return None
        first = ids.data[ids.offsets[:-1]]
        odd = np.flatnonzero((first < _GRAPHIC[0]) | (first > _GRAPHIC[1]))
        if any(not ids[order].strip() for order in odd.tolist()):
            return None
        return cls(
            *(np.arange(len(ids)), ids, [get("text")], get("document"), get("url"), found.given["url"]),
            *(get("title"), found.given["title"], found.lists["headingPath"], get("anchor")),
        )

    @classmethod
    def of_fields(cls, lines: Sequence[LineFields]) -> "LineTable":
        vectors, metadata = [line.vector for line in lines], [line.metadata for line in lines]
        return cls(
            numbers=np.array([line.number for line in lines], np.int64),
            ids=Texts.of([line.id for line in lines]),
            texts=[Texts.of([line.text for line in lines])],
            documents=Texts.of([line.document or "" for line in lines]),
            urls=Texts.of([line.url or "" for line in lines]),
            has_url=np.array([line.url is not None for line in lines], np.bool_),
            titles=Texts.of([line.title or "" for line in lines]),
            has_title=np.array([line.title is not None for line in lines], np.bool_),
            heading_paths=TextLists.of([line.heading_path for line in lines]),
            anchors=Texts.of([line.anchor for line in lines]),
            metadata=None if metadata.count(None) == len(lines) else metadata,
            vectors=None if vectors.count(None) == len(lines) else vectors,
        )

    @classmethod
    def joined(cls, parts: "Sequence[LineTable]") -> "LineTable":
        if not parts:
            return cls.of_fields([])
        return cls(
            numbers=np.concatenate([part.numbers for part in parts]),
            ids=Texts.joined([part.ids for part in parts]),
            texts=[texts for part in parts for texts in part.texts],
            documents=Texts.joined([part.documents for part in parts]),
            urls=Texts.joined([part.urls for part in parts]),
            has_url=np.concatenate([part.has_url for part in parts]),
            titles=Texts.joined([part.titles for part in parts]),
            has_title=np.concatenate([part.has_title for part in parts]),
            heading_paths=TextLists.joined([part.heading_paths for part in parts]),
            anchors=Texts.joined([part.anchors for part in parts]),
            metadata=_joined([(part.metadata, len(part)) for part in parts]),
            vectors=_joined([(part.vectors, len(part)) for part in parts]),
        )

    def __len__(self) -> int:
        return len(self.numbers)

    def fields(self) -> list[LineFields]:
        """An object for each line."""
        nothing = [None] * len(self)
        urls = (url if given else None for url, given in zip(self.urls, self.has_url.tolist(), strict=True))
        titles = (title if given else None for title, given in zip(self.titles, self.has_title.tolist(), strict=True))
        columns = (self.numbers.tolist(), self.ids, chain(*self.texts), self.documents, urls, titles)
        more = (map(tuple, self.heading_paths), self.anchors, self.metadata or nothing, self.vectors or nothing)
        return [LineFields(*line) for line in zip(*columns, *more, strict=True)]

    def corpus(self, path: str, workers: int = 1) -> Corpus | None:
        """The documents by the rules of `jsonl.read_jsonl`, in its order; None where they are not to be applied to all
        lines at once: an id comes twice, or lines of a document contradict each other. `workers`: threads.
        """
        steps: list[Callable[[], Corpus | bool | None]] = [self._ids_differ, partial(self._grouped, path)]
        differ, grouped = in_order(lambda step: step(), steps, workers)
        return grouped if differ and isinstance(grouped, Corpus) else None

    def _ids_differ(self) -> bool:
        """And vectors do not, in size."""
        sizes = {len(vector) for vector in self.vectors or () if vector}
        return len(sizes) < 2 and self.ids.numbered()[1] == len(self)

    def _grouped(self, path: str) -> Corpus | None:
        """The documents, if no two lines of one contradict each other."""
        keys = self._keys()
        named, count = keys.numbered()
        firsts = _first_lines(named, count, np.ones(len(self), np.bool_))
        urls = _said_once(self.urls, self.has_url, named, count)
        titles = _said_once(self.titles, self.has_title, named, count)
        metadata = self._metadata(named, count)
        if urls is None or titles is None or metadata is None:
            return None
        ids = keys.take(firsts)
        documents = sort_order(urls, ids)
        places = np.empty(count, np.int64)
        places[documents] = np.arange(count)
        document_of = places[named]
        lines = np.argsort(document_of, kind="stable")
        vectors = self.vectors
        return Corpus(
            ids=ids.take(documents),
            paths=Texts.repeated(path, count),
            urls=urls.take(documents),
            titles=titles.take(documents),
            metadata=_taken(metadata, documents) if any(metadata) else None,
            document_of=document_of[lines],
            chunk_ids=self.ids.take(lines),
            texts=Texts.gathered(self.texts, lines),
            heading_paths=self.heading_paths.take(lines),
            anchors=self.anchors.take(lines),
            sections=self._sections(document_of, count)[lines],
            vectors=None if vectors is None else _taken(vectors, lines),
        )

    def _keys(self) -> Texts:
        """What the lines of a document share: its name, else its URL, else nothing but the chunk's own id."""
        choice = np.where(self.documents.sizes > 0, 0, np.where(self.urls.sizes > 0, 1, 2))
        candidates = (self.documents, self.urls, self.ids)
        if len(self) and choice.min() == choice.max():
            return candidates[int(choice[0])]
        return Texts.joined(candidates).take(choice * len(self) + np.arange(len(self)))

    def _metadata(self, document_of: NDArray[np.int64], count: int) -> list[dict[str, MetadataValue]] | None:
        """Of each document; None where its lines contradict each other."""
        found: list[dict[str, MetadataValue] | None] = [None] * count
        if self.metadata is not None:
            for document, metadata in zip(document_of.tolist(), self.metadata, strict=True):
                if metadata is not None:
                    if found[document] is not None and found[document] != metadata:
                        return None
                    found[document] = metadata
        nothing: dict[str, MetadataValue] = {}
        return [nothing if metadata is None else metadata for metadata in found]

    def _sections(self, document_of: NDArray[np.int64], count: int) -> NDArray[np.uint32]:
        """The ordinal of each line's heading path and anchor among those of its document, by first appearance."""
        if count == len(self):
            return np.zeros(len(self), np.uint32)
        paths, _ = self.heading_paths.numbered()
        anchors, anchor_count = self.anchors.numbered()
        kinds, pairs = np.unique(paths * anchor_count + anchors, return_inverse=True)
        sections, firsts, section_of = np.unique(
            document_of * len(kinds) + pairs, return_index=True, return_inverse=True
        )
        owners = sections // max(len(kinds), 1)
        by_appearance = np.lexsort((firsts, owners))
        begins = np.searchsorted(owners, np.arange(count))
        ordinals = np.empty(len(sections), np.int64)
        ordinals[by_appearance] = np.arange(len(sections)) - begins[owners[by_appearance]]
        return ordinals[section_of].astype(np.uint32)


def _joined(parts: Sequence[tuple[Sequence[_Item | None] | None, int]]) -> list[_Item | None] | None:
    if all(items is None for items, _ in parts):
        return None
    joined: list[_Item | None] = []
    for items, count in parts:
        joined += items or [None] * count
    return joined


def _taken(items: Sequence[_Item], order: NDArray[np.int64]) -> list[_Item]:
    places: list[int] = order.tolist()
    return [items[place] for place in places]


def _first_lines(document_of: NDArray[np.int64], count: int, given: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The first line of each document where something is given, -1 for none."""
    lines = np.flatnonzero(given)[::-1]
    firsts = np.full(count, -1, np.int64)
    firsts[document_of[lines]] = lines  # of several the last one stays, which is the first line
    return firsts


def _said_once(values: Texts, given: NDArray[np.bool_], document_of: NDArray[np.int64], count: int) -> Texts | None:
    """What the lines of each document say, an empty text if none says anything; None where they contradict."""
    firsts = _first_lines(document_of, count, given)
    numbers, _ = values.numbered()
    lines = np.flatnonzero(given)
    if (numbers[lines] != numbers[firsts[document_of[lines]]]).any():
        return None
    return values.take(firsts)
