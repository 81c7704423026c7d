"""A memo of runs changes no token, no text of the vocabulary and no order, and the naive twin says the same."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coldseek_core.text import Analyser
from coldseek_core.text.workspace import Workspace
from text.analysed import Counter, analyser
from text.naive.analyser import NaiveAnalyser, counted
from text.written import IGNORABLE, JAMO, MARKS, NOISE, SOUP, SYMBOLS, WORDS

LANGUAGES = st.sampled_from(["en", "fr", "zh", "none", "ru"])
MOST = 1 << 20
# Runs: words and symbols that cut them, or join them, or stand at their ends; what may not be torn from them.
ENDS = st.text(alphabet=SYMBOLS + "\u0338\u0301\u1161\x00\x7f" + MARKS[:4] + IGNORABLE[:3], max_size=3)
PARTS = st.one_of(
    st.sampled_from(WORDS),
    SOUP,
    NOISE,
    st.text(alphabet=SYMBOLS + "aB5é試" + JAMO, max_size=8),
    st.integers(1, 130).map(lambda size: ("word" * 40)[:size]),
    st.integers(1, 40).map(lambda size: "é試"[size % 2] * size),
    st.just("\ufdfa" * 20),
    st.just("\ud800"),
)
RUNS = st.tuples(ENDS, PARTS, ENDS).map("".join)


@st.composite
def repetitive(draw: st.DrawFn) -> str:
    """A few runs again and again, long enough for the memo."""
    runs = draw(st.lists(RUNS, min_size=1, max_size=8))
    spaces = st.sampled_from([*" \n\t\u00a0\u200b\u2028", "  ", "", "(", "=", ", "])
    chosen = draw(st.lists(st.tuples(st.sampled_from(runs), spaces), min_size=8, max_size=60))
    return "".join(run + space for run, space in chosen) + draw(st.sampled_from(["", " " * 90, "end " * 25]))


TEXTS = repetitive()


def workspaces(language: str, texts: int) -> tuple[Workspace, Workspace]:
    """With room for so many texts at first: one without a memo, and one with it."""
    plain, fast = (analyser(language).new_workspace(texts, 16 * texts, memo) for memo in (False, True))
    return plain, fast


def written(workspace: Workspace, texts: Sequence[str], limit: int) -> Iterator[tuple[Any, ...]]:
    """All that the kernel writes, text by text."""
    for text in texts:
        count = workspace.tokenise(text, limit)
        columns = (workspace.entries, workspace.starts, workspace.ends, workspace.kinds, workspace.words)
        names, numbers = workspace.vocabulary.names, workspace.vocabulary.numbers.view
        known = workspace.vocabulary.text_count
        yield (*(column.view[:count].tolist() for column in columns), list(names), numbers[:known].tolist())


def named(columns: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """The tokens with their terms, None for those that are dropped."""
    entries, *others, names, numbers = columns
    terms = [names[numbers[entry]] if numbers[entry] >= 0 else None for entry in entries]
    return list(zip(terms, *others, strict=True))


@settings(max_examples=150)
@given(st.lists(TEXTS, min_size=1, max_size=4), LANGUAGES)
def test_the_memo_changes_nothing(texts: list[str], language: str) -> None:
    plain, fast = workspaces(language, 1 << 12)
    assert list(written(fast, texts + texts, MOST)) == list(written(plain, texts + texts, MOST))


@settings(max_examples=100)
@given(st.lists(TEXTS, min_size=1, max_size=4), st.integers(1, 60))
def test_nor_does_it_where_the_vocabulary_is_begun_anew(texts: list[str], limit: int) -> None:
    plain, fast = workspaces("en", limit)
    for got, expected in zip(written(fast, texts * 2, limit), written(plain, texts * 2, limit), strict=True):
        assert named(got) == named(expected)  # entries may differ: the memo needs less room, so it lasts longer


@cache
def naive(language: str) -> NaiveAnalyser:
    return NaiveAnalyser(language)


@settings(max_examples=100)
@given(st.lists(TEXTS, max_size=3), st.sampled_from(["en", "none", "zh"]))
def test_the_naive_twin_counts_the_same(texts: list[str], language: str) -> None:
    counter = Counter(Analyser(language))
    expected = [counted(naive(language).analyse(text)) for text in texts]
    for _ in range(2):
        assert counter.count(texts) == expected


@pytest.mark.parametrize("code", [*range(33), *(ord(symbol) for symbol in SYMBOLS), 0x7F, 0x85, 0x338, 0x1161, 0x3000])
def test_every_symbol_at_every_place_of_a_run(code: int) -> None:
    symbol = chr(code)
    runs = [f"{symbol}a", f"a{symbol}", f"a{symbol}b", f"a{symbol}{symbol}b", f"_{symbol}a", f"a{symbol}_", symbol]
    runs += [f"{symbol}{other}a{other}{symbol}" for other in (*SYMBOLS, "\u0338", "\u1161", "é")]
    text = " ".join(runs)
    plain, fast = workspaces("en", 1 << 12)
    assert list(written(fast, [text] * 2, MOST)) == list(written(plain, [text] * 2, MOST))


def test_runs_are_taken_from_the_memo() -> None:
    """Of a run that is met again nothing is looked up: what the memo says is believed."""
    workspace = Analyser("none").new_workspace(memo=True)
    text = "first second " * 20
    workspace.tokenise(text, MOST)
    log = workspace._memo_log.view  # pyright: ignore[reportPrivateUsage]
    entries = [workspace.entries.view[order] for order in (0, 1)]
    assert entries == [0, 1]
    heads = [place for place, number in enumerate(log[:-1]) if number == 0 | 0 << 32 | 5 << 48]
    assert heads, "the token of the first run is there"
    log[heads[0]] |= 1
    workspace.tokenise(text, MOST)
    assert list(workspace.entries.view[:4]) == [1, 1, 1, 1]
