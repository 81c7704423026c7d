"""Distinct texts of words that the tokeniser met, and the terms that they became."""

from ..kernels.memory import Numbers
from ..kernels.token_layout import AS_IS, TERM_LIMIT, TO_ALIAS, TO_STEM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Vocabulary:
    """Room for `capacity` texts of `size` bytes, written by the kernel, which takes `arguments`.

    `terms`: for each text its term, "" where nothing is left of it, None where its tokens are dropped.
    """

    __slots__ = ("_arena", "_offsets", "_slots", "arguments", "capacity", "size", "terms")

    def __init__(self, capacity: int, size: int) -> None:
        self.capacity = capacity
        self.size = size
        slot_count = 1
        while slot_count < 2 * capacity:
            slot_count *= 2
        self._slots = Numbers("Q", slot_count)
        self._offsets = Numbers("q", capacity + 1)
        self._arena = Numbers("B", size)
        slots, offsets, arena = self._slots.address, self._offsets.address, self._arena.address
        self.arguments = (slots, slot_count, offsets, capacity, arena, size)
        self.terms: list[str | None] = []

    def complete(self, count: int, stem_words: "Callable[[list[str]], list[str]] | None") -> None:
        """Find the terms of the texts up to `count` that have none yet: stemmed, marks stripped, cut."""
        first = len(self.terms)
        if first == count:
            return
        modes, texts = self._texts(first, count)
        terms = texts.copy()
        if stem_words is not None:
            stemmed = [order for order, mode in enumerate(modes) if mode in (TO_STEM, TO_ALIAS)]
            for order, stem in zip(stemmed, stem_words([texts[order] for order in stemmed]), strict=True):
                terms[order] = stem
        wide = [order for order, mode in enumerate(modes) if mode != AS_IS and not terms[order].isascii()]
        if wide:
            from .marks import without_marks  # most questions are ASCII

            for order, term in zip(wide, without_marks([terms[order] for order in wide]), strict=True):
                terms[order] = term
        self.terms.extend([term[:TERM_LIMIT] for term in terms])
        aliases = [order for order, mode in enumerate(modes) if mode == TO_ALIAS]
        names = [texts[order] for order in aliases]
        if not all(map(str.isascii, names)):
            from .marks import without_marks

            names = without_marks(names)
        for order, name in zip(aliases, names, strict=True):
            if terms[order] == name:
                self.terms[first + order] = None

    def _texts(self, first: int, count: int) -> "tuple[list[int], list[str]]":
        """What is to become of each of those texts, and the texts."""
        offsets = self._offsets.view[first : count + 1].tolist()
        base = offsets[0]
        data = bytes(self._arena.view[base : offsets[-1]])
        starts = [offset - base for offset in offsets]
        modes = [data[start] for start in starts[:-1]]
        if data.isascii():
            joined = data.decode()
            return modes, [joined[start + 1 : stop] for start, stop in zip(starts, starts[1:], strict=False)]
        return modes, [data[start + 1 : stop].decode() for start, stop in zip(starts, starts[1:], strict=False)]
