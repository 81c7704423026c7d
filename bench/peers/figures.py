"""What is made of the raw figures: medians, percentiles, shares of right answers, and the rows of the tables."""

import statistics
from collections.abc import Sequence
from typing import Any

HEAD = [
    "program",
    "computes with",
    "build",
    "open",
    "first answer after it",
    "question, median",
    "99th percentile",
    "private memory",
    "peak",
    "peak of building",
    "index",
]
FEWEST_FOR_PERCENTILE = 100
ANSWERS = {"keywords": "answer among the best 10", "vectors": "best 10 as with float32"}


def percentile99(times: Sequence[float]) -> float:
    """The 99th percentile; of one time, that one."""
    return statistics.quantiles(times, n=100, method="inclusive")[98] if len(times) > 1 else times[0]


def overlap(found: Sequence[Sequence[int]], expected: Sequence[Sequence[int]]) -> float:
    """Mean share of the expected rows that were found, in any order. `found` may end early."""
    shares = [len(set(rows) & set(right)) / len(right) for rows, right in zip(found, expected, strict=False)]
    return statistics.fmean(shares)


def summary(built: dict[str, Any], asked: dict[str, Any], expected: Sequence[Sequence[int]]) -> dict[str, Any]:
    """One contender's figures from what its processes printed: seconds and bytes."""
    times, openings = asked["times"], asked["openings"]
    kept = ("import", "firstOpen", "firstAnswer", "threads", "privateGrowth", "askPeak")
    return {
        **built,
        "open": statistics.median(openings),
        "median": statistics.median(times),
        "percentile99": percentile99(times),
        "fastest": min(times),
        "processorMedian": statistics.median(asked["processorTimes"]),
        "processorShare": sum(asked["processorTimes"]) / sum(times),
        "answers": len(times),
        "rightShare": overlap(asked["found"], expected),
        **{name: asked[name] for name in kept},
    }


def _time(seconds: float) -> str:
    if seconds >= 10:
        return f"{seconds:,.0f} s"
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:,.2f} ms"


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size < 100e6 else f"{size / 1e6:,.0f} MB"


def table_row(one: dict[str, Any]) -> list[str]:
    return [
        one["name"],
        one["what"],
        _time(one["build"]) if one["written"] else "–",
        _time(one["open"]),
        _time(one["firstAnswer"]),
        _time(one["median"]),
        _time(one["percentile99"]) if one["answers"] >= FEWEST_FOR_PERCENTILE else "–",
        _megabytes(one["privateGrowth"]),
        _megabytes(one["askPeak"]),
        _megabytes(one["buildPeak"]) if one["written"] else "–",
        _megabytes(one["indexBytes"]) if one["written"] else "–",
        f"{one['rightShare'] * 100:.1f} %",
    ]


def table_head(kind: str) -> list[str]:
    return [*HEAD, ANSWERS[kind]]


def groups(figures: Sequence[dict[str, Any]]) -> dict[tuple[str, str, int, int], list[dict[str, Any]]]:
    """Figures that belong in one table, by (kind, texts, chunks, dimensions), in that order."""
    found: dict[tuple[str, str, int, int], list[dict[str, Any]]] = {}
    for one in figures:
        found.setdefault((one["kind"], one["texts"], one["chunks"], one["dimensions"]), []).append(one)
    return dict(sorted(found.items()))


def medians_by_size(rows: Sequence[tuple[int, dict[str, Any]]]) -> tuple[list[str], list[list[str]]]:
    """Head and rows of a table of each program's median by chunks, from (chunks, figures) of one kind."""
    sizes = sorted({chunks for chunks, _ in rows})
    names = dict.fromkeys(one["name"] for _, one in rows)
    medians = {(one["name"], chunks): one["median"] for chunks, one in rows}
    shown = [
        [name, *(_time(medians[name, size]) if (name, size) in medians else "–" for size in sizes)] for name in names
    ]
    return ["chunks", *(f"{size:,}" for size in sizes)], shown


def joined(runs: Sequence[Sequence[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Figures of several runs; of the same contender, texts and size the later one."""
    latest: dict[tuple[Any, ...], dict[str, Any]] = {}
    for run in runs:
        for one in run:
            key = (one["kind"], one["name"], one["texts"], one["chunks"], one["dimensions"])
            latest[key] = one
    return list(latest.values())
