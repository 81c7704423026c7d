"""`coldseek kernels`: what it says of what is there, what was chosen and why, and what it does about the rest."""

import json
from typing import Any

import pytest

from coldseek.cli import kernels, main
from coldseek_core.errors import KernelError
from coldseek_core.kernels import load
from coldseek_core.kernels.levels import JIT, LEVELS, levels_of, machine


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["kernels", "--json", *arguments]) == 0
    return json.loads(capsys.readouterr().out)


def test_lists_each_level_and_the_choice(capsys: pytest.CaptureFixture[str]) -> None:
    answer = said(capsys)
    assert answer["level"] == load().level
    assert answer["reason"]
    assert answer["knownAnswers"] is True
    assert [level["level"] for level in answer["levels"]] == levels_of(machine())
    for level in answer["levels"]:
        assert level["usable"] == (level["problem"] is None)
        assert level["wrongAnswers"] == []
    if answer["level"] != JIT:
        assert answer["mend"] is None


def test_says_what_is_wrong_and_how_to_mend_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(level: str) -> Any:
        raise KernelError(f"the CPU level {level} cannot be used: not sealed\x1b[31m")

    monkeypatch.setattr(kernels, "open_level", refuse)
    assert main(["kernels"]) == 0
    output = capsys.readouterr().out
    assert "\x1b[31m" not in output
    assert all(level in output for level in levels_of(machine()))
    assert "coldseek kernels --seal" in output


def test_wrong_answers_end_with_status_1(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "open_level", lambda _: load())
    monkeypatch.setattr(kernels, "wrong_answers", lambda _: ["scan_top"])
    assert main(["kernels"]) == 1
    captured = capsys.readouterr()
    assert "scan_top" in captured.out
    assert "wrong answers" in captured.err


def test_seals_for_every_kind_of_machine_and_tells_which_it_could_not(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def seal(kind: str, _: Any) -> None:
        asked.append(kind)
        if kind != machine():
            raise KernelError(f"no linker for {kind} is at hand")

    monkeypatch.setattr("coldseek_core.kernels.sealing.seal", seal)
    notes = said(capsys, "--seal")["notes"]
    assert asked[0] == machine()
    assert set(asked) == {owner for owner, _, _ in LEVELS.values()}
    assert len(notes) == len(asked) - 1


def test_sealing_that_fails_for_this_machine_is_an_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def seal(kind: str, _: Any) -> None:
        raise KernelError(f"no linker for {kind} is at hand")

    monkeypatch.setattr("coldseek_core.kernels.sealing.seal", seal)
    assert main(["kernels", "--seal"]) == 1
    assert f"no linker for {machine()}" in capsys.readouterr().err
