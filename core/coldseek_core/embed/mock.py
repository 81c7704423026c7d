"""A deterministic embedder for tests and demonstrations: hashed words and word pairs, no model and no network."""

from ..text.analyser import Analyser
from ..text.stop_words import stop_words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOCK_DIMENSIONS = 512
MOCK_MIN_SIMILARITY = 0.2
_PAIR_WEIGHT = 0.5


def fnv1a_32(text: str) -> int:
    """FNV-1a, 32 bits, over UTF-16 code units (Fowler, Noll and Vo; the unit in place of the byte)."""
    value = 2166136261
    if text.isascii():  # saves a cold process the import of the codec
        for unit in text.encode():
            value = (value ^ unit) * 16777619 & 0xFFFFFFFF
        return value
    units = text.encode("utf-16-le", "surrogatepass")
    for place in range(0, len(units), 2):
        value = (value ^ (units[place] | units[place + 1] << 8)) * 16777619 & 0xFFFFFFFF
    return value


def mock_vector(terms: "Sequence[str]") -> list[float]:
    """512 floats of unit length (zeros for no terms): each term weighs 1, each adjacent pair 0.5.

    Bucket = hash mod 512, sign = the hash's top bit (set: negative).
    """
    vector = [0.0] * MOCK_DIMENSIONS
    pairs = [f"{first} {second}" for first, second in zip(terms, terms[1:], strict=False)]
    for weight, texts in ((1.0, terms), (_PAIR_WEIGHT, pairs)):
        _add(vector, weight, texts)
    square = sum(value * value for value in vector)
    if square == 0.0:
        return vector
    # x ** 0.5 goes through pow(), whose last bit is not the same everywhere; Newton's steps are exact enough and are.
    length = _square_root(square)
    return [value / length for value in vector]


def _add(vector: list[float], weight: float, texts: "Iterable[str]") -> None:
    for text in texts:
        value = fnv1a_32(text)
        vector[value % MOCK_DIMENSIONS] += -weight if value >= 1 << 31 else weight


def _square_root(square: float) -> float:
    root = square if square > 1.0 else 1.0
    while True:
        closer = (root + square / root) * 0.5
        if closer >= root:
            return root
        root = closer


class MockEmbedder:
    """Similarity from shared words; counts only for chunks that share a word with the question.

    Without that rule a short question could match a short chunk through a collision of hashes. Words are taken as they
    are written, but for a plural's s: stems would make unlike words alike, and this similarity is to be poorer than
    that of a model, not of the keyword leg.
    """

    id = f"mock-{MOCK_DIMENSIONS}"
    dimensions = MOCK_DIMENSIONS
    similarity_needs_keyword = True
    may_stall = False
    min_similarity = MOCK_MIN_SIMILARITY

    def __init__(self) -> None:
        self._analyser = Analyser("none")
        self._stop_words = stop_words_of("en")

    def terms(self, text: str) -> list[str]:
        """The words of a text, English stop words left out, in order."""
        tokens = self._analyser.analyse(text)
        return [_singular(token.term) for token in tokens if token.term not in self._stop_words]

    def embed(self, texts: "Sequence[str]") -> list[list[float]]:
        """One vector a text."""
        return [mock_vector(self.terms(text)) for text in texts]


def _singular(word: str) -> str:
    """`limits` to `limit`; `class`, `status` and `analysis` stay."""
    return word[:-1] if len(word) > 3 and word[-1] == "s" and word[-2] not in "sui" else word
