"""Vector search by libraries that hold all vectors in one array. Questions are one array each, as they take it.

What can be mapped is mapped: opening then reads nothing, and the array is no private memory.
"""

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peers.contender import TOP_K, folder_bytes

BLOCK = 50_000
INT8_LIMIT = 127


def int8_codes(vectors: NDArray[np.float32]) -> NDArray[np.int8]:
    """Vectors (..., dimensions) in 8 bits, each scaled so that its largest component is 127. None may be zero."""
    scale = INT8_LIMIT / np.abs(vectors).max(axis=-1, keepdims=True)
    return np.rint(vectors * scale).astype(np.int8)


class NumPy:
    """A product, a partition, and a sort of the best ten. `vecdot` took half the time of `@`, which calls OpenBLAS."""

    def build(self, source: NDArray[np.float32], index: Path) -> None:
        with index.open("wb") as file:
            np.save(file, source)

    def index_bytes(self, index: Path) -> int:
        return folder_bytes(index)

    def open(self, index: Path) -> None:
        self._vectors = np.load(index, mmap_mode="r")

    def question(self, asked: list[float]) -> NDArray[np.float32]:
        return np.array(asked, dtype=np.float32)

    def top(self, question: NDArray[np.float32]) -> list[int]:
        negated = np.vecdot(self._vectors, -question)
        best = np.argpartition(negated, TOP_K)[:TOP_K]
        return best[np.argsort(negated[best])].tolist()

    def close(self) -> None:
        del self._vectors


class FaissFlat:
    """IndexFlatIP, its file mapped."""

    def __init__(self) -> None:
        import faiss

        faiss.omp_set_num_threads(1)
        self._faiss = faiss

    def made(self, dimensions: int) -> Any:
        return self._faiss.IndexFlatIP(dimensions)

    def build(self, source: NDArray[np.float32], index: Path) -> None:
        engine = self.made(source.shape[1])
        engine.train(source)
        for first in range(0, len(source), BLOCK):
            engine.add(source[first : first + BLOCK])
        self._faiss.write_index(engine, str(index))

    def index_bytes(self, index: Path) -> int:
        return folder_bytes(index)

    def open(self, index: Path) -> None:
        self._engine = self._faiss.read_index(str(index), self._faiss.IO_FLAG_MMAP_IFC)

    def question(self, asked: list[float]) -> NDArray[np.float32]:
        return np.array([asked], dtype=np.float32)

    def top(self, question: NDArray[np.float32]) -> list[int]:
        return self._engine.search(question, TOP_K)[1][0].tolist()

    def close(self) -> None:
        del self._engine


class FaissScalar(FaissFlat):
    """IndexScalarQuantizer, 8 bit, a range for each dimension; questions stay float32."""

    def made(self, dimensions: int) -> Any:
        quantizer = self._faiss.ScalarQuantizer.QT_8bit
        return self._faiss.IndexScalarQuantizer(dimensions, quantizer, self._faiss.METRIC_INNER_PRODUCT)


class Usearch:
    """Its exact search over an array, which needs no graph. Cosine, so that each vector can have a scale of its own:
    one scale for all, as in its own index of int8, finds fewer of the best ten."""

    def __init__(self) -> None:
        index: Any = import_module("usearch.index")
        self._search = index.search
        self._metric = index.MetricKind.Cos

    def build(self, source: NDArray[np.float32], index: Path) -> None:
        codes = np.lib.format.open_memmap(index, mode="w+", dtype=np.int8, shape=source.shape)
        for first in range(0, len(source), BLOCK):
            codes[first : first + BLOCK] = int8_codes(source[first : first + BLOCK])
        codes.flush()

    def index_bytes(self, index: Path) -> int:
        return folder_bytes(index)

    def open(self, index: Path) -> None:
        self._codes = np.load(index, mmap_mode="r")

    def question(self, asked: list[float]) -> NDArray[np.float32]:
        return np.array(asked, dtype=np.float32)

    def top(self, question: NDArray[np.float32]) -> list[int]:
        found = self._search(self._codes, int8_codes(question), TOP_K, self._metric, exact=True, threads=1)
        return found.keys.tolist()

    def close(self) -> None:
        del self._codes
