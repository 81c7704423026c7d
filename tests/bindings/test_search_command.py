"""`coldseek search`: what a person sees, and that each option says the same as in Python."""

import json
import random
import re
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import coldseek
from bindings.commands import printed
from coldseek.cli.excerpt import excerpt_lines
from coldseek_core.search.highlighting import Match

PAGE = "# Kettles\n\nA copper kettle boils 湯 and water.\n\n## Care\n\nPolish the copper.\n\n## Use\n\nBoil tea.\n"
EVIL = "\x1b[2J\x1b]0;owned\x07\u202e\x9b31m"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("search")
    (folder / "a.md").write_text(PAGE, encoding="utf-8")
    (folder / "b.md").write_text("# Pans\n\nAn iron pan, error ERR-7741X, not copper.\n")
    coldseek.build([folder / "a.md", folder / "b.md"], folder / "i", embedder="mock", base_url="/docs")
    return folder


ALIKE: list[tuple[list[str], dict[str, Any]]] = [
    (["--top-k", "1"], {"top_k": 1}),
    (["--mode", "lexical"], {"mode": "lexical"}),
    (["--no-hybrid"], {"hybrid": False}),
    (["--score-threshold", "0.4"], {"score_threshold": 0.4}),
    (["--mode", "lexical", "--score-threshold", "0.6"], {"mode": "lexical", "score_threshold": 0.6}),
    (["--max-per-document", "1"], {"max_per_document": 1}),
    (["--highlight"], {"highlight": True}),
    (["--explain"], {"explain": True}),
    (["--expand", "2"], {"expand": 2}),
]


@pytest.mark.parametrize(("arguments", "options"), ALIKE, ids=str)
def test_each_option_is_the_one_of_python(
    capsys: pytest.CaptureFixture[str], folder: Path, arguments: list[str], options: dict[str, Any]
) -> None:
    found = json.loads(printed(capsys, "search", folder / "i", "copper kettle", "--json", *arguments)[0])
    with coldseek.open(folder / "i") as index:
        expected = index.search("copper kettle", **options).to_dict()
    assert found["hits"] == expected["hits"]
    assert found["mode"] == expected["mode"]
    if set(options) <= {"top_k", "max_per_document", "expand", "highlight"}:
        answer = json.loads(printed(capsys, "retrieve", folder / "i", "copper kettle", "--json", *arguments)[0])
        with coldseek.open(folder / "i") as index:
            assert answer["hits"] == index.retrieve("copper kettle", **options).to_dict()["hits"]


