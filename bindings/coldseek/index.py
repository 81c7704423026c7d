"""An opened index."""

import os

from coldseek_core.columns.reader import IndexFiles
from coldseek_core.errors import CorruptIndexError, UsageError
from coldseek_core.search.engine import SearchEngine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from coldseek_core.embed.protocol import Embedder
    from coldseek_core.search.results import RetrieveResult, SearchResult

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

    def search(
        self,
        query: str,
        *,
        top_k: int = 5,
        mode: "str | None" = None,
        vector: "Sequence[float] | None" = None,
        filter: "Mapping[str, Any] | None" = None,
    ) -> "SearchResult":
        """Look something up: the best chunks, without a relevance gate.

        `top_k`: 1 to 50. `mode`: "hybrid" (the default), "semantic" or "lexical". `vector`: the query's embedding,
        where the caller has it; otherwise the index's embedder makes it. `filter`: `{"metadata": {key: value or list of
        values}, "document_ids": [...]}`, applied before ranking.

        Raises UsageError for a bad option, VectorSizeError for a vector of another size, ClosedIndexError.
        """
        return self._engine.search(query, top_k=top_k, mode=mode, vector=vector, filter=filter)

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
        mode: "str | None" = None,
        vector: "Sequence[float] | None" = None,
        filter: "Mapping[str, Any] | None" = None,
        site_name: "str | None" = None,
        no_answer_message: "str | None" = None,
    ) -> "RetrieveResult":
        """Find numbered sources to answer a question from, or refuse and explain why.

        Every candidate must reach `min_similarity` or `min_keyword_coverage`. What is left out takes the index's own
        setting (see `info()["settings"]["retrieval"]`). `vector`, `mode`, `filter` as in `search`. `site_name` and
        `no_answer_message` word the refusal.

        Raises UsageError for a bad option, VectorSizeError for a vector of another size, ClosedIndexError.
        """
        return self._engine.retrieve(
            question,
            mode=mode,
            vector=vector,
            filter=filter,
            site_name=site_name,
            no_answer_message=no_answer_message,
            top_k=top_k,
            candidates=candidates,
            rrf_k=rrf_k,
            min_similarity=min_similarity,
            min_keyword_coverage=min_keyword_coverage,
            similarity_needs_keyword=similarity_needs_keyword,
            max_context_chars=max_context_chars,
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
) -> Index:
    """Open an index. Nothing is built, decoded or copied: the time does not depend on the index's size.

    `embedder`: what embeds questions, if the index was built with one of your own; it must be that one. `verify`:
    "open" checks the manifest and the files' sizes, "full" checks every checksum, offset and id first. `on_error` is
    told of failures that a search survives, such as an embedder that is down.

    Raises NotAnIndexError, CorruptIndexError, FormatVersionError, EmbedderMismatchError, KernelError, UsageError.
    """
    if not isinstance(path, str | os.PathLike):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise UsageError(f"path must be the folder of an index, not {path!r}")
    if verify not in VERIFY_LEVELS:
        raise UsageError(f"verify must be one of {', '.join(VERIFY_LEVELS)}, not {verify!r}")
    if verify == "full":
        from coldseek_core.columns.check import check_files

        faults = check_files(os.fspath(path))
        if faults:
            more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
            raise CorruptIndexError(f"{faults[0]}{more}; build the index again or restore it from a copy")
    files = IndexFiles.open(path)
    try:
        return Index(files, SearchEngine(files, embedder, on_error))
    except BaseException:
        files.close()
        raise
