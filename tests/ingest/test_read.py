import base64
import os
import pickle
from pathlib import Path

import pytest

from coldseek_core.ingest.chunking import Chunking
from coldseek_core.ingest.read import merge, plan_reading, read_documents, read_file
from ingest.pages_on_disk import read_site, write_site


def test_a_mixed_folder(tmp_path: Path) -> None:
    report = read_site(
        tmp_path,
        {
            "b.md": "---\ntitle: B\nyear: 2024\nslug: z\n---\n# B\n\nbody\n\n## Part\n\nmore",
            "a.txt": "First line\n\nSecond   paragraph\nof text\n",
            "c.jsonl": '{"id": "c1", "text": "chunk", "url": "/zz", "title": "C"}',
            "empty.md": "",
            "only.mdx": "import X from 'x';\n\n<X />\n",
        },
        base_url="/docs",
    )
    assert [(document.url, document.title) for document in report.documents] == [
        ("/docs/a", "First line"),
        ("/docs/b", "B"),
        ("/zz", "C"),
    ]
    assert report.documents[0].chunks[0].text == "First line\n\nSecond   paragraph\nof text"
    assert report.documents[1].metadata == {"year": 2024, "slug": "z"}
    assert [chunk.id for chunk in report.documents[1].chunks] == ["/docs/b", "/docs/b#part"]
    assert report.problems == ()
    assert [os.path.basename(out.path) for out in report.left_out] == ["empty.md", "only.mdx"]
    assert report.framework == "none"


def test_what_is_wrong_with_one_file_does_not_stop_the_others(tmp_path: Path) -> None:
    report = read_site(
        tmp_path,
        {
            "binary.md": b"a\0b",
            "latin.md": "é".encode("latin-1"),
            "yaml.md": "---\na: [\n---\nbody of yaml",
            "value.md": "---\na: .inf\nb: 1\nc: 99999999999999999999\n---\nbody",
            "good.md": "good",
            "lines.jsonl": '{"id": "a", "text": "x"}\n{',
        },
    )
    assert [document.url for document in report.documents] == ["", "/good", "/value", "/yaml"]
    reasons = {os.path.basename(problem.path): problem.reason for problem in report.problems}
    assert sorted(reasons) == ["binary.md", "latin.md", "lines.jsonl", "value.md", "yaml.md"]
    assert "'c'" in reasons["value.md"]


@pytest.mark.usefixtures("ordinary_permissions")
def test_a_file_without_permission_is_reported(tmp_path: Path) -> None:
    site = write_site(tmp_path, {"a.md": "x", "b.md": "y"})
    (site / "a.md").chmod(0)
    report = read_documents([site])
    assert len(report.documents) == 1
    assert "permission" in report.problems[0].reason.lower()


def test_of_two_pages_with_one_url_the_first_is_kept_and_the_other_reported(tmp_path: Path) -> None:
    report = read_site(tmp_path, {"a.md": "from md", "a.txt": "from txt", "b.md": "b"})
    assert [document.chunks[0].text for document in report.documents] == ["from md", "b"]
    [problem] = report.problems
    assert problem.path.endswith("a.txt")
    assert "'/a'" in problem.reason
    assert "a.md" in problem.reason


def test_a_chunk_id_used_in_two_files_is_reported(tmp_path: Path) -> None:
    lines = '{"id": "same", "text": "x", "document": "%s"}\n{"id": "%s", "text": "y", "document": "%s"}'
    report = read_site(tmp_path, {"1.jsonl": lines % ("d1", "one", "d1"), "2.jsonl": lines % ("d2", "two", "d2")})
    assert [[chunk.id for chunk in document.chunks] for document in report.documents] == [["same", "one"], ["two"]]
    assert "'same'" in report.problems[0].reason


def test_files_can_be_read_by_other_processes(tmp_path: Path) -> None:
    site = write_site(tmp_path, {f"{number}.md": f"# Page {number}\n\ntext {number}" for number in range(5)})
    plan = plan_reading([site], chunking=Chunking(300, 20))
    results = [pickle.loads(pickle.dumps(read_file(pickle.loads(pickle.dumps(planned))))) for planned in plan.files]
    assert merge(plan, results) == read_documents([site], chunking=Chunking(300, 20))


