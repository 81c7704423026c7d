"""A sealed library as a Python module: what its functions take and give, what they refuse, and that ctypes agrees."""

import contextlib
import mmap
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coldseek_core.kernels import Kernels
from coldseek_core.kernels.by_ctypes import Functions, open_sealed
from coldseek_core.kernels.levels import levels_of, machine
from coldseek_core.kernels.sealed_files import MODULE, library_name, open_library, read_table
from coldseek_core.kernels.signatures import BRIEF, SIGNATURES
from kernels.offered import offered_here
from kernels.recording import record_calls, replay

FOOBAR = 0x85944171F73967E8  # FNV-1a-64 of "foobar"


@pytest.fixture(scope="module", params=levels_of(machine()))
def library(request: pytest.FixtureRequest, sealed_libraries: Path) -> Any:
    if request.param not in offered_here(sealed_libraries):
        pytest.skip(f"this machine does not offer {request.param}")
    return open_library(str(sealed_libraries), request.param, read_table(str(sealed_libraries)))


def test_it_is_a_module_with_every_kernel(library: Any) -> None:
    assert library.__name__ == MODULE
    assert set(SIGNATURES) | {"address"} <= set(vars(library))


@pytest.mark.parametrize("wrap", [bytes, bytearray, lambda data: memoryview(data)[:]])
def test_a_buffer_has_an_address(library: Any, wrap: Any) -> None:
    data = wrap(b"foobar")
    assert library.digest(library.address(data), 6) == FOOBAR


def test_a_read_only_mapping_has_an_address(library: Any, tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"--foobar")
    with (tmp_path / "f").open("rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as mapped:
        assert library.digest(library.address(mapped) + 2, 6) == FOOBAR
        # The buffer was let go, or the mapping could not be closed.


@pytest.mark.parametrize("wrong", [None, 1, "text", [1], object()])
def test_what_is_no_buffer_has_none(library: Any, wrong: Any) -> None:
    with pytest.raises(TypeError, match="bytes-like"):
        library.address(wrong)
    with pytest.raises(BufferError):
        library.address(memoryview(b"abcdef")[::2])  # not in one piece


@pytest.mark.parametrize("name", [*SIGNATURES, "address"])
def test_another_number_of_arguments_is_refused(library: Any, name: str) -> None:
    function = getattr(library, name)
    count = len(SIGNATURES[name][1]) if name in SIGNATURES else 1
    for given_count in (0, count - 1, count + 1, count + 30):
        if given_count != count:
            with pytest.raises(TypeError):
                function(*[0] * given_count)
    with pytest.raises(TypeError, match="keyword"):
        function(data=0)


@pytest.mark.parametrize("name", SIGNATURES)
def test_what_is_no_number_is_refused(library: Any, name: str) -> None:
    """Each argument in turn, so that none reaches the kernel unchecked."""
    count = len(SIGNATURES[name][1])
    for place in range(count):
        for wrong in (None, "1", b"1", [], 1.5):
            arguments: list[Any] = [0] * count
            arguments[place] = wrong
            with pytest.raises(TypeError):
                getattr(library, name)(*arguments)
        for large in (2**63, -(2**63) - 1, 2**200):
            arguments = [0] * count
            arguments[place] = large
            with pytest.raises(OverflowError):
                getattr(library, name)(*arguments)


def test_minus_one_is_a_number(library: Any) -> None:
    assert library.digest(0, -1) == library.digest(0, 0)  # of no bytes


@given(data=st.binary(max_size=64))
def test_results_above_the_largest_signed_number(library: Any, data: bytes) -> None:
    value = 14695981039346656037
    for byte in data:
        value = (value ^ byte) * 1099511628211 % 2**64
    assert library.digest(library.address(data), len(data)) == value


def test_the_gil_is_let_go(library: Any) -> None:
    data = np.zeros(200_000_000, np.uint8)
    done = threading.Event()

    def work() -> None:
        library.digest(data.ctypes.data, len(data))
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    turns = 0
    while not done.is_set():
        turns += 1
    thread.join()
    assert turns > 1000  # this thread ran while the kernel did


def turns_during(call: Callable[[], object], calls: int) -> int:
    """How often this thread had its turn while another one made the calls, which keeps the GIL for itself otherwise."""
    done = threading.Event()

    def work() -> None:
        for _ in range(calls):
            call()
        done.set()

    thread = threading.Thread(target=work)
    before = sys.getswitchinterval()
    sys.setswitchinterval(100.0)
    try:
        thread.start()
        turns = 0
        while not done.is_set():
            turns += 1
            time.sleep(0)  # lets go of the GIL
        thread.join()
    finally:
        sys.setswitchinterval(before)
    return turns


def test_a_brief_call_keeps_the_gil(library: Any) -> None:
    values, square = np.ones(200_000), np.zeros(1, np.int64)
    query = np.zeros(len(values), np.int16)

    def quantise(dimensions: int) -> int:
        return library.quantise_query(values.ctypes.data, dimensions, query.ctypes.data, square.ctypes.data)

    _, most = BRIEF["quantise_query"]
    assert turns_during(lambda: quantise(most), 2000) < 5
    assert turns_during(lambda: quantise(len(values)), 20) >= 5


def test_nothing_is_kept(library: Any) -> None:
    """Arguments and results have no more owners after many calls, refused ones too."""
    data, large, wrong = bytearray(b"foobar"), -(10**6), "no number"
    address = library.address(data)
    before = [sys.getrefcount(value) for value in (data, address, large, wrong)]
    for _ in range(5000):
        library.digest(library.address(data), large)
        library.digest(address, large)
        with contextlib.suppress(TypeError):
            library.digest(wrong, large)
    assert [sys.getrefcount(value) for value in (data, address, large, wrong)] == before
    data.extend(b"!")  # no buffer is held


@pytest.mark.parametrize("level", levels_of(machine()))
def test_ctypes_gives_the_same(level: str, sealed_libraries: Path) -> None:
    if level not in offered_here(sealed_libraries):
        pytest.skip(f"this machine does not offer {level}")
    table = read_table(str(sealed_libraries))
    library = open_library(str(sealed_libraries), level, table)
    functions = open_sealed(str(sealed_libraries / library_name(level, table[level])))
    assert isinstance(functions, Functions)
    for call in record_calls(Kernels("tested", library, "as a module")):
        assert replay(Kernels("tested", functions, "by ctypes"), call) == (call.result, call.after), call.name
    assert functions.address(b"foobar") > 0


@pytest.mark.parametrize(("name", "value"), [("abiflags", "t"), ("implementation", None)])
def test_ctypes_is_used_where_python_lays_its_objects_out_in_another_way(
    sealed_libraries: Path, name: str, value: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "implementation":
        value = SimpleNamespace(name="other")
    monkeypatch.setattr(sys, name, value)
    level = offered_here(sealed_libraries)[0]
    found = open_library(str(sealed_libraries), level, read_table(str(sealed_libraries)))
    assert isinstance(found, Functions)
    assert found.digest(found.address(b"foobar"), 6) == FOOBAR


def test_it_can_be_loaded_many_times(sealed_libraries: Path) -> None:
    table = read_table(str(sealed_libraries))
    level = offered_here(sealed_libraries)[0]
    for _ in range(50):
        found = open_library(str(sealed_libraries), level, table)
        assert found.digest(found.address(b"foobar"), 6) == FOOBAR
    maps = Path("/proc/self/maps").read_text()
    assert len([line for line in maps.splitlines() if library_name(level, table[level]) in line]) < 10
