from pathlib import Path

import pytest

from coldseek_core.errors import SourceError
from coldseek_core.ingest.decoding import decode, read_text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_text_in_every_encoding_with_a_mark(encoding: str) -> None:
    assert decode("Grüße 中 😀\r\nline\rline\n".encode(encoding)) == "Grüße 中 😀\nline\nline\n"


def test_big_endian() -> None:
    assert decode(b"\xfe\xff" + "中".encode("utf-16-be")) == "中"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"abc\xff", "byte 3 (0xff)"),
        (b"\xef\xbb\xbfab\xe4", "byte 5 (0xe4)"),
        ("é".encode("latin-1"), "byte 0"),
        (b"\xff\xfea", "byte 2"),
        (b"ab\0c", "offset 2"),
        (b"\x89PNG\r\n\x1a\n\0\0", "UTF-8"),
    ],
)
def test_what_is_no_text_is_refused_with_its_offset(data: bytes, reason: str) -> None:
    with pytest.raises(SourceError) as caught:
        decode(data)
    assert reason in str(caught.value)
    assert "save the file as UTF-8" in str(caught.value) or "save it as UTF-8" in str(caught.value)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be read"):
        read_text(tmp_path)
