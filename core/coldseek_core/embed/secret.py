"""A key that shows itself nowhere by accident: not in a repr, an error, a pickle or a dump of local variables."""

from ..errors import UsageError

_SHORTEST_REDACTED = 4  # replacing every "a" of a message would hide nothing but the message


class Secret:
    """An API key. Only `reveal` gives it away."""

    __slots__ = ("_value",)

    def __init__(self, name: str, value: object) -> None:
        """`name` says where it came from. Raises UsageError, which does not show the value, for what is no key."""
        # A header with a line break in it would be refused later, by an error that quotes the header.
        stripped = value.strip() if isinstance(value, str) else ""
        if not stripped or not all("!" <= character <= "~" for character in stripped):
            raise UsageError(f"{name} holds no key: a key is ASCII text of one line, without blanks inside")
        self._value = stripped

    def reveal(self) -> str:
        return self._value

    def redact(self, text: str) -> str:
        """`text` with the key replaced wherever it stands."""
        return text.replace(self._value, "[key]") if len(self._value) >= _SHORTEST_REDACTED else text

    def __repr__(self) -> str:
        return "<key>"

    def __reduce__(self) -> str:
        raise TypeError("a key is not pickled; make the embedder anew where it is needed")
