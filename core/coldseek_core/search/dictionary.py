"""The index's terms and their postings, as kernels take them."""

from ..columns.reader import IndexFiles
from ..kernels import Kernels


class Dictionary:
    """Addresses of terms and postings. Use it inside `files.in_use()`.

    `arguments`: what `weigh_terms` takes of it: the hash table's slots, how many, the terms' offsets, bytes, number of
    bytes, and number, and their document frequencies, IDF and starts of postings.
    """

    def __init__(self, files: IndexFiles, kernels: Kernels) -> None:
        self.kernels = kernels
        terms = files.texts("terms", "term")
        slots = files.numbers("term_slots", "slot")
        numbers = [files.numbers("terms", name).address for name in ("df", "idf", "start")]
        self.arguments = (
            *(slots.address, len(slots), terms.offsets_address, terms.values_address, terms.values_length),
            *(len(terms), *numbers),
        )
        words = files.numbers("postings", "word")
        self.words_address = words.address
        self.word_count = len(words)
