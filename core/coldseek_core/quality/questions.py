"""The questions file of an evaluation: questions with the pages that answer them, or none."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import yaml

from ..errors import UsageError
from ..search.settings import RetrievalSettings

METRICS = ("hit@1", "hit@3", "mrr", "refusalPrecision", "refusalRecall")


@dataclass(frozen=True)
class JudgedQuestion:
    """A question and the page URLs that answer it (with `#anchor` where the section must match); empty: nothing
    does.
    """

    question: str
    expect: tuple[str, ...]

    @property
    def answerable(self) -> bool:
        return bool(self.expect)


@dataclass(frozen=True)
class QuestionSet:
    """Questions, the retrieval settings to ask them with, and the lowest metrics that pass."""

    questions: tuple[JudgedQuestion, ...]
    retrieval: dict[str, Any]
    thresholds: dict[str, float]


def load_questions(source: "str | os.PathLike[str] | Mapping[str, Any]") -> QuestionSet:
    """Read a YAML file, or its content as a mapping.

    Top level: `questions` (needed), `retrieval` (settings of `retrieve`, snake_case or camelCase), `thresholds`
    (metric: lowest value). Each question: `question`, and `expect` (a URL or a list of them) or `unanswerable: true`.
    Raises UsageError that names what is wrong and where.
    """
    if isinstance(source, Mapping):
        name, content = "questions", _mapping(source)
    elif isinstance(source, str | os.PathLike):  # pyright: ignore[reportUnnecessaryIsInstance]
        name, content = os.fspath(source), _mapping(_read(Path(source)))
    else:
        raise UsageError(f"questions must be the path of a YAML file or its content as a mapping, not {source!r}")
    if content is None or not isinstance(content.get("questions"), list):
        raise UsageError(f"{name}: expected a mapping with a list of `questions`")
    known = {"questions", "retrieval", "thresholds"}
    unknown = sorted(str(key) for key in content if key not in known)
    if unknown:
        raise UsageError(f"{name}: unknown key {unknown[0]!r}; there are: {', '.join(sorted(known))}")
    entries = cast(list[Any], content["questions"])
    if not entries:
        raise UsageError(f"{name}: there are no questions in it")
    questions = tuple(_question(entry, f"{name}: question {order}") for order, entry in enumerate(entries, 1))
    return QuestionSet(
        questions, _retrieval(content.get("retrieval"), name), _thresholds(content.get("thresholds"), name)
    )


def _mapping(value: object) -> Mapping[Any, Any] | None:
    """`value` if it is a mapping."""
    return cast(Mapping[Any, Any], value) if isinstance(value, Mapping) else None


def _read(path: Path) -> Any:
    try:
        return yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise UsageError(f"{path}: there is no such file") from error
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8: byte {error.start}") from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise UsageError(f"{path} is not YAML: {' '.join(str(error).split())}") from error


def _question(entry: Any, where: str) -> JudgedQuestion:
    fields = _mapping(entry)
    if fields is None:
        raise UsageError(f"{where}: expected a mapping with `question`, got {entry!r}")
    text = fields.get("question")
    if not isinstance(text, str) or not text.strip():
        raise UsageError(f"{where}: `question` must be text, not {text!r}")
    unknown = sorted(str(key) for key in fields if key not in ("question", "expect", "unanswerable"))
    if unknown:
        raise UsageError(f"{where}: unknown key {unknown[0]!r}; there are: question, expect, unanswerable")
    expect = fields.get("expect")
    unanswerable = fields.get("unanswerable", False)
    if not isinstance(unanswerable, bool):
        raise UsageError(f"{where}: `unanswerable` must be true or false, not {unanswerable!r}")
    if unanswerable == (expect is not None):
        raise UsageError(f"{where} ({text!r}): give either `expect` or `unanswerable: true`")
    if unanswerable:
        return JudgedQuestion(text, ())
    given = cast(list[Any], expect) if isinstance(expect, list) else [expect]
    urls = tuple(url for url in given if isinstance(url, str) and url and not url.startswith("#"))
    if not urls or len(urls) < len(given):
        raise UsageError(f"{where} ({text!r}): `expect` must be a page URL or a list of them, not {expect!r}")
    return JudgedQuestion(text, urls)


def _retrieval(value: Any, name: str) -> dict[str, Any]:
    if value is None:
        return {}
    settings = _mapping(value)
    if settings is None:
        raise UsageError(f"{name}: `retrieval` must be a mapping of settings, not {value!r}")
    given = {snake_case(str(key)): setting for key, setting in settings.items()}
    try:
        RetrievalSettings().changed({key: setting for key, setting in given.items() if key != "mode"})
    except UsageError as error:
        raise UsageError(f"{name}: `retrieval`: {error}") from error
    return given


def snake_case(name: str) -> str:
    """`minSimilarity` to `min_similarity`."""
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in name)


def _thresholds(value: Any, name: str) -> dict[str, float]:
    if value is None:
        return {}
    lowest = _mapping(value)
    if lowest is None:
        raise UsageError(f"{name}: `thresholds` must be a mapping of metrics, not {value!r}")
    return {str(metric): checked_threshold(str(metric), low, name) for metric, low in lowest.items()}


def checked_threshold(metric: str, value: Any, where: str) -> float:
    """A threshold between 0 and 1 for a known metric. Raises UsageError."""
    if metric not in METRICS:
        raise UsageError(f"{where}: unknown metric {metric!r}; there are: {', '.join(METRICS)}")
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise UsageError(f"{where}: the threshold of {metric} must be a number from 0 to 1, not {value!r}")
    return float(value)
