"""Texts to terms by the kernel alone, with all its memory made here."""

from collections.abc import Sequence

import numpy as np

from coldseek_core.kernels import load
from coldseek_core.kernels.token_layout import NO_ROOM_FOR_BYTES, TO_ALIAS, TO_STEM, VOCABULARY_COUNTS
from coldseek_core.text.unicode_tables import unicode_tables


def terms_of(texts: Sequence[str], modes: Sequence[int], stems: Sequence[str] | None = None) -> list[str | None]:
    """Each text's term, None for those without one. `stems`: of all texts, None where nothing is stemmed."""
    encoded = [bytes([mode]) + text.encode("utf-8", "surrogatepass") for text, mode in zip(texts, modes, strict=True)]
    data = np.frombuffer(b"".join(encoded) + b"\0", np.uint8)
    offsets = np.cumsum([0, *map(len, encoded)]).astype(np.int64)
    chosen = [stem for stem, mode in zip(stems or (), modes, strict=stems is not None) if mode in (TO_STEM, TO_ALIAS)]
    lines = np.frombuffer("\n".join([*chosen, ""]).encode("utf-8", "surrogatepass") + b"\0", np.uint8)
    tables = unicode_tables()
    count, slot_count = len(texts), 64
    slots, term_offsets = np.zeros(slot_count, np.uint32), np.zeros(count + 1, np.int64)
    numbers, counts = np.zeros(count, np.int64), np.zeros(VOCABULARY_COUNTS, np.int64)
    terms = np.zeros(1, np.uint8)
    while True:
        found = load().enter_terms(
            *(offsets.ctypes.data, data.ctypes.data, len(data) - 1, count),
            *(int(stems is not None), lines.ctypes.data, len(lines) - 1, tables.address, tables.length),
            *(slots.ctypes.data, slot_count, term_offsets.ctypes.data, count, terms.ctypes.data, len(terms)),
            *(numbers.ctypes.data, counts.ctypes.data),
        )
        if found >= 0:
            break
        assert found == NO_ROOM_FOR_BYTES
        terms = np.concatenate([terms, np.zeros(len(terms) + 1, np.uint8)])
    names = [
        bytes(terms[start:stop]).decode("utf-8", "surrogatepass")
        for start, stop in zip(term_offsets[:found], term_offsets[1 : found + 1], strict=True)
    ]
    assert len(set(names)) == found
    return [names[number] if number >= 0 else None for number in numbers.tolist()]
