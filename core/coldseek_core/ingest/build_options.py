"""The options of a build, checked before anything is read: they come from people and other programs."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from ..embed import Embedder, MockEmbedder, OpenAIEmbedder, WorkersAIEmbedder, check_embedder
from ..errors import UsageError
from ..search.settings import DEFAULT_SCORING, checked_number

EMBEDDERS = ("none", "mock", "openai", "workers-ai")
MOST_WORKERS = 256


def checked_sources(sources: object) -> list[Path]:
    """Paths. Raises UsageError for anything but a list of them."""
    if isinstance(sources, str | bytes | os.PathLike) or not isinstance(sources, Sequence):
        raise UsageError(f"sources must be a list of paths, not {sources!r}; write ['docs']")
    paths: list[Path] = []
    for source in cast(Sequence[object], sources):
        if not isinstance(source, str | os.PathLike) or not isinstance(os.fspath(source), str):
            raise UsageError(f"a source must be a path, not {source!r}")
        paths.append(Path(cast(str, source)))
    return paths


def checked_output(output: object) -> Path:
    """The folder of the index. Raises UsageError for what is no path."""
    path = os.fspath(cast(str, output)) if isinstance(output, str | os.PathLike) else ""
    if not isinstance(path, str) or not path or "\0" in path:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise UsageError(f"output must be the path of a folder, such as 'site.coldseek', not {output!r}")
    return Path(path)


def checked_workers(workers: object) -> int:
    return int(checked_number("workers", workers, 1, MOST_WORKERS, whole=True))


def checked_text(name: str, value: object, may_be_none: bool = False, may_be_empty: bool = True) -> None:
    """Raises UsageError if `value` is no text (or None or empty, where that is not allowed)."""
    if value is None and may_be_none:
        return
    if not isinstance(value, str) or not (value or may_be_empty):
        raise UsageError(f"{name} must be text{' or None' if may_be_none else ''}, not {value!r}")


def checked_truth(name: str, value: object) -> None:
    """Raises UsageError if `value` is neither True, False nor None."""
    if value is not None and not isinstance(value, bool):
        raise UsageError(f"{name} must be True, False or None, not {value!r}")


def checked_mapping(name: str, value: object) -> dict[str, Any]:
    """`value` as a dict, empty for None. Raises UsageError for anything but a mapping."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise UsageError(f"{name} must be a mapping of settings, not {value!r}")
    return {str(key): setting for key, setting in cast(Mapping[Any, Any], value).items()}


def checked_scoring(value: object) -> dict[str, Any]:
    """The defaults with `value`'s settings. Raises UsageError for an unknown one; their values are checked in use."""
    given = checked_mapping("scoring", value)
    for name in given:
        if name not in DEFAULT_SCORING:
            raise UsageError(f"unknown scoring setting {name!r}; there are: {', '.join(DEFAULT_SCORING)}")
    return {**DEFAULT_SCORING, **given}


def chosen_embedder(embedder: object, model: object = None, base_url: object = None) -> Embedder | None:
    """The embedder that was named or brought, None for keywords only.

    `model` and `base_url` are for those that are called over HTTP. A model that is not known is asked for its
    dimensions. Raises UsageError for anything else, EmbedderError.
    """
    checked_text("embed_model", model, may_be_none=True)
    checked_text("embed_base_url", base_url, may_be_none=True)
    model, base_url = cast(str | None, model), cast(str | None, base_url)
    if embedder == "openai":
        return check_embedder(OpenAIEmbedder(model, base_url=base_url))
    if embedder == "workers-ai":
        return check_embedder(WorkersAIEmbedder(model, base_url=base_url))
    if model is not None or base_url is not None:
        raise UsageError("a model and a base URL belong to the embedders 'openai' and 'workers-ai'; name one of them")
    if embedder is None or embedder == "none":
        return None
    if isinstance(embedder, str):
        if embedder == "mock":
            return MockEmbedder()
        raise UsageError(
            f"unknown embedder {embedder!r}; there are: {', '.join(EMBEDDERS)}, or pass an object of your own"
        )
    return check_embedder(embedder)
