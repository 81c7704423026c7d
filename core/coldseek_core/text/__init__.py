"""The analyser: text to terms, one way for index and query."""

from .analyser import Analyser
from .token import ALIAS, BIGRAM, GRAM, LOOSE_NAME, NAME, PART, WORD, Token

__all__ = ["ALIAS", "BIGRAM", "GRAM", "LOOSE_NAME", "NAME", "PART", "WORD", "Analyser", "Token"]
