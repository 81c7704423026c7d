from pathlib import Path
from typing import Any

import pytest

from coldseek_core.errors import UsageError
from coldseek_core.ingest.pages import check_base_url, left_out, page_of
from coldseek_core.ingest.read import plan_reading, read_documents
from ingest.pages_on_disk import read_site, write_site


@pytest.mark.parametrize(
    ("relative", "values", "url"),
    [
        ("intro.md", {}, "/docs/intro"),
        ("guide/setup.mdx", {}, "/docs/guide/setup"),
        ("01-guide/02_setup.md", {}, "/docs/guide/setup"),
        ("2021-01-01-news.md", {}, "/docs/2021-01-01-news"),
        ("7.0-foo.md", {}, "/docs/7.0-foo"),
        ("01-a/02-b.md", {"parse_number_prefixes": False}, "/docs/01-a/02-b"),
        ("index.md", {}, "/docs"),
        ("guide/index.mdx", {}, "/docs/guide"),
        ("guide/README.md", {}, "/docs/guide"),
        ("guide/Guide.md", {}, "/docs/guide"),
        ("guide/setup.md", {"id": "start"}, "/docs/guide/start"),
        ("guide/setup.md", {"slug": "start"}, "/docs/guide/start"),
        ("guide/setup.md", {"slug": "/start/"}, "/docs/start"),
        ("guide/setup.md", {"slug": "../start"}, "/docs/start"),
        ("guide/setup.md", {"slug": "/", "id": "x"}, "/docs"),
        ("guide/setup.md", {"slug": 2024}, "/docs/guide/2024"),
        ("guide/index.md", {"slug": "x"}, "/docs/guide/x"),
        ("a b/c#d?.md", {}, "/docs/a%20b/c%23d%3F"),
        ("指南/安装.md", {}, "/docs/指南/安装"),
    ],
)
def test_docusaurus_urls(relative: str, values: dict[str, Any], url: str) -> None:
    assert page_of(relative, values, "docusaurus", "/docs").url == url


@pytest.mark.parametrize(
    ("framework", "relative", "clean", "url"),
    [
        ("mkdocs", "index.md", False, "/"),
        ("mkdocs", "README.md", False, "/"),
        ("mkdocs", "guide/index.md", False, "/guide/"),
        ("mkdocs", "guide/setup.md", False, "/guide/setup/"),
        ("vitepress", "index.md", False, "/"),
        ("vitepress", "guide/index.md", False, "/guide/"),
        ("vitepress", "guide/setup.md", False, "/guide/setup.html"),
        ("vitepress", "guide/setup.md", True, "/guide/setup"),
        ("none", "guide/01-setup.md", False, "/guide/01-setup"),
        ("none", "a.b.md", False, "/a.b"),
    ],
)
def test_urls_of_other_frameworks(framework: str, relative: str, clean: bool, url: str) -> None:
    assert page_of(relative, {}, framework, "", clean).url == url


@pytest.mark.parametrize(
    ("base", "url"),
    [("", "/x"), ("/", "/x"), ("/docs", "/docs/x"), ("docs/", "/docs/x"), ("https://x.y/docs/", "https://x.y/docs/x")],
)
def test_base_urls_are_joined_with_one_slash(base: str, url: str) -> None:
    assert page_of("x.md", {}, "none", check_base_url(base)).url == url


@pytest.mark.parametrize("base", ["/a b", "/a?b=c", "/a#b", "/a?", "https://[x"])
def test_base_urls_that_cannot_be_joined_are_errors(base: str) -> None:
    with pytest.raises(UsageError, match="base URL"):
        read_documents(["."], base_url=base)


@pytest.mark.parametrize(
    ("relative", "values", "framework", "out"),
    [
        ("_partial.mdx", {}, "docusaurus", True),
        ("_drafts/page.mdx", {}, "docusaurus", True),
        ("_partial.md", {}, "none", False),
        ("a.md", {"draft": True}, "docusaurus", True),
        ("a.md", {"unlisted": True}, "docusaurus", True),
        ("a.md", {"noindex": True}, "docusaurus", True),
        ("a.md", {"draft": False}, "docusaurus", False),
        ("a.md", {"search": {"exclude": True}}, "mkdocs", True),
        ("a.md", {"search": False}, "vitepress", True),
    ],
)
def test_pages_that_are_no_part_of_the_site(relative: str, values: dict[str, Any], framework: str, out: bool) -> None:
    assert bool(left_out(relative, values, framework)) == out


@pytest.mark.parametrize(
    ("files", "framework"),
    [
        ({"docusaurus.config.ts": "", "docs/a.md": "x"}, "docusaurus"),
        ({"mkdocs.yml": "", "docs/a.md": "x"}, "mkdocs"),
        ({"docs/.vitepress/config.mts": "", "docs/a.md": "x"}, "vitepress"),
        ({"docs/a.md": "---\nsidebar_position: 1\n---\nx"}, "docusaurus"),
        ({"docs/a.md": "x", "docs/_category_.json": "{}"}, "docusaurus"),
        ({"docs/a.mdx": "import Tabs from '@theme/Tabs';\n\nx"}, "docusaurus"),
        ({"docs/a.md": "<script setup>\n</script>\nx"}, "vitepress"),
        ({"docs/a.md": "!!! note\n    x"}, "mkdocs"),
        ({"docs/a.md": "# plain\n\nx"}, "none"),
    ],
)
def test_the_framework_is_guessed(tmp_path: Path, files: dict[str, str | bytes], framework: str) -> None:
    site = write_site(tmp_path / "a" / "b" / "site", files)
    assert plan_reading([site / "docs"]).framework == framework


def test_clean_urls_come_from_the_configuration(tmp_path: Path) -> None:
    site = write_site(tmp_path, {".vitepress/config.ts": "export default { cleanUrls: true }", "a.md": "x"})
    assert [document.url for document in read_documents([site]).documents] == ["/a"]
    assert [document.url for document in read_documents([site], clean_urls=False).documents] == ["/a.html"]


def test_an_unknown_framework_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="vitepress"):
        read_site(tmp_path, {"a.md": "x"}, framework="hugo")


@pytest.mark.parametrize(
    ("source", "framework", "title"),
    [
        ("---\ntitle: Given\n---\n# Heading\nx", "docusaurus", "Given"),
        ("---\ntitle: 2024\n---\nx", "none", "2024"),
        ("# The `heading` [text](x)\nx", "docusaurus", "The heading text"),
        ("## Second level\nx", "docusaurus", "setup"),
        ("## Second level\nx", "none", "Second level"),
        ("x\n\n## Second level\nx", "none", "02-setup"),
    ],
)
def test_titles(tmp_path: Path, source: str, framework: str, title: str) -> None:
    report = read_site(tmp_path, {"guide/02-setup.md": source}, framework)
    assert [document.title for document in report.documents] == [title]
