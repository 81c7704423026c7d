"""The question's vector: given, embedded, or done without; and which mode that leaves."""

from ..embed.canary import CANARY_TEXTS, check_canaries, check_identity
from ..embed.checked import embed_checked
from ..embed.known import embedder_for, why_none
from ..embed.protocol import check_embedder, close_embedder, is_remote, may_stall
from ..errors import EmbedderError, EmbedderMismatchError, MissingExtraError, UsageError
from .legs import DenseLeg, QueryVector
from .results import Mode
from .settings import checked_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from ..embed.deadline import DeadlineCalls
    from ..embed.protocol import Embedder


DEFAULT_EMBED_TIMEOUT = 5.0
_LONGEST_TIMEOUT = 3600.0


class QuestionVectors:
    """Makes question vectors with the index's embedder; falls back to keywords where that fails or takes too long."""

    def __init__(
        self,
        built_with: "dict[str, Any] | None",
        dense: "DenseLeg | None",
        embedder: "Embedder | None",
        on_error: "Callable[[Exception], None] | None",
        timeout: "float | None" = DEFAULT_EMBED_TIMEOUT,
    ) -> None:
        """`timeout`: seconds that a question waits for its vector; None for as long as it takes.

        Raises UsageError for what is no embedder, EmbedderMismatchError for one that did not build the index.
        """
        if timeout is not None:
            timeout = float(checked_number("embed_timeout", timeout, 0.001, _LONGEST_TIMEOUT, whole=False))
        self._dense = dense
        self._on_error = on_error
        self._embedder = embedder
        self._own: Embedder | None = None
        self._canaries: list[bytes] = []
        self._canary_texts = CANARY_TEXTS
        self._timeout = timeout
        self._calls: DeadlineCalls | None = None  # of an embedder that may stall
        self._why_none = ""
        if embedder is not None:
            # One that would have to ask its server how long its vectors are is told instead, or not used at all.
            expect = getattr(embedder, "expect_dimensions", None)
            if expect is not None and built_with is not None:
                expect(built_with["dimensions"])
            if expect is None or built_with is not None:
                check_embedder(embedder)
        if built_with is None or dense is None:
            return
        name, dimensions = built_with["id"], built_with["dimensions"]
        if embedder is None:
            self._embedder = self._own = embedder_for(name, dimensions)
            if self._own is None:
                self._why_none = why_none(name, dimensions)
        if self._embedder is not None:
            check_identity(self._embedder, name, dimensions)
            if may_stall(self._embedder):
                from ..embed import deadline

                self._calls = deadline.DeadlineCalls()
            self._canaries = list(built_with["canaries"])
            if not is_remote(self._embedder):
                if self._own is self._embedder:
                    # Code of ours, made by its name: one text tells whether it has changed.
                    self._canary_texts = CANARY_TEXTS[:1]
                self._check_now(self._embedder)

    def _check_now(self, embedder: "Embedder") -> None:
        """Compare the embedder with the one of the index. If it fails, that is done with the next question."""
        try:
            self._embedded(embedder, [])
        except EmbedderMismatchError:
            raise
        except (EmbedderError, MissingExtraError):
            return

    def _embedded(self, embedder: "Embedder", texts: "list[str]") -> "list[list[float]]":
        """Vectors of `texts`; until the embedder is known to be the index's, the canaries go along and are compared."""
        canaries = self._canaries
        asked = [*texts, *self._canary_texts] if canaries else texts
        vectors = self._in_time(embedder, asked) if asked else []
        if canaries:
            check_canaries(embedder.id, canaries, vectors[len(texts) :])
            self._canaries = []
        return vectors[: len(texts)]

    def _in_time(self, embedder: "Embedder", texts: "list[str]") -> "list[list[float]]":
        timeout, calls = self._timeout, self._calls
        if timeout is None or calls is None:
            return embed_checked(embedder, texts)
        within: Callable[[Sequence[str], float], Sequence[Sequence[float]]] | None
        within = getattr(embedder, "embed_within", None)
        if within is not None:
            return embed_checked(embedder, texts, lambda asked: within(asked, timeout))
        return calls.run(embedder.id, lambda: embed_checked(embedder, texts), timeout)

    def close(self) -> None:
        """Close the embedder, if it was made here."""
        close_embedder(self._own)

    def embeds(self, requested: "str | None", given: "Sequence[Sequence[float] | None]") -> bool:
        """Whether `of` may call the embedder, which takes all texts in one batch."""
        return self._dense is not None and requested != "lexical" and any(values is None for values in given)

    def of(
        self,
        texts: "Sequence[str]",
        requested: str,
        given: "Sequence[Sequence[float] | None]",
        has_words: "Sequence[bool]",
    ) -> "list[tuple[QueryVector | None, Mode]]":
        """Each question's vector and the mode that can run for it. All that need the embedder go in one batch; a
        text that has no words gets no vector.

        A keyword-only index ignores `given`. Raises UsageError where "semantic" is asked of what cannot serve it,
        VectorSizeError, and EmbedderMismatchError; an embedder that fails is reported and done without.
        """
        dense = self._dense
        if dense is None and requested == "semantic":
            raise UsageError(
                "the index has no vectors, so mode 'semantic' cannot run; use 'lexical', or build it with an embedder"
            )
        if dense is None or requested == "lexical":
            return [(None, Mode(requested, "lexical", None)) for _ in texts]
        vectors = [None if values is None else dense.prepare(values) for values in given]
        missing = [order for order, vector in enumerate(vectors) if vector is None]
        asked = [order for order in missing if self._embedder is not None and has_words[order]]
        modes = [Mode(requested, requested, None) for _ in texts]
        embedder = self._embedder
        if embedder is None:
            if missing and requested == "semantic":
                raise UsageError(
                    f"mode 'semantic' needs the question's vector, and {self._why_none}; pass `vector`, or open the "
                    "index with its embedder"
                )
            for order in missing:
                modes[order] = Mode(requested, "lexical", self._why_none)
        elif asked:
            try:
                for order, values in zip(asked, self._embedded(embedder, [texts[one] for one in asked]), strict=True):
                    vectors[order] = dense.prepare(values)
            except EmbedderMismatchError:
                raise
            except (EmbedderError, MissingExtraError) as error:
                from .report import report

                report(self._on_error, error)
                for order in asked:
                    modes[order] = Mode(requested, "lexical", str(error))
        return list(zip(vectors, modes, strict=True))
