"""The kernels' source as plain Python on arrays whose bounds are checked: it guides fuzzing, and says what is right.

Import it before anything that imports Numba: it tells Numba not to compile.
"""

import os
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

os.environ["NUMBA_DISABLE_JIT"] = "1"

DTYPES: dict[str, Any] = {
    "i8*": np.int8,
    "u8*": np.uint8,
    "i16*": np.int16,
    "u16*": np.uint16,
    "u32*": np.uint32,
    "i64*": np.int64,
    "u64*": np.uint64,
    "f32*": np.float32,
    "f64*": np.float64,
}


class OutOfBoundsError(Exception):
    """A kernel read or wrote outside an array."""


class Pointer:
    """A C pointer to an array: reads widen and writes wrap as they do in compiled code, but bounds are checked."""

    def __init__(self, values: NDArray[Any], name: str) -> None:
        self._values = values
        self._name = name
        kind = values.dtype
        self._wide: Any = kind.type if kind in (np.float32, np.float64, np.uint64) else np.int64
        self._mask = (1 << 8 * kind.itemsize) - 1 if kind.kind in "iu" else 0
        self._unsigned: Any = values.view(f"u{kind.itemsize}") if self._mask else values

    def behind(self, count: Any) -> "Pointer":
        """The pointer to what stands `count` elements on."""
        return Pointer(self._values[int(count) :], self._name)

    def _place(self, place: Any) -> int:
        place = int(place)
        if not 0 <= place < len(self._values):
            raise OutOfBoundsError(f"{self._name}[{place}] of {len(self._values)}")
        return place

    def __getitem__(self, place: Any) -> Any:
        return self._wide(self._values[self._place(place)])

    def __setitem__(self, place: Any, value: Any) -> None:
        place = self._place(place)
        self._unsigned[place] = int(value) & self._mask if self._mask else value


def plain_kernels(while_importing: Callable[[], Any]) -> dict[str, Callable[..., Any]]:
    """Every kernel as a Python function, imported inside the context manager that `while_importing` makes."""
    with while_importing():
        from coldseek_core.kernels import wide_bytes

        wide_bytes.bits_among = _bits_among
        from coldseek_core.kernels import posting_groups, run_memo, runs, scan, scan_many, tokenise, vocabulary
        from coldseek_core.kernels.sources import SOURCES
    _replace_intrinsics(scan, scan_many)
    for name, twin in (
        *(("eight_bytes", _eight_bytes), ("fetch", lambda *_: None)),
        *(("zeros_below", _zeros_below), ("zeros_above", _zeros_above)),
        *(("equal_bytes", _equal_bytes), ("spread_bytes", _spread_bytes)),
    ):
        for module in (posting_groups, run_memo, runs, tokenise, vocabulary):
            if hasattr(module, name):
                setattr(module, name, twin)
    return SOURCES


def _eight_bytes(text: Pointer, place: Any) -> Any:
    return np.uint64(int.from_bytes(bytes(int(text[place + order]) for order in range(8)), "little"))


def _bits_among(*ranges: str) -> Callable[[Pointer, Any], Any]:
    def bits(text: Pointer, place: Any) -> Any:
        codes = [chr(text[place + order]) for order in range(64)]
        found = (any(first <= code <= last for first, last in ranges) for code in codes)
        return np.uint64(sum(1 << order for order, among in enumerate(found) if among))

    return bits


def _zeros_below(bits: Any) -> Any:
    return np.int64(64 if bits == 0 else (int(bits) & -int(bits)).bit_length() - 1)


def _zeros_above(bits: Any) -> Any:
    return np.int64(64 - int(bits).bit_length())


