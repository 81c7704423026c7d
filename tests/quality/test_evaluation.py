"""Metrics by hand-made cases, where the right figure is known without the code."""

from typing import Any

import pytest

from coldseek_core.errors import UsageError
from coldseek_core.quality.evaluation import evaluate_index
from coldseek_core.search.refusal import Refusal
from coldseek_core.search.results import ChunkView, Hit, Mode, RetrieveResult


def retriever(pages: dict[str, list[str]], seen: list[dict[str, Any]] | None = None) -> Any:
    """Answers a question from these `url#anchor`s; from none: refuses."""

    def retrieve(question: str, **options: Any) -> RetrieveResult:
        if seen is not None:
            seen.append(options)
        hits = []
        for rank, place in enumerate(pages[question], 1):
            url, _, anchor = place.partition("#")
            hits.append(Hit(rank, rank, 1.0, None, 1.0, 0.7, ChunkView(place, url, "T", (), anchor, "x", {})))
        refusal = None if hits else Refusal("nothing_relevant", "no", None, None, [])
        return RetrieveResult(question, Mode("hybrid", "lexical", None), None, 0.3, hits, [], "", refusal, 0, 1.0)

    return retrieve


PAGES = {
    "first": ["/a", "/b"],
    "second page, fourth hit": ["/x", "/x#1", "/x#2", "/a#s"],
    "fifth": ["/1", "/2", "/3", "/4", "/a/"],
    "not there": ["/1", "/2"],
    "wrongly refused": [],
    "rightly refused": [],
    "wrongly answered": ["/a"],
}
QUESTIONS: list[dict[str, Any]] = [
    {"question": "first", "expect": "/a"},
    {"question": "second page, fourth hit", "expect": ["/nowhere", "/a"]},
    {"question": "fifth", "expect": "/a"},
    {"question": "not there", "expect": "/a"},
    {"question": "wrongly refused", "expect": "/a"},
    {"question": "rightly refused", "unanswerable": True},
    {"question": "wrongly answered", "unanswerable": True},
]


def test_ranks_and_metrics() -> None:
    report = evaluate_index(retriever(PAGES), {"questions": QUESTIONS})
    assert [outcome.rank for outcome in report.outcomes] == [1, 2, 5, None, None, None, None]
    assert [outcome.right for outcome in report.outcomes] == [True, False, False, False, False, True, False]
    assert report.metrics() == pytest.approx(
        {
            "hit@1": 1 / 5,
            "hit@3": 2 / 5,
            "mrr": (1 + 1 / 2 + 1 / 5) / 5,
            "refusalPrecision": 1 / 2,
            "refusalRecall": 1 / 2,
        }
    )
    shown = report.to_dict()
    assert set(shown) == {"questions", "hit@1", "hit@3", "mrr", "refusalPrecision", "refusalRecall"}
    assert set(shown["questions"][0]) == {"question", "expect", "rank", "refused", "similarity", "keywordCoverage"}


@pytest.mark.parametrize(
    ("expect", "rank"), [("/a#two", 2), ("/a#one", 1), ("/b#x", None), ("/a", 1), ("/b", 2), ("/b/", 2), ("/B", None)]
)
def test_anchors_must_match(expect: str, rank: int | None) -> None:
    retrieve = retriever({"q": ["/a#one", "/b#y", "/a#two"]})
    (outcome,) = evaluate_index(retrieve, {"questions": [{"question": "q", "expect": expect}]}).outcomes
    assert outcome.rank == rank


def test_metrics_of_nothing() -> None:
    only = {"questions": [QUESTIONS[0]], "thresholds": {"refusalRecall": 0.0}}
    report = evaluate_index(retriever(PAGES), only)
    assert report.metrics() == {"hit@1": 1.0, "hit@3": 1.0, "mrr": 1.0, "refusalPrecision": None, "refusalRecall": None}
    assert report.failures() == ["refusalRecall is not measured, at least 0 was asked for"]


def test_thresholds_of_the_caller_win() -> None:
    content = {"questions": QUESTIONS, "thresholds": {"hit@1": 0.9, "hit@3": 0.4}}
    assert len(evaluate_index(retriever(PAGES), content).failures()) == 1
    assert evaluate_index(retriever(PAGES), content, {"hit@1": 0.2}).failures() == []
    (line,) = evaluate_index(retriever(PAGES), content, {"hit@1": 0.0, "mrr": 0.99}).failures()
    assert line.startswith("mrr is 0.340")


def test_retrieval_settings_reach_the_index() -> None:
    seen: list[dict[str, Any]] = []
    content = {"questions": QUESTIONS[:1], "retrieval": {"topK": 3, "min_similarity": 0.4, "mode": "lexical"}}
    evaluate_index(retriever(PAGES, seen), content)
    assert seen == [{"top_k": 3, "min_similarity": 0.4, "mode": "lexical"}]


@pytest.mark.parametrize("retrieval", [{"bogus": 1}, {"question": "x"}, {"top_k": 0}, {"topK": "3"}])
def test_retrieval_settings_that_cannot_be_used(tmp_path: Any, retrieval: dict[str, Any]) -> None:
    import coldseek
    from coldseek_core.ingest.build import build_index

    (tmp_path / "a.md").write_text("# A\n\nfirst")
    build_index([tmp_path / "a.md"], tmp_path / "i")
    with coldseek.open(tmp_path / "i") as index, pytest.raises(UsageError):
        coldseek.evaluate(index, {"questions": QUESTIONS[:1], "retrieval": retrieval})
