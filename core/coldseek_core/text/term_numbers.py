"""Numbers of the terms of a build, which threads share."""

from threading import Lock

import numpy as np
from numpy.typing import NDArray

from ..kernels.memory import Numbers
from ..kernels.token_layout import ENTRY_COUNT
from .analyser import Analyser
from .vocabulary import Vocabulary

# Room at first, of so many bytes each.
FIRST_TEXTS, TEXT_BYTES = 1 << 16, 16
# Of documentation, one in so many bytes is a text that was not met before; more room is made where that is too little.
_BYTES_A_TEXT, _MOST_TEXTS = 128, 1 << 21

# Texts in UTF-8, one after the other, text i at `data[offsets[i]:offsets[i + 1]]`: (offsets, data), i64 and u8.
TextColumn = tuple[NDArray[np.int64], NDArray[np.uint8]]


class TermNumbers:
    """Distinct terms, numbered from 0 in the order in which they are met. Threads may share one.

    It keeps every distinct text of a word, so that each is stemmed once in a build, whoever meets it.
    """

    def __init__(self, analyser: Analyser, size: int = 0) -> None:
        """`size`: about how many bytes of text there are."""
        self._analyser = analyser
        room = min(max(FIRST_TEXTS, size // _BYTES_A_TEXT), _MOST_TEXTS)
        self._vocabulary = Vocabulary(room, room * TEXT_BYTES)
        self._counts = Numbers("q", 3)
        self._lock = Lock()

    def __len__(self) -> int:
        return self._vocabulary.term_count

    def of(self, vocabulary: Vocabulary, first: int, count: int, tables: tuple[int, int]) -> NDArray[np.int64]:
        """The number of the term of each text of `vocabulary` from `first` up to `count`, -1 where it has none.

        `tables`: address and length of those that text beyond ASCII needs.
        """
        texts = np.empty(count, np.int64)
        done = first
        with self._lock:
            while True:
                done = self._vocabulary.enter(vocabulary, done, count, texts.ctypes.data, self._counts.address)
                self._analyser.complete(self._vocabulary, self._counts.view[ENTRY_COUNT], tables)
                if done == count:
                    break
                self._counts.view[ENTRY_COUNT] = 0
                self._vocabulary = self._vocabulary.grown(self._counts.address)
            numbers = np.frombuffer(self._vocabulary.numbers.view, np.int64)
            return numbers[texts[first:]]

    def terms(self) -> TextColumn:
        """The term of each number."""
        offsets, data = self._vocabulary.term_bytes()
        return np.array(offsets, np.int64), np.frombuffer(data, np.uint8)
