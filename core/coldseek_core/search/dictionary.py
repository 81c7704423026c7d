"""The index's terms and their postings, looked up by kernel."""

from ..columns.reader import IndexFiles
from ..kernels import Kernels
from ..kernels.memory import Numbers, address_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class TermEntry:
    """A term that the index knows: `df` postings from word `start` on; `idf` in units of 2**-16."""

    __slots__ = ("df", "idf", "start")

    def __init__(self, start: int, df: int, idf: int) -> None:
        self.start = start
        self.df = df
        self.idf = idf


class Dictionary:
    """Term look-up and the addresses of the postings. Use it inside `files.in_use()`."""

    def __init__(self, files: IndexFiles, kernels: Kernels) -> None:
        self._kernels = kernels
        self._terms = files.texts("terms", "term")
        self._df = files.numbers("terms", "df")
        self._idf = files.numbers("terms", "idf")
        self._start = files.numbers("terms", "start")
        self._slots = files.numbers("term_slots", "slot")
        words = files.numbers("postings", "word")
        self.words_address = words.address
        self.word_count = len(words)

    def find(self, terms: "Sequence[str]") -> "list[TermEntry | None]":
        """An entry for each term, None for those that no chunk contains."""
        if not terms:
            return []
        data: list[bytes] = [term.encode("utf-8", "surrogatepass") for term in terms]
        offsets = Numbers("q", len(terms) + 1)
        total = 0
        for order, encoded in enumerate(data):
            total += len(encoded)
            offsets.view[order + 1] = total
        joined = b"".join(data)
        ids = Numbers("q", len(terms))
        self._kernels.find_terms(
            *(address_of(joined), offsets.address, len(terms)),
            *(self._slots.address, len(self._slots), self._terms.offsets_address, self._terms.values_address),
            *(self._terms.values_length, len(self._terms), ids.address),
        )
        return [self._entry(term_id) if term_id >= 0 else None for term_id in ids.view]

    def _entry(self, term_id: int) -> TermEntry:
        return TermEntry(self._start.view[term_id], self._df.view[term_id], self._idf.view[term_id])
