"""07.gradient_graph: repair a walk that overwrites, goes on too early, and does not sum back."""

import numpy as np

from ms_ext import ops
from ms_ext.grading.drawing import drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.layers import adjoints

# the graphs ----------------------------------------------------------------------------------


def reused(draw, calls, n):
    """values that are used several times"""
    graph, (x, y) = adjoints.begun(draw, x=(n,), y=(n,))
    nodes = [x, y, graph.add(ops.Mul, (x, x))]
    for _ in range(calls):
        operands = draw.choice(nodes[-3:]), draw.choice(nodes)
        op = draw.choice([ops.Add, ops.Mul]) if len(nodes) < 6 else ops.Add
        nodes.append(graph.add(op, operands) if draw.integer(0, 3) else _small(graph, draw, nodes))
    return adjoints.question("values used several times", graph, _joined(graph, nodes))


def ladder(draw, calls, n):
    """each value is added to itself, again and again"""
    graph, (x, y) = adjoints.begun(draw, x=(n,), y=(n,))
    last = graph.add(ops.Mul, (x, y))
    for _ in range(min(calls, 6)):
        last = graph.add(ops.Mul, (graph.add(ops.Add, (last, last)), graph.constant(0.5)))
    return adjoints.question("each value used twice", graph, graph.add(ops.Mul, (last, x)))


def two_results(draw, n):
    """one of two results is used in the other"""
    graph, (x, y) = adjoints.begun(draw, x=(n,), y=(n,))
    s = graph.add(ops.Mul, (x, y), name="s")
    return adjoints.question(
        "two results", graph, s, graph.add(ops.Exp, (graph.add(ops.Neg, (s,)),))
    )


def broadcast(draw, m, n, kind=("a row", "a column", "one number")):
    """b is used in every place of x"""
    m, n = m + 1, n + 1
    shape = {"a row": (n,), "a column": (m, 1)}.get(kind, ())
    graph, (x, b) = adjoints.begun(draw, x=(m, n), b=shape)
    s = graph.add(ops.Add, (graph.add(ops.Mul, (b, x)), b), name="s")
    return adjoints.question(f"{kind}, broadcast", graph, graph.add(ops.Mul, (s, s)))


def _small(graph, draw, nodes):
    if draw.integer(0, 1):
        return graph.add(ops.Neg, (draw.choice(nodes),))
    return graph.add(ops.Exp, (graph.add(ops.Neg, (nodes[2],)),))


def _joined(graph, nodes):
    loose = [node for node in nodes if not node.users]
    last = loose[0]
    for node in loose[1:]:
        last = graph.add(ops.Add, (last, node))
    return last


# what typical mistakes give ------------------------------------------------------------------


def _walked(graph, inputs, early, adds=True):
    """The gradients of a walk along the edges, in numbers: as the broken program gives them."""
    there, douts = inputs[: len(graph.parameters)], iter(inputs[len(graph.parameters) :])
    value = dict(zip(graph.parameters, there, strict=True))
    value.update((c, np.asarray(c.value, there[0].dtype)) for c in graph.constants.values())
    for node in graph.order():
        value[node] = _FORMS[node.primitive.name](*(value[used] for used in node.inputs))
    slots = {}

    def arrives(node, dout):
        slots[node] = slots[node] + dout if adds and node in slots else dout

    def through(node):
        operands = [value[used] for used in node.inputs]
        pulled = _PULLS[node.primitive.name](*operands, value[node], slots[node])
        for used, dout in zip(node.inputs, pulled, strict=True):
            arrives(used, dout)
            if early and used.kind == "call":
                through(used)

    for result in graph.outputs:
        arrives(result, next(douts))
        if early:
            through(result)
    for node in () if early else reversed(graph.order()):
        through(node)
    return [slots[parameter] for parameter in graph.parameters]


