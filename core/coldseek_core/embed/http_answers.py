"""Read what a server sent, believing nothing: JSON, vectors, and complaints as one short line."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn, TypeGuard

    from .secret import Secret

_FAULT_CHARACTERS = 200
_BYTES_A_NUMBER = 32  # JSON of a float, with blanks
_BYTES_AROUND = 1 << 20


def most_bytes(count: int, dimensions: int) -> int:
    """How long an answer of so many vectors may be."""
    return _BYTES_AROUND + count * dimensions * _BYTES_A_NUMBER


def parsed(body: bytes) -> object:
    """The JSON value of `body`. Raises ValueError, also for NaN and infinity, which JSON does not have."""
    from json import JSONDecodeError, loads

    try:
        return loads(body, parse_constant=_no_number)
    except JSONDecodeError as error:
        raise ValueError(f"it is not JSON ({error.msg} at character {error.pos})") from None
    except UnicodeDecodeError:
        raise ValueError("it is not JSON (no valid UTF-8)") from None
    except RecursionError:
        raise ValueError("it is JSON that is nested too deeply") from None


def _no_number(name: str) -> "NoReturn":
    raise ValueError(f"it holds {name} in place of a number")


def is_object(value: object) -> "TypeGuard[dict[str, Any]]":
    return isinstance(value, dict)


def is_list(value: object) -> "TypeGuard[list[Any]]":
    return isinstance(value, list)


def vector_of(value: object, dimensions: "int | None") -> list[float]:
    """Finite floats, `dimensions` of them if that is known. Raises ValueError that says what came instead."""
    if not is_list(value):
        raise ValueError(f"a vector is no list but {type(value).__name__}")
    if dimensions is not None and len(value) != dimensions:
        raise ValueError(f"a vector has {len(value)} dimensions, {dimensions} were expected")
    vector: list[float] = []
    for number in value:
        if type(number) is not float and type(number) is not int:
            raise ValueError(f"a vector holds {type(number).__name__} in place of a number")
        try:
            as_float = float(number)
        except OverflowError:
            as_float = float("inf")
        if not -1.7976931348623157e308 <= as_float <= 1.7976931348623157e308:
            raise ValueError("a vector holds a number that is not finite")
        vector.append(as_float)
    return vector


def fault_of(body: bytes, content_type: str, cut: bool, secret: "Secret | None") -> str:
    """What a server says in an error answer, on one short line and without the key. `cut`: the body goes on."""
    try:
        told = _message(parsed(body))
    except ValueError:
        told = None
    if told is None:
        told = body.decode("utf-8", "replace")
        if cut and secret is not None:
            told = told[: -len(secret.reveal())]  # the end may be half a key
        if "html" in content_type.lower():
            told = f"a page of HTML ({_title(told)})"
    return one_line(told, secret, _FAULT_CHARACTERS)


def _message(answer: object) -> "str | None":
    """The text of the usual forms: {"error": {"message"}}, {"error"}, {"errors": [{"message"}]}, {"detail"}."""
    if not is_object(answer):
        return None
    for name in ("error", "errors", "message", "detail"):
        value = answer.get(name)
        if is_list(value) and value:
            value = value[0]
        if is_object(value):
            value = value.get("message")
        if isinstance(value, str) and value.strip():
            return value
    return None


def _title(page: str) -> str:
    lower = page.lower()
    first = lower.find("<title>")
    last = lower.find("</title>", first)
    return page[first + len("<title>") : last] if 0 <= first < last else "no title"


def one_line(text: str, secret: "Secret | None", longest: int) -> str:
    """`text` without the key, line breaks and control characters, and not longer than `longest`."""
    if secret is not None:
        text = secret.redact(text)
    shown = " ".join("".join(one if one.isprintable() else " " for one in text).split())
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"
