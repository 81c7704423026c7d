"""What the analyser twin asks of Unicode, from the running Python's `unicodedata`.

The analyser is defined on Unicode 14.0, which Python 3.11 carries. A newer Python knows more code points, and
14.0's list of unassigned ones is not kept here: there the twin is exact only for text whose code points were
all assigned in 14.0. `IS_PINNED_VERSION` says which of the two holds.
"""

import sys
import unicodedata
from functools import cache

IS_PINNED_VERSION = unicodedata.unidata_version == "14.0.0"

WHITE_SPACE = frozenset(map(chr, [*range(0x09, 0x0E), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B)])) | frozenset(
    map(chr, [0x2028, 0x2029, 0x202F, 0x205F, 0x3000])
)
# The four separators of ASCII are no white space to Unicode, but bidirectional separators, at which Python splits too.
PIECE_BREAKS = WHITE_SPACE | {"\u200b", *map(chr, range(0x1C, 0x20))}

_IGNORABLE_RANGES = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)

APOSTROPHES = frozenset("'\u2019\u02bc")
HYPHENS = frozenset("-\u2010\u2011\u2212")

# The first word of a letter's name -> its script, where the two differ. The only letters whose names begin
# with VERTICAL are the repeat marks of kana and the iteration mark of ideographs in vertical text.
_SCRIPT_OF_FIRST_WORD = {
    "CJK": "HAN",
    "IDEOGRAPHIC": "HAN",
    "HIRAGANA": "KANA",
    "KATAKANA": "KANA",
    "KATAKANA-HIRAGANA": "KANA",
    "HENTAIGANA": "KANA",
    "VERTICAL KANA": "KANA",
    "VERTICAL IDEOGRAPHIC": "HAN",
}
# Letters of no script of their own: they go on, or begin, any word that is not a run of grams.
NEUTRAL_SCRIPT = "MODIFIER"
GRAM_SCRIPTS = frozenset({"HAN", "KANA", "HANGUL", "BOPOMOFO", "THAI", "LAO", "KHMER", "MYANMAR"})
MARKLESS_SCRIPTS = frozenset({"LATIN", "GREEK", "CYRILLIC"})


@cache
def is_ignorable(char: str) -> bool:
    """Default_Ignorable_Code_Point, apart from U+200B, which ends a piece before this is asked."""
    point = ord(char)
    return any(low <= point <= high for low, high in _IGNORABLE_RANGES)


@cache
def composing_seconds() -> frozenset[str]:
    """Code points that can join the one before them when text is composed (NFC)."""
    found = {chr(point) for point in range(0x1161, 0x1176)} | {chr(point) for point in range(0x11A8, 0x11C3)}
    for point in range(sys.maxunicode + 1):
        char = chr(point)
        parts = unicodedata.decomposition(char).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            pair = "".join(chr(int(part, 16)) for part in parts)
            if unicodedata.normalize("NFC", pair) == char:
                found.add(pair[1])
    return frozenset(found)


@cache
def is_safe_starter(char: str) -> bool:
    """True if normalisation never changes what stands before `char` together with it or what follows it."""
    first = unicodedata.normalize("NFKD", char)[0]
    return unicodedata.combining(first) == 0 and first not in composing_seconds()


@cache
def char_class(char: str) -> str:
    """One letter: L letter, D digit, M mark, A apostrophe, S symbol or separator (enclosing marks too)."""
    if char in APOSTROPHES:
        return "A"
    category = unicodedata.category(char)
    if category[0] == "L" or char == "\u3007":
        return "L"
    if category[0] == "N":
        return "D"
    if category in ("Mn", "Mc"):
        return "M"
    return "S"


@cache
def script(char: str) -> str:
    """The script of a letter, by the first word of its name (the first two of VERTICAL ones)."""
    # The only letters without a name in unicodedata are Tangut ideographs.
    names = unicodedata.name(char, "TANGUT IDEOGRAPH").split(" ")
    first = " ".join(names[:2]) if names[0] == "VERTICAL" else names[0]
    return _SCRIPT_OF_FIRST_WORD.get(first, first)


def strip_marks(term: str) -> str:
    """`term` without the marks whose base letter is Latin, Greek or Cyrillic."""
    kept: list[str] = []
    base_loses_marks = False
    for char in unicodedata.normalize("NFD", term):
        kind = char_class(char)
        if kind == "M":
            if base_loses_marks:
                continue
        else:
            base_loses_marks = kind == "L" and script(char) in MARKLESS_SCRIPTS
        kept.append(char)
    return unicodedata.normalize("NFC", "".join(kept))
