"""The compiled kernels on numpy arrays, with plain lists as results: one function for each kernel."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coldseek_core.kernels import load
from coldseek_core.kernels.memory import LISTED_ROWS, TERMS_A_BLOCK, UNPACKED_ROWS
from coldseek_core.kernels.token_layout import BUCKETS, QUESTION_COUNTS, SCRATCH_SECTIONS, TERM_SECTIONS
from kernels import naive

BLOCK = 65536
GUARD = 0x5A  # what stands behind every result; a kernel that writes too far changes it
SPARE = 4


def array(values: Any, dtype: Any) -> NDArray[Any]:
    """`values` as a contiguous array that has an address even if it is empty."""
    result = np.zeros(max(len(values), 1), dtype)
    result[: len(values)] = np.asarray(values, dtype)
    return result


def room(length: int, dtype: Any) -> NDArray[Any]:
    """An array for `length` results and some guarded places behind them."""
    result = np.zeros(max(length, 0) + SPARE, dtype)
    result.view(np.uint8)[max(length, 0) * result.itemsize :] = GUARD
    return result


def check_guard(result: NDArray[Any], length: int) -> None:
    assert (result.view(np.uint8)[max(length, 0) * result.itemsize :] == GUARD).all()


def joined(terms: Sequence[bytes]) -> tuple[NDArray[np.int64], NDArray[np.uint8], int]:
    """Offsets, bytes and number of bytes of some terms."""
    data = b"".join(terms)
    offsets = np.zeros(len(terms) + 1, np.int64)
    np.cumsum([len(term) for term in terms], out=offsets[1:])
    return offsets, array(list(data), np.uint8), len(data)


def digest(data: bytes) -> int:
    values = array(list(data), np.uint8)
    return load().digest(values.ctypes.data, len(data))


def fill_slots(terms: Sequence[bytes], slot_count: int) -> list[int]:
    offsets, data, _ = joined(terms)
    slots = room(slot_count, np.uint32)
    load().fill_slots(offsets.ctypes.data, data.ctypes.data, len(terms), slots.ctypes.data, slot_count)
    check_guard(slots, slot_count)
    return slots[:slot_count].tolist()


def front_code(terms: Sequence[bytes], capacity: int | None = None) -> tuple[list[int], list[bytes]]:
    """Keys and blocks, of which only so many bytes are written."""
    offsets, data, length = joined(terms)
    size = 3 * len(terms) + 2 * length if capacity is None else capacity
    count = -(-len(terms) // TERMS_A_BLOCK)
    coded, block_offsets, keys = room(size, np.uint8), room(count + 1, np.int64), room(count, np.uint64)
    found = load().front_code(
        *(offsets.ctypes.data, data.ctypes.data, length, len(terms)),
        *(coded.ctypes.data, size, block_offsets.ctypes.data, keys.ctypes.data),
    )
    for result, places in ((coded, size), (block_offsets, count + 1), (keys, count)):
        check_guard(result, places)
    ends = block_offsets[: count + 1].tolist()
    assert ends[-1] == found
    held = coded[:size].tobytes()
    return keys[:count].tolist(), [held[start:stop] for start, stop in zip(ends, ends[1:], strict=False)]


def find_terms(query: Sequence[bytes], keys: Sequence[int], blocks: Sequence[bytes], term_count: int) -> list[int]:
    """The id of each term, -1 where the blocks have none: questions of one token each."""
    held, (offsets, data, length) = array(keys, np.uint64), joined(blocks)
    rows, ones, zeros = array(range(term_count), np.int64), array([1] * term_count, np.uint32), np.zeros(1, np.int64)
    entry, kind = np.zeros(1, np.uint32), np.zeros(1, np.uint8)
    found: list[int] = []
    for term in query:
        term_offsets, term_data, term_length = joined([term])
        totals, scratch = np.zeros(1, np.uint32), room(SCRATCH_SECTIONS + BUCKETS, np.int64)
        written, scored = room(TERM_SECTIONS, np.int64), room(1, np.uint8)
        unknown, counts = room(2, np.int64), room(QUESTION_COUNTS, np.int64)
        size = load().weigh_terms(
            *(entry.ctypes.data, zeros.ctypes.data, zeros.ctypes.data, kind.ctypes.data, zeros.ctypes.data),
            *(1, zeros.ctypes.data, 1, totals.ctypes.data, 1, term_offsets.ctypes.data, term_data.ctypes.data),
            *(term_length, held.ctypes.data, offsets.ctypes.data, data.ctypes.data, length, len(blocks), term_count),
            *(ones.ctypes.data, ones.ctypes.data, rows.ctypes.data, 1, 9, scratch.ctypes.data),
            *(written.ctypes.data, scored.ctypes.data, unknown.ctypes.data, 1, counts.ctypes.data),
        )
        for result, length_of_it in ((scratch, SCRATCH_SECTIONS + BUCKETS), (written, TERM_SECTIONS), (scored, 1)):
            check_guard(result, length_of_it)
        found.append(int(written[0]) if size else -1)
    return found


def postings_top(
    terms: naive.Postings,
    weights: Sequence[int] | None,
    row_count: int,
    bitmap: bytes | None,
    length: int,
    skipping: bool = True,
) -> list[tuple[int, int]]:
    words, starts = naive.posting_words(terms)
    dfs = [len(postings) for postings in terms]
    return postings_top_of_words(words, starts, dfs, weights, row_count, bitmap, length, skipping)


def postings_top_of_words(
    words: Any,
    starts: Sequence[int],
    dfs: Sequence[int],
    weights: Sequence[int] | None,
    row_count: int,
    bitmap: bytes | None,
    length: int,
    skipping: bool = True,
) -> list[tuple[int, int]]:
    held, first, sizes = array(words, np.uint16), array(starts, np.int64), array(dfs, np.int64)
    factors = array(weights if weights is not None else [0] * len(starts), np.int64)
    kept = array(list(bitmap), np.uint8) if bitmap is not None else None
    accumulators, listed = room(BLOCK, np.uint32), room(LISTED_ROWS, np.uint16)
    unpacked, cursors = room(UNPACKED_ROWS, np.uint16), room(6 * len(starts) + 1, np.int64)
    likely_rows, likely_scores = room(length, np.int64), room(length, np.int64)
    top_rows, top_scores = room(length, np.int64), room(length, np.int64)
    count = load().postings_top(
        *(held.ctypes.data, len(words), first.ctypes.data, sizes.ctypes.data),
        *(factors.ctypes.data, int(weights is not None), len(starts), row_count),
        *(kept.ctypes.data if kept is not None else 0, int(kept is not None), int(skipping)),
        *(accumulators.ctypes.data, listed.ctypes.data, unpacked.ctypes.data, cursors.ctypes.data),
        *(likely_rows.ctypes.data, likely_scores.ctypes.data),
        *(top_rows.ctypes.data, top_scores.ctypes.data, length),
    )
    assert 0 <= count <= max(length, 0)
    assert not accumulators[:BLOCK].any(), "accumulators must be zeros again"
    check_guard(accumulators, BLOCK)
    check_guard(listed, LISTED_ROWS)
    check_guard(unpacked, UNPACKED_ROWS)
    check_guard(cursors, 6 * len(starts) + 1)
    for result in (likely_rows, likely_scores, top_rows, top_scores):
        check_guard(result, length)
    return list(zip(top_rows[:count].tolist(), top_scores[:count].tolist(), strict=True))


def score_rows(
    terms: naive.Postings, weights: Sequence[int], scored: Sequence[int], wanted: Sequence[int]
) -> list[tuple[int, int, int]]:
    words, starts = naive.posting_words(terms)
    return score_rows_of_words(words, starts, [len(postings) for postings in terms], weights, scored, wanted)


def score_rows_of_words(
    words: Any,
    starts: Sequence[int],
    dfs: Sequence[int],
    weights: Sequence[int],
    scored: Sequence[int],
    wanted: Sequence[int],
) -> list[tuple[int, int, int]]:
    held = array(words, np.uint16)
    first, sizes, factors = array(starts, np.int64), array(dfs, np.int64), array(weights, np.int64)
    flags, asked = array(scored, np.uint8), array(wanted, np.int64)
    covered, scores = room(len(wanted), np.int64), room(len(wanted), np.int64)
    shared = room(len(wanted), np.uint8)
    load().score_rows(
        *(held.ctypes.data, len(words), first.ctypes.data, sizes.ctypes.data),
        *(factors.ctypes.data, flags.ctypes.data, len(starts), asked.ctypes.data, len(wanted)),
        *(covered.ctypes.data, scores.ctypes.data, shared.ctypes.data),
    )
    for result in (covered, scores, shared):
        check_guard(result, len(wanted))
    columns = [result[: len(wanted)].tolist() for result in (covered, scores, shared)]
    return list(zip(*columns, strict=True))


def mark_rows(terms: naive.Postings, row_count: int) -> bytes:
    words, starts = naive.posting_words(terms)
    return mark_rows_of_words(words, starts, [len(postings) for postings in terms], row_count)


def mark_rows_of_words(words: Any, starts: Sequence[int], dfs: Sequence[int], row_count: int) -> bytes:
    held, first, sizes = array(words, np.uint16), array(starts, np.int64), array(dfs, np.int64)
    size = (row_count + 7) // 8
    unpacked, bitmap = room(UNPACKED_ROWS, np.uint16), room(size, np.uint8)
    load().mark_rows(
        *(held.ctypes.data, len(words), first.ctypes.data, sizes.ctypes.data, len(starts)),
        *(unpacked.ctypes.data, bitmap.ctypes.data, row_count),
    )
    check_guard(unpacked, UNPACKED_ROWS)
    check_guard(bitmap, size)
    return bitmap[:size].tobytes()


def scan_top(
    codes: NDArray[np.int8],
    remainders: NDArray[np.int8],
    squares: Any,
    rows: range,
    query: NDArray[np.int16],
    query_square: int,
    bitmap: bytes | None,
    length: int,
) -> list[tuple[int, float]]:
    """`codes` is rows x dimensions, `remainders` rows x half of them, both contiguous."""
    held = array(squares, np.int64)
    kept = array(list(bitmap), np.uint8) if bitmap is not None else None
    top_rows, top_similarities = room(length, np.int64), room(length, np.float64)
    count = load().scan_top(
        *(codes.ctypes.data, remainders.ctypes.data, held.ctypes.data, codes.shape[1], rows.start, rows.stop),
        *(query.ctypes.data, query_square),
        *(kept.ctypes.data if kept is not None else 0, int(kept is not None)),
        *(top_rows.ctypes.data, top_similarities.ctypes.data, length),
    )
    assert 0 <= count <= max(length, 0)
    check_guard(top_rows, length)
    check_guard(top_similarities, length)
    return list(zip(top_rows[:count].tolist(), top_similarities[:count].tolist(), strict=True))


def scan_many_top(
    codes: NDArray[np.int8],
    remainders: NDArray[np.int8],
    squares: Any,
    rows: range,
    queries: NDArray[np.int16],
    query_squares: Sequence[int],
    bitmap: bytes | None,
    length: int,
) -> list[list[tuple[int, float]]]:
    """`queries` is queries x dimensions; other arguments as in `scan_top`."""
    held, query_held = array(squares, np.int64), array(query_squares, np.int64)
    kept = array(list(bitmap), np.uint8) if bitmap is not None else None
    many, asked = len(queries), np.ascontiguousarray(queries)
    size = many * max(length, 0)
    top_rows, top_similarities, counts = room(size, np.int64), room(size, np.float64), room(many, np.int64)
    counts[:many] = -7
    load().scan_many_top(
        *(codes.ctypes.data, remainders.ctypes.data, held.ctypes.data, codes.shape[1], rows.start, rows.stop),
        *(asked.ctypes.data, query_held.ctypes.data, many),
        *(kept.ctypes.data if kept is not None else 0, int(kept is not None)),
        *(top_rows.ctypes.data, top_similarities.ctypes.data, length, counts.ctypes.data),
    )
    check_guard(top_rows, size)
    check_guard(top_similarities, size)
    check_guard(counts, many)
    found: list[list[tuple[int, float]]] = []
    for order, count in enumerate(counts[:many].tolist()):
        assert 0 <= count <= max(length, 0)
        part = slice(order * max(length, 0), order * max(length, 0) + count)
        found.append(list(zip(top_rows[part].tolist(), top_similarities[part].tolist(), strict=True)))
    return found


def similarity_rows(
    codes: NDArray[np.int8],
    remainders: NDArray[np.int8],
    squares: Any,
    query: NDArray[np.int16],
    query_square: int,
    wanted: Sequence[int],
) -> list[float]:
    held, asked = array(squares, np.int64), array(wanted, np.int64)
    similarities = room(len(wanted), np.float64)
    load().similarity_rows(
        *(codes.ctypes.data, remainders.ctypes.data, held.ctypes.data, codes.shape[1], codes.shape[0]),
        *(query.ctypes.data, query_square),
        *(asked.ctypes.data, len(wanted), similarities.ctypes.data),
    )
    check_guard(similarities, len(wanted))
    return similarities[: len(wanted)].tolist()


def widen_floats(packed: bytes) -> list[float]:
    """`packed`: numbers of 32 bits."""
    values, wide = array(np.frombuffer(packed, np.float32), np.float32), room(len(packed) // 4, np.float64)
    assert load().widen_floats(values.ctypes.data, len(packed) // 4, wide.ctypes.data) == 0
    check_guard(wide, len(packed) // 4)
    return wide[: len(packed) // 4].tolist()


def quantise_query(vector: Sequence[float]) -> tuple[int, list[int], int]:
    """The kernel's result, the codes and their square."""
    values = array(vector, np.float64)
    query, square = room(len(vector), np.int16), room(1, np.int64)
    result = load().quantise_query(values.ctypes.data, len(vector), query.ctypes.data, square.ctypes.data)
    check_guard(query, len(vector))
    check_guard(square, 1)
    return result, query[: len(vector)].tolist(), int(square[0])


def quantise_rows(
    vectors: Sequence[Sequence[float]], dimensions: int
) -> tuple[int, list[list[int]], list[list[int]], list[float], list[int]]:
    """The kernel's result, and codes, packed remainders, largest magnitude and square of each row."""
    count = len(vectors)
    values = array([value for vector in vectors for value in vector], np.float64)
    width = (dimensions + 1) // 2
    codes, remainders = room(count * dimensions, np.int8), room(count * width, np.int8)
    largest, squares = room(count, np.float64), room(count, np.int64)
    result = load().quantise_rows(
        *(values.ctypes.data, count, dimensions, codes.ctypes.data, remainders.ctypes.data),
        *(largest.ctypes.data, squares.ctypes.data),
    )
    check_guard(codes, count * dimensions)
    check_guard(remainders, count * width)
    check_guard(largest, count)
    check_guard(squares, count)
    by_row = codes[: count * dimensions].reshape(count, dimensions).tolist()
    packed = remainders[: count * width].reshape(count, width).tolist()
    return result, by_row, packed, largest[:count].tolist(), squares[:count].tolist()
