"""Filters: structured, before ranking, in both legs, and closed when they make no sense."""

from typing import Any

import pytest

from coldseek_core.columns.reader import IndexFiles
from coldseek_core.errors import UsageError
from coldseek_core.ingest.documents import Chunk, Document
from coldseek_core.search.engine import SearchEngine
from search.worlds import write_documents

METADATA: list[dict[str, Any]] = [
    {"locale": "en", "version": 2, "tags": ["a", "b"], "draft": False},
    {"locale": "ja", "version": "2", "tags": ["b"], "draft": True},
    {"version": 1, "share": 2.0, "tags": []},
    {"locale": "O'Neil' OR '1'='1", "version": True},
]


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> SearchEngine:
    documents = [
        Document(f"d{i}", "", f"/d{i}", "", one, tuple(Chunk(f"{i}-{j}", "word", vector=(1.0, j)) for j in range(3)))
        for i, one in enumerate(METADATA)
    ]
    folder = tmp_path_factory.mktemp("filter") / "i"
    return SearchEngine(IndexFiles.open(write_documents(folder, documents)))


@pytest.mark.parametrize(
    ("conditions", "documents"),
    [
        (None, {0, 1, 2, 3}),
        ({}, {0, 1, 2, 3}),
        ({"metadata": {}}, {0, 1, 2, 3}),
        ({"metadata": {"locale": "en"}}, {0}),
        ({"metadata": {"locale": ["en", "ja"]}}, {0, 1}),
        ({"metadata": {"locale": []}}, set()),
        ({"metadata": {"locale": "O'Neil' OR '1'='1"}}, {3}),
        ({"metadata": {"locale": "' OR '1'='1"}}, set()),
        ({"metadata": {"version": 2}}, {0}),
        ({"metadata": {"version": "2"}}, {1}),
        ({"metadata": {"version": True}}, {3}),
        ({"metadata": {"version": 1}}, {2}),
        ({"metadata": {"version": 2.0}}, {0}),
        ({"metadata": {"share": 2}}, {2}),
        ({"metadata": {"tags": "b"}}, {0, 1}),
        ({"metadata": {"tags": ["a", "x"]}}, {0}),
        ({"metadata": {"draft": False}}, {0}),
        ({"metadata": {"draft": 0}}, set()),
        ({"metadata": {"locale": "en", "version": "2"}}, set()),
        ({"metadata": {"share": float("nan")}}, set()),
        ({"document_ids": ["d1", "d3", "nowhere"]}, {1, 3}),
        ({"document_ids": []}, set()),
        ({"document_ids": ("d1",), "metadata": {"tags": "b"}}, {1}),
        ({"document_ids": ["\ud800"]}, set()),
    ],
)
def test_what_is_kept(engine: SearchEngine, conditions: Any, documents: set[int]) -> None:
    for mode in ("hybrid", "lexical", "semantic"):
        hits = engine.search("word", mode=mode, vector=[1.0, 0.0], filter=conditions, top_k=50).hits
        assert {hit.row // 3 for hit in hits} == documents
        assert len(hits) == 3 * len(documents)
        answer = engine.retrieve("word", mode=mode, vector=[1.0, 0.0], filter=conditions, top_k=50)
        assert {hit.row // 3 for hit in answer.hits} == documents
    refused = engine.retrieve("other", vector=[-1.0, 0.0], filter=conditions).refusal
    assert refused is not None
    if refused.similarity is not None:
        assert refused.similarity.row // 3 in documents
    assert (refused.similarity is None) == (not documents)


@pytest.mark.parametrize(
    "conditions",
    [
        {"metadata": {"a) OR (1": "x"}},
        {"metadata": {"lang": "en"}},
        {"metadata": {"locale": None}},
        {"metadata": {"locale": {"$ne": "en"}}},
        {"metadata": {"locale": [["en"]]}},
        {"metadata": {3: "x"}},
        {"metadata": "locale = 'en'"},
        {"metadata": ["locale"]},
        {"locale": "en"},
        {"documentIds": ["d1"]},
        {"document_ids": "d1"},
        {"document_ids": [1]},
        {"document_ids": {"d1": 1}},
        "locale = 'en'",
        ["d1"],
        1,
        False,
        "",
        [],
        # An access rule whose list was not filled in must not open every document.
        {"document_ids": None},
        {"metadata": None},
    ],
)
def test_what_makes_no_sense_is_refused(engine: SearchEngine, conditions: Any) -> None:
    for ask in (engine.search, engine.retrieve):
        with pytest.raises(UsageError):
            ask("word", filter=conditions)


def test_nothing_beyond_the_filter_is_named_in_a_refusal(engine: SearchEngine) -> None:
    answer = engine.retrieve("word word2", filter={"document_ids": ["nowhere"]}, vector=[1.0, 0.0])
    assert answer.refusal is not None
    assert answer.to_dict()["refusal"]["best"] == {"similarity": None, "keywordCoverage": None}
    assert answer.best_similarity is None
    assert answer.best_keyword_coverage == 0.0
