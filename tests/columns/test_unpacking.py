"""The decoder of manifests, beside the msgpack package."""

import struct
from typing import Any

import msgpack
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from coldseek_core.columns.unpacking import MOST_NESTED, unpack

NUMBERS = st.integers(-(2**63), 2**64 - 1) | st.sampled_from([0, 127, 128, 255, 256, 65535, 65536, -32, -33, -129])
SCALARS = (
    st.none() | st.booleans() | NUMBERS | st.floats(allow_nan=False) | st.text(max_size=40) | st.binary(max_size=40)
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=20) | st.dictionaries(st.text(max_size=8), inner, max_size=20)
)


@settings(max_examples=400)
@given(VALUES)
def test_what_the_package_packs_comes_back(value: Any) -> None:
    packed = msgpack.packb(value)
    assert unpack(packed) == msgpack.unpackb(packed, strict_map_key=True)


@pytest.mark.parametrize("size", [31, 32, 255, 256, 65_535, 65_536])
def test_every_width_of_a_length(size: int) -> None:
    for value in ("a" * size, b"a" * size, [None] * size, {str(order): order for order in range(size)}):
        assert unpack(msgpack.packb(value)) == value


@settings(max_examples=1000)
@given(st.binary(max_size=60))
@example(b"")
@example(b"\xdf\xff\xff\xff\xff")
@example(b"\xdd\xff\xff\xff\xff" * 9)
@example(b"\xc6\xff\xff\xff\xffa")
@example(b"\x81\x01\x02")
@example(b"\xa1\xff")
@example(b"\xc1")
@example(b"\xd4\x01a")
@example(b"\xc0\xc0")
def test_other_bytes_are_refused_as_the_package_does(data: bytes) -> None:
    try:
        expected = msgpack.unpackb(data, strict_map_key=True)
    except Exception:
        with pytest.raises(ValueError, match=r"value|bytes|key|nested|decode"):
            unpack(data)
        return
    if any(kind in repr(expected) for kind in ("ExtType", "Timestamp", "b'", 'b"', "nan")):
        return  # kinds that no manifest holds, bytes as keys among them; NaN, which equals nothing
    assert unpack(data) == expected


def test_depth_is_bounded() -> None:
    deep = b"\x91" * MOST_NESTED + b"\xc0"
    assert unpack(deep) == msgpack.unpackb(deep)
    for data in (b"\x91" * (MOST_NESTED + 1) + b"\xc0", b"\x91" * 10**6, b"\x81\xa1a" * 10**5):
        with pytest.raises(ValueError, match="nested more than 64 deep"):
            unpack(data)


def test_floats() -> None:
    assert unpack(b"\xca" + struct.pack(">f", 0.5)) == 0.5
    assert unpack(b"\xcb" + struct.pack(">d", 0.1)) == 0.1
