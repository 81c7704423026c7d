"""How fast a keyword index is built, and in how much memory, beside tantivy with one thread in the same run.

    python bench/building.py [--chunks NUMBER] [--real [--sample NUMBER]] [--rounds NUMBER] [--json FILE]

50,000 synthetic chunks of 60 words (COLDSEEK_BENCH_CHUNKS: that many and one round), or all passages of the shared test
data (folder COLDSEEK_TEST_DATA), or every so-manieth of them. Each build is a process of its own that reads one JSONL
file; builders take turns, and medians of all rounds are shown. tantivy stems English, stores every text and is timed
twice: from the file as coldseek is, and without the time that reading the file takes. Imports are not counted. Memory
is the peak of the process and all its children, summed. The index is postings and dictionary, and tantivy's norms,
without stored texts and positions. Neither looks ids up.
"""

import argparse
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from machine import machine, print_table, smoke_chunks, write_figures
from workload import WORDS_A_CHUNK, zipf_words

CHUNKS = 50_000
ROUNDS = 3
WORKERS = (1, 2)
# Files of postings and dictionary: coldseek's, and tantivy's by their endings, with its norms.
INDEX_FILES = ("postings.arrow", "terms.arrow", "term_blocks.arrow", ".idx", ".term", ".fieldnorm")
DRAWN_AT_ONCE = 50_000
TEST_DATA = Path(__file__).resolve().parents[1] / "../shared/data"

COLDSEEK = """
import sys, time, coldseek, coldseek_core.ingest.build, coldseek_core.kernels
coldseek_core.kernels.load()
if __name__ == "__main__":
    begin = time.perf_counter()
    report = coldseek.build([sys.argv[1]], sys.argv[2], embedder="none", workers=int(sys.argv[3]))
    print(report.chunks, time.perf_counter() - begin, 0.0)
"""
# The heap is as large as tantivy's documentation asks for, several times over; what is read is let go of at once.
TANTIVY = """
import json, sys, time, tantivy
from pathlib import Path
builder = tantivy.SchemaBuilder()
builder.add_bytes_field("id", stored=True)
for name in ("title", "headings", "text"):
    builder.add_text_field(name, stored=True, tokenizer_name="en_stem")
Path(sys.argv[2]).mkdir()
begin = time.perf_counter()
index = tantivy.Index(builder.build(), path=sys.argv[2])
writer = index.writer(heap_size=256_000_000, num_threads=1)
reading = 0.0
count = 0
with open(sys.argv[1], encoding="utf-8") as file:
    while True:
        start = time.perf_counter()
        line = file.readline()
        fields = json.loads(line) if line else None
        reading += time.perf_counter() - start
        if fields is None:
            break
        headings = "\\n".join(fields.get("headingPath", []))
        names = {"id": fields["id"].encode(), "title": fields.get("title", ""), "text": fields["text"]}
        writer.add_document(tantivy.Document(headings=headings, **names))
        count += 1
writer.commit()
writer.wait_merging_threads()
print(count, time.perf_counter() - begin, reading)
"""


def synthetic_lines(chunks: int) -> Iterator[str]:
    rng = np.random.default_rng(1)
    for first in range(0, chunks, DRAWN_AT_ONCE):
        count = min(DRAWN_AT_ONCE, chunks - first)
        words = zipf_words(rng, count * WORDS_A_CHUNK)
        for order in range(count):
            text = " ".join(words[order * WORDS_A_CHUNK : (order + 1) * WORDS_A_CHUNK])
            yield json.dumps({"id": f"c{first + order}", "text": text})


def real_lines(sample: int | None) -> Iterator[str]:
    """The passages of the shared test data; of `sample` of them each as far from the next."""
    import zstandard

    folder = Path(os.environ.get("COLDSEEK_TEST_DATA", TEST_DATA)) / "scale"
    files = sorted(folder.glob("*.jsonl.zst"))
    if not files:
        raise SystemExit(f"{folder} has no passages; set COLDSEEK_TEST_DATA")

    def lines() -> Iterator[bytes]:
        for file in files:
            with file.open("rb") as packed, zstandard.ZstdDecompressor().stream_reader(packed) as stream:
                yield from stream.read().split(b"\n")

    total = sum(1 for line in lines() if line)
    step = max(1, total // sample) if sample else 1
    for line in itertools.islice(filter(None, lines()), 0, None, step):
        passage = json.loads(line)
        yield json.dumps(
            {
                "id": passage["_id"],
                "document": passage["_id"].rsplit("#", 1)[0],
                "title": passage["title"],
                "headingPath": [passage["section"]],
                "text": passage["text"],
            },
            ensure_ascii=False,
        )


def tree_of(process: int) -> list[int]:
    """A process and all that came of it."""
    found = [process]
    for one in found:
        for task in Path(f"/proc/{one}/task").glob("*/children"):
            try:
                found += map(int, task.read_text(encoding="ascii").split())
            except OSError:
                continue  # it has ended
    return found


def peak_of(process: int) -> int | None:
    try:
        lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), None)


