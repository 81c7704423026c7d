"""An opened index."""

import os

from coldseek_core.columns.reader import IndexFiles
from coldseek_core.errors import CorruptIndexError, UsageError
from coldseek_core.search.engine import SearchEngine
from coldseek_core.search.question_vector import DEFAULT_EMBED_TIMEOUT
from coldseek_core.search.settings import QUERIES_A_PASS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, Literal

    from coldseek_core.embed.protocol import Embedder
    from coldseek_core.search.hooks import Cancelled, RerankHook, RetrieveHook
    from coldseek_core.search.named_chunks import Chunks
    from coldseek_core.search.results import Hit, RetrieveResult, SearchResult

VERIFY_LEVELS = ("open", "full")


class Index:
    """One generation of an index, open for searching by any number of threads.

    It keeps answering from the generation that it opened, whatever is built beside it. Results are plain values and
    outlive it.
    """

    def __init__(self, files: IndexFiles, engine: SearchEngine) -> None:
        self._files = files
        self._engine = engine

    @property
    def path(self) -> str:
        """The folder that was opened."""
        return self._files.path

    @property
    def generation(self) -> str:
        """Name of the generation that answers: a hash of its content and settings."""
        return self._files.generation

    @property
    def chunks(self) -> "Chunks":
        """All chunks in the order of their rows: a sequence that reads each when it is asked for."""
        return self._engine.chunks

    def search(
        self,
        query: str,
        *,
        top_k: int = 5,
        mode: "str | None" = None,
        vector: "Sequence[float] | None" = None,
        filter: "Mapping[str, Any] | None" = None,
        hybrid: "bool | None" = None,
        score_threshold: "float | None" = None,
        max_per_document: "int | None" = None,
        highlight: bool = False,
        explain: bool = False,
        expand: int = 0,
    ) -> "SearchResult":
        """Look something up: the best chunks, without a relevance gate.

        `top_k`: 1 to 50. `mode`: "hybrid" (the default), "semantic" or "lexical". `vector`: the query's embedding,
        where the caller has it; otherwise the index's embedder makes it. `filter`: a mapping with some
        of `metadata` (of each key a value, a list of values or a mapping of operators), `document_ids`, `filename`,
        `contains` and `phrase`; only chunks that meet all of them are ranked. See docs/searching.md.

        `hybrid`: False is another way to say mode "semantic". `score_threshold`: the least similarity of what the
        vectors find, or in mode "lexical" the least keyword coverage; in mode "hybrid" what the keywords find stays.
        `max_per_document`: at most so many hits of one document, others take their places. `highlight`: each hit's
        `matches`, where the query's words are in its text. `explain`: each hit's `explanation`. `expand`: each hit's
        `neighbors`, up to 2 chunks of its document on each side.

        Raises UsageError for a bad option, VectorSizeError for a vector of another size, ClosedIndexError.
        """
        return self._engine.search(
            query,
            vector=vector,
            filter=filter,
            top_k=top_k,
            mode=mode,
            hybrid=hybrid,
            score_threshold=score_threshold,
            max_per_document=max_per_document,
            highlight=highlight,
            explain=explain,
            expand=expand,
        )

    def search_many(
        self,
        queries: "Iterable[str]",
        *,
        vectors: "Iterable[Sequence[float] | None] | None" = None,
        workers: "int | None" = None,
        top_k: int = 5,
        mode: "str | None" = None,
        filter: "Mapping[str, Any] | None" = None,
        hybrid: "bool | None" = None,
        score_threshold: "float | None" = None,
        max_per_document: "int | None" = None,
        highlight: bool = False,
        explain: bool = False,
        expand: int = 0,
    ) -> "list[SearchResult]":
        """Look many queries up: for each, in order, what `search` finds.

        `vectors`: one for each query, None where the embedder is to make it; all that it makes are made in one batch,
        so that a failing embedder costs all of them their vectors. `workers`: threads, 1 to 64; None for one for each
        CPU that the process may use. Other options as in `search`. A result's `latency_ms` has its share of the scan,
        which queries share, and leaves the embedding out.

        Raises UsageError for a bad query or option, VectorSizeError, ClosedIndexError.
        """
        return self._engine.search_many(
            queries,
            vectors=vectors,
            workers=workers,
            filter=filter,
            top_k=top_k,
            mode=mode,
            hybrid=hybrid,
            score_threshold=score_threshold,
            max_per_document=max_per_document,
            highlight=highlight,
            explain=explain,
            expand=expand,
        )

    def retrieve(
        self,
        question: str,
        *,
        top_k: "int | None" = None,
        candidates: "int | None" = None,
        rrf_k: "int | None" = None,
        min_similarity: "float | None" = None,
        min_keyword_coverage: "float | None" = None,
        similarity_needs_keyword: "bool | None" = None,
        max_context_chars: "int | None" = None,
        max_per_document: "int | None" = None,
        highlight: bool = False,
        expand: int = 0,
        mode: "str | None" = None,
        vector: "Sequence[float] | None" = None,
        filter: "Mapping[str, Any] | None" = None,
        site_name: "str | None" = None,
        no_answer_message: "str | None" = None,
        retrieve_hook: "RetrieveHook | Literal[False] | None" = None,
        rerank_hook: "RerankHook | Literal[False] | None" = None,
        cancelled: "Cancelled | None" = None,
    ) -> "RetrieveResult":
        """Find numbered sources to answer a question from, or refuse and explain why.

        Every candidate must reach `min_similarity` or `min_keyword_coverage`. What is left out takes the index's own
        setting (see `info()["settings"]["retrieval"]`). `vector`, `mode`, `filter`, `max_per_document`, `highlight` and
        `expand` as in `search`; `sources` are packed from the hits alone. `site_name` and `no_answer_message` word the
        refusal.

        `retrieve_hook(query, search)` finds the candidates instead of the built-in retrieval: `query` has `text`,
        `vector` and `chunks`; `search(candidates=, top_k=, mode=, filter=)` is the built-in retrieval, not gated yet.
        `rerank_hook(question, hits, cancelled)` gets up to `candidates` hits and returns them in a new order, or fewer.
        Both return rows, chunk ids, hits or chunks, of which 1,000 are read. What they return must be kept by `filter`
        and pass the gate; the first `top_k` of that answer. None takes the hooks that the index was opened with, False
        none. `cancelled`: a function that says whether the caller gave up; hooks can ask it. A hook that fails is
        reported to `on_error` as a HookError and done without. The result's `hooks` names those that were used.

        Raises UsageError for a bad option, VectorSizeError for a vector of another size, ClosedIndexError.
        """
        return self._engine.retrieve(
            question,
            mode=mode,
            vector=vector,
            filter=filter,
            site_name=site_name,
            no_answer_message=no_answer_message,
            retrieve_hook=retrieve_hook,
            rerank_hook=rerank_hook,
            cancelled=cancelled,
            top_k=top_k,
            candidates=candidates,
            rrf_k=rrf_k,
            min_similarity=min_similarity,
            min_keyword_coverage=min_keyword_coverage,
            similarity_needs_keyword=similarity_needs_keyword,
            max_context_chars=max_context_chars,
            max_per_document=max_per_document,
            highlight=highlight,
            expand=expand,
        )

    def gate_hits(
        self,
        question: str,
        rows_or_hits: "Iterable[object]",
        *,
        min_similarity: "float | None" = None,
        min_keyword_coverage: "float | None" = None,
        similarity_needs_keyword: "bool | None" = None,
        mode: "str | None" = None,
        vector: "Sequence[float] | None" = None,
        filter: "Mapping[str, Any] | None" = None,
    ) -> "list[Hit]":
        """Apply the gate of `retrieve` to chunks from anywhere: those that pass, in the given order, as measured hits.

        `rows_or_hits`: up to 10,000 rows, chunk ids, hits or chunks. Repeated ones, those of another index or
        generation, and those that `filter` leaves out are dropped. `score` orders only. Options as in `retrieve`.

        Raises UsageError for a bad option or what is none of these, VectorSizeError, ClosedIndexError.
        """
        return self._engine.gate_hits(
            question,
            rows_or_hits,
            mode=mode,
            vector=vector,
            filter=filter,
            min_similarity=min_similarity,
            min_keyword_coverage=min_keyword_coverage,
            similarity_needs_keyword=similarity_needs_keyword,
        )

    def info(self) -> "dict[str, Any]":
        """What the manifest says: generation, counts, settings, and bytes of each file."""
        manifest = self._files.manifest
        settings = dict(manifest["settings"])
        if settings["embedder"] is not None:
            settings["embedder"] = {name: value for name, value in settings["embedder"].items() if name != "canaries"}
        files = {name: entry["size"] for name, entry in manifest["files"].items()}
        return {
            "path": self.path,
            "generation": self.generation,
            "counts": dict(manifest["counts"]),
            "settings": settings,
            "fileBytes": files,
            "mappedBytes": self._files.mapped_bytes,
            "copiedBytes": self._files.copied_bytes,
        }

    def close(self) -> None:
        """Wait for running searches, then unmap the files. Closing twice is fine."""
        self._files.close()
        self._engine.close()

    def __enter__(self) -> "Index":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<coldseek.Index {self.path!r} generation {self.generation}>"


