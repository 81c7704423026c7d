"""Hooks of `retrieve`: a caller's own retrieval and reranking, kept apart from everything else.

A hook gets copies and returns names of chunks. Whatever goes wrong in one is reported, and the question goes on
without it.
"""

import time

from ..errors import HookError, UsageError
from .named_chunks import Chunks, read_names
from .report import report
from .settings import CANDIDATES_LIMIT, checked_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Literal, Protocol

    from .results import Hit

    class BuiltIn(Protocol):
        """The built-in retrieval, as a hook calls it."""

        def __call__(
            self,
            *,
            candidates: "int | None" = None,
            top_k: "int | None" = None,
            mode: "str | None" = None,
            filter: "Mapping[str, Any] | None" = None,
        ) -> "list[Hit]": ...

    Cancelled = Callable[[], bool]
    RetrieveHook = Callable[["HookQuery", BuiltIn], object]
    RerankHook = Callable[[str, list[Hit], Cancelled], object]
else:
    # For annotations that a program evaluates.
    BuiltIn = Cancelled = RetrieveHook = RerankHook = object

RETRIEVE = "retrieve"
RERANK = "rerank"
HOOKS = (RETRIEVE, RERANK)
_LONGEST_TIMEOUT = 3600.0


class HookQuery:
    """What a `retrieve` hook is asked: the question's `text`, its `vector` as it was given or embedded (None if there
    is none), and the `chunks` that may be returned.
    """

    __slots__ = ("chunks", "text", "vector")

    def __init__(self, text: str, vector: "list[float] | None", chunks: Chunks) -> None:
        self.text = text
        self.vector = vector
        self.chunks = chunks


class Hooks:
    """The hooks that an index was opened with."""

    def __init__(
        self,
        hooks: "Mapping[str, Callable[..., object]] | None" = None,
        timeout: "float | None" = None,
        on_error: "Callable[[Exception], None] | None" = None,
    ) -> None:
        """`timeout`: seconds after which `cancelled()` is true and a hook's result is late; None for never.

        Raises UsageError for an unknown name, for what cannot be called, and for a bad `timeout`.
        """
        if timeout is not None:
            timeout = float(checked_number("hook_timeout", timeout, 0.001, _LONGEST_TIMEOUT, whole=False))
        self._timeout = timeout
        self._on_error = on_error
        self._set: dict[str, Callable[..., object]] = {}
        try:
            items = [] if hooks is None else [(name, hooks[name]) for name in hooks.keys()]  # noqa: SIM118
        except (AttributeError, TypeError, KeyError) as error:
            raise UsageError(f"hooks must be a mapping of {' or '.join(HOOKS)} to a function, not {hooks!r}") from error
        for name, hook in items:
            if name not in HOOKS:
                raise UsageError(f"unknown hook {name!r}; there are: {', '.join(HOOKS)}")
            if hook is not None:  # pyright: ignore[reportUnnecessaryComparison]
                self._set[name] = _callable(f"hooks[{name!r}]", hook)

    def for_question(
        self,
        retrieve: "RetrieveHook | Literal[False] | None",
        rerank: "RerankHook | Literal[False] | None",
        cancelled: "Cancelled | None",
    ) -> "HookCalls":
        """The hooks of one question: those given, False for none, and for None those of the index."""
        chosen: dict[str, Callable[..., object]] = {}
        for name, given in ((RETRIEVE, retrieve), (RERANK, rerank)):
            hook = self._set.get(name) if given is None else given
            if hook is not None and hook is not False:
                chosen[name] = _callable(f"{name}_hook", hook)
        if cancelled is not None:
            _callable("cancelled", cancelled)
        return HookCalls(chosen, self._timeout, cancelled, self._on_error)


class HookCalls:
    """The calls of one question's hooks. `ran`: the names of those whose result is used."""

    __slots__ = ("_cancelled", "_deadline", "_hooks", "_on_error", "_timeout", "ran")

    def __init__(
        self,
        hooks: "dict[str, Callable[..., object]]",
        timeout: "float | None",
        cancelled: "Cancelled | None",
        on_error: "Callable[[Exception], None] | None",
    ) -> None:
        self._hooks = hooks
        self._timeout = timeout
        self._cancelled = cancelled
        self._on_error = on_error
        self._deadline: float | None = None
        self.ran: list[str] = []

    def __contains__(self, name: object) -> bool:
        return name in self._hooks

    def cancelled(self) -> bool:
        """Whether the caller gave up or the running hook's time is over."""
        if self._deadline is not None and time.monotonic() >= self._deadline:
            return True
        return self._cancelled is not None and bool(self._cancelled())

    def rows(
        self, name: str, arguments: "tuple[object, ...]", rows_of: "Callable[[list[object]], list[int]]"
    ) -> "list[int] | None":
        """The rows that the hook `name` names, or None if it fails, is late, or returns something else.

        No more than CANDIDATES_LIMIT items are read of what it returns, which may be a generator without an end.
        """
        if self._timeout is not None:
            self._deadline = time.monotonic() + self._timeout
        try:
            rows = rows_of(read_names(self._hooks[name](*arguments), CANDIDATES_LIMIT))
            if self.cancelled():
                raise TimeoutError("it came back after the question was cancelled or its time was over")
        except Exception as error:
            reason = " ".join(str(error).split())
            failure = HookError(
                f"the {name} hook failed, and the question was answered without it: {type(error).__name__}: {reason}"
            )
            failure.__cause__ = error
            report(self._on_error, failure)
            return None
        finally:
            self._deadline = None
        self.ran.append(name)
        return rows


def _callable(name: str, value: "Any") -> "Callable[..., object]":
    if not callable(value):
        raise UsageError(f"{name} must be a function, not {value!r}")
    return value
