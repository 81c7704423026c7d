"""The words that a term's postings are stored as: written here, read by kernels (see `kernels.posting_groups`)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..kernels import load


@dataclass(frozen=True)
class PostingWords:
    """`words` of all terms, one after the other, and of each term the place of its first in `starts`."""

    words: NDArray[np.uint16]
    starts: NDArray[np.int64]


def posting_words(
    df: NDArray[np.int64], rows: NDArray[np.uint32], impacts: NDArray[np.float64], fixed_point: int
) -> PostingWords:
    """The postings of all terms, `df[t]` of each, in groups by blocks of 65,536 rows, with impacts in units of
    1 / `fixed_point`.

    `rows` and `impacts` hold the first term's postings first; the rows of a term ascend.
    """
    df = np.ascontiguousarray(df, np.int64)
    starts = np.zeros(len(df), np.int64)

    def pack(words: NDArray[np.uint16]) -> int:
        return load().pack_postings(
            *(df.ctypes.data, len(df), rows.ctypes.data, impacts.ctypes.data, len(rows), fixed_point),
            *(words.ctypes.data, len(words), starts.ctypes.data),
        )

    words = np.empty(pack(np.empty(0, np.uint16)), np.uint16)
    pack(words)
    return PostingWords(words, starts)
