"""Every command and option, in this process."""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bindings.commands import printed
from coldseek.cli import app, main, progress_bar

PAGE = "---\nlocale: en\nversion: 2\n---\n# Kettles\n\nA copper kettle boils water.\n\n## Care\n\nPolish the copper.\n"
QUESTIONS = """
questions:
  - {question: how to polish copper, expect: "/docs/a#care"}
  - {question: unrelated zebra crossing, unanswerable: true}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli")
    (folder / "docs").mkdir()
    (folder / "docs" / "a.md").write_text(PAGE)
    (folder / "docs" / "b.md").write_text("# Pans\n\nAn iron pan, error ERR-7741X.\n")
    (folder / "q.yaml").write_text(QUESTIONS)
    assert (
        main(["build", str(folder / "docs"), "-o", str(folder / "i"), "-e", "mock", "--base-url", "/docs", "--quiet"])
        == 0
    )
    return folder


def said(capsys: pytest.CaptureFixture[str], *arguments: object, status: int = 0) -> tuple[str, str]:
    out, err = printed(capsys, *arguments, status=status)
    assert "\x1b" not in out + err
    return out, err


def parsers() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    parser = app._parser()
    yield "", parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()
            assert {one.dest for one in action._choices_actions if one.help} == set(action.choices)


def test_every_command_and_option_has_help() -> None:
    names = {name for name, _ in parsers()}
    assert names >= {"", "build", "search", "retrieve", "eval", "info", "verify", "bundle", "kernels", "demo"}
    for name, parser in parsers():
        assert parser.description, name
        for action in parser._actions:
            assert action.help or isinstance(action, argparse._SubParsersAction), (name, action.dest)


@pytest.mark.parametrize(
    "command", ["", "build", "search", "retrieve", "eval", "info", "verify", "bundle", "kernels", "demo"]
)
def test_help(capsys: pytest.CaptureFixture[str], command: str) -> None:
    out, err = said(capsys, *filter(None, [command]), "--help")
    assert out.startswith(f"usage: coldseek {command}".rstrip())
    assert err == ""


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    import coldseek

    assert said(capsys, "--version")[0].strip() == f"coldseek {coldseek.__version__}"


def test_build_with_every_option(capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path) -> None:
    options = (
        "--framework none --embedder none --language de --chunk-size 300 --chunk-overlap 20 --chunk-unit characters "
    )
    options += "--site-name Acme --workers 2 --json"
    out, err = said(capsys, "build", folder / "docs", "--output", tmp_path / "i", "--base-url", "/x", *options.split())
    report = json.loads(out)
    assert (report["documents"], report["embedder"], report["problems"], err) == (2, None, [], "")
    settings = json.loads(said(capsys, "info", tmp_path / "i", "--json")[0])["settings"]
    assert (settings["site_name"], settings["analyser"]["language"], settings["base_url"]) == ("Acme", "de", "/x")
    out, err = said(capsys, "build", folder / "docs", "-o", tmp_path / "j")
    assert "2 documents" in out
    assert err == ""


def test_build_reports_problems(capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path) -> None:
    (tmp_path / "bad\x1b[31m.md").write_bytes(b"\xff\xfe\xfa")
    (tmp_path / "latin.md").write_bytes(b"caf\xe9")
    out, err = said(capsys, "build", folder / "docs", tmp_path, "-o", tmp_path / "i", status=1)
    assert "2 documents" in out
    assert len(err.strip().splitlines()) == 2
    report = json.loads(said(capsys, "build", folder / "docs", tmp_path, "-o", tmp_path / "i", "--json", status=1)[0])
    assert len(report["problems"]) == 2


def test_nothing_but_a_problem(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "bad\x1b]0;owned\x07.md").write_bytes(b"caf\xe9")
    said(capsys, "build", tmp_path, "-o", tmp_path / "i", status=1)


CONDITIONS: list[tuple[str, set[str]]] = [
    ('{"filename": "a.md"}', {"/docs/a"}),
    ('{"filename": ["b.md", "c.md"]}', {"/docs/b"}),
    ('{"metadata": {"version": {"gte": 2}}}', {"/docs/a"}),
    ('{"metadata": {"version": {"lt": 2}}}', set()),
    ('{"contains": "kettles copper"}', {"/docs/a"}),
    ('{"phrase": "copper kettle"}', {"/docs/a"}),
    ('{"phrase": "kettle copper"}', set()),
]


def test_search(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    out, err = said(capsys, "search", folder / "i", "copper kettle")
    assert out.startswith("1. Kettles")
    assert err == ""
    assert "Nothing found" in said(capsys, "search", folder / "i", "zebra", "--mode", "lexical")[0]
    conditions = '{"metadata": {"locale": "en", "version": 2}}'
    found = json.loads(
        said(capsys, "search", folder / "i", "iron copper", "--filter", conditions, "--top-k", "1", "--json")[0]
    )
    assert set(found) == {"query", "mode", "hits", "trimmedTerms", "latencyMs"}
    assert [hit["chunk"]["title"] for hit in found["hits"]] == ["Kettles"]
    one = '{"documentIds": ["/docs/b"]}'
    found = json.loads(said(capsys, "search", folder / "i", "iron copper", "--filter", one, "--json")[0])
    assert {hit["chunk"]["url"] for hit in found["hits"]} == {"/docs/b"}
    for one, urls in CONDITIONS:
        found = json.loads(said(capsys, "search", folder / "i", "iron copper", "--filter", one, "--json")[0])
        assert {hit["chunk"]["url"] for hit in found["hits"]} == urls, one
        answer = json.loads(said(capsys, "retrieve", folder / "i", "iron copper", "--filter", one, "--json")[0])
        assert {hit["chunk"]["url"] for hit in answer["hits"]} == urls, one
    assert json.loads(said(capsys, "search", folder / "i", "a\ud83d", "--json", status=1)[0] or "{}") == {}


def test_retrieve(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    out, err = said(capsys, "retrieve", folder / "i", "how to polish copper")
    assert out.startswith("[1] Kettles > Care")
    assert err == ""
    out, err = said(capsys, "retrieve", folder / "i", "zebra crossing")
    assert out.startswith("I don't know.")
    assert "in no chunk: zebra, crossing" in out
    options = "--top-k 1 --candidates 5 --rrf-k 10 --min-similarity 1 --min-keyword-coverage 1 "
    options += "--max-context-chars 50 --mode lexical"
    answer = json.loads(said(capsys, "retrieve", folder / "i", "copper", *options.split(), "--json")[0])
    assert answer["answerable"]
    assert len(answer["hits"]) == 1
    refused = json.loads(said(capsys, "retrieve", folder / "i", "copper zebra", *options.split(), "--json")[0])
    assert refused["refusal"]["smallestChange"]["setting"] == "minKeywordCoverage"


def test_eval(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    out, err = said(capsys, "eval", folder / "i", folder / "q.yaml")
    assert "hit@1 1/1" in out
    assert "refused 1/1" in out
    flags = ["--min-hit-at-1", "--min-hit-at-3", "--min-mrr", "--min-refusal-precision", "--min-refusal-recall"]
    report = json.loads(
        said(capsys, "eval", folder / "i", folder / "q.yaml", "--json", *[x for f in flags for x in (f, "1")])[0]
    )
    assert report["hit@1"] == report["refusalRecall"] == 1.0
    bad = folder / "bad.yaml"
    bad.write_text("thresholds: {mrr: 0.5}\nquestions: [{question: iron, expect: /docs/a}]")
    out, err = said(capsys, "eval", folder / "i", bad, status=1)
    assert err.strip() == "coldseek: mrr is 0.000, at least 0.5 was asked for"
    said(capsys, "eval", folder / "i", bad, "--min-mrr", "0")
    assert "0 to 1" in said(capsys, "eval", folder / "i", bad, "--min-mrr", "7", status=1)[1]


def test_inspection(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    assert "mock-512" in said(capsys, "info", folder / "i")[0]
    assert json.loads(said(capsys, "info", folder / "i", "--json")[0])["counts"]["documents"] == 2
    assert "whole" in said(capsys, "verify", folder / "i")[0]
    assert json.loads(said(capsys, "verify", folder / "i", "--json")[0]) == {
        "path": str(folder / "i"),
        "whole": True,
        "faults": [],
    }
    assert "right" in said(capsys, "kernels")[0]
    assert json.loads(said(capsys, "kernels", "--json")[0])["knownAnswers"] is True


def test_verify_of_a_damaged_index(capsys: pytest.CaptureFixture[str], tmp_path: Path, folder: Path) -> None:
    main(["build", str(folder / "docs"), "-o", str(tmp_path / "i"), "--quiet"])
    place = next((tmp_path / "i").glob("*/chunks.arrow"))
    data = bytearray(place.read_bytes())
    data[len(data) // 2] ^= 0xFF
    place.write_bytes(data)
    assert "chunks" in said(capsys, "verify", tmp_path / "i", status=1)[1]
    assert json.loads(said(capsys, "verify", tmp_path / "i", "--json", status=1)[0])["whole"] is False


@pytest.mark.parametrize("command", ["search", "retrieve"])
@pytest.mark.parametrize(
    ("options", "status"),
    [
        (["--top-k", "0"], 1),
        (["--top-k", "many"], 2),
        (["--mode", "fuzzy"], 2),
        (["--filter", "{oops"], 2),
        (["--filter", "[]"], 2),
        (["--filter", "[" * 100_000], 2),
        (["--filter", '{"x": 1}'], 1),
        (["--filter", '{"metadata": {"nokey": 1}}'], 1),
        (["--filter", '{"metadata": {"locale": {"like": "e"}}}'], 1),
        (["--filter", '{"phrase": "!"}'], 1),
        (["--bogus"], 2),
    ],
    ids=str,
)
def test_wrong_usage(
    capsys: pytest.CaptureFixture[str], folder: Path, command: str, options: list[str], status: int
) -> None:
    out, err = said(capsys, command, folder / "i", "copper", *options, status=status)
    assert out == ""
    lines = err.strip().splitlines()
    # argparse shows the usage in front of its error.
    assert len([line for line in lines if line.startswith("coldseek")]) == 1
    assert lines[-1].startswith("coldseek")
    assert status == 2 or len(lines) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["search", "/nowhere", "x"],
        ["retrieve", "/dev/null", "x"],
        ["info", "/nowhere\x1b[31m"],
        ["verify", "/nowhere"],
        ["eval", "INDEX", "/nowhere.yaml"],
        ["eval", "/nowhere", "/nowhere.yaml"],
        ["build", "/nowhere", "-o", "OUT"],
        ["build", "DOCS", "-o", "OUT", "--workers", "0"],
        ["build", "DOCS", "-o", "OUT", "--chunk-size", "1"],
        ["build", "DOCS", "-o", "OUT", "--language", "!"],
        ["build", "DOCS", "-o", "/dev/null"],
        ["build", "DOCS", "-o", ""],
    ],
    ids=str,
)
def test_failures_are_one_line(
    capsys: pytest.CaptureFixture[str],
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    places = {"INDEX": str(folder / "i"), "OUT": str(tmp_path / "o"), "DOCS": str(folder / "docs")}
    out, err = said(capsys, *[places.get(one, one) for one in arguments], status=1)
    assert out == ""
    assert len(err.strip().splitlines()) == 1
    assert err.startswith("coldseek: ")


EVIL = "\x1b[2J\x1b]0;owned\x07\u202e\x9b31m"


def test_documents_do_not_command_the_terminal(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    line: dict[str, Any] = {"id": EVIL, "text": f"copper {EVIL}\r\b", "url": f"/u{EVIL}", "title": f"T{EVIL}"}
    line |= {"headingPath": [f"H{EVIL}"], "anchor": f"a{EVIL}", "metadata": {"k": EVIL}}
    (tmp_path / "a.jsonl").write_text(json.dumps(line))
    (tmp_path / "q.yaml").write_text(json.dumps({"questions": [{"question": "copper", "expect": "/other"}]}))
    said(capsys, "build", tmp_path / "a.jsonl", "-o", tmp_path / "i", "-e", "mock", "--site-name", EVIL)
    for arguments in (
        ["search", "copper"],
        ["retrieve", "copper"],
        ["retrieve", f"copper{EVIL} zebra wolf bear"],
        ["eval", tmp_path / "q.yaml"],
        ["info"],
    ):
        out, err = said(capsys, arguments[0], tmp_path / "i", *arguments[1:])
        assert not any(char in out + err for char in "\x1b\x07\x9b\u202e\r\b"), arguments


def test_demo(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out, err = said(capsys, "demo", "-o", tmp_path / "kept")
    assert err == ""
    parts = out.split("\n> ")[1:]
    assert len(parts) == 4
    assert [("\n[1] " in part, "I don't know" in part) for part in parts] == [(True, False)] * 3 + [(False, True)]
    said(capsys, "verify", tmp_path / "kept")


def test_the_progress_bar_shows_a_rate(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(progress_bar, "_AFTER_SECONDS", 0.0)
    with progress_bar.progress_bar(enabled=True) as on_progress:
        for done in range(1, 4):
            on_progress("read", done, 3)
        on_progress("count", 500, 1000)
    shown = capsys.readouterr().err
    assert "read:" in shown
    assert "files/s" in shown
    assert "count:" in shown
    assert "chunks/s" in shown


def test_no_progress_bar_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar.progress_bar(enabled=False) as on_progress:
        on_progress("read", 1, 1)
    assert capsys.readouterr().err == ""
