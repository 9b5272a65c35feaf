"""How do If, While, For and Call run? As generators that yield (plan, arguments) and get results.

Each function here makes such a generator function from a node and the plans of its graphs. Where a
number meets a tensor (branches, turns), ``fixes`` say which value becomes an array of which dtype.
"""

from ..infer import AbstractTensor, AbstractTuple
from ..ir import CALL, FOR, IF, WHILE
from ..operands import number_array


def fixes(given, wanted):
    """(index, dtype) of each value that comes as a number where a tensor is meant."""
    return tuple([
        (index, want.dtype)
        for index, (have, want) in enumerate(zip(given, wanted, strict=True))
        if have is not want and isinstance(have, AbstractTensor) and have.weak and not want.weak
    ])  # fmt: skip


def fixed(values, changes):
    """``values`` with the changes made."""
    values = list(values)
    for index, dtype in changes:
        if isinstance(values[index], bool | int | float):
            values[index] = number_array(values[index], dtype)
    return values


def types(nodes):
    return [node.abstract for node in nodes]


def result_types(node, count):
    return node.abstract.items if count > 1 else (node.abstract,)


def packed(results):
    """One result is the value itself; several are a tuple."""
    return results[0] if len(results) == 1 else tuple(results)


def branch(node, then, other):
    """If: one plan runs, the other does not."""
    count = len(node.graphs[0].outputs)
    enter = [fixes(types(node.inputs[1:]), types(g.parameters)) for g in node.graphs]
    leave = [fixes(types(g.outputs), result_types(node, count)) for g in node.graphs]

    def run(condition, *operands):
        side = 0 if condition else 1
        if enter[side]:
            operands = fixed(operands, enter[side])
        results = yield (then if side == 0 else other), operands
        return packed(fixed(results, leave[side]) if leave[side] else results)

    return run


def repeat(node, test, body):
    """While: the body runs as long as the test gives true."""
    count, graph = node.attrs["carried"], node.graphs[1]
    stacked = len(graph.outputs) - count
    enter = fixes(types(node.inputs), types(graph.parameters))
    again = fixes(types(graph.outputs[:count]), types(graph.parameters[:count]))

    def run(*operands):
        values = fixed(operands, enter) if enter else operands
        carried, invariant, stacks = list(values[:count]), list(values[count:]), [[] for _ in range(stacked)]
        while (yield test, carried + invariant)[0]:
            results = yield body, carried + invariant
            carried = fixed(results[:count], again) if again else results[:count]
            for stack, value in zip(stacks, results[count:], strict=True):
                stack.append(value)
        return packed(carried + stacks)

    return run


def count_through(node, body):
    """For: the body runs n times; turn i reads element i of each scanned stack and writes element i."""
    count, scans, graph = node.attrs["carried"], node.attrs["scanned"], node.graphs[0]
    stacked, backwards = len(graph.outputs) - count, node.attrs["reverse"]
    first = 1 + count
    enter = fixes(types(node.inputs[1:first]), types(graph.parameters[1:first]))
    again = fixes(types(graph.outputs[:count]), types(graph.parameters[1:first]))
    index = graph.parameters[0].abstract

    def run(turns, *operands):
        turns = int(turns)
        carried, invariant = list(operands[:count]), list(operands[count + scans :])
        carried = fixed(carried, enter) if enter else carried
        scanned, stacks = operands[count : count + scans], [[None] * turns for _ in range(stacked)]
        for i in range(turns - 1, -1, -1) if backwards else range(turns):
            turn = i if index.weak else number_array(i, index.dtype)
            results = yield body, [turn, *carried, *[stack[i] for stack in scanned], *invariant]
            carried = fixed(results[:count], again) if again else results[:count]
            for stack, value in zip(stacks, results[count:], strict=True):
                stack[i] = value
        return packed(carried + stacks)

    return run


def call(node, target):
    """Call: another graph, perhaps the caller itself."""
    graph = node.graphs[0]
    enter = fixes(types(node.inputs), types(graph.parameters))
    leave = fixes(types(graph.outputs), result_types(node, len(graph.outputs)))

    def run(*arguments):
        results = yield target, fixed(arguments, enter) if enter else arguments
        return packed(fixed(results, leave) if leave else results)

    return run


MAKERS = {IF: branch, WHILE: repeat, FOR: count_through, CALL: call}
