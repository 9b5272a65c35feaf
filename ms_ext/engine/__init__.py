"""The machinery: source -> graph -> passes -> backend -> stages. Made to be read, lowest first.

>>> import ms_ext as ms
>>> ms.engine.jit.trace(lambda x: x * x, ms.Tensor(2.0)).name
'<lambda>'
"""

import importlib
import pkgutil


def __getattr__(name):
    if name in {module.name for module in pkgutil.iter_modules(__path__)}:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
