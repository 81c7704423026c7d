"""The sealed Arm libraries give the JIT's results, bit for bit, on an emulated Arm CPU."""

import shutil
import struct
import subprocess
from pathlib import Path

import pytest

from coldseek_core.kernels.levels import JIT, aarch64_levels, levels_of
from coldseek_core.kernels.linker import find_linker, linker_to_install
from coldseek_core.kernels.loader import open_level
from coldseek_core.kernels.sealed_files import library_name, read_table
from coldseek_core.kernels.sealing import seal
from coldseek_core.kernels.signatures import SIGNATURES
from kernels.recording import Call, record_calls

MACHINE = "aarch64"
COMPILER, EMULATOR, SYSTEM = "aarch64-linux-gnu-gcc", "qemu-aarch64", "/usr/aarch64-linux-gnu"

# A CPU without and one with the dot product instructions, which the emulator knows by these names.
LEVEL_OF_CPU = {"cortex-a53": ["aarch64"], "neoverse-n1": ["aarch64-dotprod", "aarch64"]}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def harness(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for tool, package in ((COMPILER, "gcc-aarch64-linux-gnu"), (EMULATOR, "qemu-user")):
        if shutil.which(tool) is None:
            pytest.skip(f"there is no {tool}; Debian has it in {package}")
    program = tmp_path_factory.mktemp("arm") / "arm_calls"
    source = Path(__file__).with_name("arm_calls.c")
    subprocess.run([COMPILER, "-O1", "-Wall", "-Werror", "-o", program, source, "-ldl"], check=True)
    return program


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if find_linker(MACHINE) is None:
        pytest.skip(f"there is no linker for {MACHINE}; {linker_to_install(MACHINE)}")
    folder = tmp_path_factory.mktemp("arm-libraries")
    seal(MACHINE, folder, installed=True)
    return folder


@pytest.fixture(scope="module")
def calls() -> list[Call]:
    return record_calls(open_level(JIT))


def packed(call: Call) -> bytes:
    """As arm_calls.c reads it."""
    parts = [struct.pack("<32sQ", f"coldseek_{call.name}".encode(), len(call.arguments))]
    for argument in call.arguments:
        if isinstance(argument, bytes):
            parts += [struct.pack("<QQ", 1, len(argument)), argument]
        else:
            parts.append(struct.pack("<QQ", 0, argument % 2**64))
    return b"".join(parts)


@pytest.mark.parametrize("level", levels_of(MACHINE))
@pytest.mark.parametrize("cpu", LEVEL_OF_CPU)
def test_arm_level_equals_the_jit(
    cpu: str, level: str, harness: Path, libraries: Path, calls: list[Call], tmp_path: Path
) -> None:
    if level not in LEVEL_OF_CPU[cpu]:
        pytest.skip(f"{cpu} does not offer {level}")
    assert not any("f64" in (result, *kinds) for result, kinds in SIGNATURES.values()), "arm_calls.c passes no floats"
    assert max(len(kinds) for _, kinds in SIGNATURES.values()) <= 48, "arm_calls.c passes no more"
    library = libraries / library_name(level, read_table(str(libraries))[level])
    given, got = tmp_path / "calls", tmp_path / "results"
    given.write_bytes(b"".join(map(packed, calls)))
    command = [EMULATOR, "-cpu", cpu, "-L", SYSTEM, harness, library, given, got]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    results = got.read_bytes()
    (hardware_bits,) = struct.unpack_from("<Q", results)
    assert aarch64_levels(hardware_bits) == LEVEL_OF_CPU[cpu]
    place = 8
    for call in calls:
        expected = struct.pack("<Q", call.result % 2**64) + b"".join(call.after)
        assert results[place : place + len(expected)] == expected, call.name
        place += len(expected)
    assert place == len(results)
