"""The words that a term's postings are stored as: written here, read by kernels (see `kernels.posting_groups`)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..kernels import load
from ..kernels.memory import PLACED_BITS


@dataclass(frozen=True)
class PostingWords:
    """`words` of all terms, one after the other, and of each term the place of its first in `starts`."""

    words: NDArray[np.uint16]
    starts: NDArray[np.int64]


def posting_words(df: NDArray[np.int64], postings: NDArray[np.uint64], fixed_point: int) -> PostingWords:
    """The postings of all terms, `df[t]` of each, in groups by blocks of 65,536 rows, with impacts in units of
    1 / `fixed_point`, a power of two up to 65,536.

    `postings` are as `PlacedPostings` has them, the first term's first; the rows of a term ascend.
    """
    shift = PLACED_BITS + 1 - fixed_point.bit_length()
    df = np.ascontiguousarray(df, np.int64)
    starts = np.zeros(len(df), np.int64)

    def pack(words: NDArray[np.uint16]) -> int:
        return load().pack_postings(
            *(df.ctypes.data, len(df), postings.ctypes.data, len(postings), shift),
            *(words.ctypes.data, len(words), starts.ctypes.data),
        )

    words = np.empty(pack(np.empty(0, np.uint16)), np.uint16)
    pack(words)
    return PostingWords(words, starts)
