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
        self._wide: Any = kind.type if kind in (np.float64, np.uint64) else np.int64
        self._mask = (1 << 8 * kind.itemsize) - 1 if kind.kind in "iu" else 0
        self._unsigned: Any = values.view(f"u{kind.itemsize}") if self._mask else values

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
        from coldseek_core.kernels import multiply_add
        from coldseek_core.kernels.sources import SOURCES
    _replace_intrinsic(multiply_add)
    return SOURCES


def _replace_intrinsic(module: ModuleType) -> None:
    """The multiply-add is made of LLVM's instructions; its twin is a plain sum."""
    lanes: int = module.LANES

    def dot_stretch(codes: Pointer, base: Any, query: Pointer, first: Any, steps: Any) -> Any:
        places = range(int(first), int(first + steps * lanes))
        return np.int64(sum(int(codes[base + place]) * int(query[place]) for place in places))

    module.dot_stretch = dot_stretch  # pyright: ignore[reportAttributeAccessIssue]


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
