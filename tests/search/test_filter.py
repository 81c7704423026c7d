"""Filters: structured, before ranking, in both legs, and closed when they make no sense."""

from typing import Any

import pytest

from baseline.filters import FilteredChunk, kept_rows
from baseline.tokens import Token, as_tokens
from coldseek_core.columns.reader import IndexFiles
from coldseek_core.errors import UsageError
from coldseek_core.ingest.documents import Chunk, Document
from coldseek_core.search.engine import SearchEngine
from coldseek_core.text import Analyser
from search.worlds import write_documents

METADATA: list[dict[str, Any]] = [
    {"locale": "en", "version": 2, "tags": ["a", "b"], "draft": False, "updated": "2026-05-01"},
    {"locale": "ja", "version": "2", "tags": ["b"], "draft": True, "updated": "2026-05-01T22:30:00Z"},
    {"version": 1, "share": 2.0, "tags": [], "updated": "2026-05-02T00:30:00+02:00"},
    {"locale": "O'Neil' OR '1'='1", "version": True, "updated": "last May", "tags": ["2026-07-01", "old"]},
]
PATHS = ["guides/deploy.md", "api/deploy.md", "deploy.md/index.md", "README.md"]


def tokens_of(text: str) -> list[Token]:
    return as_tokens([token.as_tuple() for token in Analyser("en").analyse(text)])