_FORMS = {"Add": np.add, "Mul": np.multiply, "Neg": np.negative, "Exp": np.exp}
_PULLS = {
    "Add": lambda x, y, out, dout: (dout, dout),
    "Mul": lambda x, y, out, dout: (dout * y, dout * x),
    "Neg": lambda x, out, dout: (-dout,),
    "Exp": lambda x, out, dout: (dout * out,),
}


def _as_in(**how):
    """The gradient came out as in a walk with these faults."""
    return adjoints.gradient_as(lambda graph, *values: _walked(graph, values, **how))


def _slack(graph):
    """A slot may begin with zeros, or fit what fits."""
    return 4 * (len(graph.parameters) + len(graph.order()))


def _shapes(failure):
    return failure.code == "interface" and failure.case.family is broadcast


mistakes = (
    Mistake(
        "overwritten",
        lambda failure: any(_as_in(early=early, adds=False)(failure) for early in (False, True)),
        "A value that is used twice keeps only the gradient that came last.",
        "Each use pulls at the value, and the pulls add up.",
        "What should happen in `arrives` where something is there already?",
    ),
    Mistake(
        "went-on-too-early", _as_in(early=True),
        "The walk goes through a call before all of its dout has come back.",
        "The first part is handed on, and when the second one comes, both are: the first part "
        "counts twice further up.",
        "In which order is a call met only after everything that uses its value?",
    ),
    Mistake(
        "not-summed", _shapes, "A gradient has not the shape of its input.",
        "What was broadcast was used once in every place it went to; the pulls of all these places "
        "add up.",
        "Where do you know both shapes, the value's and that of what comes back?",
    ),
    Mistake(
        "walked-twice", lambda failure: failure.code == "too-many",
        "Calls are walked through more than once.",
        "Along the edges there are as many ways to a value as there are paths, and they double "
        "with every value that is used twice.",
        "Each call has one turn. Which list has each call once?",
    ),
)  # fmt: skip

hints = (
    "Try it on `x * x + x` and look at the picture. Then on a row that is added to a matrix. What "
    "is missing, what is too much?",
    "A slot adds; before that it makes what comes back fit. And nobody goes on from inside: one "
    "loop over the calls in reverse order meets each of them once, when its slot is complete.",
    "A sibling, how many ways lead from each value to the result, without walking along them:\n\n"
    "    ways = {graph.outputs[0]: 1}\n"
    "    for node in reversed(graph.order()):\n"
    "        for used in node.inputs:\n"
    "            ways[used] = ways.get(used, 0) + ways[node]",
)

_FIT = """        if dout.shape != value.shape:
            dout = made.add(ops.SumTo, [dout], {"shape": value.shape})
"""
_ADD = "made.add(ops.Add, [before, dout]) if before else dout"
_LOOP = """    for each in reversed(graph.order()):
        through(each)
"""
_GIVES, _RESULTS = "            arrives(value, dout)\n", """(result.abstract, "dout"))\n"""
_EARLY = (
    (_GIVES, _GIVES + '            if value.kind == "call":\n                through(value)\n'),
    (_RESULTS, _RESULTS + "        through(result)\n"),
)
_PATHS = """    def through(call, pulled):
        inputs = [new[value] for value in call.inputs]
        douts = RULES[call.primitive.name](made, inputs, new[call], pulled)
        for value, dout in zip(call.inputs, douts):
            if dout.shape != value.shape:
                dout = made.add(ops.SumTo, [dout], {"shape": value.shape})
            if value.kind == "call":
                through(value, dout)
            else:
                arrives(value, dout)

    for result in graph.outputs:
        through(result, made.add_parameter(result.abstract, "dout"))
"""
_WALK = """    def through(call):
        inputs = [new[value] for value in call.inputs]
        douts = RULES[call.primitive.name](made, inputs, new[call], slots[call])
        for value, dout in zip(call.inputs, douts):
            arrives(value, dout)

    for result in graph.outputs:
        arrives(result, made.add_parameter(result.abstract, "dout"))
"""

