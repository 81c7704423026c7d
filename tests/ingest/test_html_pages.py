"""HTML files as documents: URLs, titles, metadata, encodings, and what is left out."""

import codecs
import os
from pathlib import Path

import pytest

from coldseek_core.ingest.documents import Document
from coldseek_core.ingest.html_urls import canonical_url, is_own_place, own_url, page_key
from coldseek_core.ingest.read import read_documents
from ingest.pages_on_disk import read_site, write_site


def only(folder: Path, content: str | bytes, name: str = "a.html") -> Document:
    report = read_site(folder, {name: content})
    assert report.problems == ()
    [document] = report.documents
    return document


def test_a_site_of_html_and_other_files(tmp_path: Path) -> None:
    report = read_site(
        tmp_path,
        {
            "index.html": "<title>Home</title><p>start",
            "guide/index.html": "<h1>Guide</h1><p>guide",
            "guide/setup.html": "<h1>Set up</h1><p>do it<h2 id=more>More</h2><p>text",
            "old.htm": "<p>old page",
            "strict.xhtml": '<?xml version="1.0"?><html><body><p><a id="x"/>strict <i/>text</p></body></html>',
            "notes.md": "# Notes\n\nmd",
            "manual.rst": "Manual\n======\n\nrst",
            "style.css": "body {}",
            "empty.html": "<title>t</title><nav>only navigation</nav>",
        },
        base_url="/docs",
    )
    assert [(document.url, document.title) for document in report.documents] == [
        ("/docs/", "Home"),
        ("/docs/guide/", "Guide"),
        ("/docs/guide/setup.html", "Set up"),
        ("/docs/manual", "Manual"),
        ("/docs/notes", "Notes"),
        ("/docs/old.htm", "old"),
        ("/docs/strict.xhtml", "strict"),
    ]
    setup, strict = report.documents[2], report.documents[-1]
    assert [(chunk.id, chunk.text) for chunk in setup.chunks] == [
        ("/docs/guide/setup.html", "do it"),
        ("/docs/guide/setup.html#more", "text"),
    ]
    assert strict.chunks[0].text == "strict text"
    assert [os.path.basename(out.path) for out in report.left_out] == ["empty.html"]


def test_one_file_alone(tmp_path: Path) -> None:
    write_site(tmp_path, {"page.html": "<h1>Page</h1><p>text"})
    report = read_documents([tmp_path / "page.html"])
    assert [(document.url, document.title) for document in report.documents] == [("/page.html", "Page")]


def test_five_spellings_of_one_page_are_one_document(tmp_path: Path) -> None:
    spellings = ["/a", "/a/", "/a/index.html", "/a?utm_source=x&utm_medium=y", "/a/#x"]
    pages: dict[str, str | bytes] = {
        f"{number}.html": f'<link rel="canonical" href="https://example.com{href}"><p>text {number}'
        for number, href in enumerate(spellings)
    }
    report = read_site(tmp_path, pages)
    assert [document.url for document in report.documents] == ["https://example.com/a"]
    assert report.documents[0].path == "0.html"
    assert len(report.problems) == 4
    assert "0.html" in report.problems[0].reason


def test_of_several_copies_the_one_at_the_canonical_place_is_kept(tmp_path: Path) -> None:
    link = '<link rel=canonical href="https://example.com/docs/current/a.html">'
    report = read_site(tmp_path, {f"{version}/a.html": f"{link}<p>{version}" for version in ("14", "15", "current")})
    assert [document.path for document in report.documents] == ["current/a.html"]
    assert len(report.problems) == 2


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("https://x.org/b/", "https://x.org/b/"),
        ("HTTPS://x.org", "https://x.org/"),
        ("/b?lang=de&utm_id=1", "/b?lang=de"),
        ("../c.html#s", "/c.html"),
        ("", "/docs/a.html"),
        ("javascript:x", "/docs/a.html"),
        ("mailto:a@b.c", "/docs/a.html"),
        ("http://[bad", "/docs/a.html"),
        ("/b/index.htm", "/b/"),
        ("/myindex.html", "/myindex.html"),
        ("/a b", "/docs/a.html"),
    ],
)
def test_canonical_urls(href: str, url: str) -> None:
    assert canonical_url(href, "/docs/a.html") == url


def test_own_urls() -> None:
    assert own_url("index.html", "") == "/"
    assert own_url("a/index.htm", "/x") == "/x/a/"
    assert own_url("a/b c.html", "/x") == "/x/a/b%20c.html"
    assert own_url("a/b.html", "/x", clean_urls=True) == "/x/a/b"
    assert page_key("/a/?x=1") == page_key("/a?x=1") != page_key("/b")
    assert is_own_place("https://x.org/v/a/", "a/index.html")
    assert is_own_place("/a", "a.html")
    assert not is_own_place("/v1/a.html", "v2/a.html")


