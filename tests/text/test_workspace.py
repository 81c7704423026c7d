"""What a workspace holds after a text that needed much memory."""

import pytest

from coldseek_core.text import Analyser
from coldseek_core.text.workspace import Workspace


def analysed(analyser: Analyser, text: str) -> int:
    """How many tokens there are, without a list of them."""
    return analyser.with_tokens(text, lambda _, count: count)


def held(analyser: Analyser) -> tuple[int, ...]:
    """Bytes or places of everything that grows, of the one workspace that is idle."""
    (workspace,) = analyser._idle  # pyright: ignore[reportPrivateUsage]
    assert isinstance(workspace, Workspace)
    grown = (workspace._token_capacity, workspace._piece_capacity)  # pyright: ignore[reportPrivateUsage]
    return (*grown, workspace.vocabulary.capacity, workspace.vocabulary.size)


@pytest.mark.parametrize(
    "text",
    [
        "x" * 3_000_000,
        "长" * 1_000_000,
        " ".join(f"word{number}" for number in range(200_000)),
        "a\u0301" * 500_000,
        "camelCase" * 200_000,
    ],
    ids=["one word", "Han", "many words", "marks", "humps"],
)
def test_one_long_text_leaves_nothing(text: str) -> None:
    fresh, used = Analyser("en"), Analyser("en")
    analysed(fresh, "short")
    analysed(used, text)
    assert held(used) == held(fresh)


def test_what_ordinary_texts_need_is_kept() -> None:
    analyser = Analyser("en")
    text = " ".join(f"word{number}" for number in range(5000))
    analysed(analyser, text)
    before = held(analyser)
    analysed(analyser, "short")
    assert held(analyser) == before
    assert before[2] >= 5000
