"""Plain twins of the compiled kernels: Python integers and lists, written from the kernels' contracts.

Postings are given as a list for each query term: its (row, impact) pairs, by row. Scores are lists of (row, score)
pairs, best first.
"""

import math
import struct
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from operator import mul

Postings = Sequence[Sequence[tuple[int, int]]]

CODE_LIMIT = 127
QUERY_LIMIT = 16383


def fnv1a_64(data: bytes) -> int:
    """FNV-1a, 64 bits."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) % 2**64
    return value


def fill_slots(terms: Sequence[bytes], slot_count: int) -> list[int]:
    """The hash table of `terms`: number + 1 at the first free place from its hash on; a full one takes no more."""
    slots = [0] * slot_count
    for term_id, term in enumerate(terms):
        home = fnv1a_64(term) % slot_count
        for step in range(slot_count):
            place = (home + step) % slot_count
            if slots[place] == 0:
                slots[place] = term_id + 1
                break
    return slots


def front_code(terms: Sequence[bytes], size: int = 32) -> tuple[list[int], list[bytes]]:
    """Sorted terms in blocks of `size`, and the first eight bytes of each block's first term as a number."""
    groups = [terms[first : first + size] for first in range(0, len(terms), size)]
    blocks = [b"".join(map(_coded, [b"", *group], group)) for group in groups]
    return [int.from_bytes(group[0][:8].ljust(8, b"\0"), "big") for group in groups], blocks


