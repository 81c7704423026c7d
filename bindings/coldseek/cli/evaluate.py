"""`coldseek eval`."""

import argparse
import sys

from ..index import open as open_index
from .query import print_json
from .terminal import DIM, GREEN, YELLOW, one_line, paint, safe, width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from coldseek_core.quality.evaluation import EvalReport, QuestionOutcome

# Option: metric.
_THRESHOLDS = {
    "min_hit_at_1": "hit@1",
    "min_hit_at_3": "hit@3",
    "min_mrr": "mrr",
    "min_refusal_precision": "refusalPrecision",
    "min_refusal_recall": "refusalRecall",
}


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "eval",
        help="ask questions whose answers are known, and measure hits and refusals",
        description="Ask an index questions whose answers are known. Ranks are over distinct pages; a refused "
        "question that has an answer counts as missed. The exit status is 1 if a metric is below its threshold.",
        epilog="The file is YAML: `questions`, each with `question` and `expect` (a URL or a list; an "
        "#anchor must match the section) or `unanswerable: true`; optional `thresholds` and `retrieval` settings.",
    )
    parser.add_argument("index", metavar="INDEX", help="folder of the index")
    parser.add_argument("questions", metavar="QUESTIONS.yaml", help="the questions and their pages")
    for option, metric in _THRESHOLDS.items():
        flag = "--" + option.replace("_", "-")
        parser.add_argument(flag, type=float, metavar="X", help=f"fail if {metric} is lower, 0 to 1")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_evaluate)


def _evaluate(options: argparse.Namespace) -> int:
    from coldseek_core.quality.evaluation import evaluate_index
    from coldseek_core.quality.questions import checked_threshold

    thresholds = {
        metric: checked_threshold(metric, value, "--" + option.replace("_", "-"))
        for option, metric in _THRESHOLDS.items()
        if (value := getattr(options, option)) is not None
    }
    with open_index(options.index) as index:
        report = evaluate_index(index.retrieve, options.questions, thresholds)
    if options.json:
        print_json(report.to_dict())
    else:
        _print_report(report)
    failures = report.failures()
    for failure in failures:
        print(f"coldseek: {failure}", file=sys.stderr)
    return 1 if failures else 0


def _print_report(report: "EvalReport") -> None:
    for outcome in report.outcomes:
        mark = paint("✓", GREEN) if outcome.right else paint("✗", YELLOW)
        signals = f"coverage {outcome.keyword_coverage:.3f}"
        if outcome.similarity is not None:
            signals += f", similarity {outcome.similarity:.3f}"
        print(f"{mark} {one_line(outcome.question, max(30, width() - 52)):<{max(30, width() - 52)}}  {_what(outcome)}")
        if not outcome.right:
            first = safe(outcome.pages[0]) if outcome.pages else "nothing"
            expected = safe(", ".join(outcome.expect)) or "a refusal"
            print(paint(f"    expected {expected}; got {first} ({signals})", DIM))
    answerable, unanswerable = report.answerable, report.unanswerable
    metrics = report.metrics()
    print()
    if answerable:
        total = len(answerable)
        first = sum(1 for one in answerable if one.rank == 1)
        third = sum(1 for one in answerable if one.rank and one.rank <= 3)
        wrongly = sum(1 for one in answerable if one.refused)
        print(
            f"hit@1 {first}/{total}, hit@3 {third}/{total}, MRR {metrics['mrr']:.3f}, wrongly refused {wrongly}/{total}"
        )
    if unanswerable:
        refused = sum(1 for one in unanswerable if one.refused)
        print(f"refused {refused}/{len(unanswerable)} of the questions that have no answer here")


def _what(outcome: "QuestionOutcome") -> str:
    if outcome.refused:
        return "refused"
    if outcome.rank is None:
        return "answered from another page" if outcome.expect else "answered"
    return f"page {outcome.rank}"
