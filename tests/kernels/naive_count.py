"""Plain twins of the kernels that count terms and make postings of them."""

import math
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


def join_fields(texts: Sequence[dict[int, int]], chunks: Sequence[Sequence[int]]) -> list[dict[int, tuple[int, ...]]]:
    """For each chunk, whose fields are places of texts, the frequencies of each of its terms in its fields."""
    result: list[dict[int, tuple[int, ...]]] = []
    for fields in chunks:
        counted = [texts[text] if 0 <= text < len(texts) else {} for text in fields]
        terms = dict.fromkeys(term for counts in counted for term in counts)
        result.append({term: tuple(counts.get(term, 0) for counts in counted) for term in terms})
    return result


def place_postings(
    chunks: Sequence[dict[int, tuple[int, ...]]],
    idf: Sequence[float],
    weights: Sequence[float],
    norms: Sequence[Sequence[float]],
    k1: float,
) -> list[tuple[int, int, int]]:
    """(term, row, impact in units of 2**-24) of every posting, by term and row; BM25F."""
    result: list[tuple[int, int, int]] = []
    for row, terms in enumerate(chunks):
        for term, frequencies in terms.items():
            w = 0.0
            for weight, frequency, of_field in zip(weights, frequencies, norms, strict=True):
                w += (weight * frequency) / of_field[row]
            impact = idf[term] * ((w * (k1 + 1.0)) / (w + k1))
            result.append((term, row, min(math.floor(impact * 2**24), 2**32 - 1)))
    return sorted(result)


def pack_postings(terms: Sequence[Sequence[tuple[int, float]]], fixed_point: int) -> list[list[tuple[int, int]]]:
    """The postings of each term with their impacts as they are stored."""
    return [
        [(row, min(max(math.floor(impact * fixed_point + 0.5), 1), 65535)) for row, impact in postings]
        for postings in terms
    ]


def separate_texts(texts: Sequence[str]) -> tuple[bytes, list[int]]:
    """The texts as lines, and how many characters these hold after each."""
    ends: list[int] = []
    for text in texts:
        ends.append((ends[-1] if ends else 0) + len(text) + 1)
    return "".join(f"{text}\n" for text in texts).encode(), ends


def enter_texts(texts: Sequence[bytes], known: list[bytes]) -> list[int]:
    """The number of each text among those that are known, to which new ones are added; -1 for an empty one."""
    numbers: list[int] = []
    for text in texts:
        if text and text not in known:
            known.append(text)
        numbers.append(known.index(text) if text else -1)
    return numbers
