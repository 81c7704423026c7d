"""What each code point is: its class, its script and how it normalises, read from the package's tables."""

import struct
from functools import cache
from pathlib import Path

import coldseek_core.text
from coldseek_core.kernels import unicode_layout as layout
from coldseek_core.kernels.unicode_layout import CASELESS, DIGIT, IGNORABLE, LOWER, MARK, OTHER, UPPER
from coldseek_core.text.unicode_tables import TABLE_FILE

__all__ = ["CASELESS", "DIGIT", "IGNORABLE", "LOWER", "MARK", "OTHER", "UPPER"]

CLASS_BITS = 3
CLASS_MASK = 7
GRAM_SCRIPTS = range(1, layout.LAST_GRAM_SCRIPT + 1)
MARK_STRIPPED_SCRIPTS = range(layout.LATIN, layout.LAST_MARK_STRIPPED_SCRIPT + 1)
LATIN = layout.LATIN

APOSTROPHES = "'\u2019\u02bc"
# Hyphens and the minus sign that join words as "-" does (NFKC has made U+2011 a U+2010 by then).
HYPHENS = "-\u2010\u2212"

_S_BASE, _L_BASE, _V_BASE, _T_BASE = 0xAC00, 0x1100, 0x1161, 0x11A7
_L_COUNT, _V_COUNT, _T_COUNT = 19, 21, 28
_S_COUNT = _L_COUNT * _V_COUNT * _T_COUNT


@cache
def _numbers() -> tuple[int, ...]:
    data = (Path(coldseek_core.text.__file__).parent / TABLE_FILE).read_bytes()[16:]
    return struct.unpack(f"<{len(data) // 4}I", data)


@cache
def _field(code: int, field: int) -> int:
    numbers = _numbers()
    return numbers[numbers[numbers[code // layout.BLOCK_LENGTH] + code % layout.BLOCK_LENGTH] + field]


def _sequence(reference: int, width: int = 1) -> tuple[int, ...]:
    first, count = reference >> layout.COUNT_BITS, reference & layout.COUNT_MASK
    return _numbers()[first : first + width * count]


@cache
def class_of(code: int) -> int:
    """Class and script of a code point: `class | script << CLASS_BITS`."""
    return _field(code, layout.PROPERTIES) >> layout.CLASS_SHIFT


def combining(code: int) -> int:
    """The canonical combining class."""
    return _field(code, layout.PROPERTIES) & layout.COMBINING_MASK


def is_safe_starter(code: int) -> bool:
    """Whether normalisation can start afresh here: nothing before it can change it or be changed by it."""
    return bool(_field(code, layout.PROPERTIES) & layout.SAFE)


@cache
def fold_case(code: int) -> str:
    """Full case folding of one code point."""
    return "".join(map(chr, _sequence(_field(code, layout.FOLD)))) or chr(code)


@cache
def decompose(code: int) -> str:
    """Full compatibility decomposition (NFKD) of one code point."""
    if _S_BASE <= code < _S_BASE + _S_COUNT:
        lead, rest = divmod(code - _S_BASE, _V_COUNT * _T_COUNT)
        vowel, final = divmod(rest, _T_COUNT)
        text = chr(_L_BASE + lead) + chr(_V_BASE + vowel)
        return text + chr(_T_BASE + final) if final else text
    return "".join(map(chr, _sequence(_field(code, layout.DECOMPOSITION)))) or chr(code)


def compose(first: int, second: int) -> int:
    """The canonical composite of two code points, or -1."""
    if _L_BASE <= first < _L_BASE + _L_COUNT and _V_BASE <= second < _V_BASE + _V_COUNT:
        return _S_BASE + ((first - _L_BASE) * _V_COUNT + second - _V_BASE) * _T_COUNT
    is_open = _S_BASE <= first < _S_BASE + _S_COUNT and (first - _S_BASE) % _T_COUNT == 0
    if is_open and _T_BASE < second < _T_BASE + _T_COUNT:
        return first + second - _T_BASE
    pairs = _sequence(_field(first, layout.COMPOSITIONS), 2)
    return dict(zip(pairs[::2], pairs[1::2], strict=True)).get(second, -1)
