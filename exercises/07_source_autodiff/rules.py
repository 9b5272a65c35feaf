"""07.rules: the rules of Sub, Tanh and MatMul, written as nodes of the adjoint."""

import numpy as np

from ms_ext import ops
from ms_ext.grading.drawing import drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.failure import Counted, Failure
from ms_ext.grading.layers import adjoints, structure

# the graphs ----------------------------------------------------------------------------------


def subtracted(draw, m, n):
    """x - y, and the difference used twice"""
    graph, (x, y) = adjoints.begun(draw, x=(m, n), y=(m, n))
    d = graph.add(ops.Sub, (x, y), name="d")
    return adjoints.question("Sub", graph, graph.add(ops.Mul, (d, d)))


def both_sides(draw, n):
    """x - y and y - x"""
    graph, (x, y) = adjoints.begun(draw, x=(n,), y=(n,))
    left, right = graph.add(ops.Sub, (x, y)), graph.add(ops.Sub, (y, x))
    last = graph.add(ops.Mul, (left, graph.add(ops.Mul, (right, x))))
    return adjoints.question("Sub, both ways", graph, last)


def squashed(draw, m, n):
    """tanh(x * y)"""
    graph, (x, y) = adjoints.begun(draw, x=(m, n), y=(m, n))
    return adjoints.question("Tanh", graph, graph.add(ops.Tanh, (graph.add(ops.Mul, (x, y)),)))


def squashed_twice(draw, n):
    """tanh(tanh(x))"""
    graph, (x,) = adjoints.begun(draw, x=(n,))
    t = graph.add(ops.Tanh, (x,), name="t")
    return adjoints.question("Tanh of Tanh", graph, graph.add(ops.Tanh, (t,)))


def product(draw, k, m, n):
    """x @ y"""
    graph, (x, y) = adjoints.begun(draw, x=(m, k), y=(k, n))
    return adjoints.question("MatMul", graph, _matmul(graph, x, y))


def layer(draw, k, m, n):
    """tanh(x @ w) - target"""
    graph, (x, w, target) = adjoints.begun(draw, x=(m, k), w=(k, n), target=(m, n))
    t = graph.add(ops.Tanh, (_matmul(graph, x, w),))
    d = graph.add(ops.Sub, (t, target), name="d")
    return adjoints.question("all three", graph, graph.add(ops.Mul, (d, d)))


def _matmul(graph, x, y):
    return graph.add(ops.MatMul, (x, y), {"transpose_a": False, "transpose_b": False})


# the judge -----------------------------------------------------------------------------------


def sparing(question, answer):
    """Right, nothing of the way there calculated again, no rule with more nodes than it may."""
    more = adjoints.sparing(lambda graph: _names(graph).count("Tanh"))(question, answer)
    if more is not None and more.code != "too-many":
        return more
    yours = structure.graph_in(answer)
    for name, most in (("Tanh", 1), ("MatMul", 3)):
        allowed, found = _names(question.graph).count(name) * most, _names(yours).count(name)
        if found > allowed:
            words = f"{name} stands in it {found} times, {allowed} are enough."
            wanted, got = Counted(allowed, "call"), Counted(found, "call")
            return Failure("too-many", words, wanted, got, yours=yours)
    return more


def _names(graph):
    return [node.primitive.name for node in graph.order()]


# what typical mistakes look like -------------------------------------------------------------


def _gives(formula, *names):
    """The gradients of a graph of these calls are ``formula(*inputs, dout)``."""

    def wrong(graph, *values):
        return formula(*values) if _names(graph) == [*names] else None

    return adjoints.gradient_as(wrong)


def _sub(of_x, of_y):
    """Of (x - y) ** 2, with these signs."""

    def formula(x, y, dout):
        back = 2 * (x - y) * dout
        return of_x * back, of_y * back

    return _gives(formula, "Sub", "Mul")


def _tanh(pulled):
    """Of tanh(x * y), if the rule of Tanh gives ``pulled(operand, result, dout)``."""

    def formula(x, y, dout):
        back = pulled(x * y, np.tanh(x * y), dout)
        return back * y, back * x

    return _gives(formula, "Mul", "Tanh")


