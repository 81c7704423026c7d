"""A corpus holds what its documents hold, joined and sorted as they would be."""

import random

import numpy as np
import pytest

from coldseek_core.ingest.corpus import Corpus
from coldseek_core.ingest.documents import Chunk, Document
from coldseek_core.ingest.merging import merge_documents
from search.worlds import random_documents


def some_documents(seed: int) -> list[Document]:
    rng = random.Random(seed)
    documents = random_documents(rng, 40, seed % 2 * 3)
    if seed % 3:
        documents[2] = Document("m", "m.md", "/m", "M", {"year": seed}, (Chunk("m", "text", ("É", "")),))
    return documents


@pytest.mark.parametrize("seed", range(6))
def test_documents_come_back(seed: int) -> None:
    documents = some_documents(seed)
    corpus = Corpus.of(documents)
    assert corpus.documents() == documents
    assert (len(corpus), corpus.chunk_count) == (len(documents), sum(len(document.chunks) for document in documents))
    assert corpus == Corpus.of(documents)
    assert corpus != Corpus.of(documents[1:])


@pytest.mark.parametrize("seed", range(6))
def test_joined_and_sorted(seed: int) -> None:
    parts = [some_documents(seed), [], some_documents(seed + 1)]
    joined = Corpus.joined([Corpus.of(part) for part in parts])
    documents = [document for part in parts for document in part]
    assert joined.documents() == documents
    order = random.Random(seed).sample(range(len(documents)), len(documents))
    assert joined.sorted_by(np.array(order, np.int64)).documents() == [documents[place] for place in order]


def test_nothing() -> None:
    assert Corpus.of([]).documents() == []
    assert Corpus.joined([Corpus.of([]), Corpus.of([])]).documents() == []


@pytest.mark.parametrize("seed", range(4))
def test_corpora_are_merged_as_documents_are(seed: int) -> None:
    """By (url, path), and what ties by id; with something that comes twice, and without."""
    rng = random.Random(seed)
    documents = [
        Document(f"d{n}", f"{n % 3}.jsonl", rng.choice(["", "/b", "/a"]), "T", {}, (Chunk(f"c{n}", str(n)),))
        for n in range(30)
    ]
    if seed % 2:
        documents.append(Document("d3", "x.jsonl", "", "", {}, (Chunk("again", "x"),)))
        documents.append(Document("e", "x.jsonl", "", "", {}, (Chunk("c4", "x"), Chunk("e", "y"))))
    rng.shuffle(documents)
    problems, expected_problems = [], []
    merged = merge_documents(documents[:5], [Corpus.of(documents[5:12]), Corpus.of(documents[12:])], problems)
    assert merged == merge_documents(documents, [], expected_problems)
    assert problems == expected_problems
    assert bool(problems) == bool(seed % 2)
