"""What each level of verification notices: opening, reading, `verify="full"` and `verify`. Whichever notices a fault
first says which file and column it is in, and what to do."""

import re
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import coldseek
from coldseek.cli import main
from coldseek_core.columns.manifest import MANIFEST_NAME, read_manifest
from columns.forged import forge, overwrite

Change = Callable[[Path], object]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("levels")
    (folder / "a.md").write_text("---\nlocale: en\n---\n# Kettle\n\nCopper kettle.\n\n## Lid\n\nIron lid.\n")
    coldseek.build([folder / "a.md"], folder / "i", embedder="mock")
    return folder / "i"


@pytest.fixture
def root(built: Path, tmp_path: Path) -> Path:
    shutil.copytree(built, tmp_path / "i")
    return tmp_path / "i"


def file_of(root: Path, file: str) -> Path:
    return root / read_manifest(str(root))["generation"] / f"{file}.arrow"


def resized(file: str, change: Callable[[bytes], bytes]) -> Change:
    return lambda root: file_of(root, file).write_bytes(change(file_of(root, file).read_bytes()))


def put(file: str, column: str, buffer: str, at: int, data: bytes) -> Change:
    return lambda root: overwrite(root, file, column, buffer, at, data)


def lie(change: Callable[[dict[str, Any]], object]) -> Change:
    return lambda root: forge(root, change)


def columns_of(body: dict[str, Any], file: str) -> dict[str, Any]:
    return body["files"][file]["columns"]


def cut_manifest(root: Path) -> None:
    (root / MANIFEST_NAME).write_bytes((root / MANIFEST_NAME).read_bytes()[:-9])


def flip_manifest(root: Path) -> None:
    data = bytearray((root / MANIFEST_NAME).read_bytes())
    data[len(data) // 2] ^= 1
    (root / MANIFEST_NAME).write_bytes(data)


OPENING: list[tuple[str, Change, str]] = [
    ("manifest gone", lambda root: (root / MANIFEST_NAME).unlink(), r"/i/manifest\.msgpack is missing"),
    ("manifest cut", cut_manifest, r"manifest\.msgpack is damaged: its \d+ bytes are not msgpack"),
    ("manifest changed", flip_manifest, r"manifest\.msgpack is damaged: its digest"),
    ("folder gone", lambda root: shutil.rmtree(file_of(root, "terms").parent), r"chunks\.arrow is missing"),
    ("file gone", lambda root: file_of(root, "terms").unlink(), r"terms\.arrow is missing"),
    (
        "file cut",
        resized("vectors", lambda data: data[:-1]),
        r"vectors\.arrow has \d+ bytes, the manifest says \d+: it was truncated",
    ),
    ("file grown", resized("postings", lambda data: data + b"x"), r"postings\.arrow has \d+ bytes, .* changed"),
    (
        "rows",
        lie(lambda body: body["counts"].update(chunks=9)),
        r"manifest\.msgpack is damaged: chunks\.anchor has 2 rows, counts say 9",
    ),
    (
        "width",
        lie(lambda body: columns_of(body, "vectors")["codes"].update(width=4096)),
        r"manifest\.msgpack is damaged: vectors\.codes\.buffers\.values has 1024 bytes, 2 rows need 8192",
    ),
    (
        "type",
        lie(lambda body: columns_of(body, "chunks")["text"].update(type="string_view")),
        r"manifest\.msgpack is damaged: chunks\.text has the type 'string_view', expected large_utf8",
    ),
    (
        "column",
        lie(lambda body: columns_of(body, "terms").pop("idf")),
        r"manifest\.msgpack is damaged: it does not name the column terms\.idf",
    ),
]

READING: list[tuple[str, Change, str]] = [
    ("text", put("chunks", "text", "values", 0, b"\xff"), r"chunks\.text at row 0 is not UTF-8"),
    ("offsets", put("chunks", "text", "offsets", 8, struct.pack("<q", 2**40)), r"the offsets of chunks\.text at row 0"),
    (
        "metadata",
        put("documents", "metadata.string.locale", "offsets", 8, struct.pack("<q", -5)),
        r"the offsets of documents\.metadata\.string\.locale at row 0",
    ),
    ("document", put("chunks", "document", "values", 0, struct.pack("<I", 50)), r"chunks\.document at row 0 is 50"),
]

VERIFYING: list[tuple[str, Change, str]] = [
    (
        "posting",
        put("postings", "word", "values", 2, struct.pack("<H", 999)),
        r"postings\.word at row 0 begins no group",
    ),
    (
        "key",
        put("term_blocks", "key", "values", 0, struct.pack("<Q", 77)),
        r"term_blocks\.key at row 0 is 77, its first",
    ),
    (
        "term",
        put("term_blocks", "terms", "values", 1, b"\xff"),
        r"term_blocks\.terms at row 0 has a term 0 that is not",
    ),
    ("df", put("terms", "df", "values", 0, struct.pack("<I", 0)), r"terms\.df at row 0 is 0"),
    ("codes", put("vectors", "codes", "values", 7, b"\x55"), r"vectors\.square at row 0"),
    ("scale", put("vectors", "scale", "values", 0, struct.pack("<f", float("nan"))), r"vectors\.scale at row 0 is nan"),
    ("padding", resized("terms", lambda data: data[:-2] + b"!!"), r"terms\.arrow is damaged: its SHA-256"),
]


def ask(root: Path) -> None:
    with coldseek.open(root) as index:
        index.search("copper kettle", top_k=50, filter={"metadata": {"locale": "en"}})
        index.search("iron", mode="lexical")


def check_faults(root: Path, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`verify` lists the fault; every line names a path and ends in what to do; so does the command."""
    faults = coldseek.verify(root)
    for fault in faults:
        assert fault.startswith(f"{root}/"), fault
        assert fault.endswith("; build the index again or restore it from a copy"), fault
        assert "\n" not in fault
    assert any(re.search(says, fault) for fault in faults), faults
    assert main(["verify", str(root)]) == 1
    assert capsys.readouterr().err.splitlines() == [f"coldseek: {fault}" for fault in faults]


def named(cases: list[tuple[str, Change, str]]) -> Any:
    return pytest.mark.parametrize(("change", "says"), [case[1:] for case in cases], ids=[case[0] for case in cases])


@named(OPENING)
def test_opening_notices(root: Path, change: Change, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    change(root)
    for level in ("open", "full"):
        with pytest.raises(coldseek.CorruptIndexError, match=f"{says}.*; build the index again or restore it from"):
            coldseek.open(root, verify=level)
    check_faults(root, says, capsys)


@named(READING)
def test_reading_notices(root: Path, change: Change, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    change(root)
    coldseek.open(root).close()
    with pytest.raises(coldseek.CorruptIndexError, match=f"{says}.*; build the index again"):
        ask(root)
    with pytest.raises(coldseek.CorruptIndexError, match=r"SHA-256 .*from a copy \(\d+ more: see `coldseek verify`\)"):
        coldseek.open(root, verify="full")
    check_faults(root, says, capsys)


@named(VERIFYING)
def test_verification_notices(root: Path, change: Change, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    change(root)
    ask(root)
    with pytest.raises(coldseek.CorruptIndexError, match=r"/\w+\.arrow is damaged: its SHA-256 .* restore it from"):
        coldseek.open(root, verify="full")
    check_faults(root, says, capsys)
