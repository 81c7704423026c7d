"""Fixtures that several test folders use."""

import ctypes
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The shared test data: real corpora and judged questions, found by COLDSEEK_TEST_DATA."""
    default = ROOT.parent / "shared" / "data"
    folder = Path(os.environ.get("COLDSEEK_TEST_DATA") or default)
    if not (folder / "README.md").is_file():
        pytest.skip(f"the shared test data is not at {folder}; set COLDSEEK_TEST_DATA to where it is")
    return folder


# linux/capability.h: version 3 of the header, and the two capabilities that let root pass over permissions of files.
_VERSION_3 = 0x20080522
_PASS_OVER = 1 << 1 | 1 << 2  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH


@pytest.fixture
def ordinary_permissions() -> Iterator[None]:
    """Permissions of files hold in this thread even where the tests run as root."""
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(_VERSION_3, 0)
    sets = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable: of the first 32 capabilities, of the others
    if libc.capget(header, sets):
        raise OSError(ctypes.get_errno(), "capget")
    effective = sets[0]
    sets[0] = effective & ~_PASS_OVER
    if libc.capset(header, sets):
        raise OSError(ctypes.get_errno(), "capset")
    yield
    sets[0] = effective
    libc.capset(header, sets)
