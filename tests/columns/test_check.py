"""The full verification finds what opening does not look at, and says where."""

import re
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coldseek_core.columns.check import MAX_FAULTS_PER_STEP, check_files, check_generation
from coldseek_core.columns.publish import publish
from coldseek_core.columns.reader import IndexFiles
from coldseek_core.errors import ClosedIndexError, NotAnIndexError, UsageError
from columns.forged import forge, overwrite, place_of
from columns.small_index import TEXTS, columns_of, write_columns, write_small_index, write_with


def test_a_whole_index_has_no_faults(index: Path, tmp_path: Path) -> None:
    steps: list[tuple[str, int, int]] = []
    assert check_files(index, lambda *step: steps.append(step)) == []
    assert [step[1] for step in steps] == list(range(len(steps)))
    assert steps[-1][1] == steps[-1][2]
    assert {step[2] for step in steps} == {len(steps) - 1}
    publish(tmp_path / "b", lambda folder: write_small_index(folder, vectors=False))
    assert check_files(tmp_path / "b") == []


def test_what_is_no_index_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NotAnIndexError):
        check_files(tmp_path)


def published(tmp_path: Path, change: Callable[[dict[str, dict[str, Any]]], object]) -> list[str]:
    """The faults of an index whose columns were changed before they were written, so that all checksums are
    right.
    """
    columns = columns_of(TEXTS)
    change(columns)
    publish(tmp_path, lambda folder: write_columns(folder, columns))
    return check_files(tmp_path)


def put(file: str, column: str, row: int, value: Any) -> Callable[[dict[str, dict[str, Any]]], object]:
    def change(columns: dict[str, dict[str, Any]]) -> None:
        columns[file][column][row] = value

    return change


def in_two_groups(first: int, second: int) -> Callable[[dict[str, dict[str, Any]]], object]:
    """The third term's postings in two groups, of these blocks."""

    def change(columns: dict[str, dict[str, Any]]) -> None:
        words = columns["postings"]["word"].tolist()
        groups = [first, 0, 3, 0, second, 1, 5, 2, 3, 4, 5]
        columns["postings"]["word"] = np.array([*words[:8], *groups, *words[17:]], np.uint16)
        columns["terms"]["start"][3:] += 2

    return change


def more_words(columns: dict[str, dict[str, Any]]) -> None:
    columns["postings"]["word"] = np.append(columns["postings"]["word"], np.zeros(2, np.uint16))


FAULTS: list[tuple[Any, list[str]]] = [
    (put("chunks", "document", 3, 2), ["chunks.document at row 3 is 2, there are 2 documents"]),
    # The third term has three postings: a header at 8 to 10, then the rows 0, 2 and 3, and the impacts 3, 4 and 5.
    (put("postings", "word", 13, 5), ["postings.word at row 8 begins a group with the row 5, there are 5 chunks"]),
    (put("postings", "word", 8, 1), ["postings.word at row 8 begins a group with the row 65539, there are 5 chunks"]),
    (put("postings", "word", 12, 0), ["postings.word at row 12 holds the row 0, after 0 in the same group"]),
    (put("postings", "word", 12, 3), ["postings.word at row 13 holds the row 3, after 3 in the same group"]),
    (put("postings", "word", 14, 0), ["postings.word at row 14 is the impact 0, expected 1 or more"]),
    (put("postings", "word", 2, 0), ["postings.word at row 2 is the impact 0, expected 1 or more"]),
    (put("postings", "word", 10, 4), ["postings.word at row 10 is the largest impact 4, the group's is 5"]),
    (put("postings", "word", 10, 6), ["postings.word at row 10 is the largest impact 6, the group's is 5"]),
    (put("postings", "word", 9, 3), ["postings.word at row 8 begins no group: term 2 has 3 postings more"]),
    (put("postings", "word", 37, 0xFFFF), ["postings.word at row 36 begins no group: term 7 has 1 postings more"]),
    (in_two_groups(0, 0), ["postings.word at row 12 is the block 0, after 0 for the same term"]),
    (in_two_groups(1, 0), ["postings.word at row 12 is the block 0, after 1 for the same term"]),
    (more_words, ["postings.word has 42 rows, the terms' postings end at 40"]),
    (put("terms", "start", 3, -1), ["terms.start at row 3 is -1, the postings before it end at 17"]),
    (put("terms", "start", 0, 1), ["terms.start at row 0 is 1, the postings before it end at 0"]),
    (put("terms", "df", 7, 9), ["postings.word at row 40 begins no group: term 7 has 8 postings more"]),
    (put("terms", "df", 2, 2), ["postings.word at row 8 begins no group: term 2 has 2 postings more"]),
    (put("terms", "df", 7, 0), ["terms.df at row 7 is 0", "postings.word has 40 rows, the terms' postings end at 36"]),
    (put("vectors", "square", 1, 7), ["vectors.square at row 1 is 7, the codes and remainders give 18434560"]),
    (put("vectors", "scale", 4, -1.0), ["vectors.scale at row 4 is -1.0"]),
    (put("vectors", "scale", 4, 0.0), ["vectors.scale at row 4 is 0.0"]),
]


