"""What needs the `build` extra: imported when it is called, so that searching never pays for it."""

from coldseek_core.errors import MissingExtraError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence
    from typing import Any

    from coldseek_core.embed.protocol import Embedder
    from coldseek_core.ingest.build import BuildReport
    from coldseek_core.ingest.progress import Progress
    from coldseek_core.quality.evaluation import EvalReport

    from .index import Index

_BUILD_MODULES = frozenset(("docutils", "markdown_it", "numba", "numpy", "pyarrow", "selectolax", "tqdm", "yaml"))
_NOT_IN_BUNDLES = frozenset(("coldseek.bundle", "coldseek_core.ingest", "coldseek_core.quality"))


def missing_extra(error: ImportError, what: str) -> ImportError:
    """A MissingExtraError if a package of the `build` extra is not there, or what a bundle leaves out; else `error`."""
    if error.name in _NOT_IN_BUNDLES:
        return MissingExtraError(
            f'{what} is not possible from a bundle: use an installation, pip install "coldseek[build]"'
        )
    package = (error.name or "").split(".")[0]
    if package not in _BUILD_MODULES:
        return error
    return MissingExtraError(f'{what} needs the package {package!r}: install it with pip install "coldseek[build]"')


def build(
    sources: "Sequence[str | os.PathLike[str]]",
    output: "str | os.PathLike[str]",
    *,
    base_url: str = "",
    framework: "str | None" = None,
    clean_urls: "bool | None" = None,
    language: str = "en",
    embedder: "Embedder | str | None" = None,
    embed_model: "str | None" = None,
    embed_base_url: "str | None" = None,
    chunk_size: "int | None" = None,
    chunk_overlap: "int | None" = None,
    chunk_unit: "str | None" = None,
    scoring: "Mapping[str, Any] | None" = None,
    retrieval: "Mapping[str, Any] | None" = None,
    site_name: "str | None" = None,
    no_answer_message: "str | None" = None,
    workers: int = 1,
    on_progress: "Progress | None" = None,
) -> "BuildReport":
    """Build an index from files and folders of documents. See `BuildReport` for what comes back.

    `base_url`: put in front of page URLs. `framework`: "docusaurus", "mkdocs", "vitepress" or "none", whose URL rules
    hold; guessed from the folder if not given. `clean_urls`: VitePress's option (taken from its configuration if not
    given). `language`: a tag such as "en" or "zh-TW". `embedder`: None for the vectors that chunks of the input bring,
    or keywords only if they bring none; "none" for keywords only; "mock", "openai", "workers-ai" (with `embed_model`
    and `embed_base_url`; keys come from the environment), or an object of your own (see
    `coldseek_core.embed.Embedder`). `chunk_size`, `chunk_overlap`: in `chunk_unit`, "characters" (1,200 and 150) or
    "tokens" (450 and 67). `scoring`: `k1`, and `weights` and `b` for title, headings and body. `retrieval`: defaults of
    `Index.retrieve` that the index keeps. `site_name`, `no_answer_message`: the wording of refusals. `workers`:
    processes that read, and threads that count; the index is the same, byte for byte, whatever their number.

    Raises UsageError, EmbedderError, IndexLockedError, IndexFileError, MissingExtraError.
    """
    try:
        from coldseek_core.ingest.build import build_index
    except ImportError as error:
        raise missing_extra(error, "building an index") from error
    return build_index(
        sources,
        output,
        base_url=base_url,
        framework=framework,
        clean_urls=clean_urls,
        language=language,
        embedder=embedder,
        embed_model=embed_model,
        embed_base_url=embed_base_url,
        chunk_size=chunk_size,
        chunk_overlap=chunk_overlap,
        chunk_unit=chunk_unit,
        scoring=scoring,
        retrieval=retrieval,
        site_name=site_name,
        no_answer_message=no_answer_message,
        workers=workers,
        on_progress=on_progress,
    )


def evaluate(index: "Index", questions: "str | os.PathLike[str] | Mapping[str, Any]") -> "EvalReport":
    """Ask an index questions whose answers are known; see `EvalReport`.

    `questions`: a YAML file or its content as a mapping. Raises UsageError if it is not of that form.
    """
    try:
        from coldseek_core.quality.evaluation import evaluate_index
    except ImportError as error:
        raise missing_extra(error, "evaluating an index") from error
    return evaluate_index(index.retrieve, questions)


def verify(path: "str | os.PathLike[str]") -> list[str]:
    """Check every checksum, offset and id of an index; returns the faults, each naming file, column and row."""
    from coldseek_core.columns.check import check_files

    return check_files(path)
