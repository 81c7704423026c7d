"""Files and folders to documents: the way in for everything that builds an index."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from coldseek_core.ingest.chunking import Chunking
from coldseek_core.ingest.corpus import Corpus
from coldseek_core.ingest.documents import Document, Note, Problem
from coldseek_core.ingest.frameworks import check_framework, guess_framework, has_clean_urls
from coldseek_core.ingest.html_page import read_html_file
from coldseek_core.ingest.jsonl import read_jsonl
from coldseek_core.ingest.merging import merge_documents
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
    """`corpus`: the documents by (url, path); `problems` and `left_out` (pages that are no part of the site, and why)
    by path.

    `framework` is the one asked for or guessed; if sources differ, their names joined by `+`. `warnings` are lines on
    what is no problem, each told once with its number of places and the first of them.
    """

    corpus: Corpus
    problems: tuple[Problem, ...]
    left_out: tuple[Problem, ...]
    framework: str
    warnings: tuple[str, ...] = ()

    @property
    def documents(self) -> tuple[Document, ...]:
        """An object for each document, made at each call."""
        return tuple(self.corpus.documents())


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


def is_page(file: SourceFile) -> bool:
    """Whether a parser that is Python reads the file, and not Arrow."""
    return file.suffix in _READERS


def read_file(planned: tuple[SourceFile, PageSettings], workers: int = 1) -> FileResult:
    """Reads one file of a plan, with so many threads if it is one of JSONL. Never raises for what the file holds: that
    is reported in the result."""
    file, settings = planned
    if is_page(file):
        return _READERS[file.suffix](file, settings)
    corpus, problems = read_jsonl(file.path, file.relative, workers)
    return FileResult(problems=tuple(problems), corpus=corpus)


def merge(plan: ReadPlan, results: Iterable[FileResult]) -> ReadReport:
    """Puts together what `read_file` made of the plan's files, in the plan's order.

    Of two pages with one URL the first by path is kept, for a site shows only one; the other is a Problem. Of HTML
    pages that name one canonical URL, the one that is found there is kept if it is among them. A chunk whose id
    another document's chunk has is a Problem, too.
    """
    problems = list(plan.problems)
    documents: list[Document] = []
    corpora: list[Corpus] = []
    left_out: list[Problem] = []
    notes: set[Note] = set()
    for (file, _), result in zip(plan.files, results, strict=True):
        documents += result.documents
        if result.corpus is not None:
            corpora.append(result.corpus)
        problems += result.problems
        notes.update(result.notes)
        if result.left_out:
            left_out.append(Problem(str(file.path), result.left_out))
    corpus = merge_documents(documents, corpora, problems)
    # Reading many problems is easier when those of one file stay in the order of its lines.
    problems = sorted(dict.fromkeys(problems), key=lambda problem: problem.path)
    return ReadReport(corpus, tuple(problems), tuple(sorted(left_out)), plan.framework, _told(notes))


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
