"""The handler for AWS Lambda: HTTP events, direct invocations, and the index it answers from."""

import base64
import inspect
import json
import os
import shutil
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import coldseek
from bindings.lambda_events import (
    EVERY_OPTION,
    EVERY_SEARCH_OPTION,
    api_gateway,
    function_url,
    ok,
    problem,
    without_time,
)
from coldseek import aws_lambda
from coldseek.aws_lambda import handler
from coldseek.cli import main
from coldseek.json_form import RETRIEVE_OPTIONS, SEARCH_OPTIONS
from coldseek_core.kernels import recheck

pytestmark = pytest.mark.usefixtures("lambda_index")


@pytest.mark.parametrize("made", [api_gateway, function_url])
def test_http_events(made: Callable[..., dict[str, Any]]) -> None:
    found = ok(made("POST", "/retrieve", body='{"question": "how to polish copper", "topK": 1}'))
    assert found["answerable"]
    assert [source["url"] for source in found["sources"]] == ["/docs/a#care"]
    found = ok(made("POST", "/search", body='{"query": "iron", "mode": "lexical"}'))
    assert found["hits"][0]["chunk"]["title"] == "Pans"
    found = ok(made("GET", "/retrieve", queryStringParameters={"question": "zebra crossing"}))
    assert not found["answerable"]
    assert found["refusal"]["unknownWords"] == ["zebra", "crossing"]
    parameters = {"query": "copper iron", "topK": "1", "filter": '{"metadata": {"locale": "ja"}}', "mode": "hybrid"}
    assert [hit["chunk"]["title"] for hit in ok(made("GET", "/search", queryStringParameters=parameters))["hits"]] == [
        "Pans"
    ]


def test_the_path_may_have_something_in_front() -> None:
    body = '{"question": "copper"}'
    for path in ("/prod/retrieve", "/docs/api/retrieve", "/retrieve/"):
        assert ok(api_gateway("POST", path, stage="prod", body=body))["answerable"]


def test_base64_both_ways() -> None:
    text = json.dumps({"question": "湯"}, ensure_ascii=False)
    plain = ok(function_url("POST", "/retrieve", body=text))
    coded = ok(function_url("POST", "/retrieve", body=base64.b64encode(text.encode()).decode(), isBase64Encoded=True))
    assert plain["question"] == "湯"
    assert without_time(plain) == without_time(coded)


def test_every_option_of_the_index_can_be_said() -> None:
    def options(function: Any) -> set[str]:
        return {name for name, one in inspect.signature(function).parameters.items() if one.kind is one.KEYWORD_ONLY}

    callables = {"retrieve_hook", "rerank_hook", "cancelled"}
    assert {name for name, _ in SEARCH_OPTIONS.values()} == options(coldseek.Index.search)
    assert {name for name, _ in RETRIEVE_OPTIONS.values()} == options(coldseek.Index.retrieve) - callables
    assert set(EVERY_OPTION) == set(RETRIEVE_OPTIONS)
    assert len(handler({"question": "copper kettle", **EVERY_OPTION})["hits"]) == 1
    said = {name: value if isinstance(value, str) else json.dumps(value) for name, value in EVERY_OPTION.items()}
    found = ok(function_url("GET", "/retrieve", queryStringParameters={"question": "copper kettle", **said}))
    assert without_time(found) == without_time(handler({"question": "copper kettle", **EVERY_OPTION}))
    assert found["hits"][0]["matches"][0] == {"start": 2, "end": 8, "token": "copper"}
    # What the filter's words leave out is no neighbour.
    assert found["hits"][0]["neighbors"] == {"before": [], "after": []}
    alone = handler({"question": "copper kettle", "topK": 1, "expand": 1})["hits"][0]
    assert [chunk["headingPath"] for chunk in alone["neighbors"]["after"]] == [["Care"]]


def test_every_option_of_a_search_can_be_said() -> None:
    assert set(EVERY_SEARCH_OPTION) == set(SEARCH_OPTIONS) - {"mode"}
    (hit,) = handler({"query": "copper kettle", **EVERY_SEARCH_OPTION})["hits"]
    assert set(hit) >= {"matches", "neighbors", "explain"}
    assert hit["explain"]["foundBy"] == ["keyword", "vector"]
    assert sum(word["score"] for word in hit["explain"]["words"]) == hit["keywordScore"]
    said = {name: json.dumps(value) for name, value in EVERY_SEARCH_OPTION.items()}
    found = ok(function_url("GET", "/search", queryStringParameters={"query": "copper kettle", **said}))
    assert found["hits"] == [hit]
    assert handler({"query": "copper", "hybrid": False})["mode"]["ran"] == "semantic"


def test_every_option_is_documented() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "deploying.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1:3] for line in page.splitlines() if line.startswith("| `")]
    documented = {name.strip(" `"): where.strip() for names, where in rows for name in names.split(",")}
    for name in RETRIEVE_OPTIONS | SEARCH_OPTIONS:
        only = "`/retrieve`" if name in RETRIEVE_OPTIONS else "`/search`"
        assert documented[name] == ("both" if name in RETRIEVE_OPTIONS and name in SEARCH_OPTIONS else only), name


