"""A bundle of real documentation as AWS Lambda runs it: its runtime client, another user, no writable place."""

import json
import os
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import pytest

import coldseek
from bindings.lambda_events import api_gateway, function_url, without_time
from bindings.runtime_api import Run, run_function
from coldseek.bundle import HANDLER, BundleReport, parts, write_bundle
from coldseek_core.kernels.levels import levels_of, machine
from coldseek_core.kernels.linker import find_linker, linker_to_install
from coldseek_core.kernels.sealing import seal
from embed.embedding_server import KEY, serving
from serverless.copied_runtime import public_python

pytestmark = pytest.mark.slow

CLIENT = ("awslambdaric", "simplejson", "snapshot-restore-py")
NOBODY: dict[str, Any] = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
RUNTIME_BYTES = 8_000_000  # what a bundle has beside its index; 7.6 MB when this was written
QUESTION = "How do I deploy to GitHub Pages?"


@dataclass
class Function:
    """`index`: what the bundle was made of. `task`: the bundle, at another place. `closed`: where nobody writes."""

    report: BundleReport
    index: Path
    task: Path
    client: Path
    closed: Path
    python: str

    def variables(self, **more: str) -> dict[str, str]:
        """The whole environment: no HOME, no PATH."""
        return {
            "LAMBDA_TASK_ROOT": str(self.task),
            "PYTHONPATH": f"{self.task}{os.pathsep}{self.client}",
            "TMPDIR": str(self.closed),
            **more,
        }

    def run(self, events: list[object], **more: str) -> Run:
        # No file can be written: beyond a size of 0 that is an error.
        command = ["/bin/sh", "-c", 'ulimit -f 0; exec "$@"', "sh", self.python, "-S", "-s", "-m", "awslambdaric"]
        return run_function([*command, HANDLER], events, env=self.variables(**more), cwd=self.closed, **NOBODY)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """AWS's runtime client alone, as it lies beside a function."""
    folder = tmp_path_factory.mktemp("client")
    try:
        for name in CLIENT:
            for file in distribution(name).files or ():
                if ".." not in file.parts:
                    (folder / file).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(Path(str(file.locate())), folder / file)
    except PackageNotFoundError as error:
        pytest.skip(f"the package {error.name} is not installed; it is in the dev extra")
    return folder


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Bundles take kernels that are sealed here for this machine, whatever the checkout has."""
    if find_linker(machine()) is None:
        pytest.skip(f"there is no linker for {machine()}; {linker_to_install(machine())}")
    folder = tmp_path_factory.mktemp("sealed")
    seal(machine(), folder, installed=True)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(parts, "sealed_folder", lambda: str(folder))
        yield folder


@contextmanager
def deployed(index: Path, client: Path) -> Iterator[Function]:
    """A bundle of the index, moved to where other users may read it and nobody may write."""
    python = public_python()
    # pytest's own folders are closed to other users.
    with tempfile.TemporaryDirectory(prefix="coldseek-function-") as place:
        root = Path(place)
        root.chmod(0o755)
        report = write_bundle(index, root / "made")
        shutil.move(root / "made", root / "task")
        shutil.copytree(client, root / "client")
        (root / "client").chmod(0o755)
        (root / "closed").mkdir()
        for path in (root, *root.rglob("*")):
            path.chmod(path.stat().st_mode & 0o555)
        yield Function(report, index, root / "task", root / "client", root / "closed", python)
        for path in (root, *root.rglob("*")):
            path.chmod(path.stat().st_mode | 0o200)


@pytest.fixture(scope="module")
def function(
    tmp_path_factory: pytest.TempPathFactory, shared_data: Path, client: Path, sealed: Path
) -> Iterator[Function]:
    assert sealed.is_dir()
    made = tmp_path_factory.mktemp("made")
    documentation = shared_data / "docs" / "docusaurus" / "website" / "docs"
    coldseek.build([documentation], made / "docs.coldseek", base_url="/docs", embedder="mock")
    with deployed(made / "docs.coldseek", client) as function:
        yield function


def everything_below(folder: Path) -> dict[str, float]:
    return {str(path.relative_to(folder)): path.stat().st_mtime for path in folder.rglob("*")}


@pytest.mark.parametrize("runtime", ["AWS_Lambda_python3.11", "AWS_Lambda_python3.13"])
def test_events_in_a_row(function: Function, runtime: str) -> None:
    before = everything_below(function.task.parent)
    events: list[object] = [
        {"question": QUESTION},
        function_url("POST", "/retrieve", body=json.dumps({"question": QUESTION, "topK": 2})),
        api_gateway("GET", "/prod/search", stage="prod", queryStringParameters={"query": "swizzle 湯", "topK": "3"}),
        function_url("POST", "/retrieve", body=json.dumps({"question": "How long should I boil an egg?"})),
        function_url("POST", "/retrieve", body="{"),
        {"question": QUESTION, "topK": 0},
        '{"question": "half a pair \\ud83d"}',
        "this is no JSON",
        {"question": QUESTION},
    ]
    run = function.run(events, AWS_EXECUTION_ENV=runtime)
    assert run.init_error is None
    kinds = ["response"] * 5 + ["error"] * 3 + ["response"]
    assert [outcome.kind for outcome in run.outcomes] == kinds, run.log
    values = [outcome.value for outcome in run.outcomes]
    bodies = [json.loads(value["body"]) for value in values[1:5]]

    with coldseek.open(function.index) as index:
        expected = without_time(index.retrieve(QUESTION).to_dict())
        assert expected["answerable"]
        assert without_time(values[0]) == without_time(values[-1]) == expected
        assert without_time(bodies[0]) == without_time(index.retrieve(QUESTION, top_k=2).to_dict())
        assert without_time(bodies[1]) == without_time(index.search("swizzle 湯", top_k=3).to_dict())
    assert "egg" in bodies[2]["refusal"]["unknownWords"]
    assert (values[4]["statusCode"], bodies[3]["status"]) == (400, 400)
    assert [value["errorType"] for value in values[5:8]] == ["UsageError", "UsageError", "Runtime.UnmarshalError"]
    assert "topK must be a whole number from 1 to 50, not 0" in run.log
    assert everything_below(function.task.parent) == before


def test_a_snapshot_is_restored(function: Function) -> None:
    run = function.run([{"question": QUESTION}], AWS_LAMBDA_INITIALIZATION_TYPE="snap-start")
    assert run.paths[:2] == ["/2018-06-01/runtime/restore/next", "/2018-06-01/runtime/invocation/next"]
    assert run.outcomes[0].value["answerable"], run.log


def test_an_index_that_is_not_there_is_said_to_each_event(function: Function) -> None:
    run = function.run([{"query": "swizzle"}, function_url("GET", "/search")], COLDSEEK_INDEX="none.coldseek")
    assert run.init_error is None
    assert run.outcomes[0].value["errorType"] == "NotAnIndexError"
    assert str(function.task / "none.coldseek") in run.outcomes[0].value["errorMessage"]
    assert run.outcomes[1].value["statusCode"] == 500


def test_it_needs_nothing_but_itself(function: Function) -> None:
    """Isolated: no variable, no site-packages, no JIT."""
    code = f"""
