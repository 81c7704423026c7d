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

_BUILD_MODULES = frozenset(("markdown_it", "numba", "numpy", "pyarrow", "tqdm", "yaml"))


def missing_extra(error: ImportError, what: str) -> ImportError:
    """A MissingExtraError if a package of the `build` extra is not there, else `error` itself."""
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
    language: str = "en",
    embedder: "Embedder | str | None" = None,
    workers: int = 1,
    on_progress: "Progress | None" = None,
    **options: "Any",
) -> "BuildReport":
    """Build an index from files and folders of Markdown, MDX, text and JSONL. See `BuildReport` for what comes back.

    `base_url`: put in front of page URLs. `framework`: "docusaurus", "mkdocs", "vitepress" or "none", whose URL rules
    hold; guessed from the folder if not given. `language`: a tag such as "en" or "zh-TW". `embedder`: None or "none"
    for keywords only, "mock", or an object of your own (see `coldseek_core.embed.Embedder`). `workers`: processes that
    read and analyse; the index is the same, byte for byte, whatever their number. More options: see
    `coldseek_core.ingest.build.build_index`.

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
        language=language,
        embedder=embedder,
        workers=workers,
        on_progress=on_progress,
        **options,
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
