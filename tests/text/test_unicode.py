"""Normalisation on the pinned tables, for every code point of Unicode 14.0, by the naive analyser.

The compiled one is equal to it: see test_compiled.
"""

import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from text.analysed import tokens
from text.naive.characters import CLASS_MASK, IGNORABLE, class_of
from text.naive.normalise import fold
from text.naive.normalise import nfkc as nfkc_of_pairs
from text.written import CHARS

pinned = pytest.mark.skipif(
    unicodedata.unidata_version != "14.0.0", reason=f"this Python has Unicode {unicodedata.unidata_version}"
)


def is_one_of_thousands(char: str) -> bool:
    name = unicodedata.name(char, "")
    return name.startswith(("CJK UNIFIED IDEOGRAPH", "HANGUL SYLLABLE", "TANGUT IDEOGRAPH", "EGYPTIAN HIEROGLYPH"))


# Code points that this Python and the tables both know, and that later versions of Unicode never change.
ASSIGNED = [
    chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) not in ("Cn", "Cs", "Co")
]
# Ideographs, Hangul syllables, and what has no meaning (unassigned, private, lone surrogates) are each treated alike:
# where every code point would take long, every 61st of those stands for all.
SAMPLED = [char for char in ASSIGNED if ord(char) % 61 == 0 or not is_one_of_thousands(char)]
OTHERS = [
    chr(code) for code in range(0, sys.maxunicode + 1, 61) if unicodedata.category(chr(code)) in ("Cn", "Cs", "Co")
]


def nfkc(text: str) -> str:
    return "".join(chr(code) for code, _ in nfkc_of_pairs([(ord(char), 0) for char in text]))


@pinned
def test_every_code_point_normalises_as_unicode_says() -> None:
    assert [char for char in ASSIGNED if nfkc(char) != unicodedata.normalize("NFKC", char)] == []


@settings(max_examples=400)
@given(st.lists(CHARS, max_size=12).map("".join))
def test_texts_normalise_as_unicode_says(text: str) -> None:
    assert nfkc(text) == unicodedata.normalize("NFKC", text)


@pinned
@pytest.mark.parametrize("chars", [SAMPLED, pytest.param(ASSIGNED, marks=pytest.mark.slow)], ids=["sampled", "every"])
def test_code_points_alone_and_between_letters_fold_as_unicode_says(chars: list[str]) -> None:
    wrong: list[str] = []
    hyphens, apostrophes = dict.fromkeys("\u2010\u2212", "-"), dict.fromkeys("\u2019\u02bc", "'")
    unified = str.maketrans(hyphens | apostrophes)
    for char in chars:
        if class_of(ord(char)) & CLASS_MASK == IGNORABLE:
            continue
        for text in (char, f"k{char}k"):
            once = unicodedata.normalize("NFKC", text).casefold()
            expected = unicodedata.normalize("NFKC", once).translate(unified)
            if "".join(fold(text).chars) != expected:
                wrong.append(text)
    assert wrong == []


@pytest.mark.parametrize("chars", [SAMPLED, pytest.param(ASSIGNED, marks=pytest.mark.slow)], ids=["sampled", "every"])
def test_code_points_alone_and_between_letters_are_analysed(chars: list[str]) -> None:
    known = chars + OTHERS
    for first in range(0, len(known), 64):
        group = known[first : first + 64]
        for text in (" ".join(group), "".join(f" k{char}k" for char in group)):
            for token in tokens(text, "none"):
                assert token.term
                assert 0 <= token.start < token.end <= len(text)


def test_private_unassigned_and_surrogate_code_points_separate() -> None:
    for char in ("\ud800", "\udfff", "\ue000", "\U0010ffff", "\u0378", "\ufffe"):
        assert [token.term for token in tokens(f"ka{char}ku", "none")] == ["ka", "ku"]
