"""What is in a bundle, that it comes out the same each time, and what its sizes are."""

import json
import os
import shutil
import stat
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest

import coldseek
import coldseek_core
from coldseek.bundle import BundleReport, wheels, write
from coldseek.cli import main
from coldseek_core.kernels.levels import levels_of
from coldseek_core.kernels.sealed_files import read_table
from coldseek_core.linking import linked_source

ROOT = Path(__file__).resolve().parents[2]
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.usefixtures("wheelhouse")
def test_what_is_in_it(make: Callable[..., BundleReport], bundled_index: Path, tmp_path: Path) -> None:
    report = make()
    files = files_of(tmp_path / "out")
    generation = report.generation
    named = {name for name in files if name.startswith("site.coldseek/")}
    assert {"site.coldseek/manifest.msgpack", f"site.coldseek/{generation}/vectors.arrow"} < named
    assert {name.split("/")[1] for name in named} == {"manifest.msgpack", generation}
    assert all(files[name] == (bundled_index.parent / name).read_bytes() for name in named)
    assert coldseek.verify(tmp_path / "out" / "site.coldseek") == []

    libraries = {name for name in files if "/kernels/sealed/" in name}
    assert len(libraries) == len(levels_of("x86_64")) + 1
    assert set(read_table(str(tmp_path / "out/coldseek_core/kernels/sealed"))) == set(levels_of("x86_64"))

    left_out = ("coldseek/bundle/", "coldseek/docs/", "coldseek_core/ingest/", "coldseek_core/quality/")
    expected = {
        name: data
        for package in (coldseek, coldseek_core)
        for name, data in files_of(Path(package.__path__[0]).parent).items()
        if name.startswith(f"{package.__name__}/") and not name.startswith(left_out)
    }
    expected = {name: data for name, data in expected.items() if "__pycache__" not in name and "/sealed/" not in name}
    assert {"coldseek/aws_lambda.py", "coldseek_core/search/engine.py"} < set(expected)
    expected["coldseek/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    packages = {package.__name__: Path(package.__path__[0]) for package in (coldseek, coldseek_core)}
    expected["coldseek_core/linked.py"] = linked_source(packages).encode()
    ours = {name for name in files if name.startswith(("coldseek/", "coldseek_core/")) and "__pycache__" not in name}
    assert {name: files[name] for name in ours - libraries} == expected
    assert {"stub_msgpack.py", "stub_PyStemmer.py"} < set(files)
    assert not (tmp_path / "out" / "bin").exists()

    sources = {name.removesuffix(".py") for name in files if name.endswith(".py")}
    compiled = {name.replace("__pycache__/", "").rsplit(".", 2)[0] for name in files if name.endswith(".pyc")}
    assert compiled == sources
    assert report.folder_bytes == sum(map(len, files.values()))
    assert (report.index, report.python, report.platform, report.zip_bytes) == (
        "site.coldseek",
        PYTHON,
        "x86_64",
        None,
    )
    assert report.warnings == ()


@pytest.mark.usefixtures("wheelhouse")
def test_for_another_kind_of_machine(make: Callable[..., BundleReport], tmp_path: Path) -> None:
    report = make(platform="arm64")
    assert report.platform == "aarch64"
    table = read_table(str(tmp_path / "out/coldseek_core/kernels/sealed"))
    assert set(table) == set(levels_of("aarch64"))
    assert (tmp_path / "out" / "stub_msgpack.py").read_text() == "aarch64"


@pytest.mark.slow
@pytest.mark.usefixtures("wheelhouse")
def test_it_answers_without_what_was_left_out(make: Callable[..., BundleReport], tmp_path: Path) -> None:
    """With this environment's packages: the stubs are none, and the kernels are compiled."""
    make("first")
    place = tmp_path / "other" / "place"
    shutil.copytree(tmp_path / "first", place)
    variables = {**os.environ, "PYTHONPATH": str(place), "COLDSEEK_CPU_LEVEL": "jit", "LAMBDA_TASK_ROOT": str(place)}

    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, *arguments], env=variables, cwd=tmp_path, capture_output=True, text=True, check=False
        )

    script = "import json\nfrom coldseek.aws_lambda import __file__, handler\n"
    script += "print(__file__, json.dumps(handler({'query': 'copper'})))"
    done = run("-c", script)
    assert done.returncode == 0, done.stderr
    file, _, answer = done.stdout.partition(" ")
    assert file == str(place / "coldseek" / "aws_lambda.py")
    assert json.loads(answer)["hits"][0]["chunk"]["title"] == "Kettles"
    done = run("-m", "coldseek", "retrieve", str(place / "site.coldseek"), "copper kettle")
    assert (done.returncode, done.stdout[:11], done.stderr) == (0, "[1] Kettles", "")
    for arguments in (
        ("build", str(tmp_path / "a.md"), "-o", "x"),
        ("eval", str(place / "site.coldseek"), "q.yaml"),
        ("bundle", str(place / "site.coldseek"), "-o", "x"),
        ("demo",),
    ):
        done = run("-m", "coldseek", *arguments)
        assert done.returncode == 1
        assert "not possible from a bundle" in done.stderr, arguments
        assert len(done.stderr.splitlines()) == 1


