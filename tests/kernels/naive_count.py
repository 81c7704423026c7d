"""Plain twin of the kernel that counts terms."""

from collections import Counter
from collections.abc import Sequence

COUNTED_KINDS = (0, 1, 5)  # a plain word, a part of a compound, a character


def count_terms(
    tokens: Sequence[tuple[int, int, int]], terms: Sequence[int], text_ends: Sequence[int]
) -> list[tuple[dict[int, int], int]]:
    """For each text the frequencies of its terms and its length; tokens are (entry, start, kind), by start."""
    result: list[tuple[dict[int, int], int]] = []
    begin = 0
    for end in text_ends:
        inside = [(terms[entry], kind) for entry, start, kind in tokens if begin <= start < end]
        kept = [(term, kind) for term, kind in inside if term >= 0]
        result.append((dict(Counter(term for term, _ in kept)), sum(kind in COUNTED_KINDS for _, kind in kept)))
        begin = end
    return result
