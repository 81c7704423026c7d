"""Markdown, MDX and plain text files to documents."""

import posixpath
from dataclasses import dataclass, field
from typing import Any

from coldseek_core.errors import SourceError
from coldseek_core.ingest.assembly import make_chunks
from coldseek_core.ingest.chunking import Chunking
from coldseek_core.ingest.corpus import Corpus
from coldseek_core.ingest.decoding import read_text
from coldseek_core.ingest.documents import Document, Note, Problem
from coldseek_core.ingest.front_matter import metadata_of, split_front_matter
from coldseek_core.ingest.html_text import without_embedded_data, without_long_runs
from coldseek_core.ingest.markdown import parse_markdown
from coldseek_core.ingest.mdx_page import read_mdx
from coldseek_core.ingest.pages import Page, left_out, page_of
from coldseek_core.ingest.sections import Block, Section
from coldseek_core.ingest.sources import SourceFile

_LONGEST_TITLE_LINE = 120
NO_TEXT = "it holds no text of its own"


@dataclass(frozen=True, slots=True)
class PageSettings:
    """How the files of one root are read. `base_url` as from pages.check_base_url."""

    base_url: str = ""
    framework: str = "none"
    clean_urls: bool = False
    chunking: Chunking = field(default_factory=Chunking)


@dataclass(frozen=True, slots=True)
class FileResult:
    """What came of one file: documents, one by one or in `corpus`, problems, why the file is no part of the site ("" if
    it is), and notes."""

    documents: tuple[Document, ...] = ()
    problems: tuple[Problem, ...] = ()
    left_out: str = ""
    notes: tuple[Note, ...] = ()
    corpus: Corpus | None = None


def read_markdown_file(file: SourceFile, settings: PageSettings) -> FileResult:
    """A Markdown or MDX page. In a docusaurus site every page is MDX unless it says `format: md`.

    A page without text gives no
    document."""
    shown = str(file.path)
    early = left_out(file.relative, {}, settings.framework)
    if early:
        return FileResult(left_out=early)
    try:
        source = read_text(file.path)
    except SourceError as error:
        return FileResult(problems=(Problem(shown, str(error)),))
    values, body, fault = split_front_matter(source)
    metadata, faults = metadata_of({key: value for key, value in values.items() if key != "title"})
    problems = tuple(Problem(shown, reason) for reason in (fault, *faults) if reason)
    reason = left_out(file.relative, values, settings.framework)
    if reason:
        return FileResult(problems=problems, left_out=reason)
    is_mdx = (file.suffix == ".mdx" or settings.framework == "docusaurus") and values.get("format") != "md"
    notes: tuple[Note, ...] = ()
    if is_mdx:
        mdx = read_mdx(file, source)
        body, notes = mdx.text, tuple(mdx.notes)
        problems += tuple(mdx.problems)
    sections = parse_markdown(body, settings.framework, indented_code=not is_mdx)
    page = page_of(file.relative, values, settings.framework, settings.base_url, settings.clean_urls)
    title = _title(values, sections, page, settings.framework)
    chunks = make_chunks(sections, title, page.url, settings.chunking)
    if not chunks:
        return FileResult(problems=problems, left_out=NO_TEXT, notes=notes)
    document = Document(page.url, file.relative, page.url, title, metadata, chunks)
    return FileResult((document,), problems, notes=notes)


def _title(values: dict[str, Any], sections: list[Section], page: Page, framework: str) -> str:
    """The front matter's title, else the first heading of level 1, else the file's or folder's name.

    Without a framework, a page that opens with a heading of another level is called that.
    """
    given = values.get("title")
    if given is not None and not isinstance(given, dict | list):
        title = " ".join(str(given).split())
        if title:
            return title
    first = next((section.heading for section in sections if section.level == 1), "")
    if not first and framework == "none" and len(sections) > 1 and not sections[0].blocks:
        first = sections[1].heading
    return first or page.name


def read_text_file(file: SourceFile, settings: PageSettings) -> FileResult:
    """Plain text: paragraphs in one section; the title is the first line if it is short, else the file's
    name."""
    shown = str(file.path)
    try:
        source = read_text(file.path)
    except SourceError as error:
        return FileResult(problems=(Problem(shown, str(error)),))
    paragraphs = _paragraphs(without_embedded_data(source))
    if not paragraphs:
        return FileResult(left_out=NO_TEXT)
    name = posixpath.splitext(posixpath.basename(file.relative))[0]
    first_line = paragraphs[0].split("\n", 1)[0].strip()
    title = " ".join(first_line.split()) if len(first_line) <= _LONGEST_TITLE_LINE else name
    page = page_of(file.relative, {}, "none", settings.base_url)
    blocks = [Block("text", without_long_runs(paragraph)) for paragraph in paragraphs]
    chunks = make_chunks([Section(0, "", "", blocks)], title, page.url, settings.chunking)
    return FileResult((Document(page.url, file.relative, page.url, title, {}, chunks),))


def _paragraphs(text: str) -> list[str]:
    """Runs of lines that are not blank, without white space at the lines' ends."""
    paragraphs: list[list[str]] = [[]]
    for line in text.replace("\f", "\n").split("\n"):
        if line.strip():
            paragraphs[-1].append(line.rstrip())
        elif paragraphs[-1]:
            paragraphs.append([])
    return ["\n".join(lines) for lines in paragraphs if lines]
