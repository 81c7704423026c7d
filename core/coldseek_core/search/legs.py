"""The two retrievers, and the measures of given rows: the places where a search enters the kernels."""

from ..columns.reader import IndexFiles
from ..errors import CorruptIndexError, UsageError, VectorSizeError
from ..kernels import Kernels
from ..kernels.memory import BLOCK_ROWS, LISTED_ROWS, UNPACKED_ROWS, Numbers
from .dictionary import Dictionary
from .query import LexicalQuery, TermArrays

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Best = tuple[list[int], Sequence[float]]  # rows and similarities, best first

LEAST_ROWS_A_THREAD = 4096  # of fewer, a scan takes less time than starting a thread


class RowFilter:
    """Which rows may be returned: one bit a row."""

    __slots__ = ("address", "bitmap")

    def __init__(self, bitmap: Numbers) -> None:
        self.bitmap = bitmap
        self.address = bitmap.address

    def keeps(self, row: int) -> bool:
        return bool(self.bitmap.view[row >> 3] >> (row & 7) & 1)

    def both(self, other: "RowFilter | None") -> "RowFilter":
        """The rows that both keep; None keeps all."""
        if other is None:
            return self
        size = len(self.bitmap.view)
        kept = int.from_bytes(self.bitmap.view, "little") & int.from_bytes(other.bitmap.view, "little")
        bitmap = Numbers("B", size)
        bitmap.view[:] = kept.to_bytes(size, "little")
        return RowFilter(bitmap)


