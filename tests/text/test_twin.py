"""Token by token equality with the naive analyser that was written from the rules alone."""

import gzip
import json
import random
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baseline.analyser_twin import TwinAnalyser
from baseline.unicode_facts import IS_PINNED_VERSION
from coldseek_core.text.stop_words import stop_words_of
from text.analysed import analyser
from text.written import MIXED, NOISE, SOUP

pytestmark = pytest.mark.skipif(not IS_PINNED_VERSION, reason="the twin is exact on Python 3.11 only")
LANGUAGES = st.sampled_from(["en", "en", "fr", "zh", "ja", "de", "nb", "none"])


@cache
def twin(language: str) -> TwinAnalyser:
    return TwinAnalyser(language, stop_words_of(language))


def check(text: str, language: str) -> None:
    got = [token.as_tuple() for token in analyser(language).analyse(text)]
    expected = [tuple(token) for token in twin(language).analyse(text)]
    assert got == expected


@settings(max_examples=500)
@given(SOUP, LANGUAGES)
def test_soup_of_identifiers(text: str, language: str) -> None:
    check(text, language)


@settings(max_examples=300)
@given(MIXED, LANGUAGES)
def test_words_of_many_scripts(text: str, language: str) -> None:
    check(text, language)


@settings(max_examples=300)
@given(NOISE, LANGUAGES)
def test_noise(text: str, language: str) -> None:
    check(text, language)


@settings(max_examples=100)
@given(st.text(alphabet="a5कא試\u0301\u0316\u093c\u200d", min_size=20, max_size=80), st.just("en"))
def test_more_marks_than_a_stretch_holds(text: str, language: str) -> None:
    check(text, language)


@pytest.mark.parametrize(
    ("corpus", "language"), [("scifact", "en"), ("k8s-docs", "en"), ("drcd-dev", "zh-TW"), ("cosqa-test", "en")]
)
def test_real_texts(shared_data: Path, corpus: str, language: str) -> None:
    with gzip.open(shared_data / "judged" / corpus / "corpus.jsonl.gz", "rt", encoding="utf-8") as file:
        lines = file.readlines()
    for line in random.Random(4).sample(lines, 200):
        check(json.loads(line)["text"][:1500], language)
