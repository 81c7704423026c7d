"""The same searches in pure Python, which keep no index: they open by reading their sources and building in memory."""

import array
from pathlib import Path
from typing import TYPE_CHECKING, Any

from baseline.search import BaselineSearch
from coldseek_core.text import Analyser
from peers.contender import TOP_K

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class _PurePython:
    _search: BaselineSearch

    def index_bytes(self, index: Path) -> int:
        return index.stat().st_size

    def question(self, asked: Any) -> Any:
        return asked

    def close(self) -> None:
        del self._search


class PurePythonKeywords(_PurePython):
    def build(self, source: list[str], index: Path) -> None:
        index.write_text("\n".join(source), encoding="utf-8")

    def open(self, index: Path) -> None:
        from baseline.settings import Settings
        from coldseek_core.search.settings import DEFAULT_SCORING

        self._analyser = Analyser("en")
        texts = index.read_text(encoding="utf-8").split("\n")
        chunks = (([], [], [token.as_tuple() for token in self._analyser.analyse(text)]) for text in texts)
        self._search = BaselineSearch(chunks, None, Settings(weights=tuple(DEFAULT_SCORING["weights"])))

    def top(self, question: str) -> list[int]:
        found = self._search.search(self._analyser.analyse(question), mode="lexical", top_k=TOP_K)
        return [hit.row for hit in found.hits]


class PurePythonVectors(_PurePython):
    def build(self, source: "NDArray[np.float32]", index: Path) -> None:
        index.write_bytes(array.array("i", source.shape).tobytes() + source.tobytes())

    def open(self, index: Path) -> None:
        with index.open("rb") as file:
            shape = array.array("i")
            shape.fromfile(file, 2)
            chunks, dimensions = shape
            values = array.array("f")
            values.fromfile(file, chunks * dimensions)
        rows = [values[first : first + dimensions].tolist() for first in range(0, len(values), dimensions)]
        self._search = BaselineSearch((([], [], []) for _ in rows), rows)

    def top(self, question: list[float]) -> list[int]:
        found = self._search.search([], question, mode="semantic", top_k=TOP_K)
        return [hit.row for hit in found.hits]
