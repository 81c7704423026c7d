"""Known facts about terms: those of the system that coldseek replaces, and what users of such systems reported."""

import pytest

from coldseek_core.text import GRAM, WORD
from text.analysed import analyser, count, kept, shown, stops, terms, tokens


def test_question_without_its_stop_words() -> None:
    assert kept("How do I configure the Rate Limits?") == ["configur", "rate", "limit"]


def test_marks_are_stripped() -> None:
    assert terms("Café résumé") == ["cafe", "resume"]
    assert terms("Café") == terms("cafe")


@pytest.mark.parametrize(
    ("one", "other"),
    [("caches", "cache"), ("class", "classes"), ("limits", "limit"), ("analysis", "Analysis"), ("uses", "use")],
)
def test_inflections_meet(one: str, other: str) -> None:
    assert terms(one) == terms(other)


def test_plural_like_words_keep_their_s() -> None:
    assert terms("class status") == ["class", "status"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("createAskHandler()", ["createaskhandler", "creat", "ask", "handler"]),
        ("parseHTMLDocument", ["parsehtmldocument", "pars", "html", "document"]),
    ],
)
def test_humps(text: str, expected: list[str]) -> None:
    assert [term for term in terms(text) if term in expected] == expected


def test_apostrophe_inside_a_word_is_deleted() -> None:
    assert terms("rock'n'roll can't") == ["rocknrol", "cant"]
    for apostrophe in "'\u2019\u02bc\uff07":
        assert [token.term for token in tokens(f"don{apostrophe}t 'quoted'")] == ["dont", "quot"]


def test_stop_words_are_tested_before_stemming() -> None:
    """In the index and in the question alike, so that no word is indexed that a question then drops."""
    assert stops("uses") == []
    assert stops("does") == ["doe"]
    assert kept("does") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("URLs", "N:urls P:url"),
        ("APIs", "N:apis P:api"),
        ("IDs", "N:ids P:id"),
        ("GPUs", "N:gpus P:gpu"),
        ("URLS", "W:url"),
        ("As", "W:as"),
    ],
)
def test_plural_acronyms(text: str, expected: str) -> None:
    assert shown(text) == expected


def test_runs_without_spaces_become_characters_and_pairs() -> None:
    document = terms("延迟重试策略说明", "zh")
    assert document[:5] == ["延", "延迟", "迟", "迟重", "重"]
    for query in ("重试", "策略", "试"):
        assert set(terms(query, "zh")) <= set(document)
    assert [(token.start, token.end) for token in tokens("延迟重试", "zh")][:3] == [(0, 1), (0, 2), (1, 2)]


SPELLINGS = ("max-retry-count", "max_retry_count", "maxRetryCount", "MaxRetryCount", "MAX_RETRY_COUNT")


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_spellings_of_an_identifier_share_whole_and_parts(spelling: str) -> None:
    assert terms(spelling)[0] == "maxretrycount"
    assert terms(spelling)[-3:] == ["max", "retri", "count"]


def test_words_of_an_identifier_are_among_its_terms() -> None:
    assert set(terms("retry budget")) <= set(terms("RetryBudgetPolicy"))
    assert terms("TokenBucketLimiter")[0] == "tokenbucketlimiter"
    assert "tokenbucketlimiter" not in terms("a token, a bucket, then the limiter")


@pytest.mark.parametrize(
    "text", ['where is the "north" bay?', "a:b (c", "-", "{x} NOT", '12" pipe', "AND OR", "*", "~", "^2", "\\", '"']
)
def test_user_text_is_never_syntax(text: str) -> None:
    assert all(token.start < token.end <= len(text) for token in tokens(text))


def test_operators_are_words() -> None:
    assert terms("{x} NOT") == ["x", "not"]
    assert terms('12" pipe') == ["12", "pipe"]
    assert tokens("-") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C", "W:c"),
        ("C++", "W:c++"),
        ("C#", "W:c#"),
        ("F#", "W:f#"),
        (".NET", "N:.net P:net"),
        ("@with", "N:@with P:with"),
    ],
)
def test_names_with_symbols_stay_apart(text: str, expected: str) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize(
    "text", ["🧊", "!!!", "", " ", "\n\t", "—…", "👩‍👩‍👧", "1️⃣"[1:], "\u0301", "\u200b\u200d\ufeff"]
)
def test_text_without_words_has_no_terms(text: str) -> None:
    assert tokens(text) == []
    assert count(analyser(), text) == ({}, 0)


@pytest.mark.parametrize("text", ["🧭compass", "compass🧭", "🧭compass🧊", "compass👩🏽", "compass\u20dd"])
def test_emoji_come_off_words(text: str) -> None:
    assert terms(text) == ["compass"]


def test_words_that_only_look_inflected_and_stop_words_are_indexed() -> None:
    assert terms("redis") == terms("Redis")
    assert terms("int8 mp3s") == ["int8", "mp3s"]
    assert stops("the who") == ["the", "who"]
    assert count(analyser(), "the who") == ({"the": 1, "who": 1}, 0)


def test_one_stray_character_makes_one_gram() -> None:
    (token,) = tokens("試", "zh")
    assert token.as_tuple() == ("試", 0, 1, "GRAM", False, 0)
    assert [token.kind for token in tokens("v試")] == [WORD, GRAM]
