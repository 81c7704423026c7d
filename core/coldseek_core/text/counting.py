"""Counting the terms of many texts, by number: what a build makes postings of."""

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels import load
from .analyser import Analyser
from .vocabulary import Vocabulary

# Distinct texts of words whose terms are kept: when there are more, all are met anew. Room is made for fewer at first,
# of so many bytes each, for most builds need no more.
_MEMO, _FIRST_TEXTS, _TEXT_BYTES = 1 << 20, 1 << 16, 16
# Working memory for longer batches of texts is not kept.
_KEPT_CHARACTERS = 1 << 19


@dataclass(frozen=True, slots=True)
class CountedChunks:
    """The terms of some chunks, those of a chunk up to its place in `ends` (i64[chunks]): their numbers (`terms`,
    u32[postings]), how often each comes in each field (`frequencies`, an unsigned type, (fields, postings)); and the
    length of each field in words that are no stop words (`lengths`, u32, (fields, chunks)).
    """

    ends: NDArray[np.int64]
    terms: NDArray[np.uint32]
    frequencies: NDArray[Any]
    lengths: NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.ends)


class TermNumbers:
    """Numbers of terms from 0, in the order in which they are met. Threads may share one."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._numbers)

    def of(self, terms: Sequence[str]) -> list[int]:
        """The number of each term."""
        numbers = self._numbers
        with self._lock:
            return [numbers.setdefault(term, len(numbers)) for term in terms]

    def terms(self) -> list[str]:
        """The term of each number."""
        return list(self._numbers)


class TermCounter:
    """Counts with a memory of its own, for one thread at a time; `numbers` may be shared.

    `memo_limit`: distinct texts of words whose terms are kept.
    """

    def __init__(self, analyser: Analyser, numbers: TermNumbers, memo_limit: int = _MEMO) -> None:
        room = min(memo_limit, _FIRST_TEXTS)
        self._workspace = analyser.new_workspace(room, room * _TEXT_BYTES, memo=True)
        self._memo_limit = memo_limit
        self._numbers = numbers
        self._vocabulary: Vocabulary | None = None
        self._named = self._numbered = 0
        self._term_numbers = self._entry_numbers = np.empty(0, np.int64)
        self._scratch = np.zeros(0, np.uint32)

    def count(self, texts: Sequence[str], fields: NDArray[np.int64]) -> CountedChunks:
        """Count chunks whose fields are texts: `fields` has their places in `texts`, of shape (chunks, fields)."""
        # Tokenised as one: white space between them keeps them apart.
        workspace = self._workspace
        count = workspace.tokenise("\n".join(texts), self._memo_limit)
        self._number(workspace.vocabulary)
        kernels = load()
        text_ends = np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)) + 1)
        found_ends, text_lengths = np.empty(len(texts), np.int64), np.empty(len(texts), np.int64)
        found, found_frequencies = np.empty(count, np.uint32), np.empty(count, np.uint32)
        kernels.count_terms(
            *(workspace.entries.address, workspace.starts.address, workspace.kinds.address, count),
            *(self._entry_numbers.ctypes.data, self._numbered, self._scratch.ctypes.data, len(self._scratch)),
            *(text_ends.ctypes.data, len(texts), found.ctypes.data, found_frequencies.ctypes.data),
            *(found_ends.ctypes.data, text_lengths.ctypes.data),
        )
        workspace.shrink(_KEPT_CHARACTERS, self._memo_limit)
        fields = np.ascontiguousarray(fields, np.int64)
        chunk_count, field_count = fields.shape
        capacity = int(np.diff(found_ends, prepend=0)[fields].sum())
        terms, ends = np.empty(capacity, np.uint32), np.empty(chunk_count, np.int64)
        joined = np.empty((field_count, capacity), np.uint32)
        size: int = kernels.join_fields(
            *(found.ctypes.data, found_frequencies.ctypes.data, count, found_ends.ctypes.data, len(texts)),
            *(fields.ctypes.data, chunk_count, field_count, self._scratch.ctypes.data, len(self._scratch)),
            *(terms.ctypes.data, joined.ctypes.data, capacity, ends.ctypes.data),
        )
        joined = joined[:, :size]
        # Most frequencies fit a byte, and there are as many as postings.
        kept = np.ascontiguousarray(joined, np.min_scalar_type(int(joined.max(initial=0))))
        return CountedChunks(ends, terms[:size].copy(), kept, text_lengths[fields.T].astype(np.uint32))

    def _number(self, vocabulary: Vocabulary) -> None:
        """Number the terms of the texts that were met since the last time."""
        if vocabulary is not self._vocabulary:
            self._vocabulary = vocabulary
            self._named = self._numbered = 0
            self._term_numbers = np.empty(vocabulary.capacity, np.int64)
            self._entry_numbers = np.empty(vocabulary.capacity, np.int64)
        named, numbered, total = self._named, self._numbered, vocabulary.text_count
        if numbered < total:
            names = vocabulary.names
            self._term_numbers[named : len(names)] = self._numbers.of(names[named:])
            own = np.frombuffer(vocabulary.numbers.view, np.int64)[numbered:total]
            self._entry_numbers[numbered:total] = np.where(own >= 0, self._term_numbers[own], -1)
            self._named, self._numbered = len(names), total
            if len(self._scratch) < len(self._numbers):
                self._scratch = np.zeros(2 * len(self._numbers), np.uint32)
