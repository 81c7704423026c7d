"""Matches: code points of the chunk's text, distinctive words only, characters of one run together."""

from pathlib import Path

import pytest

from coldseek_core.columns.reader import IndexFiles
from coldseek_core.ingest.documents import Chunk, Document
from coldseek_core.search.engine import SearchEngine
from coldseek_core.search.highlighting import matches_in
from coldseek_core.text import Analyser
from search.worlds import write_documents

DOCUMENTS = {
    "cjk": "延迟重试策略说明",
    "evil": "<img src=x onerror=1> amber <mark>",
    "words": "The ﬁnal Ⅷ deployments are deployed to 🧭 CAFÉS and the café, by createAskHandler.",
    "stops": "To be, or not to be: that is the question.",
    "mixed": "retry/backoff of max_retry_count with 重试 again",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> SearchEngine:
    documents = [Document(name, "", f"/{name}", "", {}, (Chunk(name, text),)) for name, text in DOCUMENTS.items()]
    return SearchEngine(IndexFiles.open(write_documents(tmp_path_factory.mktemp("highlight") / "i", documents)))


@pytest.mark.parametrize(
    ("name", "query", "tokens"),
    [
        ("cjk", "重试", ["重试"]),
        ("cjk", "策略", ["策略"]),
        ("cjk", "试", ["试"]),
        ("cjk", "重试策略", ["重试策略"]),
        ("cjk", "重试 策略", ["重试策略"]),
        ("cjk", "延迟 策略", ["延迟", "策略"]),
        ("evil", "amber", ["amber"]),
        ("evil", "mark", ["mark"]),
        ("words", "deploying a final cafe", ["ﬁnal", "deployments", "deployed", "CAFÉS", "café"]),
        ("words", "the handler", ["Handler"]),
        ("words", "createAskHandler", ["createAskHandler"]),
        ("stops", "the question", ["question"]),
        ("stops", "to be", ["To", "be", "to", "be"]),
        ("mixed", "retry", ["retry", "retry"]),
        ("mixed", "max-retry-count", ["retry", "max_retry_count"]),
        ("mixed", "retry backoff 重试", ["retry", "backoff", "retry", "重试"]),
    ],
)
def test_matches(engine: SearchEngine, name: str, query: str, tokens: list[str]) -> None:
    (hit,) = [hit for hit in engine.search(query, highlight=True).hits if hit.chunk.id == name]
    assert hit.matches is not None
    assert [match.token for match in hit.matches] == tokens
    text = hit.chunk.text
    assert [text[match.start : match.end] for match in hit.matches] == tokens
    assert [match.to_dict() for match in hit.matches] == [
        {"start": match.start, "end": match.end, "token": match.token} for match in hit.matches
    ]


def test_a_hit_without_a_word_of_the_query_has_no_match(tmp_path: Path) -> None:
    document = Document("d", "", "/d", "Amber", {}, (Chunk("c", "stone", vector=(1.0,)),))
    other = Document("e", "", "/e", "", {}, (Chunk("e", "stone", vector=(1.0,)),))
    engine = SearchEngine(IndexFiles.open(write_documents(tmp_path / "i", [document, other])))
    for hit in engine.search("amber", vector=[1.0], highlight=True).hits:
        assert hit.matches == []


def test_many_distinct_words_empty_the_vocabulary(engine: SearchEngine) -> None:
    """An analyser that begins its vocabulary anew between two texts, and in one."""
    analyser = Analyser("en", memo_limit=50)
    texts = [" ".join(f"w{number}x" for number in range(one, one + 90)) + " amber" for one in range(0, 900, 30)]
    for text, matches in zip(
        texts, matches_in("amber w31x", texts, frozenset(["amber", "w31x"]), analyser), strict=True
    ):
        expected = ["w31x", "amber"] if "w31x" in text.split() else ["amber"]
        assert [match.token for match in matches] == expected
    assert engine.search("amber", highlight=True).hits
