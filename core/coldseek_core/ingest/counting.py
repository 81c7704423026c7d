"""From a corpus to counted chunks, in the order of rows, by one thread or several."""

from collections.abc import Iterator

import numpy as np

from ..text import Analyser
from ..text.counting import CountedChunks, TermCounter
from ..text.term_numbers import TermNumbers
from .corpus import Corpus
from .in_order import in_order

# So much is tokenised at a time; it goes into a processor's cache.
_BATCH_BYTES = 1 << 18


def count_chunks(corpus: Corpus, analyser: Analyser, numbers: TermNumbers, workers: int = 1) -> Iterator[CountedChunks]:
    """The counts of all chunks, some at a time. Fields are title, headings and body.

    Threads serve as `workers`, for nearly all work is done in kernels, which run side by side.
    """
    counters = [TermCounter(analyser, numbers) for _ in range(workers)]

    def count(batch: tuple[int, int]) -> CountedChunks:
        counter = counters.pop()
        try:
            return _count(counter, corpus, *batch)
        finally:
            counters.append(counter)

    return in_order(count, _batches(corpus), workers)


def _batches(corpus: Corpus) -> Iterator[tuple[int, int]]:
    """Chunks from the first up to the second number, of about as many bytes as are tokenised at a time."""
    headings = corpus.heading_paths
    ends = corpus.texts.offsets[1:] + headings.texts.offsets[headings.offsets[1:]]
    ends = ends + corpus.titles.offsets[corpus.document_of + 1]
    start = 0
    while start < len(ends):
        full = _BATCH_BYTES + (ends[start - 1] if start else 0)
        stop = min(int(np.searchsorted(ends, full)) + 1, len(ends))
        yield start, stop
        start = stop


def _count(counter: TermCounter, corpus: Corpus, start: int, stop: int) -> CountedChunks:
    """A title is counted once for the chunks of a document."""
    count = stop - start
    documents = corpus.document_of[start:stop]
    titles = corpus.titles.cut(int(documents[0]), int(documents[-1]) + 1)
    headings = corpus.heading_paths.cut(start, stop)
    first_text = len(titles) + len(headings.texts)
    line_ends = [
        np.arange(1, len(titles) + 1),
        len(titles) + headings.offsets[1:],
        np.arange(first_text + 1, first_text + count + 1),
    ]
    fields = [documents - documents[0], len(titles) + np.arange(count), len(titles) + count + np.arange(count)]
    columns = (titles, headings.texts, corpus.texts.cut(start, stop))
    return counter.count(
        [(texts.offsets, texts.data) for texts in columns], np.concatenate(line_ends), np.stack(fields, axis=1)
    )
