"""Ask an installed copy of coldseek, without extras, what the kept index answers, on every level of this CPU.

Usage: python -I tests/installed_wheel.py. The interpreter's environment must hold the wheel and what it requires, and
nothing else; this folder must not be importable. Ends with status 0 if all answers are those that were kept.
"""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

GOLDEN = Path(__file__).resolve().parent / "golden"
HEAVY = ("numba", "llvmlite", "numpy", "pyarrow", "markdown_it", "httpx")


def differences() -> list[str]:
    """The kept questions that the level in use answers differently."""
    import coldseek
    from coldseek_core.columns.schema import FORMAT_VERSION

    golden = GOLDEN / f"format-{FORMAT_VERSION}"
    kept: list[dict[str, Any]] = json.loads((golden / "answers.json").read_text(encoding="utf-8"))
    wrong: list[str] = []
    with coldseek.open(golden / "index", verify="full") as index:
        for one in kept:
            answer: dict[str, Any] = getattr(index, one["call"])(one["text"], **one["options"]).to_dict()
            del answer["latencyMs"]
            if answer != one["answer"]:
                wrong.append(f"{one['call']} {one['text']!r} {one['options']}")
    return wrong


def main() -> None:
    present = [name for name in HEAVY if find_spec(name)]
    if present:
        raise SystemExit(f"this environment is no plain one: it has {', '.join(present)}")
    import coldseek
    from coldseek_core import LinkedModules, errors
    from coldseek_core.kernels import load
    from coldseek_core.kernels.levels import JIT, levels_of, machine
    from coldseek_core.kernels.loader import VARIABLE, open_level

    if not isinstance(getattr(errors, "__loader__", None), LinkedModules):
        raise SystemExit("the wheel's modules were not loaded from one file")
    if VARIABLE in os.environ:
        wrong = differences()
        print(f"{load().level}: {'; '.join(wrong) or 'as kept'}")
        raise SystemExit(bool(wrong))
    try:
        coldseek.build([], "nowhere")
    except coldseek.MissingExtraError as error:
        print(error)
    asked = 0
    for level in levels_of(machine()):
        try:
            open_level(level)
        except coldseek.KernelError as error:
            print(error)
            continue
        command = [sys.executable, "-I", __file__]
        subprocess.run(command, env={VARIABLE: level}, check=True)
        asked += 1
    if not asked or load().level == JIT:
        raise SystemExit("no sealed level can be used here")


if __name__ == "__main__":
    main()
