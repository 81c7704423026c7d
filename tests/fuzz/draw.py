"""Values from a fuzzer's bytes, and what they are drawn from."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import coldseek_core.text.unicode_tables as package
from coldseek_core.kernels.memory import (
    BLOCK_ROWS,
    LARGEST_LIST,
    STRETCHES,
)

Arguments = list["int | NDArray[Any] | None"]

WILD = (
    *(0, 1, 2, 7, 8, 255, 256, 65535, 65536, 65537, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1, 2**62, 2**63 - 1),
    *(-1, -2, -(2**31), -(2**63)),
)
ROW_COUNTS = (0, 1, 5, 8, 9, 64, 3000, BLOCK_ROWS - 1, BLOCK_ROWS, BLOCK_ROWS + 1, 2 * BLOCK_ROWS + 5)
SLOT_COUNTS = (0, 1, 2, 8, 32)
# Edges of UTF-8, and characters that folding, cutting and stripping treat in ways of their own.
FRAGMENTS = (
    *(
        b"\xf4\x90\x80\x80",
        b"\xf4\x8f\xbf\xbf",
        b"\xed\xa0\x80",
        b"\xc1\x80",
        b"\xe0\x80\x80",
        b"\xf5\x80",
        b"\x80",
        b"\xe2\x80",
    ),
    *(
        part.encode()
        for part in "aA1_-.:/#&+$'\u2019 \n\u200b\u3000éßİﬁ½試かﾞ각\u1112\u1161\u11abทกี่न\u0301\u0316\u093cΑЁ\ufdfa"
    ),
)
TABLES = np.frombuffer(Path(package.__file__).with_name(package.TABLE_FILE).read_bytes()[16:], np.uint32)


class Draw:
    """Values from a fuzzer's bytes. `data`: an atheris.FuzzedDataProvider."""

    def __init__(self, data: Any) -> None:
        self.data = data

    def size(self, most: int) -> int:
        return self.data.ConsumeIntInRange(0, most)

    def one_of(self, values: Any) -> Any:
        return values[self.size(len(values) - 1)]

    def number(self, near: int) -> int:
        """Mostly from -2 to a bit above `near`."""
        kind = self.size(7)
        if kind == 0:
            return self.one_of(WILD)
        if kind == 1:
            return self.data.ConsumeInt(8)
        return self.data.ConsumeIntInRange(-2, near + 2)

    def numbers(self, count: int, near: int, dtype: Any) -> NDArray[Any]:
        values = [self.number(near) for _ in range(count)]
        if self.data.ConsumeBool():
            values.sort()
        return np.array(values, np.int64).astype(dtype)

    def raw(self, count: int) -> NDArray[np.uint8]:
        """Exactly `count` bytes, zeros where the fuzzer's run out."""
        taken = self.data.ConsumeBytes(count)
        return np.frombuffer(taken + bytes(count - len(taken)), np.uint8).copy()

    def terms(self, most: int) -> tuple[NDArray[np.int64], NDArray[np.uint8], int]:
        """Sound offsets, bytes of few different values, and how many terms."""
        sizes = [self.size(3) for _ in range(self.size(most))]
        return np.cumsum([0, *sizes]).astype(np.int64), 97 + self.raw(sum(sizes)) % 3, len(sizes)

    def postings(self) -> tuple[Arguments, int]:
        """Words, word count, starts, dfs; and the term count."""
        count, terms = self.size(40), self.size(5)
        words = self.numbers(count, 3, np.uint16)
        starts, dfs = self.numbers(terms, count, np.int64), self.numbers(terms, count, np.int64)
        if terms and self.data.ConsumeBool():
            # The first term begins with a group whose rows are bytes, before all others.
            size = LARGEST_LIST + 1 + self.size(40)
            group = np.resize(self.numbers(20, 300, np.uint16), 3 + STRETCHES + (size + 1) // 2 + size)
            group[0], group[1] = self.size(2), size - 1
            words = np.concatenate([group, words])
            starts += len(group)
            starts[0], dfs[0] = 0, size + self.size(9)
        return [words, len(words), starts, dfs], terms
