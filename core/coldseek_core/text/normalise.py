"""NFKC and case folding with a map back to the source, on the pinned tables (Unicode Standard Annex 15)."""

from .characters import (
    APOSTROPHES,
    CASELESS,
    CLASS_BITS,
    CLASS_MASK,
    DIGIT,
    HYPHENS,
    IGNORABLE,
    LOWER,
    MARK,
    UPPER,
    UnicodeTables,
    unicode_tables,
)

LATIN = 9  # the script number of Latin in the pinned tables


def _ascii_class(code: int) -> int:
    char = chr(code)
    if char.isdigit():
        return DIGIT
    if not char.isalpha():
        return 0
    return (UPPER if char.isupper() else LOWER) | LATIN << CLASS_BITS


_ASCII_CLASSES = [_ascii_class(code) for code in range(128)]
# Normalisation starts afresh after so many code points: no real text has 30 marks on one letter (the stream-safe
# limit of Unicode Standard Annex 15), and ordering a hostile run of marks would cost its length squared.
_STRETCH_LIMIT = 32
for _code in range(128):
    if 97 <= _code <= 122:
        _ASCII_CLASSES[_code] = LOWER | LATIN << CLASS_BITS
    elif 65 <= _code <= 90:
        _ASCII_CLASSES[_code] = UPPER | LATIN << CLASS_BITS
    elif 48 <= _code <= 57:
        _ASCII_CLASSES[_code] = DIGIT


class Folded:
    """A normalised piece of text: per code point its folded character, class (with script) and source span."""

    __slots__ = ("chars", "classes", "ends", "starts")

    def __init__(self, chars: list[str], classes: list[int], starts: list[int], ends: list[int]) -> None:
        self.chars = chars
        self.classes = classes
        self.starts = starts
        self.ends = ends


def fold(piece: str) -> Folded:
    """Normalise and case-fold `piece`; classes keep whether a letter was upper case before."""
    if piece.isascii():
        codes = piece.encode()
        return Folded(
            list(piece.lower()),
            [_ASCII_CLASSES[code] for code in codes],
            list(range(len(piece))),
            list(range(1, len(piece) + 1)),
        )
    tables = unicode_tables()
    chars: list[str] = []
    classes: list[int] = []
    starts: list[int] = []
    ends: list[int] = []
    stretch: list[int] = []
    positions: list[int] = []

    def flush() -> None:
        if not stretch:
            return
        for char, kind in _fold_stretch(stretch, tables):
            chars.append(char)
            classes.append(kind)
            starts.append(positions[0])
            ends.append(positions[-1] + 1)
        stretch.clear()
        positions.clear()

    for position, char in enumerate(piece):
        code = ord(char)
        if code < 128:
            flush()  # an ASCII character is a safe starter, but a mark may follow it
            stretch.append(code)
            positions.append(position)
            continue
        if tables.class_of(code) & CLASS_MASK == IGNORABLE:
            continue
        if tables.is_safe_starter(code) or len(stretch) == _STRETCH_LIMIT:
            flush()
        stretch.append(code)
        positions.append(position)
    flush()
    return Folded(chars, classes, starts, ends)


def _fold_stretch(codes: list[int], tables: UnicodeTables) -> list[tuple[str, int]]:
    """NFKC, case folding, NFKC again; each result carries the case of the character that it comes from."""
    if len(codes) == 1 and codes[0] < 128:
        code = codes[0]
        return [(chr(code).lower(), _ASCII_CLASSES[code])]
    composed = _nfkc([(code, 0) for code in codes], tables)
    folded: list[tuple[int, int]] = []
    for code, _ in composed:
        case = tables.class_of(code) & CLASS_MASK
        folded.extend((ord(char), case) for char in tables.folds.get(code) or chr(code))
    return [_classified(code, case, tables) for code, case in _nfkc(folded, tables)]


def _classified(code: int, case: int, tables: UnicodeTables) -> tuple[str, int]:
    char = chr(code)
    if char in HYPHENS:
        return "-", 0
    if char in APOSTROPHES:
        return "'", 0
    kind = tables.class_of(code)
    if LOWER <= kind & CLASS_MASK <= CASELESS:
        # The letter's own class after folding is LOWER or CASELESS; what it was before decides about humps.
        was = case if LOWER <= case <= CASELESS else CASELESS
        return char, (kind & ~CLASS_MASK) | was
    return char, kind


def _nfkc(pairs: list[tuple[int, int]], tables: UnicodeTables) -> list[tuple[int, int]]:
    """NFKC of code points that each carry a value along (a composite keeps its first part's)."""
    combining = tables.combining
    parts: list[tuple[int, int]] = []
    for code, carried in pairs:
        for char in tables.decompose(code):
            _insert_ordered(parts, ord(char), carried, combining)
    result: list[tuple[int, int]] = []
    starter = -1
    last_class = 0
    for code, carried in parts:
        ccc = combining.get(code, 0)
        if starter >= 0 and ((last_class == 0 and starter == len(result) - 1) or 0 < last_class < ccc):
            composite = tables.compose(result[starter][0], code)
            if composite >= 0:
                result[starter] = (composite, result[starter][1])
                continue
        if ccc == 0:
            starter = len(result)
        last_class = ccc
        result.append((code, carried))
    return result


def _insert_ordered(parts: list[tuple[int, int]], code: int, carried: int, combining: dict[int, int]) -> None:
    """Append, then move a mark before marks of a higher combining class (canonical ordering)."""
    ccc = combining.get(code, 0)
    place = len(parts)
    if ccc:
        while place and combining.get(parts[place - 1][0], 0) > ccc:
            place -= 1
    parts.insert(place, (code, carried))


def strip_marks(term: str) -> str:
    """`term` (NFKC) without the marks on Latin, Greek and Cyrillic letters; elsewhere marks are vowels and stay."""
    if term.isascii():
        return term
    tables = unicode_tables()
    kept: list[str] = []
    stripping = False
    for char in term:
        parts = tables.decompose(ord(char))
        first = tables.class_of(ord(parts[0]))
        if first & CLASS_MASK != MARK:
            stripping = first >> CLASS_BITS in tables.mark_stripped_scripts
        if not stripping:
            kept.append(char)
        else:
            kept.extend(part for part in parts if tables.class_of(ord(part)) & CLASS_MASK != MARK)
    return "".join(kept)
