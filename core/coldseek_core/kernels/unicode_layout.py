"""How the tables of code points are laid out in memory: an array of u32 that `scripts/make_unicode_tables.py` writes.

A folded character is one u32: its code point, its class and its script. Of a code point, block `code >> BLOCK_SHIFT`
of the array's start gives where a block of records' places begins, and that one the record:

    PROPERTIES     class and script as in a character, combining class in the low byte, SAFE, INERT
    DECOMPOSITION  full compatibility decomposition (NFKD), as a reference to code points
    FOLD           full case folding, as a reference to code points
    COMPOSITIONS   reference to pairs: the second of a canonical pair that begins with this one, and the composite

A reference is `place << COUNT_BITS | count`, 0 where there is nothing. Hangul syllables are arithmetic and have none.
"""

BLOCK_SHIFT = 7
BLOCK_LENGTH = 1 << BLOCK_SHIFT
BLOCK_COUNT = 0x110000 >> BLOCK_SHIFT

PROPERTIES, DECOMPOSITION, FOLD, COMPOSITIONS = range(4)
RECORD_LENGTH = 4
COUNT_BITS = 8
COUNT_MASK = (1 << COUNT_BITS) - 1

# A character: code point in the low bits, then class, then script.
CODE_MASK = (1 << 21) - 1
CLASS_SHIFT = 21
CLASS_MASK = 7
SCRIPT_SHIFT = 24

# In PROPERTIES, beside class and script, where a character has its code point.
COMBINING_MASK = 0xFF
SAFE = 1 << 8  # normalisation can start afresh here: nothing before it can change it or be changed by it
INERT = 1 << 9  # alone, it folds to itself

# Classes of a code point. LOWER, UPPER and CASELESS are letters.
OTHER, LOWER, UPPER, CASELESS, DIGIT, MARK, IGNORABLE = range(7)

# Scripts: 0 is none or any, then those written without spaces, then those whose marks are stripped, then the others.
GRAM_SCRIPTS = ("Han", "Kana", "Hangul", "Bopomofo", "Thai", "Lao", "Khmer", "Myanmar")
MARK_STRIPPED_SCRIPTS = ("Latin", "Greek", "Cyrillic")
LAST_GRAM_SCRIPT = len(GRAM_SCRIPTS)
LATIN = LAST_GRAM_SCRIPT + 1
LAST_MARK_STRIPPED_SCRIPT = LAST_GRAM_SCRIPT + len(MARK_STRIPPED_SCRIPTS)

# Hangul syllables are composed by arithmetic (The Unicode Standard, section 3.12).
S_BASE, L_BASE, V_BASE, T_BASE = 0xAC00, 0x1100, 0x1161, 0x11A7
L_COUNT, V_COUNT, T_COUNT = 19, 21, 28
S_COUNT = L_COUNT * V_COUNT * T_COUNT
