"""The tour's exercise: a pass that rewrites Add(x, Neg(y)) to Sub(x, y) where that pays."""

import numpy as np

from ms_ext.grading.exercise import Cases, Exercise, Recogniser

cases = Cases()


@cases.on(
    "f32[2] f32[2]", "f64[] f64[]", "i32[2,3] i32[3]", "i8[1] i8[5]", "f16[4,1] f16[3]", removes=1
)
def alone(x, y):
    """x + (-y), and nothing else uses -y"""
    return x + (-y)


@cases.on("f32[2] f32[2]", "f32[7] f32[7]")
def shared(x, y):
    """x + (-y), and -y is a result too"""
    negative = -y
    return x + negative, negative


@cases.on("f32[2,2] f32[2]", "i64[3] i64[3]")
def shared_inside(x, y):
    """x + (-y), and -y is used again further on"""
    negative = -y
    return (x + negative) * negative


@cases.on("f32[2]")
def doubled(y):
    """(-y) + (-y): -y stays as the first operand"""
    negative = -y
    return negative + negative


@cases.on(
    "i32[2] i8[2]", "i64[3] u8[3]", "f32[3] i16[3]", "i16[1] u8[4]", "f64[2] f32[2]", "i8[2] i32[2]"
)
def mixed(x, y):
    """x + (-y), x and y of different dtypes"""
    return x + (-y)


@cases.on("f32[4] f32[4] f32[4]", "i8[3] i8[1] i8[3]", removes=2)
def twice(x, y, z):
    """x + (-y) + (-z): two places, one inside the other"""
    return x + (-y) + (-z)


@cases.on("i32[3] i32[3]", removes=1)
def deep(x, y):
    """a place in the middle of a larger graph"""
    return (x * 2 + (-(y * x))) * y


@cases.on("f32[5]", removes=1)
def itself(x):
    """x + (-x)"""
    return x + (-x)


@cases.on("f32[3] f32[3]")
def turned(x, y):
    """(-y) + x: the operands the other way round"""
    return (-y) + x


@cases.on("f32[3] f32[3]", "i8[2] i8[2]")
def difference(x, y):
    """x - (-y): a Sub already"""
    return x - (-y)


@cases.on("f32[3] f32[3]", "i32[4] i32[4]")
def product(x, y):
    """x * (-y): no Add at all"""
    return x * (-y)


@cases.on("f32[3] f32[3] f32[3]")
def plain(x, y, z):
    """x + y * z: no Neg at all"""
    return x + y * z


@cases.on("f32[3] i8[3]")
def constant(x, y):
    """1.5 + (-y), beside x"""
    return x * 2.0, 1.5 + (-y)


# what typical mistakes look like --------------------------------------------------------------


def _turned_round(failure):
    if failure.kind != "values" or failure.mixed or failure.expected.dtype != failure.got.dtype:
        return False
    with np.errstate(all="ignore"):
        return np.array_equal(
            failure.got, -failure.expected, equal_nan=failure.got.dtype.kind == "f"
        )


def _blind_to_dtypes(failure):
    mixed = failure.mixed or failure.case.build is constant
    return failure.kind == "values" and mixed


def _wasted(failure):
    return failure.kind == "no-gain" and failure.case.build in (shared, shared_inside, doubled)


def _not_yet(failure):
    return failure.kind == "never-fires" and failure.case.build is alone


recognisers = (
    Recogniser(
        "never-fires",
        _not_yet,
        "Your pass does not rewrite x + (-y).",
        "This graph is what the pass is for: an Add whose second operand is a Neg.",
        "Let `source` return the calls to look for, and let `when` say True.",
    ),
    Recogniser(
        "operand-order",
        _turned_round,
        "The operands of your Sub are the wrong way round.",
        "The result is the negative of what it should be: y - x instead of x - y.",
        "x + (-y) is x - y: look at `target`.",
    ),
    Recogniser(
        "another-user",
        _wasted,
        "Your pass fires although Neg has another user.",
        "Somebody else still needs -y, so Neg stays: as many nodes after the rewrite as before it.",
        "Let `when` refuse such places: a matched call that something else uses too has to stay.",
    ),
    Recogniser(
        "dtype-ignored",
        _blind_to_dtypes,
        "Your pass ignores the dtypes of x and y.",
        "Neg works in the dtype of y, Sub in the common dtype of x and y. In int8, -(-128) wraps "
        "to -128; in the wider dtype it does not.",
        "Let `when` refuse operands whose dtypes differ.",
    ),
)

