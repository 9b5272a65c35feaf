"""How cases are declared: a function, its arguments, and how it is compiled.

The programs say ``mindspore``. ``record.py`` runs them on MindSpore; ``test_conformance.py`` here.
"""

import functools
from typing import NamedTuple

CASES: dict = {}


class Case(NamedTuple):
    """One call of a compiled function, or several in a row.

    ``options`` go to ``jit``; a case that is ``eager`` is called as it is. ``says``: what of an
    error's first line is compared, where the rest names MindSpore's own parts.
    """

    function: object
    calls: tuple
    options: dict
    eager: bool
    says: str | None


class Named(dict):
    """The last thing that a call's arguments are made of: the ones given by name."""


def case(*calls, eager=False, says=None, strict=None, **options):
    """Declare a case: ``calls`` are functions that make the arguments of each call.

    Every compiled case is a second one too, with ``fullgraph=True``, unless ``strict`` is False.
    """

    def declare(function):
        name, made = function.__name__, calls or (tuple,)
        assert name not in CASES, name
        CASES[name] = Case(function, made, options, eager, says)
        if strict is not False and not eager and "fullgraph" not in options:
            CASES[f"{name} fullgraph"] = Case(
                function, made, options | {"fullgraph": True}, eager, says
            )
        return function

    return declare


def in_all_modes(*calls, says=None, modes=("eager", "jit", "graph mode")):
    """Declare a case for each mode: as it is, under jit, and as it is in GRAPH_MODE.

    ``says`` may be told for each mode, in a dict.
    """

    def declare(function):
        name, made = function.__name__, calls or (tuple,)
        for mode in modes:
            run = _in_graph_mode(function) if mode == "graph mode" else function
            said = says[mode] if isinstance(says, dict) else says
            assert f"{name} {mode}" not in CASES, name
            CASES[f"{name} {mode}"] = Case(run, made, {}, mode != "jit", said)
        return function

    return declare


def _in_graph_mode(function):
    import mindspore as ms

    @functools.wraps(function)
    def run(*args, **kwargs):
        ms.set_context(mode=ms.GRAPH_MODE)
        try:
            return function(*args, **kwargs)
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)

    return run
