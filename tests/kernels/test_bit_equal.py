"""Every level that this machine offers gives the JIT's results, bit for bit, and leaves the same in memory."""

from pathlib import Path

import pytest

from coldseek_core.kernels import Kernels
from coldseek_core.kernels.levels import JIT, levels_of, machine
from coldseek_core.kernels.loader import open_level
from coldseek_core.kernels.sealed_files import open_library, read_table
from coldseek_core.kernels.signatures import SIGNATURES
from kernels.offered import offered_here
from kernels.recording import Call, record_calls, replay


@pytest.fixture(scope="module")
def calls() -> list[Call]:
    return record_calls(open_level(JIT))


def test_every_kernel_is_compared(calls: list[Call]) -> None:
    """A kernel that is missing here needs a call in recording.py or in known_answers.py."""
    assert {call.name for call in calls} == set(SIGNATURES)


@pytest.mark.parametrize("level", levels_of(machine()))
def test_level_equals_the_jit(level: str, calls: list[Call], sealed_libraries: Path) -> None:
    if level not in offered_here(sealed_libraries):
        pytest.skip(f"this machine does not offer {level}")
    library = open_library(str(sealed_libraries), level, read_table(str(sealed_libraries)))
    kernels = Kernels(level, library, "tested")
    for call in calls:
        assert replay(kernels, call) == (call.result, call.after), call.name
