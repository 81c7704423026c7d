"""Plain twins of the options of `search`, on top of the pure-Python implementation: they go through all rows."""

from collections.abc import Sequence
from typing import Any

from baseline.fusion import FUSED_UNIT, fuse
from baseline.search import _RunningQuery
from baseline.settings import SEARCH_LEG
from coldseek_core.text import BIGRAM, GRAM, Analyser
from search.worlds import World

Lists = dict[str, list[int]]


def document_of_rows(world: World) -> list[int]:
    """The number of each row's document."""
    return [number for number, document in enumerate(world.documents) for _ in document.chunks]


def running(world: World, query: str, vector: Sequence[float] | None, mode: str, rows: Any = None) -> _RunningQuery:
    return _RunningQuery(world.oracle, world.analyser.analyse(query), vector, mode, rows)


def all_ranks(asked: _RunningQuery, rows: int) -> Lists:
    """Every row that a leg finds, best first, without any limit."""
    return asked.lists(rows)


def few_of_each(rows: list[int], most: int | None, documents: list[int]) -> list[int]:
    shares: dict[int, int] = {}
    kept: list[int] = []
    for row in rows:
        shares[documents[row]] = shares.get(documents[row], 0) + 1
        if most is None or shares[documents[row]] <= most:
            kept.append(row)
    return kept


def limited_lists(
    world: World, asked: _RunningQuery, requested: str, threshold: float | None, most: int | None
) -> Lists:
    documents = document_of_rows(world)
    lists = all_ranks(asked, len(documents))
    if threshold is not None and requested == "lexical" and "keyword" in lists:
        lists["keyword"] = [row for row in lists["keyword"] if asked.coverage(row) >= threshold]
    if threshold is not None and requested != "lexical" and "vector" in lists:
        assert asked.similarities is not None
        lists["vector"] = [row for row in lists["vector"] if asked.similarities[row] >= threshold]
    return {leg: few_of_each(rows, most, documents)[:SEARCH_LEG] for leg, rows in lists.items()}


def ranked(
    world: World, asked: _RunningQuery, lists: Lists, most: int | None, top_k: int
) -> Sequence[tuple[int, float | None]]:
    """(row, fused score), None where nothing is fused."""
    if asked.mode != "hybrid":
        return [(row, None) for rows in lists.values() for row in rows][:top_k]
    fused = dict(fuse(list(lists.values()), world.oracle.settings.rrf_k))
    kept = few_of_each(list(fused), most, document_of_rows(world))[:top_k]
    return [(row, fused[row] / FUSED_UNIT) for row in kept]


def plain_matches(text: str, terms: set[str], analyser: Analyser) -> list[tuple[int, int]]:
    """The characters of `text` that a token with one of `terms` covers, as ranges: two tokens are apart unless they
    overlap, or are characters of a script without spaces that touch.
    """
    found = sorted(
        {(one.start, one.end, one.kind in (GRAM, BIGRAM)) for one in analyser.analyse(text) if one.term in terms}
    )
    covered = {place for start, end, _ in found for place in range(start, end)}
    bound: set[int] = set()  # places that belong together with the one before
    for start, end, is_character in found:
        bound.update(range(start + 1, end))
        if is_character and any(other_end == start for _, other_end, other in found if other):
            bound.add(start)
    ranges: list[tuple[int, int]] = []
    for place in sorted(covered):
        if place in bound:
            ranges[-1] = (ranges[-1][0], place + 1)
        else:
            ranges.append((place, place + 1))
    return ranges
