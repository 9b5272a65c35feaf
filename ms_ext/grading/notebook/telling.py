"""Who shows what ``check`` and ``hint`` return? A notebook or a prompt does; a script does not.

A notebook shows the last value of a cell and a prompt each value. In a script nothing would, so it
is printed there, unless the script prints it. pytest keeps what is printed for a test that fails:
there a verdict is printed where it is the reason.
"""

import ast
import linecache
import os
import sys

from ms_ext.grading.notebook import sources


def told(said, frame=None, *, wrong=False):
    """``said`` itself, printed where nobody else shows it; ``wrong``: a test fails because of it.

    ``frame``: where the call stands that gets it.

    >>> told("a hint"), told("no", wrong=True)  # the examples run in pytest
    no
    ('a hint', 'no')
    """
    tested = "PYTEST_CURRENT_TEST" in os.environ
    shown = frame is not None and printed_by(frame)
    if not shown and ((tested and wrong) or not (tested or _shown())):
        print(said)
    return said


def printed_by(frame):
    """Does the line that gets a value print it, as in ``print(ms.hint("05.mul_bprop"))``?"""
    code = frame.f_code
    text = "".join(linecache.getlines(code.co_filename, frame.f_globals))
    here = next((p for at, p in enumerate(code.co_positions()) if at == frame.f_lasti // 2), None)
    if "print(" not in text or here is None:
        return False
    try:
        calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    printed = [each for call in calls if _is_print(call) for each in call.args]
    return any(
        (each.lineno, each.end_lineno, each.col_offset, each.end_col_offset) == here
        for each in printed
    )


def _is_print(call):
    return isinstance(call.func, ast.Name) and call.func.id == "print"


def _shown():
    """Is a value shown by itself? In IPython and at Python's prompt, which alone has a ``ps1``."""
    return sources.running_shell() is not None or hasattr(sys, "ps1")
