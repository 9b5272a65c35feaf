"""Where does the learner's code run? In processes that can do little, and are watched.

>>> from ms_ext.grading.sandbox import Nursery
>>> cells = [["In[1]", "def more(x):\\n    return x + 1"]]
>>> with Nursery() as nursery:
...     child = nursery.child(limits=Limits(wall=5.0))
...     found = child.ask({"find": "more", "cells": cells, "path": []})
...     ran = child.ask({"run": True})
...     reply = child.ask({"ask": "call plain", "operands": (41,)})
...     usage = child.close()
>>> reply, usage.cpu < 5
({'answer': 42, 'printed': ''}, True)
"""

import importlib
import sys

from .limits import Limits, Usage
from .nursery import Forked


def __getattr__(name):
    """Imported at first use: a nursery starts before its parent has loaded NumPy.

    A running Python is copied where the system does that safely.
    """
    if name == "Spawned":
        return importlib.import_module(f"{__name__}.spawned").Spawned
    if name == "Nursery":
        return Forked if sys.platform == "linux" else __getattr__("Spawned")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = ["Forked", "Limits", "Nursery", "Spawned", "Usage", "report"]


def report():
    """Every protection on this system, as (name, in force, why not), tried with a real child."""
    from . import protections

    with __getattr__("Nursery")() as nursery:
        child = nursery.child()
        child.ask({"find": "nothing", "cells": [], "path": []})
        usage = child.close()
    missing = dict(usage.missing)
    return [
        (row.name, row.name not in missing, missing.get(row.name, "")) for row in protections.TABLE
    ]
