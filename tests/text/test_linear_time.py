"""No text costs more than its length: 200 KB of one hostile piece are done in well under two seconds."""

import time

import pytest

from coldseek_core.text import Analyser

SIZE = 200_000  # bytes of UTF-8
PIECES = {
    "letters": "a",
    "capitals": "A",
    "humps": "aB",
    "accents": "é",
    "digits": "7",
    "Han": "試",
    "Kana and Han": "かa試",
    "Thai with marks": "ที่",
    "marks alone": "\u0301",
    "marks of falling order": "\u0301\u0316",
    "ignorable": "\u200d",
    "underscores": "_",
    "underscores and dots": "_.",
    "hashes": "#",
    "dots": ".",
    "colons": ":",
    "plus signs": "+",
    "apostrophes": "'",
    "joined letters": "a.",
    "joined by underscores": "a_",
    "joined by hyphens": "a-",
    "letters and hashes": "a#",
    "letters and apostrophes": "a'",
    "plural acronyms": "URLs/",
    "Hangul parts": "\u1112\u1161\u11ab",
    "vowels of Hangul": "\u1161",
    "Devanagari": "क\u093c\u094d",
    "unassigned": "\u0378",
    "surrogates": "\ud800",
}
# One letter or digit that carries all the marks.
BEARERS = {"Latin": "a", "digit": "5", "Devanagari": "क", "Hebrew": "\u05d0", "Han": "試", "Greek": "α"}


def seconds(text: str, language: str = "en") -> float:
    analyser = Analyser(language)
    started = time.process_time()
    analyser.analyse(text)
    return time.process_time() - started


@pytest.mark.parametrize("name", PIECES)
def test_piece_of_one_kind(name: str) -> None:
    unit = PIECES[name]
    assert seconds(unit * (SIZE // len(unit.encode("utf-8", "surrogatepass")))) < 4.0


def test_characters_that_become_18() -> None:
    assert seconds("\ufdfa" * (SIZE // 18)) < 4.0


@pytest.mark.parametrize("name", BEARERS)
def test_many_marks_on_one_character(name: str) -> None:
    """16,000 marks of two combining classes in turn, which sorting by insertion takes seconds for."""
    assert seconds(BEARERS[name] + "\u0301\u0316" * 8_000) < 0.8


@pytest.mark.parametrize("language", ["tr", "hu", "ar", "hi"])
def test_long_words_of_other_stemmers(language: str) -> None:
    for unit in ("a", "i", "ال", "ने", "ов"):
        assert seconds(unit * 10_000, language) < 2.0
