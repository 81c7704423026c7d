"""Seals the kernels when the package is built: into a wheel for one kind of machine, or into the checkout. A wheel also
has the modules that a cold process needs in one file.

Where sealing is impossible, because there is no linker or no Numba for this Python, the package is built without: it
then compiles in the process, with the `build` extra.
"""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Builds a wheel for another kind of machine than this one; as `uname -m` names it there.
MACHINE_VARIABLE = "COLDSEEK_WHEEL_MACHINE"

CORE = "coldseek_core"
SEALED = f"{CORE}/kernels/sealed"


class SealingHook(BuildHookInterface):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, str(Path(self.root, "core")))
        from coldseek_core.errors import KernelError
        from coldseek_core.kernels.levels import machine
        from coldseek_core.kernels.sealing import is_sealed, seal
        from coldseek_core.linking import FILE, linked_source

        editable = version == "editable"
        kind = machine() if editable else os.environ.get(MACHINE_VARIABLE) or machine()
        self._scratch = tempfile.TemporaryDirectory(prefix="coldseek-built-")
        folder = Path(self.root, "core", SEALED) if editable else Path(self._scratch.name, "sealed")
        if not editable:
            linked = Path(self._scratch.name, FILE)
            packages = {"coldseek": Path(self.root, "bindings/coldseek"), CORE: Path(self.root, "core", CORE)}
            linked.write_text(linked_source(packages), encoding="utf-8")
            build_data["force_include"][str(linked)] = f"{CORE}/{FILE}"
        if editable and is_sealed(kind, folder):
            return
        try:
            seal(kind, folder, installed=not editable)
        except (KernelError, OSError) as error:
            self.app.display_warning(f"the kernels are not sealed: {error}")
            return
        if not editable:
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{_platform()}_{kind}"
            build_data["force_include"][str(folder)] = SEALED

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        self._scratch.cleanup()


def _platform() -> str:
    """The libraries name no C library, and use only its oldest functions; but a tag must name one, or this machine."""
    try:
        return "manylinux_2_17" if os.confstr("CS_GNU_LIBC_VERSION") else "linux"
    except (OSError, ValueError):  # another C library than GNU's
        return "linux"
