"""coldseek by keywords alone and by vectors alone.

It stores texts and returns them with its hits; the sizes leave their files out. Its index of vectors has one word for
each text.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import coldseek
from coldseek_core.text import Analyser
from peers.contender import TOP_K

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KEYWORD_FILES = ("postings", "terms", "term_blocks")
VECTOR_FILES = ("vectors",)


def _write(texts: list[str], embedder: Any, index: Path) -> None:
    import numpy as np

    from coldseek_core.columns.texts import TextLists, Texts
    from coldseek_core.embed.canary import GIVEN_VECTORS
    from coldseek_core.ingest.corpus import Corpus
    from coldseek_core.ingest.index_writer import write_index
    from coldseek_core.search.settings import DEFAULT_SCORING

    count = len(texts)
    names, nothing = Texts.of([f"/d{row}" for row in range(count)]), Texts.repeated("", count)
    corpus = Corpus(
        *(names, names, names, nothing, None, np.arange(count), names, Texts.of(texts)),
        *(TextLists.of([()] * count), nothing, np.zeros(count, np.uint32), None),
    )
    write_index(
        index,
        corpus,
        analyser=Analyser("en"),
        scoring=DEFAULT_SCORING,
        embedder=embedder,
        use_given_vectors=False,
        retrieval={},
        description={"vectors": GIVEN_VECTORS} if embedder is not None else {},
        on_progress=lambda _stage, _done: None,
    )


def _bytes_of(index: Path, names: tuple[str, ...]) -> int:
    with coldseek.open(index) as opened:
        files = opened.info()["fileBytes"]
    return sum(files[name] for name in names)


class ColdseekKeywords:
    def build(self, source: list[str], index: Path) -> None:
        _write(source, None, index)

    def index_bytes(self, index: Path) -> int:
        return _bytes_of(index, KEYWORD_FILES)

    def open(self, index: Path) -> None:
        self._index = coldseek.open(index)

    def question(self, asked: str) -> str:
        return asked

    def top(self, question: str) -> list[int]:
        return [hit.row for hit in self._index.search(question, mode="lexical", top_k=TOP_K).hits]

    def close(self) -> None:
        self._index.close()


class ColdseekVectors:
    def build(self, source: "NDArray[np.float32]", index: Path) -> None:
        from workload import RowEmbedder

        _write(["x"] * len(source), RowEmbedder(source), index)

    def index_bytes(self, index: Path) -> int:
        return _bytes_of(index, VECTOR_FILES)

    def open(self, index: Path) -> None:
        self._index = coldseek.open(index)

    def question(self, asked: list[float]) -> list[float]:
        return asked

    def top(self, question: list[float]) -> list[int]:
        return [hit.row for hit in self._index.search("", vector=question, mode="semantic", top_k=TOP_K).hits]

    def close(self) -> None:
        self._index.close()
