"""Keyword scores and coverage of the baseline, against known numbers and small cases worked by hand."""

import math
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baseline.analyser_twin import TwinAnalyser
from baseline.inverted import InvertedIndex
from baseline.query import resolve
from baseline.search import BaselineSearch
from baseline.settings import Settings
from baseline.tokens import Token

UNIT = 2**16
STOPS = frozenset({"the", "over", "in", "with", "a", "are", "very", "about", "many", "such", "as", "and", "also"})
FIVE = [
    "the quick brown fox jump over the lazy dog",
    "quantization store int8 vector in base64",
    "rate limiting with a token bucket",
    "int8 int8 int8 vector vector are small",
    "a very long document about many unrelated thing such as cooking gardening travel music and also int8 once",
]


def word_tokens(text: str, stops: frozenset[str] = frozenset()) -> list[Token]:
    """One WORD for every term between spaces."""
    return [Token(term, 0, len(term), "WORD", term in stops, order) for order, term in enumerate(text.split())]


def index_of(texts: list[str], settings: Settings | None = None) -> BaselineSearch:
    return BaselineSearch([([], [], word_tokens(text, STOPS)) for text in texts], settings=settings)


def test_lengths_leave_stop_words_out() -> None:
    assert index_of(FIVE).inverted.average_lengths == [0.0, 0.0, 31 / 5]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("int8", [(3, 0.852890), (1, 0.585343), (4, 0.430944)]),
        ("int8 quantization", [(1, 2.090841), (3, 0.852890), (4, 0.430944)]),
        ("token bucket weather", [(2, 3.243406)]),
        ("vector", [(3, 1.214791), (1, 0.950748)]),
        ("weather forecast", []),
        ("int8 int8 int8", [(3, 0.852890), (1, 0.585343), (4, 0.430944)]),
    ],
)
def test_known_scores(query: str, expected: list[tuple[int, float]]) -> None:
    index = index_of(FIVE)
    unit = index.inverted.impact_unit
    assert unit == 2**15  # the largest impact is between 1 and 2
    hits = index.search(word_tokens(query), mode="lexical").hits
    assert [hit.row for hit in hits] == [row for row, _ in expected]
    for hit, (_, score) in zip(hits, expected, strict=True):
        # Half a unit for every word, and half of the last digit shown.
        assert abs(hit.keyword_score / unit - score) <= 0.5 * len(query.split()) / unit + 5e-7


def test_known_coverage() -> None:
    hits = index_of(FIVE).search(word_tokens("int8 quantization"), mode="lexical").hits
    assert [hit.keyword_coverage for hit in hits[1:]] == pytest.approx([0.279956] * 2, abs=1e-5)
    hit = index_of(FIVE).search(word_tokens("token bucket weather"), mode="lexical").hits[0]
    assert hit.keyword_coverage == pytest.approx(0.527359, abs=1e-5)


@pytest.mark.parametrize("chunks", range(6, 200))
def test_half_the_words_is_exactly_half_the_coverage(chunks: int) -> None:
    # N = 9, df = 3 is the smallest case that single precision gets wrong.
    texts = ["left", "left", "left", "right", "right", "right", *["other"] * (chunks - 6)]
    found = index_of(texts).retrieve(word_tokens("left right"), min_keyword_coverage=0.5)
    assert found.best.keyword_coverage == 0.5
    assert [hit.row for hit in found.hits] == [0, 1, 2, 3, 4, 5]


def test_a_word_in_every_chunk_still_scores() -> None:
    hits = index_of(["copper kettle", "iron pan"]).search(word_tokens("copper"), mode="lexical").hits
    assert hits[0].keyword_score == math.floor(math.log(2.0) * UNIT + 0.5)
    hits = index_of(["lamp"] * 3).search(word_tokens("lamp"), mode="lexical", top_k=50).hits
    assert [hit.row for hit in hits] == [0, 1, 2]
    assert hits[0].keyword_score > 0


def test_only_real_matches_are_hits() -> None:
    index = index_of(["iron", "pan", "kettle", "quartz"])
    assert [hit.row for hit in index.search(word_tokens("quartz"), top_k=50).hits] == [3]
    assert index.search([], top_k=50).hits == []
    assert index_of([]).search(word_tokens("quartz")).hits == []


