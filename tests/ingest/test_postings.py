"""Postings: BM25F numbers, IDF, order, the blocks of terms, and scoring parameters that cannot be used."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coldseek_core.columns.texts import Texts
from coldseek_core.errors import UsageError
from coldseek_core.ingest.postings import Postings, PostingsBuilder, fixed_point_for
from coldseek_core.search.gate import coverages_of
from coldseek_core.search.settings import DEFAULT_SCORING
from coldseek_core.text.counting import CountedChunks
from kernels.naive import decode_terms, front_code, postings_of

NO_FIELD: tuple[dict[str, int], int] = ({}, 0)

# Counted terms and lengths of five documents, as another system stems and counts them.
FIVE = (
    ({"quick": 1, "brown": 1, "fox": 1, "jump": 1, "lazy": 1, "dog": 1}, 6),
    ({"quantization": 1, "store": 1, "int8": 1, "vector": 1, "base64": 1}, 5),
    ({"rate": 1, "limiting": 1, "token": 1, "bucket": 1}, 4),
    ({"int8": 3, "vector": 2, "small": 1}, 6),
    ({"int8": 1, "long": 1, "document": 1, "once": 1, "music": 1}, 10),
)


def counted(fields: Sequence[tuple[dict[str, int], int]], numbers: dict[str, int]) -> CountedChunks:
    """One chunk, whose terms get numbers as they come."""
    terms = list(dict.fromkeys(term for counts, _ in fields for term in counts))
    frequencies = [[counts.get(term, 0) for term in terms] for counts, _ in fields]
    return CountedChunks(
        ends=np.array([len(terms)], np.int64),
        terms=np.array([numbers.setdefault(term, len(numbers)) for term in terms], np.uint32),
        frequencies=np.array(frequencies, np.uint32).reshape(len(fields), len(terms)),
        lengths=np.array([[length] for _, length in fields], np.uint32),
    )


def finished(chunks: Iterable[Sequence[tuple[dict[str, int], int]]], scoring: dict[str, Any]) -> Postings:
    builder = PostingsBuilder(scoring)
    numbers: dict[str, int] = {}
    for fields in chunks:
        builder.add(counted(fields, numbers))
    return builder.finish(Texts.of(list(numbers)))


def built(bodies: Any, **scoring: Any) -> Postings:
    return finished(([NO_FIELD, NO_FIELD, body] for body in bodies), {**DEFAULT_SCORING, **scoring})


def impacts_of(postings: Postings, term: str) -> dict[int, int]:
    place = list(postings.terms).index(term)
    words = postings.words.tolist()
    held, end = postings_of(words, int(postings.start[place]), int(postings.df[place]))
    assert end in (len(words), *postings.start.tolist())
    return dict(held)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["int8"], {3: 0.852890, 1: 0.585343, 4: 0.430944}),
        (["int8", "quantization"], {1: 2.090841}),
        (["token", "bucket"], {2: 3.243406}),
        (["vector"], {3: 1.214791, 1: 0.950748}),
    ],
)
def test_known_scores(words: list[str], expected: dict[int, float]) -> None:
    postings = built(FIVE)
    unit = 1 / postings.scoring["impact_fixed_point"]
    assert unit == 2.0**-15  # the largest impact is between 1 and 2
    for row, score in expected.items():
        got = sum(impacts_of(postings, word)[row] for word in words) * unit
        # Half a unit for each word, and the sixth digit that the figures are given to.
        assert abs(got - score) <= len(words) * unit / 2 + 5.1e-7


def test_order_of_known_scores() -> None:
    impacts = impacts_of(built(FIVE), "int8")
    assert sorted(impacts, key=lambda row: -impacts[row]) == [3, 1, 4]


def test_known_coverage() -> None:
    postings = built(FIVE)
    idf = dict(zip(postings.terms, postings.idf.tolist(), strict=True))
    assert coverages_of([idf["int8"]], idf["int8"] + idf["quantization"]) == pytest.approx([0.279956], abs=1e-5)
    both = idf["token"] + idf["bucket"]
    assert coverages_of([both], both + postings.scoring["unknown_idf"]) == pytest.approx([0.527359], abs=1e-5)


def test_idf_of_every_frequency_up_to_200_chunks() -> None:
    """Two words of equal df, one of them in the chunk: exactly one half, for every size."""
    for count in range(1, 201):
        postings = built([({f"w{df:03}": 1 for df in range(row + 1, count + 1)}, 1) for row in range(count)])
        assert postings.df.tolist() == list(range(1, count + 1))
        for df, idf in zip(postings.df.tolist(), postings.idf.tolist(), strict=True):
            assert idf == math.floor(math.log(1.0 + (count - df + 0.5) / (df + 0.5)) * 65536.0 + 0.5)
            assert coverages_of([idf], idf + idf) == [0.5]
        unknown = math.floor(math.log(1.0 + (count + 0.5) / 0.5) * 65536.0 + 0.5)
        assert postings.scoring["unknown_idf"] == unknown


def test_a_word_in_every_chunk_still_weighs() -> None:
    """However many chunks hold a word, a question of it alone must not weigh nothing."""
    assert built([({"everywhere": 1}, 1)] * 3).idf.tolist()[0] > 0
    assert built([({"everywhere": 1}, 1)] * 70_000).idf.tolist()[0] > 0


def test_half_of_the_chunks() -> None:
    """Okapi's IDF is 0 at df = N / 2."""
    postings = built([({"copper": 1, "kettle": 1}, 2), ({"iron": 1, "pan": 1}, 2)])
    assert impacts_of(postings, "copper")[0] == math.floor(math.log(2.0) * 65536 + 0.5)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.dictionaries(st.text(min_size=1, max_size=4), st.integers(1, 9), max_size=8), max_size=12),
    st.floats(0.01, 10.0),
    st.floats(0.0, 1.0),
    st.floats(0.0, 20.0),
)
def test_any_counts(chunks: list[dict[str, int]], k1: float, b: float, title_weight: float) -> None:
    chunks = [{term: tf for term, tf in chunk.items() if term.isprintable()} for chunk in chunks]
    scoring = {"k1": k1, "b": [b] * 3, "weights": [title_weight, 1.0, 1.0]}
    postings = finished(([(chunk, 1), NO_FIELD, (chunk, sum(chunk.values()))] for chunk in chunks), scoring)
    fixed_point = postings.scoring["impact_fixed_point"]
    assert list(postings.terms) == sorted({t for chunk in chunks for t in chunk}, key=lambda term: term.encode())
    for term, df in zip(postings.terms, postings.df.tolist(), strict=True):
        impacts = impacts_of(postings, term)
        assert list(impacts) == [row for row, chunk in enumerate(chunks) if term in chunk]
        assert df == len(impacts)
        for row, impact in impacts.items():
            assert impact == max(
                1, math.floor(naive_impact(chunks, row, term, k1, b, title_weight) * fixed_point + 0.5)
            )
    assert_every_term_is_found(postings)


