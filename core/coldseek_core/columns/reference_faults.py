"""What can be wrong between the columns of an index."""

from collections.abc import Iterator
from operator import mul
from typing import cast

from coldseek_core.columns.posting_faults import posting_faults
from coldseek_core.columns.reader import IndexFiles
from coldseek_core.columns.term_faults import term_faults


def reference_checks(files: IndexFiles) -> list[tuple[str, Iterator[str]]]:
    """(name, faults) of every check, to be run one after the other while `files` is open. A fault of these begins with
    `file.column`."""
    checks = [
        ("documents of chunks", _document_faults(files)),
        ("terms", term_faults(files)),
        ("postings", posting_faults(files)),
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
