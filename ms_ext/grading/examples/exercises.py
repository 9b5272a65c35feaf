"""The smallest exercises on which every general diagnosis code can be seen."""

import numpy as np

from ..drawing import Question, drawn, listed
from ..exercise import Check, Exercise
from ..failure import Failure
from ..graph_cases import Graphs, built
from ..layers import costs, gradients, schedule, structure, values


def _exercise(target, contract, check):
    return Exercise(target, contract, (check,), name=f"example.{target}")


# values -------------------------------------------------------------------------------------------


def _row(draw, n):
    """one row"""
    return (draw(n),)


double = _exercise(
    "double",
    "Return 2 * x, of the same dtype.",
    Check("values", "2 * x", 1, "call", drawn(_row), values.like(lambda x: x * 2), inputs="x"),
)


def _two_rows(draw, n):
    """two rows"""
    return draw(n), draw(n)


def _sum_is(question, answer):
    right = np.isclose(np.sum(answer), np.sum(question.operands[0]))
    return None if right else Failure("values")


total = _exercise(
    "total",
    "Return numbers with the same sum as x.",
    Check("sum", "the same sum", 1, "call", drawn(_row), _sum_is, inputs="x"),
)
parts = _exercise(
    "parts",
    "Return the sum and the difference of x and y.",
    Check(
        "values", "x + y and x - y", 1, "call", drawn(_two_rows),
        values.like(lambda x, y: (x + y, x - y)), inputs="x y",
    ),
)  # fmt: skip

# gradients ----------------------------------------------------------------------------------------


def _pair(draw, m, n):
    """x and a row y"""
    x, y = draw(m, n), draw(n)
    return x, y, x * y, draw(m, n)


product_bprop = _exercise(
    "product_bprop",
    "Return the gradients of x * y for x of shape (m, n) and y of shape (n,).",
    Check(
        "gradients", "both gradients", 1, "call", drawn(_pair), gradients.of(lambda x, y: x * y),
        inputs="x y out dout",
    ),
)  # fmt: skip

# graphs -------------------------------------------------------------------------------------------

graphs = Graphs()


@graphs.on("f32[2]", "f32[3,2]", removes=1)
def _twice_negative(x):
    """-(-x)"""
    negative = -x
    return -negative


both = Graphs()


@both.on("f32[2] f32[2]", removes=4)
def _two_places(x, y):
    """-(-x) - -(-y)"""
    one, other = -x, -y
    return (-one) - (-other)


others = Graphs()


@others.on("f32[2]")
def _shared(x):
    """-(-x), and -x is a result too"""
    negative = -x
    return -negative, negative


shrink = _exercise(
    "shrink",
    "Rewrite -(-x) to x.",
    Check("rewrites", "-(-x) becomes x", 1, "rewrite", graphs, structure.rewritten()),
)
everywhere = _exercise(
    "everywhere",
    "Rewrite -(-x) to x, wherever it stands.",
    Check("rewrites", "both places", 1, "rewrite", both, structure.rewritten()),
)
careful = _exercise(
    "careful",
    "Leave -(-x) alone where -x has another user.",
    Check("refuses", "-x stays", 1, "rewrite", others, structure.untouched()),
)


def _wanted(x):
    return x * x + x


_SQUARE = Question("x * x + x for x: f32[2]", (), {}, built(_wanted, ["f32[2]"]))

square = _exercise(
    "square",
    "Return the graph of x * x + x.",
    Check("same", "the same graph", 1, "build", listed(_SQUARE), structure.same_graph()),
)
small = _exercise(
    "small",
    "Return a graph of x * x + x with two calls.",
    Check("nodes", "two calls", 1, "build", listed(_SQUARE), structure.counts(nodes=2)),
)
cheap = _exercise(
    "cheap",
    "Return a graph of x * x + x that computes 4 operations.",
    Check("flops", "four operations", 1, "build", listed(_SQUARE), costs.bound(flops=4)),
)


def _quotient(x, k):
    return x / k


_CALLS = Question(
    "three calls: by 1, 2 and 3",
    tuple((np.arange(2, dtype="f4"), np.array(k, "f4")) for k in (1, 2, 3)),
)
once = _exercise(
    "once",
    "Divide a tensor by a tensor, compiled once for all calls.",
    Check(
        "compiles", "one graph", 1, "compiled", listed(_CALLS),
        structure.compiled(1, _quotient, values.compare),
    ),
)  # fmt: skip

# order in time, and memory ------------------------------------------------------------------------

_ROW = [["load", "a"], ["compute", "b", ["load"]], ["store", "c", ["compute"]]]
_TIMES = {"load": 3, "compute": 4, "store": 2}
_PROGRAM = Question("load, compute, store", ())
order = _exercise(
    "order",
    "Let compute wait for load, and store for compute.",
    Check(
        "order", "load before compute before store", 1, "call plain", listed(_PROGRAM),
        schedule.happens_before(
            lambda q: [("load", "compute"), ("compute", "store")], lambda q: _ROW
        ),
    ),
)  # fmt: skip
quick = _exercise(
    "quick",
    "Schedule load, compute and store so that they end by 7.",
    Check(
        "makespan", "it ends by 7", 1, "call plain", listed(_PROGRAM),
        schedule.makespan(
            lambda q: _TIMES, lambda q: 7, lambda q: [*_ROW[:2], ["store", "c"]]
        ),
    ),
)  # fmt: skip
_SIZES, _ALIVE = {"a": 64, "b": 64, "c": 64}, {"a": (0, 1), "b": (1, 2), "c": (2, 3)}
_BUFFERS = Question("three buffers of 64 bytes, 128 bytes in all", ())
places = _exercise(
    "places",
    "Give each buffer an offset: a and b are alive together, b and c too.",
    Check(
        "buffers", "no two that are alive share bytes", 1, "call plain", listed(_BUFFERS),
        schedule.buffers(lambda q: _SIZES, lambda q: 128, lambda q: _ALIVE),
    ),
)  # fmt: skip
