"""The question's vector: given, embedded, or done without; and which mode that leaves."""

from ..embed.canary import check_canaries, check_identity
from ..embed.checked import embed_checked
from ..embed.mock import MockEmbedder
from ..embed.protocol import check_embedder
from ..errors import EmbedderError, EmbedderMismatchError, UsageError
from .legs import DenseLeg, QueryVector
from .results import Mode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from ..embed.protocol import Embedder


class QuestionVectors:
    """Makes question vectors with the index's embedder; falls back to keywords where that fails."""

    def __init__(
        self,
        built_with: "dict[str, Any] | None",
        dense: "DenseLeg | None",
        embedder: "Embedder | None",
        on_error: "Callable[[Exception], None] | None",
    ) -> None:
        """Raises UsageError for what is no embedder, EmbedderMismatchError for one that did not build the index."""
        if embedder is not None:
            check_embedder(embedder)
        self._dense = dense
        self._on_error = on_error
        self._embedder = embedder
        self._canaries: list[bytes] | None = None
        if built_with is None or dense is None:
            return
        if embedder is None and built_with["id"] == MockEmbedder.id:
            self._embedder = MockEmbedder()
        if self._embedder is not None:
            check_identity(self._embedder, built_with["id"], built_with["dimensions"])
            self._canaries = list(built_with["canaries"])
            self._check_canaries(at_open=True)

    def _check_canaries(self, at_open: bool) -> None:
        """Compare the embedder with the one of the index, once. A failure at open is tried again at a question."""
        if self._canaries is None or self._embedder is None:
            return
        try:
            check_canaries(self._embedder, self._canaries)
        except EmbedderMismatchError:
            raise
        except EmbedderError:
            if not at_open:
                raise
            return
        self._canaries = None

    def of(self, text: str, requested: str, given: "Sequence[float] | None") -> "tuple[QueryVector | None, Mode]":
        """The question's vector and the mode that can run.

        A keyword-only index ignores `given`. Raises UsageError where "semantic" is asked of what cannot serve it,
        VectorSizeError, and EmbedderMismatchError; an embedder that fails is reported and done without.
        """
        dense = self._dense
        if dense is None:
            if requested == "semantic":
                raise UsageError(
                    "the index has no vectors, so mode 'semantic' cannot run; use 'lexical', "
                    "or build it with an embedder"
                )
            return None, Mode(requested, "lexical", None)
        if requested == "lexical":
            return None, Mode(requested, "lexical", None)
        if given is not None:
            return dense.prepare(given), Mode(requested, requested, None)
        if self._embedder is None:
            if requested == "semantic":
                raise UsageError(
                    "mode 'semantic' needs the question's vector: pass `vector`, or open the index with its embedder"
                )
            return None, Mode(requested, "lexical", "the embedder that the index was built with is not at hand")
        try:
            self._check_canaries(at_open=False)
            vector = embed_checked(self._embedder, [text])[0]
            return dense.prepare(vector), Mode(requested, requested, None)
        except EmbedderMismatchError:
            raise
        except EmbedderError as error:
            self._report(error)
            return None, Mode(requested, "lexical", str(error))

    def _report(self, error: Exception) -> None:
        if self._on_error is None:
            return
        try:
            self._on_error(error)
        except Exception:
            return  # a broken reporter must not cost an answer
