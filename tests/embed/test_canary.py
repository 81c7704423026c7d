"""An index knows its model by the vectors of a few fixed strings."""

import random
from collections.abc import Sequence

import pytest

from coldseek_core.embed import CANARY_TEXTS, MockEmbedder, canary_codes, check_identity, embed_checked
from coldseek_core.embed import check_canaries as check
from coldseek_core.errors import ColdseekError, EmbedderError, EmbedderMismatchError


class Model:
    """Random unit-like vectors that depend on the seed and the text."""

    id = "model"
    dimensions = 64

    def __init__(self, seed: int, wobble: float = 0.0, factor: float = 1.0) -> None:
        self.seed, self.wobble, self.factor = seed, wobble, factor

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        vectors: list[list[float]] = []
        for text in texts:
            source, noise = random.Random(f"{self.seed} {text}"), random.Random(0)
            values = [source.gauss(0, 1) + self.wobble * noise.gauss(0, 1) for _ in range(self.dimensions)]
            vectors.append([self.factor * value for value in values])
        return vectors


class Zero(Model):
    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [[0.0] * self.dimensions for _ in texts]


class Broken(Model):
    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        raise TimeoutError(f"{len(texts)} texts took too long")


def check_canaries(model: Model | MockEmbedder, codes: Sequence[bytes]) -> None:
    check(model.id, codes, embed_checked(model, CANARY_TEXTS))


def stored(model: Model | MockEmbedder) -> list[bytes]:
    return canary_codes(model.embed(CANARY_TEXTS))


def test_codes_are_one_byte_a_dimension() -> None:
    codes = stored(Model(1))
    assert [len(code) for code in codes] == [64] * len(CANARY_TEXTS)
    assert all(max(map(abs, memoryview(code).cast("b").tolist())) == 127 for code in codes)
    assert canary_codes([[0.5, -1.0, 0.25, 0.0]]) == [bytes([64, 129, 32, 0])]
    assert canary_codes([]) == []


@pytest.mark.parametrize("model", [Model(1), MockEmbedder(), Zero(1)])
def test_same_model_passes(model: Model | MockEmbedder) -> None:
    check_canaries(model, stored(model))


@pytest.mark.parametrize("model", [Model(1, wobble=0.001), Model(1, factor=7.3), Model(1, factor=1e-6)])
def test_model_that_wobbles_or_scales_passes(model: Model) -> None:
    check_canaries(model, stored(Model(1)))


@pytest.mark.parametrize(
    ("model", "index"),
    [
        (Model(2), Model(1)), (Model(1, factor=-1.0), Model(1)), (Model(1, wobble=1.0), Model(1)),
        (Zero(1), Model(1)), (Model(1), Zero(1)),
    ],
)  # fmt: skip
def test_another_model_of_the_same_size_fails(model: Model, index: Model) -> None:
    with pytest.raises(EmbedderMismatchError, match="another model") as caught:
        check_canaries(model, stored(index))
    assert "\n" not in str(caught.value)


def test_last_canary_counts_too() -> None:
    codes = stored(Model(1))
    with pytest.raises(EmbedderMismatchError):
        check_canaries(Model(1), [*codes[:-1], stored(Model(2))[-1]])


def test_stored_codes_of_another_size_fail() -> None:
    with pytest.raises(EmbedderMismatchError):
        check_canaries(Model(1), [code[:-1] for code in stored(Model(1))])


@pytest.mark.parametrize("count", [1, len(CANARY_TEXTS) + 1])
def test_another_number_of_canaries_is_a_typed_error(count: int) -> None:
    """An index may come from a version that had other canaries."""
    codes = [stored(Model(1))[0]] * count
    with pytest.raises(ColdseekError):
        check_canaries(Model(1), codes)


def test_failing_embedder_is_an_embedder_error() -> None:
    with pytest.raises(EmbedderError, match="TimeoutError: 3 texts took too long"):
        check_canaries(Broken(1), stored(Model(1)))


def test_identity_is_name_and_size() -> None:
    model = Model(1)
    check_identity(model, "model", 64)
    check_identity(model, "given", 64)
    for name, dimensions in (("other", 64), ("model", 65), ("given", 65)):
        with pytest.raises(EmbedderMismatchError) as caught:
            check_identity(model, name, dimensions)
        assert str(dimensions) in str(caught.value)
        assert "64" in str(caught.value)
