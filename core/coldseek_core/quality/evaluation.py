"""Ask an index questions whose answers are known, and measure hits and refusals."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..search.results import Hit, RetrieveResult
from .questions import JudgedQuestion, load_questions


@dataclass(frozen=True)
class QuestionOutcome:
    """What became of one question. `rank`: of the first page that answers it, over distinct pages, None if none was
    found.
    """

    question: str
    expect: tuple[str, ...]
    rank: int | None
    refused: bool
    similarity: float | None
    keyword_coverage: float
    pages: tuple[str, ...]

    @property
    def right(self) -> bool:
        """Answered from the right page first, or refused as it should be."""
        return self.rank == 1 if self.expect else self.refused

    def to_dict(self) -> dict[str, Any]:
        return {
            "question": self.question,
            "expect": list(self.expect),
            "rank": self.rank,
            "refused": self.refused,
            "similarity": self.similarity,
            "keywordCoverage": self.keyword_coverage,
        }


@dataclass(frozen=True)
class EvalReport:
    """Outcomes and metrics.

    hit@1, hit@3 and MRR are over the answerable questions; a refused one counts as missed. Refusal precision: the share
    of refusals that were right; recall: the share of unanswerable questions that were refused. A metric of nothing is
    None.
    """

    outcomes: tuple[QuestionOutcome, ...]
    thresholds: Mapping[str, float]

    @property
    def answerable(self) -> list[QuestionOutcome]:
        return [outcome for outcome in self.outcomes if outcome.expect]

    @property
    def unanswerable(self) -> list[QuestionOutcome]:
        return [outcome for outcome in self.outcomes if not outcome.expect]

    def metrics(self) -> dict[str, float | None]:
        answerable, unanswerable = self.answerable, self.unanswerable
        refused = [outcome for outcome in self.outcomes if outcome.refused]
        rightly = [outcome for outcome in unanswerable if outcome.refused]
        return {
            "hit@1": _share(sum(1 for one in answerable if one.rank == 1), len(answerable)),
            "hit@3": _share(sum(1 for one in answerable if one.rank and one.rank <= 3), len(answerable)),
            "mrr": _share(sum(1 / one.rank for one in answerable if one.rank), len(answerable)),
            "refusalPrecision": _share(len(rightly), len(refused)),
            "refusalRecall": _share(len(rightly), len(unanswerable)),
        }

    def failures(self) -> list[str]:
        """A line for each metric below its threshold. A metric of nothing fails, too: nothing was measured."""
        lines: list[str] = []
        for metric, low in self.thresholds.items():
            value = self.metrics()[metric]
            if value is None or value < low:
                shown = "not measured" if value is None else f"{value:.3f}"
                lines.append(f"{metric} is {shown}, at least {low:g} was asked for")
        return lines

    def to_dict(self) -> dict[str, Any]:
        return {"questions": [outcome.to_dict() for outcome in self.outcomes], **self.metrics()}


def _share(part: float, whole: int) -> float | None:
    return part / whole if whole else None


def evaluate_index(
    retrieve: Callable[..., RetrieveResult],
    questions: "str | os.PathLike[str] | Mapping[str, Any]",
    thresholds: Mapping[str, float] | None = None,
) -> EvalReport:
    """Call `retrieve` (an opened index's) for each question.

    `thresholds` are added to the file's own and win over them.

    Raises UsageError for a questions file or a retrieval setting that cannot be used.
    """
    asked = load_questions(questions)
    outcomes = tuple(_outcome(question, retrieve(question.question, **asked.retrieval)) for question in asked.questions)
    return EvalReport(outcomes, {**asked.thresholds, **(thresholds or {})})


def _outcome(question: JudgedQuestion, result: RetrieveResult) -> QuestionOutcome:
    pages: list[str] = []
    rank: int | None = None
    for hit in result.hits:
        if hit.chunk.url not in pages:
            pages.append(hit.chunk.url)
        if rank is None and any(_answers(hit, url) for url in question.expect):
            rank = len(pages)  # distinct pages down to the section that answers
    return QuestionOutcome(
        question=question.question,
        expect=question.expect,
        rank=rank,
        refused=not result.answerable,
        similarity=result.best_similarity,
        keyword_coverage=result.best_keyword_coverage,
        pages=tuple(pages),
    )


def _answers(hit: Hit, expected: str) -> bool:
    page, _, anchor = expected.partition("#")
    return _same_page(hit.chunk.url, page) and (not anchor or hit.chunk.anchor == anchor)


def _same_page(url: str, expected: str) -> bool:
    """A trailing slash makes no other page."""
    return (url.rstrip("/") or "/") == (expected.rstrip("/") or "/")
