"""Call one kernel many times with columns full of garbage, every buffer between forbidden pages.

Usage: hostile_process.py KERNEL SEED CALLS. Ends with status 0 if nothing was read or written out of bounds. What may
be trusted is what callers allocate or have checked: lengths, the query's own offsets, the query's codes.
"""

import itertools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

for _folder in ("core", "tests"):
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / _folder))

from coldseek_core.kernels import load  # noqa: E402
from coldseek_core.kernels.memory import (  # noqa: E402
    LARGEST_LIST,
    LISTED_ROWS,
    STRETCHES,
    TERMS_A_BLOCK,
    UNPACKED_ROWS,
)
from kernels.guarded import GuardedBuffer  # noqa: E402

BLOCK = 65536
WILD = np.array(
    [
        *(0, 1, 2, 7, 8, 9, 255, 256, 65535, 65536, 65537, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1),
        *(2**62, 2**63 - 1, -1, -2, -(2**31), -(2**63)),
    ],
    np.int64,
)


class Hostile:
    """Draws garbage and lends guarded buffers, one for each array of a call."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.at_end = True
        self._buffers: list[GuardedBuffer] = []
        self._lent = 0

    def new_call(self) -> None:
        self.at_end = not self.at_end
        self._lent = 0

    def put(self, values: Any, dtype: Any) -> Any:
        if self._lent == len(self._buffers):
            self._buffers.append(GuardedBuffer(16 * BLOCK))
        self._lent += 1
        return self._buffers[self._lent - 1].place(np.ascontiguousarray(values).astype(dtype), self.at_end)

    def size(self, limit: int) -> int:
        return int(self.random.integers(0, limit + 1))

    def garbage(self, count: int, near: int, dtype: Any) -> Any:
        """Numbers near `near` and below, extreme ones, and plain noise."""
        kind = self.random.integers(0, 4)
        small = self.random.integers(-2, near + 3, count)
        wild = self.random.choice(WILD, count)
        noise = self.random.integers(-(2**63), 2**63 - 1, count)
        mixed = np.where(self.random.random(count) < 0.8, small, np.where(self.random.random(count) < 0.5, wild, noise))
        values = (small, wild, noise, mixed)[kind]
        if self.random.random() < 0.3:
            values = np.sort(values)
        return self.put(values.astype(np.int64), dtype)

    def zeros(self, count: int, dtype: Any) -> Any:
        return self.put(np.zeros(count), dtype)

    def postings(self) -> tuple[int, int, Any, Any, Any, Any]:
        """Word count, term count, words, starts, dfs, weights: noise, or groups some of whose words are noise."""
        count, terms = self.size(60), self.size(6)
        starts, dfs = self.garbage(terms, count, np.int64), self.garbage(terms, count, np.int64)
        weights = self.garbage(terms, 9, np.int64)
        if self.random.random() < 0.4:
            return count, terms, self.garbage(count, 3, np.uint16), starts, dfs, weights
        words, begins, sizes = self._groups(terms, 12 if self.random.random() < 0.7 else 9000)
        spoilt = self.random.random(len(words)) < self.random.choice([0.0, 0.01, 0.1])
        words[spoilt] = self.random.choice(WILD, int(spoilt.sum())) & 0xFFFF
        if self.random.random() < 0.8:
            starts, dfs = self.put(begins, np.int64), self.put(sizes, np.int64)
        return len(words), terms, self.put(words, np.uint16), starts, dfs, weights

    def _groups(self, terms: int, most: int) -> tuple[Any, list[int], list[int]]:
        """Words, starts and dfs of postings as they should be, but that rows may be in any order, and bytes not of the
        directory that they have."""
        parts: list[Any] = []
        starts: list[int] = []
        dfs: list[int] = []
        at = 0
        for _ in range(terms):
            starts.append(at)
            dfs.append(0)
            for block in range(self.size(3)):
                size = 1 + self.size(most)
                group: list[Any] = [[block, size - 1, self.size(BLOCK - 1)]]
                if size <= LARGEST_LIST:
                    group += [self.random.integers(0, BLOCK, size)]
                else:
                    group += [np.sort(self.random.integers(0, size + 1, STRETCHES))]
                    group += [self.random.integers(0, BLOCK, (size + 1) // 2)]
                group += [self.random.integers(0, 5, size if size > 1 else 0)]
                dfs[-1] += size
                at += sum(map(len, group))
                parts += group
        return np.concatenate(parts or [[]]).astype(np.int64), starts, dfs


def _row_count(hostile: Hostile) -> int:
    return int(hostile.random.choice([0, 1, 5, 8, 9, 64, 3000, BLOCK, BLOCK + 1, 2 * BLOCK + 5]))


def postings_top(hostile: Hostile) -> None:
    row_count = _row_count(hostile)
    count, terms, words, starts, dfs, weights = hostile.postings()
    length = hostile.size(12)
    bitmap = hostile.garbage((row_count + 7) // 8, 255, np.uint8)
    accumulators, listed = hostile.zeros(BLOCK, np.uint32), hostile.garbage(LISTED_ROWS, 9, np.uint16)
    unpacked, cursors = hostile.garbage(UNPACKED_ROWS, 9, np.uint16), hostile.garbage(6 * terms + 1, 9, np.int64)
    likely_rows, likely_scores = hostile.garbage(length, 9, np.int64), hostile.garbage(length, 9, np.int64)
    top_rows, top_scores = hostile.zeros(length, np.int64), hostile.zeros(length, np.int64)
    found = load().postings_top(
        *(words.ctypes.data, count, starts.ctypes.data, dfs.ctypes.data, weights.ctypes.data, hostile.size(1), terms),
        *(row_count, bitmap.ctypes.data, hostile.size(1), hostile.size(1), accumulators.ctypes.data),
        *(
            listed.ctypes.data,
            unpacked.ctypes.data,
            cursors.ctypes.data,
            likely_rows.ctypes.data,
            likely_scores.ctypes.data,
        ),
        *(top_rows.ctypes.data, top_scores.ctypes.data, length),
    )
    assert 0 <= found <= length
    assert not accumulators.any()
    best = list(zip((-top_scores[:found]).tolist(), top_rows[:found].tolist(), strict=True))
    assert best == sorted(best)
    assert len(set(top_rows[:found].tolist())) == found
    assert all(0 <= row < row_count for row in top_rows[:found].tolist())


def score_rows(hostile: Hostile) -> None:
    count, terms, words, starts, dfs, weights = hostile.postings()
    asked = hostile.size(12)
    scored, wanted = hostile.garbage(terms, 1, np.uint8), hostile.garbage(asked, 9, np.int64)
    covered, scores = hostile.zeros(asked, np.int64), hostile.zeros(asked, np.int64)
    shared = hostile.zeros(asked, np.uint8)
    load().score_rows(
        *(words.ctypes.data, count, starts.ctypes.data, dfs.ctypes.data, weights.ctypes.data),
        *(scored.ctypes.data, terms, wanted.ctypes.data, asked),
        *(covered.ctypes.data, scores.ctypes.data, shared.ctypes.data),
    )


def mark_rows(hostile: Hostile) -> None:
    row_count = _row_count(hostile)
    count, terms, words, starts, dfs, _ = hostile.postings()
    unpacked, bitmap = hostile.garbage(UNPACKED_ROWS, 9, np.uint16), hostile.zeros((row_count + 7) // 8, np.uint8)
    load().mark_rows(
        *(words.ctypes.data, count, starts.ctypes.data, dfs.ctypes.data, terms),
        *(unpacked.ctypes.data, bitmap.ctypes.data, row_count),
    )


def _scan_arguments(hostile: Hostile) -> tuple[Any, ...]:
    rows = hostile.size(9)
    dimensions = int(hostile.random.choice([1, 2, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 129, 1025, 4097]))
    codes = hostile.put(hostile.random.integers(-128, 128, rows * dimensions), np.int8)
    packed = hostile.put(hostile.random.integers(-128, 128, rows * ((dimensions + 1) // 2)), np.int8)
    query = hostile.put(hostile.random.integers(-16383, 16384, dimensions), np.int16)
    return rows, dimensions, codes, packed, hostile.garbage(rows, 9, np.int64), query, int(hostile.random.choice(WILD))


def scan_top(hostile: Hostile) -> None:
    rows, dimensions, codes, packed, squares, query, query_square = _scan_arguments(hostile)
    bitmap, length = hostile.garbage((rows + 7) // 8, 255, np.uint8), hostile.size(12)
    top_rows, top_similarities = hostile.zeros(length, np.int64), hostile.zeros(length, np.float64)
    start, stop = hostile.size(rows), hostile.size(rows)
    found = load().scan_top(
        *(codes.ctypes.data, packed.ctypes.data, squares.ctypes.data, dimensions, start, stop),
        *(query.ctypes.data, query_square),
        *(bitmap.ctypes.data, hostile.size(1), top_rows.ctypes.data, top_similarities.ctypes.data, length),
    )
    assert 0 <= found <= length
    assert np.isfinite(top_similarities[:found]).all()
    assert all(start <= row < stop for row in top_rows[:found].tolist())


def scan_many_top(hostile: Hostile) -> None:
    rows, dimensions, codes, packed, squares, _, _ = _scan_arguments(hostile)
    many = hostile.size(9)
    queries = hostile.put(hostile.random.integers(-16383, 16384, many * dimensions), np.int16)
    query_squares = hostile.garbage(many, 9, np.int64)
    bitmap, length = hostile.garbage((rows + 7) // 8, 255, np.uint8), hostile.size(12)
    top_rows, top_similarities = hostile.zeros(many * length, np.int64), hostile.zeros(many * length, np.float64)
    counts = hostile.garbage(many, 9, np.int64)
    start, stop = hostile.size(rows), hostile.size(rows)
    load().scan_many_top(
        *(codes.ctypes.data, packed.ctypes.data, squares.ctypes.data, dimensions, start, stop),
        *(queries.ctypes.data, query_squares.ctypes.data, many),
        *(bitmap.ctypes.data, hostile.size(1), top_rows.ctypes.data, top_similarities.ctypes.data, length),
        counts.ctypes.data,
    )
    assert all(0 <= count <= length for count in counts.tolist())
    assert np.isfinite(top_similarities).all()
    for order, count in enumerate(counts.tolist()):
        assert all(start <= row < stop for row in top_rows[order * length : order * length + count].tolist())


def similarity_rows(hostile: Hostile) -> None:
    rows, dimensions, codes, packed, squares, query, query_square = _scan_arguments(hostile)
    wanted = hostile.garbage(hostile.size(9), rows, np.int64)
    similarities = hostile.zeros(len(wanted), np.float64)
    load().similarity_rows(
        *(codes.ctypes.data, packed.ctypes.data, squares.ctypes.data, dimensions, rows),
        *(query.ctypes.data, query_square),
        *(wanted.ctypes.data, len(wanted), similarities.ctypes.data),
    )
    assert np.isfinite(similarities).all()


def quantise(hostile: Hostile) -> None:
    rows, dimensions = hostile.size(4), hostile.size(20)
    noise = hostile.random.integers(0, 2**64, rows * dimensions, dtype=np.uint64).view(np.float64)
    values = hostile.put(noise, np.float64)
    codes = hostile.zeros(rows * dimensions, np.int8)
    packed = hostile.zeros(rows * ((dimensions + 1) // 2), np.int8)
    largest, squares = hostile.zeros(rows, np.float64), hostile.zeros(rows, np.int64)
    failed = load().quantise_rows(
        *(values.ctypes.data, rows, dimensions, codes.ctypes.data, packed.ctypes.data),
        *(largest.ctypes.data, squares.ctypes.data),
    )
    assert -1 <= failed < max(rows, 1)
    if rows:
        query, square = hostile.zeros(dimensions, np.int16), hostile.zeros(1, np.int64)
        load().widen_floats(
            values.ctypes.data, 2 * rows * dimensions, hostile.zeros(2 * rows * dimensions, np.float64).ctypes.data
        )
        load().quantise_query(values.ctypes.data, dimensions, query.ctypes.data, square.ctypes.data)


def stop_words(hostile: Hostile) -> None:
    """`fill_slots` and `digest`, whose input the caller has made: only their own bounds are at stake."""
    sizes = hostile.random.integers(0, 5, hostile.size(12))
    data = hostile.put(hostile.random.integers(0, 256, int(sizes.sum())), np.uint8)
    offsets = hostile.put(np.concatenate([[0], np.cumsum(sizes)]), np.int64)
    slots = hostile.zeros(int(hostile.random.choice([1, 2, 4, 8, 32])), np.uint32)
    load().fill_slots(offsets.ctypes.data, data.ctypes.data, len(sizes), slots.ctypes.data, len(slots))
    load().digest(data.ctypes.data, len(data))


def front_code(hostile: Hostile) -> None:
    count, length, capacity = hostile.size(99), hostile.size(60), hostile.size(200)
    offsets, data = hostile.garbage(count + 1, length, np.int64), hostile.garbage(length, 3, np.uint8)
    if hostile.size(1):
        offsets = hostile.put(np.sort(hostile.random.integers(0, length + 1, count + 1)), np.int64)
    blocks = -(-count // TERMS_A_BLOCK)
    coded, keys = hostile.zeros(capacity, np.uint8), hostile.zeros(blocks, np.uint64)
    block_offsets = hostile.zeros(blocks + 1, np.int64)
    size = load().front_code(
        *(offsets.ctypes.data, data.ctypes.data, length, count),
        *(coded.ctypes.data, capacity, block_offsets.ctypes.data, keys.ctypes.data),
    )
    spans = itertools.pairwise(offsets.tolist())
    total = sum(stop - start for start, stop in spans if 0 <= start <= stop <= length)
    assert count <= size <= 3 * count + 2 * total
    assert size == block_offsets[-1]


def fault_before(hostile: Hostile) -> None:
    """Reads a byte too many before the buffer where it is flush with that side, to show that the guard works."""
    if not hostile.at_end:
        load().digest(hostile.put(np.zeros(9), np.uint8).ctypes.data - 1, 10)


def fault_behind(hostile: Hostile) -> None:
    """The same behind the buffer."""
    if hostile.at_end:
        load().digest(hostile.put(np.zeros(9), np.uint8).ctypes.data, 10)


KERNELS: dict[str, Callable[[Hostile], None]] = {
    function.__name__: function
    for function in (
        *(postings_top, score_rows, mark_rows, scan_top, scan_many_top, similarity_rows, quantise, stop_words),
        *(front_code, fault_before, fault_behind),
    )
}


def main(kernels: dict[str, Callable[[Hostile], None]]) -> None:
    """Call the kernel that the arguments name."""
    kernel, seed, calls = sys.argv[1:]
    hostile = Hostile(int(seed))
    for _ in range(int(calls)):
        hostile.new_call()
        kernels[kernel](hostile)
    print("survived")


if __name__ == "__main__":
    main(KERNELS)
