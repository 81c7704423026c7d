"""Whatever an embedder returns or raises becomes good vectors or one typed error."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from coldseek_core.embed import DEFAULT_MIN_SIMILARITY, embed_checked, min_similarity_of, needs_keyword
from coldseek_core.errors import EmbedderError


class Stub:
    """Returns what it is given, or raises it."""

    id = "stub"
    dimensions = 2

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def embed(self, texts: Any) -> Any:
        del texts
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


def test_good_vectors_become_lists_of_floats() -> None:
    expected = [[1.0, 2.0], [0.0, -1.5]]
    given: list[Any] = [
        [[1, 2], [0, -1.5]],
        ((1, 2), (0, -1.5)),
        np.array(expected, np.float32),
        iter([iter([1, 2]), iter([0, -1.5])]),
    ]
    for answer in given:
        got = embed_checked(Stub(answer), ["a", "b"])
        assert got == expected
        assert all(type(value) is float for vector in got for value in vector)
    assert embed_checked(Stub([]), []) == []
    assert embed_checked(Stub([[1.7976931348623157e308, -1.7976931348623157e308]]), ["a"])


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ([[1.0, 2.0]], "returned 1 vectors for 2 texts"),
        ([], "returned 0 vectors for 2 texts"),
        ([[1.0, 2.0]] * 3, "returned 3 vectors for 2 texts"),
        ([[1.0, 2.0], [1.0]], "returned 1 dimensions for text 1, 2 were expected"),
        ([[1.0, 2.0, 3.0], [1.0, 2.0]], "returned 3 dimensions for text 0"),
        ([[], []], "returned 0 dimensions for text 0"),
        ([[1.0, 2.0], [math.nan, 0.0]], "NaN or infinity for text 1"),
        ([[math.inf, 2.0], [1.0, 0.0]], "NaN or infinity for text 0"),
        ([[0.0, -math.inf], [1.0, 0.0]], "NaN or infinity for text 0"),
        (None, "TypeError"),
        ([None, None], "TypeError"),
        ([1.0, 2.0], "TypeError"),
        ([["x", 1], [1, 2]], "ValueError"),
        ([[10**400, 1], [1, 2]], "OverflowError"),
        ([[1j, 1], [1, 2]], "TypeError"),
        (TimeoutError("late"), "TimeoutError: late"),
        (KeyError("embedding"), "KeyError"),
        (RuntimeError(), "RuntimeError"),
    ],
)
def test_everything_else_is_an_embedder_error(answer: Any, message: str) -> None:
    with pytest.raises(EmbedderError, match=message) as caught:
        embed_checked(Stub(answer), ["a", "b"])
    assert "'stub'" in str(caught.value)


def test_errors_of_its_own_pass_through() -> None:
    error = EmbedderError("no key; set OPENAI_API_KEY")
    with pytest.raises(EmbedderError) as caught:
        embed_checked(Stub(error), ["a"])
    assert caught.value is error


def test_cause_is_kept() -> None:
    with pytest.raises(EmbedderError) as caught:
        embed_checked(Stub(TimeoutError("late")), ["a"])
    assert isinstance(caught.value.__cause__, TimeoutError)


def test_message_is_one_line() -> None:
    with pytest.raises(EmbedderError) as caught:
        embed_checked(Stub(RuntimeError("HTTP 500\n<html>\r\noops")), ["a"])
    assert len(str(caught.value).splitlines()) == 1


def test_generator_that_fails_midway() -> None:
    def vectors() -> Any:
        yield [1.0, 2.0]
        raise ConnectionError("reset")

    with pytest.raises(EmbedderError, match="ConnectionError: reset"):
        embed_checked(Stub(vectors()), ["a", "b"])


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_interrupts_are_not_swallowed(stop: Callable[[], BaseException]) -> None:
    with pytest.raises((KeyboardInterrupt, SystemExit)):
        embed_checked(Stub(stop()), ["a"])


def test_optional_attributes_have_defaults() -> None:
    stub = Stub([])
    assert min_similarity_of(stub) == DEFAULT_MIN_SIMILARITY == 0.25
    assert not needs_keyword(stub)
