"""Wherever in its file a column lies, at odd places or beyond 2**31 rows, a search gives the same answers."""

import shutil
import struct
from pathlib import Path
from typing import Any

import pytest

import coldseek
from coldseek_core.columns.manifest import read_manifest
from columns.forged import forge, overwrite, place_of

QUESTIONS = ("copper kettle", "重试", "createAskHandler", "pan", "nothing-like-that")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("places")
    (folder / "docs").mkdir()
    (folder / "docs" / "a.md").write_text(
        "---\nlocale: en\ntags: [a, b]\norder: 3\n---\n# Kettle\n\nA copper kettle, createAskHandler.\n\n"
        "## 延迟\n\n延迟重试策略\n"
    )
    (folder / "docs" / "b.md").write_text("# Pan\n\nAn iron pan.\n")
    coldseek.build([folder / "docs"], folder / "i", embedder="mock")
    return folder / "i"


@pytest.fixture
def root(built: Path, tmp_path: Path) -> Path:
    shutil.copytree(built, tmp_path / "i")
    return tmp_path / "i"


def answers(root: Path) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = []
    with coldseek.open(root) as index:
        for question in QUESTIONS:
            for chosen in (None, {"metadata": {"locale": "en"}}):
                results.append(index.search(question, filter=chosen).to_dict())
                results.append(index.retrieve(question, filter=chosen).to_dict())
    for result in results:
        del result["latencyMs"]
    return results


@pytest.mark.parametrize("by", [1, 2, 4, 7])
def test_a_search_reads_unaligned_columns_right(built: Path, root: Path, by: int) -> None:
    before = answers(built)
    assert any(result.get("answerable") for result in before)
    body = read_manifest(str(root))
    for file in body["files"]:
        path = root / body["generation"] / f"{file}.arrow"
        path.write_bytes(b"\0" * by + path.read_bytes())

    def shift(body: dict[str, Any]) -> None:
        for file in body["files"].values():
            file["size"] += by
            for column in file["columns"].values():
                for span in column["buffers"].values():
                    span[0] += by

    forge(root, shift)
    with coldseek.open(root) as index:
        assert index.info()["copiedBytes"] > 0
    assert answers(root) == before


def test_a_search_reads_postings_beyond_two_thousand_million(built: Path, root: Path) -> None:
    """The postings lie at the end of a sparse file, after 2**31 + 5 words that no term names."""
    before = answers(built)
    first = 2**31 + 5
    path, _, _ = place_of(root, "postings", "word", "values")
    own = read_buffer(root, "postings", "word")
    count = first + len(own) // 2
    place = path.stat().st_size + -path.stat().st_size % 8
    with path.open("r+b") as stream:
        stream.seek(place + 2 * first)
        stream.write(own)

    def change(body: dict[str, Any]) -> None:
        entry = body["files"]["postings"]
        entry["size"] = place + 2 * count
        entry["columns"]["word"].update(length=count, buffers={"values": [place, 2 * count]})

    forge(root, change)
    starts = read_buffer(root, "terms", "start")
    moved = [start + first for (start,) in struct.iter_unpack("<q", starts)]
    overwrite(root, "terms", "start", "values", 0, struct.pack(f"<{len(moved)}q", *moved))
    assert answers(root) == before


def read_buffer(root: Path, file: str, column: str) -> bytes:
    path, offset, length = place_of(root, file, column, "values")
    with path.open("rb") as stream:
        stream.seek(offset)
        return stream.read(length)
