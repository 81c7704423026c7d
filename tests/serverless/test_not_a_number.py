"""NaN and infinity where they can be: two columns of an index, and vectors from outside. No kernel reads those columns.

Norms are exact whole numbers (`vectors.square`, int64), which hold no NaN. What is left are `vectors.scale` (float32),
which full verification alone reads, and metadata numbers (float64), which filters compare. Building writes neither.
"""

import math
import struct
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

import coldseek
from coldseek.cli import main
from coldseek_core.columns.schema import COLUMNS, METADATA_TYPES
from columns.forged import forge, overwrite, place_of
from serverless.copied_runtime import Runtime

ODD = (math.nan, math.inf, -math.inf)
PRICE = "metadata.number.price"


@pytest.fixture
def with_scale(runtime_copy: Callable[[], Runtime]) -> Callable[[float], Runtime]:
    """A runtime whose index has this scale in its second row."""

    def make(odd: float) -> Runtime:
        runtime = runtime_copy()
        overwrite(runtime.index, "vectors", "scale", "values", 4, struct.pack("<f", odd))
        return runtime

    return make


@pytest.fixture
def with_price(runtime_copy: Callable[[], Runtime]) -> Callable[[float], Runtime]:
    """A runtime in whose index this takes the place of the price 2.5."""

    def make(odd: float) -> Runtime:
        runtime = runtime_copy()
        with coldseek.open(runtime.index) as index:
            place = [*index._files.numbers("documents", PRICE)].index(2.5)
        overwrite(runtime.index, "documents", PRICE, "values", 8 * place, struct.pack("<d", odd))
        return runtime

    return make


def test_these_columns_alone_can_hold_a_nan() -> None:
    floats = {(file, name) for file, kinds in COLUMNS.items() for name, kind in kinds.items() if "float" in kind}
    assert floats == {("vectors", "scale")}
    assert [name for name, kind in METADATA_TYPES.items() if "float" in kind] == ["number"]


@pytest.mark.parametrize("odd", ODD)
def test_a_scale_that_is_no_number_changes_no_answer_on_any_level(
    odd: float, with_scale: Callable[[float], Runtime], expected: str, offered: list[str]
) -> None:
    runtime = with_scale(odd)
    code = f"""
import coldseek
from asking import answers
with coldseek.open({str(runtime.index)!r}) as index:
    print(answers(index))
"""
    for level in offered:
        assert runtime.run(code, variables={"COLDSEEK_CPU_LEVEL": level}) == (0, f"{expected}\n", ""), level


@pytest.mark.parametrize("odd", ODD)
def test_full_verification_names_a_scale_that_is_no_number(odd: float, with_scale: Callable[[float], Runtime]) -> None:
    """Also where the checksum was made after it."""
    index = with_scale(odd).index
    path, _, _ = place_of(index, "vectors", "scale", "values")
    forge(index, lambda body: body["files"]["vectors"].update(sha256=sha256(path.read_bytes()).hexdigest()))
    assert any(f"vectors.scale at row 1 is {odd}" in str(fault) for fault in coldseek.verify(index))


@pytest.mark.parametrize("odd", ODD)
def test_a_metadata_number_that_is_none_is_compared_as_python_does(
    odd: float, with_price: Callable[[float], Runtime]
) -> None:
    with coldseek.open(with_price(odd).index) as index:

        def found(price: float) -> int:
            return len(index.search("copper", filter={"metadata": {"price": price}}).hits)

        assert found(2.5) == 0
        assert found(7) == 1
        if math.isnan(odd):
            assert found(odd) == 0  # NaN equals nothing
        for conditions in (None, *([] if math.isnan(odd) else [{"metadata": {"price": odd}}])):
            with pytest.raises(coldseek.CorruptIndexError, match=r"metadata.number.price at row \d+ is"):
                index.search("copper", filter=conditions)


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("command", ["search", "retrieve"])
def test_a_metadata_number_that_is_none_is_one_line_of_error_in_json(
    odd: float, command: str, with_price: Callable[[float], Runtime], capsys: pytest.CaptureFixture[str]
) -> None:
    """JSON has neither NaN nor infinity, and building writes none: such an index is damaged."""
    assert main([command, str(with_price(odd).index), "copper", "--json"]) != 0
    output, errors = capsys.readouterr()
    assert output == ""
    assert len(errors.splitlines()) == 1


@pytest.mark.parametrize("odd", [*ODD, -math.nan])
def test_a_question_s_vector_that_holds_one_is_refused(odd: float, small_index: Path) -> None:
    with coldseek.open(small_index) as index:
        size = index.info()["settings"]["embedder"]["dimensions"]
        for place in (0, size // 2, size - 1):
            vector = [0.25] * size
            vector[place] = odd
            for call in (index.search, index.retrieve):
                with pytest.raises(coldseek.UsageError, match="holds NaN or infinity"):
                    call("copper", vector=vector)