def open(
    path: "str | os.PathLike[str]",
    *,
    embedder: "Embedder | None" = None,
    verify: str = "open",
    on_error: "Callable[[Exception], None] | None" = None,
    embed_timeout: "float | None" = DEFAULT_EMBED_TIMEOUT,
    hooks: "Mapping[str, Callable[..., object]] | None" = None,
    hook_timeout: "float | None" = None,
    scan_threads: int = 1,
    queries_a_pass: int = QUERIES_A_PASS,
) -> Index:
    """Open an index. Its files are mapped and read in place: the time does not depend on the index's size.

    The first index that a process opens loads the sealed kernels, or waits for Numba where there are none.

    `embedder`: what embeds questions, if the index was built with one of your own; it must be that one. An index built
    with "openai" or "workers-ai" finds its embedder by the environment's variables. `verify`: "open" checks the
    manifest and the files' sizes, "full" checks every checksum, offset and id first. `on_error` is told of failures
    that a search survives, such as an embedder that is down. `embed_timeout`: seconds that a question waits for its
    vector before it is answered by keywords; `embed` runs in another thread for that. None waits as long as it takes.
    `hooks`: functions for "retrieve" and "rerank" that every `retrieve` calls; see there. `hook_timeout`: seconds after
    which a hook's `cancelled()` is true and what it returns is dropped; a hook is not interrupted. `scan_threads`: how
    many threads share one scan of the vectors (1 to 64); results are the same.

    Raises NotAnIndexError, CorruptIndexError, FormatVersionError, EmbedderMismatchError, KernelError, UsageError.
    """
    if not isinstance(path, str | os.PathLike):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise UsageError(f"path must be the folder of an index, not {path!r}")
    if verify not in VERIFY_LEVELS:
        raise UsageError(f"verify must be one of {', '.join(VERIFY_LEVELS)}, not {verify!r}")
    files = IndexFiles.open(path)
    try:
        if verify == "full":
            from coldseek_core.columns.check import check_generation

            # Of what was opened: a rebuild may have replaced what lies at the path by now.
            faults = check_generation(files)
            if faults:
                more = f" ({len(faults) - 1} more: see `coldseek verify`)" if len(faults) > 1 else ""
                raise CorruptIndexError(faults[0] + more)
        engine = SearchEngine(
            files,
            embedder,
            on_error,
            embed_timeout,
            hooks=hooks,
            hook_timeout=hook_timeout,
            scan_threads=scan_threads,
            queries_a_pass=queries_a_pass,
        )
        return Index(files, engine)
    except BaseException:
        files.close()
        raise
