"""Counting terms against its naive twin."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from coldseek_core.kernels import load
from kernels.naive_count import count_terms

ENTRIES = 6
TERMS = 4


@given(
    st.lists(st.tuples(st.integers(0, ENTRIES - 1), st.integers(0, 40), st.integers(0, 14)), max_size=30),
    st.lists(st.integers(-1, TERMS - 1), min_size=ENTRIES, max_size=ENTRIES),
    st.lists(st.integers(0, 50), max_size=5),
)
def test_counts_are_those_of_the_twin(tokens: list[tuple[int, int, int]], terms: list[int], ends: list[int]) -> None:
    tokens.sort(key=lambda token: token[1])
    ends.sort()
    count = len(tokens)
    entries = np.array([token[0] for token in tokens], np.uint32)
    starts = np.array([token[1] for token in tokens], np.int64)
    kinds = np.array([token[2] for token in tokens], np.uint8)
    places, text_ends = np.array(terms, np.int64), np.array(ends, np.int64)
    totals = np.zeros(TERMS, np.uint32)
    found, frequencies = np.zeros(count, np.uint32), np.zeros(count, np.uint32)
    found_ends, lengths = np.zeros(len(ends), np.int64), np.zeros(len(ends), np.int64)
    written = load().count_terms(
        *(entries.ctypes.data, starts.ctypes.data, kinds.ctypes.data, count, places.ctypes.data, ENTRIES),
        *(totals.ctypes.data, TERMS, text_ends.ctypes.data, len(ends), found.ctypes.data, frequencies.ctypes.data),
        *(found_ends.ctypes.data, lengths.ctypes.data),
    )
    assert not totals.any()
    got: list[tuple[dict[int, int], int]] = []
    begin = 0
    for end, length in zip(found_ends.tolist(), lengths.tolist(), strict=True):
        pairs = zip(found[begin:end].tolist(), frequencies[begin:end].tolist(), strict=True)
        got.append((dict(pairs), length))
        begin = end
    expected = count_terms(tokens, terms, ends)
    assert got == expected
    assert [list(counts) for counts, _ in got] == [list(counts) for counts, _ in expected]
    assert written == begin
