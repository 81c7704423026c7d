"""Counting terms and making postings of them against their naive twins."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from coldseek_core.kernels import load
from kernels.naive_count import count_terms, join_fields, place_postings

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


COUNTS = st.dictionaries(st.integers(0, TERMS - 1), st.integers(1, 300))
CHUNK = st.dictionaries(st.integers(0, TERMS - 1), st.tuples(*[st.integers(0, 300)] * 3))


def flat(values: list[list[int]], dtype: Any) -> NDArray[Any]:
    return np.array([value for of_one in values for value in of_one], dtype)


@given(st.lists(COUNTS, max_size=6), st.lists(st.tuples(*[st.integers(-1, 6)] * 3), max_size=6))
def test_fields_are_joined_as_by_the_twin(texts: list[dict[int, int]], chunks: list[tuple[int, int, int]]) -> None:
    found = flat([list(text) for text in texts], np.uint32)
    frequencies = flat([list(text.values()) for text in texts], np.uint32)
    found_ends = np.cumsum([len(text) for text in texts]).astype(np.int64)
    fields = flat([list(chunk) for chunk in chunks], np.int64)
    expected = join_fields(texts, chunks)
    capacity = sum(len(terms) for terms in expected)
    places, terms = np.zeros(TERMS, np.uint32), np.zeros(capacity, np.uint32)
    joined, ends = np.full((3, capacity), 9, np.uint32), np.zeros(len(chunks), np.int64)
    written = load().join_fields(
        *(found.ctypes.data, frequencies.ctypes.data, len(found), found_ends.ctypes.data, len(texts)),
        *(fields.ctypes.data, len(chunks), 3, places.ctypes.data, TERMS),
        *(terms.ctypes.data, joined.ctypes.data, capacity, ends.ctypes.data),
    )
    assert written == capacity
    assert not places.any()
    got = [
        dict(zip(terms[begin:end].tolist(), map(tuple, joined[:, begin:end].T.tolist()), strict=True))
        for begin, end in zip([0, *ends.tolist()], ends.tolist(), strict=False)
    ]
    assert got == expected
    assert [list(terms) for terms in got] == [list(terms) for terms in expected]


@given(
    st.lists(CHUNK, min_size=1, max_size=6),
    st.lists(st.floats(0.0, 9.0), min_size=TERMS, max_size=TERMS),
    st.lists(st.floats(0.0, 9.0), min_size=3, max_size=3),
    st.data(),
    st.floats(0.01, 10.0),
    st.integers(0, 6),
)
def test_postings_are_placed_as_by_the_twin(
    chunks: list[dict[int, tuple[int, ...]]],
    idf: list[float],
    weights: list[float],
    data: st.DataObject,
    k1: float,
    cut: int,
) -> None:
    """All at once or, as batches come, in two steps."""
    norm = st.lists(st.floats(0.1, 9.0), min_size=len(chunks), max_size=len(chunks))
    norms = [data.draw(norm) for _ in range(3)]
    expected = place_postings(chunks, idf, weights, norms, k1)
    count = len(expected)
    df = [sum(term in chunk for chunk in chunks) for term in range(TERMS)]
    cursors = np.cumsum([0, *df[:-1]]).astype(np.int64)
    postings = np.zeros(count, np.uint64)
    largest = 0
    given_idf, given_weights, given_norms, saturation = map(np.array, (idf, weights, norms, [k1]))
    for first, part in ((0, chunks[:cut]), (min(cut, len(chunks)), chunks[cut:])):
        terms = flat([list(chunk) for chunk in part], np.uint32)
        frequencies = flat([[counts[field] for counts in chunk.values()] for field in range(3) for chunk in part], "I")
        ends = np.cumsum([len(chunk) for chunk in part]).astype(np.int64)
        of_part = load().place_postings(
            *(terms.ctypes.data, frequencies.ctypes.data, len(terms), ends.ctypes.data, len(part), first),
            *(given_idf.ctypes.data, TERMS, given_weights.ctypes.data, given_norms.ctypes.data, len(chunks), 3),
            *(saturation.ctypes.data, cursors.ctypes.data, postings.ctypes.data, count),
        )
        largest = max(largest, of_part)
    of_terms = np.repeat(np.arange(TERMS), df).tolist()
    placed = [(posting >> 32, posting % 2**32) for posting in postings.tolist()]
    assert [(term, *posting) for term, posting in zip(of_terms, placed, strict=True)] == expected
    assert largest == max((impact for _, _, impact in expected), default=0)