def _mixed(failure):
    """Shapes that do not fit in a MatMul."""
    refused = failure.code in ("raises", "invalid", "interface")
    return refused and failure.case.family is product


mistakes = (
    Mistake(
        "sub-sign", _sub(1, 1), "The rule of Sub is that of Add.",
        "If y grows, x - y gets smaller: the second gradient has the other sign.",
        "What is the slope of x - y in y?",
    ),
    Mistake(
        "sub-turned", _sub(-1, 1),
        "The two gradients of Sub have each other's sign.",
        "x - y grows with x and shrinks with y. The first gradient is that of x.",
        "Which of the two operands is subtracted?",
    ),
    Mistake(
        "tanh-of-operand", _tanh(lambda x, t, dout: dout * (1 - x * x)),
        "The rule of Tanh squares the operand.",
        "The slope is 1 minus the square of the result.",
        "Which of its arguments holds the result?",
    ),
    Mistake(
        "tanh-without-dout", _tanh(lambda x, t, dout: 1 - t * t),
        "The rule of Tanh forgets dout.",
        "The slope says how fast the result moves; the loss moves dout times as fast.",
        "Where does dout come in, in the rule of Mul?",
    ),
    Mistake(
        "tanh-handed-on", _tanh(lambda x, t, dout: dout),
        "The rule of Tanh hands dout on as it is.",
        "That is right for what is added. tanh bends: its slope is 1 at zero and almost 0 far out.",
        "Multiply by the slope.",
    ),
    Mistake(
        "matmul-shapes", _mixed, "The products of MatMul's rule do not fit together.",
        "x is (m, k), y is (k, n) and dout is (m, n). dx has to be (m, k), dy (k, n).",
        "Write the three shapes side by side: which product of two of them, one turned over, is "
        "(m, k)?",
    ),
    Mistake(
        "matmul-swapped", _gives(lambda x, y, dout: (x.T @ dout, dout @ y.T), "MatMul"),
        "The gradients of MatMul are swapped.",
        "The first one is that of x.",
        "Which of the two has the shape of x?",
    ),
    Mistake(
        "tanh-again", lambda failure: failure.words.startswith("Tanh stands"),
        "Your rule calculates tanh a second time.",
        "The result of the way there is at hand: it is an argument of the rule.",
        "What is `out`?",
    ),
)  # fmt: skip

hints = (
    "Three questions for each rule: how fast does the result move with this operand, where does "
    "dout come in, and is what you need at hand already?",
    "Sub: one gradient is dout itself. Tanh: build 1 - out * out of nodes, and multiply. MatMul: "
    "each gradient is a product of dout and the other operand, one of them transposed; the shapes "
    "say which and on which side.",
    "A sibling, the rule of Div, out = x / y:\n\n"
    "    def div_rule(graph, inputs, out, dout):\n"
    "        dx = graph.add(ops.Div, [dout, inputs[1]])\n"
    "        return dx, graph.add(ops.Neg, [graph.add(ops.Mul, [dx, out])])",
)

_SUB = "return dout, graph.add(ops.Neg, [dout])"
_TANH = "return (graph.add(ops.Mul, [dout, slope]),)"
_DX = 'graph.add(ops.MatMul, [dout, y], {"transpose_b": True})'
_DY = 'graph.add(ops.MatMul, [x, dout], {"transpose_a": True})'

mutants = (
    Mutant("sub-sign", _SUB, "return dout, dout"),
    Mutant("sub-turned", _SUB, "return graph.add(ops.Neg, [dout]), dout"),
    Mutant("tanh-of-operand", "ops.Mul, [out, out]", "ops.Mul, [inputs[0], inputs[0]]"),
    Mutant("tanh-without-dout", _TANH, "return (slope,)"),
    Mutant("tanh-handed-on", _TANH, "return (dout,)"),
    Mutant("gradient-values", "[dout, slope]", "[dout, square]"),
    Mutant("tanh-again", "square = graph.add(ops.Mul, [out, out])",
           "t = graph.add(ops.Tanh, inputs)\n    square = graph.add(ops.Mul, [t, t])"),
    Mutant("matmul-shapes", _DX, "graph.add(ops.MatMul, [dout, y])"),
    Mutant("matmul-swapped", "return dx, dy", "return dy, dx"),
    Mutant("matmul-shapes", _DY, 'graph.add(ops.MatMul, [dout, x], {"transpose_a": True})'),
    Mutant("too-many", _SUB,
           "return (graph.add(ops.Mul, [dout, graph.constant(1.0)]),\n"
           "            graph.add(ops.Neg, [dout]))"),
    Mutant("gradient-values", _DY,
           'graph.add(ops.MatMul, [graph.add(ops.Neg, [x]), dout], {"transpose_a": True})'),
    Mutant("raises", _TANH, "return graph.add(ops.Mul, [dout, slope])"),
)  # fmt: skip

