"""Short ways to look at an analysis."""

from functools import cache

from coldseek_core.text import ALIAS, LOOSE_NAME, NAME, PART, Analyser, Token
from coldseek_core.text.token import KIND_NAMES

SHORT = {"WORD": "W", "PART": "P", "NAME": "N", "LOOSE_NAME": "L", "ALIAS": "A", "GRAM": "G", "BIGRAM": "B"}
NAMED_KINDS = (ALIAS, LOOSE_NAME, NAME, PART)


@cache
def analyser(language: str = "en") -> Analyser:
    return Analyser(language)


def tokens(text: str, language: str = "en") -> list[Token]:
    return analyser(language).analyse(text)


def shown(text: str, language: str = "en") -> str:
    """Kinds and terms in order: "N:urls P:url"."""
    return " ".join(f"{SHORT[KIND_NAMES[token.kind]]}:{token.term}" for token in tokens(text, language))


def terms(text: str, language: str = "en") -> list[str]:
    return [token.term for token in tokens(text, language)]


def kept(text: str, language: str = "en") -> list[str]:
    """Terms that are not stop words."""
    return [token.term for token in tokens(text, language) if not token.stop]


def stops(text: str, language: str = "en") -> list[str]:
    return [token.term for token in tokens(text, language) if token.stop]