def test_fields_are_weighted_and_normed_apart() -> None:
    settings = Settings(weights=(3.0, 2.0, 1.0), b=(0.5, 0.25, 0.75))
    chunks = [
        (word_tokens("amber"), word_tokens("amber light"), word_tokens("amber amber lamp")),
        ([], word_tokens("dark"), word_tokens("lamp")),
    ]
    inverted = InvertedIndex(chunks, settings)
    postings = inverted.postings["amber"]
    title = 3.0 * 1 / (0.5 + 0.5 * 1 / 0.5)
    headings = 2.0 * 1 / (0.75 + 0.25 * 2 / 1.5)
    body = 1.0 * 2 / (0.25 + 0.75 * 3 / 2.0)
    weight = title + headings + body
    expected = math.log(1 + 1.5 / 1.5) * weight * 2.2 / (weight + 1.2) * inverted.impact_unit
    assert postings.rows.tolist() == [0]
    assert abs(postings.impacts[0] - expected) <= 0.5 + 1e-6


def test_filter_keeps_idf_and_limits_rows() -> None:
    index = index_of(FIVE)
    everywhere = {hit.row: hit.keyword_score for hit in index.search(word_tokens("int8")).hits}
    filtered = index.search(word_tokens("int8"), rows=frozenset({1, 4, 77})).hits
    assert [(hit.row, hit.keyword_score) for hit in filtered] == [(1, everywhere[1]), (4, everywhere[4])]


CORPORA = st.lists(st.lists(st.sampled_from("uvwxyz"), max_size=8).map(" ".join), max_size=30)


@given(CORPORA, st.lists(st.sampled_from("tuvwxyz"), max_size=5), st.integers(1, 60))
def test_scores_are_sums_in_the_stated_order(texts: list[str], query: list[str], top_k: int) -> None:
    expected: list[tuple[int, int]] = []
    index = index_of(texts)
    lengths = [len(text.split()) for text in texts]
    for row, text in enumerate(texts):
        score = 0
        for term, tf in Counter(text.split()).items():
            if term in query:
                df = sum(term in other.split() for other in texts)
                norm = (1.0 - 0.75) + (0.75 * lengths[row]) / (sum(lengths) / len(texts))
                weight = (1.0 * tf) / norm
                idf = math.log(1.0 + (len(texts) - df + 0.5) / (df + 0.5))
                score += max(1, math.floor(idf * ((weight * 2.2) / (weight + 1.2)) * index.inverted.impact_unit + 0.5))
        if score:
            expected.append((-score, row))
    hits = index.search(word_tokens(" ".join(query)), mode="lexical", top_k=top_k).hits
    assert [(-hit.keyword_score, hit.row) for hit in hits] == sorted(expected)[: min(top_k, 50)]


# From a query to terms.

TWIN = TwinAnalyser("en", frozenset({"the", "who"}))


def weighed(query: str, *texts: str) -> tuple[set[str], set[str]]:
    """(scored terms, terms that coverage weighs)."""
    index = InvertedIndex([([], [], TWIN.analyse(text)) for text in texts], Settings())
    resolved = resolve(TWIN.analyse(query), index)
    return set(resolved.scored), set(resolved.weights)


@pytest.mark.parametrize(
    ("query", "text", "scored", "weights"),
    [
        ("the lamp", "the lamp", {"lamp"}, {"lamp"}),
        ("the who", "the who", {"the", "who"}, {"the", "who"}),
        ("lamp zinc", "lamp", {"lamp"}, {"lamp", "zinc"}),
        # A known name counts alone, in each of its spellings; its parts are scored too.
        ("max-retry", "max_retry", {"maxretri", "max", "retri"}, {"maxretri"}),
        ("process.env", "process.env", {"process.env", "process", "env"}, {"process.env"}),
        # An unknown loose one is its parts, another one counts beside them.
        ("max-retry", "max", {"max"}, {"max", "retri"}),
        ("max_retry", "max", {"max"}, {"maxretry", "max", "retri"}),
        # With a prefix the first name has no alias of its own, and a segment's name never counts.
        (
            "@scope/barBaz",
            "scope/barBaz",
            {"scope/barbaz", "scope", "barbaz", "bar", "baz"},
            {"@scope/barbaz", "scope", "bar", "baz"},
        ),
        # Grams.
        ("重", "重试", {"重"}, {"重"}),
        ("重试", "重试", {"重试"}, {"重试"}),
        ("重试策", "重试", {"重试", "试"}, {"重试", "试", "策"}),
        ("策试", "试重策", {"策", "试"}, {"策", "试"}),
    ],
)
def test_scored_and_weighed_terms(query: str, text: str, scored: set[str], weights: set[str]) -> None:
    found_scored, found_weights = weighed(query, text)
    if query == "max-retry" and text == "max_retry":
        # The stem of the name is its general form, and the name as it stands is scored beside it.
        scored = scored | {"maxretry"}
    assert found_scored == scored
    assert found_weights == weights


