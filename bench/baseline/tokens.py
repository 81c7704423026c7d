"""The token that the analyser twin makes and that the baseline search takes."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

KINDS = ("WORD", "PART", "NAME", "LOOSE_NAME", "ALIAS", "GRAM", "BIGRAM")
LENGTH_KINDS = frozenset({"WORD", "PART", "GRAM"})
NAME_KINDS = frozenset({"NAME", "LOOSE_NAME"})


class Token(NamedTuple):
    """One term of a text.

    `start` and `end` are code point offsets into the text, `word` is the ordinal of the word, compound or run
    of grams that the token comes from.
    """

    term: str
    start: int
    end: int
    kind: str
    stop: bool
    word: int


def kind_name(kind: Any) -> str:
    """The name of a kind given as a string of any case, as an enum's member, or as an index into KINDS."""
    name = getattr(kind, "name", kind)
    if isinstance(name, str):
        name = name.upper().replace("-", "_")
    elif isinstance(name, int) and 0 <= name < len(KINDS):
        name = KINDS[name]
    if name not in KINDS:
        raise ValueError(f"expected a token kind, one of {', '.join(KINDS)}; got {kind!r}")
    return name


def as_tokens(items: Iterable[Any]) -> list[Token]:
    """Tokens from any analyser: 6-tuples in the order of Token's fields, or objects with those attributes."""
    tokens: list[Token] = []
    for item in items:
        if isinstance(item, Token):
            tokens.append(item)
            continue
        fields: Sequence[Any]
        if hasattr(item, "term"):
            fields = [getattr(item, name) for name in Token._fields]
        else:
            fields = list(item)
        term, start, end, kind, stop, word = fields
        tokens.append(Token(term, int(start), int(end), kind_name(kind), bool(stop), int(word)))
    return tokens
