"""Get the kernels ready: one initialisation per process, then plain ctypes functions (which release the GIL).

The best sealed library that this machine offers is taken, else Numba compiles in this process. `COLDSEEK_CPU_LEVEL`
names a level of `levels.LEVELS`, or `jit`, and then nothing else will do. Nothing is written, nothing is unpickled.
"""

import ctypes
import os
from _thread import allocate_lock
from _warnings import warn

from ..errors import KernelError
from .levels import JIT, LEVELS, levels_of, machine, offered_levels
from .sealed_files import UnusableLibraryError, open_library, read_table, sealed_folder
from .signatures import SIGNATURES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

VARIABLE = "COLDSEEK_CPU_LEVEL"

_CTYPES: "dict[str, Any]" = {"i64": ctypes.c_int64, "u64": ctypes.c_uint64, "f64": ctypes.c_double}
# Types of arguments are set on each function: ctypes would make and keep a class for each list of them.
_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int64)


class Kernels:
    """Every kernel of `signatures.SIGNATURES` as a callable attribute, made when it is first asked for.

    Pointers are passed as addresses (int); the caller keeps what they point to alive and large enough.
    """

    def __init__(self, level: str, find: "Callable[[str], Any]", reason: str) -> None:
        """`find`: a kernel's name to a ctypes function without types. `reason`: why this level, for people."""
        self.level = level
        self.reason = reason
        self._find = find

    def __getattr__(self, name: str) -> "Any":
        if name not in SIGNATURES:
            raise AttributeError(f"there is no kernel {name!r}")
        result, arguments = SIGNATURES[name]
        function = self._find(name)
        function.restype = _CTYPES[result]
        function.argtypes = [_CTYPES.get(argument, ctypes.c_void_p) for argument in arguments]
        setattr(self, name, function)
        return function

    def become(self, other: "Kernels") -> None:
        """Take the code of another, for everyone who holds this one."""
        self.level, self.reason, self._find = other.level, other.reason, other._find
        for name in SIGNATURES:
            self.__dict__.pop(name, None)


def _none(problem: str) -> Kernels:
    """Kernels that cannot be called, each of which says why."""

    def refuse(name: str) -> "Any":
        raise KernelError(f"the kernel {name} cannot be run: {problem}")

    return Kernels("none", refuse, problem)


_loaded: list[Kernels] = []
_lock = allocate_lock()


def _renew_lock() -> None:
    """A child of a fork has none of the parent's other threads: one that held the lock would hold it for ever."""
    global _lock
    _lock = allocate_lock()


os.register_at_fork(after_in_child=_renew_lock)


def load() -> Kernels:
    """The kernels, made ready at the first call.

    Raises KernelError where neither a sealed library nor Numba can be used, or not the level that is asked for.
    """
    if _loaded:
        return _loaded[0]
    with _lock:
        if not _loaded:
            _loaded.append(_choose())
    return _loaded[0]


def recheck() -> None:
    """Choose again, for a process that was stopped on one machine and goes on on another; before the next kernel runs.

    Everyone who holds the kernels has the new choice. Raises KernelError as `load` does, and then every kernel raises
    it too. Code that Numba compiled stays as it is: it was made for the CPU that it was compiled on.
    """
    with _lock:
        if _loaded and _loaded[0].level != JIT:
            try:
                _loaded[0].become(_choose())
            except KernelError as error:
                # The code at hand may be of another machine: to run it could end the process.
                _loaded[0].become(_none(str(error)))
                raise


def open_level(level: str, reason: str = "asked for") -> Kernels:
    """The kernels of one level, or of the JIT. Raises KernelError that says why they cannot be had."""
    if level == JIT:
        return _compile(reason)
    if level not in LEVELS:
        raise KernelError(f"there is no CPU level {level!r}; there are {JIT}, {', '.join(LEVELS)}")
    if level not in levels_of(machine()):
        raise KernelError(f"the CPU level {level} is of another kind of machine than this one")
    try:
        return _open_sealed(level, read_table(sealed_folder()), reason)
    except UnusableLibraryError as error:
        raise KernelError(f"the CPU level {level} cannot be used: {error}") from error


def _choose() -> Kernels:
    wanted = os.environ.get(VARIABLE)
    if wanted:
        try:
            return open_level(wanted, f"{VARIABLE} names it")
        except KernelError as error:
            raise KernelError(f"{VARIABLE} is {wanted!r}: {error}; to see what there is: coldseek kernels") from error
    passed_over: list[str] = []
    table: dict[str, str] = {}
    try:
        table = read_table(sealed_folder())
    except UnusableLibraryError as error:
        passed_over.append(_passed_over(str(error), error))
    for level in levels_of(machine()):
        if level in table:
            try:
                return _open_sealed(level, table, "the best that this machine offers")
            except UnusableLibraryError as error:
                passed_over.append(_passed_over(f"{level}: {error}", error))
    return _compile("; ".join(passed_over) or "none is sealed for this kind of machine")


def _passed_over(reason: str, error: UnusableLibraryError) -> str:
    if error.damaged:
        warn(f"sealed kernels are passed over: {reason}; install coldseek again to mend it", RuntimeWarning, 4)
    return reason


def _open_sealed(level: str, table: "dict[str, str]", reason: str) -> Kernels:
    library = open_library(sealed_folder(), level, table)
    if level not in offered_levels(library):
        raise UnusableLibraryError("this machine does not offer it")
    return Kernels(level, lambda name: library[f"coldseek_{name}"], reason)


def _compile(reason: str) -> Kernels:
    """With Numba, in this process. `reason`: why not a sealed library."""
    try:
        from .jit import compile_kernels
    except ImportError as error:
        raise KernelError(
            f"no compiled kernels can be had: Numba is needed ({reason}) and cannot be imported ({error}); "
            'install it with: pip install "coldseek[build]"'
        ) from error
    compiled = compile_kernels()
    return Kernels(JIT, lambda name: _FUNCTION(compiled[name].address), reason)


def digest(data: "bytes | bytearray") -> int:
    """FNV-1a-64 of some bytes."""
    buffer = bytes(data)
    address = ctypes.cast(ctypes.c_char_p(buffer), ctypes.c_void_p).value
    return load().digest(address, len(buffer))
