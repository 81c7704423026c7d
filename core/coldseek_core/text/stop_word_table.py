"""Stop words as the tokeniser takes them."""

from ..kernels import load
from ..kernels.memory import Numbers, address_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection


class StopWordTable:
    """A hash table of words: `arguments` are slots, slot count, offsets, bytes, their length, and word count."""

    __slots__ = ("_data", "_offsets", "_slots", "arguments")

    def __init__(self, words: "Collection[str]") -> None:
        encoded = [word.encode() for word in words]
        slot_count = 1
        while slot_count < 2 * len(encoded):
            slot_count *= 2
        self._data = b"".join(encoded)
        ends: list[int] = []
        total = 0
        for word in encoded:
            total += len(word)
            ends.append(total)
        self._offsets = Numbers("q", len(encoded) + 1)
        self._offsets.put(1, ends)
        self._slots = Numbers("I", slot_count)
        slots, offsets, data = self._slots.address, self._offsets.address, address_of(self._data)
        load().fill_slots(offsets, data, len(encoded), slots, slot_count)
        self.arguments = (slots, slot_count, offsets, data, total, len(encoded))
