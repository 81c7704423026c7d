"""How many instructions each kernel takes on a fixed input, so that a regression shows on a noisy machine.

    python bench/instructions.py [--json FILE] [--before FILE]

An index of 5,000 chunks of 60 words and 512 dimensions (COLDSEEK_BENCH_CHUNKS: so many) is built; then one process
opens it, asks 20 questions of 6 words through `search` and `retrieve`, filters, all that without NumPy, and counts the
terms of a page, as a build does. It runs under Valgrind (callgrind, https://valgrind.org/docs/manual/cl-manual.html)
at the level x86-64-v3, the best that Valgrind knows, which counts the instructions of every kernel with all that it
calls. `--before`: the figures of an earlier run, to say by how much each kernel changed. Skipped, and said, where there
is no Valgrind, or no such level.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from coldseek_core.errors import KernelError
from coldseek_core.kernels.loader import VARIABLE, open_level
from coldseek_core.kernels.signatures import SIGNATURES
from machine import machine, print_table, smoke_chunks, write_figures
from workload import make_workload, write_workload

LEVEL = "x86-64-v3"
CHUNKS = 5_000
DIMENSIONS = 512

ASK = """
import sys
import coldseek
from coldseek_core.embed.canary import canary_codes
questions = [line.rstrip("\\n").split("\\t") for line in open(sys.argv[2], encoding="utf-8")]
index = coldseek.open(sys.argv[1])
for text, *values in questions:
    vector = [float(value) for value in values]
    index.search(text, vector=vector)
    index.search(text, vector=vector, filter={"document_ids": ["d1", "d2", "d3"]})
    index.retrieve(text, vector=vector)
    canary_codes([vector])
from coldseek_core.columns.texts import Texts
from coldseek_core.ingest.corpus import Corpus
from coldseek_core.ingest.counting import count_chunks
from coldseek_core.ingest.documents import Chunk, Document
from coldseek_core.ingest.postings import PostingsBuilder
from coldseek_core.search.settings import DEFAULT_SCORING
from coldseek_core.text import Analyser
from coldseek_core.text.term_numbers import TermNumbers
texts = open(sys.argv[3], encoding="utf-8").read().split("\\n\\n")
chunks = tuple(Chunk(str(order), text) for order, text in enumerate(texts))
analyser = Analyser("en")
numbers = TermNumbers(analyser)
builder = PostingsBuilder(DEFAULT_SCORING)
for counted in count_chunks(Corpus.of([Document("d", "d", "", "", chunks=chunks)]), analyser, numbers):
    builder.add(counted)
builder.finish(Texts(*numbers.terms()))
"""

# A line of callgrind_annotate: the count, perhaps its share, the file, and the function.
COUNTED = re.compile(r"^\s*([\d,]+)\s.*:coldseek_(\w+)(?: \[|$)")


def counted(command: list[str], scratch: Path) -> dict[str, int]:
    """Instructions of each kernel in one run of `command`, with what it calls. Raises SystemExit where it fails."""
    file = scratch / "callgrind.out"
    valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={file}", "--quiet"]
    variables = {name: value for name, value in os.environ.items() if name != "COLDSEEK_BENCH_CHUNKS"}
    variables |= {VARIABLE: LEVEL, "PYTHONHASHSEED": "0"}
    done = subprocess.run([*valgrind, *command], env=variables, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"it failed under Valgrind: {done.stderr[-2000:]}")
    annotate = ["callgrind_annotate", "--inclusive=yes", "--threshold=100", str(file)]
    listing = subprocess.run(annotate, capture_output=True, text=True, check=True).stdout
    found: dict[str, int] = {}
    for line in listing.splitlines():
        match = COUNTED.match(line)
        if match and match[2] in SIGNATURES:
            found[match[2]] = found.get(match[2], 0) + int(match[1].replace(",", ""))
    return found


def measure(scratch: Path) -> dict[str, int]:
    workload = make_workload(smoke_chunks() or CHUNKS, DIMENSIONS)
    write_workload(workload, scratch / "index")
    lines = ["\t".join([text, *map(repr, vector)]) for text, vector in workload.queries]
    (scratch / "questions").write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    readme = Path(__file__).resolve().parents[1] / "docs" / "index-format.md"
    command = [sys.executable, "-c", ASK, str(scratch / "index"), str(scratch / "questions"), str(readme)]
    return counted(command, scratch)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the figures there")
    parser.add_argument("--before", type=Path, metavar="FILE", help="figures of an earlier run, to compare with")
    options = parser.parse_args()
    missing = [tool for tool in ("valgrind", "callgrind_annotate") if shutil.which(tool) is None]
    if missing:
        print(f"skipped: there is no {' and no '.join(missing)} (Debian: apt install valgrind)")
        return
    try:
        open_level(LEVEL)
    except KernelError as error:
        print(f"skipped: {error}")
        return
    began = machine()
    with tempfile.TemporaryDirectory(prefix="coldseek-instructions-") as scratch:
        found = measure(Path(scratch))
    figures: list[dict[str, Any]] = [{"kernel": name, "instructions": found.get(name, 0)} for name in SIGNATURES]
    write_figures(options.json, began, figures)
    before: dict[str, int] = {}
    if options.before is not None:
        before = {one["kernel"]: one["instructions"] for one in json.loads(options.before.read_text())["figures"]}
    rows: list[list[str]] = []
    for name in SIGNATURES:
        count = found.get(name, 0)
        change = f"{count / before[name] - 1:+.1%}" if before.get(name) else ""
        rows.append([name, f"{count:,}" if count else "not called", *([change] if before else [])])
    print_table(["kernel", "instructions", *(["change"] if before else [])], rows)


if __name__ == "__main__":
    main()
