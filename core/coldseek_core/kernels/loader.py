"""Get the kernels ready: one initialisation per process, then plain ctypes functions (which release the GIL)."""

import ctypes
from _thread import allocate_lock

from ..errors import KernelError
from .signatures import SIGNATURES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_CTYPES = {"i64": ctypes.c_int64, "u64": ctypes.c_uint64, "f64": ctypes.c_double}


class Kernels:
    """Every kernel of `signatures.SIGNATURES` as a callable attribute.

    Pointers are passed as addresses (int); the caller keeps what they point to alive and large enough.
    """

    def __init__(self, addresses: "dict[str, int]", alive: "list[Any]", level: str) -> None:
        self.level = level
        self._alive = alive
        for name, (result, arguments) in SIGNATURES.items():
            types = [_CTYPES.get(argument, ctypes.c_void_p) for argument in arguments]
            prototype = ctypes.CFUNCTYPE(_CTYPES[result], *types)
            setattr(self, name, prototype(addresses[name]))

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> "Any": ...


_loaded: list[Kernels] = []
_lock = allocate_lock()


def load() -> Kernels:
    """The kernels, compiled at the first call. Raises KernelError where neither a compiler is at hand nor code."""
    if _loaded:
        return _loaded[0]
    with _lock:
        if not _loaded:
            try:
                from .jit import compile_kernels
            except ImportError as error:
                raise KernelError(
                    f"no compiled kernels can be had: Numba cannot be imported ({error}); "
                    'install it with: pip install "coldseek[build]"'
                ) from error
            addresses, alive = compile_kernels()
            _loaded.append(Kernels(addresses, alive, "jit"))
    return _loaded[0]


def digest(data: "bytes | bytearray") -> int:
    """FNV-1a-64 of some bytes."""
    buffer = bytes(data)
    address = ctypes.cast(ctypes.c_char_p(buffer), ctypes.c_void_p).value
    return load().digest(address, len(buffer))
