"""From documents to counted chunks, in the order of rows, by one thread or several."""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from ..text import Analyser
from ..text.counting import CountedChunks, TermCounter, TermNumbers
from .documents import Document

# So much is tokenised at a time; it goes into a processor's cache.
_BATCH_CHARACTERS = 1 << 18

_Batch = tuple[list[str], NDArray[np.int64]]


def count_chunks(
    documents: Iterable[Document], analyser: Analyser, numbers: TermNumbers, workers: int = 1
) -> Iterator[CountedChunks]:
    """The counts of all chunks, some at a time. Fields are title, headings and body.

    Threads serve as `workers`, for most of the work is done in kernels, which run side by side.
    """
    counters = [TermCounter(analyser, numbers) for _ in range(workers)]
    if workers == 1:
        for batch in _batches(documents):
            yield counters[0].count(*batch)
        return

    def count(batch: _Batch) -> CountedChunks:
        counter = counters.pop()
        try:
            return counter.count(*batch)
        finally:
            counters.append(counter)

    waiting: deque[Future[CountedChunks]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        for batch in _batches(documents):
            waiting.append(pool.submit(count, batch))
            if len(waiting) > 2 * workers:  # no further ahead than that, so that memory is bounded
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _batches(documents: Iterable[Document]) -> Iterator[_Batch]:
    """Texts, and which of them are the fields of each chunk. A title is counted once for a document's chunks."""
    texts: list[str] = []
    fields: list[tuple[int, int, int]] = []
    size = 0
    for document in documents:
        title = -1
        for chunk in document.chunks:
            if title < 0:
                title = len(texts)
                texts.append(document.title)
                size += len(document.title)
            headings = "\n".join(chunk.heading_path)
            place = len(texts)
            texts += (headings, chunk.text)
            fields.append((title, place, place + 1))
            size += len(headings) + len(chunk.text)
            if size >= _BATCH_CHARACTERS:
                yield texts, np.array(fields, np.int64)
                texts, fields, size, title = [], [], 0, -1
    if fields:
        yield texts, np.array(fields, np.int64)
