"""The manifest's bytes, and every way in which they can be wrong."""

from pathlib import Path
from typing import Any

import msgpack
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coldseek_core.columns import manifest as manifest_module
from coldseek_core.columns.manifest import (
    MANIFEST_NAME,
    pack_body,
    pack_manifest,
    read_manifest,
    unpack_manifest,
)
from coldseek_core.columns.reader import IndexFiles
from coldseek_core.columns.schema import FORMAT_VERSION
from coldseek_core.errors import (
    CorruptIndexError,
    FormatVersionError,
    IndexFileError,
    NotAnIndexError,
    UsageError,
)
from coldseek_core.kernels import digest
from columns.forged import seal
from columns.small_index import fnv1a

BODY: dict[str, Any] = {"settings": {}, "counts": {}, "files": {}, "generation": "0123456789abcdef"}

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]))
    | st.binary(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab_é🧊", max_size=3), inner, max_size=4),
    max_leaves=12,
)


@settings(deadline=None)
@given(st.dictionaries(st.text("abc", max_size=3), values, max_size=5))
def test_settings_come_back_and_order_does_not_matter(settings: dict[str, Any]) -> None:
    body = {**BODY, "settings": settings}
    data = pack_manifest(body)
    assert unpack_manifest(data, "m") == body
    assert pack_manifest({**dict(reversed(body.items())), "settings": dict(reversed(settings.items()))}) == data


def test_the_digest_is_fnv1a_64() -> None:
    outer = msgpack.unpackb(pack_manifest(BODY))
    assert outer["digest"] == fnv1a(outer["body"]).to_bytes(8, "big")
    assert digest(b"") == 0xCBF29CE484222325
    assert digest(b"foobar") == 0x85944171F73967E8


def test_numpy_floats_and_tuples_become_plain() -> None:
    assert msgpack.unpackb(pack_body({"a": np.float64(0.5), "b": (1, 2)})) == {"a": 0.5, "b": [1, 2]}


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), 2**64, -(2**63) - 1, {1: 2}, {"a": object()}, np.int64(1), {1}, "\ud800"],
    ids=repr,
)
def test_what_would_not_come_back_is_refused(value: Any) -> None:
    with pytest.raises(UsageError):
        pack_manifest({**BODY, "settings": {"x": value}})


def test_a_body_without_end_is_refused() -> None:
    endless: dict[str, Any] = {}
    endless["again"] = endless
    with pytest.raises(UsageError):
        pack_manifest(endless)


def test_a_manifest_too_large_to_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifest_module, "MAX_MANIFEST_BYTES", 400)
    pack_manifest(BODY)
    with pytest.raises(UsageError, match="bytes"):
        pack_manifest({**BODY, "settings": {"x": "y" * 200}})


