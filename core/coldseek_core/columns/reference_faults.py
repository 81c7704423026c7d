"""What can be wrong between the columns of an index."""

from collections.abc import Iterator
from itertools import pairwise
from operator import lt, mul
from typing import cast

from coldseek_core.columns.reader import IndexFiles
from coldseek_core.columns.term_faults import term_faults
from coldseek_core.kernels.memory import BLOCK_BITS, HEADER_WORDS


def reference_checks(files: IndexFiles) -> list[tuple[str, Iterator[str]]]:
    """(name, faults) of every check, to be run one after the other while `files` is open. A fault of these begins with
    `file.column`."""
    checks = [
        ("documents of chunks", _document_faults(files)),
        ("terms", term_faults(files)),
        ("postings", _posting_faults(files)),
    ]
    if files.has("vectors"):
        checks.append(("squares of vectors", _vector_faults(files)))
    return checks


def _numbers(files: IndexFiles, file: str, column: str) -> memoryview:
    return files.numbers(file, column).view


def _document_faults(files: IndexFiles) -> Iterator[str]:
    documents = files.manifest["counts"]["documents"]
    for row, document in enumerate(_numbers(files, "chunks", "document")):
        if document >= documents:
            yield f"chunks.document at row {row} is {document}, there are {documents} documents"


def _posting_faults(files: IndexFiles) -> Iterator[str]:
    """The groups of the terms must follow each other without gaps, to the last word, and hold as many postings as the
    terms have chunks."""
    words = _numbers(files, "postings", "word")
    chunks = files.manifest["counts"]["chunks"]
    place = total = 0
    frequencies = _numbers(files, "terms", "df")
    for term_id, (start, df) in enumerate(zip(_numbers(files, "terms", "start"), frequencies, strict=True)):
        if start != place:
            yield f"terms.start at row {term_id} is {start}, the postings before it end at {place}"
            return
        if not df:
            yield f"terms.df at row {term_id} is 0; a term is in a chunk at least"
        total += df
        left, last_block = df, -1
        while left:
            size = words[place + 1] + 1 if place + HEADER_WORDS <= len(words) else 0
            if not 0 < size <= left or place + HEADER_WORDS + 2 * size > len(words):
                yield f"postings.word at row {place} begins no group: term {term_id} has {left} postings more"
                return
            block = words[place]
            if block <= last_block:
                yield f"postings.word at row {place} is the block {block}, after {last_block} for the same term"
            yield from _group_faults(words, place, size, chunks)
            left, last_block = left - size, block
            place += HEADER_WORDS + 2 * size
    if place != len(words):
        yield f"postings.word has {len(words)} rows, the terms' postings end at {place}"
    postings = files.manifest["counts"]["postings"]
    if total != postings:
        yield f"terms.df adds up to {total}, there are {postings} postings"


def _group_faults(words: memoryview, place: int, size: int, chunks: int) -> Iterator[str]:
    first = place + HEADER_WORDS
    rows = words[first : first + size]
    impacts = words[first + size : first + 2 * size]
    if not all(map(lt, rows, rows[1:])):
        for at, (before, after) in enumerate(pairwise(rows), first + 1):
            if before >= after:
                yield f"postings.word at row {at} is {after}, after {before} in the same group"
    row = (words[place] << BLOCK_BITS) + max(rows)
    if row >= chunks:
        yield f"postings.word at row {place} begins a group with the row {row}, there are {chunks} chunks"
    if not all(impacts):
        at = first + size + list(impacts).index(0)
        yield f"postings.word at row {at} is the impact 0, expected 1 or more"
    largest = words[place + 2]
    if largest != max(impacts):
        yield f"postings.word at row {place + 2} is the largest impact {largest}, the group's is {max(impacts)}"


def _vector_faults(files: IndexFiles) -> Iterator[str]:
    codes = files.codes("vectors", "codes")
    remainders = files.codes("vectors", "remainders")
    width = (codes.width + 1) // 2
    if remainders.width != width:
        yield f"vectors.remainders has {remainders.width} bytes a row, {codes.width} dimensions need {width}"
        return
    scales = _numbers(files, "vectors", "scale")
    for row, square in enumerate(_numbers(files, "vectors", "square")):
        packed = cast(memoryview, remainders[row])
        # Low halves, then high ones; of an odd number of dimensions, the last high half belongs to none.
        halves = [((byte & 15) ^ 8) - 8 for byte in packed] + [byte >> 4 for byte in packed]
        if codes.width < len(halves) and halves[-1]:
            yield f"vectors.remainders at row {row} has {halves[-1]} behind its last dimension, expected 0"
        vector = [16 * code + half for code, half in zip(cast(memoryview, codes[row]), halves, strict=False)]
        found = sum(map(mul, vector, vector))
        if square != found:
            yield f"vectors.square at row {row} is {square}, the codes and remainders give {found}"
        if scales[row] < 0.0 or (scales[row] == 0.0 and found):
            yield f"vectors.scale at row {row} is {scales[row]}, expected more than 0"
