"""reStructuredText files to documents."""

from typing import Any

from coldseek_core.errors import SourceError
from coldseek_core.ingest.assembly import make_chunks
from coldseek_core.ingest.decoding import read_text
from coldseek_core.ingest.documents import Document, Problem
from coldseek_core.ingest.front_matter import metadata_of
from coldseek_core.ingest.html_text import without_embedded_data
from coldseek_core.ingest.page_files import NO_TEXT, FileResult, PageSettings
from coldseek_core.ingest.pages import left_out, page_of
from coldseek_core.ingest.rst import parse_rst
from coldseek_core.ingest.sources import SourceFile

# Fields at the top that steer Sphinx and say nothing about the page, and the title, which is no metadata.
_FOR_SPHINX = frozenset({"title", "tocdepth", "orphan", "nocomments", "nosearch"})


def read_rst_file(file: SourceFile, settings: PageSettings) -> FileResult:
    """A page of reStructuredText; its URL is its path without the suffix. A page without text gives no document, one
    that docutils cannot handle a Problem."""
    shown = str(file.path)
    try:
        source = read_text(file.path)
    except SourceError as error:
        return FileResult(problems=(Problem(shown, str(error)),))
    try:
        sections, fields = parse_rst(without_embedded_data(source))
    except RecursionError:
        return FileResult(problems=(Problem(shown, "it is nested too deeply to be read; split its lists or quotes"),))
    except Exception as error:  # a fault of one page, whatever it is, must not end the build
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        return FileResult(problems=(Problem(shown, f"cannot be read as reStructuredText: {reason}"),))
    values: dict[str, Any] = {**fields, "noindex": fields.get("noindex") or fields.get("nosearch")}
    reason = left_out(file.relative, values, "none")
    if reason:
        return FileResult(left_out=reason)
    metadata, faults = metadata_of({name: value for name, value in fields.items() if name not in _FOR_SPHINX})
    page = page_of(file.relative, {}, "none", settings.base_url)
    given = fields.get("title")
    heading = next((section.heading for section in sections if section.level == 1), "")
    title = given if isinstance(given, str) else heading or page.name
    chunks = make_chunks(sections, title, page.url, settings.chunking)
    problems = tuple(Problem(shown, fault) for fault in faults)
    if not chunks:
        return FileResult(problems=problems, left_out=NO_TEXT)
    return FileResult((Document(page.url, file.relative, page.url, title, metadata, chunks),), problems)
