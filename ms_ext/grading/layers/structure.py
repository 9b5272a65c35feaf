"""Is the graph right? Recomputed here from the text that came back: loaded, verified, counted, run.

Numbers are compared to the last bit: a pass must keep every value.
"""

import operator

import numpy as np

from ms_ext import dtype as dtypes
from ms_ext.engine import errors, ir
from ms_ext.engine.backends import reference
from ms_ext.engine.backends.cython.grouping import groups
from ms_ext.engine.ir.graph import content

from ..drawing import seeded
from ..failure import Failure, listed
from . import evaluation, values

LONGEST, MOST_LINES = 4 << 20, 5000  # of a graph's text


def graph_in(answer):
    """The graph that came back, or a Failure."""
    text = answer.get("graph") if isinstance(answer, dict) else answer
    if not isinstance(text, str):
        return Failure("invalid", "No graph came back.", got=answer)
    if len(text) > LONGEST or text.count("\n") > MOST_LINES:
        return Failure("invalid", f"Its text has {len(text)} characters: far too many.")
    try:
        return ir.load(text)
    except errors.MsExtError as error:
        return Failure("invalid", str(error))
    except Exception as error:  # a text that nobody thought of: no graph, whatever it is
        return Failure("invalid", f"{type(error).__name__}: {error}")


def rewritten(gain=True):
    """A pass keeps its contract: the interface, every value; and, with ``gain``, it pays.

    It pays if at least ``question.removes`` calls are gone, and if no graph is rewritten without
    one call fewer.
    """

    def judge(question, answer):
        before, after = question.graph, graph_in(answer)
        if isinstance(after, Failure):
            return after
        failure = other(before, after, question.seed)
        return failure or (_gain(question, before, after, answer) if gain else None)

    return judge


def untouched():
    """A pass leaves this graph exactly as it is: a must-NOT-match graph."""

    def judge(question, answer):
        before, after = question.graph, graph_in(answer)
        if isinstance(after, Failure):
            return after
        if failure := other(before, after, question.seed):
            return failure
        same = form(before) == form(after)
        return None if same else Failure("must-not-match", wanted=before, yours=after)

    return judge


def same_graph(wanted=None):
    """The graph that came back is ``wanted(question)``, or the case's own, up to names and ids."""

    def judge(question, answer):
        right, yours = wanted(question) if wanted else question.graph, graph_in(answer)
        if isinstance(yours, Failure):
            return yours
        if failure := other_interface(right, yours):
            return failure
        if form(right) == form(yours):
            return None
        different = other_values(right, yours, question.seed)
        return different or Failure("other-graph", wanted=right, yours=yours)

    return judge


def counts(**bounds):
    """The graph that came back has at most so many ``nodes``, ``kernels``, ``allocations``.

    A bound is a number or a function of the question.
    """

    def judge(question, answer):
        graph = graph_in(answer)
        if isinstance(graph, Failure):
            return graph
        for name, bound in bounds.items():
            most = bound(question) if callable(bound) else bound
            if (number := COUNTS[name](graph)) > most:
                words = f"Your graph has {number} {name}; {most} are enough."
                return Failure("too-many", words, most, number, wanted=question.graph, yours=graph)
        return None

    return judge


def compiled(most, reference_function, compare):
    """A function is compiled at most ``most(question)`` times for the calls of one question.

    Every call must be answered by one of the graphs that came back: the judge runs them itself.
    ``compare(kinds, exact, got)`` is ``values.compare``.
    """

    def judge(question, answer):
        texts = answer.get("graphs") if isinstance(answer, dict) else None
        if not isinstance(texts, list):
            return Failure("kind", "No compiled function came back.", got=answer)
        graphs = [graph_in(text) for text in texts]
        if broken := [graph for graph in graphs if isinstance(graph, Failure)]:
            return broken[0]
        allowed = most(question) if callable(most) else most
        if len(graphs) > allowed:
            words = f"{len(question.operands)} calls were compiled to {len(graphs)} graphs."
            return Failure("compiled-again", words, allowed, len(graphs))
        for call in question.operands:
            wanted = reference_function(*call)
            got = _run_by_one_of(graphs, call)
            if isinstance(got, Failure):
                return got
            if failure := compare(wanted, wanted, got):
                return failure
        return None

    return judge


def _run_by_one_of(graphs, call):
    kinds = [(np.asarray(each).shape, np.asarray(each).dtype) for each in call]
    for graph in graphs:
        taken = [(p.abstract.shape, p.abstract.dtype.numpy) for p in graph.parameters]
        if taken == kinds:
            results = evaluation.run(graph, call)
            several = isinstance(results, Failure) or len(results) > 1
            return results if several else results[0]
    return Failure("interface", "None of the compiled graphs takes the operands of this call.")


# facts of a graph ---------------------------------------------------------------------------------


def size(graph):
    """How many calls a graph makes, regions included."""
    return sum(len(each.order()) for each in graph.all_graphs())


def kernels(graph):
    """How many launches the default backend needs, fused groups counted once."""
    return sum(len(groups(each)[0]) for each in graph.all_graphs())