mutants = (
    Mutant("overwritten", _LOOP, "", more=((_ADD, "dout"), *_EARLY)),
    Mutant("overwritten", _ADD, "dout"),
    Mutant("went-on-too-early", _LOOP, "", more=_EARLY),
    Mutant("not-summed", _FIT, ""),
    Mutant("not-summed", "{\"shape\": value.shape}", "{\"shape\": value.shape[1:]}"),
    Mutant("walked-twice", _WALK, _PATHS, more=((_LOOP, ""),)),
    Mutant("raises", "in reversed(graph.order())", "in graph.order()"),
    Mutant("interface", "in graph.parameters])", "in graph.parameters[:1]])"),
    Mutant("gradient-values", "[before, dout]", "[dout, dout]"),
)  # fmt: skip

variants = {
    "the walk of the chapter, made to fit": """
def fits(rule):
    def fitted(graph, inputs, out, dout):
        return [
            given if given.shape == used.shape else graph.add(
                ops.SumTo, [given], {"shape": used.shape}
            )
            for used, given in zip(inputs, rule(graph, inputs, out, dout))
        ]
    return fitted

def gradient_graph(text):
    return adjoint(ms.graph.load(text), {name: fits(rule) for name, rule in RULES.items()})
""",
    "slots that begin with zeros": """
def gradient_graph(text):
    graph = ms.graph.load(text)
    made, new = copied(graph)
    douts = {node: made.add_parameter(node.abstract, "dout") for node in graph.outputs}
    zero = made.constant(0.0)
    slots = {node: made.add(ops.Mul, [copy, zero]) for node, copy in new.items()}
    slots |= {node: made.add(ops.Add, [slots[node], dout]) for node, dout in douts.items()}
    for node in graph.order()[::-1]:
        inputs = [new[used] for used in node.inputs]
        given = RULES[node.primitive.name](made, inputs, new[node], slots[node])
        for used, one in zip(node.inputs, given):
            one = made.add(ops.SumTo, [one], {"shape": used.shape})
            slots[used] = made.add(ops.Add, [slots[used], one])
    made.returns(*[slots[p] for p in graph.parameters])
    return made
""",
    "what comes back is listed first": """
from functools import reduce

def gradient_graph(text):
    graph = ms.graph.load(text)
    made, new = copied(graph)
    back = {n: [] for n in [*graph.parameters, *graph.constants.values(), *graph.order()]}
    for node in graph.outputs:
        back[node].append(made.add_parameter(node.abstract, "dout"))

    def total(node):
        one = reduce(lambda a, b: made.add(ops.Add, [a, b]), back[node])
        return one if one.shape == node.shape else made.add(ops.SumTo, [one], {"shape": node.shape})

    for node in reversed(graph.order()):
        operands, rule = list(map(new.get, node.inputs)), RULES[node.primitive.name]
        for used, one in zip(node.inputs, rule(made, operands, new[node], total(node))):
            back[used].append(one)
    made.returns(*map(total, graph.parameters))
    return made
""",
}

_NAMED = {"ask": "build", "inputs": "text"}
exercise = Exercise(
    target="gradient_graph",
    contract="gradient_graph(text) gives the adjoint of a graph, by the RULES: one gradient for "
    "each input, of its shape; every call is walked through once.",
    checks=(
        Check(
            "reused", "what is used several times", points=1,
            cases=drawn(reused, two_results, tile=4), judge=adjoints.right, **_NAMED,
        ),
        Check(
            "broadcast", "what is broadcast", points=1,
            cases=drawn(broadcast, dtypes="f32 f64", tile=8), judge=adjoints.right,
            **_NAMED,
        ),
        Check(
            "once", "every call once", points=1, cases=drawn(ladder, tile=4),
            judge=adjoints.sparing(_slack), needs=("reused",), **_NAMED,
        ),
    ),
    mistakes=mistakes,
    hints=hints,
    mutants=mutants,
    variants=variants,
)  # fmt: skip