def test_answers_are_those_of_the_command_line(lambda_index: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command, name in (("retrieve", "question"), ("search", "query")):
        for text in ("how to polish copper", "zebra crossing"):
            capsys.readouterr()
            assert main([command, str(lambda_index), text, "--json"]) == 0
            expected = without_time(json.loads(capsys.readouterr().out))
            assert without_time(handler({name: text})) == expected
            assert without_time(ok(function_url("POST", f"/{command}", body=json.dumps({name: text})))) == expected


def test_an_answer_that_is_too_large_for_lambda(monkeypatch: pytest.MonkeyPatch) -> None:
    event = function_url("POST", "/retrieve", body='{"question": "copper"}')
    monkeypatch.setattr(aws_lambda, "MAX_RESPONSE_BYTES", len(json.dumps(handler(event), ensure_ascii=False)) - 500)
    assert "lower topK" in problem(event, 400)


def test_our_own_faults_show_nothing_of_the_inside(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    event = function_url("POST", "/retrieve", body='{"question": "copper"}')

    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(coldseek.Index, "retrieve", fail)
    assert "secret" not in problem(event, 500)
    assert "ZeroDivisionError: secret" in capsys.readouterr().err
    with pytest.raises(ZeroDivisionError):
        handler({"question": "copper"})


def test_an_index_that_is_not_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lambda_index: Path, tmp_path: Path
) -> None:
    monkeypatch.setenv("COLDSEEK_INDEX", str(tmp_path / "none"))
    assert str(tmp_path) not in problem(function_url("POST", "/search", body='{"query": "copper"}'), 500)
    assert "NotAnIndexError" in capsys.readouterr().err
    with pytest.raises(coldseek.NotAnIndexError):
        handler({"query": "copper"})
    shutil.copytree(lambda_index, tmp_path / "none")  # put there later: the next event finds it
    assert handler({"query": "copper"})["hits"]


def test_where_the_index_is(monkeypatch: pytest.MonkeyPatch, lambda_index: Path, tmp_path: Path) -> None:
    def place() -> str:
        return os.path.relpath(aws_lambda.index_path(), tmp_path)

    monkeypatch.setattr(aws_lambda, "__file__", str(tmp_path / "layer" / "coldseek" / "aws_lambda.py"))
    (tmp_path / "layer").mkdir()
    (tmp_path / "task").mkdir()
    monkeypatch.setenv("LAMBDA_TASK_ROOT", str(tmp_path / "task"))
    monkeypatch.setenv("COLDSEEK_INDEX", "sub/site")
    assert place() == "task/sub/site"
    monkeypatch.setenv("COLDSEEK_INDEX", str(tmp_path / "elsewhere"))
    assert place() == "elsewhere"
    monkeypatch.delenv("COLDSEEK_INDEX")
    with pytest.raises(coldseek.NotAnIndexError, match="there is none; put one there, or name it by COLDSEEK_INDEX"):
        place()
    (tmp_path / "task" / "file.coldseek").touch()
    shutil.copytree(lambda_index, tmp_path / "layer" / "a.coldseek")
    assert place() == "layer/a.coldseek"
    monkeypatch.delenv("LAMBDA_TASK_ROOT")
    assert place() == "layer/a.coldseek"
    monkeypatch.setenv("LAMBDA_TASK_ROOT", f"{tmp_path}/task/../layer")  # a folder counts once, however it is named
    assert place() == "layer/a.coldseek"
    monkeypatch.setenv("LAMBDA_TASK_ROOT", str(tmp_path / "task"))
    shutil.copytree(lambda_index, tmp_path / "task" / "b.coldseek")
    with pytest.raises(coldseek.NotAnIndexError, match=r"there are 2, \['a.coldseek', 'b.coldseek'\]"):
        place()


def test_it_is_opened_once_by_many_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Any] = []
    real = aws_lambda.open_index
    monkeypatch.setattr(aws_lambda, "open_index", lambda *one, **more: opened.append(one) or real(*one, **more))
    barrier, answers = threading.Barrier(16), []

    def ask() -> None:
        barrier.wait()
        answers.append(without_time(handler({"question": "copper"})))

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened) == 1
    assert len(answers) == 16
    assert all(answer == answers[0] for answer in answers)


def test_a_failing_embedder_is_logged(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from coldseek_core.embed.mock import MockEmbedder

    assert handler({"question": "copper"})["mode"]["degraded"] is None

    def fail(*_: object) -> None:
        raise coldseek.EmbedderError("the server is down")

    monkeypatch.setattr(MockEmbedder, "embed", fail)
    assert handler({"question": "copper"})["mode"]["degraded"] == "the server is down"
    assert "the server is down" in capsys.readouterr().err


def test_set_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    hooks: list[object] = []
    runtime = ModuleType("snapshot_restore_py")
    runtime.__dict__["register_after_restore"] = hooks.append
    monkeypatch.setitem(sys.modules, "snapshot_restore_py", runtime)
    aws_lambda._set_up()
    assert hooks == [recheck]
    assert aws_lambda._opened == []  # outside a function nothing is opened before it is asked for
    monkeypatch.setenv("AWS_LAMBDA_RUNTIME_API", "127.0.0.1:9001")
    monkeypatch.setenv("COLDSEEK_INDEX", str(tmp_path))
    aws_lambda._set_up()  # what is wrong is said to each event
    assert aws_lambda._opened == []
    monkeypatch.delenv("COLDSEEK_INDEX")
    monkeypatch.setitem(sys.modules, "snapshot_restore_py", None)  # an import of it fails
    aws_lambda._set_up()
