"""Did a pass keep its contract on this graph? Recomputed here from the text that came back.

The judge loads both graphs, verifies them, counts their nodes and runs both with the reference
backend on drawn inputs. What the learner's process says about itself plays no part.
"""

import inspect
from typing import NamedTuple

import numpy as np

from ms_ext import dtype as dtypes
from ms_ext import ops  # noqa: F401 - cases are written with their operators
from ms_ext.engine import errors, ir
from ms_ext.engine.backends import reference
from ms_ext.engine.infer import AbstractTensor
from ms_ext.engine.ir.plain import read_abstract
from ms_ext.engine.symbol import Builder

from .verdict import Witness


class Failure(NamedTuple):
    """A case on which a pass broke its contract."""

    kind: str  # "invalid", "interface", "values", "never-fires", "leaves-some", "no-gain"
    case: object
    before: object
    after: object = None
    words: str = ""
    inputs: tuple = ()
    expected: object = None
    got: object = None

    @property
    def mixed(self):
        """Do the operands have different dtypes?"""
        return len({p.abstract.dtype for p in self.before.parameters}) > 1


def graph_of(case):
    """The graph that a case describes."""
    graph = ir.FuncGraph(case.build.__name__)
    names = inspect.signature(case.build).parameters
    parameters = [
        graph.add_parameter(read_abstract(kind, 0)[0], name)
        for name, kind in zip(names, case.types, strict=True)
    ]
    with Builder(graph) as builder:
        results = case.build(*map(builder.wrap, parameters))
    results = results if isinstance(results, tuple) else (results,)
    graph.returns(*map(builder.node, results))
    return graph


def questions(exercise):
    """What the learner's process is asked: one graph per case."""
    return [{"graph": ir.dump(graph_of(case))} for case in exercise.cases]


def judge_case(case, answer, seed=0):
    """The Failure of one answer, or None if the contract was kept."""
    before = graph_of(case)
    try:
        after = ir.load(answer["graph"])
    except (errors.MsExtError, KeyError, TypeError) as error:
        return Failure("invalid", case, before, words=str(error))
    if words := _other_interface(before, after):
        return Failure("interface", case, before, after, words)
    return _other_values(case, before, after, seed) or _gain(case, before, after, answer)


def _other_interface(before, after):
    pairs = zip(before.parameters, after.parameters, strict=False)
    if [p.abstract for p in before.parameters] != [p.abstract for p in after.parameters]:
        return "the parameters are other ones: " + ", ".join(
            f"{a.abstract} / {b.abstract}" for a, b in pairs
        )
    for at, (old, new) in enumerate(zip(before.outputs, after.outputs, strict=False)):
        if old.abstract is not new.abstract:
            return f"result {at} was {old.abstract} and is now {new.abstract}"
    if len(before.outputs) != len(after.outputs):
        return f"{len(before.outputs)} results before, {len(after.outputs)} after"
    return ""


def _other_values(case, before, after, seed):
    old, new = reference.build(before), reference.build(after)
    count = len(before.parameters)
    for edge in (*reversed(range(count)), None):  # one operand at a time goes to its extremes
        rng = np.random.default_rng([seed, count if edge is None else edge])
        inputs = tuple(drawn(p.abstract, rng, at == edge) for at, p in enumerate(before.parameters))
        with np.errstate(all="ignore"):
            expected, got = old(*inputs), new(*inputs)
        for one, other in zip(expected, got, strict=True):
            if not same(one, other):
                return Failure("values", case, before, after, "", inputs, one, other)
    return None


def _gain(case, before, after, answer):
    removed = size(before) - size(after)
    if removed <= 0 and operators(before) != operators(after):
        return Failure("no-gain", case, before, after)
    if removed < case.removes:
        refusals = dict.fromkeys(map(str, answer.get("refusals", ())))
        kind = "leaves-some" if removed else "never-fires"
        return Failure(kind, case, before, after, "; ".join(refusals)[:300])
    return None


def size(graph):
    """How many calls a graph makes, regions included."""
    return sum(len(each.order()) for each in graph.all_graphs())