@pytest.mark.usefixtures("wheelhouse")
def test_a_zip_is_the_same_each_time(make: Callable[..., BundleReport], bundled_index: Path, tmp_path: Path) -> None:
    report = make("a.zip")
    for path in bundled_index.rglob("*"):
        os.utime(path, (1, 1))
    before = os.umask(0o077)
    try:
        make("b.zip")
        make("folder")
    finally:
        os.umask(before)
    data = (tmp_path / "a.zip").read_bytes()
    assert data == (tmp_path / "b.zip").read_bytes()
    assert report.zip_bytes == len(data) < report.folder_bytes
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        entries = archive.infolist()
        assert archive.testzip() is None
        assert {one.filename: archive.read(one) for one in entries if not one.is_dir()} == files_of(tmp_path / "folder")
    assert [one.filename for one in entries] == sorted(
        (one.filename for one in entries), key=lambda name: name.split("/")
    )
    assert {one.date_time for one in entries} == {(1980, 1, 1, 0, 0, 0)}
    for one in entries:
        mode = (tmp_path / "folder" / one.filename).stat().st_mode
        assert one.external_attr >> 16 == mode


@pytest.mark.usefixtures("stubs")
def test_everybody_may_read_it(make: Callable[..., BundleReport], bundled_index: Path, tmp_path: Path) -> None:
    for path in bundled_index.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)
    make()
    for path in ((tmp_path / "out"), *(tmp_path / "out").rglob("*")):
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o755 if path.is_dir() else 0o644) or (mode == 0o755 and path.name.startswith("stub")), path


@pytest.mark.usefixtures("stubs")
def test_names_of_indexes(make: Callable[..., BundleReport], bundled_index: Path, tmp_path: Path) -> None:
    for order, (name, expected) in enumerate(
        {
            "docs": "docs.coldseek",
            "x.coldseek": "x.coldseek",
            ".coldseek": "index.coldseek",
            os.fsdecode(b"caf\xe9.coldseek"): "index.coldseek",
        }.items()
    ):
        shutil.copytree(bundled_index, tmp_path / "named" / name)
        assert make(f"{order}.zip", index=tmp_path / "named" / name).index == expected


@pytest.mark.usefixtures("stubs")
def test_an_empty_folder_is_filled(make: Callable[..., BundleReport], tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    make("out")
    assert (tmp_path / "out" / "coldseek").is_dir()
    make("new/folders/x")
    assert (tmp_path / "new/folders/x/coldseek").is_dir()


def test_another_python(make: Callable[..., BundleReport], wheelhouse: Path, tmp_path: Path) -> None:
    for path in list(wheelhouse.iterdir()):
        path.rename(path.with_name(path.name.replace(f"cp{PYTHON.replace('.', '')}", "cp399")))
    report = make(python="3.99")
    assert not list((tmp_path / "out").rglob("*.pyc"))
    assert ["not compiled" in warning for warning in report.warnings] == [True]


@pytest.mark.usefixtures("stubs")
def test_sizes_that_lambda_does_not_take(make: Callable[..., BundleReport], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write, "LAMBDA_FOLDER_BYTES", 1000)
    monkeypatch.setattr(write, "LAMBDA_UPLOAD_BYTES", 100)
    assert [warning[:46] for warning in make("a.zip").warnings] == [
        "AWS Lambda takes at most 1,000 bytes unzipped,",
        "AWS Lambda takes at most 100 bytes uploaded di",
    ]
    assert len(make("a").warnings) == 1


@pytest.mark.usefixtures("stubs")
def test_an_index_that_is_embedded_over_http(
    make: Callable[..., BundleReport], monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted: list[str] = []
    monkeypatch.setattr(write, "speaks_http", lambda _: True)
    monkeypatch.setattr(write, "add_packages", lambda _folder, names, *_: wanted.extend(names))
    report = make()
    assert wanted == [f"{name}=={version(name)}" for name in ("msgpack", "PyStemmer", "httpx")]
    assert "its key must be in the function's environment" in report.warnings[0]


def test_the_packages_are_those_that_the_project_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    def names(requirements: list[str]) -> tuple[str, ...]:
        return tuple(one.partition(">")[0] for one in requirements)

    assert names(project["dependencies"]) == wheels.RUNTIME
    assert names(project["optional-dependencies"]["http"]) == wheels.HTTP


def test_the_command(
    bundled_index: Path, sealed: Path, wheelhouse: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert {sealed.is_dir(), wheelhouse.is_dir()} == {True}
    command = ["bundle", str(bundled_index), "--platform", "x86_64", "-o"]
    assert main([*command, str(tmp_path / "out")]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "index: site.coldseek" in out
    assert out.splitlines()[-1] == "handler for AWS Lambda: coldseek.aws_lambda.handler"
    assert main([*command, str(tmp_path / "out.zip"), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["zipBytes"] == (tmp_path / "out.zip").stat().st_size
    assert sum(part["bytes"] for part in report["parts"]) == report["folderBytes"]
    assert main([*command, str(tmp_path / "out")]) == 1
    assert "is there already" in capsys.readouterr().err
