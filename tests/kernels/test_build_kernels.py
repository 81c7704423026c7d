"""The kernels that join texts, share vocabularies and pack postings, against their naive twins."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from coldseek_core.kernels import load
from coldseek_core.kernels.token_layout import ENTRY_COUNT, ERROR, NO_ROOM_FOR_BYTES, NO_ROOM_FOR_ENTRIES
from kernels import naive
from kernels.naive_count import enter_texts, pack_postings, separate_texts

TEXTS = st.lists(st.text(alphabet="ab\né試\U0001f9ca", max_size=6), max_size=6)


def laid_out(texts: list[bytes]) -> tuple[Any, Any]:
    offsets = np.cumsum([0, *map(len, texts)]).astype(np.int64)
    return offsets, np.frombuffer(b"".join(texts) + b"\0", np.uint8)


@given(TEXTS, TEXTS)
def test_texts_become_lines_as_by_the_twin(first: list[str], second: list[str]) -> None:
    expected, expected_ends = separate_texts([*first, *second])
    lines, counts = np.zeros(len(expected), np.uint8), np.zeros(2, np.int64)
    ends = np.zeros(len(expected_ends), np.int64)
    done = 0
    for texts in (first, second):
        offsets, data = laid_out([text.encode() for text in texts])
        appended = load().separate_texts(
            *(data.ctypes.data, int(offsets[-1]), offsets.ctypes.data, len(texts), lines.ctypes.data, len(lines)),
            *(ends[done:].ctypes.data, counts.ctypes.data),
        )
        assert appended == len(texts)
        done += len(texts)
    assert lines.tobytes() == expected
    assert ends.tolist() == expected_ends
    assert counts.tolist() == [len(expected), len(expected.decode())]


@given(TEXTS, st.integers(0, 40))
def test_lines_without_room_are_left(texts: list[str], room: int) -> None:
    """What was appended is whole, and the next one would not have fitted."""
    encoded = [text.encode() for text in texts]
    offsets, data = laid_out(encoded)
    lines, ends, counts = np.zeros(room, np.uint8), np.zeros(len(texts), np.int64), np.zeros(2, np.int64)
    appended = load().separate_texts(
        *(data.ctypes.data, int(offsets[-1]), offsets.ctypes.data, len(texts), lines.ctypes.data, room),
        *(ends.ctypes.data, counts.ctypes.data),
    )
    expected, _ = separate_texts(texts[:appended])
    assert lines.tobytes()[: counts[0]] == expected
    assert appended == len(texts) or len(expected) + len(encoded[appended]) + 1 > room


class Table:
    """A table of distinct texts with room for some."""

    def __init__(self, capacity: int, size: int) -> None:
        self.slots, self.offsets = np.zeros(16, np.uint32), np.zeros(capacity + 1, np.int64)
        self.data, self.counts = np.zeros(size, np.uint8), np.zeros(3, np.int64)
        self.capacity = capacity

    def enter(self, texts: list[bytes], first: int, numbers: Any) -> int:
        offsets, data = laid_out(texts)
        return load().enter_texts(
            *(offsets.ctypes.data, data.ctypes.data, int(offsets[-1]), first, len(texts)),
            *(self.slots.ctypes.data, len(self.slots), self.offsets.ctypes.data, self.capacity),
            *(self.data.ctypes.data, len(self.data), numbers.ctypes.data, self.counts.ctypes.data),
        )

    def texts(self) -> list[bytes]:
        places = self.offsets[: self.counts[ENTRY_COUNT] + 1].tolist()
        return [self.data[start:stop].tobytes() for start, stop in zip(places, places[1:], strict=False)]


SHORT = st.lists(st.binary(max_size=2).filter(lambda text: set(text) <= set(b"ab")), max_size=9)


@given(SHORT, SHORT)
def test_texts_are_entered_as_by_the_twin(first: list[bytes], second: list[bytes]) -> None:
    table, known = Table(8, 64), list[bytes]()
    for texts in (first, second):
        numbers = np.full(len(texts), 9, np.int64)
        assert table.enter(texts, 0, numbers) == len(texts)
        assert numbers.tolist() == enter_texts(texts, known)
    assert table.texts() == known


@given(SHORT, st.integers(0, 4), st.integers(0, 6))
def test_texts_without_room_are_told(texts: list[bytes], capacity: int, size: int) -> None:
    table, known = Table(capacity, size), list[bytes]()
    numbers = np.full(len(texts), 9, np.int64)
    done = table.enter(texts, 0, numbers)
    assert numbers[:done].tolist() == enter_texts(texts[:done], known)
    assert table.texts() == known
    if done < len(texts):
        wanting = {NO_ROOM_FOR_ENTRIES: len(known) == capacity, NO_ROOM_FOR_BYTES: True}
        assert wanting[int(table.counts[ERROR])]


IMPACTS = st.integers(0, 256 * 2**24 - 1)  # as they are placed
POSTINGS = st.lists(
    st.dictionaries(st.integers(0, 200_000), IMPACTS, max_size=5).map(lambda rows: sorted(rows.items())),
    max_size=4,
)


@given(POSTINGS, st.sampled_from([8, 13, 24]))
def test_postings_are_packed_as_by_the_twin(terms: list[list[tuple[int, int]]], shift: int) -> None:
    impacts = [[(row, impact / 2**24) for row, impact in postings] for postings in terms]
    expected, expected_starts = naive.posting_words(pack_postings(impacts, 2 ** (24 - shift)))
    dfs = np.array([len(postings) for postings in terms], np.int64)
    placed = np.array([row << 32 | impact for postings in terms for row, impact in postings], np.uint64)
    words, starts = np.zeros(len(expected), np.uint16), np.zeros(len(terms), np.int64)
    for room in (0, len(expected)):
        size = load().pack_postings(
            *(dfs.ctypes.data, len(dfs), placed.ctypes.data, len(placed), shift),
            *(words.ctypes.data, room, starts.ctypes.data),
        )
        assert size == len(expected)
    assert (words.tolist(), starts.tolist()) == (expected, expected_starts)
