"""Four real documentation sites, read as a reader and a search engine would want them."""

import io
import re
import tarfile
from pathlib import Path

import pytest
import yaml
import zstandard

import coldseek
from coldseek_core.ingest.documents import Document
from coldseek_core.ingest.read import ReadReport, read_documents

FENCED = re.compile(r"^[ >]*(?:(?:[-*]|\d+\.) +)*(`{3,}).*?^[ >]*\1`*[ ]*$", re.MULTILINE | re.DOTALL)
CODE_SPAN = re.compile(r"(`+).+?\1", re.DOTALL)


@pytest.fixture(scope="module")
def docusaurus(shared_data: Path) -> ReadReport:
    return read_documents([shared_data / "docs/docusaurus/website/docs"], base_url="/docs")


@pytest.fixture(scope="module")
def vite(shared_data: Path) -> ReadReport:
    return read_documents([shared_data / "docs/vite/docs"])


@pytest.fixture(scope="module")
def rust_book(shared_data: Path) -> ReadReport:
    return read_documents([shared_data / "docs/rust-book-tw/src"])


@pytest.fixture(scope="module")
def manual(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The HTML manual of PostgreSQL 15, as DocBook's stylesheets made it."""
    packed = (shared_data / "docs/postgresql-doc-15-html.tar.zst").read_bytes()
    unpacked = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(packed)).read()
    folder = tmp_path_factory.mktemp("postgresql")
    with tarfile.open(fileobj=io.BytesIO(unpacked)) as archive:
        archive.extractall(folder, filter="data")
    return next(folder.rglob("sql-select.html")).parent


def read_pages(manual: Path, *names: str) -> dict[str, Document]:
    report = read_documents([manual / f"{name}.html" for name in names])
    assert report.problems == ()
    return {document.path.removesuffix(".html"): document for document in report.documents}


def prose_of(documents: tuple[Document, ...]) -> list[str]:
    """The chunks' texts without code."""
    return [CODE_SPAN.sub("", FENCED.sub("", chunk.text)) for document in documents for chunk in document.chunks]


def page(report: ReadReport, url: str) -> Document:
    return next(document for document in report.documents if document.url == url)


def test_frameworks_pages_and_problems(docusaurus: ReadReport, vite: ReadReport, rust_book: ReadReport) -> None:
    assert (docusaurus.framework, len(docusaurus.documents)) == ("docusaurus", 87)
    assert (vite.framework, len(vite.documents)) == ("vitepress", 54)
    assert (rust_book.framework, len(rust_book.documents)) == ("none", 106)
    assert docusaurus.problems == vite.problems == rust_book.problems == ()
    # What three pages of vite show is all in components.
    assert [Path(out.path).name for out in vite.left_out] == ["blog.md", "index.md", "live.md"]
    assert [Path(out.path).name for out in docusaurus.left_out] == ["_markdown-partial-example.mdx"]


def test_the_pages_that_the_questions_expect_are_there(docusaurus: ReadReport, shared_data: Path) -> None:
    urls = {document.url for document in docusaurus.documents}
    questions = yaml.safe_load((shared_data / "docs/docusaurus/questions.yaml").read_text())["questions"]
    expected = [question["expect"] for question in questions if "expect" in question]
    assert len(expected) == 22
    for pages in expected:
        assert urls & set([pages] if isinstance(pages, str) else pages)


def test_sizes_and_ids(docusaurus: ReadReport, vite: ReadReport, rust_book: ReadReport) -> None:
    for report in (docusaurus, vite, rust_book):
        chunks = [chunk for document in report.documents for chunk in document.chunks]
        assert all(0 < len(chunk.text) <= 1200 and chunk.text == chunk.text.strip("\n") for chunk in chunks)
        assert len({chunk.id for chunk in chunks}) == len(chunks)
        assert [document.url for document in report.documents] == sorted(document.url for document in report.documents)
        assert all(document.title for document in report.documents)


def test_nothing_of_the_source_format_is_left(docusaurus: ReadReport, vite: ReadReport) -> None:
    for text in prose_of(docusaurus.documents):
        assert not re.search(
            r"^ *(?:import .* from|export (?:default|const)) |^---$|:::|</?[A-Z]|\{/\*|\]\(", text, re.MULTILINE
        )
        assert not re.search(r"\{#", "\n".join(line for line in text.split("\n") if "|" not in line))
    for text in prose_of(vite.documents):
        assert not re.search(r"<script|<style|:::|\]\(|\{\{|^---$", text, re.MULTILINE)


def test_anchors_of_docusaurus_are_those_written_in_the_page(docusaurus: ReadReport) -> None:
    anchors = {chunk.anchor for chunk in page(docusaurus, "/docs/deployment").chunks}
    assert {"configuration", "deploying-to-github-pages", "deploying-to-netlify"} <= anchors
    tabs = page(docusaurus, "/docs/markdown-features/tabs")
    assert tabs.title == "Tabs"
    assert tabs.metadata["description"] == "Using tabs inside Docusaurus Markdown"
    assert "Windows\n\nUse Ctrl + C to copy." in "\n".join(chunk.text for chunk in tabs.chunks)
    admonitions = page(docusaurus, "/docs/markdown-features/admonitions")
    assert any("admonition" in chunk.text and "```" in chunk.text for chunk in admonitions.chunks)


def test_anchors_of_vite_follow_its_links(vite: ReadReport) -> None:
    """The site's own links (`./features#hot-module-replacement`) lead to the anchors of the chunks."""
    anchors = {(document.url, chunk.anchor) for document in vite.documents for chunk in document.chunks}
    assert ("/guide/features.html", "hot-module-replacement") in anchors
    assert ("/config/server-options.html", "server-proxy") in anchors


