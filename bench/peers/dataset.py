"""The data of one run in files, so that each process reads only what it needs: texts, vectors, questions, answers.

Everything is made and written in blocks, so that millions of chunks fit into memory, and comes from one seed.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from peers.contender import TOP_K
from workload import CENTROIDS, WORDS_A_CHUNK, unit_vectors, vectors_around, zipf_words

BLOCK = 50_000
QUESTIONS = 200
WORDS_A_QUESTION = 6
SEED = 1
# A heading of fewer words seldom tells what its passage is about.
HEADING_WORDS = range(3, 13)
# A passage that is hardly more than its heading would be found by its length.
CHARACTERS_BELOW_HEADING = 100

TEXTS, ASKED_TEXTS = "texts.txt", "asked_texts.json"
VECTORS, ASKED_VECTORS = "vectors.npy", "asked_vectors.json"


def blocks(chunks: int) -> Iterator[tuple[int, int]]:
    """(first row, rows) of each block."""
    for first in range(0, chunks, BLOCK):
        yield first, min(BLOCK, chunks - first)


def write_texts(folder: Path, chunks: int) -> None:
    """Zipf texts, one a line. A question is the first six different words of a chunk, which is its answer."""
    rng = np.random.default_rng(SEED)
    answers = set(rng.choice(chunks, QUESTIONS, replace=False).tolist())
    asked: list[tuple[str, int]] = []
    with (folder / TEXTS).open("w", encoding="utf-8", newline="\n") as file:
        for start, count in blocks(chunks):
            words = zipf_words(rng, count * WORDS_A_CHUNK)
            for row in range(start, start + count):
                first = (row - start) * WORDS_A_CHUNK
                text = words[first : first + WORDS_A_CHUNK]
                file.write(" ".join(text) + "\n")
                if row in answers:
                    asked.append((" ".join(list(dict.fromkeys(text))[:WORDS_A_QUESTION]), row))
    _write_asked(folder, asked)


def write_real_texts(folder: Path, chunks: int, source: Path) -> int:
    """Passages of the shared test data, drawn at random where it has more; how many there are. A question is a heading
    that only one of them has, in lower case and without punctuation; that passage is its answer."""
    lines = [line for file in sorted(source.glob("*.jsonl.zst")) for line in _decompressed(file)]
    rng = np.random.default_rng(SEED)
    kept = np.sort(rng.choice(len(lines), min(chunks, len(lines)), replace=False))
    places: dict[str, list[int]] = {}
    with (folder / TEXTS).open("w", encoding="utf-8", newline="\n") as file:
        for row, place in enumerate(kept):
            passage = json.loads(lines[place])
            text = " ".join(passage["text"].split())
            file.write(text + "\n")
            heading = " ".join(re.findall(r"\w+", passage["section"].lower()))
            telling = len(text) >= len(passage["section"]) + CHARACTERS_BELOW_HEADING
            places.setdefault(heading, []).append(row if telling else -1)
    single = [
        (heading, rows[0])
        for heading, rows in places.items()
        if len(rows) == 1 and rows[0] >= 0 and len(heading.split()) in HEADING_WORDS
    ]
    chosen = rng.choice(len(single), min(QUESTIONS, len(single)), replace=False)
    _write_asked(folder, [single[place] for place in np.sort(chosen)])
    return len(kept)


def _decompressed(file: Path) -> list[str]:
    import zstandard

    with zstandard.open(file, "rt", encoding="utf-8", newline="\n") as lines:
        return list(lines)


def _write_asked(folder: Path, asked: list[tuple[str, int]]) -> None:
    if not asked:
        raise SystemExit("there are too few chunks for a question; take more")
    (folder / ASKED_TEXTS).write_text(json.dumps(asked), encoding="utf-8")


def read_texts(folder: Path) -> list[str]:
    with (folder / TEXTS).open(encoding="utf-8", newline="\n") as file:
        return [line.removesuffix("\n") for line in file]


def write_vectors(folder: Path, chunks: int, dimensions: int) -> NDArray[np.int64]:
    """Vectors around centroids, and questions around the same ones; the rows of the best ten of each question by
    float32 product (questions, 10), in any order."""
    rng = np.random.default_rng(SEED)
    centroids = unit_vectors(rng, CENTROIDS, dimensions)
    questions = vectors_around(rng, centroids, QUESTIONS)
    best = np.empty((QUESTIONS, 0), dtype=np.float32)
    best_rows = np.empty((QUESTIONS, 0), dtype=np.int64)
    with (folder / VECTORS).open("wb") as file:
        _write_head(file, (chunks, dimensions))
        for start, count in blocks(chunks):
            vectors = vectors_around(rng, centroids, count)
            file.write(vectors.tobytes())
            products = np.concatenate([best, questions @ vectors.T], axis=1)
            rows = np.concatenate([best_rows, np.tile(np.arange(start, start + count), (QUESTIONS, 1))], axis=1)
            chosen = np.argpartition(products, -TOP_K, axis=1)[:, -TOP_K:]
            best = np.take_along_axis(products, chosen, axis=1)
            best_rows = np.take_along_axis(rows, chosen, axis=1)
    (folder / ASKED_VECTORS).write_text(json.dumps(questions.tolist()), encoding="utf-8")
    return best_rows


def _write_head(file: IO[bytes], shape: tuple[int, int]) -> None:
    layout = {"descr": np.lib.format.dtype_to_descr(np.dtype(np.float32)), "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, layout)


def read_vectors(folder: Path) -> NDArray[np.float32]:
    """Mapped, (chunks, dimensions)."""
    return np.load(folder / VECTORS, mmap_mode="r")
