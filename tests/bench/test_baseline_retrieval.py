"""Fusion, the relevance gate, modes and packing of the baseline."""

import pytest

from baseline.fusion import FUSED_UNIT, fuse
from baseline.packing import pack
from baseline.search import BaselineSearch
from baseline.settings import Settings
from baseline.tokens import Token


def word_tokens(text: str) -> list[Token]:
    return [Token(term, 0, len(term), "WORD", False, order) for order, term in enumerate(text.split())]


def index_of(texts: list[str], vectors: list[list[float]] | None = None, **settings: object) -> BaselineSearch:
    chunks = [([], [], word_tokens(text)) for text in texts]
    return BaselineSearch(chunks, vectors, Settings()._replace(**settings))


def rows(hits: list) -> list[int]:
    return [hit.row for hit in hits]


@pytest.mark.parametrize(
    ("lists", "order"),
    [
        ([[10, 20, 30], [20, 40]], [20, 10, 40, 30]),
        ([[1, 2, 3, 4, 5], [5, 4, 3, 2, 1]], [1, 5, 2, 4, 3]),
        ([[], [7]], [7]),
        ([[9], [3]], [3, 9]),
        ([[], []], []),
    ],
)
def test_fusion_order(lists: list[list[int]], order: list[int]) -> None:
    assert [row for row, _ in fuse(lists, 60)] == order


def test_fused_scores_are_integers() -> None:
    fused = dict(fuse([[10, 20, 30], [20, 40]], 60))
    assert fused[20] == 2**48 // 62 + 2**48 // 61
    assert fused[20] / FUSED_UNIT == pytest.approx(1 / 62 + 1 / 61, abs=1e-13)


SIZES = [
    ([60, 50, 10], [1]),
    ([150, 10], [1]),
    ([0, 150, 10], [1, 1]),
    ([60, 40], [1, 1]),
    ([60, 40, 0], [1, 1, 1]),
    ([60, 40, 1], [1, 1]),
    ([], []),
]


@pytest.mark.parametrize(("sizes", "packed"), SIZES)
def test_packing_at_a_hundred(sizes: list[int], packed: list[int]) -> None:
    sources = pack([(row, row, "😀" * size) for row, size in enumerate(sizes)], 100)
    assert [len(source.rows) for source in sources] == packed
    assert [source.number for source in sources] == list(range(1, len(packed) + 1))


def test_chunks_of_a_section_share_a_number() -> None:
    sources = pack([(4, ("a", 0), "x" * 60), (2, ("b", 0), ""), (7, ("a", 0), "y" * 40)], 100)
    assert [(source.number, source.rows) for source in sources] == [(1, [4, 7]), (2, [2])]
    assert sources[0].texts == ["x" * 60, "y" * 40]


NEAR, FAR, AWAY = [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]


def test_gate_takes_either_signal_and_renumbers() -> None:
    index = index_of(["lamp", "zinc", "iron", "lamp"], [FAR, NEAR, AWAY, AWAY])
    found = index.retrieve(word_tokens("lamp"), NEAR)
    # Of the vector list 1, 0, 2, 3 row 2 falls out; row 3 moves up to rank 3.
    assert [(hit.row, hit.keyword_rank, hit.vector_rank) for hit in found.hits] == [
        (0, 1, 2),
        (3, 2, 3),
        (1, None, 1),
    ]
    assert found.answerable
    assert found.best[:2] == (pytest.approx(1.0), 1)
    assert (found.best.keyword_coverage, found.best.coverage_row) == (1.0, 0)


def test_semantic_mode_gates_by_both_and_lists_by_one() -> None:
    index = index_of(["lamp", "zinc"], [AWAY, FAR])
    found = index.retrieve(word_tokens("lamp"), NEAR, mode="semantic", candidates=2)
    assert [(hit.row, hit.keyword_rank, hit.vector_rank) for hit in found.hits] == [(0, None, 1)]


def test_similarity_can_need_a_shared_word() -> None:
    index = index_of(["npm lock", "yarn"], [NEAR, FAR], similarity_needs_keyword=True)
    found = index.retrieve(word_tokens("france"), NEAR)
    assert not found.answerable
    assert found.best[:2] == (None, None)
    shared = index.retrieve(word_tokens("npm capital city food"), NEAR)
    assert rows(shared.hits) == [0]
    assert index.retrieve(word_tokens("france"), NEAR, similarity_needs_keyword=False).answerable


def test_no_question_is_refused_because_of_the_cut() -> None:
    # Short chunks full of one word outscore the long chunk that holds both.
    texts = ["lamp lamp lamp lamp"] * 5 + ["lamp zinc " + "filler " * 400] + ["oil"] * 40
    index = index_of(texts, candidates=1)
    found = index.retrieve(word_tokens("lamp zinc"), candidates=1, min_keyword_coverage=0.99)
    scores = {hit.row: hit.keyword_score for hit in index.search(word_tokens("lamp zinc"), top_k=9).hits}
    assert scores[0] > scores[5]
    assert rows(found.hits) == [5]
    assert (found.best.keyword_coverage, found.best.coverage_row) == (1.0, 5)