@pytest.mark.parametrize(
    ("head", "body", "title"),
    [
        ("<title>Set up | Example</title>", "<h1>Set up</h1>", "Set up"),
        ("<title>Example - Set up</title>", "<h1>Set up</h1>", "Set up"),
        (
            "<title>Set up &#8212; Example 3.1 documentation</title>",
            '<h1>Set up<a class="headerlink" href="#s">¶</a></h1>',
            "Set up",
        ),
        ("<title>Example: Set up</title>", "<h1>set  UP</h1>", "set UP"),
        ("<title>A | B | Example</title>", "<h1>A | B</h1>", "A | B"),
        ("<title>Set up | Example</title>", "<h1>Other</h1>", "Set up | Example"),
        ('<title>Set up | Example</title><meta property="og:site_name" content="Example">', "<h1>Other</h1>", "Set up"),
        ("<title> 2.6.\n Joins </title>", "<h2>2.6. Joins</h2>", "2.6. Joins"),
        ("", "<h1>Only <code>h1</code></h1>", "Only h1"),
        ("<title></title>", "<h3>Third</h3>", "Third"),
        ("<title>x &amp;amp; y</title>", "", "x &amp; y"),
        ("<title>Set up | Example</title>", "<header><h1>Set up</h1></header>", "Set up"),
        ("<title>Set up - Book</title>", "<h1>Book</h1><main><h1>How to set up</h1><p>x</main>", "Set up - Book"),
        ('<title>Vec in std::vec - Rust</title><meta name="generator" content="rustdoc">', "", "Vec in std::vec"),
        ("", "", "a"),
    ],
)
def test_titles(tmp_path: Path, head: str, body: str, title: str) -> None:
    assert only(tmp_path, f"<html><head>{head}</head><body>{body}<p>text</p></body></html>").title == title


def test_a_heading_that_repeats_the_title_is_the_top_of_the_page(tmp_path: Path) -> None:
    page = "<title>Set up | Example</title><main><h1 id=s>Set up</h1><p>text<h2 id=b>B</h2><p>more</main>"
    assert [(chunk.anchor, chunk.heading_path) for chunk in only(tmp_path, page).chunks] == [("", ()), ("b", ("B",))]


def test_metadata(tmp_path: Path) -> None:
    page = (
        '<html lang="de-AT"><meta name="Description" content=" what it \n says ">'
        '<meta name=keywords content="a, b ,,c"><p>text'
    )
    metadata = {"description": "what it says", "keywords": ["a", "b", "c"], "locale": "de-AT"}
    assert only(tmp_path, page).metadata == metadata


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("a.html", '<meta name="robots" content="NOINDEX, follow"><p>text'),
        ("a.html", '<meta name="robots" content="none"><p>text'),
        ("a.html", '<meta http-equiv="refresh" content="0; url=b.html"><p>moved'),
        ("404.html", "<p>not found"),
        ("genindex-A.html", "<p>A"),
        ("a.html", ""),
        ("a.html", "<h1>Heading alone</h1>"),
    ],
)
def test_pages_that_are_left_out(tmp_path: Path, name: str, page: str) -> None:
    report = read_site(tmp_path, {name: page})
    assert (report.documents, report.problems) == ((), ())
    assert len(report.left_out) == 1


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("<meta charset=windows-1252><p>é – €".encode("cp1252"), "é – €"),
        ("<meta charset='ISO-8859-1'><p>“é”".encode("cp1252"), "“é”"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS"><p>日本語'.encode("cp932"), "日本語"),
        ('<?xml version="1.0" encoding="koi8-r"?><html><p>мир'.encode("koi8-r"), "мир"),
        ("<meta charset=gb2312><p>中文".encode("gb18030"), "中文"),
        ("<meta charset=windows-1252><p>é in UTF-8".encode(), "Ã© in UTF-8"),
        (codecs.BOM_UTF8 + "<meta charset=windows-1252><p>é".encode(), "é"),
        (codecs.BOM_UTF16_LE + "<p>é".encode("utf-16-le"), "é"),
        ("<meta charset=klingon><p>é".encode(), "é"),
        ("<meta charset=iso-2022-jp><p>é".encode(), "é"),
        ("<meta charset=utf-16><p>é".encode(), "é"),
        ("<p>é\r\nb".encode(), "é b"),
    ],
)
def test_encodings(tmp_path: Path, content: bytes, text: str) -> None:
    assert only(tmp_path, content).chunks[0].text == text


@pytest.mark.parametrize(
    ("content", "word"),
    [
        ("<p>é".encode("cp1252"), "save the file as UTF-8"),
        ("<meta charset=klingon><p>é".encode("cp1252"), "klingon"),
        (b"<meta charset=utf-8><p>\xff", "0xff"),
        (b"<p>a\0b", "binary"),
    ],
)
def test_what_is_no_text_is_a_problem(tmp_path: Path, content: bytes, word: str) -> None:
    report = read_site(tmp_path, {"a.html": content, "b.html": "<p>good"})
    assert len(report.documents) == 1
    assert word in report.problems[0].reason


def test_data_uris_and_minified_lines_are_left_out(tmp_path: Path) -> None:
    payload = "QUJD" * 75_000
    page = (
        f'<p>before <img alt="chart" src="data:image/png;base64,{payload}">'
        f' <a href="data:text/plain;base64,{payload}">link</a>'
        f"<p>{payload}<pre>{'x=1;' * 2_000}</pre><p>after"
    )
    text = "\n\n".join(chunk.text for chunk in only(tmp_path, page).chunks)
    assert text == "before chart link\n\n…\n\n```\n…\n```\n\nafter"
