"""Every level that this CPU offers, and the JIT, answer real questions over four corpora with the same JSON."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import coldseek
import coldseek_core
from serverless.copied_runtime import Runtime
from serverless.corpora import CORPORA, build, questions_of

# Reads questions, one JSON text a line, asks each, and prints each answer's JSON without its time, hashed.
ASK = """
import json, sys
import coldseek
from hashlib import blake2b
from coldseek_core.kernels import load
with coldseek.open({index!r}) as index:
    print(load().level)
    for number, question in enumerate(map(json.loads, sys.stdin)):
        mode, vector = ("hybrid", "lexical", "semantic")[number % 7 % 3], None
        if mode != "lexical" and not ({embeds} and number % 3):
            vector = [((number * 31 + place * 17) % 101 - 50) / 50 for place in range({dimensions})]
        options = dict(mode=mode, vector=vector)
        for result in (index.search(question, top_k=20, **options), index.retrieve(question, **options)):
            found = result.to_dict()
            del found["latencyMs"]
            print(blake2b(json.dumps(found).encode(), digest_size=12).hexdigest())
"""


def check(
    runtime: Runtime, offered: list[str], folder: Path, shared_data: Path, name: str, most: int, count: int
) -> None:
    texts = build(folder, shared_data, name, most)
    questions = questions_of(shared_data, name, texts, count)
    asked = "".join(f"{json.dumps(question)}\n" for question in questions)
    embeds = name == "docusaurus"  # by the mock; the others bring vectors
    code = ASK.format(index=str(folder), embeds=embeds, dimensions=512 if embeds else 100)
    answers = {level: _ask(runtime, level, code, asked) for level in (*offered, "jit")}
    for level, (said, *found) in answers.items():
        assert said == level
        assert len(found) == 2 * count
        different = [place // 2 for place, one in enumerate(found) if one != answers["jit"][place + 1]]
        assert different == [], (level, [questions[place] for place in different[:3]])
    assert len(set(answers["jit"])) > count / 2  # not one answer to all


def _ask(runtime: Runtime, level: str, code: str, asked: str) -> list[str]:
    """Levels are asked of the copy; the JIT of the checkout, so that compiled code is taken from the user's cache."""
    if level == "jit":
        paths = [str(Path(str(one.__file__)).parents[1]) for one in (coldseek, coldseek_core)]
        command = [sys.executable, "-W", "error", "-c", code]
        variables = {**os.environ, "COLDSEEK_CPU_LEVEL": level, "PYTHONPATH": os.pathsep.join([*paths, *sys.path])}
        done = subprocess.run(command, input=asked, env=variables, capture_output=True, text=True, check=False)
        status, output, errors = done.returncode, done.stdout, done.stderr
    else:
        status, output, errors = runtime.run(code, variables={"COLDSEEK_CPU_LEVEL": level}, said=asked)
    assert (status, errors) == (0, "")
    return output.split()


@pytest.mark.parametrize("name", CORPORA)
def test_some_questions(runtime: Runtime, offered: list[str], tmp_path: Path, shared_data: Path, name: str) -> None:
    check(runtime, offered, tmp_path / "i", shared_data, name, 30, 30)


@pytest.mark.slow
@pytest.mark.parametrize("name", CORPORA)
def test_a_thousand_questions(
    runtime: Runtime, offered: list[str], tmp_path: Path, shared_data: Path, name: str
) -> None:
    """250 of each corpus."""
    check(runtime, offered, tmp_path / "i", shared_data, name, 1000, 250)
