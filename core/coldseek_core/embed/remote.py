"""What embedders over HTTP share: batches, blanks, holes, sizes and deadlines."""

import time

from ..errors import EmbedderError, UsageError
from .deadline import DeadlineCalls
from .http_answers import most_bytes, vector_of
from .http_client import HttpClient
from .protocol import DEFAULT_MIN_SIMILARITY, MOST_DIMENSIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Self

    from .secret import Secret

DEFAULT_TIMEOUT = 120.0
LONGEST_TIMEOUT = 3600.0
_ROUNDS_FOR_HOLES = 3
_PROBE = "How many dimensions has a vector?"


class RemoteEmbedder:
    """An embedder behind an HTTP server; a kind of server says what its requests and answers look like.

    Connects at the first call, not before. Safe for threads and forks. Close it, or use it in `with`.
    """

    remote = True
    similarity_needs_keyword = False
    most_texts = 64  # of one request
    most_characters = 200_000  # of one request; a longer text goes alone

    def __init__(
        self,
        embedder_id: str,
        url: str,
        secret: "Secret | None",
        *,
        dimensions: "int | None",
        min_similarity: "float | None",
        batch_size: "int | None",
        timeout: float,
    ) -> None:
        """`dimensions` and `min_similarity` None where they are not known. Raises UsageError."""
        self.id = embedder_id
        self.min_similarity = DEFAULT_MIN_SIMILARITY if min_similarity is None else min_similarity
        self.warning: str | None = None
        if min_similarity is None:
            self.warning = (
                f"no min_similarity is known for {embedder_id!r}, so {DEFAULT_MIN_SIMILARITY} is taken; measure your "
                "own questions and set it"
            )
        self._dimensions = dimensions
        self._texts = self.most_texts if batch_size is None else _whole("batch_size", batch_size, self.most_texts)
        if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 < timeout <= LONGEST_TIMEOUT:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise UsageError(f"timeout must be seconds, more than 0 and at most {LONGEST_TIMEOUT:g}, not {timeout!r}")
        self._timeout = float(timeout)
        self._http = HttpClient(embedder_id, url, secret)
        self._calls = DeadlineCalls()

    @property
    def dimensions(self) -> int:
        """Of the vectors. For a model that is not known, the server is asked once. Raises EmbedderError."""
        if self._dimensions is None:
            self._within([_PROBE], self._timeout)
        return self._dimensions or 0

    def expect_dimensions(self, dimensions: int) -> None:
        """Take this number where it is not known; answers of another size are errors then."""
        if self._dimensions is None:
            self._dimensions = dimensions

    def embed(self, texts: "Sequence[str]", /) -> list[list[float]]:
        """One vector a text, in order; zeros for a blank one, which is not sent. Raises EmbedderError."""
        return self._within(texts, self._timeout)

    def embed_within(self, texts: "Sequence[str]", seconds: float) -> list[list[float]]:
        """`embed` with a deadline of its own, which covers connecting and all retries."""
        return self._within(texts, min(seconds, self._timeout))

    def _within(self, texts: "Sequence[str]", seconds: float) -> list[list[float]]:
        sent = [_well_formed(text) for text in texts]
        # The client's own deadline is a little earlier, for its error knows more.
        ends = time.monotonic() + seconds - min(seconds * 0.05, 0.25)
        return self._calls.run(self.id, lambda: self._all(sent, ends), seconds)

    def _all(self, texts: list[str], ends: float) -> list[list[float]]:
        vectors: dict[int, list[float]] = {}
        for places in self._batches(texts):
            vectors.update(zip(places, self._batch([texts[place] for place in places], ends), strict=True))
        return [vectors[place] if place in vectors else [0.0] * self.dimensions for place in range(len(texts))]

    def _batches(self, texts: list[str]) -> list[list[int]]:
        """The places of texts that are not blank, cut into requests."""
        batches: list[list[int]] = []
        characters = 0
        for place, text in enumerate(texts):
            if not text.strip():
                continue
            full = bool(batches) and (len(batches[-1]) == self._texts or characters + len(text) > self.most_characters)
            if full or not batches:
                batches.append([])
                characters = 0
            batches[-1].append(place)
            characters += len(text)
        return batches

    def _batch(self, texts: list[str], ends: float) -> list[list[float]]:
        """One request, and more for the texts that got no vector."""
        found: dict[int, list[float]] = {}
        waiting = list(range(len(texts)))
        for _ in range(1 + _ROUNDS_FOR_HOLES):
            limit = most_bytes(len(waiting), self._dimensions or MOST_DIMENSIONS)
            answer = self._http.post(self._body([texts[place] for place in waiting]), ends, limit)
            try:
                for place, value in self._vectors(answer, len(waiting)).items():
                    found[waiting[place]] = self._sized(value)
            except ValueError as error:
                raise self._http.error(f"the answer cannot be used: {error}") from None
            waiting = [place for place in waiting if place not in found]
            if not waiting:
                return [found[place] for place in range(len(texts))]
        raise self._http.error(
            f"{len(waiting)} of {len(texts)} texts got no vector in {1 + _ROUNDS_FOR_HOLES} requests"
        )

    def _sized(self, value: object) -> list[float]:
        vector = vector_of(value, self._dimensions)
        if not 1 <= len(vector) <= MOST_DIMENSIONS:
            raise ValueError(f"a vector has {len(vector)} dimensions; 1 to {MOST_DIMENSIONS} can be used")
        self._dimensions = len(vector)
        return vector

    def _body(self, texts: list[str]) -> "dict[str, Any]":
        """The request for the vectors of `texts`."""
        raise NotImplementedError

    def _vectors(self, answer: object, count: int) -> dict[int, object]:
        """What the answer holds for each place in the request. Raises ValueError if it fits no such request."""
        raise NotImplementedError

    def close(self) -> None:
        """Close the connections. Closing twice is fine."""
        self._http.close()

    def __enter__(self) -> "Self":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if "_http" in self.__dict__:  # not if the constructor failed
            self._http.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id!r}>"


def checked_base_url(name: str, value: object) -> str:
    """A base URL without its last slash. Raises UsageError, which shows none of it: people put keys into URLs."""
    text = value.strip() if isinstance(value, str) else ""
    scheme, _, rest = text.partition("://")
    host, _, path = rest.partition("/")
    plain = all("!" <= one <= "~" and one not in '@?#\\"<>{}|^`' for one in host + path)
    if scheme.lower() not in ("http", "https") or not host or not plain:
        raise UsageError(
            f"{name} must be an address such as https://api.example.com/v1, without a password, '?' or '#' in it"
        )
    return text.rstrip("/")


def checked_model(name: str, value: object) -> str:
    """The name of a model. Raises UsageError for what cannot be one."""
    text = value.strip() if isinstance(value, str) else ""
    if not text or len(text) > 200 or not text.isprintable():
        raise UsageError(f"{name} must be the name of a model, not {value!r}")
    return text


def checked_dimensions(value: object, most: "int | None") -> "int | None":
    """None or a whole number up to the model's own (`most`). Raises UsageError."""
    return None if value is None else _whole("dimensions", value, MOST_DIMENSIONS if most is None else most)


def _whole(name: str, value: object, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise UsageError(f"{name} must be a whole number from 1 to {most}, not {value!r}")
    return value


def _well_formed(text: object) -> str:
    """`text` with halves of UTF-16 pairs replaced, which no JSON parser need accept. Raises EmbedderError."""
    if not isinstance(text, str):
        raise EmbedderError(f"only text can be embedded, not {type(text).__name__}")
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
