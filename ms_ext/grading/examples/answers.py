"""One small wrong answer for every general diagnosis code."""

from . import exercises


def _function(name, arguments, body):
    return f"def {name}({arguments}):\n    {body}\n"


def _double(body):
    return _function("double", "x", body)


def _bprop(body):
    return _function("product_bprop", "x, y, out, dout", body)


_PASS = """
import ms_ext as ms
from ms_ext import ops

def source(x):
    return {source}

def target(x):
    return {target}

{name} = ms.graph.pattern_pass(source, target)
"""


def _pass(name, source, target):
    return _PASS.format(name=name, source=source, target=target)


def _graph_text(*lines):
    return (
        "ms_ext graph 1\ngraph g@1(%1 x: f32[2]) {\n"
        + "".join(f"  {line}\n" for line in lines)
        + "}\n"
    )


def _returned(name, *lines):
    text = _graph_text(*lines)
    return f'import ms_ext as ms\n\ndef {name}():\n    return ms.graph.load("""{text}""")\n'


_ADD = "%3 = Add(%2, %1) : f32[2]"

_NONSENSE = """
import os

def double(x):
    for descriptor in range(3, 40):
        try:
            os.write(descriptor, b"\\x08\\0\\0\\0\\0\\0\\0\\0nonsense")
        except OSError:
            continue
    return 2 * x
"""
_CHAIN = "[['load', 'a'], ['compute', 'b', ['load']], ['store', 'c'{}]]"


def _order(tasks):
    return _function("order", "", f"return {tasks}")


def _quick(tasks):
    return _function("quick", "", f"return {tasks}")


def _buffers(offsets):
    return _function("places", "", f"return {offsets}")


_ONCE = """
import ms_ext as ms

@ms.jit
def quotient(x, k):
    return x / k

def once(x, k):
    return quotient(x, float(k))
"""
_LOOP = """
import ms_ext as ms

def small_loop(x):
    while x.sum() < 1e30:
        x = x * 0.0
    return x

def square():
    from ms_ext.engine.jit import trace
    return trace(small_loop, ms.Tensor([1.0, 2.0]))
"""

#: (code, exercise, the wrong answer)
EXAMPLES = (
    ("missing", exercises.double, "x = 1"),
    ("syntax", exercises.double, "def double(x):\n    return 2 * * x"),
    ("raises", exercises.double, _double("return 2 * y")),
    ("too-long", exercises.double, _double("while True: pass")),
    ("memory", exercises.double, _double("return bytearray(1 << 40)")),
    ("ended", exercises.double, _double("raise SystemExit")),
    ("output", exercises.double, "import numpy as np\n\n" + _double("return np.zeros(1 << 20)")),
    ("garbled", exercises.double, _NONSENSE),
    (
        "forbidden",
        exercises.double,
        "import socket\n\n" + _double("socket.create_connection(('a', 1))"),
    ),
    ("kind", exercises.double, _double("return 'twice x'")),
    (
        "unjudged",
        exercises.total,
        "def total(x):\n    return [[1], [2, 3]]",
    ),
    ("shape", exercises.double, _double("return (2 * x).sum()")),
    (
        "dtype",
        exercises.double,
        "import ms_ext as ms\n\n" + _double("return (2 * x).astype(ms.float64)"),
    ),
    ("values", exercises.double, _double("return x + 2")),
    ("count", exercises.parts, _function("parts", "x, y", "return x + y")),
    ("gradient-count", exercises.product_bprop, _bprop("return (dout * y,)")),
    ("gradient-none", exercises.product_bprop, _bprop("return dout * y, None")),
    ("gradient-kind", exercises.product_bprop, _bprop("return dout * y, 0")),
    ("gradient-shape", exercises.product_bprop, _bprop("return dout * y, dout * x")),
    (
        "gradient-dtype",
        exercises.product_bprop,
        "import ms_ext as ms\n\n"
        + _bprop("return (dout * y).astype(ms.float64), (dout * x).sum(0)"),
    ),
    ("gradient-values", exercises.product_bprop, _bprop("return dout, (dout * x).sum(0)")),
    ("nothing-rewritten", exercises.shrink, _pass("shrink", "ops.Exp(ops.Exp(x))", "x")),
    (
        "leaves-some",
        exercises.everywhere,
        _PASS.replace("def source(x)", "def source(x, y)")
        .replace("def target(x)", "def target(x, y)")
        .format(
            name="everywhere", source="ops.Sub(ops.Neg(ops.Neg(x)), y)", target="ops.Sub(x, y)"
        ),
    ),
    (
        "no-gain",
        exercises.shrink,
        _pass("shrink", "ops.Neg(ops.Neg(x))", "ops.Mul(ops.Neg(x), -1.0)"),
    ),
    ("other-values", exercises.shrink, _pass("shrink", "ops.Neg(ops.Neg(x))", "ops.Abs(x)")),
    ("interface", exercises.square, _returned("square", "%2 = ReduceSum(%1) : f32[]", "return %2")),
    ("endless", exercises.shrink, _pass("shrink", "ops.Neg(x)", "ops.Neg(ops.Neg(ops.Neg(x)))")),
    ("must-not-match", exercises.careful, _pass("careful", "ops.Neg(ops.Neg(x))", "x")),
    ("invalid", exercises.square, "def square():\n    return 'x * x + x'\n"),
    (
        "other-graph",
        exercises.square,
        _returned("square", "%2 = Mul(%1, %1) : f32[2]", "%3 = Add(%1, %2) : f32[2]", "return %3"),
    ),
    ("endless-graph", exercises.square, _LOOP),
    (
        "too-many",
        exercises.small,
        _returned(
            "small",
            "%2 = Mul(%1, %1) : f32[2]",
            "%3 = Add(%2, %1) : f32[2]",
            "%4 = Mul(%3, 1.0: float) : f32[2]",
            "return %4",
        ),
    ),
    (
        "too-costly",
        exercises.cheap,
        _returned(
            "cheap",
            "%2 = Mul(%1, %1) : f32[2]",
            "%3 = Mul(%1, %1) : f32[2]",
            "%4 = Add(%2, %1) : f32[2]",
            "%5 = Mul(%4, %3) : f32[2]",
            "return %5",
        ),
    ),
    ("compiled-again", exercises.once, _ONCE),
    ("race", exercises.order, _order(_CHAIN.format(""))),
    ("deadlock", exercises.order, _order("[['load', 'a', ['store']], ['store', 'a']]")),
    ("task-missing", exercises.order, _order("[['load', 'a'], ['store', 'a']]")),
    (
        "task-unknown",
        exercises.quick,
        _quick("[['load', 'a'], ['compute', 'b'], ['store', 'c'], ['wait', 'a']]"),
    ),
    ("task-twice", exercises.order, _order("[['load', 'a'], ['load', 'a']]")),
    ("too-late", exercises.quick, _quick("[['load', 'a'], ['compute', 'a'], ['store', 'a']]")),
    ("overlap", exercises.places, _buffers("{'a': 0, 'b': 32, 'c': 0}")),
    ("over-the-limit", exercises.places, _buffers("{'a': 0, 'b': 64, 'c': 128}")),
)
