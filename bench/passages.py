"""Real passages and questions about them, counted as coldseek counts them, for whoever ranks by postings."""

import re
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from building import real_lines
from coldseek_core.columns.texts import Texts
from coldseek_core.ingest.counting import count_chunks
from coldseek_core.ingest.jsonl import read_jsonl
from coldseek_core.ingest.postings import PostingsBuilder
from coldseek_core.kernels.memory import BLOCK_BITS, HEADER_WORDS, LARGEST_LIST, STRETCH_BITS, STRETCHES
from coldseek_core.search.settings import DEFAULT_SCORING
from coldseek_core.text import Analyser
from coldseek_core.text.counting import CountedChunks
from coldseek_core.text.term_numbers import TermNumbers
from zipf_postings import StoredPostings

Ids = NDArray[np.int64]
# Function words are no part of a question, and a heading of one word is a name that anything finds.
FEWEST_TERMS = 2


class Passages(StoredPostings):
    """The postings of the shared test data's passages, or of about `sample` of them; see `postings.Columns`."""

    def __init__(self, sample: int | None) -> None:
        with tempfile.TemporaryDirectory(prefix="coldseek-passages-") as scratch:
            file = Path(scratch) / "passages.jsonl"
            with file.open("w", encoding="utf-8") as written:
                written.writelines(f"{line}\n" for line in real_lines(sample))
            corpus, _ = read_jsonl(file)
        self.analyser = Analyser("en")
        numbers = TermNumbers(self.analyser)
        builder = PostingsBuilder(DEFAULT_SCORING)
        counted = list(count_chunks(corpus, self.analyser, numbers))
        for part in counted:
            builder.add(part)
        made = builder.finish(Texts(*numbers.terms()))
        self.ids = {term: order for order, term in enumerate(made.terms)}
        place_of = np.array([self.ids[term] for term in Texts(*numbers.terms())], np.int64)
        self.texts = [text for part in counted for text in _texts_of(part, place_of)]
        self.chunks = corpus.chunk_count
        self.df = made.df.astype(np.int64)
        self.ends = np.cumsum(self.df)
        self.words, self.starts = made.words, made.start
        self.fixed_point: int = made.scoring["impact_fixed_point"]
        rows, impacts = _unpacked(self.words, int(self.ends[-1]), self.df, self.starts)
        self.rows, self.weights = rows, impacts.astype(np.float32) / np.float32(self.fixed_point)
        self.headings = list(dict.fromkeys(headings[-1] for headings in corpus.heading_paths if headings))

    def questions(self, count: int) -> list[Ids]:
        """The known terms of that many headings, in lower case and without punctuation, drawn at random."""
        found: list[Ids] = []
        for order in np.random.default_rng(4).permutation(len(self.headings)).tolist():
            text = " ".join(re.findall(r"\w+", self.headings[order].lower()))
            terms = dict.fromkeys(token.term for token in self.analyser.analyse(text) if not token.stop)
            known = [self.ids[term] for term in terms if term in self.ids]
            if len(known) >= FEWEST_TERMS:
                found.append(np.array(known, np.int64))
            if len(found) == count:
                break
        return found


def _texts_of(part: CountedChunks, place_of: Ids) -> list[Ids]:
    """The terms of each chunk as often as they come in all of its fields."""
    often = part.frequencies.astype(np.int64).sum(axis=0)
    terms = place_of[part.terms]
    bounds = zip([0, *part.ends.tolist()], part.ends.tolist(), strict=False)
    return [np.repeat(terms[start:stop], often[start:stop]) for start, stop in bounds]


def _unpacked(words: Any, count: int, df: Ids, starts: Ids) -> tuple[NDArray[np.int32], NDArray[np.uint16]]:
    """Rows and impacts of all postings, term by term."""
    rows, impacts = np.empty(count, np.int32), np.empty(count, np.uint16)
    place = 0
    for at, left in zip(starts.tolist(), df.tolist(), strict=True):
        while left > 0:
            size, first = int(words[at + 1]) + 1, at + HEADER_WORDS
            if size <= LARGEST_LIST:
                low, after = words[first : first + size].astype(np.int32), first + size
            else:
                bytes_at, after = first + STRETCHES, first + STRETCHES + (size + 1) // 2
                stretches = np.repeat(np.arange(STRETCHES), np.diff(words[first:bytes_at].astype(int), append=size))
                low = (stretches << STRETCH_BITS) + words[bytes_at:after].view(np.uint8)[:size]
            begin = after if size > 1 else at + 2
            rows[place : place + size] = (int(words[at]) << BLOCK_BITS) + low
            impacts[place : place + size] = words[begin : begin + size]
            place, at, left = place + size, max(after, begin + size), left - size
    return rows, impacts
