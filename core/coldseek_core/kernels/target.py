# pyright: basic, reportMissingTypeStubs=false
# llvmlite comes without types.
"""The CPU that the kernels' source is compiled for: this machine's, one that Numba is told of, or a level's."""

import llvmlite.binding as llvm
from numba.core import config

from .levels import LEVELS

_sealed_level: list[str] = []


def compile_for(level: str) -> None:
    """Compile for a CPU level from now on; before any kernel's source is imported, since that asks here."""
    _sealed_level[:] = [level]


def machine() -> str:
    """The architecture, as LLVM's triples begin: `x86_64`, `aarch64`."""
    if _sealed_level:
        return LEVELS[_sealed_level[0]][0]
    return llvm.get_default_triple().partition("-")[0]


def features() -> set[str]:
    """LLVM's names of features that code may use: the host's, unless Numba is told of another CPU (NUMBA_CPU_NAME)."""
    name, told = getattr(config, "CPU_NAME", None), getattr(config, "CPU_FEATURES", None)
    if _sealed_level:
        told = LEVELS[_sealed_level[0]][2]
    elif not name and not told:
        return {feature for feature, enabled in llvm.get_host_cpu_features().items() if enabled}
    named = {feature[1:] for feature in str(told or "").split(",") if feature.startswith("+")}
    return named | {"sse2"} if machine() == "x86_64" else named
