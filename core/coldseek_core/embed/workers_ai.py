"""Cloudflare Workers AI over its REST interface."""

import os

from ..errors import UsageError
from .http_answers import is_list, is_object
from .remote import DEFAULT_TIMEOUT, RemoteEmbedder, checked_base_url, checked_model
from .secret import Secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ID_PREFIX = "workers-ai:"
DEFAULT_URL = "https://api.cloudflare.com/client/v4"
DEFAULT_MODEL = "@cf/baai/bge-small-en-v1.5"
ACCOUNT_VARIABLE = "CLOUDFLARE_ACCOUNT_ID"
KEY_VARIABLE = "CLOUDFLARE_API_TOKEN"
URL_VARIABLE = "CLOUDFLARE_BASE_URL"

# Dimensions, and the gate's threshold where one is known.
MODELS: "dict[str, tuple[int, float | None]]" = {
    "@cf/baai/bge-small-en-v1.5": (384, 0.65),
    "@cf/baai/bge-base-en-v1.5": (768, None),
    "@cf/baai/bge-large-en-v1.5": (1024, None),
    "@cf/baai/bge-m3": (1024, None),
}


class WorkersAIEmbedder(RemoteEmbedder):
    """Vectors from a model that Cloudflare runs."""

    most_texts = 100

    def __init__(
        self,
        model: "str | None" = None,
        *,
        account_id: "str | None" = None,
        api_token: "str | None" = None,
        base_url: "str | None" = None,
        batch_size: "int | None" = None,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> None:
        """What is left out comes from the environment: CLOUDFLARE_ACCOUNT_ID, CLOUDFLARE_API_TOKEN,
        CLOUDFLARE_BASE_URL.

        `batch_size` texts go into one request (100). `timeout` seconds end a call of `embed`, with all its retries.
        Connects to nothing. Raises UsageError.
        """
        environment = os.environ
        model = checked_model("model", model or DEFAULT_MODEL)
        account = environment.get(ACCOUNT_VARIABLE) if account_id is None else account_id
        token = environment.get(KEY_VARIABLE) if api_token is None else api_token
        for name, value in ((ACCOUNT_VARIABLE, account), (KEY_VARIABLE, token)):
            if not value:
                raise UsageError(f"the embedder 'workers-ai' needs an account and a token: set {name}")
        url = checked_base_url(
            URL_VARIABLE if base_url is None else "base_url", base_url or environment.get(URL_VARIABLE) or DEFAULT_URL
        )
        # Both become part of the address, so neither may change where it leads.
        account = account.strip() if isinstance(account, str) else ""
        if not account.isascii() or not account.replace("-", "").replace("_", "").isalnum():
            raise UsageError(f"{ACCOUNT_VARIABLE} holds no account: it is letters and digits")
        parts = model.split("/")
        if not all(part.strip(".") and part.isascii() and not set(part) & set(" ?#%\\:") for part in parts):
            raise UsageError(f"model must be a name such as {DEFAULT_MODEL}, not {model!r}")
        own, min_similarity = MODELS.get(model, (None, None))
        super().__init__(
            f"{ID_PREFIX}{model}",
            f"{url}/accounts/{account}/ai/run/{model}",
            Secret(KEY_VARIABLE if api_token is None else "api_token", token),
            dimensions=own,
            min_similarity=min_similarity,
            batch_size=batch_size,
            timeout=timeout,
        )

    @classmethod
    def of_id(cls, embedder_id: str, dimensions: int) -> "WorkersAIEmbedder":
        """The embedder that made the vectors of an index, from the environment. Raises UsageError."""
        embedder = cls(embedder_id[len(ID_PREFIX) :])
        embedder.expect_dimensions(dimensions)
        return embedder

    def _body(self, texts: list[str]) -> "dict[str, Any]":
        return {"text": texts}

    def _vectors(self, answer: object, count: int) -> dict[int, object]:
        """Vectors come in the order of the texts and have no index, so a short answer cannot be mended."""
        if not is_object(answer) or answer.get("success") is not True:
            raise ValueError(f"it reports no success{_complaint(answer)}")
        result = answer.get("result")
        vectors = result.get("data") if is_object(result) else None
        if not is_list(vectors):
            raise ValueError("it has no list 'result.data'")
        if len(vectors) != count:
            raise ValueError(f"it holds {len(vectors)} vectors for {count} texts")
        return dict(enumerate(vectors))


def _complaint(answer: object) -> str:
    errors = answer.get("errors") if is_object(answer) else None
    first = errors[0] if is_list(errors) and errors else None
    message = first.get("message") if is_object(first) else None
    return f": {message}" if isinstance(message, str) else ""
