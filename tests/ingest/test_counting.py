"""Counted chunks against counting each field of each chunk in plain Python, with one thread and with several."""

import random

import pytest

from coldseek_core.columns.texts import Texts
from coldseek_core.ingest import counting
from coldseek_core.ingest.corpus import Corpus
from coldseek_core.ingest.counting import count_chunks
from coldseek_core.ingest.documents import Chunk, Document
from coldseek_core.text import Analyser
from coldseek_core.text.term_numbers import TermNumbers
from search.worlds import random_documents
from text.naive.analyser import NaiveAnalyser, counted

Fields = list[tuple[dict[str, int], int]]


def naive_counts(documents: list[Document]) -> list[Fields]:
    analyser = NaiveAnalyser("en")
    return [
        [counted(analyser.analyse(text)) for text in (document.title, "\n".join(chunk.heading_path), chunk.text)]
        for document in documents
        for chunk in document.chunks
    ]


def counts(documents: list[Document], workers: int) -> list[Fields]:
    analyser = Analyser("en")
    numbers = TermNumbers(analyser)
    result: list[Fields] = []
    for got in list(count_chunks(Corpus.of(documents), analyser, numbers, workers)):
        terms = list(Texts(*numbers.terms()))
        start = 0
        for order, end in enumerate(got.ends.tolist()):
            names = [terms[number] for number in got.terms[start:end].tolist()]
            frequencies = [dict(zip(names, field[start:end].tolist(), strict=True)) for field in got.frequencies]
            lengths = got.lengths[:, order].tolist()
            fields = zip(frequencies, lengths, strict=True)
            result.append([({term: n for term, n in field.items() if n}, length) for field, length in fields])
            start = end
    return result


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("batch", [1, 100, 1 << 18])
def test_counts_are_those_of_plain_python(monkeypatch: pytest.MonkeyPatch, workers: int, batch: int) -> None:
    monkeypatch.setattr(counting, "_BATCH_BYTES", batch)
    documents = random_documents(random.Random(batch), 150, 0)
    assert counts(documents, workers) == naive_counts(documents)


def test_counts_of_the_fields() -> None:
    document = Document("d", "", "/d", "The retries", {}, (Chunk("c", "the bucket and the buckets", ("Limits", "of")),))
    [[title, headings, body]] = counts([document], 1)
    assert title == ({"the": 1, "retri": 1}, 1)
    assert headings == ({"limit": 1, "of": 1}, 1)
    assert body == ({"the": 2, "bucket": 2, "and": 1}, 2)


def test_frequencies_beyond_a_byte() -> None:
    document = Document("d", "", "/d", "", {}, (Chunk("c", "box " * 70_000), Chunk("e", "box " * 300)))
    assert [fields[2] for fields in counts([document], 1)] == [({"box": 70_000}, 70_000), ({"box": 300}, 300)]


def test_nothing_to_count() -> None:
    assert counts([], 2) == []
    assert counts([Document("d", "", "/d", "", {}, (Chunk("c", ""),))], 2) == [[({}, 0)] * 3]
