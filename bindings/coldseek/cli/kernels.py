"""`coldseek kernels`: what code computes searches on this machine, whether it is right, and how to seal it."""

import argparse
import sys

from coldseek_core.errors import KernelError
from coldseek_core.kernels import load
from coldseek_core.kernels.known_answers import wrong_answers
from coldseek_core.kernels.levels import JIT, LEVELS, levels_of, machine
from coldseek_core.kernels.loader import open_level
from coldseek_core.kernels.sealed_files import UnusableLibraryError, read_table, sealed_folder

from .query import print_json
from .terminal import BOLD, paint, safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    kernels = commands.add_parser(
        "kernels",
        help="how searches are computed on this machine",
        description="Which compiled code computes searches on this machine and why, what else there is, and whether "
        "each gives known answers. The exit status is 1 if one does not. The variable COLDSEEK_CPU_LEVEL forces a "
        "level, or jit.",
    )
    kernels.add_argument(
        "--seal",
        action="store_true",
        help="compile the kernels ahead of time first, for each kind of machine that a linker is found for "
        "(needs the build extra)",
    )
    kernels.add_argument("--json", action="store_true", help="print JSON")
    kernels.set_defaults(run=_kernels)


def _kernels(options: argparse.Namespace) -> int:
    notes = _seal() if options.seal else []
    loaded = load()
    wrong = {loaded.level: wrong_answers(loaded)} if loaded.level == JIT else {}
    levels: list[dict[str, Any]] = []
    for level in levels_of(machine()):
        try:
            wrong[level] = wrong_answers(open_level(level))
        except KernelError as error:
            levels.append({"level": level, "usable": False, "problem": str(error), "wrongAnswers": []})
        else:
            levels.append({"level": level, "usable": True, "problem": None, "wrongAnswers": wrong[level]})
    others = _sealed_for_others()
    mend = None if any(level["usable"] for level in levels) else _how_to_mend()
    if options.json:
        print_json(
            {
                "level": loaded.level,
                "reason": loaded.reason,
                "knownAnswers": not any(wrong.values()),
                "levels": levels,
                "otherMachines": others,
                "mend": mend,
                "notes": notes,
            }
        )
    else:
        _print(loaded.level, loaded.reason, levels, wrong.get(JIT))
        if others:
            print(f"  for other machines: {', '.join(others)}")
        for note in [*notes, *([mend] if mend else [])]:
            print(safe(note))
    failed = [f"{level} ({', '.join(names)})" for level, names in wrong.items() if names]
    if failed:
        raise KernelError(f"kernels give wrong answers on this machine: {'; '.join(failed)}; install coldseek again")
    return 0


def _print(used: str, reason: str, levels: "list[dict[str, Any]]", jit_wrong: "list[str] | None") -> None:
    """`jit_wrong`: which kernels Numba got wrong, None if it was not used."""
    how = "compiled by Numba in this process" if used == JIT else "sealed"
    print(f"kernels: {paint(used, BOLD)} ({how}); {safe(reason)}")
    if jit_wrong is not None:
        print(f"  {JIT:<16}{_verdict(jit_wrong)}")
    for level in levels:
        said = _verdict(level["wrongAnswers"]) if level["usable"] else level["problem"]
        print(f"  {level['level']:<16}{safe(said)}")


def _verdict(wrong: list[str]) -> str:
    return f"wrong answers: {', '.join(wrong)}" if wrong else "right answers"


def _sealed_for_others() -> list[str]:
    """Levels of other kinds of machines that are sealed here, too."""
    try:
        table = read_table(sealed_folder())
    except UnusableLibraryError:
        return []
    return [level for level in LEVELS if level in table and level not in levels_of(machine())]


def _seal() -> list[str]:
    """Seal for every kind of machine; returns what could not be done for others than this one."""
    from pathlib import Path

    from coldseek_core.kernels.sealing import seal

    notes: list[str] = []
    for kind in dict.fromkeys((machine(), *(owner for owner, _, _ in LEVELS.values()))):
        print(f"sealing for {kind or 'this machine'}", file=sys.stderr)
        try:
            seal(kind, Path(sealed_folder()))
        except KernelError as error:
            if kind == machine():
                raise
            notes.append(f"not sealed for {kind}: {error}")
    return notes


def _how_to_mend() -> "str | None":
    """What keeps the kernels from being sealed here, and what helps."""
    if not machine() or not levels_of(machine()):
        return None
    from coldseek_core.kernels.linker import find_linker, linker_to_install

    if find_linker(machine()) is None:
        return f"to seal them, {linker_to_install(machine())}, then: coldseek kernels --seal"
    return "to seal them: coldseek kernels --seal"
