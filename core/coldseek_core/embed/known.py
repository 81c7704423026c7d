"""The embedder of an index, by the name that the index keeps."""

from ..errors import UsageError
from .mock import MockEmbedder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .protocol import Embedder

_NOT_AT_HAND = "the embedder that the index was built with is not at hand"


def embedder_for(embedder_id: str, dimensions: int) -> "Embedder | None":
    """The embedder of that name, set up from the environment, or None (see `why_none`). Calls no network."""
    try:
        return _made(embedder_id, dimensions)
    except UsageError:
        return None


def why_none(embedder_id: str, dimensions: int) -> str:
    """Why `embedder_for` gives None: names the variable of the environment that is missing or cannot be used."""
    try:
        _made(embedder_id, dimensions)
    except UsageError as error:
        return f"{_NOT_AT_HAND}: {error}"
    return _NOT_AT_HAND


def speaks_http(embedder_id: str) -> bool:
    """Whether the embedder of that name asks a server, for which it needs httpx."""
    return embedder_id.startswith(("openai:", "workers-ai:"))


def _made(embedder_id: str, dimensions: int) -> "Embedder | None":
    if embedder_id == MockEmbedder.id:
        return MockEmbedder()
    if embedder_id.startswith("openai:"):
        from .openai import OpenAIEmbedder

        return OpenAIEmbedder.of_id(embedder_id, dimensions)
    if embedder_id.startswith("workers-ai:"):
        from .workers_ai import WorkersAIEmbedder

        return WorkersAIEmbedder.of_id(embedder_id, dimensions)
    return None
