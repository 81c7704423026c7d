"""The levels that this machine offers."""

from pathlib import Path

from coldseek_core.kernels.levels import levels_of, machine, offered_levels
from coldseek_core.kernels.sealed_files import open_library, read_table


def offered_here(sealed_libraries: Path) -> list[str]:
    """Best first; any library of this kind of machine can be asked."""
    lowest = levels_of(machine())[-1]
    return offered_levels(open_library(str(sealed_libraries), lowest, read_table(str(sealed_libraries))))