def test_the_chinese_book(rust_book: ReadReport) -> None:
    ownership = page(rust_book, "/ch04-01-what-is-ownership")
    assert ownership.title == "什麼是所有權？"
    text = "\n".join(chunk.text for chunk in ownership.chunks)
    assert "rustdoc_include" not in text
    assert "<span" not in text
    assert "> ### 堆疊（Stack）與堆積（Heap）" in text
    assert "所有權規則" in {chunk.heading_path[-1] for chunk in ownership.chunks if chunk.heading_path}


POSTGRESQL_PAGES = {
    "tutorial-join": ("2.6. Joins Between Tables", {""}),
    "sql-select": ("SELECT", {"", "id-1.9.3.172.7", "SQL-WITH", "SQL-FROM"}),
    "app-psql": ("psql", {"", "APP-PSQL-META-COMMANDS", "APP-PSQL-VARIABLES"}),
    "runtime-config-resource": (
        "20.4. Resource Consumption",
        {"GUC-SHARED-BUFFERS", "GUC-TEMP-FILE-LIMIT"},
    ),
    "functions-string": ("9.4. String Functions and Operators", {"", "FUNCTIONS-STRING-FORMAT"}),
    "datatype-numeric": ("8.1. Numeric Types", {"", "DATATYPE-INT", "DATATYPE-SERIAL"}),
    "ddl-partitioning": ("5.11. Table Partitioning", {"DDL-PARTITIONING-OVERVIEW", "DDL-PARTITIONING-DECLARATIVE"}),
    "release-15-1": ("E.20. Release 15.1", {"", "id-1.11.6.25.5"}),
    "acronyms": ("Appendix L. Acronyms", {""}),
    "tutorial-sql": ("Chapter 2. The SQL Language", {""}),
}


def test_titles_and_anchors_of_the_postgresql_manual(manual: Path) -> None:
    pages = read_pages(manual, *POSTGRESQL_PAGES)
    for name, (title, anchors) in POSTGRESQL_PAGES.items():
        assert pages[name].title == title
        assert anchors <= {chunk.anchor for chunk in pages[name].chunks}
        source = (manual / f"{name}.html").read_text()
        assert all(f'id="{chunk.anchor}"' in source for chunk in pages[name].chunks if chunk.anchor)


def test_blocks_of_the_postgresql_manual(manual: Path) -> None:
    pages = read_pages(manual, *POSTGRESQL_PAGES)
    texts = {name: "\n\n".join(chunk.text for chunk in page.chunks) for name, page in pages.items()}
    assert "```\nSELECT * FROM weather JOIN cities ON city = name;\n```" in texts["tutorial-join"]
    assert "| `smallint` | 2 bytes | small-range integer | -32768 to +32767 |" in texts["datatype-numeric"]
    assert "`shared_buffers` (`integer`)\nSets the amount of memory" in texts["runtime-config-resource"]
    assert "`lower` ( `text` ) → `text`\nConverts the string" in texts["functions-string"]
    assert "GIN\nGeneralized Inverted Index" in texts["acronyms"]
    # A chapter's page that holds only its contents is that.
    assert "2.6. Joins Between Tables" in texts["tutorial-sql"]
    assert "§" not in texts["release-15-1"]


def test_definitions_of_the_postgresql_manual_are_found_by_their_terms(manual: Path) -> None:
    resource = read_pages(manual, "runtime-config-resource")["runtime-config-resource"]
    paths = {chunk.anchor: chunk.heading_path for chunk in resource.chunks}
    assert paths["GUC-SHARED-BUFFERS"] == ("20.4.1. Memory", "shared_buffers (integer)")
    assert paths["GUC-TEMP-FILE-LIMIT"] == ("20.4.2. Disk", "temp_file_limit (integer)")
    pieces = [chunk for chunk in resource.chunks if chunk.anchor == "GUC-HUGE-PAGES"]
    assert len(pieces) > 1
    assert len({chunk.section for chunk in pieces}) == 1


@pytest.mark.slow
def test_the_whole_postgresql_manual(manual: Path, tmp_path: Path) -> None:
    report = read_documents([manual], framework="none")
    assert (len(report.documents), report.problems) == (1168, ())
    assert [Path(out.path).name for out in report.left_out] == ["bookindex.html"]  # nothing but links
    shown = re.compile(
        r"^(?:Prev|Next|Up|Home)$|\bPrev\b.*\bNext\b|\bUp\b.*\bHome\b|PostgreSQL 15\.20 Documentation$", re.MULTILINE
    )
    tags = re.compile(r"</?(?:div|span|table|tr|td|p|pre|code|a|h[1-6]|ul|li)\b[^>]*>")
    titles = [document.title for document in report.documents]
    assert all(titles)
    for document in report.documents:
        for chunk in document.chunks:
            assert 0 < len(chunk.text) <= 1200
            assert not shown.search(chunk.text), chunk.id
            assert not tags.search(CODE_SPAN.sub("", FENCED.sub("", chunk.text))), chunk.id
    built = coldseek.build([manual], tmp_path / "index", framework="none")
    assert (built.documents, built.problems) == (1168, ())
    with coldseek.open(tmp_path / "index") as index:
        for name in ("paraphrased", "usual"):
            questions = Path(__file__).parent.parent / f"quality/postgresql_{name}_questions.yaml"
            assert coldseek.evaluate(index, questions).failures() == []
