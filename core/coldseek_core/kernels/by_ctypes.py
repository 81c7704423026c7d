"""Kernels as functions of ctypes, which is slow to import.

It serves those that Numba compiles in this process, and sealed ones where Python cannot take a library as a module
(python_module.py): where it has no GIL or, in a sub-interpreter, one of its own, or is not CPython.
"""

import ctypes

from .levels import CPU_QUESTIONS, machine
from .signatures import SIGNATURES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_TYPES: "dict[str, Any]" = {
    "i64": ctypes.c_int64,
    "u64": ctypes.c_uint64,
    "u32": ctypes.c_uint32,
}
# Types of arguments are set on each function: ctypes would make and keep a class for each list of them.
_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int64)


class _PyBuffer(ctypes.Structure):
    """CPython's Py_buffer, of which only the first field is read."""

    _fields_ = (("buf", ctypes.c_void_p), ("others", ctypes.c_int64 * 9))


_get_buffer = ctypes.pythonapi.PyObject_GetBuffer
_get_buffer.argtypes = (ctypes.py_object, ctypes.POINTER(_PyBuffer), ctypes.c_int)
_get_buffer.restype = ctypes.c_int
_release_buffer = ctypes.pythonapi.PyBuffer_Release
_release_buffer.argtypes = (ctypes.POINTER(_PyBuffer),)
_release_buffer.restype = None


class Functions:
    """What a sealed library has as a Python module (python_module.py), from functions without types."""

    def __init__(self, find: "Callable[[str, str], Any]") -> None:
        """`find`: a kernel's name and its symbol to a function of ctypes."""
        self._find = find

    def __getattr__(self, name: str) -> "Any":
        questions = CPU_QUESTIONS.get(machine(), {})
        if name in SIGNATURES:
            symbol, (result, arguments) = f"coldseek_{name}", SIGNATURES[name]
        elif name in questions:
            symbol, result, arguments = questions[name]
        else:
            raise AttributeError(f"there is no kernel {name!r}")
        function = self._find(name, symbol)
        function.restype = _TYPES[result]
        function.argtypes = [_TYPES.get(argument, ctypes.c_void_p) for argument in arguments]
        return function

    @staticmethod
    def address(data: "Any") -> int:
        """Where the bytes of a buffer are; it may be read-only (`ctypes.from_buffer` refuses that)."""
        buffer = _PyBuffer()
        _get_buffer(data, buffer, 0)
        address = buffer.buf or 0
        _release_buffer(buffer)
        return address


def open_sealed(path: str) -> Functions:
    """A sealed library's functions. Raises OSError where it cannot be loaded."""
    library = ctypes.CDLL(path)
    own = ctypes.CDLL(None)  # the C library's, for what is not ours
    return Functions(lambda _, symbol: (library if symbol.startswith("coldseek_") else own)[symbol])


def compiled(code: "dict[str, Any]") -> Functions:
    """Functions of what Numba compiled: each has its `address`, and is kept."""
    return Functions(lambda name, _: _FUNCTION(code[name].address))
