"""Counting the terms of many texts, by number: what a build makes postings of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels import load
from .analyser import Analyser
from .term_numbers import FIRST_TEXTS, TEXT_BYTES, TermNumbers, TextColumn
from .vocabulary import Vocabulary

# Distinct texts of words whose numbers a counter keeps: when there are more, all are met anew.
_MEMO = 1 << 20
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


class TermCounter:
    """Counts with a memory of its own, for one thread at a time; `numbers` may be shared.

    `memo_limit`: distinct texts of words whose terms are kept.
    """

    def __init__(self, analyser: Analyser, numbers: TermNumbers, memo_limit: int = _MEMO) -> None:
        room = min(memo_limit, FIRST_TEXTS)
        self._workspace = analyser.new_workspace(room, room * TEXT_BYTES, memo=True)
        self._memo_limit = memo_limit
        self._numbers = numbers
        self._vocabulary: Vocabulary | None = None
        self._numbered = 0
        self._entry_numbers = np.empty(0, np.int64)
        self._scratch = np.zeros(0, np.uint32)

    def count(
        self, columns: Sequence[TextColumn], line_ends: NDArray[np.int64], fields: NDArray[np.int64]
    ) -> CountedChunks:
        """Count chunks whose fields are texts: `fields` has their places, of shape (chunks, fields).

        A text is some texts of `columns`, taken as one: `line_ends[i]` (i64[texts], ascending) is how many of them, of
        the first column and then of the next, come before text i ends.
        """
        kernels = load()
        lines, size, characters, ends = _as_lines(columns)
        workspace = self._workspace
        count = workspace.tokenise_bytes(lines.ctypes.data, size, characters, self._memo_limit)
        self._number()
        text_ends = ends[line_ends]
        text_count = len(text_ends)
        found_ends, text_lengths = np.empty(text_count, np.int64), np.empty(text_count, np.int64)
        found, found_frequencies = np.empty(count, np.uint32), np.empty(count, np.uint32)
        kernels.count_terms(
            *(workspace.entries.address, workspace.starts.address, workspace.kinds.address, count),
            *(self._entry_numbers.ctypes.data, self._numbered, self._scratch.ctypes.data, len(self._scratch)),
            *(text_ends.ctypes.data, text_count, found.ctypes.data, found_frequencies.ctypes.data),
            *(found_ends.ctypes.data, text_lengths.ctypes.data),
        )
        workspace.shrink(_KEPT_CHARACTERS, self._memo_limit)
        fields = np.ascontiguousarray(fields, np.int64)
        chunk_count, field_count = fields.shape
        capacity = int(np.diff(found_ends, prepend=0)[fields].sum())
        terms, chunk_ends = np.empty(capacity, np.uint32), np.empty(chunk_count, np.int64)
        joined = np.empty((field_count, capacity), np.uint32)
        kept: int = kernels.join_fields(
            *(found.ctypes.data, found_frequencies.ctypes.data, count, found_ends.ctypes.data, text_count),
            *(fields.ctypes.data, chunk_count, field_count, self._scratch.ctypes.data, len(self._scratch)),
            *(terms.ctypes.data, joined.ctypes.data, capacity, chunk_ends.ctypes.data),
        )
        joined = joined[:, :kept]
        # Most frequencies fit a byte, and there are as many as postings.
        frequencies = np.ascontiguousarray(joined, np.min_scalar_type(int(joined.max(initial=0))))
        return CountedChunks(chunk_ends, terms[:kept].copy(), frequencies, text_lengths[fields.T].astype(np.uint32))

    def _number(self) -> None:
        """Number the terms of the texts that were met since the last time."""
        workspace = self._workspace
        vocabulary, total = workspace.vocabulary, workspace.text_count
        if vocabulary is not self._vocabulary:
            self._vocabulary = vocabulary
            self._numbered = 0
            self._entry_numbers = np.empty(vocabulary.capacity, np.int64)
        if self._numbered < total:
            found = self._numbers.of(vocabulary, self._numbered, total, workspace.tables)
            self._entry_numbers[self._numbered : total] = found
            self._numbered = total
            if len(self._scratch) < len(self._numbers):
                self._scratch = np.zeros(2 * len(self._numbers), np.uint32)


def _as_lines(columns: Sequence[TextColumn]) -> tuple[NDArray[np.uint8], int, int, NDArray[np.int64]]:
    """All texts in UTF-8, a newline after each to keep them apart; their bytes and characters, and how many characters
    come before each, and in all.
    """
    ends = np.zeros(sum(len(offsets) - 1 for offsets, _ in columns) + 1, np.int64)
    lines = np.empty(sum(len(data) for _, data in columns) + len(ends), np.uint8)
    counts = np.zeros(2, np.int64)
    done = 1
    for offsets, data in columns:
        load().separate_texts(
            *(data.ctypes.data, len(data), offsets.ctypes.data, len(offsets) - 1),
            *(lines.ctypes.data, len(lines), ends[done:].ctypes.data, counts.ctypes.data),
        )
        done += len(offsets) - 1
    size, characters = counts.tolist()
    return lines, size, characters, ends
