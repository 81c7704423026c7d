"""Chunks' vectors: int8 codes, given ones, embedded ones, and everything an embedder can do wrong."""

import math
import random
import threading
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coldseek_core.embed import MockEmbedder
from coldseek_core.embed.quantise import QuantisedVectors
from coldseek_core.errors import EmbedderError, UsageError
from coldseek_core.ingest.corpus import Corpus
from coldseek_core.ingest.documents import Chunk, Document
from coldseek_core.ingest.vectors import EmbeddingMeanwhile, embedded_vectors, given_vectors, texts_to_embed


def corpus_of(vectors: Sequence[Sequence[float] | None]) -> Corpus:
    chunks = [Chunk(f"c{i}", f"text {i}", vector=None if v is None else tuple(v)) for i, v in enumerate(vectors)]
    return Corpus.of([Document("d", "d.md", "/d", "T", {}, tuple(chunks))])


def quantised(vectors: Sequence[Sequence[float]]) -> QuantisedVectors:
    result = given_vectors(corpus_of(vectors))
    assert result is not None
    return result.quantised


def cosine(left: Any, right: Any) -> float:
    left, right = np.asarray(left, np.float64), np.asarray(right, np.float64)
    return float(left @ right / (np.linalg.norm(left) * np.linalg.norm(right)))


def test_known_codes() -> None:
    result = quantised([[0.5, -1.0, 0.25, 0.0], [0.0, 0.0, 0.0, 0.0]])
    assert result.codes.tolist() == [[64, -127, 32, 0], [0, 0, 0, 0]]
    # Remainders of -8 and -4 sixteenths: 63.5 and 31.75.
    assert result.squares.tolist() == [1016**2 + 2032**2 + 508**2, 0]
    assert result.scales.tolist() == [np.float32(1 / 127.0), 0.0]


def test_halves_round_up() -> None:
    assert quantised([[127.0, 2.5, -2.5, 0.5, -0.5]]).codes.tolist() == [[127, 3, -2, 1, 0]]


def test_opposites_and_constants() -> None:
    """Opposite vectors stay opposite; a constant one is all ones; the clamp's edge is 127, never -128."""
    rng = random.Random(1)
    vector = [rng.gauss(0, 1) for _ in range(768)]
    codes = quantised([vector, [-value for value in vector], [0.125] * 768]).codes
    assert cosine(codes[0], codes[1]) == pytest.approx(-1.0, abs=0.02)
    assert set(codes[2].tolist()) == {127}
    assert codes.min() >= -127


@pytest.mark.parametrize("dimensions", [512, 1024, 1536])
def test_codes_use_their_range_and_keep_the_angle(dimensions: int) -> None:
    """A unit vector's components are small; with its own scale it uses all of the codes."""
    rng = np.random.default_rng(dimensions)
    vectors = rng.normal(size=(20, dimensions))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    codes = quantised(vectors.tolist()).codes
    assert (np.abs(codes.astype(int)).max(axis=1) >= 120).all()
    for vector, code in zip(vectors, codes, strict=True):
        assert cosine(vector, code) > 0.9999


def test_sums_do_not_wrap() -> None:
    assert quantised([[1.0] * 1536]).squares.tolist() == [1536 * 2032 * 2032]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.floats(-1e38, 1e38, allow_nan=False), min_size=1, max_size=9))
def test_codes_by_formula(vector: list[float]) -> None:
    largest = max(abs(value) for value in vector)
    if largest > 1e-280:
        expected = [max(-127, min(127, math.floor((value * 127.0) / largest + 0.5))) for value in vector]
        assert quantised([vector]).codes.tolist() == [expected]


def test_no_given_vectors() -> None:
    assert given_vectors(corpus_of([None, None])) is None
    assert given_vectors(Corpus.of([])) is None


def test_some_chunks_without_a_vector() -> None:
    with pytest.raises(UsageError, match=r"1 of 2 chunks bring a vector, 'c1' does not"):
        given_vectors(corpus_of([[1.0], None]))


def test_given_vectors_of_two_sizes() -> None:
    with pytest.raises(UsageError, match=r"'c1' has 3 dimensions, the first one has 2"):
        given_vectors(corpus_of([[1.0, 2.0], [1.0, 2.0, 3.0]]))


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_given_vector_that_is_not_finite(value: float) -> None:
    with pytest.raises(UsageError, match="chunk 1 holds NaN or infinity"):
        given_vectors(corpus_of([[1.0, 2.0], [1.0, value]]))


class Recorder:
    id = "recorder"
    dimensions = 2

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.batches.append(list(texts))
        return [[float(len(text)), 1.0] for text in texts]


