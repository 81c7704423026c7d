"""Write the Unicode tables that the analyser is pinned to: core/coldseek_core/text/unicode_14_0.bin.

Usage: make_unicode_tables.py [OUTPUT]. Run it with Python 3.11, whose `unicodedata` is Unicode 14.0.0. Tables are
pinned so that an index built by one Python is searched the same way by another; later versions of Unicode never change
how a code point that was assigned in 14.0 normalises or folds, so a new table means a new index format, not a silent
drift. The layout is that of `coldseek_core.kernels.unicode_layout`.
"""

import struct
import sys
import unicodedata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "core"))

from coldseek_core.kernels import digest  # noqa: E402
from coldseek_core.kernels.unicode_layout import (  # noqa: E402
    BLOCK_COUNT,
    BLOCK_LENGTH,
    CASELESS,
    CLASS_SHIFT,
    COUNT_BITS,
    COUNT_MASK,
    DIGIT,
    GRAM_SCRIPTS,
    IGNORABLE,
    INERT,
    LOWER,
    MARK,
    MARK_STRIPPED_SCRIPTS,
    OTHER,
    SAFE,
    SCRIPT_SHIFT,
    T_BASE,
    T_COUNT,
    UPPER,
    V_BASE,
    V_COUNT,
)
from coldseek_core.text.unicode_tables import MAGIC, TABLE_FILE  # noqa: E402

OUTPUT = ROOT / "core/coldseek_core/text" / TABLE_FILE

# Unicode 14.0 Default_Ignorable_Code_Point, without U+200B (zero width space), which separates words.
IGNORABLE_RANGES = [
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200C, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
]  # fmt: skip

SCRIPT_OF_FIRST_WORD = {
    "LATIN": "Latin", "GREEK": "Greek", "CYRILLIC": "Cyrillic", "CJK": "Han", "IDEOGRAPHIC": "Han",
    "HIRAGANA": "Kana", "KATAKANA": "Kana", "KATAKANA-HIRAGANA": "Kana", "HANGUL": "Hangul",
    "HENTAIGANA": "Kana", "MODIFIER": "", "BOPOMOFO": "Bopomofo",
    "THAI": "Thai", "LAO": "Lao", "KHMER": "Khmer", "MYANMAR": "Myanmar",
}  # fmt: skip
# The kernels write these as "-" and "'" (NFKC has made a U+2011 a U+2010 by then).
UNIFIED = "\u2010\u2212\u2019\u02bc"


def script_of(char: str) -> str:
    name = unicodedata.name(char, "UNNAMED")
    first = name.removeprefix("VERTICAL ").split(" ")[0]  # the vertical forms of kana and ideographic marks
    return SCRIPT_OF_FIRST_WORD.get(first, first.capitalize())


def class_of(char: str) -> int:
    code = ord(char)
    if any(low <= code <= high for low, high in IGNORABLE_RANGES):
        return IGNORABLE
    category = unicodedata.category(char)
    if category == "Ll":
        return LOWER
    if category in ("Lu", "Lt"):
        return UPPER
    if category[0] == "L" or code == 0x3007:
        return CASELESS
    if category[0] == "N":
        return DIGIT
    if category in ("Mn", "Mc"):  # an enclosing mark (a keycap) makes a symbol, not a letter
        return MARK
    return OTHER


def is_normalised(code: int) -> bool:
    """Surrogates are in no text; Hangul syllables decompose by arithmetic."""
    return 0xD800 <= code <= 0xDFFF or 0xAC00 <= code <= 0xD7A3


def canonical_pairs() -> dict[int, list[int]]:
    """By a pair's first: its second and the composite, one pair after the other."""
    pairs: dict[int, list[int]] = {}
    for code in range(sys.maxunicode + 1):
        canonical = unicodedata.decomposition(chr(code))
        if is_normalised(code) or canonical.startswith("<") or len(parts := canonical.split()) != 2:
            continue
        first, second = (int(part, 16) for part in parts)
        if unicodedata.normalize("NFC", chr(first) + chr(second)) == chr(code):
            pairs.setdefault(first, []).extend((second, code))
    return pairs


class Pool:
    """Sequences of numbers, each kept once, behind what stands before them in the array."""

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self._known: dict[tuple[int, ...], int] = {}

    def place(self, numbers: tuple[int, ...]) -> int:
        if numbers not in self._known:
            self._known[numbers] = len(self.numbers)
            self.numbers.extend(numbers)
        return self._known[numbers]

    def reference(self, numbers: list[int], count: int) -> int:
        """Of `count` code points or pairs; places begin behind the array of blocks' places."""
        if not count:
            return 0
        assert count <= COUNT_MASK
        return (BLOCK_COUNT + self.place(tuple(numbers))) << COUNT_BITS | count


def main(output: Path) -> None:
    """Write the tables to `output`."""
    if unicodedata.unidata_version != "14.0.0":
        sys.exit(f"needs Unicode 14.0.0 (Python 3.11); this Python has {unicodedata.unidata_version}")
    scripts = ["", *GRAM_SCRIPTS, *MARK_STRIPPED_SCRIPTS]
    pairs = canonical_pairs()
    seconds = {second for numbers in pairs.values() for second in numbers[::2]}
    hangul = {*range(V_BASE, V_BASE + V_COUNT), *range(T_BASE + 1, T_BASE + T_COUNT)}
    pool = Pool()
    places: list[int] = []
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        kind = class_of(char)
        script = 0
        if kind in (LOWER, UPPER, CASELESS):
            name = script_of(char)
            if name not in scripts:
                scripts.append(name)
            script = scripts.index(name)
        full = [] if is_normalised(code) else [ord(part) for part in unicodedata.normalize("NFKD", char)]
        first = full[0] if full else code
        folded = char if is_normalised(code) else char.casefold()
        properties = kind << CLASS_SHIFT | script << SCRIPT_SHIFT | unicodedata.combining(char)
        joins = (unicodedata.combining(chr(part)) or part in seconds or part in hangul for part in (code, first))
        properties |= 0 if any(joins) else SAFE
        if folded == char and unicodedata.normalize("NFKC", char) == char and char not in UNIFIED:
            properties |= INERT
        full = [] if full == [code] else full
        fold = [] if folded == char else [ord(part) for part in folded]
        composites = pairs.get(code, [])
        record = (
            properties,
            pool.reference(full, len(full)),
            pool.reference(fold, len(fold)),
            pool.reference(composites, len(composites) // 2),
        )
        places.append(BLOCK_COUNT + pool.place(record))
    blocks = [
        BLOCK_COUNT + pool.place(tuple(places[first : first + BLOCK_LENGTH]))
        for first in range(0, len(places), BLOCK_LENGTH)
    ]
    numbers = blocks + pool.numbers
    body = struct.pack(f"<{len(numbers)}I", *numbers)
    output.write_bytes(MAGIC + struct.pack("<Q", digest(body)) + body)
    print(f"{output.name}: {len(scripts)} scripts, {output.stat().st_size} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else OUTPUT)
