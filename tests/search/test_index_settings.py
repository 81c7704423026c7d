"""What a manifest says of scoring is checked before it is used."""

import copy
from pathlib import Path
from typing import Any

import pytest

from coldseek_core.errors import CorruptIndexError
from coldseek_core.search.settings import IndexSettings
from search.test_conformance import engine_of


@pytest.mark.parametrize("name", ["unknown_idf", "impact_fixed_point"])
@pytest.mark.parametrize("value", [0, -1, 2**22, 2.0, True, None, "1"])
def test_scoring_that_no_build_writes(tmp_path: Path, name: str, value: Any) -> None:
    engine = engine_of(tmp_path, ["copper kettle", "iron pan"])
    manifest = copy.deepcopy(engine.files.manifest)
    assert IndexSettings(manifest, "here").impact_fixed_point == 65536
    manifest["settings"]["scoring"][name] = value
    with pytest.raises(CorruptIndexError, match="here: the manifest's settings cannot be used"):
        IndexSettings(manifest, "here")
    del manifest["settings"]["scoring"][name]
    with pytest.raises(CorruptIndexError, match=name):
        IndexSettings(manifest, "here")
