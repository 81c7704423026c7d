"""How long a whole hybrid question takes beside its own time in the two retrievers' kernels."""

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import coldseek
from coldseek_core import kernels

RETRIEVERS = ("scan_top", "postings_top")


@contextmanager
def timed_kernels(names: Sequence[str]) -> Iterator[list[float]]:
    """Seconds of every call of these kernels, which are appended to the list."""
    loaded, taken = kernels.load(), list[float]()

    def timed(kernel: Callable[..., int]) -> Callable[..., int]:
        def call(*arguments: int) -> int:
            begin = time.perf_counter()
            found = kernel(*arguments)
            taken.append(time.perf_counter() - begin)
            return found

        return call

    held = {name: getattr(loaded, name) for name in names}
    for name, kernel in held.items():
        setattr(loaded, name, timed(kernel))
    try:
        yield taken
    finally:
        for name, kernel in held.items():
            setattr(loaded, name, kernel)


def whole_by_kernels(index: coldseek.Index, queries: Sequence[tuple[str, Any]], rounds: int) -> dict[str, float]:
    """Medians over all (text, vector) and rounds, warm: seconds of `retrieve`, from text and vector to packed sources,
    of both kernels in it, and the ratio of the two in the same call.
    """
    wholes: list[float] = []
    parts: list[float] = []
    for text, vector in queries:
        index.retrieve(text, vector=vector)
    with timed_kernels(RETRIEVERS) as taken:
        for _ in range(rounds):
            for text, vector in queries:
                taken.clear()
                begin = time.perf_counter()
                index.retrieve(text, vector=vector)
                wholes.append(time.perf_counter() - begin)
                parts.append(sum(taken))
    ratios = [whole / part for whole, part in zip(wholes, parts, strict=True)]
    return {
        "whole": statistics.median(wholes),
        "kernels": statistics.median(parts),
        "ratio": statistics.median(ratios),
    }
