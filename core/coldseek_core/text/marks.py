"""Marks stripped by kernel."""

from ..kernels import load
from ..kernels.memory import Numbers, address_of
from .unicode_tables import unicode_tables


def without_marks(texts: list[str]) -> list[str]:
    """Texts (NFKC) without the marks on Latin, Greek and Cyrillic letters; elsewhere marks are vowels and stay."""
    if not texts:
        return []
    tables = unicode_tables()
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    data = b"".join(encoded)
    ends: list[int] = []
    total = 0
    for text in encoded:
        total += len(text)
        ends.append(total)
    offsets, stripped_offsets = Numbers("q", len(texts) + 1), Numbers("q", len(texts) + 1)
    offsets.put(1, ends)
    capacity = total + 4
    while True:
        stripped = Numbers("B", capacity)
        written: int = load().strip_marks(
            *(address_of(data), offsets.address, len(texts), tables.address, tables.length),
            *(stripped.address, capacity, stripped_offsets.address),
        )
        if written >= 0:
            break
        capacity *= 2
    result = bytes(stripped.view[:written])
    places = stripped_offsets.view.tolist()
    return [
        result[start:stop].decode("utf-8", "surrogatepass") for start, stop in zip(places, places[1:], strict=False)
    ]
