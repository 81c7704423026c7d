import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coldseek_core.ingest import jsonl
from coldseek_core.ingest.documents import Chunk, Document, Problem
from coldseek_core.ingest.jsonl import read_jsonl
from coldseek_core.ingest.line_table import LineTable


def read(folder: Path, *lines: str | bytes | dict[str, Any]) -> tuple[list[Document], list[Problem]]:
    encoded = [
        line if isinstance(line, bytes) else (line if isinstance(line, str) else json.dumps(line)).encode()
        for line in lines
    ]
    path = folder / "chunks.jsonl"
    path.write_bytes(b"\n".join(encoded))
    corpus, problems = read_jsonl(path)
    return corpus.documents(), problems


def test_every_key(tmp_path: Path) -> None:
    first = {"id": "a", "text": "T", "document": "d", "url": "/u", "title": "Title", "headingPath": ["H", "I"]}
    second = {"id": "b", "text": "U", "document": "d", "headingPath": ["H", "I"], "anchor": "x"}
    first |= {"anchor": "x", "metadata": {"year": 2024, "tags": ["p"], "draft": None}, "vector": [1, 0.5]}
    [document], problems = read(tmp_path, first, "", second, {"id": "c", "text": "V", "document": "d"})
    assert problems == []
    assert (document.id, document.url, document.title) == ("d", "/u", "Title")
    assert document.metadata == {"year": 2024, "tags": ["p"]}
    assert document.chunks == (
        Chunk("a", "T", ("H", "I"), "x", 0, (1.0, 0.5)),
        Chunk("b", "U", ("H", "I"), "x", 0, None),
        Chunk("c", "V", (), "", 1, None),
    )


def test_what_belongs_together_without_a_document(tmp_path: Path) -> None:
    documents, problems = read(
        tmp_path,
        {"id": "a", "text": "x", "url": "/u", "title": "T"},
        {"id": "b", "text": "x", "url": "/u"},
        {"id": "c", "text": "x", "url": "/u", "title": "another"},
        {"id": "d", "text": "x"},
    )
    assert problems == []
    assert [(document.id, len(document.chunks)) for document in documents] == [("d", 1), ("/u", 2), ("c", 1)]


def test_a_text_is_never_split_and_may_be_empty(tmp_path: Path) -> None:
    documents, _ = read(tmp_path, {"id": "a", "text": "# word\n\n" * 5000}, {"id": "b", "text": ""})
    assert [document.chunks[0].text for document in documents] == ["# word\n\n" * 5000, ""]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("{", "not JSON"),
        ("[1]", "a list"),
        ("3", "a number"),
        ("null", "null"),
        ('{"id": "x", "text": "a"} {"id": "y"}', "not JSON"),
        ('{"text": "a"}', "id is missing"),
        ('{"id": "x"}', "text is missing"),
        ('{"id": 3, "text": "a"}', "id must be text"),
        ('{"id": " ", "text": "a"}', "id is empty"),
        ('{"id": "x", "text": null}', "text is missing"),
        ('{"id": "x", "text": ["a"]}', "text must be text"),
        ('{"id": "good", "text": "a"}', "'good' was used before"),
        ('{"id": "x", "id": "y", "text": "a"}', "there twice"),
        ('{"id": "x", "text": "a", "url": 3}', "url must be text"),
        ('{"id": "x", "text": "a", "headingPath": "H"}', "headingPath"),
        ('{"id": "x", "text": "a", "headingPath": ["H", 1]}', "headingPath"),
        ('{"id": "x", "text": "a", "metadata": []}', "metadata must be an object"),
        ('{"id": "x", "text": "a", "metadata": {"n": 1e999}}', "metadata 'n'"),
        ('{"id": "x", "text": "a", "vector": []}', "an empty list"),
        ('{"id": "x", "text": "a", "vector": "1 2"}', "list of numbers"),
        ('{"id": "x", "text": "a", "vector": [1, true]}', "vector[1]"),
        ('{"id": "x", "text": "a", "vector": [1, "2"]}', "vector[1]"),
        ('{"id": "x", "text": "a", "vector": [NaN, 1]}', "NaN"),
        ('{"id": "x", "text": "a", "vector": [1e999, 1]}', "finite"),
        ('{"id": "x", "text": "a", "vector": [1' + "0" * 400 + ", 1]}", "finite"),
        ('{"id": "x", "text": "a", "vector": [1, 2, 3]}', "3 dimensions, the ones before have 2"),
        ('{"id": "x", "text": "a", "document": "d", "title": "other"}', "title differs"),
        ('{"id": "x", "text": "a", "document": "d", "url": "/other"}', "url differs"),
        ('{"id": "x", "text": "a", "document": "d", "metadata": {"k": 2}}', "metadata differs"),
        ('{"id": "x", "text": "\\ud800"}', "surrogate"),
        ('{"id": "x", "text": ' + "[" * 100_000, "too deeply"),
        ('{"id": "x", "text": "a", "n": ' + "1" * 5000 + "}", "not usable"),
        (b'{"id": "x", "text": "\xff"}', "byte 21"),
        (b'{"id": "x", "text": "\0"}', "NUL"),
    ],
)
def test_a_bad_line_is_reported_and_the_others_are_read(tmp_path: Path, line: str | bytes, fault: str) -> None:
    good = {
        "id": "good",
        "text": "g",
        "document": "d",
        "title": "T",
        "url": "/u",
        "metadata": {"k": 1},
        "vector": [1, 2],
    }
    [document], [problem] = read(tmp_path, good, line, {**good, "id": "last"})
    assert [chunk.id for chunk in document.chunks] == ["good", "last"]
    assert problem.reason.startswith("line 2: ")
    assert fault in problem.reason
    assert len(problem.reason) < 400


