"""NFKC and case folding with a map back to the source, on the pinned tables (Unicode Standard Annex 15)."""

from coldseek_core.kernels.token_layout import STRETCH_LIMIT
from text.naive.characters import (
    APOSTROPHES,
    CASELESS,
    CLASS_BITS,
    CLASS_MASK,
    DIGIT,
    HYPHENS,
    IGNORABLE,
    LATIN,
    LOWER,
    MARK,
    MARK_STRIPPED_SCRIPTS,
    UPPER,
    class_of,
    combining,
    compose,
    decompose,
    fold_case,
    is_safe_starter,
)

_ASCII_CLASSES = [0] * 128
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
    chars: list[str] = []
    classes: list[int] = []
    starts: list[int] = []
    ends: list[int] = []
    stretch: list[int] = []
    positions: list[int] = []

    def flush() -> None:
        if not stretch:
            return
        for char, kind in _fold_stretch(stretch):
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
        if class_of(code) & CLASS_MASK == IGNORABLE:
            continue
        if is_safe_starter(code) or len(stretch) == STRETCH_LIMIT:
            flush()
        stretch.append(code)
        positions.append(position)
    flush()
    return Folded(chars, classes, starts, ends)


def _fold_stretch(codes: list[int]) -> list[tuple[str, int]]:
    """NFKC, case folding, NFKC again; each result carries the case of the character that it comes from."""
    if len(codes) == 1 and codes[0] < 128:
        code = codes[0]
        return [(chr(code).lower(), _ASCII_CLASSES[code])]
    composed = nfkc([(code, 0) for code in codes])
    folded: list[tuple[int, int]] = []
    for code, _ in composed:
        case = class_of(code) & CLASS_MASK
        folded.extend((ord(char), case) for char in fold_case(code))
    return [_classified(code, case) for code, case in nfkc(folded)]


def _classified(code: int, case: int) -> tuple[str, int]:
    char = chr(code)
    if char in HYPHENS:
        return "-", 0
    if char in APOSTROPHES:
        return "'", 0
    kind = class_of(code)
    if LOWER <= kind & CLASS_MASK <= CASELESS:
        # The letter's own class after folding is LOWER or CASELESS; what it was before decides about humps.
        was = case if LOWER <= case <= CASELESS else CASELESS
        return char, (kind & ~CLASS_MASK) | was
    return char, kind


def nfkc(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """NFKC of code points that each carry a value along (a composite keeps its first part's)."""
    parts: list[tuple[int, int]] = []
    for code, carried in pairs:
        for char in decompose(code):
            _insert_ordered(parts, ord(char), carried)
    result: list[tuple[int, int]] = []
    starter = -1
    last_class = 0
    for code, carried in parts:
        ccc = combining(code)
        if starter >= 0 and ((last_class == 0 and starter == len(result) - 1) or 0 < last_class < ccc):
            composite = compose(result[starter][0], code)
            if composite >= 0:
                result[starter] = (composite, result[starter][1])
                continue
        if ccc == 0:
            starter = len(result)
        last_class = ccc
        result.append((code, carried))
    return result


def _insert_ordered(parts: list[tuple[int, int]], code: int, carried: int) -> None:
    """Append, then move a mark before marks of a higher combining class (canonical ordering)."""
    ccc = combining(code)
    place = len(parts)
    if ccc:
        while place and combining(parts[place - 1][0]) > ccc:
            place -= 1
    parts.insert(place, (code, carried))


def strip_marks(term: str) -> str:
    """`term` (NFKC) without the marks on Latin, Greek and Cyrillic letters; elsewhere marks are vowels and stay."""
    if term.isascii():
        return term
    kept: list[str] = []
    stripping = False
    for char in term:
        parts = decompose(ord(char))
        first = class_of(ord(parts[0]))
        if first & CLASS_MASK != MARK:
            stripping = first >> CLASS_BITS in MARK_STRIPPED_SCRIPTS
        if not stripping:
            kept.append(char)
        else:
            kept.extend(part for part in parts if class_of(ord(part)) & CLASS_MASK != MARK)
    return "".join(kept)
