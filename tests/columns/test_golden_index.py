"""An index that was made long ago: it opens, is whole and answers as it did; another format's says so in one line."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import coldseek
from coldseek.cli import main
from coldseek_core.columns.manifest import MANIFEST_NAME, read_manifest
from coldseek_core.columns.schema import FORMAT_VERSION
from coldseek_core.errors import FormatVersionError
from columns.forged import seal
from columns.golden_index import ANSWERS_NAME, GOLDEN, INDEX_NAME, PAGES, answer, write_index

CURRENT = GOLDEN / f"format-{FORMAT_VERSION}"

CHANGED = f"""the index of the same pages is no longer what {CURRENT} holds: {{what}}.
If that was not meant, it is a fault: an index that is built again would change for everybody.
If it was meant and today's code still reads the kept index (the tests above pass), say so in core/CHANGELOG.md and run
scripts/make_golden_index.py. If the kept index cannot be read or answers differently, raise FORMAT_VERSION in
columns/schema.py, keep this folder, and run the script, which makes the next one."""


@pytest.fixture(scope="module")
def golden() -> Path:
    assert (CURRENT / ANSWERS_NAME).is_file(), f"{CURRENT} is missing; make it with scripts/make_golden_index.py"
    return CURRENT


def test_it_is_whole(golden: Path) -> None:
    assert coldseek.verify(golden / INDEX_NAME) == []
    coldseek.open(golden / INDEX_NAME, verify="full").close()


def test_it_holds_what_an_index_can_hold(golden: Path) -> None:
    body = read_manifest(str(golden / INDEX_NAME))
    kinds = {name.split(".")[1] for name in body["files"]["documents"]["columns"] if name.startswith("metadata.")}
    assert kinds == {"string", "integer", "number", "boolean", "strings"}
    assert "vectors" in body["files"]
    assert body["counts"]["documents"] == len(PAGES)


def test_it_answers_as_it_did(golden: Path) -> None:
    kept: list[dict[str, Any]] = json.loads((golden / ANSWERS_NAME).read_text(encoding="utf-8"))
    assert {one["call"] for one in kept} == {"search", "retrieve"}
    assert {one["answer"].get("answerable") for one in kept} == {None, True, False}
    with coldseek.open(golden / INDEX_NAME) as index:
        for one in kept:
            today = answer(index, one["call"], one["text"], one["options"])
            assert today == one["answer"], f"{one['call']} {one['text']!r} {one['options']} is answered differently"


def test_the_same_pages_give_the_same_bytes(golden: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = read_manifest(str(golden / INDEX_NAME))
    # The version that built an index is kept in it; a new version alone is no change of the format.
    monkeypatch.setattr("coldseek_core.ingest.build.__version__", before["settings"]["coldseek"])
    write_index(tmp_path / "i")
    after = read_manifest(str(tmp_path / "i"))
    for key in ("settings", "counts"):
        assert after[key] == before[key], CHANGED.format(what=f"{key} in the manifest differ")
    old, new = golden / INDEX_NAME / before["generation"], tmp_path / "i" / after["generation"]
    assert sorted(after["files"]) == sorted(before["files"]), CHANGED.format(what="it has other files")
    for file in before["files"]:
        same = table_of(new / f"{file}.arrow").equals(table_of(old / f"{file}.arrow"))
        assert same, CHANGED.format(what=f"columns of {file} differ")
    for path in sorted(old.iterdir()):
        told = f"{path.name} holds the same columns in other bytes (has pyarrow changed how it writes a file?)"
        assert (new / path.name).read_bytes() == path.read_bytes(), CHANGED.format(what=told)
    assert (tmp_path / "i" / MANIFEST_NAME).read_bytes() == (golden / INDEX_NAME / MANIFEST_NAME).read_bytes()


def table_of(path: Path) -> pa.Table:
    with pa.OSFile(str(path)) as source:
        return pa.ipc.open_file(source).read_all()


def refusals(root: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What each way to reach an index of another format says."""
    said: list[str] = []
    for reach in (coldseek.open, coldseek.verify, lambda path: coldseek.open(path, verify="full")):
        with pytest.raises(FormatVersionError) as caught:
            reach(root)
        said.append(str(caught.value))
    assert main(["search", str(root), "deploy"]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    return [*said, printed.err.removeprefix("coldseek: ").rstrip("\n")]


def test_an_older_format_is_refused_by_name(
    index: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("coldseek_core.columns.manifest.FORMAT_VERSION", FORMAT_VERSION + 1)
    for said in refusals(index, capsys):
        assert f"has format version {FORMAT_VERSION}, this version of coldseek reads {FORMAT_VERSION + 1}" in said
        assert said.endswith("build the index again with this version")
        assert "\n" not in said


@pytest.mark.parametrize("ahead", [1, 41])
def test_a_newer_format_is_refused_by_name(index: Path, ahead: int, capsys: pytest.CaptureFixture[str]) -> None:
    # Only the outermost map is read of it: nothing below need look as it does today.
    (index / MANIFEST_NAME).write_bytes(seal(["of a later day"], version=FORMAT_VERSION + ahead))
    for said in refusals(index, capsys):
        assert f"has format version {FORMAT_VERSION + ahead}, this version of coldseek reads {FORMAT_VERSION}" in said
        assert said.endswith("upgrade coldseek, or build the index again with this version")


def test_every_format_that_was_kept_opens_or_says_why_not(golden: Path) -> None:
    for folder in sorted(golden.parent.glob("format-*")):
        version = int(folder.name.removeprefix("format-"))
        if version == FORMAT_VERSION:
            coldseek.open(folder / INDEX_NAME).close()
        else:
            with pytest.raises(FormatVersionError, match=rf"version {version},.* reads {FORMAT_VERSION}; "):
                coldseek.open(folder / INDEX_NAME)
