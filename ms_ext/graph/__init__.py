"""``ms.graph``: graphs, passes and patterns, as seen from outside.

A graph is text with ``dump``, and text is a graph with ``load``; ``verify`` says whether it is
sound. ``mindspore_text`` writes a graph in MindSpore's words, ``dot`` draws it for Graphviz. A pass
is written as ``pattern_pass(source, target, when)``, as ``@graph_pass def run(graph, editor)``, or
as a class in MindSpore's shape; ``passes`` lists the names there are, ``pipeline`` those that run.

>>> from ms_ext import ops
>>> def source(x):
...     return ops.Exp(ops.Log(x))
>>> def target(x):
...     return x
>>> exp_log = pattern_pass(source, target, name="exp_log")
>>> "exp_log" in passes()
True
>>> pipeline(["exp_log"])
('inline', 'sink', 'fold', 'algebraic', 'exp_log', 'cse', 'dce')
"""

from .. import ops
from ..engine.backends import BackendBase, RunningStatus, backend, build, lower, node_by_node
from ..engine.backends import names as backends
from ..engine.infer import AbstractTensor
from ..engine.ir import CONTROL, CNode, FuncGraph, Parameter, ValueNode, dump, load, verify
from ..engine.jit import trace
from ..engine.lowering import dot, mindspore_text
from ..engine.passes import REGISTRY, Pass, graph_pass, pattern_pass, rules_pass
from ..engine.passes import register as register_pass
from ..engine.patterns import Match, Refusal, Rule, rule
from ..engine.patterns.mindspore_shape import (
    DefaultCNodeFunc,
    DefaultValueFunc,
    DstPattern,
    InplaceCNodeFunc,
    InplaceValueFunc,
    PatternMap,
    PatternToPatternPass,
    SrcPattern,
)  # fmt: skip
from ..engine.pipeline import names as pipeline

__all__ = [
    "AbstractTensor", "BackendBase", "CNode", "DefaultCNodeFunc", "DefaultValueFunc", "DstPattern",
    "FuncGraph", "InplaceCNodeFunc", "InplaceValueFunc", "Match", "Parameter", "Pass", "PatternMap",
    "PatternToPatternPass", "Primitive", "Refusal", "Rule", "RunningStatus", "SrcPattern",
    "ValueNode", "backend", "backends", "build", "dot", "dump", "graph_pass", "load", "lower",
    "mindspore_text", "node_by_node", "passes", "pattern_pass", "pipeline", "register_pass", "rule",
    "rules_pass", "trace", "verify",
]  # fmt: skip


def Primitive(name):
    """The primitive called ``name``: an op, or "If", "TupleGetItem" and the like.

    >>> Primitive("Neg") is ops.Neg
    True
    """
    return CONTROL.get(name) or getattr(ops, name)


def passes():
    """The names of all passes: those of the library and those registered in this session."""
    return REGISTRY.names()
