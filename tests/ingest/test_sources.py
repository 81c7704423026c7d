import os
import random
from pathlib import Path

import pytest

from coldseek_core.errors import UsageError
from coldseek_core.ingest.sources import find_files
from ingest.pages_on_disk import write_site

SITE: dict[str, str | bytes] = {
    "b.md": "x",
    "a/z.mdx": "x",
    "a/y.TXT": "x",
    "a/b/c.markdown": "x",
    "chunks.jsonl": "{}",
    "image.png": b"\0",
    ".hidden/a.md": "x",
    ".hidden.md": "x",
    "node_modules/p/README.md": "x",
    "_partial.md": "x",
}
FOUND = ["_partial.md", "a/b/c.markdown", "a/y.TXT", "a/z.mdx", "b.md", "chunks.jsonl"]


def test_folders_are_walked_in_one_order(tmp_path: Path) -> None:
    files, problems = find_files([write_site(tmp_path, SITE)])
    assert [file.relative for file in files] == FOUND
    assert problems == []
    assert all(file.path.is_file() for file in files)


def test_the_order_of_the_arguments_does_not_matter(tmp_path: Path) -> None:
    site = write_site(tmp_path, SITE)
    sources: list[str | Path] = [site / "a", site, str(site / "b.md"), site / "a" / "b", f"{site}/a/../a"]
    expected = find_files(sources)
    for seed in range(5):
        random.Random(seed).shuffle(sources)
        assert find_files(sources) == expected
    assert [file.relative for file in expected[0]] == FOUND


def test_links_are_followed_without_going_round_in_circles(tmp_path: Path) -> None:
    site = write_site(tmp_path / "site", {"a/page.md": "x"})
    other = write_site(tmp_path / "other", {"far.md": "x"})
    (site / "a" / "up").symlink_to(site)
    (site / "self").symlink_to(site / "self")
    (site / "0-copy.md").symlink_to(site / "a" / "page.md")
    (site / "far").symlink_to(other)
    (site / "dead.md").symlink_to(site / "nowhere.md")
    files, problems = find_files([site])
    assert [file.relative for file in files] == ["a/page.md", "far/far.md"]
    [problem] = problems
    assert problem.path.endswith("dead.md")
    assert "leads nowhere" in problem.reason


def test_a_name_that_is_not_text_is_told(tmp_path: Path) -> None:
    """Old archives hold Latin-1 names; such a page must not be lost in silence."""
    site = write_site(tmp_path / "site", {"a.md": "x"})
    for name in (b"caf\xe9.md", b"caf\xe9.png"):
        (Path(os.fsdecode(os.fsencode(site) + b"/" + name))).write_text("y")
    files, problems = find_files([site])
    assert [file.relative for file in files] == ["a.md"]
    assert [problem.reason for problem in problems] == ["its name is not UTF-8; rename it"]
    alone = find_files([problems[0].path])
    assert alone == ([], problems)


def test_an_index_among_the_documents_is_no_source(tmp_path: Path) -> None:
    site = write_site(tmp_path / "site", {"a.md": "x", "out/notes.md": "y", "out/manifest.msgpack": "z"})
    files, problems = find_files([site])
    assert [file.relative for file in files] == ["a.md"]
    assert problems == []


def test_copies_of_sources_in_a_site_that_sphinx_built_are_left_out(tmp_path: Path) -> None:
    built = write_site(tmp_path / "built", {"objects.inv": b"\0", "a.html": "x", "_sources/a.rst.txt": "x"})
    own = write_site(tmp_path / "own", {"_sources/b.txt": "x"})
    assert [file.relative for file in find_files([built])[0]] == ["a.html"]
    assert [file.relative for file in find_files([own])[0]] == ["_sources/b.txt"]


def test_one_file(tmp_path: Path) -> None:
    site = write_site(tmp_path, SITE)
    [file], problems = find_files([site / "a" / "z.mdx"])
    assert (file.root, file.relative, problems) == (str(site / "a"), "z.mdx", [])


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("image.png", ".png"),
        ("noend", "no suffix"),
        ("nowhere", "no such"),
        ("empty", "no documents"),
        ("pipe.md", "regular"),
    ],
)
def test_sources_that_cannot_be_read_are_reported(tmp_path: Path, source: str, reason: str) -> None:
    site = write_site(tmp_path, {**SITE, "noend": "x"})
    (site / "empty").mkdir()
    os.mkfifo(site / "pipe.md")
    files, [problem] = find_files([site / source, site / "b.md"])
    assert [file.relative for file in files] == ["b.md"]
    assert problem.path == str(site / source)
    assert reason in problem.reason
    if source in {"image.png", "noend", "empty"}:
        assert ".mdx" in problem.reason


def test_no_sources_and_a_bare_string_are_errors() -> None:
    with pytest.raises(UsageError, match="no sources"):
        find_files([])
    with pytest.raises(UsageError, match="list of paths"):
        find_files("docs")