hints = (
    "Which two calls stand one inside the other in x + (-y)? `source` is that expression, written "
    "with ops.Add and ops.Neg; `target` is the one call you would rather have.",
    "`when` may take `match` after the variables. `match.shared` lists the matched calls that "
    "something else uses too. Return a sentence to refuse a place, True to rewrite it. x.dtype and "
    "y.dtype are known.",
    "A sibling, x * (1 / y) to x / y:\n\n"
    "def source(x, y):\n    return ops.Mul(x, ops.Reciprocal(y))\n\n"
    "def target(x, y):\n    return ops.Div(x, y)\n\n"
    "def when(x, y, match):\n    if match.shared:\n        return 'another user'\n"
    "    return x.dtype == y.dtype or 'the dtypes differ'",
)

# the proof: wrong answers with their codes, and right answers of other shapes ------------------

_BEGIN = """
import ms_ext as ms
from ms_ext import ops

def source(x, y):
    return ops.Add(x, ops.Neg(y))
"""

_END = """
add_neg_to_sub = ms.graph.pattern_pass(source, target, when)
"""

_WHEN = """
def when(x, y, match):
    if match.shared:
        return "Neg has another user"
    return x.dtype == y.dtype or f"x is {x.dtype} but y is {y.dtype}"
"""

_TARGET = """
def target(x, y):
    return ops.Sub(x, y)
"""

mutants = {
    "operand-order": _BEGIN + "\ndef target(x, y):\n    return ops.Sub(y, x)\n" + _WHEN + _END,
    "another-user": _BEGIN + _TARGET + "\ndef when(x, y):\n    return x.dtype == y.dtype\n" + _END,
    "dtype-ignored": _BEGIN
    + _TARGET
    + "\ndef when(x, y, match):\n    return not match.shared\n"
    + _END,
}

variants = {
    "the reference": _BEGIN + _TARGET + _WHEN + _END,
    "other names of functions": """
import ms_ext
from ms_ext import ops as o

def sum_with_negative(a, b):
    return o.add(a, o.neg(b))

def their_difference(a, b):
    return a - b

def allowed(a, b, match):
    return a.dtype is b.dtype and not match.shared

add_neg_to_sub = ms_ext.graph.pattern_pass(sum_with_negative, their_difference, allowed)
""",
    "a helper function": _BEGIN
    + _TARGET
    + """
def is_free(match):
    return len(match.shared) == 0

def when(x, y, match):
    same = x.dtype == y.dtype
    return is_free(match) and same
"""
    + _END,
    "operators": """
import ms_ext as ms

add_neg_to_sub = ms.graph.pattern_pass(
    lambda x, y: x + -y,
    lambda x, y: x - y,
    lambda x, y, match: not match.shared and x.dtype == y.dtype,
)
""",
    "MindSpore's shape": """
import ms_ext as ms

class AddNegToSub(ms.graph.PatternToPatternPass):
    def DefineSrcPattern(self, src_pattern):
        src_pattern.AddVar("x").AddVar("y")
        src_pattern.AddCNode("neg", ["Neg", "y"]).AddCNode("add", ["Add", "x", "neg"])

    def CheckMatchedDAG(self, pattern_map, func_graph, node):
        x, y, neg = map(pattern_map.Get, ("x", "y", "neg"))
        return sum(neg.users.values()) == 1 and x.dtype == y.dtype

    def DefineDstPattern(self, dst_pattern):
        dst_pattern.AddCNode("sub", ["Sub", "x", "y"])

add_neg_to_sub = AddNegToSub()
""",
    "a function of the graph": """
import ms_ext as ms
from ms_ext import ops

def is_neg(node):
    return node.kind == "call" and node.primitive.name == "Neg"

@ms.graph.graph_pass(name="by_hand")
def add_neg_to_sub(graph, editor):
    for node in graph.order():
        if node.primitive.name != "Add" or not is_neg(node.inputs[1]):
            continue
        x, neg = node.inputs
        y = neg.inputs[0]
        if sum(neg.users.values()) == 1 and x.dtype == y.dtype:
            editor.replace(node, editor.add(ops.Sub, [x, y], of=node))
""",
    "three functions and no pass": _BEGIN
    + _TARGET
    + _WHEN
    + """
add_neg_to_sub = (source, target, when)
""",
}

exercise = Exercise(
    target="add_neg_to_sub",
    contract="Rewrite Add(x, Neg(y)) to Sub(x, y) where that removes a node and keeps every value.",
    cases=cases,
    recognisers=recognisers,
    hints=hints,
    mutants=mutants,
    variants=variants,
)
