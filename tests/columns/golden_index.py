"""A small index that is kept as bytes, and the answers that it gave: what its pages are, and how both are made.

`tests/golden/format-N/` holds an index of format N (`index`), and `answers.json` with the questions and what they were
answered when it was made. `scripts/make_golden_index.py` makes the folder.
"""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import coldseek

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
INDEX_NAME = "index"
ANSWERS_NAME = "answers.json"

# Not Markdown's rarer corners nor HTML: what is kept is the format of an index, not of documents.
PAGES = {
    "deploying.md": """---
title: Deploying a site
type: guide
order: 3
share: 0.5
checked: true
tags: [deploy, "páginas"]
---

Run `siteTool deploy --dry-run` first, then `deploySite()` from the build folder.

## Retries

The uploader reads max_retry_count and waits longer each time. Error ERR-7741X means that the bucket is full.

### When nothing helps

Ask the café next door about naïve caches, or read the C++ sources.
""",
    "重试.md": """---
type: reference
order: -9007199254740993
checked: false
---

# 重试策略

延迟重试策略说明：上传失败时等待更久，再试一次。

## 部署到页面

部署之前请先构建站点。
""",
    "notes.jsonl": "\n".join(
        json.dumps(line, ensure_ascii=False)
        for line in (
            {
                "id": "note-1",
                "text": "Pages are flushed before they are renamed. 🧊",
                "document": "notes",
                "title": "Notes",
                "url": "/notes",
                "headingPath": ["Disk"],
                "anchor": "disk",
                "metadata": {"type": "note", "share": 1e-9, "tags": []},
            },
            {"id": "note-2", "text": "", "document": "notes"},
        )
    ),
}

# (method of Index, its first argument, options)
ASKED: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("search", "deploy a site", {}),
    ("search", "max-retry-count", {"mode": "lexical", "top_k": 2}),
    ("search", "ERR-7741X", {"mode": "semantic"}),
    ("search", "重试策略", {}),
    ("search", "部署", {"mode": "lexical"}),
    ("search", "pages", {"filter": {"metadata": {"type": ["note", "reference"]}}}),
    ("search", "deploy", {"filter": {"metadata": {"tags": "páginas", "checked": True, "share": 0.5}}}),
    ("search", "重试", {"filter": {"metadata": {"order": -9007199254740993}}}),
    ("search", "!!!", {}),
    ("retrieve", "What does ERR-7741X mean?", {}),
    ("retrieve", "上传失败时怎么办", {}),
    ("retrieve", "deploySite", {"min_similarity": 0.9, "max_context_chars": 100, "top_k": 2}),
    ("retrieve", "How do I brew an espresso in the café?", {"min_keyword_coverage": 0.9}),
    ("retrieve", "🧊", {}),
)


def write_index(folder: Path) -> None:
    """Build the index of PAGES in `folder`."""
    with tempfile.TemporaryDirectory() as pages:
        for name, text in PAGES.items():
            (Path(pages) / name).write_text(text, encoding="utf-8")
        coldseek.build(
            [pages],
            folder,
            base_url="/docs",
            framework="none",
            embedder="mock",
            chunk_size=200,
            chunk_overlap=0,
            retrieval={"top_k": 3},
            site_name="the golden site",
        )


def answer(index: coldseek.Index, method: str, text: str, options: dict[str, Any]) -> dict[str, Any]:
    """The JSON form of one answer, without what differs each time."""
    ask: Callable[..., Any] = getattr(index, method)
    result: dict[str, Any] = ask(text, **options).to_dict()
    del result["latencyMs"]
    return result


def make_golden(folder: Path) -> None:
    """Make `folder` anew: the index, and its answers."""
    write_index(folder / INDEX_NAME)
    with coldseek.open(folder / INDEX_NAME, verify="full") as index:
        answers = [
            {"call": method, "text": text, "options": options, "answer": answer(index, method, text, options)}
            for method, text, options in ASKED
        ]
    written = json.dumps(answers, ensure_ascii=False, indent=1, allow_nan=False)
    (folder / ANSWERS_NAME).write_text(written + "\n", encoding="utf-8")