@pytest.mark.parametrize(("change", "faults"), FAULTS, ids=[fault[1][0].split(",")[0] for fault in FAULTS])
def test_columns_that_do_not_fit_together_are_found(tmp_path: Path, change: Any, faults: list[str]) -> None:
    found = published(tmp_path, change)
    for fault in faults:
        assert any(f".arrow is damaged: {fault}" in line for line in found), found
    for line in found:
        assert re.search(
            r"/(\w+)\.arrow is damaged: \1\.\w+ .*; build the index again or restore it from a copy$", line
        ), line
        assert line.startswith(f"{tmp_path}/")


A, B, LONG = int.from_bytes(b"a" + bytes(7), "big"), int.from_bytes(b"b" + bytes(7), "big"), b"b" * 300

# Keys, blocks, and what is wrong with the index that has them, of which each block but the last has 32 terms.
TERM_FAULTS: list[tuple[int, list[int], list[bytes], list[str]]] = [
    (2, [A], [b"\x01a\x10"], ["terms at row 0 has a term 1 that does not come after the term before"]),
    (2, [A], [b"\x01a\x00"], ["terms at row 0 has a term 1 that does not come after the term before"]),
    (2, [B], [b"\x01b\x11a"], ["terms at row 0 has a term 1 that does not come after the term before"]),
    (2, [A], [b"\x01a\x12ab"], ["terms at row 0 cuts off more than it need for its term 1"]),
    (2, [A], [b"\x01a"], ["terms at row 0 ends before its term 1, expected 2"]),
    (2, [A], [b"\x01a\x0f"], ["terms at row 0 ends before its term 1, expected 2"]),
    (2, [A], [b"\x01a\x0f\xff"], ["terms at row 0 ends before its term 1, expected 2"]),
    (2, [A], [b"\x01a\x21b"], ["terms at row 0 is no block: its term 1 cuts 2 bytes off 1"]),
    (2, [A], [b"\x01a\x12b"], ["terms at row 0 is no block: its term 1 goes on for 2 bytes, 1 are left"]),
    (2, [A], [b"\x01a\x11b\x00"], ["terms at row 0 has 1 bytes behind its last term"]),
    (2, [A], [b"\x01a\x11\xff"], ["terms at row 0 has a term 1 that is not UTF-8"]),
    (2, [B], [b"\x01a\x11b"], [f"key at row 0 is {B}, its first term's is {A}"]),
    (1, [0], [b"\x00"], []),
    (1, [0], [b""], ["terms at row 0 ends before its term 0, expected 1"]),
    (2, [A], [b"\x01a\x1f\xff\x1e" + LONG], []),
    (33, [A, B], [b"\x01a" + 31 * b"\x01a", b"\x01b"], []),
    (33, [A, A], [b"\x01a" + 31 * b"\x01a", b"\x01a"], ["terms at row 1 has a term 0 that does not come after the"]),
]


@pytest.mark.parametrize(("count", "keys", "blocks", "faults"), TERM_FAULTS)
def test_blocks_of_terms_that_are_wrong_are_found(
    tmp_path: Path, count: int, keys: list[int], blocks: list[bytes], faults: list[str]
) -> None:
    def change(columns: dict[str, dict[str, Any]]) -> None:
        columns["term_blocks"] = {"key": np.array(keys, np.uint64), "terms": blocks}
        columns["terms"] = {
            "df": np.ones(count, np.uint32),
            "idf": np.ones(count, np.uint32),
            "start": 4 * np.arange(count, dtype=np.int64),
        }
        columns["postings"] = {"word": np.tile(np.array([0, 0, 1, 0], np.uint16), count)}

    found = published(tmp_path, change)
    assert len(found) == len(faults), found
    for line, fault in zip(found, faults, strict=True):
        assert f"/term_blocks.arrow is damaged: term_blocks.{fault}" in line