def test_two_sources_with_different_frameworks(tmp_path: Path) -> None:
    first = write_site(tmp_path / "p" / "q" / "r" / "s", {"mkdocs.yml": "", "a.md": "x"})
    second = write_site(tmp_path / "t" / "u" / "v" / "w", {"b.md": "x"})
    report = read_documents([second, first])
    assert report.framework == "mkdocs+none"
    assert [document.url for document in report.documents] == ["/a/", "/b"]


def test_docusaurus_reads_md_as_mdx(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"a.md": "import X from 'x';\n\n<X title='T'>body</X>\n\n    indented"}
    assert read_site(tmp_path, files, "docusaurus").documents[0].chunks[0].text == "T\n\nbody\n\nindented"
    files["a.md"] = "---\nformat: md\n---\nimport X from 'x';"
    assert "import X" in read_site(tmp_path, files, "docusaurus").documents[0].chunks[0].text
    assert "import X" in read_site(tmp_path, files, "none").documents[0].chunks[0].text


def test_a_text_without_a_short_first_line_is_called_like_its_file(tmp_path: Path) -> None:
    report = read_site(tmp_path, {"notes.txt": "word " * 400 + "\n\n" + "# no heading\n\n    indented\n"})
    [document] = report.documents
    assert document.title == "notes"
    assert {chunk.section for chunk in document.chunks} == {0}
    assert document.chunks[-1].text.endswith("# no heading\n\n    indented")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a.md", "a.txt"])
def test_a_file_of_100_megabytes_is_read(tmp_path: Path, name: str) -> None:
    paragraph = "Some words of a sentence, and then some more of them. " * 20
    part = "\n\n".join(["## Heading", *[paragraph.strip()] * 20]) + "\n\n"
    (tmp_path / name).write_text(part * (100_000_000 // len(part)))
    report = read_documents([tmp_path])
    assert report.problems == ()
    assert sum(len(chunk.text) for chunk in report.documents[0].chunks) > 90_000_000


def test_a_large_binary_file_is_a_problem(tmp_path: Path) -> None:
    report = read_site(tmp_path, {"a.md": b"\x89PNG\0" * 4_000_000, "b.md": "text"})
    assert [document.url for document in report.documents] == ["/b"]
    assert len(report.problems) == 1


def test_a_very_long_file_is_read(tmp_path: Path) -> None:
    report = read_site(tmp_path, {"a.md": "Some words of a sentence.\n\n" * 20_000})
    assert sum(len(chunk.text) for chunk in report.documents[0].chunks) > 500_000


@pytest.mark.parametrize("name", ["a.md", "a.mdx", "a.html", "a.rst", "a.txt"])
@pytest.mark.parametrize("layout", ["one line", "lines"])
def test_a_blob_is_left_out_of_every_format(tmp_path: Path, name: str, layout: str) -> None:
    blob = base64.b64encode(bytes(number * number % 251 for number in range(225_000))).decode()
    if layout == "lines":
        blob = "\n".join(blob[start : start + 76] for start in range(0, len(blob), 76))
    around = ("<pre>", "</pre>") if name == "a.html" else ("::\n\n", "\n") if name == "a.rst" else ("", "")
    if name == "a.rst":
        blob = "\n".join(f"  {line}" for line in blob.split("\n"))
    [document] = read_site(tmp_path, {name: f"before\n\n{around[0]}\n{blob}\n{around[1]}\n\nafter\n"}).documents
    text = "\n".join(chunk.text for chunk in document.chunks)
    assert len(text) < 130
    assert "before" in text
    assert "after" in text


def test_front_matter_behind_a_byte_order_mark(tmp_path: Path) -> None:
    page = "---\ntitle: a --- b\nnote: |\n  ---\n---\n## A\n---\ntext"
    for number, data in enumerate((page.replace("\n", "\r\n").encode("utf-8-sig"), page.encode("utf-16"))):
        [document] = read_site(tmp_path / str(number), {"a.md": data}).documents
        assert (document.title, document.metadata) == ("a --- b", {"note": "---\n"})
        assert [(chunk.heading_path, chunk.text) for chunk in document.chunks] == [(("A",), "text")]
