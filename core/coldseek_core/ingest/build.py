"""From files and folders to a published index."""

import multiprocessing
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from threading import Lock
from typing import Any, TypeVar

from .. import __version__
from ..columns.output_folder import check_output_folder
from ..embed import Embedder
from ..embed.canary import GIVEN_VECTORS
from ..embed.protocol import close_embedder
from ..errors import ColdseekError, UsageError
from ..search.settings import RetrievalSettings
from ..text import Analyser
from .build_options import (
    checked_mapping,
    checked_output,
    checked_scoring,
    checked_sources,
    checked_text,
    checked_truth,
    checked_workers,
    chosen_embedder,
)
from .chunking import Chunking
from .collection import no_collection
from .documents import Problem
from .index_writer import write_index
from .page_files import FileResult
from .progress import Progress, no_progress
from .read import ReadPlan, ReadReport, is_page, merge, plan_reading, read_file

_Item = TypeVar("_Item")

_FILES_A_TASK = 8


@dataclass(frozen=True)
class BuildReport:
    """What a build made.

    `problems`: what could not be used, and why; the rest was built. `left_out`: pages that are no part of the site
    (drafts and the like), which is no problem. `embedder`: its id, None for keywords only.
    `warnings`: lines for whoever built it, which are no problem either.
    """

    generation: str
    documents: int
    chunks: int
    terms: int
    embedder: str | None
    dimensions: int
    framework: str
    problems: tuple[Problem, ...]
    left_out: tuple[Problem, ...]
    seconds: float
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "generation": self.generation,
            "documents": self.documents,
            "chunks": self.chunks,
            "terms": self.terms,
            "embedder": self.embedder,
            "dimensions": self.dimensions,
            "framework": self.framework,
            "problems": [{"path": one.path, "reason": one.reason} for one in self.problems],
            "leftOut": [{"path": one.path, "reason": one.reason} for one in self.left_out],
            "seconds": self.seconds,
            "warnings": list(self.warnings),
        }


