"""The mock embedder: hashes and vectors as the system that coldseek replaces makes them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coldseek_core.embed import MOCK_MIN_SIMILARITY, MockEmbedder, min_similarity_of, needs_keyword
from coldseek_core.embed.mock import fnv1a_32, mock_vector


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 2166136261), ("a", 3826002220), ("foobar", 3214735720), ("rate", 2927860839), ("limit", 853203252),
        ("rate limit", 2720566068), ("france", 107042714), ("npm", 845825946), ("int8", 1687288466),
        ("café", 856211068), ("中", 677484088), ("😀", 3409036472),
    ],
)  # fmt: skip
def test_known_hashes(text: str, expected: int) -> None:
    assert fnv1a_32(text) == expected


@given(st.text(alphabet=st.characters()))
def test_hash_equals_its_definition(text: str) -> None:
    value = 2166136261
    for char in text:
        code = ord(char)
        units = [code] if code < 0x10000 else [0xD800 + (code - 0x10000 >> 10), 0xDC00 + (code - 0x10000 & 0x3FF)]
        for unit in units:
            value = (value ^ unit) * 16777619 % 2**32
    assert fnv1a_32(text) == value


def test_lone_surrogate_has_a_hash() -> None:
    assert fnv1a_32("\ud800") == (2166136261 ^ 0xD800) * 16777619 % 2**32


def test_known_vector() -> None:
    (vector,) = MockEmbedder().embed(["rate limits"])
    filled = {place: value for place, value in enumerate(vector) if value}
    assert filled == {103: pytest.approx(-0.894427191, abs=1e-9), 308: pytest.approx(0.4472135955, abs=1e-10)}
    assert len(vector) == MockEmbedder.dimensions == 512


def test_unrelated_words_can_share_a_bucket() -> None:
    france, npm = MockEmbedder().embed(["france", "npm"])
    assert france == [1.0 if place == 410 else 0.0 for place in range(512)]
    assert mock_vector(["npm"]) == mock_vector(["france"])
    assert npm == france
    assert needs_keyword(MockEmbedder())
    assert min_similarity_of(MockEmbedder()) == MOCK_MIN_SIMILARITY == 0.2


@given(st.lists(st.text(max_size=6), max_size=30))
def test_vectors_have_unit_length_or_none(terms: list[str]) -> None:
    vector = mock_vector(terms)
    length = math.sqrt(math.fsum(value * value for value in vector))
    assert length == pytest.approx(1.0, abs=1e-12) or not any(vector)
    assert vector == mock_vector(list(terms))


@given(st.lists(st.text(max_size=6), max_size=12))
def test_vector_equals_its_definition(terms: list[str]) -> None:
    expected = [0.0] * 512
    weighed = [(term, 1.0) for term in terms]
    weighed += [(f"{terms[order]} {terms[order + 1]}", 0.5) for order in range(len(terms) - 1)]
    for text, weight in weighed:
        value = fnv1a_32(text)
        expected[value % 512] += weight if value < 2**31 else -weight
    length = math.sqrt(sum(value * value for value in expected))
    if length:
        expected = [value / length for value in expected]
    assert mock_vector(terms) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("text", ["", "the of a", "!!!", "🧊"])
def test_text_without_terms_is_a_zero_vector(text: str) -> None:
    assert MockEmbedder().embed([text]) == [[0.0] * 512]


def test_no_texts_and_several_texts() -> None:
    embedder = MockEmbedder()
    assert embedder.embed([]) == []
    assert embedder.embed(["b", "a b"]) == embedder.embed(["b"]) + embedder.embed(["a b"])


def test_name_is_fixed() -> None:
    assert MockEmbedder().id == MockEmbedder.id == "mock-512"


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("How do I configure the Rate Limits?", ["configure", "rate", "limit"]),
        ("Café résumé", ["cafe", "resume"]),
        ("class status analysis caches", ["class", "status", "analysis", "cache"]),
        ("createAskHandler()", ["createaskhandler", "create", "ask", "handler"]),
        ("parseHTMLDocument", ["parsehtmldocument", "parse", "html", "document"]),
        ("can't rock'n'roll", ["rocknroll"]),
        ("", []),
    ],
)
def test_known_terms(text: str, terms: list[str]) -> None:
    assert MockEmbedder().terms(text) == terms
