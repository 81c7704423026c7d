"""Files and folders to documents: the way in for everything that builds an index."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from coldseek_core.ingest.chunking import Chunking
from coldseek_core.ingest.documents import Document, Note, Problem
from coldseek_core.ingest.frameworks import check_framework, guess_framework, has_clean_urls
from coldseek_core.ingest.html_page import read_html_file
from coldseek_core.ingest.html_urls import HTML_SUFFIXES, is_own_place, page_key
from coldseek_core.ingest.jsonl import read_jsonl
from coldseek_core.ingest.page_files import FileResult, PageSettings, read_markdown_file, read_text_file
from coldseek_core.ingest.pages import check_base_url
from coldseek_core.ingest.rst_page import read_rst_file
from coldseek_core.ingest.sources import SourceFile, find_files

_MOST_WARNINGS = 50


@dataclass(frozen=True, slots=True)
class ReadPlan:
    """What to read and how: each file with its settings. Both can be pickled, so files can be read by other
    processes."""

    files: tuple[tuple[SourceFile, PageSettings], ...]
    problems: tuple[Problem, ...]
    framework: str


@dataclass(frozen=True, slots=True)
class ReadReport:
    """`documents` by (url, path); `problems` and `left_out` (pages that are no part of the site, and why)
    by path.

    `framework` is the one asked for or guessed; if sources differ, their names joined by `+`. `warnings` are lines on
    what is no problem, each told once with its number of places and the first of them.
    """

    documents: tuple[Document, ...]
    problems: tuple[Problem, ...]
    left_out: tuple[Problem, ...]
    framework: str
    warnings: tuple[str, ...] = ()


def _read_jsonl_file(file: SourceFile, settings: PageSettings) -> FileResult:  # noqa: ARG001 - one shape for all readers
    documents, problems = read_jsonl(file.path, file.relative)
    return FileResult(tuple(documents), tuple(problems))


_READERS: dict[str, Callable[[SourceFile, PageSettings], FileResult]] = {
    ".md": read_markdown_file,
    ".markdown": read_markdown_file,
    ".mdx": read_markdown_file,
    ".html": read_html_file,
    ".htm": read_html_file,
    ".xhtml": read_html_file,
    ".rst": read_rst_file,
    ".txt": read_text_file,
    ".text": read_text_file,
    ".jsonl": _read_jsonl_file,
    ".ndjson": _read_jsonl_file,
}


def plan_reading(
    sources: Sequence[str | Path],
    *,
    base_url: str = "",
    framework: str | None = None,
    clean_urls: bool | None = None,
    chunking: Chunking | None = None,
) -> ReadPlan:
    """Finds the files of `sources` and decides how each is read; reads no page whole.

    `framework` is one of docusaurus, mkdocs, vitepress, none, or None to guess it for each source.
    `clean_urls` is VitePress's option; None takes it from the configuration. Raises UsageError for bad
    arguments.
    """
    check_framework(framework)
    base_url = check_base_url(base_url)
    chunking = chunking or Chunking()
    files, problems = find_files(sources)
    settings: dict[str, PageSettings] = {}
    for root in sorted({file.root for file in files}):
        name = framework or guess_framework(root, files)
        clean = (name == "vitepress" and has_clean_urls(root)) if clean_urls is None else clean_urls
        settings[root] = PageSettings(base_url, name, clean, chunking)
    names = sorted({setting.framework for setting in settings.values()})
    planned = tuple((file, settings[file.root]) for file in files)
    return ReadPlan(planned, tuple(problems), "+".join(names) or framework or "none")


def read_file(planned: tuple[SourceFile, PageSettings]) -> FileResult:
    """Reads one file of a plan. Never raises for what the file holds: that is reported in the result."""
    file, settings = planned
    return _READERS[file.suffix](file, settings)


def merge(plan: ReadPlan, results: Iterable[FileResult]) -> ReadReport:
    """Puts together what `read_file` made of the plan's files, in the plan's order.

    Of two pages with one URL the first by path is kept, for a site shows only one; the other is a Problem. Of HTML
    pages that name one canonical URL, the one that is found there is kept if it is among them. A chunk whose id
    another document's chunk has is a Problem, too.
    """
    documents: list[Document] = []
    problems = list(plan.problems)
    left_out: list[Problem] = []
    notes: set[Note] = set()
    for (file, _), result in zip(plan.files, results, strict=True):
        documents += result.documents
        problems += result.problems
        notes.update(result.notes)
        if result.left_out:
            left_out.append(Problem(str(file.path), result.left_out))
    kept = _unique(sorted(documents, key=_order), problems)
    # Reading many problems is easier when those of one file stay in the order of its lines.
    problems = sorted(dict.fromkeys(problems), key=lambda problem: problem.path)
    kept.sort(key=lambda document: (document.url, document.path))
    return ReadReport(tuple(kept), tuple(problems), tuple(sorted(left_out)), plan.framework, _told(notes))


def _told(notes: set[Note]) -> tuple[str, ...]:
    """One line for each text of the notes, up to 50."""
    places: dict[str, list[Note]] = {}
    for note in sorted(notes):
        places.setdefault(note.text, []).append(note)
    lines: list[str] = []
    for text, found in list(places.items())[:_MOST_WARNINGS]:
        times = sum(note.count for note in found)
        often = f"{times:,} times, first in" if times > 1 else "in"
        lines.append(f"{text} ({often} {found[0].path}, line {found[0].line})")
    if len(places) > _MOST_WARNINGS:
        lines.append(f"and {len(places) - _MOST_WARNINGS:,} more of this kind")
    return tuple(lines)


def _order(document: Document) -> tuple[str, bool, str, str]:
    own = not document.path.lower().endswith(HTML_SUFFIXES) or is_own_place(document.url, document.path)
    return _key(document), not own, document.url, document.path


def _key(document: Document) -> str:
    """What no two documents share: the id, which is the URL; of HTML pages without a slash at the end."""
    return page_key(document.id) if document.path.lower().endswith(HTML_SUFFIXES) else document.id


def _unique(documents: Iterable[Document], problems: list[Problem]) -> list[Document]:
    kept: list[Document] = []
    owners: dict[str, str] = {}
    chunk_owners: dict[str, str] = {}
    for document in documents:
        key = _key(document)
        if key in owners:
            reason = f"has the URL or id {document.id!r}, as {owners[key]} has, and is left out; rename one"
            problems.append(Problem(document.path, reason))
            continue
        owners[key] = document.path
        chunks = document.chunks
        repeated = [chunk.id for chunk in chunks if chunk.id in chunk_owners]
        for chunk_id in repeated:
            reason = (
                f"the chunk id {chunk_id!r} is used in {chunk_owners[chunk_id]} too; the chunk is left out; rename one"
            )
            problems.append(Problem(document.path, reason))
        if repeated:
            chunks = tuple(chunk for chunk in chunks if chunk.id not in chunk_owners)
        chunk_owners.update((chunk.id, document.path) for chunk in chunks)
        if chunks:
            kept.append(replace(document, chunks=chunks) if repeated else document)
    return kept


def read_documents(
    sources: Sequence[str | Path],
    *,
    base_url: str = "",
    framework: str | None = None,
    clean_urls: bool | None = None,
    chunking: Chunking | None = None,
) -> ReadReport:
    """Reads everything in this process: `plan_reading`, `read_file` for each file, `merge`."""
    plan = plan_reading(sources, base_url=base_url, framework=framework, clean_urls=clean_urls, chunking=chunking)
    return merge(plan, map(read_file, plan.files))
