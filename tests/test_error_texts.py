"""Every mistake gets one clear error; its text is kept in golden/errors.txt."""

import re
from pathlib import Path

import mistakes
import pytest

from ms_ext.engine import errors

SOURCE = Path(mistakes.__file__)


def told(name):
    """The error of one mistake, with the place as a line number within its function."""
    with pytest.raises(errors.MsExtError) as caught:
        mistakes.MISTAKES[name]()
    kinds = [k.__name__ for k in type(caught.value).__mro__ if k.__module__ == "builtins"]
    text = re.sub(r"\(?[^\s(]*mistakes\.py:(\d+)\)?", _relative, str(caught.value))
    return f"{type(caught.value).__name__} ({kinds[0]})\n{text}"


def _relative(found):
    lines = SOURCE.read_text().splitlines()
    number = int(found[1])
    start = max(
        i for i, line in enumerate(lines[:number]) if line.startswith(("def ", '    "', "MISTAKES"))
    )
    return f"mistakes.py, line {number - start} of its function"


def test_error_texts(golden):
    parts = [f"## {name}\n{told(name)}\n" for name in mistakes.MISTAKES]
    golden("errors.txt", "\n".join(parts))


@pytest.mark.parametrize("name", mistakes.MISTAKES)
def test_an_error_says_what_to_do(name):
    with pytest.raises(errors.MsExtError) as caught:
        mistakes.MISTAKES[name]()
    error = caught.value
    assert error.hint or error.given or error.where, f"{name}: only one sentence: {error}"
    if "in jit" in name or name.startswith("unsupported"):
        assert error.where is not None
        assert "^" in str(error)