_TABLE = """
def differentiated(text):
    mine = {"Sub": minus, "Tanh": bent, "MatMul": times}
    return adjoint(ms.graph.load(text), RULES | mine)
"""

variants = {
    "other formulas": """
def minus(g, inputs, out, dout):
    return [dout, g.add(ops.Mul, [dout, g.constant(-1.0)])]

def bent(g, inputs, out, dout):
    pulled = g.add(ops.Mul, [g.add(ops.Mul, [dout, out]), out])
    return [g.add(ops.Sub, [dout, pulled])]

def times(g, inputs, out, dout):
    a, b = inputs
    return [
        g.add(ops.MatMul, [dout, b], {"transpose_a": False, "transpose_b": True}),
        g.add(ops.MatMul, [a, dout], {"transpose_a": True, "transpose_b": False}),
    ]
"""
    + _TABLE,
    "one function for all rules": """
def node_of(graph, name):
    return lambda *inputs, **how: graph.add(ms.graph.Primitive(name), inputs, how or None)

def pulled(name):
    def rule(graph, inputs, out, dout):
        mul, sub, matmul = (node_of(graph, each) for each in ("Mul", "Sub", "MatMul"))
        if name == "Sub":
            return dout, node_of(graph, "Neg")(dout)
        if name == "Tanh":
            return (mul(dout, sub(graph.constant(1.0), mul(out, out))),)
        x, y = inputs
        return matmul(dout, y, transpose_b=True), matmul(x, dout, transpose_a=True)
    return rule

def differentiated(text):
    mine = {name: pulled(name) for name in ("Sub", "Tanh", "MatMul")}
    return adjoint(ms.graph.load(text), {**mine, **RULES})
""",
    "signs turned": """
def minus(graph, inputs, out, dout):
    return dout, graph.add(ops.Sub, [graph.constant(0.0), dout])

def bent(graph, inputs, out, dout):
    below = graph.add(ops.Sub, [graph.add(ops.Mul, [out, out]), graph.constant(1.0)])
    return (graph.add(ops.Neg, [graph.add(ops.Mul, [below, dout])]),)

times = matmul_rule
"""
    + _TABLE,
}

_NAMED = {"ask": "build", "inputs": "text"}
exercise = Exercise(
    target="differentiated",
    contract="differentiated(text) gives the adjoint of a graph, by your rules for Sub, Tanh and "
    "MatMul: right gradients, with no more nodes than needed.",
    checks=(
        Check(
            "elementwise", "the rules of Sub and Tanh", points=1,
            cases=drawn(subtracted, both_sides, squashed, squashed_twice),
            judge=adjoints.right, **_NAMED,
        ),
        Check(
            "matmul", "the rule of MatMul", points=1, cases=drawn(product, dtypes="f32 f64"),
            judge=adjoints.right, **_NAMED,
        ),
        Check(
            "together", "all three in one graph", points=1,
            cases=drawn(layer, dtypes="f32 f64", tile=8), judge=adjoints.right,
            needs=("elementwise", "matmul"), **_NAMED,
        ),
        Check(
            "sparing", "no more nodes than needed", points=1,
            cases=drawn(subtracted, layer, tile=4), judge=sparing,
            needs=("elementwise", "matmul"), **_NAMED,
        ),
    ),
    mistakes=mistakes,
    hints=hints,
    mutants=mutants,
    variants=variants,
)  # fmt: skip
