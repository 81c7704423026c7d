"""The digest kernel against its twin and published values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coldseek_core import kernels
from kernels import kernel_calls, naive


# Published test vectors of the Fowler/Noll/Vo hash.
@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", 0xCBF29CE484222325),
        (b"a", 0xAF63DC4C8601EC8C),
        (b"foobar", 0x85944171F73967E8),
        (b"chongo was here!\n", 0x46810940EFF5F915),
    ],
)
def test_published_values(data: bytes, expected: int) -> None:
    assert kernels.digest(data) == kernel_calls.digest(data) == naive.fnv1a_64(data) == expected


@given(st.binary(max_size=300))
def test_kernel_equals_twin(data: bytes) -> None:
    assert kernel_calls.digest(data) == naive.fnv1a_64(data)


@given(st.binary(max_size=60))
def test_bytes_and_bytearray_with_nul_bytes(data: bytes) -> None:
    data = data + b"\0" + data
    assert kernels.digest(data) == kernels.digest(bytearray(data)) == naive.fnv1a_64(data)
