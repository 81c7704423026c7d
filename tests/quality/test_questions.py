"""The questions file: what it may hold, and errors that say what is wrong and where."""

from pathlib import Path
from typing import Any

import pytest

from coldseek_core.errors import UsageError
from coldseek_core.quality.questions import load_questions

GOOD = {"question": "q", "expect": "/a"}


def test_a_good_file(tmp_path: Path) -> None:
    path = tmp_path / "q.yaml"
    path.write_text(
        "thresholds: {hit@1: 0.5, refusalRecall: 1}\nretrieval: {topK: 4, minKeywordCoverage: 0.4}\nquestions:\n"
        "  - question: how?\n    expect: /a#b\n  - {question: 'wo? ü', expect: [/a, /b]}\n"
        "  - question: never\n    unanswerable: true\n  - {question: q, expect: /c, unanswerable: false}\n",
        encoding="utf-8",
    )
    asked = load_questions(path)
    assert [one.expect for one in asked.questions] == [("/a#b",), ("/a", "/b"), (), ("/c",)]
    assert [one.answerable for one in asked.questions] == [True, True, False, True]
    assert asked.retrieval == {"top_k": 4, "min_keyword_coverage": 0.4}
    assert asked.thresholds == {"hit@1": 0.5, "refusalRecall": 1.0}
    assert load_questions(str(path)) == asked


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ({}, "questions"),
        ({"questions": []}, "no questions"),
        ({"questions": {}}, "list"),
        ({"questions": [GOOD], "treshold": {}}, "treshold"),
        ({"questions": [GOOD, "text"]}, "question 2"),
        ({"questions": [{"expect": "/a"}]}, "question 1"),
        ({"questions": [{"question": "  ", "expect": "/a"}]}, "must be text"),
        ({"questions": [{"question": 5, "expect": "/a"}]}, "must be text"),
        ({"questions": [{"question": "q"}]}, "either"),
        ({"questions": [{**GOOD, "unanswerable": True}]}, "either"),
        ({"questions": [{"question": "q", "unanswerable": False}]}, "either"),
        ({"questions": [{"question": "q", "unanswerable": "yes"}]}, "true or false"),
        ({"questions": [{"question": "q", "expect": []}]}, "URL"),
        ({"questions": [{"question": "q", "expect": [""]}]}, "URL"),
        ({"questions": [{"question": "q", "expect": 5}]}, "URL"),
        ({"questions": [{**GOOD, "expected": "/b"}]}, "expected"),
        ({"questions": [GOOD], "retrieval": []}, "retrieval"),
        ({"questions": [GOOD], "thresholds": []}, "thresholds"),
        ({"questions": [GOOD], "thresholds": {"hit@2": 1}}, "hit@2"),
        ({"questions": [GOOD], "thresholds": {"hit@1": 1.5}}, "0 to 1"),
        ({"questions": [GOOD], "thresholds": {"hit@1": True}}, "0 to 1"),
        ({"questions": [GOOD], "thresholds": {"hit@1": float("nan")}}, "0 to 1"),
        ({"questions": [GOOD], "thresholds": {"hit@1": "0.5"}}, "0 to 1"),
    ],
)
def test_bad_content(content: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=told) as caught:
        load_questions(content)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"- a\n",
        b"questions: [",
        b"\xff\xfe\xfa",
        b"just text",
        b"questions: !!python/object:os.system {}",
        b"[" * 500,
    ],
)
def test_bad_files(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "q.yaml").write_bytes(data)
    with pytest.raises(UsageError, match=r"q\.yaml") as caught:
        load_questions(tmp_path / "q.yaml")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("source", [5, None, ["a"], ""])
def test_what_is_no_file(source: Any) -> None:
    with pytest.raises(UsageError):
        load_questions(source)


def test_missing_files_and_folders(tmp_path: Path) -> None:
    for path in (tmp_path / "none.yaml", tmp_path):
        with pytest.raises(UsageError, match=str(tmp_path)):
            load_questions(path)