def test_unknown_keys_are_reported_once(tmp_path: Path) -> None:
    documents, [problem] = read(
        tmp_path, {"id": "a", "text": "x"}, {"id": "b", "text": "x", "_id": 1}, {"id": "c", "text": "x", "z": 1}
    )
    assert len(documents) == 3
    assert problem.reason.startswith("line 2: unknown keys are ignored: '_id', 'z'")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_byte_order_marks(tmp_path: Path, encoding: str) -> None:
    [document], problems = read(tmp_path, '{"id": "é", "text": "中"}\r\n'.encode(encoding))
    assert (document.id, document.chunks[0].text, problems) == ("é", "中", [])


def test_broken_utf_16_is_told_once(tmp_path: Path) -> None:
    path = tmp_path / "chunks.jsonl"
    path.write_bytes('{"id": "a", "text": "b"}\n'.encode("utf-16") * 3 + b"\x0a\xd8\n\n")
    corpus, [problem] = read_jsonl(path)
    assert corpus.documents() == []
    assert problem.reason.startswith("line 1: ")


def test_empty_and_missing_files(tmp_path: Path) -> None:
    assert read(tmp_path, "", "  ") == ([], [])
    corpus, [problem] = read_jsonl(tmp_path / "nowhere.jsonl")
    assert corpus.documents() == []
    assert "cannot be read" in problem.reason


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.lists(
        st.dictionaries(st.sampled_from(["id", "text", "document", "url", "metadata", "vector", "x"]), VALUES),
        max_size=4,
    )
)
def test_any_json_is_read_or_reported(tmp_path_factory: pytest.TempPathFactory, lines: list[dict[str, Any]]) -> None:
    folder = tmp_path_factory.getbasetemp()
    documents, problems = read(folder, *lines)
    read_lines = sum(len(document.chunks) for document in documents)
    assert read_lines + sum("unknown" not in problem.reason for problem in problems) == len(lines)


NAME = st.sampled_from(["", "a", "b", "/u", " ", "\u3000", "é試"])
PATH = st.lists(NAME, max_size=3) | st.none() | st.just([None]) | st.just("no list")
LINE = st.fixed_dictionaries(
    {"id": st.sampled_from("abcdefgh"), "text": st.text(max_size=4)},
    optional={
        "document": NAME | st.none(),
        "url": NAME | st.none(),
        "title": NAME | st.none() | st.just(5),
        "anchor": NAME,
        "headingPath": PATH,
        "metadata": st.sampled_from([{}, {"k": 1}, {"k": 2}, None]),
        "vector": st.sampled_from([[1.0], [2, 0.5], None, ["x"]]),
    },
)
MESS = st.sampled_from(
    ["", "  ", "{", "[]", '{"id": "z", "text": "\\ud800"}', '{"id": "y",', '"text": "x"}', "\ufeff{}"]
)
TAIL = st.sampled_from(["\n", "\n", "\n", "\r\n", " \n", "\n\n", '{"id": "w", "text": ""}\n', "\r", ""])


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(LINE.map(json.dumps) | MESS, TAIL), max_size=7), st.integers(1, 400))
def test_the_fast_ways_change_nothing(
    tmp_path_factory: pytest.TempPathFactory, lines: list[tuple[str, str]], block: int
) -> None:
    """Whatever the lines and the blocks that they are read in: line by line, or all at once where that can be."""
    path = tmp_path_factory.getbasetemp() / "chunks.jsonl"
    path.write_bytes("".join(line + tail for line, tail in lines).encode())
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(jsonl, "_BLOCK_BYTES", block)
        got = read_jsonl(path)
        patched.setattr(LineTable, "corpus", lambda *_: None)
        by_line = read_jsonl(path)
        patched.setattr(LineTable, "of_block", lambda *_: None)
        assert got == by_line == read_jsonl(path)


def test_the_fast_ways_are_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For lines that are as they should be, whatever of the keys they have, but metadata and vectors."""
    path = tmp_path / "chunks.jsonl"
    lines = [{"id": f"c{n}", "text": "é\n\t\\", "document": f"d{n % 3}", "title": f"T{n % 3}"} for n in range(9)]
    lines += [{"id": f"e{n}", "text": "", "url": f"/{n % 2}", "headingPath": ["H"] * n, "anchor": ""} for n in range(4)]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    monkeypatch.setattr(LineTable, "fields", None)
    monkeypatch.setattr(LineTable, "of_fields", None)
    corpus, problems = read_jsonl(path)
    assert problems == []
    assert (len(corpus), corpus.chunk_count) == (5, 13)
    assert corpus.sections.tolist() == [0] * 9 + [0, 1, 0, 1]
