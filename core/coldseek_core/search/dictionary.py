"""The index's terms and their postings, as kernels take them."""

from ..columns.reader import IndexFiles
from ..kernels import Kernels


class Dictionary:
    """Addresses of terms and postings. Use it inside `files.in_use()`.

    `arguments`: what `weigh_terms` takes of it: the keys of the blocks of terms, their offsets, bytes, number of bytes,
    and number, how many terms there are, and their document frequencies, IDF and starts of postings.
    """

    def __init__(self, files: IndexFiles, kernels: Kernels) -> None:
        self.kernels = kernels
        keys = files.numbers("term_blocks", "key")
        blocks = files.byte_strings("term_blocks", "terms")
        df, idf, start = (files.numbers("terms", name) for name in ("df", "idf", "start"))
        self.arguments = (
            *(keys.address, blocks.offsets_address, blocks.values_address, blocks.values_length, len(blocks)),
            *(len(df), df.address, idf.address, start.address),
        )
        words = files.numbers("postings", "word")
        self.words_address = words.address
        self.word_count = len(words)
