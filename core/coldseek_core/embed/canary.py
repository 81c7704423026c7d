"""Tell one embedding model from another by what it makes of a few fixed strings.

Two models of the same size would rank silently wrong; their vectors of these strings tell them apart.
"""

from ..errors import EmbedderMismatchError
from ..kernels import load
from ..kernels.memory import Numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .protocol import Embedder

CANARY_TEXTS = (
    "How do I rotate the API key of a service account?",
    "The harbour froze over twice that winter.",
    "error: cannot open shared object file",
)

# Cosine between a canary's stored and new vector. Hosted models wobble in the fourth digit between calls; another
# model's vector is anywhere.
CANARY_SIMILARITY = 0.98

# The name of the embedder of an index whose vectors came with its input: any embedder of that size may serve it.
GIVEN_VECTORS = "given"


def canary_codes(vectors: "Sequence[Sequence[float]]") -> list[bytes]:
    """int8 codes of the canaries' vectors, as the manifest keeps them."""
    kernels = load()
    result: list[bytes] = []
    for vector in vectors:
        size = len(vector)
        values, codes, remainders = Numbers.of("d", vector), Numbers("b", size), Numbers("b", (size + 1) // 2)
        largest, square = Numbers("d", 1), Numbers("q", 1)
        kernels.quantise_rows(
            *(values.address, 1, size, codes.address, remainders.address, largest.address, square.address)
        )
        result.append(bytes(codes.view[:size]))
    return result


def check_identity(embedder: "Embedder", embedder_id: str, dimensions: int) -> None:
    """Raises EmbedderMismatchError if `embedder` is not the one of that name and size."""
    same_name = embedder_id in (embedder.id, GIVEN_VECTORS)
    if not same_name or embedder.dimensions != dimensions:
        raise EmbedderMismatchError(
            f"the index was built with the embedder {embedder_id!r} ({dimensions} dimensions), not with "
            f"{embedder.id!r} ({embedder.dimensions}); use that one, or build the index again"
        )


def check_canaries(embedder_id: str, stored: "Sequence[bytes]", vectors: "Sequence[Sequence[float]]") -> None:
    """Raises EmbedderMismatchError if `vectors`, of CANARY_TEXTS or the first of them, are others than the index
    holds.
    """
    if len(stored) != len(CANARY_TEXTS):
        raise EmbedderMismatchError(
            f"the index holds vectors of {len(stored)} test texts, this version of coldseek has {len(CANARY_TEXTS)}; "
            "build the index again"
        )
    for order, codes in enumerate(canary_codes(vectors)):
        if codes == stored[order]:
            continue
        similarity = _cosine(codes, stored[order])
        if similarity < CANARY_SIMILARITY:
            raise EmbedderMismatchError(
                f"the embedder {embedder_id!r} has the name and size of the one that the index was built with, but "
                f"is another model or setting: its vector of {CANARY_TEXTS[order]!r} has a cosine of "
                f"{similarity:.3f} to the stored one; build the index again with it"
            )


def _cosine(left: bytes, right: bytes) -> float:
    if len(left) != len(right):
        return 0.0
    first = memoryview(left).cast("b")
    second = memoryview(right).cast("b")
    dot = sum(a * b for a, b in zip(first, second, strict=True))
    squares = sum(a * a for a in first) * sum(b * b for b in second)
    if squares == 0:
        return 1.0 if left == right else 0.0
    return dot / squares**0.5