def run(code: str, *arguments: str) -> dict[str, Any]:
    """Seconds, seconds of them for reading, chunks and peak memory of a program that builds."""
    with tempfile.TemporaryDirectory(prefix="coldseek-building-") as scratch:
        # A file and no `-c`, for worker processes import what started them.
        script = Path(scratch) / "building.py"
        script.write_text(code, encoding="utf-8")
        command = [sys.executable, str(script), arguments[0], str(Path(scratch) / "index"), *arguments[1:]]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        peaks: dict[int, int] = {}
        while process.poll() is None:
            for one in tree_of(process.pid):
                peaks[one] = max(peak_of(one) or 0, peaks.get(one, 0))
            time.sleep(0.02)
        printed = process.communicate()[0]
        files = (Path(scratch) / "index").rglob("*")
        index_bytes = sum(file.stat().st_size for file in files if file.name.endswith(INDEX_FILES))
        if process.returncode:
            raise SystemExit(f"a build ended with status {process.returncode}")
    chunks, seconds, reading = printed.split()[-3:]
    return {
        "chunks": int(chunks),
        "seconds": float(seconds),
        "readingSeconds": float(reading),
        "peakBytes": sum(peaks.values()),
        "indexBytes": index_bytes,
    }


def measure(file: Path, rounds: int) -> list[dict[str, Any]]:
    """Figures of each builder: medians over the rounds."""
    builders = {
        "tantivy, one thread": (TANTIVY,),
        **{f"coldseek, workers: {workers}": (COLDSEEK, str(workers)) for workers in WORKERS},
    }
    taken: dict[str, list[dict[str, Any]]] = {name: [] for name in builders}
    for _ in range(rounds):
        for name, (code, *arguments) in builders.items():
            taken[name].append(run(code, str(file), *arguments))
    if len({one["chunks"] for runs in taken.values() for one in runs}) != 1:
        raise SystemExit(f"builders made different numbers of chunks: {taken}")
    return [
        {
            "builder": name,
            "chunks": runs[0]["chunks"],
            "runs": runs,
            "seconds": statistics.median(one["seconds"] for one in runs),
            "secondsWithoutReading": statistics.median(one["seconds"] - one["readingSeconds"] for one in runs),
            "peakBytes": max(one["peakBytes"] for one in runs),
            "indexBytes": runs[0]["indexBytes"],
        }
        for name, runs in taken.items()
    ]


def shown(figures: dict[str, Any], other: dict[str, Any]) -> list[str]:
    return [
        figures["builder"],
        f"{figures['seconds']:.2f} s",
        f"{figures['chunks'] / figures['seconds']:,.0f}",
        f"{other['seconds'] / figures['seconds']:.2f}",
        f"{other['secondsWithoutReading'] / figures['seconds']:.2f}",
        f"{figures['peakBytes'] / 1e6:,.0f} MB",
        f"{figures['indexBytes'] / 1e6:,.1f} MB",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=CHUNKS, metavar="NUMBER", help="synthetic chunks")
    parser.add_argument("--real", action="store_true", help="index the passages of the shared test data")
    parser.add_argument("--sample", type=int, metavar="NUMBER", help="index about so many of the real passages")
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="NUMBER")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the raw figures (seconds and bytes) there")
    options = parser.parse_args()
    began = machine()
    smoke = smoke_chunks()
    with tempfile.TemporaryDirectory(prefix="coldseek-building-") as scratch:
        file = Path(scratch) / "chunks.jsonl"
        lines = real_lines(options.sample) if options.real else synthetic_lines(smoke or options.chunks)
        with file.open("w", encoding="utf-8") as written:
            written.writelines(f"{line}\n" for line in lines)
        figures = measure(file, 1 if smoke else options.rounds)
    write_figures(options.json, began, figures)
    head = [
        f"{figures[0]['chunks']:,} chunks",
        "time",
        "chunks a second",
        "times tantivy's speed",
        "the same, tantivy without reading",
        "peak memory",
        "index",
    ]
    print_table(head, [shown(one, figures[0]) for one in figures])


if __name__ == "__main__":
    main()
