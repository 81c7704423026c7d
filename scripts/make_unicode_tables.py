"""Write the Unicode tables that the analyser is pinned to: core/coldseek_core/text/unicode_14_0.msgpack.

Run it with Python 3.11, whose `unicodedata` is Unicode 14.0.0. Tables are pinned so that an index built by one
Python is searched the same way by another; later versions of Unicode never change how a code point that was
assigned in 14.0 normalises or folds, so a new table means a new index format, not a silent drift.
"""

import struct
import sys
import unicodedata
from pathlib import Path

import msgpack

OUTPUT = Path(__file__).resolve().parent.parent / "core/coldseek_core/text/unicode_14_0.msgpack"

OTHER, LOWER, UPPER, CASELESS, DIGIT, MARK, IGNORABLE = range(7)

GRAM_SCRIPTS = ["Han", "Kana", "Hangul", "Bopomofo", "Thai", "Lao", "Khmer", "Myanmar"]
MARK_STRIPPED_SCRIPTS = ["Latin", "Greek", "Cyrillic"]

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


def main() -> None:
    if unicodedata.unidata_version != "14.0.0":
        sys.exit(f"needs Unicode 14.0.0 (Python 3.11); this Python has {unicodedata.unidata_version}")
    scripts = ["", *GRAM_SCRIPTS, *MARK_STRIPPED_SCRIPTS]
    starts: list[int] = []
    values: list[int] = []
    decompositions: dict[int, str] = {}
    folds: dict[int, str] = {}
    combining: dict[int, int] = {}
    compositions: dict[str, int] = {}
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        kind = class_of(char)
        script = 0
        if kind in (LOWER, UPPER, CASELESS):
            name = script_of(char)
            if name not in scripts:
                scripts.append(name)
            script = scripts.index(name)
        value = kind | script << 3
        if not values or values[-1] != value:
            starts.append(code)
            values.append(value)
        if 0xD800 <= code <= 0xDFFF or 0xAC00 <= code <= 0xD7A3:
            continue  # surrogates are in no text; Hangul syllables decompose by arithmetic
        if unicodedata.combining(char):
            combining[code] = unicodedata.combining(char)
        if (full := unicodedata.normalize("NFKD", char)) != char:
            decompositions[code] = full
        if (folded := char.casefold()) != char:
            folds[code] = folded
        canonical = unicodedata.decomposition(char)
        if canonical and not canonical.startswith("<") and len(parts := canonical.split()) == 2:
            pair = "".join(chr(int(part, 16)) for part in parts)
            if unicodedata.normalize("NFC", pair) == char:
                compositions[pair] = code
    table = {
        "version": unicodedata.unidata_version,
        "scripts": scripts,
        "gram_scripts": [scripts.index(name) for name in GRAM_SCRIPTS],
        "mark_stripped_scripts": [scripts.index(name) for name in MARK_STRIPPED_SCRIPTS],
        "starts": struct.pack(f"<{len(starts)}I", *starts),
        "values": struct.pack(f"<{len(values)}H", *values),
        "decompositions": decompositions,
        "folds": folds,
        "combining": combining,
        "compositions": compositions,
    }
    OUTPUT.write_bytes(msgpack.packb(table))
    print(f"{OUTPUT.name}: {len(starts)} ranges, {len(scripts)} scripts, {OUTPUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
