"""What can be looked at: ``viz.passes``, ``viz.timeline``, ``viz.graph``, ``viz.compare``.

A view is a function in the module of the same name, imported when it is first asked for. Importing
viz inside a notebook also teaches IPython to draw a FuncGraph that is the last value of a cell.
"""

import importlib
import sys
import types

__all__ = [
    "adjoint",
    "backward",
    "call_sequence",
    "compare",
    "compilations",
    "gradcheck",
    "gradient_modes",
    "graph",
    "lanes",
    "loop",
    "matcher",
    "modes",
    "passes",
    "rewritten",
    "run",
    "schedule",
    "shapes",
    "stack",
    "stages",
    "symbols",
    "timeline",
    "trace",
    "training",
    "ways",
]


def __getattr__(name):
    if name not in __all__:
        raise AttributeError(f"ms_ext.viz has no view {name!r}; it has {', '.join(__all__)}")
    importlib.import_module(f".{name}", __name__)
    return globals()[name]


def __dir__():
    return sorted(__all__)


class _Views(types.ModuleType):
    """Python binds an imported submodule to its package; here the view of that name is bound."""

    def __setattr__(self, name, value):
        if name in __all__ and isinstance(value, types.ModuleType):
            value = getattr(value, name)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Views

if "IPython" in sys.modules:
    from .notebook import teach

    teach()
