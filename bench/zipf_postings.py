"""Postings of words that are drawn by a Zipf law, made by NumPy as an index has them."""

import numpy as np
from numpy.typing import NDArray

from coldseek_core.columns.posting_words import posting_words
from coldseek_core.ingest.postings import fixed_point_for
from coldseek_core.kernels.memory import PLACED_BITS
from workload import ZIPF_EXPONENT

VOCABULARY = 200_000
WORDS_A_CHUNK = 80
K1 = 1.2
BATCH = 50_000
POSTINGS_A_PIECE = 10_000_000

Ids = NDArray[np.int64]


class Words:
    """Words by their ids, drawn by the Zipf law."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        shares = 1.0 / np.arange(1, VOCABULARY + 1) ** ZIPF_EXPONENT
        self._until = np.cumsum(shares / shares.sum())

    def draw(self, count: int) -> Ids:
        return np.minimum(np.searchsorted(self._until, self._random.random(count)), VOCABULARY - 1)


class StoredPostings:
    """Postings in `words`, as a retriever takes them."""

    words: NDArray[np.uint16]

    @property
    def words_address(self) -> int:
        return self.words.ctypes.data

    @property
    def word_count(self) -> int:
        return len(self.words)


class Columns(StoredPostings):
    """The postings of `chunks` chunks, as an index holds them and as bm25s does; if `with_texts`, the words themselves
    in `texts`."""

    def __init__(self, chunks: int, with_texts: bool) -> None:
        self.chunks = chunks
        words = Words(1)
        # One number for each posting: word, chunk and frequency, in the order of postings.
        packed: list[Ids] = []
        self.texts: list[Ids] = []
        for first in range(0, chunks, BATCH):
            count = min(BATCH, chunks - first)
            drawn = words.draw(count * WORDS_A_CHUNK)
            if with_texts:
                self.texts.extend(drawn.reshape(count, WORDS_A_CHUNK))
            places = drawn * chunks + np.repeat(np.arange(first, first + count), WORDS_A_CHUNK)
            found, frequencies = np.unique(places, return_counts=True)
            packed.append(found * 128 + frequencies)
        keys = np.concatenate(packed)
        packed.clear()
        keys.sort()
        self.df = np.bincount(keys // (128 * chunks), minlength=VOCABULARY)
        self.rows = (keys // 128 % chunks).astype(np.int32)
        frequencies = (keys % 128).astype(np.uint8)
        del keys
        self.idf = np.log(1.0 + (chunks - self.df + 0.5) / (self.df + 0.5))
        # All chunks are as long, so the norm is 1.
        of_frequency = np.arange(129) * (K1 + 1.0) / (np.arange(129) + K1)
        self.ends = np.cumsum(self.df)
        self.weights = np.repeat(self.idf.astype(np.float32), self.df) * of_frequency[frequencies].astype(np.float32)
        self.fixed_point = fixed_point_for(float(self.idf.max() * of_frequency.max()))
        self.words, self.starts = self._words()

    def _words(self) -> tuple[NDArray[np.uint16], Ids]:
        """In pieces of whole terms, to spare memory."""
        words: list[NDArray[np.uint16]] = []
        starts: list[Ids] = []
        length = first = 0
        while first < VOCABULARY:
            begin = int(self.ends[first] - self.df[first])
            stop = max(first + 1, int(np.searchsorted(self.ends, begin + POSTINGS_A_PIECE)))
            piece = slice(begin, int(self.ends[min(stop, VOCABULARY) - 1]))
            impacts = (self.weights[piece].astype(np.float64) * 2.0**PLACED_BITS).astype(np.uint64)
            placed = self.rows[piece].astype(np.uint64) << np.uint64(32) | impacts
            made = posting_words(self.df[first:stop], placed, self.fixed_point)
            words.append(made.words)
            starts.append(made.starts + length)
            length += len(made.words)
            first = stop
        return np.concatenate(words), np.concatenate(starts)
