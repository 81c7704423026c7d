"""What the comparison with others makes of its raw figures, and the exact answers that it compares with."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zstandard

from peers.dataset import (
    ASKED_TEXTS,
    ASKED_VECTORS,
    BLOCK,
    read_texts,
    read_vectors,
    write_real_texts,
    write_texts,
    write_vectors,
)
from peers.figures import groups, joined, medians_by_size, overlap, percentile99


def figure(name: str, chunks: int, median: float, kind: str = "vectors") -> dict[str, Any]:
    return {"kind": kind, "name": name, "texts": "Zipf", "chunks": chunks, "dimensions": 384, "median": median}


def test_percentile_of_one_hundred_and_one_times() -> None:
    assert percentile99([float(value) for value in range(101)]) == pytest.approx(99)


def test_percentile_never_exceeds_the_longest_time() -> None:
    assert percentile99([1.0, 2.0]) < 2.0
    assert percentile99([3.0]) == 3.0


@pytest.mark.parametrize(
    ("found", "expected", "share"),
    [
        ([[3, 1, 2]], [[1, 2, 3]], 1.0),
        ([[1, 9, 8]], [[1, 2, 3]], 1 / 3),
        ([[4, 5], [6, 7]], [[5], [8]], 0.5),
        ([[5]], [[5], [6]], 1.0),
        ([[]], [[5]], 0.0),
    ],
)
def test_overlap(found: list[list[int]], expected: list[list[int]], share: float) -> None:
    assert overlap(found, expected) == pytest.approx(share)


def test_the_later_run_of_the_same_size_counts() -> None:
    runs = [[figure("a", 10, 1.0), figure("a", 20, 2.0)], [figure("a", 10, 3.0), figure("b", 10, 4.0)]]
    assert [(one["name"], one["chunks"], one["median"]) for one in joined(runs)] == [
        ("a", 10, 3.0),
        ("a", 20, 2.0),
        ("b", 10, 4.0),
    ]


def test_tables_are_by_kind_then_size() -> None:
    figures = [figure("a", 20, 1.0), figure("a", 10, 1.0), figure("b", 10, 1.0, kind="keywords")]
    assert [(kind, chunks) for kind, _, chunks, _ in groups(figures)] == [
        ("keywords", 10),
        ("vectors", 10),
        ("vectors", 20),
    ]


def test_a_program_that_did_not_run_at_a_size_has_a_dash_there() -> None:
    rows = [(2_000, figure("a", 2_000, 0.25)), (1_000, figure("a", 1_000, 0.0125)), (1_000, figure("b", 1_000, 12.0))]
    assert medians_by_size(rows) == (
        ["chunks", "1,000", "2,000"],
        [["a", "12.50 ms", "250.00 ms"], ["b", "12 s", "–"]],
    )


def test_best_ten_are_those_of_the_whole_product(tmp_path: Path) -> None:
    chunks = BLOCK + 1_000  # best rows of the first block must outlive the second one
    best = write_vectors(tmp_path, chunks, 8)
    vectors = read_vectors(tmp_path)
    questions = np.array(json.loads((tmp_path / ASKED_VECTORS).read_text()), dtype=np.float32)
    assert vectors.shape == (chunks, 8)
    products = questions.astype(np.float64) @ vectors.T.astype(np.float64)
    tenth = np.sort(products, axis=1)[:, -10]
    found = np.take_along_axis(products, best, axis=1)
    assert (found >= tenth[:, None] - 1e-6).all()
    assert (best >= BLOCK).any()
    assert all(len(set(rows)) == 10 for rows in best.tolist())


def test_a_question_is_of_words_of_its_answer(tmp_path: Path) -> None:
    write_texts(tmp_path, 1_000)
    texts = read_texts(tmp_path)
    asked = json.loads((tmp_path / ASKED_TEXTS).read_text())
    assert len(texts) == 1_000
    assert len({row for _, row in asked}) == len(asked) == 200
    for text, row in asked:
        assert 1 <= len(text.split()) <= 6
        assert set(text.split()) <= set(texts[row].split())


def test_a_real_question_is_a_telling_heading_of_one_passage(tmp_path: Path) -> None:
    long = "word " * 40
    passages = [
        ("How to Open_a File", f"How to Open_a File\n{long}"),
        ("One Of Two Such", f"One Of Two Such {long}"),
        ("one of two such!", f"one of two such! {long}"),
        ("Nothing Below This Heading", "Nothing Below This Heading"),
        ("Too Short", f"Too Short {long}"),
    ]
    lines = "".join(json.dumps({"section": section, "text": text}) + "\n" for section, text in passages)
    (tmp_path / "set.jsonl.zst").write_bytes(zstandard.compress(lines.encode()))
    assert write_real_texts(tmp_path, 1_000, tmp_path) == len(passages)
    assert json.loads((tmp_path / ASKED_TEXTS).read_text()) == [["how to open_a file", 0]]
    assert read_texts(tmp_path)[0] == f"How to Open_a File {long.strip()}"