def _coded(before: bytes, term: bytes) -> bytes:
    shared = max(size for size in range(len(before) + 1) if term.startswith(before[:size]))
    cut, rest = len(before) - shared, term[shared:]
    lengths = [bytes([255] * ((n - 15) // 255) + [(n - 15) % 255]) if n >= 15 else b"" for n in (cut, len(rest))]
    return bytes([16 * min(cut, 15) + min(len(rest), 15)]) + b"".join(lengths) + rest


def decode_terms(blocks: Sequence[bytes]) -> list[bytes]:
    """The terms of some blocks, as docs/index-format.md decodes them."""
    terms: list[bytes] = []
    for block in blocks:
        place, term = 0, b""
        while place < len(block):
            tag = block[place]
            cut, place = _number(block, place + 1, tag >> 4)
            size, place = _number(block, place, tag & 15)
            term = term[: len(term) - cut] + block[place : place + size]
            place += size
            terms.append(term)
    return terms


def _number(block: bytes, place: int, number: int) -> tuple[int, int]:
    more = 255 if number == 15 else 0
    while more == 255:
        more = block[place]
        number += more
        place += 1
    return number, place


def find_terms(query: Sequence[bytes], terms: Sequence[bytes]) -> list[int]:
    """Id of each query term, its place among the terms, -1 where it is unknown."""
    ids = {term: term_id for term_id, term in enumerate(terms)}
    return [ids.get(term, -1) for term in query]


def posting_words(terms: Postings) -> tuple[list[int], list[int]]:
    """The postings of some terms as an index holds them, in words of 16 bits, and where each term's begin."""
    words: list[int] = []
    starts: list[int] = []
    for postings in terms:
        starts.append(len(words))
        groups: dict[int, list[tuple[int, int]]] = {}
        for row, impact in postings:
            groups.setdefault(row // 65536, []).append((row % 65536, impact))
        for block, group in groups.items():
            words += [block, len(group) - 1, max(impact for _, impact in group)]
            words += _row_words([low for low, _ in group])
            if len(group) > 1:
                words += [impact for _, impact in group]
    return words, starts


def _row_words(rows: Sequence[int]) -> list[int]:
    """The rows of a group: up to 1,024 as they are, more by a directory and their low bytes."""
    if len(rows) <= 1024:
        return list(rows)
    directory = [bisect_left(rows, border) for border in range(0, 65536, 256)]
    packed = [row % 256 for row in rows]
    pairs = zip_longest(packed[::2], packed[1::2], fillvalue=0)
    return directory + [low + 256 * high for low, high in pairs]


def postings_of(words: Sequence[int], start: int, df: int) -> tuple[list[tuple[int, int]], int]:
    """A term's postings, read back from words that `posting_words` would make, and where they end."""
    postings: list[tuple[int, int]] = []
    while len(postings) < df:
        block, size, largest = words[start], words[start + 1] + 1, words[start + 2]
        start += 3
        if size <= 1024:
            rows, start = list(words[start : start + size]), start + size
        else:
            bounds = [*words[start : start + 256], size]
            pairs = words[start + 256 : start + 256 + (size + 1) // 2]
            low = [byte for pair in pairs for byte in (pair % 256, pair // 256)]
            rows = [256 * part + byte for part in range(256) for byte in low[bounds[part] : bounds[part + 1]]]
            start += 256 + len(pairs)
        impacts = [largest]
        if size > 1:
            impacts, start = list(words[start : start + size]), start + size
        assert max(impacts) == largest
        postings += [(65536 * block + row, impact) for row, impact in zip(rows, impacts, strict=True)]
    return postings, start


def is_kept(bitmap: bytes | None, row: int) -> bool:
    return bitmap is None or bitmap[row // 8] >> (row % 8) & 1 == 1


def _best(scored: Iterable[tuple[int, float]], length: int) -> list[tuple[int, float]]:
    return sorted(scored, key=lambda pair: (-pair[1], pair[0]))[: max(length, 0)]


def postings_top(
    terms: Postings, weights: Sequence[int] | None, row_count: int, bitmap: bytes | None, length: int
) -> list[tuple[int, float]]:
    """Best rows by the sum of impacts, or of weights where they are given."""
    totals: dict[int, int] = {}
    for term, postings in enumerate(terms):
        for row, impact in postings:
            if row < row_count:
                totals[row] = totals.get(row, 0) + (impact if weights is None else weights[term])
    return _best(((row, total) for row, total in totals.items() if total and is_kept(bitmap, row)), length)


def score_rows(
    terms: Postings, weights: Sequence[int], scored: Sequence[int], wanted: Sequence[int]
) -> list[tuple[int, int, int]]:
    """(covered, score, shared) of each wanted row."""
    impacts = [dict(postings) for postings in terms]
    result: list[tuple[int, int, int]] = []
    for row in wanted:
        covered = score = shared = 0
        for term, held in enumerate(impacts):
            if row in held:
                covered += weights[term]
                if scored[term]:
                    score += held[row]
                    shared = 1
        result.append((covered, score, shared))
    return result


def mark_rows(terms: Postings, row_count: int) -> bytes:
    """Bitmap of the rows that contain one of the terms."""
    bitmap = bytearray((row_count + 7) // 8)
    for postings in terms:
        for row, _ in postings:
            if row < row_count:
                bitmap[row // 8] |= 1 << row % 8
    return bytes(bitmap)


def similarity(codes: Sequence[int], square: int, query: Sequence[int], query_square: int) -> float:
    """dot / (sqrt(qq) * sqrt(cc)) in float64, between -1 and 1, 0.0 where either vector is zero."""
    if query_square <= 0 or square <= 0:
        return 0.0
    return max(-1.0, min(1.0, sum(map(mul, codes, query)) / (math.sqrt(query_square) * math.sqrt(square))))


def similarity_rows(
    codes: Sequence[Sequence[int]],
    squares: Sequence[int],
    query: Sequence[int],
    query_square: int,
    wanted: Sequence[int],
) -> list[float]:
    """Similarity of each wanted row, 0.0 for one out of range."""
    return [
        similarity(codes[row], squares[row], query, query_square) if 0 <= row < len(codes) else 0.0 for row in wanted
    ]


def scan_top(
    codes: Sequence[Sequence[int]],
    squares: Sequence[int],
    rows: range,
    query: Sequence[int],
    query_square: int,
    bitmap: bytes | None,
    length: int,
) -> list[tuple[int, float]]:
    """Best of a range of rows by similarity."""
    kept = [row for row in rows if is_kept(bitmap, row)]
    return _best(zip(kept, similarity_rows(codes, squares, query, query_square, kept), strict=True), length)


def widen_floats(packed: bytes) -> list[float]:
    """The numbers of 32 bits in `packed`."""
    return [value for (value,) in struct.iter_unpack("<f", packed)]


def scaled(vector: Sequence[float], limit: int) -> list[float] | None:
    """v * limit / max|v|; zeros for a zero vector; None where a value is not finite.

    A vector of extreme magnitude is first scaled by a power of two, so that the product is neither infinite nor a
    number without its last bits.
    """
    if not all(map(math.isfinite, vector)):
        return None
    largest = max(map(abs, vector), default=0.0)
    if largest == 0.0:
        return [0.0] * len(vector)
    power = 512 if largest < 1e-290 else -512 if largest > 1e290 else 0
    largest = math.ldexp(largest, power)
    return [(math.ldexp(value, power) * float(limit)) / largest for value in vector]


def quantise(vector: Sequence[float], limit: int) -> list[int] | None:
    """floor(v * limit / max|v| + 0.5), clamped; None where a value is not finite."""
    values = scaled(vector, limit)
    return None if values is None else [min(max(math.floor(value + 0.5), -limit), limit) for value in values]


def remainders(vector: Sequence[float]) -> list[int]:
    """What rounding to 8-bit codes left over, in sixteenths, rounded and clamped to -8 to 7."""
    values, codes = scaled(vector, CODE_LIMIT) or [], quantise(vector, CODE_LIMIT) or []
    parts = [math.floor((value - code) * 16 + 0.5) for value, code in zip(values, codes, strict=True)]
    return [min(max(part, -8), 7) for part in parts]


def unpack(packed: Sequence[int], dimensions: int) -> list[int]:
    """Remainders of one row: low halves of its bytes, then high ones, each a two's complement number."""
    halves = [byte & 15 for byte in packed] + [byte >> 4 & 15 for byte in packed]
    return [half - 16 if half > 7 else half for half in halves[:dimensions]]


def pack(remainders: Sequence[int]) -> list[int]:
    """Signed bytes of one row: the first half of the remainders in their low bits, the rest in their high ones."""
    width = (len(remainders) + 1) // 2
    pairs = zip_longest(remainders[:width], remainders[width:], fillvalue=0)
    return [(low & 15) + 16 * high for low, high in pairs]
