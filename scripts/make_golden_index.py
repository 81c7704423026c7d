"""Make the golden index of today's format: tests/golden/format-N, or the folder that is named.

Run it only when the format or what goes into an index is changed on purpose; tests/columns/test_golden_index.py says
when that is. An older format's folder stays as it is.
"""

import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / name) for name in ("core", "bindings", "tests")]

from coldseek_core.columns.schema import FORMAT_VERSION  # noqa: E402
from columns.golden_index import GOLDEN, make_golden  # noqa: E402


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else GOLDEN / f"format-{FORMAT_VERSION}"
    if folder == GOLDEN / f"format-{FORMAT_VERSION}":
        # Else the generation before would stay in it.
        shutil.rmtree(folder, ignore_errors=True)
    make_golden(folder)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"{folder}: {size:,} bytes")


if __name__ == "__main__":
    main()
