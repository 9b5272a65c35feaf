"""Does differentiating stay linear? Microseconds a node, and nodes of the gradient for each node.

Graphs made of straight lines, of ifs, of calls, of loops one after the other, of a body in a nest
of loops, and of loops ever deeper inside each other; the gradient as one graph and in two halves.
"""

import gc
import time

from benchmarks.w11_size import held
from ms_ext import ops
from ms_ext.dtype import float32
from ms_ext.engine.autodiff import split, vjp
from ms_ext.engine.infer import AbstractTensor
from ms_ext.engine.ir import CALL, FOR, IF, FuncGraph
from ms_ext.engine.making import making

KIND = AbstractTensor(float32, ())


def written(name, write, count):
    """A graph of x and y that ``write(graph, x, y, count)`` fills, returning its result."""
    graph = FuncGraph(name)
    x, y = graph.add_parameter(KIND, "x"), graph.add_parameter(KIND, "y")
    graph.returns(write(graph, x, y, count))
    return graph


def straight(graph, x, y, count):
    """``count`` ops, each on the one before."""
    for turn in range(count):
        match turn % 4:
            case 0:
                x = graph.add(ops.Mul, (x, y))
            case 1:
                x = graph.add(ops.Sin, (x,))
            case 2:
                x = graph.add(ops.Add, (x, graph.constant(0.5)))
            case 3:
                x = graph.add(ops.Maximum, (x, y))
    return x


def ifs(graph, x, y, count):
    """Ifs on a tensor, six nodes each: an op in one branch, two in the other."""
    for turn in range(count // 6):
        test = graph.add(ops.Greater, (x, graph.constant(float(turn % 7))))
        then = written("then", lambda g, a, b, _: g.add(ops.Mul, (a, b)), 0)
        other = written("other", straight, 3)
        x = graph.add(IF, (test, x, y), None, (then, other))
    return x


def calls(graph, x, y, count):
    """Calls of one graph of four ops."""
    inner = written("inner", straight, 4)
    for _ in range(count - 4):
        x = graph.add(CALL, (x, y), None, (inner,))
    return x


def looped(graph, x, y, write, count):
    """A loop of ten turns, whose body ``write`` fills."""
    body = FuncGraph("body")
    turns = graph.constant(10)
    body.add_parameter(turns.abstract, "i")
    a, b = body.add_parameter(KIND, "a"), body.add_parameter(KIND, "b")
    body.returns(write(body, a, b, count))
    return graph.add(FOR, (turns, x, y), {"carried": 1, "scanned": 0}, (body,))


def loops(graph, x, y, count):
    """Loops of three ops, one after the other."""
    for _ in range(count // 4):
        x = looped(graph, x, y, straight, 3)
    return x


def nest(graph, x, y, count):
    """``count`` ops in the innermost of three loops."""
    write = straight
    for _ in range(2):
        write = nested(write)
    return looped(graph, x, y, write, count)


def nested(write):
    """The loop as the body of another one."""
    return lambda graph, x, y, count: looped(graph, x, y, write, count)


def deep(graph, x, y, count):
    """Loops inside each other, two ops and the next loop in each."""
    x = graph.add(ops.Sin, (graph.add(ops.Mul, (x, y)),))
    return looped(graph, x, y, deep, count - 3) if count > 3 else x


SIZES = {
    straight: (100, 1000, 10_000, 100_000),
    ifs: (100, 1000, 10_000, 100_000),
    calls: (100, 1000, 10_000, 100_000),
    loops: (100, 1000, 10_000, 100_000),
    nest: (100, 1000, 10_000, 100_000),
    deep: (12, 24, 48, 96),
}


def nodes(graph):
    """How many nodes a graph has, with those of all graphs inside it."""
    return sum(len(each.order()) for each in graph.all_graphs())


def cost(differentiate, program, count):
    """(nodes of the graph, nodes of its gradient, seconds of processor time that this took)."""
    gc.collect()
    with making():
        graph = written(program.__name__, program, count)
        before, start = nodes(graph), time.process_time()
        gradient = differentiate(graph)
        return before, sum(map(nodes, gradient)), time.process_time() - start


def whole(graph):
    """The gradient as one graph, forward and back."""
    return (vjp(graph),)


def halves(graph):
    """The gradient in two: the forward that returns what the way back reads, the way back."""
    return split(graph)[:2]


def main():
    """Print the table."""
    cost(whole, straight, 100)  # what is done once is done
    print("\n| program | nodes | whole, a node | in nodes | halves, a node | in nodes | process |")
    print("|---|---|---|---|---|---|---|")
    for program, sizes in SIZES.items():
        for count in sizes:
            row = [program.__name__]
            for differentiate in (whole, halves):
                before, after, spent = cost(differentiate, program, count)
                row += [f"{1e6 * spent / before:.1f} us", f"{after / before:.2f}"]
            row.insert(1, f"{before}")
            print(f"| {' | '.join(row)} | {held()} MiB |", flush=True)


if __name__ == "__main__":
    main()
