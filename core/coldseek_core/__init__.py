"""The core of coldseek: text analysis, columns, kernels, search, ingestion and evaluation. Public API: `coldseek`."""

import sys

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FunctionType, ModuleType
    from typing import Any


class LinkedModules:
    """Finds and loads the modules of one file (linking.py), as a finder and loader of the import system
    (https://docs.python.org/3/reference/import.html).
    """

    def __init__(self, folder: str, modules: "dict[str, tuple[FunctionType, str, str | None]]") -> None:
        """`folder`: where the packages are; of each module what it does, its own file below `folder`, its docstring."""
        self._folder = folder
        self._modules = modules

    def find_spec(self, name: str, path: "Any" = None, target: "Any" = None) -> "Any":  # noqa: ARG002
        found = self._modules.get(name)
        if found is None:
            return None
        file = self._folder + found[1]
        package, is_package, _ = file.rpartition("/__init__.py")
        spec: Any = type(__spec__)(name, self, origin=file, is_package=bool(is_package))  # pyright: ignore
        spec.has_location = True
        if is_package:
            spec.submodule_search_locations.append(package)
        return spec

    def create_module(self, spec: "Any") -> None:
        """Python makes the module."""

    def exec_module(self, module: "ModuleType") -> None:
        run, _, module.__doc__ = self._modules[module.__name__]
        type(run)(run.__code__, module.__dict__)()


try:
    from .linked import MODULES  # pyright: ignore
except ModuleNotFoundError:
    pass  # a checkout
else:
    sys.meta_path.insert(0, LinkedModules(__file__.removesuffix("coldseek_core/__init__.py"), MODULES))  # pyright: ignore
