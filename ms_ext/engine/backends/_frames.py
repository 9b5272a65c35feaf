"""How is a plan run? Three small loops: straight on, or with frames where a program calls itself.

A step is (kind, function, operand slots, result slot, slots whose values nobody needs afterwards).
A control step is a generator: it yields (plan, arguments) where it needs another graph's results.
"""

ONE, TWO, MANY, SEVERAL, CONTROL = range(
    1, 6
)  # operands; SEVERAL: many operands, many result slots


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
