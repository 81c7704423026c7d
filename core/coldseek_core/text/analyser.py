"""The analyser: text to terms, the same for index and query."""

from ..errors import UsageError
from ..kernels.token_layout import STOP_TOKEN
from .languages import apostrophe_breaks_words, primary_subtag, stemmer_name, stemmer_of
from .stop_word_table import StopWordTable
from .stop_words import stop_words_of
from .token import Token
from .workspace import TEXT_BYTES, TEXTS, Workspace

ANALYSER_VERSION = 1
UNICODE_VERSION = "14.0.0"  # of the tables in `unicode_tables`
QUERY_MEMO = 20_000  # texts of words whose terms are kept: few, for strangers' questions fill it
_KEPT_CHARACTERS = 1 << 16  # working memory for longer texts is not kept

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from .vocabulary import Vocabulary

    Result = TypeVar("Result")


class Analyser:
    """Turns text into tokens for one language.

    `language` is a tag such as "en" or "zh-TW", or "none": no stemming and no stop words. `memo_limit`: texts of words
    whose terms are kept. Threads may share one. Raises UsageError for anything that is not a tag.
    """

    def __init__(self, language: str = "en", memo_limit: int = QUERY_MEMO) -> None:
        is_text = isinstance(language, str)  # pyright: ignore[reportUnnecessaryIsInstance]
        subtag = primary_subtag(language) if is_text else ""
        letters = language.replace("-", "").replace("_", "") if is_text else ""
        known = subtag == "none" or (2 <= len(subtag) <= 3 and subtag.isascii() and subtag.isalpha())
        if not known or not letters.isalnum() or len(language) > 35:
            raise UsageError(f"language must be a tag such as 'en', 'zh-TW' or 'none', not {language!r}")
        self._memo_limit = memo_limit
        self.language = language
        self._stem_words = stemmer_of(language)
        self._apostrophe_breaks = apostrophe_breaks_words(language)
        self._stop_words: StopWordTable | None = None
        # Lists give and take in one step, so threads share these without a lock, which a fork could leave locked.
        self._idle: list[Workspace] = []

    @property
    def settings(self) -> "dict[str, str | int]":
        """What the manifest keeps, and what `from_settings` takes."""
        return {
            "version": ANALYSER_VERSION,
            "language": self.language,
            "stemmer": stemmer_name(self.language),
            "unicode": UNICODE_VERSION,
        }

    @classmethod
    def from_settings(cls, settings: "dict[str, str | int]") -> "Analyser":
        """The analyser that an index was built with. Raises UsageError where this version has another one."""
        analyser = cls(str(settings.get("language", "")))
        if analyser.settings != settings:
            raise UsageError(
                f"the index was built with the analyser {settings}, this version of coldseek has "
                f"{analyser.settings}; build the index again"
            )
        return analyser

    def analyse(self, text: str) -> list[Token]:
        """All tokens of `text`, in the order of the source, with offsets in code points."""
        return self.with_tokens(text, _tokens)

    def with_tokens(self, text: str, use: "Callable[[Workspace, int], Result]") -> "Result":
        """What `use` returns, given a workspace that holds the tokens of `text`, which it is not to keep, and how many
        there are.
        """
        workspace = self._take()
        result = use(workspace, workspace.tokenise(text, self._memo_limit))
        self._give_back(workspace)
        return result

    def new_workspace(self, texts: int = TEXTS, text_bytes: int = TEXT_BYTES, memo: bool = False) -> Workspace:
        """A workspace with room for so many distinct texts of words at first. `memo`: see Workspace."""
        if self._stop_words is None:
            self._stop_words = StopWordTable(stop_words_of(self.language))
        return Workspace(self._stop_words, self._stem_words, self._apostrophe_breaks, texts, text_bytes, memo)

    def complete(self, vocabulary: "Vocabulary", count: int, tables: "tuple[int, int]") -> None:
        """Find the terms of a vocabulary's texts up to `count`. `tables`: see `Vocabulary.complete`."""
        vocabulary.complete(count, self._stem_words, tables)

    def _take(self) -> Workspace:
        """A workspace that nobody else uses until it is given back."""
        try:
            return self._idle.pop()
        except IndexError:
            return self.new_workspace()

    def _give_back(self, workspace: Workspace) -> None:
        workspace.shrink(_KEPT_CHARACTERS, self._memo_limit)
        self._idle.append(workspace)


def _tokens(workspace: Workspace, count: int) -> list[Token]:
    numbers, names = workspace.vocabulary.numbers.view, workspace.vocabulary.names
    columns = (workspace.entries, workspace.starts, workspace.ends, workspace.kinds, workspace.words)
    entries, starts, ends, kinds, words = (column.view[:count].tolist() for column in columns)
    terms: list[int] = [numbers[entry] for entry in entries]
    tokens = [
        Token(names[term], start, end, kind & ~STOP_TOKEN, kind >= STOP_TOKEN, word)
        for term, start, end, kind, word in zip(terms, starts, ends, kinds, words, strict=True)
        if term >= 0
    ]
    if len(tokens) < count:  # a stemmer may have left nothing of a word: words without a token are not numbered
        order: dict[int, int] = {}
        for token in tokens:
            token.word = order.setdefault(token.word, len(order))
    return tokens
