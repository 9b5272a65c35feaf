"""Is this answer right, and if not, on which smallest case is it wrong?

``check("tour.add_neg_to_sub")`` finds the learner's definitions in the session (or in a file), has
them run in a process of their own and judged in another, and answers with a Verdict.
"""

import importlib

__all__ = ["Hint", "Verdict", "Witness", "check", "hint"]
_WHERE = {
    **dict.fromkeys(("Verdict", "Witness"), "verdict"),
    **dict.fromkeys(("Hint", "hint"), "notebook.hints"),
    "check": "notebook.session",
}


def __getattr__(name):
    """Imported at first use: the checking processes start with as little as possible."""
    if name not in _WHERE:
        raise AttributeError(f"module 'ms_ext.grading' has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(f"{__name__}.{_WHERE[name]}"), name)
    return value
