"""The words that a term's postings are stored as: written here, read by kernels (see `kernels.posting_groups`)."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..kernels import load
from ..kernels.memory import HEADER_WORDS, PLACED_BITS

# A group of n postings has a header and at most two words for each.
_MOST_WORDS = HEADER_WORDS + 2


@dataclass(frozen=True)
class PostingWords:
    """`words` of all terms, one after the other, and of each term the place of its first in `starts`."""

    words: NDArray[np.uint16]
    starts: NDArray[np.int64]


def posting_words(
    df: NDArray[np.int64], postings: NDArray[np.uint64], fixed_point: int, workers: int = 1
) -> PostingWords:
    """The postings of all terms, `df[t]` of each, in groups by blocks of 65,536 rows, with impacts in units of
    1 / `fixed_point`, a power of two up to 65,536.

    `postings` are as `PlacedPostings` has them, the first term's first; the rows of a term ascend. `workers`: threads.
    """
    shift = PLACED_BITS + 1 - fixed_point.bit_length()
    df = np.ascontiguousarray(df, np.int64)
    starts = np.zeros(len(df), np.int64)
    # Memory that is not written costs nothing, and asking for how many words there are would take as long again.
    words = np.empty(_MOST_WORDS * len(postings), np.uint16)
    ends = np.append(0, np.cumsum(df))
    cuts = [int(np.searchsorted(ends, len(postings) * part // workers)) for part in range(workers)]
    parts = list(pairwise([*cuts, len(df)]))

    def pack(part: tuple[int, int]) -> int:
        first, stop = part
        held = postings[ends[first] : ends[stop]]
        room = words[_MOST_WORDS * ends[first] :]
        return load().pack_postings(
            *(df[first:].ctypes.data, stop - first, held.ctypes.data, len(held), shift),
            *(room.ctypes.data, len(room), starts[first:].ctypes.data),
        )

    with ThreadPoolExecutor(workers) as pool:
        sizes = list(pool.map(pack, parts))
    end = 0
    for (first, stop), size in zip(parts, sizes, strict=True):
        begin = _MOST_WORDS * int(ends[first])
        words[end : end + size] = words[begin : begin + size]
        starts[first:stop] += end
        end += size
    return PostingWords(words[:end], starts)