@pytest.mark.parametrize(
    ("data", "error", "says"),
    [
        (b"", CorruptIndexError, "not msgpack"),
        (b"\xc1", CorruptIndexError, "not msgpack"),
        (b"PK\x03\x04", CorruptIndexError, "not msgpack"),
        (b"\x91" * 100_000, CorruptIndexError, "not msgpack"),
        (b"\xdd\xff\xff\xff\xff", CorruptIndexError, "not msgpack"),
        (b"\xdf\xff\xff\xff\xff", CorruptIndexError, "not msgpack"),
        (b"\xc6\xff\xff\xff\xff", CorruptIndexError, "not msgpack"),
        (b"\xd7\xff" + b"\xff" * 8, CorruptIndexError, "damaged"),
        (b"\x81\xa6format\xa1\xff", CorruptIndexError, "not msgpack"),
        (b"\x01", CorruptIndexError, "not a map"),
        (b"\x80", CorruptIndexError, "not a map with a 'format'"),
        (msgpack.packb({1: 2}), CorruptIndexError, "not msgpack"),
        (seal(BODY, form="other"), NotAnIndexError, "says format 'other'"),
        (seal(BODY, form=None), NotAnIndexError, "says format None"),
        (seal(BODY, form=["x" * 10_000]), NotAnIndexError, "xxx"),
        (
            seal(BODY, version=FORMAT_VERSION + 1),
            FormatVersionError,
            f"version {FORMAT_VERSION + 1}, .* reads {FORMAT_VERSION}",
        ),
        (seal(BODY, version=2**64 - 1), FormatVersionError, "upgrade"),
        (seal(BODY, version=0), CorruptIndexError, "version is 0"),
        (seal(BODY, version=-1), CorruptIndexError, "version is -1"),
        (seal(BODY, version=True), CorruptIndexError, "version is True"),
        (seal(BODY, version=1.0), CorruptIndexError, "version is 1.0"),
        (seal(BODY, version="1"), CorruptIndexError, "version is '1'"),
        (msgpack.packb({"format": "coldseek"}), CorruptIndexError, "version is None"),
        (
            msgpack.packb({"format": "coldseek", "version": FORMAT_VERSION}),
            CorruptIndexError,
            "body or digest is missing",
        ),
        (
            msgpack.packb({"format": "coldseek", "version": FORMAT_VERSION, "body": b"", "digest": 1}),
            CorruptIndexError,
            "body or digest",
        ),
        (
            msgpack.packb({"format": "coldseek", "version": FORMAT_VERSION, "body": b"", "digest": b"1234"}),
            CorruptIndexError,
            "body or digest",
        ),
        (
            msgpack.packb({"format": "coldseek", "version": FORMAT_VERSION, "body": b"\x80", "digest": bytes(8)}),
            CorruptIndexError,
            "digest does not match",
        ),
        (seal([]), CorruptIndexError, "body is not a map"),
        (seal({}), CorruptIndexError, "settings is None"),
        (seal({**BODY, "settings": []}), CorruptIndexError, r"settings is \[\], expected a map"),
        (seal({**BODY, "settings": None}), CorruptIndexError, "settings is None, expected a map"),
        (seal({**BODY, "files": []}), CorruptIndexError, r"files is \[\]"),
        (seal({**BODY, "counts": 3}), CorruptIndexError, "counts is 3"),
        (seal({**BODY, "generation": "../../../../etc"}), CorruptIndexError, "generation is '../"),
        (seal({**BODY, "generation": "0123456789ABCDEF"}), CorruptIndexError, "generation"),
        (seal({**BODY, "generation": 7}), CorruptIndexError, "generation is 7"),
        (seal({**BODY, "generation": ["a"] * 16}), CorruptIndexError, "generation"),
        (seal({**BODY, 5: 6}), CorruptIndexError, "not msgpack"),
    ],
)
def test_wrong_bytes_are_a_typed_error(data: bytes, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says) as caught:
        unpack_manifest(data, "/some/manifest.msgpack")
    assert type(caught.value) is error
    assert "/some/manifest.msgpack" in str(caught.value)
    assert len(str(caught.value)) < 400
    assert "\n" not in str(caught.value)


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_are_another_error(data: bytes) -> None:
    with pytest.raises(IndexFileError):
        unpack_manifest(data, "m")


def test_every_flipped_bit_is_noticed(index: Path) -> None:
    path = index / MANIFEST_NAME
    whole = path.read_bytes()
    for at in [*range(60), *range(60, len(whole), 7)]:
        for bit in range(8):
            damaged = bytearray(whole)
            damaged[at] ^= 1 << bit
            with pytest.raises(IndexFileError):
                unpack_manifest(bytes(damaged), str(path))


def test_every_cut_is_noticed(index: Path) -> None:
    whole = (index / MANIFEST_NAME).read_bytes()
    for size in range(0, len(whole), 3):
        with pytest.raises(CorruptIndexError):
            unpack_manifest(whole[:size], "m")
    with pytest.raises(CorruptIndexError):
        unpack_manifest(whole + b"\0", "m")


def test_what_is_not_an_index_says_so(index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(index)
    IndexFiles.open(".").close()
    (tmp_path / "file").write_text("x")
    (tmp_path / "empty").mkdir()
    for path in (tmp_path / "missing", tmp_path / "file", tmp_path / "empty", "", "nul\0nul", "x" * 300):
        with pytest.raises(IndexFileError) as caught:
            IndexFiles.open(path)
        if path != "x" * 300:
            assert type(caught.value) is NotAnIndexError
            assert "coldseek build" in str(caught.value)


def test_a_manifest_that_is_no_plain_file_is_damage(tmp_path: Path) -> None:
    import os

    os.mkfifo(tmp_path / MANIFEST_NAME)
    with pytest.raises(CorruptIndexError, match="not a regular file"):
        read_manifest(str(tmp_path))
    os.unlink(tmp_path / MANIFEST_NAME)
    (tmp_path / MANIFEST_NAME).mkdir()
    with pytest.raises(CorruptIndexError, match="not a regular file"):
        read_manifest(str(tmp_path))


def test_a_huge_manifest_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / MANIFEST_NAME).open("wb") as stream:
        stream.truncate(2**40)
    with pytest.raises(CorruptIndexError, match="at most"):
        read_manifest(str(tmp_path))
