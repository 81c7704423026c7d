"""Get the kernels ready: one initialisation per process, then plain functions, which let go of the GIL
(sealed ones only where that is worth it: BRIEF in signatures.py).

The best sealed library that this machine offers is taken, else Numba compiles in this process. `COLDSEEK_CPU_LEVEL`
names a level of `levels.LEVELS`, or `jit`, and then nothing else will do. Nothing is written, nothing is unpickled.
"""

import os
from _thread import allocate_lock
from _warnings import warn

from ..errors import KernelError
from .levels import JIT, LEVELS, levels_of, machine, offered_levels
from .sealed_files import UnusableLibraryError, open_library, read_table, sealed_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

VARIABLE = "COLDSEEK_CPU_LEVEL"


class Kernels:
    """Every kernel of `signatures.SIGNATURES` as a callable attribute, and `address`.

    Pointers are passed as addresses (int); the caller keeps what they point to alive and large enough.
    `address(buffer)`: where the buffer's bytes are; it is let go at once, so the caller keeps it in place, too.
    """

    def __init__(self, level: str, library: "Any", reason: str) -> None:
        """`library`: has the functions. `reason`: why this level, for people."""
        self.level = level
        self.reason = reason
        self._library = library

    def __getattr__(self, name: str) -> "Any":
        function = getattr(self._library, name)
        setattr(self, name, function)
        return function

    def become(self, other: "Kernels") -> None:
        """Take the code of another, for everyone who holds this one."""
        held = {"level": other.level, "reason": other.reason, "_library": other._library}
        self.__dict__.update(held)
        for name in [name for name in self.__dict__ if name not in held]:
            self.__dict__.pop(name, None)


class _NoLibrary:
    """Functions that cannot be called, each of which says why."""

    def __init__(self, problem: str) -> None:
        self._problem = problem

    def __getattr__(self, name: str) -> "NoReturn":
        raise KernelError(f"the kernel {name} cannot be run: {self._problem}")


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
                _loaded[0].become(Kernels("none", _NoLibrary(str(error)), str(error)))
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
    return Kernels(level, library, reason)


def _compile(reason: str) -> Kernels:
    """With Numba, in this process. `reason`: why not a sealed library."""
    try:
        from .by_ctypes import compiled
        from .jit import compile_kernels
    except ImportError as error:
        raise KernelError(
            f"no compiled kernels can be had: Numba is needed ({reason}) and cannot be imported ({error}); "
            'install it with: pip install "coldseek[build]"'
        ) from error
    return Kernels(JIT, compiled(compile_kernels()), reason)


def digest(data: "bytes | bytearray") -> int:
    """FNV-1a-64 of some bytes."""
    kernels = load()
    return kernels.digest(kernels.address(data), len(data))
