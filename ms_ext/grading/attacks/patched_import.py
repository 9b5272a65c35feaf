"""Replaces the modules behind `import`, and the functions that everything is built on."""

import builtins
import sys
import types


def attack(answer):
    """NumPy, json and struct are empty now, and the built-in functions agree with everything."""
    for name in ("numpy", "json", "struct", "ms_ext.grading.wire"):
        sys.modules[name] = types.ModuleType(name)
    builtins.__import__ = lambda name, *rest: sys.modules.get(name, types.ModuleType(name))
    builtins.all = builtins.isinstance = lambda *arguments: True
    builtins.len = lambda thing: 1
    return answer
