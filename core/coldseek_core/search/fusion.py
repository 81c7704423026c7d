"""Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009) in integers: a total order, the same everywhere."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

FUSION_UNIT = 1 << 48  # a list contributes FUSION_UNIT // (rrf_k + rank)


def fuse(lists: "Sequence[Sequence[int]]", rrf_k: int) -> list[tuple[int, int]]:
    """(row, fused score in units of 2**-48) of every row of `lists` (each best first).

    Order: fused score descending, then best single rank, then row. Ranks count from 1.
    """
    scores: dict[int, int] = {}
    best_rank: dict[int, int] = {}
    for rows in lists:
        for rank, row in enumerate(rows, start=1):
            share = FUSION_UNIT // (rrf_k + rank)
            if row not in scores:
                scores[row] = share
                best_rank[row] = rank
            else:
                scores[row] += share
                best_rank[row] = min(rank, best_rank[row])
    ordered = sorted([(-score, best_rank[row], row) for row, score in scores.items()])
    return [(row, -negative) for negative, _, row in ordered]