def naive_impact(chunks: list[dict[str, int]], row: int, term: str, k1: float, b: float, title: float) -> float:
    count = len(chunks)
    lengths = ([1] * count, [sum(chunk.values()) for chunk in chunks])
    w = 0.0
    for weight, of_field in zip((title, 1.0), lengths, strict=True):
        average = float(sum(of_field)) / count
        norm = (1.0 - b) + (b * of_field[row]) / average if average > 0.0 else 1.0
        w += (weight * chunks[row][term]) / norm
    df = sum(1 for chunk in chunks if term in chunk)
    idf = math.log(1.0 + (count - df + 0.5) / (df + 0.5))
    return idf * ((w * (k1 + 1.0)) / (w + k1))


def assert_every_term_is_found(postings: Postings) -> None:
    blocks = postings.blocks.blocks.to_arrow().to_pylist()
    terms = [term.encode() for term in postings.terms]
    assert decode_terms(blocks) == terms
    assert (postings.blocks.keys.tolist(), blocks) == front_code(terms)


def test_no_chunks_at_all() -> None:
    postings = PostingsBuilder(DEFAULT_SCORING).finish(Texts.of([]))
    assert (len(postings.terms), postings.words.size, postings.start.size, postings.count) == (0, 0, 0, 0)
    assert len(postings.blocks.blocks) == len(postings.blocks.keys) == 0


def test_a_stop_word_in_a_field_without_length() -> None:
    """b = 1 and a counted length of 0 make a norm of 0: the impact is finite all the same."""
    chunks = [[({"the": 1}, 0), NO_FIELD, ({"word": 1}, 1)], [({"title": 1}, 1), NO_FIELD, ({"word": 1}, 1)]]
    postings = finished(chunks, {"k1": 1.2, "weights": [1, 1, 1], "b": [1, 1, 1]})
    assert 1 <= impacts_of(postings, "the")[0] < 1 << 16


@pytest.mark.parametrize(
    "scoring",
    [
        {"k1": 0},
        {"k1": -1.2},
        {"k1": math.nan},
        {"k1": math.inf},
        {"k1": "high"},
        {"k1": None},
        {"weights": [1.0, 1.0]},
        {"weights": [0.0, 0.0, 0.0]},
        {"weights": [1.0, -1.0, 1.0]},
        {"weights": [1.0, math.nan, 1.0]},
        {"weights": 1.0},
        {"b": [0.5, 0.5, 1.5]},
        {"b": [0.5, 0.5, 0.5, 0.5]},
        {"b": ["a", "b", "c"]},
    ],
)
def test_scoring_that_cannot_be_used(scoring: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        PostingsBuilder({**DEFAULT_SCORING, **scoring})


def test_the_unit_is_the_finest_in_which_the_largest_impact_fits() -> None:
    """Here that is near 6.5 * 11: between 64 and 128."""
    postings = built([({"rare": 5_000_000}, 1)] + [({"other": 1}, 1)] * 1000, k1=10.0)
    assert postings.scoring["impact_fixed_point"] == 512
    impact = impacts_of(postings, "rare")[0]
    assert 1 << 15 <= impact < 1 << 16
    assert impact / 512 == pytest.approx(math.log(1 + 1000.5 / 1.5) * 11, abs=0.01)


@pytest.mark.parametrize(
    ("largest", "expected"),
    [(0.0, 65536), (0.5, 65536), (0.99999, 65536), (0.999995, 32768), (1.0, 32768), (1.99998, 32768), (2.0, 16384)],
)
def test_units(largest: float, expected: int) -> None:
    assert fixed_point_for(largest) == expected
    assert 2**15 <= largest * expected + 0.5 < 2**16 or expected == 65536


def test_no_impact_is_too_large_for_any_unit() -> None:
    """The rarest word among the most chunks, with the largest k1."""
    assert fixed_point_for(math.log(1.0 + 2**32 / 1.5) * 11.0) == 256