import sys
sys.path.insert(0, {str(function.task)!r})
import coldseek, coldseek.aws_lambda
from coldseek_core.kernels import load
with coldseek.open({str(function.task / "docs.coldseek")!r}, verify="full") as index:
    print(load().level, index.retrieve({QUESTION!r}).answerable)
    print(*sorted(sys.modules))
"""
    done = subprocess.run(
        [function.python, "-I", "-S", "-c", code],
        env={"TMPDIR": str(function.closed)},
        cwd=function.closed,
        capture_output=True,
        text=True,
        check=False,
        **NOBODY,
    )
    assert (done.returncode, done.stderr) == (0, "")
    first, second = done.stdout.splitlines()
    level, answerable = first.split()
    assert level in levels_of(machine())
    assert answerable == "True"
    assert not {"numpy", "numba", "llvmlite", "pyarrow", "httpx"} & set(second.split())


@pytest.mark.usefixtures("sealed")
def test_questions_are_embedded_over_http(tmp_path: Path, client: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """httpx is in the bundle, and one event after the other may use it."""
    (tmp_path / "a.md").write_text("# Kettles\n\nA copper kettle.\n")
    with serving() as server:
        variables = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": server.url, "COLDSEEK_OPENAI_MODEL": "m"}
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        coldseek.build([tmp_path / "a.md"], tmp_path / "i.coldseek", embedder="openai")
        with deployed(tmp_path / "i.coldseek", client) as function:
            built = len(server.requests)
            run = function.run([{"query": "kettle"}, {"query": "copper"}], **variables)
            assert [outcome.value["mode"]["ran"] for outcome in run.outcomes] == ["hybrid", "hybrid"], run.log
            assert len(server.requests) == built + 2
            run = function.run([{"query": "kettle"}])
            assert [outcome.value["mode"]["ran"] for outcome in run.outcomes] == ["lexical"]
            assert "OPENAI_API_KEY" in run.outcomes[0].value["mode"]["degraded"]


def test_its_size(function: Function, tmp_path: Path) -> None:
    sizes = dict(function.report.parts)
    assert function.report.folder_bytes - sizes["index: docs.coldseek"] < RUNTIME_BYTES
    write_bundle(function.index, tmp_path / "bundle.zip")
    with zipfile.ZipFile(tmp_path / "bundle.zip") as archive:
        packed = {one.filename: archive.read(one) for one in archive.infolist() if not one.is_dir()}
    files = [path for path in function.task.rglob("*") if path.is_file()]
    assert packed == {path.relative_to(function.task).as_posix(): path.read_bytes() for path in files}


def test_for_another_machine_and_python(tmp_path: Path, function: Function, monkeypatch: pytest.MonkeyPatch) -> None:
    other = "aarch64" if machine() == "x86_64" else "x86_64"
    if find_linker(other) is None:
        pytest.skip(f"there is no linker for {other}; {linker_to_install(other)}")
    seal(other, tmp_path / "sealed", installed=True)
    monkeypatch.setattr(parts, "sealed_folder", lambda: str(tmp_path / "sealed"))
    report = write_bundle(function.index, tmp_path / "out.zip", python="3.13", platform=other)
    assert report.zip_bytes is not None
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        libraries = [name for name in archive.namelist() if name.endswith(".so") and "/sealed/" not in name]
    assert len(libraries) == 2
    assert all(name.endswith(f".cpython-313-{other}-linux-gnu.so") for name in libraries)
