"""Who shows what ``check`` and ``hint`` return? A notebook or a prompt does; a script does not.

A notebook shows the last value of a cell and a prompt each value. In a script nothing would, so it
is printed there. pytest keeps what is printed for a test that fails: there a verdict is printed
where it is the reason.
"""

import os
import sys

from ms_ext.grading.notebook import sources


def told(said, *, wrong=False):
    """``said`` itself, printed where nobody else shows it; ``wrong``: a test fails because of it.

    >>> told("a hint"), told("no", wrong=True)  # the examples run in pytest
    no
    ('a hint', 'no')
    """
    tested = "PYTEST_CURRENT_TEST" in os.environ
    if (tested and wrong) or not (tested or _shown()):
        print(said)
    return said


def _shown():
    """Is a value shown by itself? In IPython and at Python's prompt, which alone has a ``ps1``."""
    return sources.running_shell() is not None or hasattr(sys, "ps1")
