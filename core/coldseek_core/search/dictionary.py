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
        rows = files.numbers("postings", "row")
        impacts = files.numbers("postings", "impact")
        self.rows_address = rows.address
        self.impacts_address = impacts.address
        self.posting_count = len(rows)
