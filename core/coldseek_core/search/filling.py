"""A leg's list under limits: the best rows that no limit keeps out, as many as there are."""

from ..kernels.memory import Numbers
from .chunk_store import ChunkStore
from .legs import RowFilter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .legs import DenseLeg, LexicalLeg
    from .ranking import Question
    from .search_options import Limits

# Each pass over a leg asks for as many rows as this times the last one, up to so many.
_GROWTH, _LONGEST = 4, 1 << 14


class Filling:
    """Fills one question's lists. Use it inside `files.in_use()`."""

    def __init__(
        self,
        store: ChunkStore,
        question: "Question",
        limits: "Limits",
        length: int,
        counting: "Callable[[list[int]], set[int]]",
    ) -> None:
        """`length`: the longest that a list may be. `counting`: which of some rows are of a document's share."""
        self._counting = counting
        self._store = store
        self._question = question
        self._limits = limits
        self._length = length

    def lexical(self, leg: "LexicalLeg") -> list[int]:
        """The keywords' list: rows by score, of the least coverage."""
        query, floor = self._question.lexical, self._limits.min_coverage

        def top(length: int, kept: "RowFilter | None") -> list[int]:
            return leg.top(query, length, kept)[0]

        if floor is None or floor <= 0.0:
            return self._filled(top(self._length, self._question.filter), top, _all, self._question.filter)
        total = query.total_weight
        # Where most rows reach the floor, the best by score are looked through; where few do, those are found by
        # coverage, and only they are ranked. Which it is shows when the one or the other ends.
        length = self._length
        while True:
            rows = top(length, self._question.filter)
            covered, _, _ = leg.measure(query, rows)
            good = [row for row, weight in zip(rows, covered, strict=True) if weight / total >= floor]
            filled = self._capped(good)
            if len(filled) == self._length or len(rows) < length:
                return filled
            rows, covered = leg.top_coverages(query, length, self._question.filter)
            if len(rows) < length or covered[-1] / total < floor:
                kept = _only([row for row, one in zip(rows, covered, strict=True) if one / total >= floor], self._store)
                return self._filled(top(self._length, kept), top, _all, kept)
            length *= _GROWTH

    def _capped(self, rows: list[int]) -> list[int]:
        """The first rows of which no document has more than its share, at most as many as a list may have."""
        most = self._limits.max_per_document
        if most is None:
            return rows[: self._length]
        return [row for row, _ in few_of_each([(row, 0.0) for row in rows], most, self._store)][: self._length]

    def dense(self, leg: "DenseLeg", first: "list[int] | None") -> list[int]:
        """The vectors' list: rows of the least similarity. `first`: what the leg found without limits, if it was asked
        before.
        """
        vector, floor = self._question.vector, self._limits.min_similarity
        if vector is None:
            return []

        def top(length: int, kept: "RowFilter | None") -> list[int]:
            return leg.top(vector, length, kept)[0]

        def passing(rows: list[int]) -> "tuple[list[int], bool]":
            if floor is None:
                return rows, True
            similarities = leg.measure(vector, rows)
            good = [row for row, one in zip(rows, similarities, strict=True) if one >= floor]
            return good, len(good) == len(rows)

        kept = self._question.filter
        return self._filled(top(self._length, kept) if first is None else first, top, passing, kept)

    def _filled(
        self,
        rows: list[int],
        top: "Callable[[int, RowFilter | None], list[int]]",
        passing: "Callable[[list[int]], tuple[list[int], bool]]",
        kept: "RowFilter | None",
    ) -> list[int]:
        """`rows`: the leg's best of those that `kept` keeps; `top` finds as many as it is asked for among those that a
        filter keeps; `passing`: which of some rows reach the floor, and whether any after them may.

        What a pass found is left out of the next one, and so is all of a document that has its share. So every row of
        a pass ranks behind all rows of the passes before.
        """
        most, store = self._limits.max_per_document, self._store
        filled: list[int] = []
        shares: dict[int, int] = {}
        left: _Left | None = None
        asked = self._length
        while True:
            good, may_go_on = passing(rows)
            counted = self._counting(good) if most is not None else good
            for row in good:
                if most is not None:
                    document = store.document_of(row)
                    share = shares.get(document, 0)
                    if share == most:
                        continue
                    shares[document] = share + (row in counted)
                filled.append(row)
                if len(filled) == self._length:
                    return filled
            if not may_go_on or len(rows) < asked:
                return filled
            if left is None:
                left = _Left(store.chunk_count, kept)
            left.drop(rows)
            for document in [one for one, share in shares.items() if share == most]:
                left.drop_range(*store.rows_of_document(document))
            asked = min(_GROWTH * asked, _LONGEST)
            rows = top(asked, left.filter)


def _all(rows: list[int]) -> "tuple[list[int], bool]":
    return rows, True


def _only(rows: list[int], store: ChunkStore) -> RowFilter:
    """A filter that keeps these rows."""
    bits = Numbers("B", (store.chunk_count + 7) // 8)
    for row in rows:
        bits.view[row >> 3] |= 1 << (row & 7)
    return RowFilter(bits)


class _Left:
    """The rows that are left to be found, as a filter."""

    def __init__(self, row_count: int, kept: "RowFilter | None") -> None:
        size = (row_count + 7) // 8
        bits = Numbers("B", size)
        bits.view[:size] = b"\xff" * size if kept is None else kept.bitmap.view[:size]
        self._bits = bits.view
        self.filter = RowFilter(bits)

    def drop(self, rows: list[int]) -> None:
        bits = self._bits
        for row in rows:
            bits[row >> 3] &= ~(1 << (row & 7))

    def drop_range(self, first: int, stop: int) -> None:
        """Rows `first` to `stop - 1`: single ones up to whole bytes, and after them."""
        if stop - first < 16:
            self.drop(list(range(first, stop)))
            return
        begin, end = (first + 7) >> 3, stop >> 3
        self.drop([*range(first, 8 * begin), *range(8 * end, stop)])
        self._bits[begin:end] = bytes(end - begin)


def few_of_each(rows: "list[tuple[int, float]]", most: int, store: ChunkStore) -> "list[tuple[int, float]]":
    """(row, score) pairs without those of a document that has `most` before."""
    shares: dict[int, int] = {}
    result: list[tuple[int, float]] = []
    for row, score in rows:
        document = store.document_of(row)
        shares[document] = shares.get(document, 0) + 1
        if shares[document] <= most:
            result.append((row, score))
    return result


def ranks_of(
    wanted: "set[int]",
    top: "Callable[[int, RowFilter | None], list[int]]",
    length: int,
    row_count: int,
    kept: "RowFilter | None",
) -> "dict[int, int]":
    """The rank of each wanted row among all that `kept` keeps and `top` ranks, from 1; rows without one are left out.
    Looks at `length` rows first, and on as far as it must.
    """
    ranks: dict[int, int] = {}
    left: _Left | None = None
    before = 0
    missing = set(wanted)
    while missing:
        rows = top(length, kept if left is None else left.filter)
        for rank, row in enumerate(rows, start=before + 1):
            if row in missing:
                ranks[row] = rank
                missing.remove(row)
        if len(rows) < length:
            break
        if left is None:
            left = _Left(row_count, kept)
        left.drop(rows)
        before += len(rows)
        length = min(_GROWTH * length, _LONGEST)
    return ranks
