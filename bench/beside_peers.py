"""coldseek beside what people would pick instead, by keywords and by vectors, on the same data in one run.

    python bench/beside_peers.py [--chunks N[,N...]] [--dimensions N] [--real] [--only NAME[,NAME...]]
                                 [--json FILE] [--plot FILE] [--join FILE...] [--patience SECONDS]

Every contender writes its index in a process of its own and answers in a second one, one after the other. Each process
is bound to one core before it imports anything, and every library is told to use one thread. The raw figures have the
number of its threads, and the time that the core worked for it: well below the time of a question, others had the core,
or it waited. Files are in the page cache. Peers that are not installed (the `bench` extra) are named.

What is counted:
- build: from texts in memory, or from float32 vectors in a mapped file, to a written index.
- open: from a written index to one that can answer, libraries imported; median of 5 openings after the first one.
- first answer after it: the first question of the process, with what was left until then: compiling, reading pages.
- question: 200 questions in 5 rounds after a warm-up, each from text or a vector to the rows of the best 10.
  After 20 seconds (2 in a smoke run) no more are asked, if 100 were, and after 60, if 9 were: then there is no 99th
  percentile. Analysing a text is part of that time. Vectors come in the form that each takes: a list of floats for
  coldseek, an array or bytes for others, made before. coldseek's hits have their texts, others give row numbers.
- private memory: growth of RssAnon over the interpreter with the questions, after all answers, imports included.
- peak: VmHWM of the whole process that answers, mapped files included; peak of building: of the one that builds,
  with the texts or mapped vectors that it builds from.
- index: files without stored texts and their names. For coldseek's keywords those are postings, terms and term_blocks,
  for its vectors the file of vectors; all others are told to store no text.
- keywords: formulas and tokenisers differ, so ranks are not compared. A question is made of words of one chunk; counted
  is how often that is among the best 10. Where pure Python runs, coldseek's rows must equal its rows.
- vectors: share of the best 10 by float32 product that are among the 10 found.

Texts are Zipf words, vectors lie around 200 centroids. With --real, texts are passages of the shared test data
(COLDSEEK_TEST_DATA) and questions are headings; vectors are left out. Memory for N chunks of D dimensions: some
5 KB a chunk to build from texts, 4 N D bytes of page cache for vectors; disk: 8 N D bytes in the temporary folder.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from machine import machine, print_table, smoke_chunks, write_figures
from peers.contender import CONTENDERS, KINDS, Contender
from peers.dataset import ASKED_TEXTS, write_real_texts, write_texts, write_vectors
from peers.figures import groups, joined, medians_by_size, summary, table_head, table_row
from peers.plot import plot

BENCH = Path(__file__).resolve().parent
CHUNKS = (10_000, 100_000)
FEWEST_CHUNKS = 1_000
DIMENSIONS = 384
PATIENCE = 3_600.0
PACKAGES = ("bm25s", "tantivy", "faiss-cpu", "usearch", "numkong", "lancedb", "sqlite-vec", "apsw")
WORKER = "from peers.worker import main; main()"


class ContenderFailedError(Exception):
    """A contender's process failed or took too long; the message says how."""


