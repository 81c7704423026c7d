"""Failures that a question survives, told to whoever wants to know."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def report(on_error: "Callable[[Exception], None] | None", error: Exception) -> None:
    """Tell `on_error`, if there is one. What it raises is dropped: a broken reporter must not cost an answer."""
    if on_error is None:
        return
    try:
        on_error(error)
    except Exception:
        return
