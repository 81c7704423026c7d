import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coldseek_core.ingest.documents import Chunk, Document, Problem
from coldseek_core.ingest.jsonl import read_jsonl


def read(folder: Path, *lines: str | bytes | dict[str, Any]) -> tuple[list[Document], list[Problem]]:
    encoded = [
        line if isinstance(line, bytes) else (line if isinstance(line, str) else json.dumps(line)).encode()
        for line in lines
    ]
    path = folder / "chunks.jsonl"
    path.write_bytes(b"\n".join(encoded))
    return read_jsonl(path)


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
    assert [(document.id, len(document.chunks)) for document in documents] == [("/u", 2), ("c", 1), ("d", 1)]


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


def test_empty_and_missing_files(tmp_path: Path) -> None:
    assert read(tmp_path, "", "  ") == ([], [])
    documents, [problem] = read_jsonl(tmp_path / "nowhere.jsonl")
    assert documents == []
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
