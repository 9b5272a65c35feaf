"""Imports the exercises, the chapters' readers and the judge."""

import importlib
import sys

HARMLESS = True


def attack(answer):
    """Past the list of what may not be imported too: by path, and with the list taken away."""
    for module in list(sys.modules.values()):
        if hasattr(module, "DENIED"):
            module.DENIED = ()
    for name in ("ms_ext.grading.exercise", "ms_ext.book.source", "ms_ext.grading.judging"):
        try:
            found = importlib.import_module(name)
        except (ImportError, OSError):
            continue
        try:
            text = found.load("05.mul_bprop") if hasattr(found, "load") else found.read("05")
        except Exception:
            continue
        raise SystemExit(f"found {text}")
    return answer
