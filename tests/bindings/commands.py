"""Running a command in this process, as a user would."""

import pytest

from coldseek.cli import main


def printed(capsys: pytest.CaptureFixture[str], *arguments: object, status: int = 0) -> tuple[str, str]:
    """What a command prints to standard output and standard error. It must end with `status`, and without a
    traceback."""
    capsys.readouterr()
    try:
        got = main([str(one) for one in arguments])
    except SystemExit as end:
        got = end.code
    out, err = capsys.readouterr()
    assert got == status, (out, err)
    assert "Traceback" not in out + err
    return out, err
