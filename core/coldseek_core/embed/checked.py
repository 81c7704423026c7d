"""Call an embedder and believe nothing: count, size and finiteness of what it returns are checked."""

from ..errors import EmbedderError, MissingExtraError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .protocol import Embedder


def embed_checked(
    embedder: "Embedder",
    texts: "Sequence[str]",
    embed: "Callable[[Sequence[str]], Sequence[Sequence[float]]] | None" = None,
) -> list[list[float]]:
    """Vectors of `texts`, by `embed` in place of the embedder's own if given.

    Raises EmbedderError if the embedder fails or returns something unusable, MissingExtraError if it lacks a package.
    """
    try:
        vectors = [[float(value) for value in vector] for vector in (embed or embedder.embed)(texts)]
    except (EmbedderError, MissingExtraError):
        raise
    except Exception as error:
        told = " ".join(str(error).split())
        raise EmbedderError(f"the embedder {embedder.id!r} failed: {type(error).__name__}: {told}") from error
    if len(vectors) != len(texts):
        raise EmbedderError(
            f"the embedder {embedder.id!r} returned {len(vectors)} vectors for {len(texts)} texts; it must "
            "return one for each text, in order"
        )
    for order, vector in enumerate(vectors):
        if len(vector) != embedder.dimensions:
            raise EmbedderError(
                f"the embedder {embedder.id!r} returned {len(vector)} dimensions for text {order}, "
                f"{embedder.dimensions} were expected"
            )
        # A sum that is finite is of finite numbers; another may have overflowed.
        total = sum(vector)
        if total - total != 0.0 and not all(
            -1.7976931348623157e308 <= value <= 1.7976931348623157e308 for value in vector
        ):
            raise EmbedderError(f"the embedder {embedder.id!r} returned NaN or infinity for text {order}")
    return vectors
