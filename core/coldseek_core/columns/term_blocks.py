"""The dictionary's terms as they are stored: front-coded in blocks by a kernel, which says how (see
`kernels.front_code`).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..kernels import load
from .schema import blocks_for
from .texts import ByteStrings, Texts


@dataclass(frozen=True)
class TermBlocks:
    """`blocks` of terms, and of each the first term's first bytes as a number in `keys` (u64)."""

    keys: NDArray[np.uint64]
    blocks: ByteStrings


def term_blocks(terms: Texts) -> TermBlocks:
    """The blocks of `terms`, which are distinct and sorted by their bytes."""
    count = blocks_for(len(terms))
    offsets, keys = np.zeros(count + 1, np.int64), np.zeros(count, np.uint64)
    coded = np.empty(3 * len(terms) + 2 * len(terms.data), np.uint8)
    size = load().front_code(
        *(terms.offsets.ctypes.data, terms.data.ctypes.data, len(terms.data), len(terms)),
        *(coded.ctypes.data, len(coded), offsets.ctypes.data, keys.ctypes.data),
    )
    return TermBlocks(keys, ByteStrings(offsets, coded[:size]))
