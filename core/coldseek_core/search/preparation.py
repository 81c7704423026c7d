"""From questions to what is searched for: their terms, their vectors, and the mode that these allow."""

from ..columns.reader import IndexFiles
from ..errors import UsageError
from ..text import Analyser
from .dictionary import Dictionary
from .query import LexicalQuery, resolve_query
from .question_vector import QuestionVectors
from .results import Mode
from .settings import checked_mode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .legs import QueryVector

    Prepared = tuple[Mode, LexicalQuery, QueryVector | None]


class Preparation:
    """Prepares questions for one index; any number of threads may use it at once."""

    def __init__(
        self,
        files: IndexFiles,
        analyser: Analyser,
        dictionary: Dictionary,
        unknown_idf: int,
        vectors: QuestionVectors,
    ) -> None:
        self._files = files
        self._analyser = analyser
        self._dictionary = dictionary
        self._unknown_idf = unknown_idf
        self._vectors = vectors

    def embeds(self, mode: "str | None", given: "Sequence[Sequence[float] | None]") -> bool:
        """Whether an embedder may be called, which takes all texts in one batch."""
        return self._vectors.embeds(checked_mode(mode), given)

    def of(
        self, texts: "Sequence[str]", mode: "str | None", given: "Sequence[Sequence[float] | None]"
    ) -> "list[Prepared]":
        """The mode that runs for each question, its terms and its vector. No file is in use while an embedder takes its
        time.
        """
        with self._files.in_use():
            resolved = self._resolved(texts)
        return self._with_vectors(texts, mode, given, resolved)

    def while_in_use(
        self, texts: "Sequence[str]", mode: "str | None", given: "Sequence[Sequence[float] | None]"
    ) -> "list[Prepared]":
        """As `of`, for questions that `embeds` says no to, by a thread of someone who has the files in use."""
        return self._with_vectors(texts, mode, given, self._resolved(texts))

    def _resolved(self, texts: "Sequence[str]") -> "list[LexicalQuery]":
        for text in texts:
            if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise UsageError(f"a query must be text, not {type(text).__name__}")
        return [resolve_query(text, self._analyser, self._dictionary, self._unknown_idf) for text in texts]

    def _with_vectors(
        self,
        texts: "Sequence[str]",
        mode: "str | None",
        given: "Sequence[Sequence[float] | None]",
        resolved: "Sequence[LexicalQuery]",
    ) -> "list[Prepared]":
        """A text without a word is not embedded, and a zero vector is none: neither is like anything."""
        requested = checked_mode(mode) or "hybrid"
        found = self._vectors.of(texts, requested, given, [query.has_words for query in resolved])
        return [
            (ran, query, values if values is not None and values.square else None)
            for query, (values, ran) in zip(resolved, found, strict=True)
        ]
