"""Every figure by the number of chunks, beside pure Python in the same run: a Markdown table.

    python bench/sizes.py [--json FILE]

1,000, 10,000 and 50,000 chunks of 512 dimensions (COLDSEEK_BENCH_CHUNKS: that size only). Times are wall-clock, warm:
medians over all questions and rounds. `whole / two kernels`: a hybrid `retrieve`, from text and vector to packed
sources, by the time that it spends in the two retrievers' kernels, `scan_top` and `postings_top`; the median over
questions. The ratio to pure Python compares medians over the same questions, asked in turn; answers must be equal, or
the run fails.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import coldseek
from baseline.search import BaselineSearch
from coldseek_core import kernels
from coldseek_core.columns.reader import IndexFiles
from coldseek_core.search.dictionary import Dictionary
from coldseek_core.search.legs import DenseLeg, LexicalLeg
from coldseek_core.search.query import resolve_query
from coldseek_core.search.settings import FIXED_POINT
from coldseek_core.text import Analyser
from kernel_share import whole_by_kernels
from machine import machine, print_table, smoke_chunks, write_figures
from workload import Workload, make_oracle, make_workload, write_workload

SIZES = (1_000, 10_000, 50_000)
DIMENSIONS = 512
QUESTIONS = 200
ROUNDS = 5
COMPARED = 20
OPENINGS = 200
CANDIDATES = 40
MEASURED_ROWS = 80


def seconds_of(call: Callable[[], object]) -> float:
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def median_seconds(calls: Iterable[Callable[[], object]]) -> float:
    """Median over all calls in several rounds, after one round that does not count."""
    listed = list(calls)
    for call in listed:
        call()
    return statistics.median(seconds_of(call) for _ in range(ROUNDS) for call in listed)


def opening_seconds(folder: Path) -> float:
    times: list[float] = []
    for _ in range(OPENINGS):
        begin = time.perf_counter()
        index = coldseek.open(folder)
        times.append(time.perf_counter() - begin)
        index.close()
    return statistics.median(times)


def kernel_seconds(workload: Workload, folder: Path, analyser: Analyser) -> dict[str, float]:
    """Medians of the kernels, with the little Python around each."""
    loaded = kernels.load()
    count = len(workload.documents)
    rows = list(range(0, count, max(1, count // MEASURED_ROWS)))[:MEASURED_ROWS]
    with IndexFiles.open(folder) as files, files.in_use():
        dictionary = Dictionary(files, loaded)
        lexical = LexicalLeg(dictionary, loaded, count)
        dense = DenseLeg(files, loaded, count)
        resolved = [resolve_query(text, analyser, dictionary, FIXED_POINT) for text, _ in workload.queries]
        vectors = [dense.prepare(vector) for _, vector in workload.queries]
        return {
            "scan": median_seconds(lambda vector=vector: dense.top(vector, CANDIDATES, None) for vector in vectors),
            "keywords": median_seconds(lambda query=query: lexical.top(query, CANDIDATES, None) for query in resolved),
            "resolve": median_seconds(
                lambda text=text: resolve_query(text, analyser, dictionary, FIXED_POINT) for text, _ in workload.queries
            ),
            "measures": median_seconds(
                lambda query=query, vector=vector: (lexical.measure(query, rows), dense.measure(vector, rows))
                for query, vector in zip(resolved, vectors, strict=True)
            ),
        }


def retrieve_seconds(index: coldseek.Index, workload: Workload) -> dict[str, float]:
    for text, vector in workload.queries:
        index.retrieve(text, vector=vector)
    times = sorted(
        seconds_of(lambda text=text, vector=vector: index.retrieve(text, vector=vector))
        for _ in range(ROUNDS)
        for text, vector in workload.queries
    )
    return {"median": statistics.median(times), "percentile99": statistics.quantiles(times, n=100)[98]}


def beside_pure_python(
    index: coldseek.Index, oracle: BaselineSearch, workload: Workload, analyser: Analyser
) -> dict[str, float]:
    """Medians of both sides over the same questions, in turn. Ends the run if an answer differs."""
    ours: list[float] = []
    theirs: list[float] = []
    for text, vector in workload.queries[:COMPARED]:
        index.retrieve(text, vector=vector)
        begin = time.perf_counter()
        answer = index.retrieve(text, vector=vector)
        middle = time.perf_counter()
        other = oracle.retrieve(analyser.analyse(text), vector)
        theirs.append(time.perf_counter() - middle)
        ours.append(middle - begin)
        found = [(hit.row, hit.similarity, hit.keyword_score, hit.keyword_coverage) for hit in answer.hits]
        unit = oracle.inverted.impact_unit
        expected = [(hit.row, hit.similarity, hit.keyword_score / unit, hit.keyword_coverage) for hit in other.hits]
        if found != expected or not found:
            raise SystemExit(f"answers to {text!r} differ: {found} and, in pure Python, {expected}")
    ratio = statistics.median(theirs) / statistics.median(ours)
    return {
        "questions": len(ours),
        "ours": statistics.median(ours),
        "purePython": statistics.median(theirs),
        "ratio": ratio,
    }


def memory_of(folder: Path, workload: Workload, scratch: Path) -> dict[str, int]:
    text, vector = workload.queries[0]
    question = scratch / "question.json"
    question.write_text(json.dumps({"text": text, "vector": vector}), encoding="utf-8")
    script = Path(__file__).with_name("memory.py")
    ran = subprocess.run([sys.executable, script, folder, question], check=True, capture_output=True, text=True)
    return json.loads(ran.stdout)


def measure(chunks: int, scratch: Path) -> dict[str, Any]:
    """All figures of one size: seconds and bytes."""
    workload = make_workload(chunks, DIMENSIONS, queries=QUESTIONS)
    folder = scratch / f"{chunks}.coldseek"
    analyser = Analyser("en")
    figures: dict[str, Any] = {
        "chunks": chunks,
        "dimensions": DIMENSIONS,
        "build": seconds_of(lambda: write_workload(workload, folder)),
        "open": opening_seconds(folder),
        "kernels": kernel_seconds(workload, folder, analyser),
    }
    with coldseek.open(folder) as index:
        figures["retrieve"] = retrieve_seconds(index, workload)
        figures["wholeByKernels"] = whole_by_kernels(index, workload.queries, ROUNDS)
        oracle = make_oracle(workload, analyser)
        figures["beside"] = beside_pure_python(index, oracle, workload, analyser)
        figures["fileBytes"] = index.info()["fileBytes"]
    figures["memoryGrowth"] = memory_of(folder, workload, scratch)
    return figures


def shown(figures: dict[str, Any]) -> list[str]:
    def milliseconds(seconds: float) -> str:
        return f"{seconds * 1000:.3f} ms"

    files = figures["fileBytes"]
    return [
        f"{figures['build']:.2f} s",
        milliseconds(figures["open"]),
        *(milliseconds(figures["kernels"][name]) for name in ("scan", "keywords", "resolve", "measures")),
        milliseconds(figures["retrieve"]["median"]),
        milliseconds(figures["retrieve"]["percentile99"]),
        f"{figures['wholeByKernels']['ratio']:.2f}",
        milliseconds(figures["beside"]["ours"]),
        f"{figures['beside']['purePython'] * 1000:.1f} ms",
        f"{figures['beside']['ratio']:.0f}",
        f"{figures['memoryGrowth']['RssAnon'] / 1024:,.0f} KiB",
        f"{sum(files.values()) / 1e6:.2f} MB",
        *(f"{size / 1e6:.3f} MB" for size in files.values()),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the raw figures (seconds and bytes) there")
    options = parser.parse_args()
    began = machine()
    kernels.load()
    chunks = smoke_chunks()
    with tempfile.TemporaryDirectory(prefix="coldseek-sizes-") as scratch:
        figures = [measure(size, Path(scratch)) for size in ((chunks,) if chunks else SIZES)]
    write_figures(options.json, began, figures)
    names = [
        "build",
        "open",
        "scan, best 40",
        "keywords, best 40",
        "a question's analysis and look-up of terms",
        f"measures of {MEASURED_ROWS} rows",
        "hybrid `retrieve`, median",
        "hybrid `retrieve`, 99th percentile",
        "whole / two kernels",
        f"the same, {COMPARED} questions",
        f"{COMPARED} questions in pure Python",
        "ratio",
        "private memory of open and question",
        "index, all files",
        *(f"- {name}" for name in figures[0]["fileBytes"]),
    ]
    columns = [shown(one) for one in figures]
    head = [f"chunks of {DIMENSIONS} dimensions", *(f"{one['chunks']:,}" for one in figures)]
    print_table(head, [list(row) for row in zip(names, *columns, strict=True)])


if __name__ == "__main__":
    main()
