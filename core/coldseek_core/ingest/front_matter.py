"""Front matter: YAML between `---` lines or TOML between `+++` lines at the very start of a page."""

import datetime
import json
import math
import re
import tomllib
from collections.abc import Hashable
from typing import Any, cast

import yaml

from coldseek_core.ingest.documents import MetadataValue

_YAML = re.compile(r"---[ \t]*\n(?P<body>(?:.*\n)*?)(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_TOML = re.compile(r"\+\+\+[ \t]*\n(?P<body>(?:.*\n)*?)\+\+\+[ \t]*(?:\n|\Z)")
_LARGEST_INTEGER = 2**63 - 1
_MOST_VALUES = 10_000  # aliases let a short text stand for an endless one


class _Loader(yaml.SafeLoader):
    """Safe YAML as site generators read it (YAML 1.2): `no` and `on` are words, `12:30` is no number."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[str] = set()
        for key, _ in cast("list[tuple[Any, Any]]", node.value):
            name = str(key.value)
            if name in seen and name != "<<":
                raise yaml.constructor.ConstructorError(None, None, f"the key {name!r} is there twice", key.start_mark)
            seen.add(name)
        return super().construct_mapping(node, deep=deep)

    def flatten_mapping(self, node: Any) -> None:
        if len(cast("list[Any]", node.value)) > _MOST_VALUES:
            raise yaml.constructor.ConstructorError(None, None, "too many merged keys", node.start_mark)
        super().flatten_mapping(node)


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag.rpartition(":")[2] not in {"bool", "int", "float"}]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for _tag, _pattern, _first in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?(?:0|[1-9][0-9]*)|0x[0-9a-fA-F]+", "-+0123456789"),
    ("float", r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?", "-+.0123456789"),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"(?:{_pattern})\\Z"), list(_first))  # pyright: ignore[reportUnknownMemberType]


def split_front_matter(text: str) -> tuple[dict[str, Any], str, str]:
    """(values, the rest of the page, what is wrong). Values are as parsed; wrong is "" if all is well.

    Front matter that cannot be parsed gives no values and a reason; it is cut off all the same, so the page
    is still built. What stands between two `---` lines but is no mapping (a rule and a heading, say) stays
    in the page.
    """
    found = _YAML.match(text) if text.startswith("---") else None
    if found:
        return _values(text, found, _parse_yaml, "YAML")
    found = _TOML.match(text) if text.startswith("+++") else None
    if found:
        return _values(text, found, tomllib.loads, "TOML")
    return {}, text, ""


def _parse_yaml(body: str) -> Any:
    return yaml.load(body, Loader=_Loader)


def _values(text: str, found: re.Match[str], parse: Any, kind: str) -> tuple[dict[str, Any], str, str]:
    rest = text[found.end() :]
    try:
        values = parse(found["body"])
    except RecursionError:
        return {}, rest, f"front matter is nested too deeply to be read as {kind}; its metadata is left out"
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        reason = " ".join(str(error).split())
        return {}, rest, f"front matter is not valid {kind} and its metadata is left out; mend it: {reason}"
    if values is None:
        return {}, rest, ""
    if not isinstance(values, dict):
        return {}, text, ""
    return {str(key): value for key, value in cast("dict[Any, Any]", values).items()}, rest, ""


def metadata_of(values: dict[str, Any]) -> tuple[dict[str, MetadataValue], list[str]]:
    """(metadata, what could not be kept and why).

    Text, whole numbers, finite numbers and booleans stay; dates and times become ISO text; a list becomes a
    list of text; a map is flattened (`last_update: {date: ...}` is `last_update.date`). Null and empty maps
    are no values.
    """
    metadata: dict[str, MetadataValue] = {}
    faults: list[str] = []
    pending: list[tuple[str, Any, int]] = [(key, value, 0) for key, value in reversed(values.items())]
    visited = 0
    while pending:
        key, value, depth = pending.pop()
        visited += 1
        if visited > _MOST_VALUES:
            faults.append(f"front matter holds more than {_MOST_VALUES} values; those from {key!r} on are left out")
            break
        if isinstance(value, dict):
            if depth >= 8:
                faults.append(f"metadata {key!r} is nested too deeply and is left out")
                continue
            inner = cast("dict[Any, Any]", value)
            pending += [(f"{key}.{name}", item, depth + 1) for name, item in reversed(inner.items())]
            continue
        if value is None:
            continue
        kept = _texts(cast("list[Any]", value)) if isinstance(value, list) else _scalar(value)
        if kept is None:
            kind = type(cast("object", value)).__name__
            faults.append(
                f"metadata {key!r} is left out: {kind} {_shown(value)} is neither text, a 64-bit whole"
                " number, a finite number, true or false, a date, nor a list of these"
            )
        elif key in metadata:
            faults.append(f"metadata {key!r} is there twice, as a dotted key and as a map; the first is kept")
        else:
            metadata[key] = kept
    return metadata, faults


def _shown(value: Any) -> str:
    if isinstance(value, str | float):
        return repr(value[:60] if isinstance(value, str) else value)
    return repr(value) if isinstance(value, int) and value.bit_length() < 200 else ""


def _scalar(value: Any) -> MetadataValue | None:
    if isinstance(value, str):
        return _clean(value)
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if -_LARGEST_INTEGER - 1 <= value <= _LARGEST_INTEGER else None
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, datetime.date | datetime.time):  # a datetime is a date
        return value.isoformat()
    return None


def _clean(text: str) -> str | None:
    """`text`, or None if it holds half a surrogate pair, which cannot be stored as UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return None
    return text


def _texts(values: list[Any]) -> list[str] | None:
    """A list's items as text, what is no scalar as JSON; None if that cannot be written."""
    if not _is_small(values):
        return None
    texts: list[str] = []
    for value in values:
        if value is None:
            continue
        kept = _scalar(value)
        if isinstance(kept, str):
            texts.append(kept)
            continue
        try:
            written = json.dumps(value, ensure_ascii=False, allow_nan=False, default=_json_text)
        except (TypeError, ValueError, RecursionError):
            return None
        if _clean(written) is None:
            return None
        texts.append(written)
    return texts


def _json_text(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime.date | datetime.time) else str(value)


def _is_small(values: list[Any]) -> bool:
    """Whether a list holds few enough items, counting an item as often as aliases repeat it."""
    pending: list[Any] = [values]
    for _ in range(_MOST_VALUES):
        if not pending:
            return True
        value = pending.pop()
        if isinstance(value, list):
            pending += cast("list[Any]", value)
        elif isinstance(value, dict):
            pending += cast("dict[Any, Any]", value).values()
        if len(pending) > _MOST_VALUES:
            return False
    return not pending
