"""The questions that copied runtimes answer. A copy of this file lies beside each, so it imports coldseek alone."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import coldseek

QUESTIONS = (
    "copper kettle",
    "How do I deploy to GitHub Pages?",
    "max_retry_count",
    "延迟重试策略",
    "iron pan ERR-7741X",
    "zebra crossing",
    "",
    "🧊 !!! the who",
)


def answers(index: "coldseek.Index", questions: "tuple[str, ...] | list[str]" = QUESTIONS) -> str:
    """What `search` and `retrieve` say to each question, as one JSON text without times; floats are exact in it."""
    import json

    found: list[dict[str, object]] = []
    for question in questions:
        for result in (index.search(question, top_k=7), index.retrieve(question)):
            found.append(result.to_dict())
            del found[-1]["latencyMs"]
    return json.dumps(found)