@pytest.mark.parametrize(
    ("options", "status", "says"),
    [
        (["--top-k", "51"], 1, "top_k must be a whole number from 1 to 50, not 51"),
        (["--score-threshold", "2"], 1, "score_threshold must be a number from -1 to 1, not 2.0"),
        (["--score-threshold", "nan"], 1, "score_threshold must be a number from -1 to 1, not nan"),
        (["--score-threshold", "high"], 2, "invalid float value: 'high'"),
        (["--max-per-document", "0"], 1, "max_per_document must be a whole number from 1 to 50, not 0"),
        (["--expand", "3"], 1, "expand must be a whole number from 0 to 2, not 3"),
        (["--no-hybrid", "--mode", "lexical"], 1, "mode must be left out where hybrid is given"),
    ],
    ids=str,
)
def test_a_wrong_value_is_one_clear_line(
    capsys: pytest.CaptureFixture[str], folder: Path, options: list[str], status: int, says: str
) -> None:
    out, err = printed(capsys, "search", folder / "i", "copper", *options, status=status)
    assert out == ""
    assert says in err.strip().splitlines()[-1]


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_matches_are_coloured_on_a_terminal_only(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    arguments = ("search", folder / "i", "copper 湯", "--explain", "--expand", "1")
    piped, _ = printed(capsys, *arguments)
    assert "\x1b" not in piped
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    coloured, _ = printed(capsys, *arguments)
    assert "A \x1b[1;33mcopper\x1b[0m kettle boils \x1b[1;33m湯\x1b[0m and water." in coloured
    assert plain(coloured) == piped
    monkeypatch.setenv("NO_COLOR", "1")
    assert printed(capsys, *arguments)[0] == piped


def test_heading_path_scores_neighbours_and_tables(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    out, err = printed(capsys, "search", folder / "i", "polish zebra", "--explain", "--expand", "1", "--top-k", "1")
    assert err == ""
    lines = out.splitlines()
    assert lines[0] == "1. Kettles > Care"
    assert re.fullmatch(r"   /docs/a#care  keywords \d\.\d\d, similarity 0\.\d{3}", lines[1])
    assert lines[2] == "   before: A copper kettle boils 湯 and water."
    assert lines[3:5] == ["   Polish the copper.", "   after:  Boil tea."]
    assert re.fullmatch(r" +score  rank  of all +adds", lines[5])
    assert [line.split()[0] for line in lines[6:9]] == ["keywords", "vectors", "fused"]
    rows = [line.split() for line in lines[9:13]]
    assert rows[0] == ["word", "term", "in", "chunks", "adds"]
    assert rows[1][:3] == ["polish", "polish", "1"]
    assert rows[2] == ["zebra", "in", "no", "chunk", "0", "-"]
    assert rows[3] == ["sum", rows[1][3]]
    assert re.fullmatch(r"   gate of retrieve: passes; coverage 0\.\d+, needs 0\.5 \([-+].*", lines[13])
    assert len(lines) == 14
    assert "not run" in printed(capsys, "search", folder / "i", "polish", "--explain", "--mode", "lexical")[0]


def test_documents_do_not_command_the_terminal(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    line = {"id": "1", "text": f"copper{EVIL} copper\r\b", "url": f"/u{EVIL}", "title": f"T{EVIL}"}
    more = {"id": "2", "text": f"iron {EVIL}", "url": f"/u{EVIL}", "title": f"T{EVIL}"}
    (tmp_path / "a.jsonl").write_text(json.dumps(line) + "\n" + json.dumps(more))
    coldseek.build([tmp_path / "a.jsonl"], tmp_path / "i", embedder="mock")
    out, err = printed(capsys, "search", tmp_path / "i", f"copper{EVIL}zebra", "--explain", "--expand", "2")
    assert not any(char in out + err for char in "\x1b\x07\x9b\u202e\r\b")


def columns(text: str) -> int:
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32), st.integers(4, 60), st.integers(1, 3))
def test_an_excerpt_is_a_part_of_the_text(seed: int, width: int, most: int) -> None:
    rng = random.Random(seed)
    words = ["amber", "延迟重试", "e\u0301te\u0301", "a", "x" * 70, "<b>", "\x1b[31m", "🧭"]
    text = "".join(rng.choice(words) + rng.choice([" ", "\n", "  ", "\t"]) for _ in range(rng.randint(0, 40)))
    matches = [
        Match(one.start(), one.end(), one.group()) for one in re.finditer("amber|重试", text) if rng.random() < 0.5
    ]
    lines = excerpt_lines(text, matches, width, most)
    shown = ["".join(piece for piece, _ in line) for line in lines]
    assert len(lines) <= most
    assert all(columns(line) <= width for line in shown)
    whole = " ".join("".join("\ufffd" if char == "\x1b" else char for char in text).split())
    place = 0
    for line in shown:
        part = line.strip("…").strip()
        place = whole.index(part, place) + len(part)
    if columns(whole) <= width:
        assert shown == ([whole] if whole else [])
    tokens = {match.token for match in matches}
    for line in lines:
        for piece, is_match in line:
            assert not is_match or any(piece in token or token in piece for token in tokens)


def test_an_excerpt_shows_where_most_matches_are() -> None:
    text = "amber " + "filler words " * 60 + "then amber and more amber stand here " + "filler words " * 60
    matches = [Match(one.start(), one.end(), "amber") for one in re.finditer("amber", text)]
    (line, *_) = lines = excerpt_lines(text, matches, 60, 2)
    assert line[0][0].startswith("…")
    assert [piece for one in lines for piece, is_match in one if is_match] == ["amber", "amber"]
