"""Any server with OpenAI's `/embeddings`."""

import os

from ..errors import UsageError
from .http_answers import is_list, is_object
from .remote import DEFAULT_TIMEOUT, RemoteEmbedder, checked_base_url, checked_dimensions, checked_model
from .secret import Secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ID_PREFIX = "openai:"
DEFAULT_URL = "https://api.openai.com/v1"
DEFAULT_MODEL = "text-embedding-3-small"
KEY_VARIABLE = "OPENAI_API_KEY"
URL_VARIABLE = "OPENAI_BASE_URL"
MODEL_VARIABLE = "COLDSEEK_OPENAI_MODEL"

# Dimensions, and the gate's threshold where one is known.
MODELS: "dict[str, tuple[int, float | None]]" = {
    "text-embedding-3-small": (1536, 0.25),
    "text-embedding-3-large": (3072, None),
    "text-embedding-ada-002": (1536, None),
}


class OpenAIEmbedder(RemoteEmbedder):
    """Vectors from OpenAI, or from a server of your own that speaks like it."""

    # OpenAI takes 2,048 texts and 300,000 tokens a request; most other servers take fewer.
    most_texts = 2048
    most_characters = 200_000
    usual_texts = 64

    def __init__(
        self,
        model: "str | None" = None,
        *,
        api_key: "str | None" = None,
        base_url: "str | None" = None,
        dimensions: "int | None" = None,
        batch_size: "int | None" = None,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> None:
        """What is left out comes from the environment: OPENAI_API_KEY, OPENAI_BASE_URL, COLDSEEK_OPENAI_MODEL.

        `dimensions` asks a model that can do so for shorter vectors. `batch_size` texts go into one request (64).
        `timeout` seconds end a call of `embed`, with all its retries. A key is needed for OpenAI's own address only.
        Connects to nothing. Raises UsageError.
        """
        environment = os.environ
        model = checked_model("model", model or environment.get(MODEL_VARIABLE) or DEFAULT_MODEL)
        url = checked_base_url(
            URL_VARIABLE if base_url is None else "base_url", base_url or environment.get(URL_VARIABLE) or DEFAULT_URL
        )
        key = environment.get(KEY_VARIABLE) if api_key is None else api_key
        if not key and url == DEFAULT_URL:
            raise UsageError(f"the embedder 'openai' needs a key: set {KEY_VARIABLE}")
        own, min_similarity = MODELS.get(model, (None, None))
        asked = checked_dimensions(dimensions, own)
        self._model = model
        self._asked = None if asked == own else asked
        super().__init__(
            f"{ID_PREFIX}{model}" + (f":{self._asked}" if self._asked else ""),
            f"{url}/embeddings",
            Secret(KEY_VARIABLE if api_key is None else "api_key", key) if key else None,
            dimensions=self._asked or own,
            min_similarity=min_similarity,
            batch_size=batch_size or self.usual_texts,
            timeout=timeout,
        )

    @classmethod
    def of_id(cls, embedder_id: str, dimensions: int) -> "OpenAIEmbedder":
        """The embedder that made the vectors of an index, from the environment. Raises UsageError."""
        model = embedder_id[len(ID_PREFIX) :]
        if model.endswith(f":{dimensions}"):
            return cls(model[: -len(f":{dimensions}")], dimensions=dimensions)
        embedder = cls(model)
        embedder.expect_dimensions(dimensions)
        return embedder

    def _body(self, texts: list[str]) -> "dict[str, Any]":
        body: dict[str, Any] = {"model": self._model, "input": texts}
        if self._asked:
            body["dimensions"] = self._asked
        return body

    def _vectors(self, answer: object, count: int) -> dict[int, object]:
        entries = answer.get("data") if is_object(answer) else None
        if not is_list(entries):
            raise ValueError("it has no list 'data'")
        if len(entries) > count:
            raise ValueError(f"it holds {len(entries)} vectors for {count} texts")
        found: dict[int, object] = {}
        for entry in entries:
            place = entry.get("index") if is_object(entry) else None
            if type(place) is not int:
                raise ValueError("a vector has no 'index'")
            if not 0 <= place < count:
                raise ValueError(f"a vector has the index {place} for {count} texts")
            if place in found:
                raise ValueError(f"two vectors have the index {place}")
            found[place] = entry.get("embedding")
        return {place: value for place, value in found.items() if value is not None}