def test_best_by_similarity_is_found_beyond_the_cut() -> None:
    # The keyword leg's only candidate fails, and so does the vector leg's: it shares no word.
    texts = ["zinc", "lamp a b c", "lamp lamp tin"]
    vectors = [[1.0, 0.0], [0.8, 0.6], AWAY]
    index = index_of(texts, vectors, similarity_needs_keyword=True, min_keyword_coverage=0.9)
    found = index.retrieve(word_tokens("lamp copper tin"), NEAR, candidates=1)
    assert [(hit.row, hit.keyword_rank, hit.vector_rank) for hit in found.hits] == [(1, None, 1)]
    assert found.best.similarity_row == 1


def test_a_refusal_names_the_best_rows() -> None:
    index = index_of(["lamp", "zinc", "lamp oil"], [AWAY, FAR, AWAY])
    found = index.retrieve(word_tokens("lamp copper tin"), NEAR)
    assert not found.answerable
    assert found.best.similarity == 0.0
    assert found.best.similarity_row == 1
    assert found.best.coverage_row == 0
    assert 0.0 < found.best.keyword_coverage < 0.5
    assert len(found.unknown_words) == 2


def test_filter_holds_for_rescue_and_best() -> None:
    index = index_of(["lamp", "zinc", "iron"], [NEAR, FAR, AWAY])
    found = index.retrieve(word_tokens("lamp"), NEAR, rows=frozenset({2}))
    assert not found.answerable
    assert (found.best.similarity_row, found.best.coverage_row) == (2, None)
    assert not index.retrieve(word_tokens("lamp"), NEAR, rows=frozenset()).answerable


def test_modes() -> None:
    index = index_of(["lamp", "zinc"], [FAR, NEAR])
    lexical = index.search(word_tokens("lamp"), NEAR, mode="lexical")
    assert [(hit.row, hit.similarity) for hit in lexical.hits] == [(0, None)]
    assert rows(index.search(word_tokens("lamp"), NEAR, mode="semantic").hits) == [1, 0]
    hybrid = index.search(word_tokens("lamp"), NEAR)
    assert rows(hybrid.hits) == [0, 1]
    assert hybrid.hits[0].fused == 2**48 // 61 + 2**48 // 62
    assert index.search(word_tokens("lamp")).mode == "lexical"
    keyword_only = index_of(["lamp", "zinc"])
    assert keyword_only.search(word_tokens("lamp"), NEAR).mode == "lexical"
    with pytest.raises(ValueError, match="semantic"):
        keyword_only.search(word_tokens("lamp"), NEAR, mode="semantic")
    with pytest.raises(ValueError, match="expected a mode"):
        index.search(word_tokens("lamp"), NEAR, mode="vector")


def test_top_of_five_is_a_prefix_of_ten() -> None:
    texts = [f"lamp {'oil ' * (number % 4)}" for number in range(30)]
    vectors = [[float(number % 7), 3.0] for number in range(30)]
    index = index_of(texts, vectors)
    ten = index.search(word_tokens("lamp oil"), [1.0, 0.5], top_k=10).hits
    assert index.search(word_tokens("lamp oil"), [1.0, 0.5], top_k=5).hits == ten[:5]


def test_the_row_of_best_coverage_may_pass_by_its_similarity() -> None:
    texts = ["zinc", "lamp a b c", "lamp lamp lamp"]
    vectors = [[1.0, 0.0], [0.8, 0.6], AWAY]
    index = index_of(texts, vectors, similarity_needs_keyword=True, min_keyword_coverage=0.9)
    found = index.retrieve(word_tokens("lamp copper tin"), NEAR, candidates=1)
    assert [(hit.row, hit.keyword_rank, hit.vector_rank) for hit in found.hits] == [(1, 1, 1)]


RESCUE_TEXTS = [
    "zinc",
    "lamp tin " + "filler " * 400,
    "lamp a b c",
    *["lamp lamp lamp lamp"] * 4,
    *["oil"] * 40,
]
RESCUE_VECTORS = [[1.0, 0.0], AWAY, [0.8, 0.6], *[AWAY] * 44]


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("hybrid", [(1, 1, None), (2, None, 1)]),
        ("semantic", [(1, 1, None), (2, None, 1)]),
        ("lexical", [(1, 1, None)]),
    ],
)
def test_rescued_rows_are_lists_of_their_own(mode: str, expected: list[tuple[int, int, int]]) -> None:
    index = index_of(RESCUE_TEXTS, RESCUE_VECTORS, similarity_needs_keyword=True)
    found = index.retrieve(word_tokens("lamp tin"), NEAR, mode, candidates=1, min_keyword_coverage=0.99)
    assert [(hit.row, hit.keyword_rank, hit.vector_rank) for hit in found.hits] == expected
    assert [hit.fused for hit in found.hits] == [2**48 // 61] * len(expected)
    assert (found.best.keyword_coverage, found.best.coverage_row) == (1.0, 1)
    assert found.best.similarity_row == (None if mode == "lexical" else 2)


def test_a_row_rescued_twice_is_fused_from_two_lists() -> None:
    texts = ["zinc", "lamp a b c", "lamp lamp lamp"]
    index = index_of(texts, [NEAR, [0.8, 0.6], AWAY], similarity_needs_keyword=True)
    for mode in ("hybrid", "semantic"):
        options = {"candidates": 1, "min_keyword_coverage": 0.9}
        found = index.retrieve(word_tokens("lamp copper tin"), NEAR, mode, **options)
        assert [(hit.row, hit.fused) for hit in found.hits] == [(1, 2 * (2**48 // 61))]
