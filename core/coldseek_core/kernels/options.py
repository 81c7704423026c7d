# pyright: basic, reportMissingTypeStubs=false
# Numba comes without types.
"""The one place that sets Numba's options.

No fast-math (scores must be the same everywhere), no exceptions (a kernel answers through its result), no bounds
checks (each kernel states its own), and the GIL is free while a kernel has much to do because its caller lets go of it.
"""

from typing import Any

import numba

OPTIONS: dict[str, Any] = {"error_model": "numpy", "fastmath": False, "boundscheck": False}


def helper(function: Any) -> Any:
    """Compile a function that kernels call; it is linked into each of them."""
    return numba.njit(**OPTIONS)(function)


def inlined_helper(function: Any) -> Any:
    """A helper that is part of each kernel that calls it, however long it is: for what is called once a row."""
    return numba.njit(forceinline=True, **OPTIONS)(function)
