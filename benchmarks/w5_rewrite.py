"""Add(x, Neg(y)) to Sub(x, y) at a third of all nodes, through the public pass API.

The floor is a worklist over bare nodes in plain Python: no types, no constants, no conditions,
nothing on record. `pass` is the pass itself; `on record` keeps every edit and match, as when
somebody watches; `run` is what jit does with it: it verifies before and after. The last table is
the default pipeline on a graph of 1000 mixed ops.
"""

import functools
import gc

from benchmarks import measure
from ms_ext import ops
from ms_ext.dtype import float32
from ms_ext.engine import passes, pipeline
from ms_ext.engine.infer import AbstractTensor
from ms_ext.engine.ir import FuncGraph, watch
from ms_ext.engine.patterns import Editor, Record

KIND = AbstractTensor(float32, (16,))
SIZES = ((10_000, 7), (100_000, 5))


def graph_of(count):
    """Blocks of Neg, Add and Exp, each on the one before."""
    graph = FuncGraph("w5")
    x, y = graph.add_parameter(KIND, "x"), graph.add_parameter(KIND, "y")
    value = x
    for turn in range(count // 3):
        negative = graph.add(ops.Neg, (y if turn % 2 else value,))
        value = graph.add(ops.Exp, (graph.add(ops.Add, (value, negative)),))
    graph.returns(value)
    return graph


def mixed_graph(count):
    """Elementwise lines like those of w4, written as a graph."""
    graph = FuncGraph("mixed")
    x, y = graph.add_parameter(KIND, "x"), graph.add_parameter(KIND, "y")
    for turn in range(count * 5 // 8):
        match turn % 5:
            case 0:
                x = graph.add(ops.Mul, (graph.add(ops.Tanh, (x,)), y))
            case 1:
                x = graph.add(ops.Add, (x, graph.add(ops.Mul, (y, graph.constant(2.0 + turn)))))
            case 2:
                x = graph.add(ops.Maximum, (x, y))
            case 3:
                x = graph.add(ops.Sub, (x, y))
            case 4:
                x = graph.add(ops.Add, (graph.add(ops.Abs, (x,)), graph.constant(0.5)))
    graph.returns(x)
    return graph


class Bare:
    """A node of the floor."""

    __slots__ = ("dead", "inputs", "name", "users")

    def __init__(self, name, *inputs):
        self.name, self.inputs, self.users, self.dead = name, list(inputs), [], False
        for used in inputs:
            used.users.append(self)


def bare_graph(count):
    """The same blocks as bare nodes, in order."""
    x, y = Bare("x"), Bare("y")
    nodes, value = [], x
    for turn in range(count // 3):
        negative = Bare("Neg", y if turn % 2 else value)
        added = Bare("Add", value, negative)
        value = Bare("Exp", added)
        nodes += [negative, added, value]
    return nodes


PATTERN = ("Add", "x", ("Neg", "y"))


def matches(pattern, node, found):
    """Whether a pattern of nested tuples fits; ``found`` takes the variables."""
    if isinstance(pattern, str):
        return found.setdefault(pattern, node) is node
    if node.dead or node.name != pattern[0] or len(node.inputs) != len(pattern) - 1:
        return False
    return all(map(functools.partial(matches_found, found), pattern[1:], node.inputs))


def matches_found(found, pattern, node):
    """``matches`` with its last argument first."""
    return matches(pattern, node, found)


def rewrite_bare(nodes):
    """The floor: every match becomes a Sub."""
    for node in nodes:
        found = {}
        if not matches(PATTERN, node, found):
            continue
        new = Bare("Sub", found["x"], found["y"])
        for user in node.users:
            user.inputs = [new if used is node else used for used in user.inputs]
            new.users.append(user)
        node.dead = node.inputs[1].dead = True


def prepared(make, work):
    """For ``measure.once``: make the graph with the collector off, return the work on it.

    The order of the calls is known beforehand, as in a pipeline, where verifying has found it.
    """
    graph = make()
    if isinstance(graph, FuncGraph):
        graph.order()
    gc.collect()
    return lambda: work(graph)


def on_record(rule, graph):
    """The pass with a journal and a record."""
    watch(graph)
    rule.run(graph, Editor(graph, rule.name, Record()))


def main():
    """Print the tables."""
    rule = passes.find("add_neg_to_sub")
    works = {
        "floor": (bare_graph, rewrite_bare),
        "pass": (graph_of, lambda g: rule.run(g, Editor(g, rule.name))),
        "on record": (graph_of, lambda g: on_record(rule, g)),
        "run": (graph_of, lambda g: pipeline.run_only(g, [rule])),
    }
    gc.disable()
    for count, rounds in SIZES:
        timings = {}
        for name, (make, work) in works.items():
            prepare = functools.partial(prepared, functools.partial(make, count), work)
            timings[name] = measure.once(prepare, rounds)
        measure.table(f"{count} nodes", timings, "floor")
        rates = {name: f"{count / t.least:.3g}" for name, t in timings.items()}
        print(f"\nnodes a second: {', '.join(f'{name} {rate}' for name, rate in rates.items())}")
    gc.enable()
    make = functools.partial(mixed_graph, 1000)
    whole = {"run": pipeline.run, "watched": lambda g: pipeline.run(g, watch=True)}
    timings = {
        n: measure.once(functools.partial(prepared, make, work), 15) for n, work in whole.items()
    }
    measure.table("the default pipeline on 1000 mixed ops", timings, "run")


if __name__ == "__main__":
    main()
