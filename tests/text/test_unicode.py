"""Normalisation on the pinned tables, for every code point of Unicode 14.0."""

import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coldseek_core.text.characters import unicode_tables
from coldseek_core.text.normalise import _nfkc, fold  # pyright: ignore[reportPrivateUsage]
from text.analysed import tokens
from text.written import CHARS

pinned = pytest.mark.skipif(
    unicodedata.unidata_version != "14.0.0", reason=f"this Python has Unicode {unicodedata.unidata_version}"
)
# Code points that this Python and the tables both know, and that later versions of Unicode never change.
ASSIGNED = [
    chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) not in ("Cn", "Cs", "Co")
]
# Of those without a meaning (unassigned, private, lone surrogates) every 61st: they are all treated alike.
OTHERS = [
    chr(code) for code in range(0, sys.maxunicode + 1, 61) if unicodedata.category(chr(code)) in ("Cn", "Cs", "Co")
]


def nfkc(text: str) -> str:
    return "".join(chr(code) for code, _ in _nfkc([(ord(char), 0) for char in text], unicode_tables()))


@pinned
def test_every_code_point_normalises_as_unicode_says() -> None:
    assert [char for char in ASSIGNED if nfkc(char) != unicodedata.normalize("NFKC", char)] == []


@settings(max_examples=400)
@given(st.lists(CHARS, max_size=12).map("".join))
def test_texts_normalise_as_unicode_says(text: str) -> None:
    assert nfkc(text) == unicodedata.normalize("NFKC", text)


@pinned
def test_every_code_point_alone_and_between_letters_folds_as_unicode_says() -> None:
    wrong: list[str] = []
    hyphens, apostrophes = dict.fromkeys("\u2010\u2212", "-"), dict.fromkeys("\u2019\u02bc", "'")
    unified = str.maketrans(hyphens | apostrophes)
    for char in ASSIGNED:
        if char in "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0" or unicode_tables().class_of(ord(char)) & 7 == 6:
            continue
        for text in (char, f"k{char}k"):
            once = unicodedata.normalize("NFKC", text).casefold()
            expected = unicodedata.normalize("NFKC", once).translate(unified)
            if "".join(fold(text).chars) != expected:
                wrong.append(text)
    assert wrong == []


def test_every_code_point_is_analysed_alone_and_between_letters() -> None:
    known = ASSIGNED + OTHERS
    for first in range(0, len(known), 64):
        chars = known[first : first + 64]
        for text in (" ".join(chars), "".join(f" k{char}k" for char in chars)):
            for token in tokens(text, "none"):
                assert token.term
                assert 0 <= token.start < token.end <= len(text)


def test_private_unassigned_and_surrogate_code_points_separate() -> None:
    for char in ("\ud800", "\udfff", "\ue000", "\U0010ffff", "\u0378", "\ufffe"):
        assert [token.term for token in tokens(f"ka{char}ku", "none")] == ["ka", "ku"]
