"""What people really type: words in few or all chunks, syntax, symbols, repeats, very long queries, stop words."""

import time
from pathlib import Path

import pytest

from search.test_conformance import engine_of

ODD = ['where is the "north" bay?', "a:b (c", "-", "{x} NOT", '12" pipe', "AND OR", "*", "a~2^3", "\\", "'; DROP", "\0"]
ODD += ["", " ", "🧊", "!!!", "\ud800", "\ufeff", "\u202e", "a\u0301" * 500, "-" * 5000, "a." * 2000, "x" * 100_000]


def test_small_corpora(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, ["copper kettle", "iron pan"])
    (hit,) = engine.search("copper").hits
    assert hit.keyword_score == pytest.approx(0.6931, abs=1e-4)
    engine = engine_of(tmp_path / "all", ["lamp"] * 3)
    assert [hit.row for hit in engine.search("lamp").hits] == [0, 1, 2]
    assert all(hit.keyword_score > 0 for hit in engine.search("lamp").hits)


def test_only_real_matches(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, ["a b", "b", "b c c", "quartz"])
    assert [hit.row for hit in engine.search("quartz", top_k=50).hits] == [3]
    scores = [hit.score for hit in engine.search("b", top_k=4).hits]
    assert len(scores) == 3
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("query", ODD, ids=range(len(ODD)))
def test_raw_text_is_never_syntax(tmp_path: Path, query: str) -> None:
    engine = engine_of(tmp_path, ["the north bay", "a b c", "12 pipe not"], [[1.0], [-1.0], [0.0]], "en")
    for mode in ("lexical", "hybrid", "semantic"):
        engine.search(query, mode=mode, vector=[1.0])
        engine.retrieve(query, mode=mode, vector=[-1.0], min_similarity=1.0)
    if query.startswith("where"):
        assert engine.search(query).hits[0].row == 0


def test_the_whole_outranks_scattered_parts(tmp_path: Path) -> None:
    texts = ["TokenBucketLimiter", "a token, a bucket, then the limiter", "other words"]
    hits = engine_of(tmp_path, texts, language="en").search("TokenBucketLimiter").hits
    assert [hit.row for hit in hits] == [0, 1]
    assert hits[0].keyword_score > hits[1].keyword_score


def test_a_repeated_word_counts_once(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, ["lamp shade", "lamp lamp", "shade"])
    once, often = engine.search("lamp"), engine.search("lamp " * 40)
    assert [(hit.row, hit.score) for hit in once.hits] == [(hit.row, hit.score) for hit in often.hits]


def test_a_very_long_query_is_trimmed_in_good_time(tmp_path: Path) -> None:
    trace = "\n".join(f"at com.example.Class{i}.method{i}(File{i}.java:{i})" for i in range(4500))
    assert len(trace) > 200_000
    engine = engine_of(tmp_path, ["Class7 method7", "unrelated"], language="en")
    begin = time.perf_counter()
    result = engine.search(trace)
    assert time.perf_counter() - begin < 5.0
    assert result.trimmed_terms > 0
    assert result.to_dict()["trimmedTerms"] == result.trimmed_terms
    assert engine.retrieve(trace).trimmed_terms == result.trimmed_terms
    assert engine.search("Class7").trimmed_terms == 0


@pytest.mark.parametrize("query", ["🧊", "!!!", "", "  \n", "--"])
def test_no_searchable_words(tmp_path: Path, query: str) -> None:
    engine = engine_of(tmp_path, ["compass", "🧊"])
    assert engine.search(query).hits == []
    refusal = engine.retrieve(query, min_keyword_coverage=0.0).refusal
    assert refusal is not None
    assert (refusal.reason, refusal.unknown_words, refusal.smallest_change()) == ("no_searchable_words", [], None)


def test_emoji_do_not_stick_to_words(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, ["the 🧭compass points", "map"])
    assert engine.search("compass").hits[0].row == engine.search("🧭compass🧭").hits[0].row == 0


@pytest.mark.parametrize("query", ["kubernetes", "redis", "does", "the who", "organic", "dont", "don't"])
def test_stems_and_stop_words(tmp_path: Path, query: str) -> None:
    texts = ["kubernetes", "redis cache", "what it does", "the who", "organic food", "organize this", "don't"]
    row = {"kubernetes": 0, "redis": 1, "does": 2, "the who": 3, "organic": 4, "dont": 6, "don't": 6}[query]
    engine = engine_of(tmp_path, texts, language="en")
    assert engine.search(query).hits[0].row == row
    answer = engine.retrieve(query)
    assert answer.answerable
    assert answer.hits[0].keyword_coverage == 1.0


def test_chunks_that_begin_alike_are_all_kept(tmp_path: Path) -> None:
    start = "shared words " * 30
    engine = engine_of(tmp_path, [start + "one", start + "two", start + "two"], [[1.0, 0.1], [1.0, 0.2], [1.0, 0.2]])
    for mode in ("hybrid", "lexical", "semantic"):
        rows = [hit.row for hit in engine.search("shared two", mode=mode, vector=[1.0, 0.0]).hits]
        assert sorted(rows) == [0, 1, 2]