def build_index(
    sources: "Sequence[str | os.PathLike[str]]",
    output: "str | os.PathLike[str]",
    *,
    base_url: str = "",
    framework: str | None = None,
    clean_urls: bool | None = None,
    language: str = "en",
    embedder: "Embedder | str | None" = None,
    embed_model: str | None = None,
    embed_base_url: str | None = None,
    chunk_size: int | None = None,
    chunk_overlap: int | None = None,
    chunk_unit: str | None = None,
    scoring: Mapping[str, Any] | None = None,
    retrieval: Mapping[str, Any] | None = None,
    site_name: str | None = None,
    no_answer_message: str | None = None,
    workers: int = 1,
    on_progress: Progress | None = None,
) -> BuildReport:
    """Read `sources` and publish their index as a new generation of the folder `output`.

    `embed_model`, `embed_base_url`: for the embedders "openai" and "workers-ai". `clean_urls`: VitePress's option
    (taken from its configuration if not given). `chunk_size`, `chunk_overlap`, `chunk_unit`: see `Chunking`. `scoring`:
    `k1`, and `weights` and `b` for title, headings and body, to change BM25F's defaults. `retrieval`: defaults of
    `retrieve` that the index keeps. `site_name`, `no_answer_message`: the wording of refusals. The other options are
    those of `coldseek.build`.

    If a chunk of the input brings a vector, all must, and no embedder may be named but "none". Raises UsageError,
    EmbedderError, IndexLockedError and IndexFileError; what is wrong with single files is in the report instead.
    """
    begin = time.perf_counter()
    on_progress = on_progress or no_progress
    folder = checked_output(output)
    check_output_folder(folder)  # at once, not after the texts were embedded
    chosen = chosen_embedder(embedder, embed_model, embed_base_url)
    scoring = checked_scoring(scoring)
    retrieval = checked_mapping("retrieval", retrieval)
    RetrievalSettings().changed(retrieval)
    checked_text("base_url", base_url)
    checked_truth("clean_urls", clean_urls)
    checked_text("site_name", site_name, may_be_none=True, may_be_empty=False)
    checked_text("no_answer_message", no_answer_message, may_be_none=True, may_be_empty=False)
    workers = checked_workers(workers)
    analyser = Analyser(language)
    chunking = Chunking(chunk_size, chunk_overlap, "characters" if chunk_unit is None else chunk_unit)
    plan = plan_reading(
        checked_sources(sources), base_url=base_url, framework=framework, clean_urls=clean_urls, chunking=chunking
    )
    results = _read(plan, workers, on_progress)
    with no_collection():
        report = merge(plan, results)
    del results
    given = embedder is None
    if chosen is not None and report.corpus.vectors is not None:
        raise UsageError("chunks of the input bring vectors; build without naming an embedder, or with 'none'")
    corpus = report.corpus
    total = corpus.chunk_count
    if not total:
        raise UsageError(_nothing_read(report))
    done: dict[str, int] = {}

    one_at_a_time = Lock()

    def count_up(stage: str, more: int) -> None:
        with one_at_a_time:
            done[stage] = done.get(stage, 0) + more
            on_progress(stage, done[stage], total)

    warning: str | None = getattr(chosen, "warning", None)
    try:
        written = write_index(
            folder,
            corpus,
            analyser=analyser,
            scoring=scoring,
            embedder=chosen,
            use_given_vectors=given,
            retrieval=retrieval,
            description={
                "coldseek": __version__,
                "framework": report.framework,
                "base_url": base_url,
                "chunking": {"size": chunking.size, "overlap": chunking.overlap, "unit": chunking.unit},
                "site_name": site_name,
                "no_answer_message": no_answer_message,
            },
            on_progress=count_up,
            workers=workers,
        )
    finally:
        if isinstance(embedder, str):
            close_embedder(chosen)
    return BuildReport(
        generation=written.generation,
        documents=written.documents,
        chunks=written.chunks,
        terms=written.terms,
        embedder=chosen.id if chosen else (GIVEN_VECTORS if written.dimensions else None),
        dimensions=written.dimensions,
        framework=report.framework,
        problems=report.problems,
        left_out=report.left_out,
        seconds=time.perf_counter() - begin,
        warnings=report.warnings if warning is None else (*report.warnings, warning),
    )


def _nothing_read(report: ReadReport) -> str:
    """Why there is nothing to build, with the first of what went wrong."""
    reasons = [f"{problem.path}: {problem.reason}" for problem in (*report.problems, *report.left_out)]
    told = f" ({reasons[0]})" if reasons else ""
    return f"no document with text was found in the sources, so no index is written{told}"


def _read(plan: ReadPlan, workers: int, on_progress: Progress) -> list[FileResult]:
    """Read all files; pages, with several workers, in processes of their own: parsers are Python."""
    total = len(plan.files)
    pages = [planned for planned in plan.files if is_page(planned[0])]
    if workers == 1 or len(pages) <= _FILES_A_TASK:
        return list(_reported((read_file(planned, workers) for planned in plan.files), total, on_progress))
    # A fresh interpreter for each worker: forking a process that has threads can hang.
    context = multiprocessing.get_context("spawn")
    try:
        with ProcessPoolExecutor(workers, context) as pool:
            read = pool.map(read_file, pages, chunksize=_FILES_A_TASK)
            results = (next(read) if is_page(one[0]) else read_file(one, workers) for one in plan.files)
            return list(_reported(results, total, on_progress))
    except BrokenProcessPool as error:
        raise ColdseekError(
            "a worker process was killed, perhaps for want of memory; build with fewer workers"
        ) from error


def _reported(items: Iterable[_Item], total: int, on_progress: Progress) -> Iterator[_Item]:
    for done, item in enumerate(items, start=1):
        on_progress("read", done, total)
        yield item