def allocations(graph):
    """How many results need memory: those that leave the kernel in which they are computed."""
    return sum(_leaving(nodes, each) for each in graph.all_graphs() for nodes in groups(each)[0])


def _leaving(nodes, graph):
    inside = set(nodes)
    return sum(not inside.issuperset(node.users) for node in nodes)


COUNTS = {"nodes": size, "kernels": kernels, "allocations": allocations}


def form(graph):
    """The graph without names and ids: equal for isomorphic graphs, and only for them."""
    lines, graphs = [], graph.all_graphs()
    for each in graphs:
        named = {p: f"p{at}" for at, p in enumerate(each.parameters)}
        for at, node in enumerate(each.order()):
            named[node] = f"n{at}"
        words = [named.get(node) or _constant(node) for node in each.outputs]
        lines.append(["graph", *(str(p.abstract) for p in each.parameters), *words])
        lines += [_call(node, named, graphs) for node in each.order()]
    return lines


def _call(node, named, graphs):
    inputs = [named.get(each) or _constant(each) for each in node.inputs]
    attributes = sorted((key, repr(value)) for key, value in node.attributes.items())
    regions = [f"graph {graphs.index(each)}" for each in node.graphs]
    return [node.primitive.name, *inputs, str(node.abstract), *map(str, attributes), *regions]


def _constant(node):
    return content(node.value), str(node.abstract)


def other(before, after, seed=0):
    """A Failure if one graph cannot stand for the other: its interface, then its values."""
    return other_interface(before, after) or other_values(before, after, seed)


def other_interface(before, after):
    """A Failure if the parameters or the results have other types."""
    old, new = [[p.abstract for p in graph.parameters] for graph in (before, after)]
    if old != new:
        words = f"It takes {_listed(new)}; it should take {_listed(old)}."
        return Failure("interface", words, wanted=before, yours=after)
    old, new = [[node.abstract for node in graph.outputs] for graph in (before, after)]
    if len(old) != len(new) or not all(map(operator.is_, old, new)):
        words = f"It gives {_listed(new)}; it should give {_listed(old)}."
        return Failure("interface", words, wanted=before, yours=after)
    return None


def _listed(abstracts):
    return ", ".join(map(str, abstracts)) or "nothing"


def other_values(before, after, seed=0):
    """A Failure if both graphs differ on drawn inputs, to the last bit."""
    if form(before) == form(after):
        return None
    old, count = reference.build(before), len(before.parameters)
    for edge in (*reversed(range(count)), None):  # one operand at a time goes to its extremes
        rng = np.random.default_rng(seeded(seed, count if edge is None else edge))
        inputs = tuple(drawn(p.abstract, rng, at == edge) for at, p in enumerate(before.parameters))
        with np.errstate(all="ignore"):
            expected, got = old(*inputs), evaluation.run(after, inputs)
        if isinstance(got, Failure):
            return got
        for one, other in zip(expected, got, strict=True):
            if not same(one, other):
                return _values(before, after, inputs, one, other)
    return None


def _values(before, after, inputs, one, other):
    if one.shape != other.shape or one.dtype != other.dtype:
        words = f"{other.dtype}{list(other.shape)} instead of {one.dtype}{list(one.shape)}"
        return Failure("interface", words, wanted=before, yours=after)
    unequal = ~equal(one, other)
    at = tuple(int(i) for i in np.argwhere(unequal)[0])
    pairs = zip(before.parameters, inputs, strict=True)
    known = ", ".join(f"{p.name} = {_at(value, at, one)}" for p, value in pairs)
    place = f"at {list(at)}" + (f", where {known}" if known else "")
    rows = tuple(
        (p.name, str(p.abstract), listed(value))
        for p, value in zip(before.parameters, inputs, strict=True)
    )
    return Failure("other-values", "", one, other, place, before, after, inputs=rows)


def _at(value, at, like):
    return str(np.broadcast_to(value, like.shape)[at] if value.ndim <= like.ndim else value)


def _gain(question, before, after, answer):
    removed = size(before) - size(after)
    if removed <= 0 and form(before) != form(after):
        return Failure("no-gain", wanted=before, yours=after)
    if removed >= question.removes:
        return None
    if removed:
        return Failure("leaves-some", wanted=before, yours=after)
    said = answer.get("refusals") if isinstance(answer, dict) else ()
    words = "\n".join(dict.fromkeys(map(str, said if isinstance(said, list) else ())))[:300]
    return Failure("nothing-rewritten", f"Your pass says: {words}" if words else "", yours=after)


def same(one, other):
    """Equal to the last bit; NaN equals NaN."""
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    return bool(equal(one, other).all())


def equal(one, other):
    """Where both are equal to the last bit; NaN equals NaN, 0.0 is not -0.0."""
    if not values.is_float(one):
        return one == other
    zeros = np.signbit(one) == np.signbit(other)
    return ((one == other) & zeros) | (np.isnan(one) & np.isnan(other))


def drawn(abstract, rng, extreme):
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
