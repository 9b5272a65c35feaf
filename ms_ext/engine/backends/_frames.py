"""How is a plan run? Three small loops: straight on, or with frames where a program calls itself.

A step is (kind, function, operand slots, result slot, slots whose values nobody needs afterwards).
A control step is a generator: it yields (plan, arguments) where it needs another graph's results.
"""

from ..ir import CALL

# How many operands a step has; SEVERAL: many, and many result slots too.
ONE, TWO, MANY, SEVERAL, CONTROL = range(1, 6)
DEEPEST = 100  # graphs inside each other that Python's recursion is left to run


class Plan:
    """A graph as a flat list of steps on numbered slots: the parameters, the constants, the values.

    ``deep``: it may call itself, so it runs in frames.
    """

    __slots__ = ("code", "deep", "results", "template")

    def __init__(self):
        self.deep = False


def execute(plan, arguments):
    """The results of ``plan``; graphs in it run by Python's recursion, which nesting bounds."""
    values = plan.template.copy()
    values[: len(arguments)] = arguments
    for kind, function, operands, result, dead in plan.code:
        if kind == TWO:
            first, second = operands
            values[result] = function(values[first], values[second])
        elif kind == ONE:
            values[result] = function(values[operands])
        elif kind == MANY:
            values[result] = function(*[values[i] for i in operands])
        elif kind == SEVERAL:
            for slot, value in zip(result, function(*[values[i] for i in operands]), strict=True):
                values[slot] = value
        else:
            values[result] = drive(function(*[values[i] for i in operands]))
        for slot in dead:
            values[slot] = None
    return [values[i] for i in plan.results]


def drive(control):
    """What a control step comes to, each graph it needs being executed at once."""
    answer = None
    try:
        while True:
            answer = execute(*control.send(answer))
    except StopIteration as done:
        return done.value


def execute_deep(plan, arguments):
    """As ``execute``, but frames wait in a list: a deep recursion is no deeper for Python."""
    frames, answer = [frame(plan, arguments)], None
    while frames:
        try:
            wanted, arguments = frames[-1].send(answer)
        except StopIteration as done:
            frames.pop()
            answer = done.value
            continue
        if wanted.deep:
            frames.append(frame(wanted, arguments))
            answer = None
        else:
            answer = execute(wanted, arguments)
    return answer


def frame(plan, arguments):
    """A plan as a generator that passes on what its control steps ask for."""
    values = plan.template.copy()
    values[: len(arguments)] = arguments
    for kind, function, operands, result, dead in plan.code:
        places = (operands,) if kind == ONE else operands
        value = function(*[values[i] for i in places])
        if kind == CONTROL:
            value = yield from value
        if kind == SEVERAL:
            for slot, each in zip(result, value, strict=True):
                values[slot] = each
        else:
            values[result] = value
        for slot in dead:
            values[slot] = None
    return [values[i] for i in plan.results]


def deep_graphs(graph):
    """The graphs that run in frames: those that lead to recursion, or all if nested deep."""
    leads, level, depth = {}, [graph], 0
    while level:
        leads |= {g: {inner for node in g.order() for inner in node.graphs} for g in level}
        level = list({inner for g in level for inner in leads[g] if inner not in leads})
        depth += 1
    if depth > DEEPEST:
        return frozenset(leads)
    called = {n.graphs[0] for g in leads if leads[g] for n in g.order() if n.primitive is CALL}
    circular = {g for g in called if g in _reached(g, leads)}
    if not circular:
        return circular
    return {g for g in leads if g in circular or not circular.isdisjoint(_reached(g, leads))}


def _reached(graph, leads):
    found, waiting = set(), [graph]
    while waiting:
        for inner in leads[waiting.pop()]:
            if inner not in found:
                found.add(inner)
                waiting.append(inner)
    return found
