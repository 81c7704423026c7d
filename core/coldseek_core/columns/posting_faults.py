"""What can be wrong in the postings of an index; `kernels.posting_groups` says how they lie."""

from collections.abc import Iterator
from itertools import pairwise
from operator import le, lt

from coldseek_core.columns.reader import IndexFiles
from coldseek_core.kernels.memory import BLOCK_BITS, HEADER_WORDS, LARGEST_LIST, STRETCH_BITS, STRETCHES


def posting_faults(files: IndexFiles) -> Iterator[str]:
    """Faults, each of which begins with `file.column`. The groups of the terms must follow each other without gaps, to
    the last word, and hold as many postings as the terms have chunks."""
    words = files.numbers("postings", "word").view
    chunks = files.manifest["counts"]["chunks"]
    place = total = 0
    frequencies = files.numbers("terms", "df").view
    for term_id, (start, df) in enumerate(zip(files.numbers("terms", "start").view, frequencies, strict=True)):
        if start != place:
            yield f"terms.start at row {term_id} is {start}, the postings before it end at {place}"
            return
        if not df:
            yield f"terms.df at row {term_id} is 0; a term is in a chunk at least"
        total += df
        left, last_block = df, -1
        while left:
            size = words[place + 1] + 1 if place + HEADER_WORDS <= len(words) else 0
            if not 0 < size <= left or place + _group_words(size) > len(words):
                yield f"postings.word at row {place} begins no group: term {term_id} has {left} postings more"
                return
            block = words[place]
            if block <= last_block:
                yield f"postings.word at row {place} is the block {block}, after {last_block} for the same term"
            yield from _group_faults(words, place, size, chunks)
            left, last_block = left - size, block
            place += _group_words(size)
    if place != len(words):
        yield f"postings.word has {len(words)} rows, the terms' postings end at {place}"
    postings = files.manifest["counts"]["postings"]
    if total != postings:
        yield f"terms.df adds up to {total}, there are {postings} postings"


def _row_words(size: int) -> int:
    return size if size <= LARGEST_LIST else STRETCHES + (size + 1) // 2


def _group_words(size: int) -> int:
    return HEADER_WORDS + _row_words(size) + (size if size > 1 else 0)


def _group_faults(words: memoryview, place: int, size: int, chunks: int) -> Iterator[str]:
    first = place + HEADER_WORDS
    if size <= LARGEST_LIST:
        yield from _row_faults(words[first : first + size].tolist(), first, 1)
        last = max(words[first : first + size])
    else:
        faults = list(_directory_faults(words[first : first + STRETCHES], first, size))
        if faults:
            yield from faults
            return
        rows, behind = _rows_of_bytes(words, first, size)
        yield from _row_faults(rows, first + STRETCHES, 2)
        if behind:
            at = first + _row_words(size) - 1
            yield f"postings.word at row {at} has {behind} behind the last row of its group, expected 0"
        last = max(rows)
    row = (words[place] << BLOCK_BITS) + last
    if row >= chunks:
        yield f"postings.word at row {place} begins a group with the row {row}, there are {chunks} chunks"
    begin = first + _row_words(size) if size > 1 else place + 2
    impacts = words[begin : begin + size]
    if not all(impacts):
        yield f"postings.word at row {begin + list(impacts).index(0)} is the impact 0, expected 1 or more"
    if words[place + 2] != max(impacts):
        yield (
            f"postings.word at row {place + 2} is the largest impact {words[place + 2]}, the group's is {max(impacts)}"
        )


def _directory_faults(directory: memoryview, first: int, size: int) -> Iterator[str]:
    if directory[0]:
        yield f"postings.word at row {first} is {directory[0]}, expected 0 at the beginning of a directory"
    if not all(map(le, directory, directory[1:])):
        for at, (before, after) in enumerate(pairwise(directory), first + 1):
            if before > after:
                yield f"postings.word at row {at} is {after}, after {before} in the same directory"
    if directory[-1] > size:
        yield f"postings.word at row {first + STRETCHES - 1} is {directory[-1]}, the group has {size} rows"


def _rows_of_bytes(words: memoryview, first: int, size: int) -> tuple[list[int], int]:
    """The rows of a group that has a sound directory, and the byte behind them, 0 where there is none."""
    low = words[first + STRETCHES : first + _row_words(size)].tobytes()
    bounds = [*words[first : first + STRETCHES], size]
    rows = [
        (stretch << STRETCH_BITS) + byte
        for stretch, (start, stop) in enumerate(pairwise(bounds))
        for byte in low[start:stop]
    ]
    return rows, sum(low[size:])


def _row_faults(rows: list[int], first: int, rows_a_word: int) -> Iterator[str]:
    if not all(map(lt, rows, rows[1:])):
        for order, (before, after) in enumerate(pairwise(rows), 1):
            if before >= after:
                at = first + order // rows_a_word
                yield f"postings.word at row {at} holds the row {after}, after {before} in the same group"
