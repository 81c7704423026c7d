"""Cosines: within [-1, 1], true to the floats, blind to the query's length."""

import math
import random
from pathlib import Path

import numpy as np
import pytest

from search.test_conformance import engine_of


def test_scale_changes_nothing(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    vectors = rng.normal(size=(40, 24))
    vectors[20:] = vectors[:20] * 7.3
    engine = engine_of(tmp_path, ["w"] * 40, vectors.tolist())
    query = rng.normal(size=24)
    plain = engine.search("w", vector=query.tolist(), mode="semantic", top_k=50).hits
    by_row = {hit.row: hit.similarity for hit in plain}
    for row in range(20):
        assert by_row[row] == by_row[row + 20]
    for scale in (2.0, 0.5, 2.0**-40, 2.0**60):
        scaled = engine.search("w", vector=(query * scale).tolist(), mode="semantic", top_k=50).hits
        assert [(hit.row, hit.similarity) for hit in scaled] == [(hit.row, hit.similarity) for hit in plain]
    for scale in (7.3, 1e-6):
        scaled = engine.search("w", vector=(query * scale).tolist(), mode="semantic", top_k=50).hits
        assert [hit.row for hit in scaled[:10]] == [hit.row for hit in plain[:10]]
        for hit in scaled:
            assert hit.similarity == pytest.approx(by_row[hit.row], abs=1e-3)


@pytest.mark.parametrize("dimensions", [1, 2, 22, 23, 53, 55, 256, 1536])
def test_cosines_stay_within_one(tmp_path: Path, dimensions: int) -> None:
    engine = engine_of(tmp_path, ["a", "b"], [[1.0] * dimensions, [-1.0] * dimensions])
    best, worst = engine.search("a", vector=[3.0] * dimensions, mode="semantic").hits
    assert (best.row, worst.row) == (0, 1)
    assert best.similarity == pytest.approx(1.0)
    assert (best.similarity or 0.0) <= 1.0
    assert (worst.similarity or 0.0) >= -1.0


def test_cosines_are_raw_and_close_to_those_of_floats(tmp_path: Path) -> None:
    rng = np.random.default_rng(6)
    vectors = rng.normal(size=(30, 512))
    query = vectors[3] + rng.normal(size=512) * 0.3
    engine = engine_of(tmp_path, ["w"] * 30, vectors.tolist())
    hits = engine.search("w", vector=query.tolist(), mode="semantic", top_k=30).hits
    truth = vectors @ query / np.linalg.norm(vectors, axis=1) / np.linalg.norm(query)
    assert hits[0].row == 3
    assert min(hit.similarity or 0.0 for hit in hits) < 0
    for hit in hits:
        assert hit.similarity == pytest.approx(truth[hit.row], abs=0.005)


def test_clustered_vectors_keep_their_neighbours(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    centres = rng.normal(size=(40, 1024))
    vectors = centres[rng.integers(0, 40, 2000)] + rng.normal(size=(2000, 1024)) * 0.8
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    engine = engine_of(tmp_path, ["w"] * 2000, vectors.tolist())
    overlaps: list[float] = []
    for _ in range(30):
        query = centres[rng.integers(0, 40)] + rng.normal(size=1024) * 0.8
        best = np.argsort(-(vectors @ query), kind="stable")[:10].tolist()
        rows = [hit.row for hit in engine.search("w", vector=query.tolist(), mode="semantic", top_k=10).hits]
        overlaps.append(len(set(best) & set(rows)) / 10)
    assert sum(overlaps) / len(overlaps) >= 0.97


def test_opposite_vectors_are_opposite(tmp_path: Path) -> None:
    vector = np.random.default_rng(9).normal(size=384)
    vector[5] = -abs(vector).max()  # the largest component is negative: the clamp's other edge
    engine = engine_of(tmp_path, ["a", "b"], [vector.tolist(), (-vector).tolist()])
    for sign in (1.0, -1.0):
        hits = engine.search("a", vector=(sign * vector).tolist(), mode="semantic").hits
        assert [hit.row for hit in hits] == ([0, 1] if sign > 0 else [1, 0])
        assert [hit.similarity for hit in hits] == pytest.approx([1.0, -1.0], abs=1e-4)


def test_vectors_cut_short_are_like_themselves(tmp_path: Path) -> None:
    """The first 256 components of unit vectors of 1,024 have no unit length."""
    whole = np.random.default_rng(10).normal(size=(30, 1024))
    cut = (whole / np.linalg.norm(whole, axis=1, keepdims=True))[:, :256].tolist()
    engine = engine_of(tmp_path, ["w"] * 30, cut)
    for row, vector in enumerate(cut):
        hits = engine.search("w", vector=vector, mode="semantic", top_k=30).hits
        assert hits[0].row == row
        assert (hits[0].similarity or 0.0) >= 0.999
        assert all(-1.0 <= (hit.similarity or 0.0) <= 1.0 for hit in hits)


def test_zero_vectors_have_no_similarity(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, ["a", "b"], [[0.0, 0.0], [1.0, 0.0]])
    assert [hit.similarity for hit in engine.search("x", vector=[0.0, 1.0], mode="semantic").hits] == [0.0, 0.0]
    assert engine.search("x", vector=[0.0, 0.0], mode="semantic").hits == []  # it is like nothing
    assert [hit.row for hit in engine.search("x", vector=[-1.0, 0.0], mode="semantic").hits] == [0, 1]


@pytest.mark.parametrize(
    "vector", [[math.nan, 1.0], [math.inf, 1.0], ["a", "b"], [None, 1.0], 5, "ab", iter([1.0, 2.0])]
)
def test_a_vector_that_is_none(tmp_path: Path, vector: object) -> None:
    engine = engine_of(tmp_path, ["a"], [[1.0, 2.0]])
    with pytest.raises(ValueError, match="vector"):
        engine.search("a", vector=vector)  # pyright: ignore[reportArgumentType]


def test_extreme_lengths_of_a_query(tmp_path: Path) -> None:
    rng = random.Random(8)
    engine = engine_of(tmp_path, ["w"] * 20, [[rng.gauss(0, 1) for _ in range(8)] for _ in range(20)])
    query = [rng.gauss(0, 1) for _ in range(8)]
    plain = [hit.row for hit in engine.search("w", vector=query, mode="semantic", top_k=20).hits]
    for scale in (1e307, 1e-300):
        scaled = engine.search("w", vector=[value * scale for value in query], mode="semantic", top_k=20).hits
        assert [hit.row for hit in scaled] == plain