def _byte(words: Pointer, first: Any, order: Any) -> int:
    return int(words[first + order // 2]) >> 8 * (int(order) % 2) & 255


def _equal_bytes(words: Pointer, first: Any, order: Any, value: Any) -> Any:
    found = (_byte(words, first, order + place) == int(value) & 255 for place in range(64))
    return np.uint64(sum(1 << place for place, equal in enumerate(found) if equal))


def _spread_bytes(words: Pointer, first: Any, order: Any, base: Any, rows: Pointer) -> None:
    for place in range(32):
        rows[order + place] = base + _byte(words, first, order + place)


def _replace_intrinsics(scan: ModuleType, scan_many: ModuleType) -> None:
    """What is made of LLVM's instructions has a plain twin."""
    from coldseek_core.kernels import four_queries, four_rows, multiply_add, query_layout

    queries = four_queries.QUERIES
    step, shift, rows = multiply_add.STEP, multiply_add.SHIFT, four_rows.ROWS

    def lay_out_step(query: Pointer, first: Any, counted: Any, room: Pointer, number: Any) -> Any:
        values = [int(query[first + place]) if place >= counted else 0 for place in range(step)]
        for place, held in enumerate(values):
            room[2 * (number * step + place)] = held & 255
            room[2 * (number * step + place) + 1] = held >> 8
        return np.int64(sum(values))

    def value(room: Pointer, place: int) -> int:
        """What `lay_out_step` wrote to one place."""
        return (int(room[2 * place]) & 255) + 256 * int(room[2 * place + 1])

    def dot_laid_out(codes: Pointer, base: Any, room: Pointer, first: Any, count: Any) -> Any:
        base, first, count = int(base), int(first), int(count)
        whole = count - count % step
        pairs = [(place, place) for place in range(whole)]
        if whole < count:
            pairs += [(count - step + place, whole + place) for place in range(step)]
        products = ((int(codes[base + first + code]) + shift) * value(room, first + place) for code, place in pairs)
        return np.int64(sum(products))

    def keep_lanes(codes: Pointer, base: Any, room: Pointer, count: Any, lanes: Pointer, place: Any) -> None:
        for lane in range(rows):
            lanes[rows * place + lane] = dot_laid_out(codes, base, room, 0, count) if lane == 0 else 0

    def any_promising(lanes: Pointer, squares: Pointer, row: Any, shifted: Any, bound: Any, limit: Any) -> bool:
        sums = [sum(int(lanes[rows * place + lane]) for lane in range(rows)) for place in range(rows)]
        found = False
        for place, total in enumerate(sums):
            lanes[place] = total - int(shifted)
            square = int(squares[row + place])
            found = found or square <= 0 or 16 * int(lanes[place]) + bound >= limit * square**0.5
        return found

    def any_near(
        codes: Pointer,
        base: Any,
        room: Pointer,
        stride: Any,
        count: Any,
        square: Any,
        shifted: Pointer,
        bounds: Pointer,
        limits: Pointer,
        dots: Pointer,
    ) -> bool:
        found = int(square) <= 0
        for order in range(queries):
            dots[order] = int(dot_laid_out(codes, base, room.behind(order * stride), 0, count)) - int(shifted[order])
            found = found or 16 * int(dots[order]) + bounds[order] >= limits[order] * int(square) ** 0.5
        return found

    def query_room() -> Pointer:
        return Pointer(np.zeros(2 * query_layout.ROOM, np.int8), "the laid out query")

    for name, twin in (
        ("query_room", query_room),
        ("behind", Pointer.behind),
        ("four_ints", lambda: Pointer(np.zeros(queries, np.int32), "a number of each query")),
        ("four_doubles", lambda: Pointer(np.zeros(queries, np.float64), "a number of each query")),
        ("any_near", any_near),
    ):
        setattr(scan_many, name, twin)
    for name, twin in (
        ("query_room", query_room),
        ("lanes_room", lambda: Pointer(np.zeros(rows * rows, np.int32), "the lanes of four rows")),
        ("dot_laid_out", dot_laid_out),
        ("keep_lanes", keep_lanes),
        ("any_promising", any_promising),
    ):
        setattr(scan, name, twin)
    query_layout.lay_out_step = lay_out_step  # pyright: ignore[reportAttributeAccessIssue]


def call_plain(kernel: Callable[..., Any], arguments: "list[int | NDArray[Any] | None]") -> int:
    """Call a kernel on arrays, which it may change, and numbers. Raises OutOfBoundsError."""
    passed: list[Any] = []
    for order, value in enumerate(arguments):
        if isinstance(value, np.ndarray):
            passed.append(Pointer(value, f"argument {order}"))
        else:
            passed.append(value if value is None else np.int64(value))
    with np.errstate(all="ignore"):
        return int(kernel(*passed))
