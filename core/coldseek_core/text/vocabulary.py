"""Distinct texts of words that the tokeniser met, and the terms that they became."""

from ..kernels import load
from ..kernels.memory import Numbers, address_of
from ..kernels.token_layout import AS_IS, ENTRY_COUNT, PLAIN, TEXTS_READ, TO_ALIAS, TO_STEM, VOCABULARY_COUNTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_PLAIN, _AS_IS, _TO_STEM, _TO_ALIAS = (bytes([mode]) for mode in (PLAIN, AS_IS, TO_STEM, TO_ALIAS))


class Vocabulary:
    """Room for `capacity` texts of `size` bytes, written by the kernel, which takes `arguments`.

    `numbers` (i64[capacity]) has each text's place among the distinct terms, -1 where nothing is left of it or its
    tokens are dropped; `totals` (u32[capacity]) is scratch for counting terms, zeros while nobody counts.
    """

    __slots__ = (
        *("_arena", "_counts", "_names", "_offsets", "_slots", "_term_offsets", "_term_slots", "_terms", "arguments"),
        *("capacity", "numbers", "size", "totals"),
    )

    def __init__(self, capacity: int, size: int) -> None:
        self.capacity = capacity
        self.size = size
        slot_count = 1
        while slot_count < 2 * capacity:
            slot_count *= 2
        self._slots = Numbers("I", slot_count)
        self._offsets = Numbers("q", capacity + 1)
        self._arena = Numbers("B", size)
        slots, offsets, arena = self._slots.address, self._offsets.address, self._arena.address
        self.arguments = (slots, slot_count, offsets, capacity, arena, size)
        self._term_slots = Numbers("I", slot_count)
        self._term_offsets = Numbers("q", capacity + 1)
        self._terms = Numbers("B", size)
        self._counts = Numbers("q", VOCABULARY_COUNTS)
        self._names: list[str] = []
        self.numbers = Numbers("q", capacity)
        self.totals = Numbers("I", capacity)

    @property
    def text_count(self) -> int:
        """How many texts have become terms."""
        return self._counts.view[TEXTS_READ]

    @property
    def term_count(self) -> int:
        """How many distinct terms there are."""
        return self._counts.view[ENTRY_COUNT]

    @property
    def term_arguments(self) -> tuple[int, ...]:
        """What `weigh_terms` takes of it: numbers of the texts' terms, text count, totals, term count, and of the terms
        where they begin and end, their bytes, and how many bytes there are.
        """
        return (
            *(self.numbers.address, self.text_count, self.totals.address, self.term_count),
            *(self._term_offsets.address, self._terms.address, len(self._terms.view)),
        )

    @property
    def names(self) -> list[str]:
        """The distinct terms."""
        names = self._names
        offsets = self._term_offsets.view[len(names) : self.term_count + 1].tolist()
        data = bytes(self._terms.view[offsets[0] : offsets[-1]])
        names.extend(_cut(data, [offset - offsets[0] for offset in offsets]))
        return names

    def complete(
        self, count: int, stem_words: "Callable[[list[str]], list[str]] | None", tables: tuple[int, int]
    ) -> None:
        """Find the terms of the texts up to `count` that have none yet. `tables`: address and length of those that
        text beyond ASCII needs.
        """
        first = self.text_count
        if first == count:
            return
        stems = b""
        if stem_words is not None:
            words = self._words_to_stem(first, count)
            if words:
                stems = "\n".join([*stem_words(words), ""]).encode()
        while (
            load().enter_terms(
                *(self._offsets.address, self._arena.address, self.size, count),
                *(stem_words is not None, address_of(stems), len(stems), *tables),
                *(self._term_slots.address, len(self._term_slots.view), self._term_offsets.address, self.capacity),
                *(self._terms.address, len(self._terms.view), self.numbers.address, self._counts.address),
            )
            < 0
        ):
            self._grow_terms()

    def enter(self, other: "Vocabulary", first: int, count: int, numbers: int, counts: int) -> int:
        """Enter the texts of another vocabulary, from `first` up to `count`. Their numbers in this one go to the
        address `numbers` (i64[count]), how many texts it has to `counts` (i64[3]). Returns the first one without room,
        `count` if there is none.
        """
        slots, slot_count, offsets, capacity, arena, size = self.arguments
        return load().enter_texts(
            *(other._offsets.address, other._arena.address, other.size, first, count),
            *(slots, slot_count, offsets, capacity, arena, size, numbers, counts),
        )

    def grown(self, counts: int) -> "Vocabulary":
        """The same with twice the room. `counts`: as for `enter`, of the new one."""
        grown = Vocabulary(2 * self.capacity, max(2 * self.size, len(self._terms.view)))
        scratch = Numbers("q", self.capacity)
        grown.enter(self, 0, self.text_count, scratch.address, counts)
        load().enter_texts(
            *(self._term_offsets.address, self._terms.address, len(self._terms.view), 0, self.term_count),
            *(grown._term_slots.address, len(grown._term_slots.view), grown._term_offsets.address, grown.capacity),
            *(grown._terms.address, len(grown._terms.view), scratch.address, grown._counts.address),
        )
        grown._counts.view[TEXTS_READ] = self.text_count
        grown.numbers.view[: self.text_count] = self.numbers.view[: self.text_count]
        return grown

    def term_bytes(self) -> "tuple[memoryview[int], memoryview[int]]":
        """Where the distinct terms begin and end (i64[terms + 1]), and their bytes, UTF-8."""
        offsets = self._term_offsets.view[: self.term_count + 1]
        return offsets, self._terms.view[: offsets[-1]]

    def _grow_terms(self) -> None:
        """Make room for twice as many bytes of terms."""
        before = self._terms.view
        self._terms = Numbers("B", 2 * len(before))
        self._terms.view[: len(before)] = before

    def _words_to_stem(self, first: int, count: int) -> list[str]:
        """The texts, of those from `first` on, that are to be stemmed."""
        start, stop = self._offsets.view[first], self._offsets.view[count]
        data = bytes(self._arena.view[start:stop])
        # Each text has its mode before it, a byte that no text holds, so that all are cut without a look at each.
        for other, mode in ((_TO_ALIAS, _TO_STEM), (_AS_IS, _PLAIN)):
            data = data.replace(other, mode)
        words = data.decode("utf-8", "surrogatepass").split(chr(TO_STEM))[1:]
        if _PLAIN not in data:
            return words
        plain = chr(PLAIN)
        return [word.partition(plain)[0] if plain in word else word for word in words]


def _cut(data: bytes, places: list[int]) -> list[str]:
    """The texts that begin and end at those places of `data`, UTF-8."""
    if data.isascii():
        joined = data.decode()
        return [joined[start:stop] for start, stop in zip(places, places[1:], strict=False)]
    return [data[start:stop].decode("utf-8", "surrogatepass") for start, stop in zip(places, places[1:], strict=False)]