class LexicalLeg:
    """BM25 over the postings. Use it inside `files.in_use()`; any number of threads may."""

    def __init__(self, dictionary: Dictionary, kernels: Kernels, row_count: int) -> None:
        self._dictionary = dictionary
        self._kernels = kernels
        self._row_count = row_count
        # Scratch of finished queries: accumulators, which kernels leave all zeros, and behind them two lists of rows.
        # Pop and append are atomic each.
        self._spare: list[Numbers] = []

    def top(self, query: LexicalQuery, length: int, row_filter: "RowFilter | None") -> "tuple[list[int], list[int]]":
        """The best `length` rows, and their keyword scores in the index's unit of impacts; score descending, row
        ascending.
        """
        return self._top(query.scored_terms, False, length, row_filter)

    def best_coverage(self, query: LexicalQuery, row_filter: "RowFilter | None") -> "int | None":
        """The row of highest coverage over all rows, or None if no row contains a word."""
        rows, _ = self.top_coverages(query, 1, row_filter)
        return rows[0] if rows else None

    def top_coverages(
        self, query: LexicalQuery, length: int, row_filter: "RowFilter | None"
    ) -> "tuple[list[int], list[int]]":
        """The `length` rows of highest coverage, and their coverage weights (unit 2**-16); weight descending, row
        ascending.
        """
        return self._top(query.weighed_terms, True, length, row_filter)

    def _top(
        self, terms: TermArrays, by_weight: bool, length: int, row_filter: "RowFilter | None"
    ) -> "tuple[list[int], list[int]]":
        if terms.count == 0:
            return [], []
        try:
            scratch = self._spare.pop()
        except IndexError:
            scratch = Numbers("I", BLOCK_ROWS + (LISTED_ROWS + UNPACKED_ROWS) // 2)
        # Rows and scores, those of a likely end, and the terms' cursors.
        lists = Numbers("q", 4 * length + 6 * terms.count + 1)
        address, size = lists.address, 8 * length
        count = self._kernels.postings_top(
            *(self._dictionary.words_address, self._dictionary.word_count),
            *(terms.starts, terms.dfs, terms.weights),
            *(int(by_weight), terms.count, self._row_count),
            *(row_filter.address if row_filter else 0, int(row_filter is not None), 1),
            *(scratch.address, scratch.address + 4 * BLOCK_ROWS, scratch.address + 4 * BLOCK_ROWS + 2 * LISTED_ROWS),
            *(address + 4 * size, address + 2 * size, address + 3 * size, address, address + size, length),
        )
        self._spare.append(scratch)
        found = lists.view
        return found[:count].tolist(), found[length : length + count].tolist()

    def measure(self, query: LexicalQuery, wanted: "Sequence[int]") -> "tuple[list[int], list[int], list[int]]":
        """Of each wanted row: coverage weight (unit 2**-16), keyword score (the index's unit), and whether it shares a
        word (1 or 0).
        """
        return self.measure_terms(query.all_terms, wanted)

    def measure_terms(self, terms: TermArrays, wanted: "Sequence[int]") -> "tuple[list[int], list[int], list[int]]":
        """What `measure` gives, of some terms alone."""
        count = len(wanted)
        if count == 0:
            return [], [], []
        rows = Numbers.of("q", wanted)
        covered = Numbers("q", count)
        scores = Numbers("q", count)
        shared = Numbers("B", count)
        self._kernels.score_rows(
            *(self._dictionary.words_address, self._dictionary.word_count),
            *(terms.starts, terms.dfs, terms.weights),
            *(terms.scored, terms.count, rows.address, count),
            *(covered.address, scores.address, shared.address),
        )
        return covered.view.tolist(), scores.view.tolist(), shared.view.tolist()

    def rows_sharing_a_word(self, query: LexicalQuery, row_filter: "RowFilter | None") -> RowFilter:
        """The rows that contain a scored term and that `row_filter` keeps."""
        size = (self._row_count + 7) // 8
        bitmap, unpacked = Numbers("B", size), Numbers("H", UNPACKED_ROWS)
        terms = query.scored_terms
        self._kernels.mark_rows(
            *(self._dictionary.words_address, self._dictionary.word_count),
            *(terms.starts, terms.dfs, terms.count),
            *(unpacked.address, bitmap.address, self._row_count),
        )
        return RowFilter(bitmap).both(row_filter)


class QueryVector:
    """A question's vector in 15-bit codes (int16, within ±16,383) with its exact square, and as it came (float64)."""

    __slots__ = ("codes", "floats", "square")

    def __init__(self, values: "Sequence[float]", dimensions: int, kernels: Kernels) -> None:
        """Raises VectorSizeError for another size, UsageError for what is no finite number."""
        try:
            size = len(values)
            if size != dimensions:
                raise VectorSizeError(
                    f"the index holds vectors of {dimensions} dimensions, the question's has {size}; "
                    "embed it with the model that the index was built with"
                )
            self.floats = Numbers.of_floats(values)
        except VectorSizeError:
            raise
        except (TypeError, ValueError, IndexError) as error:  # more values than it has by its length are none, too
            raise UsageError(f"a query vector must be a sequence of numbers: {error}") from error
        self.codes = Numbers("h", dimensions)
        square = Numbers("q", 1)
        failed = kernels.quantise_query(self.floats.address, dimensions, self.codes.address, square.address)
        if failed:
            raise UsageError("the query vector holds NaN or infinity; every value must be a finite number")
        self.square = square.view[0]


class DenseLeg:
    """The exact scan over vectors. Use it inside `files.in_use()`; any number of threads may."""

    def __init__(self, files: IndexFiles, kernels: Kernels, row_count: int, threads: int = 1) -> None:
        """`threads`: how many of them share one scan over all rows."""
        codes = files.codes("vectors", "codes")
        self._kernels = kernels
        self._codes = codes
        self._remainders = files.codes("vectors", "remainders")
        self._squares = files.numbers("vectors", "square")
        if self._remainders.width != (codes.width + 1) // 2:
            raise CorruptIndexError(
                f"vectors.remainders has {self._remainders.width} bytes a row, {codes.width} dimensions need "
                f"{(codes.width + 1) // 2}; build the index again"
            )
        self._row_count = row_count
        self._threads = threads
        self.dimensions = codes.width

    def prepare(self, values: "Sequence[float]") -> QueryVector:
        return QueryVector(values, self.dimensions, self._kernels)

    def top(self, query: QueryVector, length: int, row_filter: "RowFilter | None") -> "Best":
        """The best `length` of all rows, and their similarities; similarity descending, row ascending."""
        return self._over_ranges([query], length, row_filter, self._top_of)[0]

    def top_many(self, queries: "Sequence[QueryVector]", length: int, row_filter: "RowFilter | None") -> "list[Best]":
        """What `top` finds for each query, in one pass over the vectors."""
        return self._over_ranges(queries, length, row_filter, self._top_of_many) if queries else []

    def _over_ranges(
        self,
        queries: "Sequence[QueryVector]",
        length: int,
        row_filter: "RowFilter | None",
        search: "Callable[[Sequence[QueryVector], int, RowFilter | None, int, int], list[Best]]",
    ) -> "list[Best]":
        """What `search` finds among all rows, which threads share."""
        count = self._row_count
        parts = min(self._threads, count // LEAST_ROWS_A_THREAD)
        if parts < 2:
            return search(queries, length, row_filter, 0, count)
        from .threads import in_threads  # most searches run in one thread

        bounds = [count * part // parts for part in range(parts + 1)]
        found = in_threads(
            lambda part: search(queries, length, row_filter, bounds[part], bounds[part + 1]), parts, parts
        )
        return [merge_ranges(ranges, length) for ranges in zip(*found, strict=True)]

    def _top_of(
        self, queries: "Sequence[QueryVector]", length: int, row_filter: "RowFilter | None", first: int, stop: int
    ) -> "list[Best]":
        """The best of the rows from `first` to before `stop`, for the first query."""
        rows, similarities = Numbers("q", length), Numbers("d", length)
        count = self._kernels.scan_top(
            *(self._codes.address, self._remainders.address, self._squares.address, self.dimensions, first, stop),
            *(queries[0].codes.address, queries[0].square),
            *(row_filter.address if row_filter else 0, int(row_filter is not None)),
            *(rows.address, similarities.address, length),
        )
        return [(rows.view[:count].tolist(), similarities.view[:count].tolist())]

    def _top_of_many(
        self, queries: "Sequence[QueryVector]", length: int, row_filter: "RowFilter | None", first: int, stop: int
    ) -> "list[Best]":
        """The best of the rows from `first` to before `stop`, for each query."""
        many, dimensions = len(queries), self.dimensions
        codes, squares, counts = Numbers("h", many * dimensions), Numbers("q", many), Numbers("q", many)
        for order, query in enumerate(queries):
            codes.view[order * dimensions : (order + 1) * dimensions] = query.codes.view[:dimensions]
            squares.view[order] = query.square
        rows, similarities = Numbers("q", many * length), Numbers("d", many * length)
        self._kernels.scan_many_top(
            *(self._codes.address, self._remainders.address, self._squares.address, dimensions, first, stop),
            *(codes.address, squares.address, many),
            *(row_filter.address if row_filter else 0, int(row_filter is not None)),
            *(rows.address, similarities.address, length, counts.address),
        )
        return [
            (rows.view[place : place + count].tolist(), similarities.view[place : place + count].tolist())
            for place, count in zip(range(0, many * length, length), counts.view, strict=True)
        ]

    def measure(self, query: QueryVector, wanted: "Sequence[int]") -> "Sequence[float]":
        """Similarity of each wanted row."""
        count = len(wanted)
        if count == 0:
            return []
        rows = Numbers.of("q", wanted)
        similarities = Numbers("d", count)
        self._kernels.similarity_rows(
            *(self._codes.address, self._remainders.address, self._squares.address, self.dimensions, self._row_count),
            *(query.codes.address, query.square),
            *(rows.address, count, similarities.address),
        )
        return similarities.view.tolist()


def merge_ranges(parts: "Sequence[Best]", length: int) -> "Best":
    """The best `length` of several row ranges' best: the same as one scan over all of them."""
    merged = [pair for rows, similarities in parts for pair in zip(rows, similarities, strict=True)]
    merged.sort(key=lambda pair: (-pair[1], pair[0]))
    return [row for row, _ in merged[:length]], [similarity for _, similarity in merged[:length]]
