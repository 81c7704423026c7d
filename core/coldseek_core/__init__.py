"""The core of coldseek: text analysis, columns, kernels, search, ingestion and evaluation. Public API: `coldseek`."""

import sys

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import SourceFileLoader
    from types import CodeType, FunctionType, ModuleType
    from typing import Any


class LinkedModules:
    """Finds and loads the modules of one file (linking.py), as a finder and loader of the import system
    (https://docs.python.org/3/reference/import.html). What tools ask of a loader is told of the modules' own files.
    """

    def __init__(self, folder: str, modules: "dict[str, tuple[FunctionType, str, str | None]]") -> None:
        """`folder`: where the packages are, up to its slash; of each module what it does, its own file below `folder`,
        and its docstring.
        """
        self.folder = folder
        self._modules = modules

    def find_spec(self, name: str, path: "Any" = None, target: "Any" = None) -> "Any":  # noqa: ARG002
        found = self._modules.get(name)
        above = name.rpartition(".")[0].replace(".", "/")
        if found is None or (path is not None and self.folder + above not in path):  # another copy of the package
            return None
        file = self.folder + found[1]
        spec: Any = type(__spec__)(name, self, origin=file, is_package=self.is_package(name))  # pyright: ignore
        spec.has_location = True
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(file.removesuffix("/__init__.py"))
        return spec

    def create_module(self, spec: "Any") -> None:
        """Python makes the module."""

    def exec_module(self, module: "ModuleType") -> None:
        run, _, module.__doc__ = self._modules[module.__name__]
        type(run)(run.__code__, module.__dict__)()

    def is_package(self, name: str) -> bool:
        return self._modules[name][1].endswith("/__init__.py")

    def get_code(self, name: str) -> "CodeType":
        return self._modules[name][0].__code__

    def get_filename(self, name: str) -> str:
        return self.folder + self._modules[name][1]

    def get_source(self, name: str) -> "str | None":
        return self._of_its_own(name).get_source(name)

    def get_data(self, path: str) -> bytes:
        return self._of_its_own("").get_data(path)

    def get_resource_reader(self, name: str) -> "Any":
        return self._of_its_own(name).get_resource_reader(name)  # pyright: ignore

    def _of_its_own(self, name: str) -> "SourceFileLoader":
        from importlib.machinery import SourceFileLoader  # a question asks for none of this

        return SourceFileLoader(name, self.get_filename(name) if name else "")


def _use_linked() -> None:
    """Load modules from one file where a wheel or a bundle has it; a checkout does not."""
    try:
        from .linked import MODULES  # pyright: ignore
    except ModuleNotFoundError:
        return
    folder = __file__.rpartition("coldseek_core/")[0]
    if not any(getattr(finder, "folder", None) == folder for finder in sys.meta_path):  # there is one after a reload
        sys.meta_path.insert(0, LinkedModules(folder, MODULES))  # pyright: ignore


_use_linked()