CHUNKS = [
    FilteredChunk(f"d{i}", PATHS[i], one, [tokens_of("word")]) for i, one in enumerate(METADATA) for _ in range(3)
]


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> SearchEngine:
    documents = [
        Document(
            f"d{i}", PATHS[i], f"/d{i}", "", one, tuple(Chunk(f"{i}-{j}", "word", vector=(1.0, j)) for j in range(3))
        )
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
        ({"metadata": {"locale": {"eq": "en"}}}, {0}),
        ({"metadata": {"locale": {"in": ["en", "ja"]}}}, {0, 1}),
        ({"metadata": {"locale": {"in": []}}}, set()),
        # Document 2 has no locale: it is not another one.
        ({"metadata": {"locale": {"ne": "en"}}}, {1, 3}),
        ({"metadata": {"locale": {"nin": ["en", "ja"]}}}, {3}),
        ({"metadata": {"locale": {"nin": []}}}, {0, 1, 3}),
        ({"metadata": {"locale": {"exists": True}}}, {0, 1, 3}),
        ({"metadata": {"locale": {"exists": False}}}, {2}),
        ({"metadata": {"locale": {"exists": False, "ne": "en"}}}, set()),
        ({"metadata": {"version": {"ne": 2}}}, {1, 2, 3}),
        ({"metadata": {"version": {"gte": 1}}}, {0, 2}),
        ({"metadata": {"version": {"gt": 1}}}, {0}),
        ({"metadata": {"version": {"lt": 2}}}, {2}),
        ({"metadata": {"version": {"gte": 1.0, "lte": 1.5}}}, {2}),
        ({"metadata": {"version": {"lte": float("inf")}}}, {0, 2}),
        ({"metadata": {"version": {"gte": "2000-01-01"}}}, set()),
        ({"metadata": {"tags": {"ne": "a"}}}, {1, 2, 3}),
        ({"metadata": {"tags": {"nin": ["a", "old"]}}}, {1, 2}),
        ({"metadata": {"tags": {"exists": True}}}, {0, 1, 2, 3}),
        ({"metadata": {"tags": {"gte": "2026-06-01"}}}, {3}),
        ({"metadata": {"updated": {"gte": "2026-05-01"}}}, {0, 1, 2}),
        ({"metadata": {"updated": {"lte": "2026-05-01"}}}, {0, 1, 2}),
        ({"metadata": {"updated": {"gt": "2026-05-01"}}}, set()),
        ({"metadata": {"updated": {"lt": "2026-05-02"}}}, {0, 1, 2}),
        ({"metadata": {"updated": {"gte": "2026-05-01T22:30"}}}, {1, 2}),
        ({"metadata": {"updated": {"gt": "2026-05-01T22:29:59.9Z", "lt": "2026-05-01T22:30:00.1Z"}}}, {1, 2}),
        ({"metadata": {"updated": {"lte": "2026-05-01T23:00:00Z"}}}, {1, 2}),
        ({"metadata": {"updated": {"eq": "2026-05-01"}}}, {0}),
        ({"metadata": {"draft": {"ne": True}, "version": {"lte": 2}}}, {0}),
        ({"filename": "guides/deploy.md"}, {0}),
        ({"filename": "deploy.md"}, {0, 1}),
        ({"filename": ["README.md", "api/deploy.md", "nowhere.md"]}, {1, 3}),
        ({"filename": "uides/deploy.md"}, set()),
        ({"filename": "readme.md"}, set()),
        ({"filename": []}, set()),
        ({"filename": ""}, set()),
        ({"filename": "deploy.md", "document_ids": ["d1", "d2"], "contains": "words"}, {1}),
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
    assert {row // 3 for row in kept_rows(CHUNKS, conditions or {}, tokens_of)} == documents
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
        {"metadata": {"locale": {}}},
        {"metadata": {"locale": {"eq": "en", "is": "en"}}},
        {"metadata": {"locale": {3: "en"}}},
        {"metadata": {"locale": {"eq": None}}},
        {"metadata": {"locale": {"eq": ["en"]}}},
        {"metadata": {"locale": {"ne": ["en"]}}},
        {"metadata": {"locale": {"in": "en"}}},
        {"metadata": {"locale": {"in": ["en", None]}}},
        {"metadata": {"locale": {"nin": {"en": 1}}}},
        {"metadata": {"locale": {"exists": 1}}},
        {"metadata": {"locale": {"exists": "false"}}},
        {"metadata": {"version": {"gte": True}}},
        {"metadata": {"version": {"gte": "2"}}},
        {"metadata": {"version": {"lt": float("nan")}}},
        {"metadata": {"updated": {"lte": "2026-13-01"}}},
        {"metadata": {"updated": {"gt": ["2026-05-01"]}}},
        {"metadata": {"updated": {"gt": None}}},
        {"filename": None},
        {"filename": 1},
        {"filename": ["a", 1]},
        {"filename": {"a": 1}},
        {"contains": None},
        {"contains": ""},
        {"contains": " !?"},
        {"contains": ["word"]},
        {"contains": " ".join(f"w{i}" for i in range(1025))},
        {"phrase": None},
        {"phrase": ""},
        {"phrase": 5},
        # Also where nothing else is kept.
        {"document_ids": [], "phrase": ""},
        {"pages": [1, 2]},
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


@pytest.mark.parametrize(
    ("conditions", "said"),
    [
        (
            {"pages": 1},
            "unknown filter condition 'pages'; there are: document_ids, filename, metadata, contains, phrase",
        ),
        (
            {"metadata": {"lang": "en"}},
            "unknown metadata key 'lang'; the index has: draft, locale, share, tags, updated",
        ),
        ({"metadata": {"locale": {"like": 1}}}, "'locale' has no operator 'like'; there are: eq, ne, in, nin, gt, gte"),
        ({"metadata": {"version": {"gte": "x" * 999}}}, "'version' 'gte' must be a number or an ISO date such as"),
    ],
)
def test_an_error_lists_what_there_is(engine: SearchEngine, conditions: Any, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        engine.search("word", filter=conditions)
    assert said in str(caught.value)
    assert len(str(caught.value)) < 300


def test_nothing_beyond_the_filter_is_named_in_a_refusal(engine: SearchEngine) -> None:
    answer = engine.retrieve("word word2", filter={"document_ids": ["nowhere"]}, vector=[1.0, 0.0])
    assert answer.refusal is not None
    assert answer.to_dict()["refusal"]["best"] == {"similarity": None, "keywordCoverage": None}
    assert answer.best_similarity is None
    assert answer.best_keyword_coverage == 0.0