def test_the_name_of_an_identifier_outranks_its_scattered_parts() -> None:
    texts = ["TokenBucketLimiter", "a token, a bucket, then the limiter"]
    index = BaselineSearch([([], [], TWIN.analyse(text)) for text in texts])
    hits = index.search(TWIN.analyse("TokenBucketLimiter"), mode="lexical").hits
    assert [hit.row for hit in hits] == [0, 1]
    assert [hit.keyword_coverage for hit in hits] == [1.0, 0.0]


@pytest.mark.parametrize("query", ["C", "C++", "C#", "F#", ".NET"])
def test_names_with_symbols_find_their_own(query: str) -> None:
    names = ["C", "C++", "C#", "F#", ".NET"]
    index = BaselineSearch([([], [], TWIN.analyse(f"about {name} here")) for name in names])
    assert names[index.search(TWIN.analyse(query)).hits[0].row] == query


def test_a_very_long_query_is_cut() -> None:
    texts = [f"w{number} common" for number in range(2000)]
    index = index_of(texts)
    query = "common " + " ".join(f"w{number}" for number in range(2000)) + " zinc"
    resolved = resolve(word_tokens(query), index.inverted)
    assert resolved.cut_terms == 2002 - 1024
    assert "zinc" in resolved.weights
    assert "common" not in resolved.weights
    assert resolved.scored == sorted(resolved.scored, key=lambda term: int(term[1:]))
    assert set(resolved.scored) == set(sorted(f"w{number}" for number in range(2000))[:1023])


def test_unknown_words_are_spans_of_the_query() -> None:
    query = "the lamp zinc max-retry max_size zinc 重试 策略"
    index = InvertedIndex([([], [], TWIN.analyse("lamp max 重"))], Settings())
    spans = resolve(TWIN.analyse(query), index).unknown_words
    words = ["zinc", "retry", "max_size", "试", "策", "略"]
    assert [query[start:end] for start, end in spans] == words


@pytest.mark.parametrize(
    ("query", "words"),
    [
        # Spellings of one name are one word, and its parts are not listed beside it.
        ("maxRetry max_retry", ["maxRetry"]),
        ("maxRetryCount maxretry_count", ["maxRetryCount"]),
        ("max-retry max_retry", ["max", "retry", "max_retry"]),
        ("max_retry retry", ["max_retry"]),
        ("Zinc zinc ZINC", ["Zinc"]),
        ("策略策", ["策", "略"]),
        ("lamp known_name the", []),
        # Two units of one span are one word.
        ("กำ", ["กำ", "ำ"]),
    ],
)
def test_unknown_words_are_listed_once(query: str, words: list[str]) -> None:
    index = InvertedIndex([([], [], TWIN.analyse("lamp known-name"))], Settings())
    spans = resolve(TWIN.analyse(query), index).unknown_words
    assert [query[start:end] for start, end in spans] == words


def test_a_known_name_of_an_unknown_alias_counts_with_its_own_weight_beside_its_parts() -> None:
    tokens = [
        Token("foobars", 0, 7, "NAME", False, 0),
        Token("foobar", 0, 7, "ALIAS", False, 0),
        Token("foo", 0, 3, "PART", False, 0),
        Token("bar", 3, 7, "PART", False, 0),
    ]
    index = InvertedIndex([([], [], tokens[:1]), ([], [], [])], Settings())
    resolved = resolve(tokens, index)
    known = math.floor(math.log(2.0) * UNIT + 0.5)
    unknown = math.floor(math.log(1.0 + 2.5 / 0.5) * UNIT + 0.5)
    assert resolved.weights == {"foobars": known, "foo": unknown, "bar": unknown}
    assert resolved.unknown_words == [(0, 3), (3, 7)]
    assert resolved.scored == ["foobars"]


def test_coverage_is_the_rounded_ratio_of_integers() -> None:
    hit = index_of(FIVE).search(word_tokens("int8 quantization"), mode="lexical").hits[1]
    assert hit.keyword_coverage == float(Fraction(hit.covered, hit.total))
