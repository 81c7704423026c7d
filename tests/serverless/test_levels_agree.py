"""Every level that this CPU offers, and the JIT, answer real questions over four corpora with the same JSON."""

import gzip
import itertools
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import coldseek
import coldseek_core
from coldseek_core.ingest.documents import Chunk, Document
from search.worlds import write_documents
from serverless.copied_runtime import Runtime

CORPORA = ("docusaurus", "kubernetes", "drcd", "identifiers")
VERBS = ("get", "set", "parse", "retry", "open", "flush", "deploy", "build", "render", "encode", "merge", "split")
NOUNS = ("Token", "URL", "HTTPServer", "page_count", "Limit", "v2", "IDs", "Utf8", "OAuth2Client", "row", "max-size")

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


def lines_of(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def identifiers(count: int) -> Iterator[tuple[str, str]]:
    """Made names in a sentence each, in as many ways of writing."""
    rng = random.Random(11)
    for number in range(count):
        words = [rng.choice(VERBS), *rng.choices(NOUNS, k=rng.randint(1, 3))]
        name = rng.choice(["", "_", "-", ".", "::", "/"]).join(words)
        yield f"n{number}", f"`{name}` calls {rng.choice(NOUNS)}.{rng.choice(VERBS)}() with ERR-{rng.randint(1, 99)}X."


def texts_of(shared_data: Path, name: str, most: int) -> Iterator[tuple[str, str]]:
    """(id, text) of a corpus."""
    if name == "identifiers":
        yield from identifiers(most)
    elif name == "docusaurus":
        folder = shared_data / "docs" / "docusaurus" / "website" / "docs"
        for path in itertools.islice(sorted(folder.rglob("*.mdx")), most):
            yield str(path.relative_to(folder)), path.read_text(encoding="utf-8")
    else:
        folder = {"kubernetes": "k8s-docs", "drcd": "drcd-dev"}[name]
        for line in itertools.islice(lines_of(shared_data / "judged" / folder / "corpus.jsonl.gz"), most):
            yield line["_id"], line["text"]


def questions_of(shared_data: Path, name: str, texts: list[str], count: int) -> list[str]:
    """People's questions where there are some, and stretches of the texts, with odd ends cut off anywhere."""
    rng = random.Random(5)
    asked: list[str] = []
    for folder in {"kubernetes": ["k8s-docs"], "drcd": ["drcd-dev"]}.get(name, []):
        lines = [line["text"] for line in lines_of(shared_data / "judged" / folder / "queries.jsonl")]
        asked = rng.sample(lines, min(count // 2, len(lines)))
    while len(asked) < count:
        text = rng.choice(texts)
        start = rng.randrange(max(1, len(text)))
        asked.append(text[start : start + rng.choice([3, 12, 40, 40, 120, 700])])
    return asked


def build(folder: Path, shared_data: Path, name: str, most: int) -> list[str]:
    """Build an index with vectors by the mock; returns the texts."""
    pairs = [pair for pair in texts_of(shared_data, name, most) if pair[1].strip()]
    language = "zh-TW" if name == "drcd" else "en"
    if name == "docusaurus":
        source = shared_data / "docs" / "docusaurus" / "website" / "docs"
        paths = [source / path for path, _ in pairs]
        coldseek.build(paths, folder, base_url="/docs", embedder="mock")
    else:
        rng = random.Random(3)
        documents = [
            Document(key, "", f"/{key}", key, {}, (Chunk(key, text, vector=_vector(rng)),)) for key, text in pairs
        ]
        write_documents(folder, documents, language)
    return [text for _, text in pairs]


def _vector(rng: random.Random) -> tuple[float, ...]:
    """Clustered, so that similarities are close to each other."""
    centre = rng.randrange(6)
    return tuple(rng.gauss(1.0 if place % 6 == centre else 0.0, 0.3) for place in range(100))


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
