"""Reciprocal rank fusion in integers (Cormack, Clarke and Büttcher, SIGIR 2009)."""

from collections.abc import Sequence

FUSED_UNIT = 2**48


def fuse(lists: Sequence[Sequence[int]], rrf_k: int) -> list[tuple[int, int]]:
    """(row, fused score) of every row in `lists`: score descending, best single rank, row ascending."""
    fused: dict[int, int] = {}
    best_rank: dict[int, int] = {}
    for rows in lists:
        for rank, row in enumerate(rows, start=1):
            fused[row] = fused.get(row, 0) + FUSED_UNIT // (rrf_k + rank)
            best_rank[row] = min(rank, best_rank.get(row, rank))
    return sorted(fused.items(), key=lambda item: (-item[1], best_rank[item[0]], item[0]))
