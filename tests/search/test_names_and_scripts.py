"""Names and scripts without spaces, from a question to its hits: each spelling and each short word finds its text."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from coldseek_core.search.engine import SearchEngine
from search.test_conformance import engine_of

Finder = Callable[[str], list[str]]


def finder(engine: SearchEngine, texts: Sequence[str]) -> Finder:
    """The texts that a query finds by keywords, best first."""
    return lambda query: [texts[hit.row] for hit in engine.search(query, mode="lexical", top_k=50).hits]


UNSPACED = ["延迟重试策略说明", "再試行ポリシーの説明", "재시도 정책 안내", "นโยบายการลองใหม่", "部署到页面"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("重试", 0),
        ("策略", 0),
        ("试", 0),
        ("延迟重试", 0),
        ("試行", 1),
        ("ポリシー", 1),
        ("재시도", 2),
        ("정책", 2),
        ("ลองใหม่", 3),
        ("页面", 4),
    ],
)
@pytest.mark.parametrize("language", ["en", "zh", "none"])
def test_a_word_of_two_characters_finds_the_run_that_holds_it(
    tmp_path: Path, query: str, found: int, language: str
) -> None:
    engine = engine_of(tmp_path, UNSPACED, language=language)
    assert finder(engine, UNSPACED)(query) == [UNSPACED[found]]
    answer = engine.retrieve(query)
    assert [hit.chunk.text for hit in answer.hits] == [UNSPACED[found]]


NAMES = ["max-retry-count", "max_retry_count", "maxRetryCount", "RetryBudgetPolicy", "process.env.NODE_ENV"]


@pytest.mark.parametrize(
    "query",
    ["max-retry-count", "max_retry_count", "maxRetryCount", "MaxRetryCount", "MAX_RETRY_COUNT", "maxretrycount"],
)
def test_each_spelling_of_a_name_finds_all_of_them_first(tmp_path: Path, query: str) -> None:
    found = finder(engine_of(tmp_path, NAMES, language="en"), NAMES)(query)
    assert set(found[:3]) == set(NAMES[:3])


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("retry budget", 3),
        ("RetryBudgetPolicy", 3),
        ("retrybudgetpolicy", 3),
        ("retry-budget-policy", 3),
        ("budget", 3),
        ("node env", 4),
        ("NODE_ENV", 4),
        ("process.env.NODE_ENV", 4),
    ],
)
def test_a_name_is_found_by_its_words_and_as_a_whole(tmp_path: Path, query: str, first: int) -> None:
    assert finder(engine_of(tmp_path, NAMES, language="en"), NAMES)(query)[0] == NAMES[first]


LANGUAGES = ["C language", "C++ language", "C# language", "F# language", ".NET language"]


@pytest.mark.parametrize("text", LANGUAGES)
def test_names_that_differ_in_a_symbol_find_their_own(tmp_path: Path, text: str) -> None:
    find = finder(engine_of(tmp_path, LANGUAGES, language="en"), LANGUAGES)
    name = text.split()[0]
    assert find(name) == [text], "no other one holds it"
    assert find(name.lower()) == [text]
    assert find(text)[0] == text
