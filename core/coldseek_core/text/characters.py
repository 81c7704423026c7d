"""What each code point is: its class, its script and how it normalises, from tables pinned to Unicode 14.0."""

import os
import struct

import msgpack

# Classes of a code point. LOWER, UPPER and CASELESS are letters.
OTHER, LOWER, UPPER, CASELESS, DIGIT, MARK, IGNORABLE = range(7)
CLASS_BITS = 3
CLASS_MASK = 7

APOSTROPHES = "'\u2019\u02bc"
# Hyphens and the minus sign that join words as "-" does (NFKC has made U+2011 a U+2010 by then).
HYPHENS = "-\u2010\u2212"

UNICODE_VERSION = "14.0.0"
_TABLE_FILE = "unicode_14_0.msgpack"

# Hangul syllables are composed by arithmetic (The Unicode Standard, section 3.12).
_S_BASE, _L_BASE, _V_BASE, _T_BASE = 0xAC00, 0x1100, 0x1161, 0x11A7
_L_COUNT, _V_COUNT, _T_COUNT = 19, 21, 28
_S_COUNT = _L_COUNT * _V_COUNT * _T_COUNT


class UnicodeTables:
    """The pinned tables; one instance serves the process."""

    __slots__ = (
        "_classes",
        "_ranges",
        "_unsafe",
        "combining",
        "compositions",
        "decompositions",
        "folds",
        "gram_scripts",
        "mark_stripped_scripts",
    )

    def __init__(self, data: bytes) -> None:
        table = msgpack.unpackb(data, strict_map_key=False)
        self.gram_scripts: frozenset[int] = frozenset(table["gram_scripts"])
        self.mark_stripped_scripts: frozenset[int] = frozenset(table["mark_stripped_scripts"])
        starts: tuple[int, ...] = struct.unpack(f"<{len(table['starts']) // 4}I", table["starts"])
        values: tuple[int, ...] = struct.unpack(f"<{len(table['values']) // 2}H", table["values"])
        self._ranges = (starts, values)
        self._classes: dict[int, int] = {}
        self.decompositions: dict[int, str] = table["decompositions"]
        self.folds: dict[int, str] = table["folds"]
        self.combining: dict[int, int] = table["combining"]
        self.compositions: dict[str, int] = table["compositions"]
        seconds = {ord(pair[1]) for pair in self.compositions}
        self._unsafe: frozenset[int] = frozenset(
            list(self.combining)
            + list(seconds)
            + [code for code, text in self.decompositions.items() if self._joins(ord(text[0]), seconds)]
        )

    def _joins(self, code: int, seconds: set[int]) -> bool:
        return code in self.combining or code in seconds or is_hangul_vowel_or_final(code)

    def class_of(self, code: int) -> int:
        """Class and script of a code point: `class | script << CLASS_BITS`."""
        found = self._classes.get(code)
        if found is None:
            starts, values = self._ranges
            low, high = 0, len(starts)
            while high - low > 1:
                middle = (low + high) // 2
                if starts[middle] <= code:
                    low = middle
                else:
                    high = middle
            found = self._classes[code] = values[low]
        return found

    def is_safe_starter(self, code: int) -> bool:
        """Whether normalisation can start afresh here: nothing before it can change it or be changed by it."""
        return code not in self._unsafe and not is_hangul_vowel_or_final(code)

    def decompose(self, code: int) -> str:
        """Full compatibility decomposition (NFKD) of one code point."""
        if _S_BASE <= code < _S_BASE + _S_COUNT:
            lead, rest = divmod(code - _S_BASE, _V_COUNT * _T_COUNT)
            vowel, final = divmod(rest, _T_COUNT)
            text = chr(_L_BASE + lead) + chr(_V_BASE + vowel)
            return text + chr(_T_BASE + final) if final else text
        return self.decompositions.get(code) or chr(code)

    def compose(self, first: int, second: int) -> int:
        """The canonical composite of two code points, or -1."""
        if _L_BASE <= first < _L_BASE + _L_COUNT and _V_BASE <= second < _V_BASE + _V_COUNT:
            return _S_BASE + ((first - _L_BASE) * _V_COUNT + second - _V_BASE) * _T_COUNT
        if (
            _S_BASE <= first < _S_BASE + _S_COUNT
            and (first - _S_BASE) % _T_COUNT == 0
            and _T_BASE < second < _T_BASE + _T_COUNT
        ):
            return first + second - _T_BASE
        return self.compositions.get(chr(first) + chr(second), -1)


def is_hangul_vowel_or_final(code: int) -> bool:
    return _V_BASE <= code < _V_BASE + _V_COUNT or _T_BASE < code < _T_BASE + _T_COUNT


_tables: list[UnicodeTables] = []


def unicode_tables() -> UnicodeTables:
    """The pinned tables, read at the first text that is not ASCII."""
    if not _tables:
        path = os.path.join(os.path.dirname(__file__), _TABLE_FILE)
        with open(path, "rb") as file:
            read = UnicodeTables(file.read())
        # No lock, which a fork could leave locked: threads that come here at once read equal tables.
        _tables.append(read)
    return _tables[0]
