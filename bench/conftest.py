"""Indexes that the benchmarks share. COLDSEEK_BENCH_CHUNKS sets their size (50,000); a smoke run takes 1,000."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import coldseek
from baseline.search import BaselineSearch
from coldseek_core import kernels
from coldseek_core.columns.reader import IndexFiles
from coldseek_core.search.engine import SearchEngine
from coldseek_core.text import Analyser
from workload import Workload, make_oracle, make_workload, write_workload

CHUNKS = int(os.environ.get("COLDSEEK_BENCH_CHUNKS", "50000"))
DIMENSIONS = 512


@dataclass(frozen=True)
class Bench:
    """One index, opened by the engine and held by the pure-Python implementation."""

    workload: Workload
    index: coldseek.Index
    files: IndexFiles
    engine: SearchEngine
    oracle: BaselineSearch
    analyser: Analyser


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    kernels.load()
    workload = make_workload(CHUNKS, DIMENSIONS)
    folder: Path = tmp_path_factory.mktemp("bench") / "bench.coldseek"
    write_workload(workload, folder)
    analyser = Analyser("en")
    oracle = make_oracle(workload, analyser)
    files = IndexFiles.open(folder)
    with coldseek.open(folder) as index:
        yield Bench(workload, index, files, SearchEngine(files), oracle, analyser)
    files.close()
