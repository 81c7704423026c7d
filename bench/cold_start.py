"""A question to a process that has just started: whole processes, beside what people would pick instead.

    python bench/cold_start.py [--json FILE] [--plot FILE]

50,000 chunks of 60 words, vectors of 512 dimensions by the mock embedder (COLDSEEK_BENCH_CHUNKS: so many). Every round
starts each program once, with the same question, in isolated mode (-I), and takes the time until its answer is there
and until it has ended; files are in the page cache. coldseek runs in a fresh virtual environment without extras.
Medians of 21 rounds (3 in a smoke run); "over bare" is the difference to an interpreter that does nothing, in the same
rounds. Peers that are not installed (the `bench` extra) are named.
"""

import argparse
import resource
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from cold_contenders import Contender, environment_of, prepare
from machine import machine, print_table, smoke_chunks, write_figures
from workload import WORDS_A_CHUNK, zipf_words

CHUNKS = 50_000
ROUNDS = 21
SMOKE_ROUNDS = 3
WORDS_A_QUESTION = 6
PEER_PACKAGES = ("tantivy", "bm25s", "faiss-cpu", "lancedb")


@dataclass(frozen=True)
class Run:
    """Seconds from a process's start to its answer and to its end, and its minor page faults."""

    answered: float
    ended: float
    faults: int


def run_once(contender: Contender, question: str) -> Run:
    """Raises SystemExit where the process fails or finds nothing."""
    arguments = [contender.python, "-I", "-c", contender.code, contender.index, question]
    faults = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt
    with tempfile.TemporaryFile("w+") as errors:
        begin = time.perf_counter()
        process = subprocess.Popen(
            arguments, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment_of(contender)
        )
        line = process.stdout.readline() if process.stdout else ""
        answered = time.perf_counter() - begin
        process.wait()
        ended = time.perf_counter() - begin
        faults = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt - faults
        if process.returncode or int(line or 0) < 1:
            errors.seek(0)
            raise SystemExit(f"{contender.name} failed on {question!r}: {line} {errors.read()[-2000:]}")
        if process.stdout:
            process.stdout.close()
    return Run(answered, ended, faults)


def measure(contenders: list[Contender], questions: list[str]) -> list[dict[str, Any]]:
    for contender in contenders:
        run_once(contender, questions[0])  # byte code, page cache, Numba's cache
    taken: dict[str, list[Run]] = {contender.name: [] for contender in contenders}
    for question in questions:
        for contender in contenders:
            taken[contender.name].append(run_once(contender, question))
    bare = taken[contenders[0].name]
    bare_answered = statistics.median(run.answered for run in bare)
    bare_ended = statistics.median(run.ended for run in bare)
    figures: list[dict[str, Any]] = []
    for contender in contenders:
        runs = taken[contender.name]
        answered = statistics.median(run.answered for run in runs)
        ended = statistics.median(run.ended for run in runs)
        figures.append(
            {
                "name": contender.name,
                "what": contender.what,
                "rounds": len(runs),
                "answered": answered,
                "ended": ended,
                "fastestEnd": min(run.ended for run in runs),
                "slowestEnd": max(run.ended for run in runs),
                "answeredOverBare": answered - bare_answered,
                "overBare": ended - bare_ended,
                "timesBare": ended / bare_ended,
                "minorFaults": statistics.median(run.faults for run in runs),
            }
        )
    return figures


def peer_versions() -> dict[str, str]:
    found: dict[str, str] = {}
    for package in PEER_PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def plot(figures: list[dict[str, Any]], caption: str, target: Path) -> None:
    """Bars of the time over the bare interpreter, on a logarithmic axis."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "coldseek"  # the same figures give the same file
    from matplotlib import pyplot

    shown = [one for one in figures[1:] if one["overBare"] > 0][::-1]
    names = [f"{one['name']}\n({one['what']})" for one in shown]
    values = [one["overBare"] * 1000 for one in shown]
    colours = ["#1f6feb" if one["name"] == "coldseek" else "#8c959f" for one in shown]
    figure, axes = pyplot.subplots(figsize=(8, 0.62 * len(shown) + 1.3), layout="constrained")
    bars = axes.barh(names, values, color=colours)
    axes.bar_label(bars, [f"{value:,.1f} ms" if value < 100 else f"{value:,.0f} ms" for value in values], padding=4)
    axes.set_xscale("log")
    axes.set_xlim(right=max(values) * 4)
    axes.set_xlabel("milliseconds over a bare interpreter, whole process (logarithmic)")
    axes.set_title(caption, fontsize=9, loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    target.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(target, metadata={"Date": None})
    pyplot.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the raw figures (seconds) there")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the times to FILE (.svg or .png)")
    options = parser.parse_args()
    began = machine()
    began["versions"].update(peer_versions())
    chunks = smoke_chunks() or CHUNKS
    rng = np.random.default_rng(1)
    words = zipf_words(rng, chunks * WORDS_A_CHUNK)
    texts = [" ".join(words[row * WORDS_A_CHUNK : (row + 1) * WORDS_A_CHUNK]) for row in range(chunks)]
    rounds = SMOKE_ROUNDS if smoke_chunks() else ROUNDS
    # Words of one chunk, so that every question has an answer.
    asked = [texts[row].split()[:WORDS_A_QUESTION] for row in rng.choice(chunks, rounds)]
    questions = [" ".join(words) for words in asked]
    with tempfile.TemporaryDirectory(prefix="coldseek-cold-") as scratch:
        contenders, missing = prepare(texts, Path(scratch))
        figures = measure(contenders, questions)
    write_figures(options.json, began, [{"chunks": chunks, **one} for one in figures])
    print_table(
        ["program", "does", "until its answer, over bare", "whole process", "over bare", "times bare", "page faults"],
        [
            [
                one["name"],
                one["what"],
                f"{one['answeredOverBare'] * 1000:,.1f} ms",
                f"{one['ended'] * 1000:,.1f} ms",
                f"{one['overBare'] * 1000:,.1f} ms",
                f"{one['timesBare']:.2f}",
                f"{one['minorFaults']:,.0f}",
            ]
            for one in figures
        ],
    )
    if missing:
        print(f"\nnot installed: {', '.join(missing)} (pip install -e '.[bench]')")
    if options.plot:
        caption = f"{chunks:,} chunks, {began['processor']}, {began['python']}, {began['date'][:10]}"
        plot(figures, caption, options.plot)


if __name__ == "__main__":
    main()
