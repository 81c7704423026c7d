"""Thresholds are compared with a retriever's own signal, never with the fused score, which is at most 0.033."""

from pathlib import Path
from typing import Any

import pytest

from search.test_conformance import engine_of

TEXTS = ["error QX-9917 explained", "warm soup", "cold soup", "a pan"]
VECTORS = [[0.0, 1.0], [1.0, 0.1], [0.35, 1.0], [-1.0, 0.2]]
LIKE = [1.0, 0.0]


@pytest.mark.parametrize("least", [0.3, 0.5, 0.9, 1.0])
def test_an_exact_match_survives_whatever_similarity_is_asked_for(tmp_path: Path, least: float) -> None:
    engine = engine_of(tmp_path, TEXTS, VECTORS, "en")
    answer = engine.retrieve("QX-9917", vector=LIKE, min_similarity=least)
    assert answer.mode.ran == "hybrid"
    rows = [hit.row for hit in answer.hits]
    assert 0 in rows
    assert answer.hits[0].score < 0.04 < least, "the fused score is below the threshold, and does not matter"
    for hit in answer.hits:
        assert hit.keyword_coverage >= 0.5 or (hit.similarity or 0.0) >= least
    expected = {0, *(row for row, (x, y) in enumerate(VECTORS) if x / (x * x + y * y) ** 0.5 >= least)}
    assert set(rows) == expected


def test_a_threshold_drops_nothing_that_reaches_it_in_each_mode(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, TEXTS, VECTORS, "en")
    for mode, expected in (("hybrid", [0, 1, 2]), ("semantic", [1, 2, 0]), ("lexical", [0])):
        options: dict[str, Any] = {"min_similarity": 0.3, "min_keyword_coverage": 1.0}
        answer = engine.retrieve("QX-9917", vector=LIKE, mode=mode, **options)
        assert sorted(hit.row for hit in answer.hits) == sorted(expected), mode
    # With both out of reach, nothing passes by its fused score either.
    refused = engine.retrieve("soup of the day", vector=[0.6, -0.8], min_similarity=0.99, min_keyword_coverage=1.0)
    assert not refused.answerable
