"""Which passes are there? The files of this folder by name, and what a session adds.

A pass is a source, a target and a condition (``pattern_pass``), several such rules
(``rules_pass``), or a function of a graph and its editor (``graph_pass``). Its name is its file's
name, or the one it is given; a pass registered again under a name replaces the earlier one.

>>> REGISTRY.names()[:3]
['add_neg_to_sub', 'algebraic', 'cse']
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace

from .. import errors
from ..patterns import Editor, rewrite
from ..patterns import rule as _rule
from ..registry import Registry

REGISTRY = Registry("pass", "ms_ext.engine.passes")


@dataclass(frozen=True, eq=False)
class Pass:
    """A named change of graphs: ``run(graph, editor)`` is called for a graph and for each of its
    regions.

    ``across``: it has work between a function and its gradient, so they are to be in one graph.
    """

    name: str
    run: Callable
    doc: str = ""
    rules: tuple = ()
    across: bool = False

    def __repr__(self):
        return f"Pass({self.name!r})"


def pattern_pass(source, target, when=True, *, name=None):
    """Register the pass that rewrites what looks like ``source`` into ``target`` where ``when``
    allows it.

    >>> from ms_ext import ops
    >>> pattern_pass(lambda x: ops.Neg(ops.Neg(x)), lambda x: x, name="neg_neg")
    Pass('neg_neg')
    >>> REGISTRY.discard("neg_neg")
    """
    rule = _rule(source, target, when, name or _name_of(source))
    return register(of_rules([rule], rule.name, _doc_of(source)))


def rules_pass(*rules, name=None):
    """Register one pass of several rules (``rule(source, target, when)``), applied until none
    fits. In a notebook it says of itself what its rules do."""
    caller = sys._getframe(1).f_globals
    name = name or caller["__name__"].rpartition(".")[2]
    library = caller["__name__"].startswith(f"{REGISTRY.package}.")  # a notebook speaks of itself
    return register(of_rules(rules, name, caller["__doc__"] if library else ""))


def graph_pass(run=None, *, name=None, across=False):
    """Register a pass that is a function: ``def run(graph, editor)``. A decorator, with or without
    a name, and what else a Pass says of itself.

    >>> @graph_pass(name="nothing")
    ... def run(graph, editor):
    ...     "Change nothing."
    >>> run.doc, REGISTRY.get("nothing") is run
    ('Change nothing.', True)
    >>> REGISTRY.discard("nothing")
    """
    if run is None:
        return lambda function: graph_pass(function, name=name, across=across)
    made = of_function(run, name or _name_of(run) or run.__name__, _doc_of(run))
    return register(replace(made, across=across))


def register(new, name=None):
    """Enter a Pass, or a pass in MindSpore's shape, under its name.

    The latter is only asked for its pattern when a graph is compiled, as in MindSpore.
    """
    name = name or getattr(new, "name", "") or getattr(new, "__name__", type(new).__name__)
    return REGISTRY.add(name, new)


def of_rules(rules, name, doc=""):
    """A Pass of rules, not registered."""
    rules = tuple(rules)

    def run(graph, editor):
        rewrite(graph, rules, editor)

    return Pass(name, run, doc or "; ".join(map(str, rules)), rules)


def of_function(run, name, doc=""):
    """A Pass of a function, not registered."""
    code = getattr(run, "__code__", None)
    if code is None or code.co_argcount != 2:
        raise errors.InvalidType(
            "A pass is a function of a graph and its editor.",
            given=getattr(run, "__qualname__", repr(run)),
            hint="def run(graph, editor): ...",
        )

    def tidied(graph, editor):
        version = graph.version
        run(graph, editor)
        if graph.version != version:
            editor.prune()

    return Pass(name, tidied, doc)


def find(item):
    """The Pass meant by a name, a Pass, a pair or triple of functions, a function, or a pass
    class."""
    if isinstance(item, str):
        found = REGISTRY.get(item)
        return found if isinstance(found, Pass) else find(found)
    if isinstance(item, Pass):
        return item
    if hasattr(item, "as_rule") or hasattr(item, "Run"):  # written in MindSpore's shape
        return _of_shape(item() if isinstance(item, type) else item)
    if isinstance(item, tuple | list) and len(item) in (2, 3):
        rule = _rule(*item)
        return of_rules([rule], rule.name, getattr(item[0], "__doc__", None))
    if callable(item):
        return of_function(
            item, getattr(item, "__name__", "run"), getattr(item, "__doc__", None) or ""
        )
    raise errors.InvalidType(
        "This is not a pass.",
        given=f"{item!r:.60} of type {type(item).__name__}",
        hint="Give a name, what pattern_pass or graph_pass returned, or (source, target, when).",
    )


def _of_shape(item):
    doc = (type(item).__doc__ or "").strip()
    if hasattr(item, "as_rule"):
        rule = item.as_rule()
        return of_rules([rule], rule.name, doc or str(rule))

    def run(graph, _editor):
        item.Run(graph)

    return of_function(run, getattr(item, "name", "") or type(item).__name__, doc)


def _name_of(function):
    """A pass is called like its file; in a notebook and in __main__ like its function, None if
    that is a lambda."""
    module, name = function.__module__, function.__name__
    if module == "__main__":
        return None if name == "<lambda>" else name
    return module.rpartition(".")[2]


def _doc_of(function):
    """What a pass says of itself: a file of this folder, else its function."""
    if function.__module__.startswith(f"{REGISTRY.package}."):
        return sys.modules[function.__module__].__doc__.strip()
    return (function.__doc__ or "").strip()


__all__ = [
    "REGISTRY", "Editor", "Pass", "find", "graph_pass", "of_function", "of_rules", "pattern_pass",
    "register", "rules_pass",
]  # fmt: skip
