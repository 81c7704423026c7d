"""What the analyser returns: tokens with their place in the source and what they stand for."""

from ..kernels.token_layout import ALIAS, BIGRAM, GRAM, LOOSE_NAME, NAME, PART, WORD

__all__ = [
    "ALIAS",
    "BIGRAM",
    "COUNTED_KINDS",
    "GRAM",
    "KIND_NAMES",
    "LOOSE_NAME",
    "NAME",
    "PART",
    "WORD",
    "Token",
]

KIND_NAMES = ("WORD", "PART", "NAME", "LOOSE_NAME", "ALIAS", "GRAM", "BIGRAM")

# Kinds that count in a field's length: the others are second readings of text that is counted already.
COUNTED_KINDS = frozenset((WORD, PART, GRAM))


class Token:
    """One term of a text.

    `term` is what is indexed; `start` and `end` are code point offsets into the source; `kind` is one of the
    kinds above; `stop` tells a stop word; `word` numbers the source word (compound or run of characters) that
    the token belongs to, from 0.
    """

    __slots__ = ("end", "kind", "start", "stop", "term", "word")

    def __init__(self, term: str, start: int, end: int, kind: int, stop: bool, word: int) -> None:
        self.term = term
        self.start = start
        self.end = end
        self.kind = kind
        self.stop = stop
        self.word = word

    def as_tuple(self) -> "tuple[str, int, int, str, bool, int]":
        return (self.term, self.start, self.end, KIND_NAMES[self.kind], self.stop, self.word)

    def __repr__(self) -> str:
        return f"Token{self.as_tuple()}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Token) and self.as_tuple() == other.as_tuple()

    def __hash__(self) -> int:
        return hash(self.as_tuple())
