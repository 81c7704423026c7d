import time
from typing import Any

import pytest

from coldseek_core.ingest.front_matter import metadata_of, split_front_matter


def values_of(body: str) -> dict[str, Any]:
    values, rest, fault = split_front_matter(f"---\n{body}\n---\nrest")
    assert (rest, fault) == ("rest", "")
    return values


def metadata(body: str) -> dict[str, Any]:
    kept, faults = metadata_of(values_of(body))
    assert faults == []
    return kept


def test_yaml_between_rules_at_the_very_start() -> None:
    assert values_of("title: a --- b\nnote: |\n  ---\n  still here") == {
        "title": "a --- b",
        "note": "---\nstill here\n",
    }


@pytest.mark.parametrize(
    "source",
    ["\n---\na: 1\n---\n", " ---\na: 1\n---\n", "text\n---\na: 1\n---\n", "---\na: 1\n", "----\na: 1\n---\n", ""],
)
def test_what_is_no_front_matter_stays(source: str) -> None:
    assert split_front_matter(source) == ({}, source, "")


def test_a_rule_and_a_heading_stay_in_the_page() -> None:
    source = "---\nprose between rules\n---\nmore"
    assert split_front_matter(source) == ({}, source, "")


def test_empty_front_matter_is_cut_off() -> None:
    assert split_front_matter("---\n---\nrest") == ({}, "rest", "")
    assert split_front_matter("---\n# only a comment\n...\nrest") == ({}, "rest", "")


def test_toml() -> None:
    values, rest, fault = split_front_matter(
        '+++\ntitle = "T"\ndate = 2024-01-02\n[last]\ntags = ["a", "b"]\n+++\nrest'
    )
    assert (rest, fault) == ("rest", "")
    assert metadata_of(values) == ({"title": "T", "date": "2024-01-02", "last.tags": ["a", "b"]}, [])


@pytest.mark.parametrize(
    "source",
    [
        "---\na: [\n---\nrest",
        "---\na: 1\na: 2\n---\nrest",
        "---\n\tb: 1\n---\nrest",
        "+++\na = \n+++\nrest",
        "---\na: " + "[" * 5000 + "\n---\nrest",
        "---\na: !!python/object:os.system x\n---\nrest",
        "---\n@\n---\nrest",
    ],
)
def test_front_matter_that_is_wrong_is_reported_and_the_page_kept(source: str) -> None:
    values, rest, fault = split_front_matter(source)
    assert (values, rest) == ({}, "rest")
    assert "front matter" in fault
    assert "\n" not in fault


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        ("a: text\nb: 1\nc: 1.5\nd: true", {"a": "text", "b": 1, "c": 1.5, "d": True}),
        ("a: No\nb: on\nc: 12:30\nd: 010\ne: 1e3", {"a": "No", "b": "on", "c": "12:30", "d": "010", "e": 1000.0}),
        ("a: 2024-01-02\nb: 2024-01-02T03:04:05Z", {"a": "2024-01-02", "b": "2024-01-02T03:04:05+00:00"}),
        ("a: {b: {c: 1}, d: x}", {"a.b.c": 1, "a.d": "x"}),
        ("a: [x, 1, true, 2024-01-02, 1.5]", {"a": ["x", "1", "true", "2024-01-02", "1.5"]}),
        ("a: [{b: 1, c: 中}, [1, 2]]", {"a": ['{"b": 1, "c": "中"}', "[1, 2]"]}),
        ("a: ~\nb: {}\nc: []\nd: [~]", {"c": [], "d": []}),
    ],
)
def test_values_become_metadata(body: str, kept: dict[str, Any]) -> None:
    found = metadata(body)
    assert found == kept
    assert [type(value) for value in found.values()] == [type(value) for value in kept.values()]


@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        float("inf"),
        2**63,
        -(2**63) - 1,
        pytest.param(10**5000, id="digits"),
        "\ud800",
        [float("nan")],
        ["\ud800"],
        b"x",
    ],
)
def test_values_that_cannot_be_stored_are_reported(value: object) -> None:
    kept, faults = metadata_of({"good": 1, "bad": value})
    assert kept == {"good": 1}
    assert len(faults) == 1
    assert "'bad'" in faults[0]


def test_the_same_key_dotted_and_nested_is_reported() -> None:
    kept, faults = metadata_of({"a.b": 1, "a": {"b": 2}})
    assert kept == {"a.b": 1}
    assert len(faults) == 1


@pytest.mark.parametrize(
    "item", ["[{0}, {0}, {0}, {0}, {0}, {0}, {0}, {0}, {0}]", "{{x: {0}, y: {0}, z: {0}, w: {0}}}"]
)
def test_aliases_that_stand_for_very_much_are_cut(item: str) -> None:
    lines = ["a0: &a0 [1, 2]"] + [f"a{n}: &a{n} " + item.format(f"*a{n - 1}") for n in range(1, 30)]
    start = time.perf_counter()
    _, faults = metadata_of(values_of("\n".join(lines)))
    assert faults
    assert time.perf_counter() - start < 2


def test_aliases_that_go_round_in_circles_are_reported() -> None:
    for body in ("a: &a [*a]", "a: &a {b: *a}"):
        _, faults = metadata_of(values_of(body))
        assert faults