def operators(graph):
    """The names of the calls, sorted."""
    return sorted(node.primitive.name for each in graph.all_graphs() for node in each.order())


def same(one, other):
    """Equal to the last bit; NaN equals NaN."""
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")


def drawn(abstract: AbstractTensor, rng, extreme):
    """Elements for an operand; ``extreme`` begins with the smallest and the largest there are."""
    kind = abstract.dtype.numpy
    if abstract.dtype.kind == "float":
        values = rng.normal(size=abstract.size).round(3)
        edge = [-0.0, np.inf] if extreme and abstract.size > 2 else []
    elif abstract.dtype is dtypes.bool_:
        values, edge = rng.integers(0, 2, abstract.size), []
    else:
        low, high = np.iinfo(kind).min, np.iinfo(kind).max
        values = rng.integers(max(low, -9), 9, abstract.size, endpoint=True)
        edge = [low, high] if extreme else []
    values = values.astype(kind)
    values[: len(edge)] = edge[: values.size]
    return values.reshape(abstract.shape)


def outcomes(cases, answers):
    """What became of the graphs, one line for the cases that differ in their types only."""
    lines = {}
    for case, answer in zip(cases, answers, strict=True):
        before, after = size(graph_of(case)), size(ir.load(answer["graph"]))
        same = f"{before} nodes, kept"
        lines.setdefault(case.title, []).append(
            same if after == before else f"{before} → {after} nodes"
        )
    return tuple((title, _counted(said)) for title, said in lines.items())


def _counted(said):
    times = {text: said.count(text) for text in said}
    return ", ".join(
        f"{text} ({count} times)" if count > 1 else text for text, count in times.items()
    )


# the witness ---------------------------------------------------------------------------------


def witness(failure):
    """What a learner is shown of a failure."""
    inputs = tuple(
        (p.name, str(p.abstract), listed(value))
        for p, value in zip(failure.before.parameters, failure.inputs, strict=False)
    )
    place, expected, got = _first_difference(failure)
    return Witness(
        title=f"{failure.case.title}   ({', '.join(failure.case.types)})",
        before=shown(failure.before),
        after=shown(failure.after) if failure.after is not None else "",
        inputs=inputs,
        expected=expected,
        got=got,
        place=place,
    )


def shown(graph):
    """A graph's lines with its node count, in small numbers."""
    names, lines = {}, []
    for node in (*graph.parameters, *graph.order()):
        names[node] = node.name if node.kind == "parameter" else f"%{len(lines)}"
        if node.kind == "call":
            operands = ", ".join(names.get(n, str(getattr(n, "value", n))) for n in node.inputs)
            lines.append(f"{names[node]} = {node.primitive.name}({operands})")
    results = ", ".join(names.get(n, str(getattr(n, "value", n))) for n in graph.outputs)
    count = size(graph)
    return "\n".join([*lines, f"return {results}", f"{count} node{'s' * (count != 1)}"])


def listed(array):
    """Elements of an array in one line."""
    return np.array2string(array, separator=", ", threshold=12).replace("\n", "")


def _first_difference(failure):
    if failure.expected is None:
        return "", "", ""
    one, other = failure.expected, failure.got
    if one.shape != other.shape or one.dtype != other.dtype:
        return (
            "shape or dtype",
            f"{one.dtype}{list(one.shape)}",
            f"{other.dtype}{list(other.shape)}",
        )
    unequal = one != other
    if one.dtype.kind == "f":
        unequal &= ~(np.isnan(one) & np.isnan(other))
    at = tuple(int(i) for i in np.argwhere(unequal)[0])
    pairs = zip(failure.before.parameters, failure.inputs, strict=True)
    inputs = [f"{p.name} = {_at(value, at, one)}" for p, value in pairs]
    return f"at {list(at)}, where {', '.join(inputs)}", str(one[at]), str(other[at])


def _at(value, at, like):
    return str(np.broadcast_to(value, like.shape)[at] if value.ndim <= like.ndim else value)
