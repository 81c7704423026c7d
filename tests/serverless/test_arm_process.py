"""A whole Arm process, emulated: a bundle for aarch64 on an Arm Python answers as this machine does, on both levels."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import coldseek
from coldseek.bundle import write_bundle
from coldseek_core.kernels.levels import levels_of
from coldseek_core.kernels.sealed_files import UnusableLibraryError, read_table, sealed_folder
from serverless import asking
from serverless.copied_runtime import Runtime
from serverless.corpora import build, questions_of

EMULATOR, MACHINE, VARIABLE = "qemu-aarch64", "aarch64", "COLDSEEK_TEST_ARM"

# A CPU without and one with the dot product instructions, and the level that is the best there.
BEST_OF_CPU = {"cortex-a53": "aarch64", "neoverse-n1": "aarch64-dotprod"}

ASK = """
import json, sys
import coldseek
from asking import answers
with coldseek.open({index!r}) as index:
    print(answers(index, json.load(sys.stdin)))
"""
KERNELS = "from coldseek.cli import main; sys.exit(main(['kernels', '--json']))"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def arm_files() -> Path:
    """What scripts/fetch_arm_python.sh fetched: an Arm Python in `root`, and wheels for it in `wheels`."""
    folder = Path(os.environ.get(VARIABLE, "")).resolve()
    if not os.environ.get(VARIABLE) or not (folder / "wheels").is_dir():
        pytest.skip(f"there is no Arm Python; set {VARIABLE} to a folder that scripts/fetch_arm_python.sh has filled")
    if shutil.which(EMULATOR) is None:
        pytest.skip(f"there is no {EMULATOR}; Debian has it in qemu-user")
    try:
        missing = set(levels_of(MACHINE)) - set(read_table(sealed_folder()))
    except UnusableLibraryError as error:
        pytest.skip(f"{error}; to seal the kernels: coldseek kernels --seal")
    if missing:
        pytest.skip(f"{', '.join(missing)} is not sealed here; to seal it: coldseek kernels --seal")
    return folder


@pytest.fixture
def arm_runtime(arm_files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path, str], Runtime]:
    """Makes a bundle of an index, to be run on a CPU of that name."""
    root = arm_files / "root"
    python = (root / "usr" / "bin" / "python3").resolve()
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(arm_files / "wheels"))

    def made(index: Path, cpu: str) -> Runtime:
        bundle = tmp_path / "bundle"
        report = write_bundle(index, bundle, python=python.name.removeprefix("python"), platform=MACHINE)
        shutil.copy(asking.__file__, bundle)
        emulated = tmp_path / "python"
        emulated.write_text(f'#!/bin/sh\nexec {shutil.which(EMULATOR)} -cpu {cpu} -L {root} {python} "$@"\n')
        emulated.chmod(0o755)
        return Runtime(bundle, bundle / report.index, str(emulated))

    return made


@pytest.mark.parametrize("name", ["docusaurus", "drcd"])
def test_both_levels_answer_as_this_machine_does(
    name: str, arm_runtime: Callable[[Path, str], Runtime], shared_data: Path, tmp_path: Path
) -> None:
    questions = questions_of(shared_data, name, build(tmp_path / "i.coldseek", shared_data, name, 120), 40)
    with coldseek.open(tmp_path / "i.coldseek") as index:
        expected = json.loads(asking.answers(index, questions))
    assert len({json.dumps(answer) for answer in expected}) > len(questions)  # not one answer to all
    runtime = arm_runtime(tmp_path / "i.coldseek", "neoverse-n1")
    for level in levels_of(MACHINE):
        code = ASK.format(index=str(runtime.index))
        status, output, errors = runtime.run(code, variables={"COLDSEEK_CPU_LEVEL": level}, said=json.dumps(questions))
        assert (status, errors) == (0, ""), level
        found = json.loads(output)
        different = [place // 2 for place, pair in enumerate(zip(found, expected, strict=True)) if pair[0] != pair[1]]
        assert different == [], (level, [questions[place] for place in different[:3]])
        assert output == f"{json.dumps(expected)}\n"


@pytest.mark.parametrize("cpu", BEST_OF_CPU)
def test_best_level_of_an_emulated_cpu_is_taken_and_gives_known_answers(
    cpu: str, arm_runtime: Callable[[Path, str], Runtime], small_index: Path
) -> None:
    runtime = arm_runtime(small_index, cpu)
    status, output, errors = runtime.run(KERNELS)
    assert (status, errors) == (0, "")
    said = json.loads(output)
    assert (said["level"], said["knownAnswers"]) == (BEST_OF_CPU[cpu], True)
    usable = [level["level"] for level in said["levels"] if level["usable"]]
    assert usable == levels_of(MACHINE)[levels_of(MACHINE).index(BEST_OF_CPU[cpu]) :]
    for level in set(levels_of(MACHINE)) - set(usable):
        status, _, errors = runtime.run(KERNELS, variables={"COLDSEEK_CPU_LEVEL": level})
        assert status == 1
        assert "this machine does not offer it" in errors
