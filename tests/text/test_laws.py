"""Laws that hold for every text."""

import unicodedata
from collections import Counter

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from coldseek_core.kernels.token_layout import PLAIN
from coldseek_core.text import WORD, Analyser
from coldseek_core.text.token import COUNTED_KINDS
from text.analysed import analyser, count, terms, tokens
from text.entered import terms_of
from text.written import TEXTS, WORDS

LANGUAGES = st.sampled_from(["en", "fr", "zh", "none", "ru", "tr"])
PLAIN_WORDS = st.text(alphabet="abcdefghijklmnopqrstuvwxyzéüñ", min_size=1, max_size=12)


@settings(max_examples=300)
@given(TEXTS, LANGUAGES)
def test_spans_lie_in_the_text_and_kinds_are_in_order(text: str, language: str) -> None:
    found = tokens(text, language)
    starts: dict[int, int] = {}
    for token in found:
        assert 0 <= token.start < token.end <= len(text)
        assert 0 < len(token.term) <= 64
        assert token.start >= starts.get(token.kind, 0)
        starts[token.kind] = token.start
    words = [token.word for token in found]
    assert words == sorted(words)
    assert sorted(set(words)) == list(range(len(set(words))))


@settings(max_examples=200)
@given(TEXTS)
def test_source_of_a_word_has_its_term(text: str) -> None:
    """Unless one source character became several words, whose spans are then the same: ½."""
    found = tokens(text)
    for token in found:
        others = [other for other in found if other.word != token.word]
        shared = any(other.start < token.end and token.start < other.end for other in others)
        if token.kind == WORD and not shared:
            assert token.term in terms(text[token.start : token.end])


@settings(max_examples=200)
@given(TEXTS)
def test_canonically_equal_texts_have_the_same_terms(text: str) -> None:
    expected = [(token.term, token.kind, token.stop, token.word) for token in tokens(text)]
    for form in ("NFC", "NFD"):
        other = unicodedata.normalize(form, text)
        assert [(token.term, token.kind, token.stop, token.word) for token in tokens(other)] == expected


@settings(max_examples=200)
@given(TEXTS, LANGUAGES)
def test_count_agrees_with_analyse(text: str, language: str) -> None:
    found = tokens(text, language)
    length = sum(token.kind in COUNTED_KINDS and not token.stop for token in found)
    for _ in range(2):  # from the memo the second time
        assert count(analyser(language), text) == (Counter(token.term for token in found), length)


@settings(max_examples=200)
@given(TEXTS, TEXTS, st.sampled_from([" ", "\n", "\u3000", "\u200b"]))
def test_space_joins_two_analyses(first: str, second: str, space: str) -> None:
    left, right = tokens(first), tokens(second)
    places = len(first) + len(space)
    words = left[-1].word + 1 if left else 0
    moved = [
        (token.term, token.start + places, token.end + places, token.kind, token.stop, token.word + words)
        for token in right
    ]
    expected = [(token.term, token.start, token.end, token.kind, token.stop, token.word) for token in left] + moved
    joined = tokens(first + space + second)
    assert [(token.term, token.start, token.end, token.kind, token.stop, token.word) for token in joined] == expected


@given(PLAIN_WORDS)
def test_case_of_plain_words_does_not_matter(word: str) -> None:
    assume(word[-1] != "s" or len(word) < 3)
    assert terms(word) == terms(word.upper()) == terms(word.capitalize())


@settings(max_examples=150)
@given(st.lists(TEXTS | st.sampled_from(WORDS), max_size=4).map(" ".join), LANGUAGES)
def test_memo_changes_nothing(text: str, language: str) -> None:
    used = analyser(language)
    fresh = Analyser(language)
    first = fresh.analyse(text)
    assert first == fresh.analyse(text) == used.analyse(text)
    assert count(Analyser(language), text) == count(used, text)


@settings(max_examples=200)
@given(st.text(alphabet="aéΑёй\u0301\u0323\u0e31कि\u093c试5", max_size=20))
def test_stripping_marks_twice_is_stripping_once(text: str) -> None:
    once = terms_of([unicodedata.normalize("NFKC", text)], [PLAIN])
    if once[0] is not None:
        assert terms_of([once[0]], [PLAIN]) == once