def test_blank_texts_are_not_sent_and_order_is_kept() -> None:
    texts = [" " if order % 7 == 0 else "x" * (order + 1) for order in range(150)]
    document = Document("d", "", "/d", "", {}, tuple(Chunk(f"c{i}", text) for i, text in enumerate(texts)))
    embedder = Recorder()
    done: list[int] = []
    result = embedded_vectors(Corpus.of([document]), embedder, done.append).quantised
    assert sum(done) == 150
    sent = [text for batch in embedder.batches[1:] for text in batch]
    assert sent == [text for text in texts if text.strip()]
    for order, text in enumerate(texts):
        if text.strip():
            assert result.scales[order] == np.float32(len(text) / 127.0)
        else:
            assert not result.codes[order].any()


def test_text_to_embed_holds_title_and_headings() -> None:
    chunks = (Chunk("c", "body", ("One", "Two")), Chunk("e", ""))
    corpus = Corpus.of(
        [Document("d", "", "/d", "Title", {}, chunks), Document("e", "", "/e", "", {}, (Chunk("f", ""),))]
    )
    assert list(texts_to_embed(corpus)) == ["Title\nOne\nTwo\nbody", "Title", ""]


@pytest.mark.parametrize(
    "returned",
    [
        [],
        [[1.0, 2.0]],
        [[1.0, 2.0]] * 9,
        None,
        [[1.0]] * 3,
        [[1.0, 2.0, 3.0]] * 3,
        [[1.0, math.nan]] * 3,
        [[1.0, math.inf]] * 3,
        [["a", "b"]] * 3,
        ["ab", "cd", "ef"],
        [[1.0, None]] * 3,
    ],
)
def test_embedder_that_returns_nonsense(returned: Any) -> None:
    class Broken:
        id = "broken"
        dimensions = 2

        def embed(self, texts: Sequence[str]) -> Any:  # noqa: ARG002
            return returned

    with pytest.raises(EmbedderError, match="'broken'"):
        embedded_vectors(corpus_of([None, None, None]), Broken(), lambda _: None)


def test_mock_is_the_same_everywhere() -> None:
    vector = MockEmbedder().embed(["rate limits"])[0]
    assert {place: value for place, value in enumerate(vector) if value} == pytest.approx(
        {103: -0.894427191, 308: 0.4472135955}
    )


def test_a_vector_too_long_for_its_scale() -> None:
    """Beyond float32's range the scale is of no use, the codes are right all the same, and nothing is warned of."""
    result = quantised([[2.0**200, 2.0**201], [2.0**900, -(2.0**901)]])
    assert result.codes.tolist() == [[64, 127], [64, -127]]
    assert result.squares.tolist() == [1016**2 + 2032**2] * 2


class Server(Recorder):
    """Waits for the network; `asked` counts who waits with it."""

    remote = True

    def __init__(self, fails_at: int = 1 << 30) -> None:
        super().__init__()
        self.together = 0
        self.most = 0
        self.asked = 0
        self._fails_at = fails_at
        self._lock = threading.Lock()

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        with self._lock:
            self.asked += 1
            self.together += 1
            self.most = max(self.most, self.together)
            fails = self.asked >= self._fails_at
        time.sleep(0.02)
        with self._lock:
            self.together -= 1
        if fails:
            raise OSError("no route")
        return super().embed(texts)


MANY = [f"text {order}" for order in range(64 * 12)]


def test_several_batches_are_on_their_way_to_a_server() -> None:
    corpus = Corpus.of([Document("d", "", "/d", "", {}, tuple(Chunk(text, text) for text in MANY))])
    server, alone = Server(), Recorder()
    made = embedded_vectors(corpus, server, lambda _: None).quantised
    expected = embedded_vectors(corpus, alone, lambda _: None).quantised
    assert 2 <= server.most <= 4
    assert made.codes.tolist() == expected.codes.tolist()
    assert made.scales.tolist() == expected.scales.tolist()


def test_one_batch_at_a_time_goes_to_an_embedder_that_computes() -> None:
    server = Server()
    server.remote = False
    embedded_vectors(corpus_of([None] * 300), server, lambda _: None)
    assert server.most == 1


def test_embedding_meanwhile() -> None:
    """It goes on by itself, tells a failure as soon as it is asked, and stops when it is given up."""
    corpus = Corpus.of([Document("d", "", "/d", "", {}, tuple(Chunk(text, text) for text in MANY))])
    done: list[int] = []
    with EmbeddingMeanwhile(corpus, Server(), done.append) as running:
        running.check()
        assert running.result().quantised.codes.shape == (len(MANY), 2)
    assert sum(done) == len(MANY)
    failing = Server(fails_at=4)
    with EmbeddingMeanwhile(corpus, failing, lambda _: None) as running:
        while failing.asked < 4 or failing.together:
            time.sleep(0.001)
        time.sleep(0.1)
        with pytest.raises(EmbedderError, match="no route"):
            running.check()
    given_up = Server()
    with EmbeddingMeanwhile(corpus, given_up, lambda _: None):
        pass
    assert given_up.asked < 12
