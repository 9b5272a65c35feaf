"""Which names do the files of this folder declare that are not imported with the package?

``ms-ext sync`` writes what ``text()`` gives to declared.json.
"""

import importlib
import json
import pkgutil

from .. import ops
from ..engine import primitive
from .composite import COMPOSITES

_NOT = ("custom", "later")


def text():
    """The list as JSON, a line for each file."""
    rows = [f"{json.dumps(file)}: {json.dumps(kinds)}" for file, kinds in declared().items()]
    return "{\n" + ",\n".join(rows) + "\n}\n"


def declared():
    """{file: {"ops": class names, "names": ..., "functions": ...}}, by importing every file.

    The tables are read as they are by then: what the list promised so far may be gone.
    """
    files = [each.name for each in pkgutil.iter_modules(ops.__path__)]
    found = {}
    for file in sorted(set(files) - {*ops.AT_ONCE, *_NOT}):
        module = importlib.import_module(f"{ops.__name__}.{file}").__name__
        own = [op for op in dict.values(primitive.OPS) if op.module == module]
        kinds = {
            "ops": [op.name for op in own],
            "names": [name for op in own for name in op.names],
            "functions": [n for n, f in dict.items(COMPOSITES) if _entered_in(f) == module],
        }
        found[file] = kinds
    return found


def _entered_in(function):
    return getattr(function, "writes", function).__module__