def run_step(step: str, contender: Contender, data: Path, index: Path, patience: float) -> dict[str, Any]:
    paths = [str(BENCH), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    arguments = [sys.executable, "-c", WORKER, step, contender.kind, contender.name, str(data), str(index)]
    try:
        ran = subprocess.run(arguments, capture_output=True, text=True, env=environment, timeout=patience)
    except subprocess.TimeoutExpired as error:
        raise ContenderFailedError(f"not done with its step '{step}' after {patience:,.0f} s") from error
    if ran.returncode:
        last = (ran.stderr.strip().splitlines() or [""])[-1]
        raise ContenderFailedError(f"step '{step}' ended with {ran.returncode}: {last}")
    return json.loads(ran.stdout)


def measure(
    contender: Contender, data: Path, expected: Sequence[Sequence[int]], patience: float
) -> tuple[dict[str, Any], list[list[int]]]:
    """One contender's figures, and the rows that it found for each question."""
    index = data / "index"
    try:
        built = run_step("build", contender, data, index, patience)
        asked = run_step("ask", contender, data, index, patience)
    finally:
        if index.is_dir():
            shutil.rmtree(index)
        else:
            index.unlink(missing_ok=True)
    return summary(built, asked, expected), asked["found"]


def measure_kind(
    kind: str, contenders: Sequence[Contender], data: Path, expected: Sequence[Sequence[int]], patience: float
) -> list[dict[str, Any]]:
    figures: list[dict[str, Any]] = []
    found: dict[str, list[list[int]]] = {}
    for contender in contenders:
        try:
            measured, rows = measure(contender, data, expected, patience)
        except ContenderFailedError as error:
            print(f"{contender.name}, {kind}: {error}", file=sys.stderr)
            continue
        found[contender.name] = rows
        figures.append(
            {"kind": kind, "name": contender.name, "what": contender.what, "written": contender.written, **measured}
        )
        # Well below 100 %, others had the core: then times are too long.
        told = f"{measured['median'] * 1000:.3f} ms, {measured['processorMedian'] * 1000:.3f} ms of work"
        share = f"{measured['processorShare'] * 100:.0f} % of the core"
        print(f"{contender.name}, {kind}: {told}, {share}", file=sys.stderr)
    if {"coldseek", "pure Python"} <= found.keys():
        pairs = zip(found["coldseek"], found["pure Python"], strict=False)
        if any(ours != theirs for ours, theirs in pairs):
            raise SystemExit(f"coldseek and pure Python differ by {kind}")
    return figures


def measure_size(chunks: int, options: argparse.Namespace, contenders: Sequence[Contender]) -> list[dict[str, Any]]:
    figures: list[dict[str, Any]] = []
    for kind in KINDS:
        chosen = [one for one in contenders if one.kind == kind and chunks <= (one.most_chunks or chunks)]
        if not chosen or (options.real and kind == "vectors"):
            continue
        with tempfile.TemporaryDirectory(prefix="coldseek-peers-") as scratch:
            data = Path(scratch)
            if kind == "vectors":
                expected = write_vectors(data, chunks, options.dimensions).tolist()
            else:
                if options.real:
                    chunks = write_real_texts(data, chunks, real_texts())
                else:
                    write_texts(data, chunks)
                expected = [[row] for _, row in json.loads((data / ASKED_TEXTS).read_text(encoding="utf-8"))]
            size = {
                "chunks": chunks,
                "dimensions": options.dimensions if kind == "vectors" else 0,
                "texts": "real" if options.real else "Zipf",
            }
            measured = measure_kind(kind, chosen, data, expected, options.patience)
            figures.extend({**size, **one} for one in measured)
    return figures


def real_texts() -> Path:
    root = Path(os.environ.get("COLDSEEK_TEST_DATA", BENCH.parent.parent / "shared" / "data"))
    folder = root / "scale"
    if not folder.is_dir():
        raise SystemExit(f"{folder} is not there; set COLDSEEK_TEST_DATA to the folder of the shared test data")
    return folder


def peer_versions() -> dict[str, str]:
    found: dict[str, str] = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def print_tables(figures: Sequence[dict[str, Any]]) -> None:
    by_size: dict[tuple[str, str], list[tuple[int, dict[str, Any]]]] = {}
    for (kind, texts, chunks, dimensions), rows in groups(figures).items():
        of = f"{texts} texts" if kind == "keywords" else f"{dimensions} dimensions"
        print(f"\n{kind.capitalize()}, {chunks:,} chunks, {of}:\n")
        print_table(table_head(kind), [table_row(one) for one in rows])
        by_size.setdefault((kind, of), []).extend((chunks, one) for one in rows)
    for (kind, of), rows in by_size.items():
        print(f"\n{kind.capitalize()}, {of}, a question's median:\n")
        print_table(*medians_by_size(rows))


def parse_options() -> argparse.Namespace:
    names = sorted({one.name for one in CONTENDERS})
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", metavar="N[,N...]", help="sizes (default 10000,100000; with --join none)")
    parser.add_argument("--dimensions", type=int, default=DIMENSIONS, metavar="N", help="default 384")
    parser.add_argument("--real", action="store_true", help="passages of the shared test data, keywords alone")
    parser.add_argument("--only", metavar="NAME[,NAME...]", help=f"of {', '.join(names)}, or keywords or vectors")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the raw figures (seconds and bytes) there")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the times to FILE (.svg or .png)")
    parser.add_argument("--join", type=Path, nargs="+", default=[], metavar="FILE", help="figures of earlier runs, too")
    parser.add_argument("--patience", type=float, default=PATIENCE, metavar="SECONDS", help="for a step, default 3600")
    options = parser.parse_args()
    smoke = smoke_chunks()
    if smoke:
        options.sizes = [smoke]
    elif options.chunks:
        options.sizes = [int(size) for size in options.chunks.split(",")]
    else:
        options.sizes = [] if options.join else list(CHUNKS)
    if any(size < FEWEST_CHUNKS for size in options.sizes):
        parser.error(f"expected at least {FEWEST_CHUNKS:,} chunks; got {options.sizes}")
    options.names = set(options.only.split(",")) if options.only else {*names}
    unknown = options.names - {*names, *KINDS}
    if unknown:
        parser.error(f"no such contender: {', '.join(sorted(unknown))}")
    return options


def main() -> None:
    options = parse_options()
    began = machine()
    began["versions"].update(peer_versions())
    chosen = [one for one in CONTENDERS if {one.name, one.kind} & options.names]
    missing = [one for one in chosen if one.missing()]
    earlier = [json.loads(file.read_text(encoding="utf-8")) for file in options.join]
    runs = [one["figures"] for one in earlier]
    if earlier and not options.sizes:
        began = earlier[-1]["machine"]
    figures = joined(runs)
    for chunks in options.sizes:
        runs.append(measure_size(chunks, options, [one for one in chosen if not one.missing()]))
        figures = joined(runs)
        write_figures(options.json, began, figures)  # a long run keeps what it has
    write_figures(options.json, began, figures)
    print_tables(figures)
    if missing:
        names = ", ".join(f"{one.name} ({', '.join(one.missing())})" for one in missing)
        print(f"\nnot installed: {names} (pip install -e '.[bench]')")
    if options.plot:
        plot(figures, f"{began['processor']}, one core, {began['python']}, {began['date'][:10]}", options.plot)


if __name__ == "__main__":
    main()
