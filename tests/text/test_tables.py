"""The package's tables of code points: what a damaged file says, and what the records hold."""

import subprocess
import sys
from pathlib import Path

import pytest

from baseline import unicode_facts
from coldseek_core.errors import ColdseekError
from coldseek_core.text import unicode_tables as module
from coldseek_core.text.unicode_tables import TABLE_FILE, UnicodeTables
from text.naive.characters import is_safe_starter

FILE = Path(module.__file__).with_name(TABLE_FILE)
SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "make_unicode_tables.py"


def test_whole_file_is_taken() -> None:
    data = FILE.read_bytes()
    tables = UnicodeTables(data)
    assert 4 * tables.length + 16 == len(data) < 400_000


@pytest.mark.parametrize("place", [0, 8, 16, 5000, -1])
def test_damaged_file_is_refused(place: int) -> None:
    data = bytearray(FILE.read_bytes())
    data[place] ^= 1
    with pytest.raises(ColdseekError, match=f"{TABLE_FILE} is damaged"):
        UnicodeTables(bytes(data))


@pytest.mark.parametrize("length", [0, 7, 16, 100_000])
def test_truncated_file_is_refused(length: int) -> None:
    with pytest.raises(ColdseekError, match="install coldseek again"):
        UnicodeTables(FILE.read_bytes()[:length])


def test_missing_file_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_read", [])
    monkeypatch.setattr(module, "TABLE_FILE", "none.bin")
    with pytest.raises(ColdseekError, match=r"none\.bin cannot be read"):
        module.unicode_tables()


@pytest.mark.skipif(not unicode_facts.IS_PINNED_VERSION, reason="Python 3.11 has the tables' version of Unicode")
def test_normalisation_starts_afresh_where_unicode_lets_it() -> None:
    wrong = [
        code for code in range(sys.maxunicode + 1) if is_safe_starter(code) != unicode_facts.is_safe_starter(chr(code))
    ]
    assert wrong == []


@pytest.mark.slow
@pytest.mark.skipif(not unicode_facts.IS_PINNED_VERSION, reason="Python 3.11 has the tables' version of Unicode")
def test_script_writes_the_file_that_is_there(tmp_path: Path) -> None:
    output = tmp_path / TABLE_FILE
    subprocess.run([sys.executable, str(SCRIPT), str(output)], check=True, timeout=120)
    assert output.read_bytes() == FILE.read_bytes()
