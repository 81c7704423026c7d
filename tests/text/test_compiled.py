"""Token by token equality of the compiled analyser with the naive one."""

import gzip
import json
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coldseek_core.columns.texts import Texts
from coldseek_core.kernels.token_layout import AS_IS, PLAIN, TERM_LIMIT, TO_ALIAS, TO_STEM
from coldseek_core.text import Analyser
from coldseek_core.text.term_numbers import TermNumbers
from text.analysed import Counter, analyser, count, count_all
from text.entered import terms_of
from text.naive.analyser import NaiveAnalyser, counted
from text.naive.normalise import strip_marks
from text.written import MIXED, NOISE, SOUP

LANGUAGES = st.sampled_from(["en", "en", "fr", "zh", "ja", "de", "nb", "none", "ru", "el", "tr", "ar", "hi"])
# Every code point, unassigned ones and lone surrogates, too.
ANYTHING = st.text(alphabet=st.characters(exclude_categories=()), max_size=20)
NAMES = st.text(alphabet="aBs'\u2019_-.:#@+/$ 5U\u0301", max_size=30)
MARKED = st.text(alphabet="a5कא試가\u1100\u1161\u11a8\u0301\u0316\u093c\u200d\ud800", max_size=80)
CONTEXTS = ("{} ", "k{}k ", "K{}K5 ", "a{}\u0301.", "試{}試")


@cache
def naive(language: str) -> NaiveAnalyser:
    return NaiveAnalyser(language)


def check(text: str, language: str, compiled: Analyser | None = None) -> None:
    compiled = compiled or analyser(language)
    expected = naive(language).analyse(text)
    assert compiled.analyse(text) == expected
    counts, length = counted(expected)
    got, got_length = count(compiled, text)
    assert (list(got.items()), got_length) == (list(counts.items()), length)


@settings(max_examples=1000)
@given(st.one_of(SOUP, MIXED, NOISE, ANYTHING, NAMES, MARKED), LANGUAGES)
def test_any_text(text: str, language: str) -> None:
    check(text, language)


def check_code_points(codes: "range", language: str) -> None:
    for first in range(0, len(codes), 64):
        for context in CONTEXTS:
            check("".join(context.format(chr(code)) for code in codes[first : first + 64]), language)


def test_code_points_in_contexts() -> None:
    check_code_points(range(0x3100), "en")
    check_code_points(range(0x3100, sys.maxunicode + 1, 211), "en")


@pytest.mark.slow
@pytest.mark.parametrize("plane", range(17))
def test_every_code_point_in_contexts(plane: int) -> None:
    check_code_points(range(plane << 16, (plane + 1) << 16), "en")


CORPORA = [("scifact", "en"), ("k8s-docs", "en"), ("cosqa-test", "en"), ("drcd-dev", "zh-TW")]


def corpus(shared_data: Path, name: str) -> list[str]:
    with gzip.open(shared_data / "judged" / name / "corpus.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line)["text"] for line in file]


@pytest.mark.parametrize(("name", "language"), CORPORA)
def test_some_real_texts(shared_data: Path, name: str, language: str) -> None:
    for text in random.Random(5).sample(corpus(shared_data, name), 60):
        check(text, language)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "language"), CORPORA)
def test_all_real_texts(shared_data: Path, name: str, language: str) -> None:
    for text in corpus(shared_data, name):
        check(text, language)


@settings(max_examples=300)
@given(st.lists(st.one_of(MIXED, ANYTHING), max_size=8), st.sampled_from(["en", "none"]))
def test_texts_counted_together_count_as_alone(texts: list[str], language: str) -> None:
    expected = [counted(naive(language).analyse(text)) for text in texts]
    assert count_all(analyser(language), texts) == expected


@settings(max_examples=50)
@given(st.lists(st.lists(st.one_of(MIXED, NAMES), max_size=4), max_size=6), st.integers(1, 40))
def test_numbers_stay_the_same_where_the_vocabulary_is_always_full(batches: list[list[str]], limit: int) -> None:
    counter = Counter(Analyser("en"), limit)
    for texts in batches + batches:
        assert counter.count(texts) == [counted(naive("en").analyse(text)) for text in texts]


def test_numbers_stay_the_same_where_texts_are_given_more_room() -> None:
    analyser = Analyser("none")
    numbers = TermNumbers(analyser)
    counter = Counter(analyser, 1 << 20, numbers)
    for first in [*range(0, 150_000, 10_000), 0]:
        words = [f"w{number}" for number in range(first, first + 10_000)]
        assert counter.count([" ".join(words)]) == [(dict.fromkeys(words, 1), 10_000)]
    assert list(Texts(*numbers.terms())) == [f"w{number}" for number in range(150_000)]


def test_threads_share_the_numbers_of_terms() -> None:
    texts = [f"word{number % 50} createAskHandler{number} the " * 9 for number in range(600)]
    expected = [counted(naive("en").analyse(text)) for text in texts]
    analyser = Analyser("en")
    numbers = TermNumbers(analyser)
    counters = [Counter(analyser, 300, numbers) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        got = list(pool.map(lambda counter: [counter.count([text])[0] for text in texts], counters))
    assert got == [expected] * 4
    terms = list(Texts(*numbers.terms()))
    assert len(terms) == len(set(terms)) == len(numbers)


@settings(max_examples=50)
@given(st.lists(st.one_of(MIXED, NOISE, NAMES), min_size=2, max_size=6), st.integers(1, 40))
def test_vocabulary_that_is_always_full_changes_nothing(texts: list[str], limit: int) -> None:
    compiled = Analyser("en", memo_limit=limit)
    for text in texts + texts:
        check(text, "en", compiled)


@pytest.mark.parametrize(
    "unit", ["\ufdfa", "aB", "URLs/", "試", "word{} ", "a_", "é{}.", "\u0344", "ǆ", "x" * 99 + " "]
)
def test_texts_that_need_more_room(unit: str) -> None:
    check("".join(unit.format(number) for number in range(3000)), "en", Analyser("en"))


def test_threads_share_an_analyser() -> None:
    shared = Analyser("en", memo_limit=500)
    texts = [f"createAskHandler{number % 700} of naïve word{number} 試{chr(0x4E00 + number)}" for number in range(3000)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(shared.analyse, texts))
    assert found == [naive("en").analyse(text) for text in texts]


@settings(max_examples=300)
@given(st.lists(st.one_of(NOISE, MIXED, ANYTHING), max_size=6), st.booleans())
def test_terms_are_those_of_the_twin(texts: list[str], stemmed: bool) -> None:
    """Of any texts, the stems of some, and with so little room that there are several attempts."""
    modes = [(PLAIN, TO_STEM, TO_ALIAS, AS_IS)[len(text) % 4] for text in texts]
    stems = [text[:-1].replace("\n", "") for text in texts]
    expected: list[str | None] = []
    for text, mode, stem in zip(texts, modes, stems, strict=True):
        term = stem if stemmed and mode in (TO_STEM, TO_ALIAS) else text
        term = term if mode == AS_IS else strip_marks(term)
        is_dropped = not term or (mode == TO_ALIAS and term == strip_marks(text))
        expected.append(None if is_dropped else term[:TERM_LIMIT])
    assert terms_of(texts, modes, stems if stemmed else None) == expected