def test_only_so_many_faults_are_listed(tmp_path: Path) -> None:
    columns = columns_of([str(row) for row in range(100)])
    columns["chunks"]["document"] = np.full(100, 7, np.uint32)
    publish(tmp_path, lambda folder: write_columns(folder, columns))
    assert len(check_files(tmp_path)) == MAX_FAULTS_PER_STEP


def test_bytes_that_changed_are_found_with_what_they_broke(index: Path) -> None:
    overwrite(index, "chunks", "text", "offsets", 8, struct.pack("<q", 2**50))
    overwrite(index, "term_blocks", "terms", "values", 1, b"\xff")
    overwrite(index, "documents", "metadata.string.type", "validity", 0, b"\x03")
    overwrite(index, "vectors", "scale", "values", 0, struct.pack("<f", float("nan")))
    found = check_files(index)
    for file in ("chunks", "term_blocks", "documents", "vectors"):
        assert any(f"{file}.arrow is damaged: its SHA-256 is" in line for line in found)
    assert any("the offsets of chunks.text at row 0" in line for line in found)
    assert any("term_blocks.terms at row 0 has a term 0 that is not UTF-8" in line for line in found)
    for what in (
        "documents.metadata.string.type has 0 nulls, the manifest says 1;",
        "vectors.scale at row 0 is nan, expected a finite number;",
    ):
        assert any(f".arrow is damaged: {what}" in line for line in found)
    assert not any("postings" in line for line in found)
    assert len(found) == len(set(found))


def test_offsets_of_terms_out_of_range_are_found(index: Path) -> None:
    overwrite(index, "term_blocks", "terms", "offsets", 8, struct.pack("<q", -5))
    assert any("the offsets of term_blocks.terms at row 0" in line for line in check_files(index))


def test_every_flipped_bit_of_every_file_is_found(index: Path) -> None:
    for path in index.glob("*/*"):
        whole = path.read_bytes()
        for at in range(0, len(whole), 97):
            damaged = bytearray(whole)
            damaged[at] ^= 16
            path.write_bytes(damaged)
            assert check_files(index), (path.name, at)
        path.write_bytes(whole)
    assert check_files(index) == []


def test_a_file_that_keeps_the_index_from_opening_does_not_hide_the_others(index: Path) -> None:
    place_of(index, "chunks", "text", "values")[0].unlink()
    path = place_of(index, "vectors", "codes", "values")[0]
    path.write_bytes(b"x" + path.read_bytes()[1:])
    found = check_files(index)
    assert ["chunks.arrow is missing; build" in line for line in found] == [True, False]
    assert "vectors.arrow is damaged" in found[1]


def test_a_manifest_that_lies_is_a_fault(index: Path) -> None:
    forge(index, lambda body: body["counts"].update(chunks=99))
    (fault,) = check_files(index)
    assert "counts say 99" in fault
    forge(index, lambda body: body["counts"].update(chunks=len(TEXTS)) or body["settings"].update(x=1))
    (fault,) = check_files(index)
    assert "differs from the manifest of the index" in fault


def test_a_generation_without_its_manifest_is_a_fault(index: Path) -> None:
    next(index.glob("*/manifest.msgpack")).unlink()
    (fault,) = check_files(index)
    assert "manifest.msgpack" in fault


def test_what_was_opened_is_verified_not_what_lies_there_by_now(tmp_path: Path) -> None:
    publish(tmp_path, write_with("one"))
    steps: list[tuple[str, int, int]] = []
    with IndexFiles.open(tmp_path) as files:
        publish(tmp_path, write_with("two"))
        overwrite(tmp_path, "chunks", "text", "values", 0, b"T")
        assert check_generation(files, lambda *step: steps.append(step)) == []
        publish(tmp_path, write_with("three"))
        assert not (tmp_path / files.generation).exists()
        assert check_generation(files) == []
    assert steps[-1] == ("done", len(steps) - 1, len(steps) - 1)
    assert {"checksum of terms", "terms.df", "terms"} <= {step[0] for step in steps}
    with pytest.raises(ClosedIndexError):
        check_generation(files)


def test_damage_of_what_was_opened_is_found_although_it_was_mended_since(index: Path) -> None:
    overwrite(index, "chunks", "text", "values", 0, b"D")
    with IndexFiles.open(index) as files:
        publish(index, write_small_index)
        assert check_files(index) == []
        (fault,) = check_generation(files)
        assert "chunks.arrow is damaged: its SHA-256 is" in fault


def test_an_index_stays_mapped_while_it_is_verified(index: Path) -> None:
    with IndexFiles.open(index) as files, pytest.raises(UsageError, match="call it after"):
        check_generation(files, lambda *_: files.close())
