"""How do If, While, For and Call run? As generators that yield (plan, arguments) and get results.

Each function here makes such a generator function from a node and the plans of its graphs.
"""

from ..ir import CALL, FOR, IF, WHILE
from ..ir.kept import whole
from ..operands import number_array


def packed(results):
    """One result is the value itself; several are a tuple."""
    return results[0] if len(results) == 1 else tuple(results)


def branch(node, then, other):
    """If: one plan runs, the other does not."""

    def run(condition, *operands):
        return packed((yield (then if condition else other), operands))

    return run


def repeat(node, test, body):
    """While: the body runs as long as the test gives true."""
    count = node.attrs["carried"]
    stacked = len(node.graphs[1].outputs) - count

    def run(*operands):
        carried, invariant = [*operands[:count]], [*operands[count:]]
        stacks = [[] for _ in range(stacked)]
        while (yield test, carried + invariant)[0]:
            results = yield body, carried + invariant
            carried = results[:count]
            for stack, value in zip(stacks, results[count:], strict=True):
                stack.append(value)
        return packed(carried + stacks)

    return run


def count_through(node, body):
    """For: n turns; turn i reads element i of each scanned stack and writes element i."""
    count, scans = node.attrs["carried"], node.attrs["scanned"]
    backwards = node.attrs.get("reverse", False)
    stacked = len(node.graphs[0].outputs) - count
    index = node.graphs[0].parameters[0].abstract
    kinds = [p.abstract for p in node.graphs[0].parameters[1 + count : 1 + count + scans]]

    def run(turns, *operands):
        turns, carried, invariant = int(turns), [*operands[:count]], [*operands[count + scans :]]
        given = zip(operands[count : count + scans], kinds, strict=True)
        scanned = [whole(stack, kind, turns) for stack, kind in given]
        stacks = [[None] * turns for _ in range(stacked)]
        for i in range(turns - 1, -1, -1) if backwards else range(turns):
            turn = i if index.weak else number_array(i, index.dtype)
            results = yield body, [turn, *carried, *[stack[i] for stack in scanned], *invariant]
            carried = results[:count]
            for stack, value in zip(stacks, results[count:], strict=True):
                stack[i] = value
        return packed(carried + stacks)

    return run


def call(node, target):
    """Call: another graph, perhaps the caller itself."""

    def run(*arguments):
        return packed((yield target, arguments))

    return run


MAKERS = {IF: branch, WHILE: repeat, FOR: count_through, CALL: call}
