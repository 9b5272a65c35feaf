"""00.add_neg_to_sub: a pass that rewrites Add(x, Neg(y)) to Sub(x, y) where that pays."""

from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.graph_cases import Graphs
from ms_ext.grading.layers import structure
from ms_ext.grading.recognise import both, case_of, mixed_dtypes, negated, on

DTYPES = "f32 f64 i32 i8 f16"
pays, others, users, mixtures = Graphs(DTYPES), Graphs(DTYPES), Graphs(DTYPES), Graphs(DTYPES)

# where it pays --------------------------------------------------------------------------------


@pays.on("T[m] T[m]", "T[m,n] T[n]", "T[m,1] T[n]", "T[] T[]", removes=1)
def alone(x, y):
    """x + (-y), and nothing else uses -y"""
    return x + (-y)


@pays.on("T[m] T[m] T[m]", "i8[3] i8[1] i8[3]", removes=2)
def twice(x, y, z):
    """x + (-y) + (-z): two places, one inside the other"""
    return x + (-y) + (-z)


@pays.on("i32[m] i32[m]", removes=1)
def deep(x, y):
    """a place in the middle of a larger graph"""
    return (x * 2 + (-(y * x))) * y


@pays.on("f32[m]", removes=1)
def itself(x):
    """x + (-x)"""
    return x + (-x)


# where there is nothing to rewrite ------------------------------------------------------------


@others.on("T[m] T[m]")
def turned(x, y):
    """(-y) + x: the operands the other way round"""
    return (-y) + x


@others.on("T[m] T[m]")
def difference(x, y):
    """x - (-y): a Sub already"""
    return x - (-y)


@others.on("T[m] T[m]")
def product(x, y):
    """x * (-y): no Add at all"""
    return x * (-y)


@others.on("T[m] T[m] T[m]")
def plain(x, y, z):
    """x + y * z: no Neg at all"""
    return x + y * z


# where -y is needed elsewhere -----------------------------------------------------------------


@users.on("T[m] T[m]")
def shared(x, y):
    """x + (-y), and -y is a result too"""
    negative = -y
    return x + negative, negative


@users.on("f32[2,2] f32[2]", "T[m] T[m]")
def shared_inside(x, y):
    """x + (-y), and -y is used again further on"""
    negative = -y
    return (x + negative) * negative


@users.on("T[m]")
def doubled(y):
    """(-y) + (-y): -y stays as the first operand"""
    negative = -y
    return negative + negative


# where the dtypes differ ----------------------------------------------------------------------


@mixtures.on(
    "i32[2] i8[2]", "i64[3] u8[3]", "f32[3] i16[3]", "i16[1] u8[4]", "f64[2] f32[2]", "i8[2] i32[2]"
)
def mixed(x, y):
    """x + (-y), x and y of different dtypes"""
    return x + (-y)


@mixtures.on("f32[3] i8[3]")
def constant(x, y):
    """1.5 + (-y), beside x"""
    return x * 2.0, 1.5 + (-y)


# what typical mistakes look like --------------------------------------------------------------


def _same_dtypes(failure):
    return not mixed_dtypes(failure)


mistakes = (
    Mistake(
        "nothing-rewritten",
        both(on("nothing-rewritten"), case_of(alone)),
        "Your pass does not rewrite x + (-y).",
        "This graph is what the pass is for: an Add whose second operand is a Neg.",
        "Let `source` return the calls to look for, and let `when` say True.",
    ),
    Mistake(
        "operand-order",
        both(on("other-values"), _same_dtypes, negated),
        "The operands of your Sub are the wrong way round.",
        "The result is the negative of what it should be: y - x instead of x - y.",
        "x + (-y) is x - y: look at what your pass writes.",
    ),
    Mistake(
        "another-user",
        both(on("no-gain"), case_of(shared, shared_inside, doubled)),
        "Your pass rewrites although Neg has another user.",
        "-y is needed once more (by something else, or as the other operand), so Neg stays: as "
        "many nodes after the rewrite as before it.",
        "Let `when` refuse such places: a matched call that something else uses too has to stay.",
    ),
    Mistake(
        "dtype-ignored",
        both(on("other-values"), case_of(mixed, constant)),
        "Your pass ignores the dtypes of x and y.",
        "Neg works in the dtype of y, Sub in the common dtype of x and y. In int8, -(-128) wraps "
        "to -128; in the wider dtype it does not.",
        "Let `when` refuse operands whose dtypes differ.",
    ),
)

hints = (
    "Which two calls stand one inside the other in x + (-y)? `source` is that expression, written "
    "with ops.Add and ops.Neg; `target` is the one call you would rather have.",
    "Both functions return one expression of x and y. The one of `source` is looked for in the "
    "graph, call by call and operand by operand; what `target` returns takes its place. Only these "
    "two lines change: the outer op of each.",
    "A sibling, -(-x) to x:\n\n"
    "def source(x):\n    return ops.Neg(ops.Neg(x))\n\n"
    "def target(x):\n    return x",
)

# the proof: wrong answers with their codes, and right answers of other shapes ------------------

_ORDER = "return ops.Sub(x, y)"
_SHARED = 'if match.shared:\n        return "Neg has another user and stays"'
_DTYPES = "return x.dtype == y.dtype or"

mutants = (
    Mutant("operand-order", _ORDER, "return ops.Sub(y, x)"),
    Mutant("another-user", _SHARED, "pass"),
    Mutant("dtype-ignored", _DTYPES, "return True or"),
    Mutant("nothing-rewritten", "return ops.Add(x, ops.Neg(y))", "return ops.Add(ops.Neg(y), x)"),
    Mutant("nothing-rewritten", _DTYPES, "return False and"),
    Mutant("other-values", _ORDER, "return ops.Add(x, y)"),
    Mutant("endless", _ORDER, "return ops.Add(x, ops.Neg(y))"),
)

_SOURCE = """
def source(x, y):
    return ops.Add(x, ops.Neg(y))

def target(x, y):
    return ops.Sub(x, y)
"""

_WHEN = """
def when(x, y, match):
    if match.shared:
        return "Neg has another user"
    return x.dtype == y.dtype or f"x is {x.dtype} but y is {y.dtype}"
"""

_PASS = """
add_neg_to_sub = ms.graph.pattern_pass(source, target, when)
"""

variants = {
    "written again": _SOURCE + _WHEN + _PASS,
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
    "a helper function": _SOURCE
    + """
def is_free(match):
    return len(match.shared) == 0

def when(x, y, match):
    same = x.dtype == y.dtype
    return is_free(match) and same
"""
    + _PASS,
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
    "three functions and no pass": _SOURCE
    + _WHEN
    + """
add_neg_to_sub = (source, target, when)
""",
}

exercise = Exercise(
    target="add_neg_to_sub",
    contract="Rewrite Add(x, Neg(y)) to Sub(x, y) where that removes a node and keeps every value.",
    checks=(
        Check("rewrites", "x + (-y) becomes x - y", 2, "rewrite", pays, structure.rewritten()),
        Check(
            "others", "other calls stay what they are", 1,
            "rewrite", others, structure.rewritten(), needs=("rewrites",),
        ),
        Check(
            "users", "a Neg that others need is left alone", 1,
            "rewrite", users, structure.rewritten(), needs=("rewrites",),
        ),
        Check(
            "dtypes", "operands of different dtypes are left alone", 1,
            "rewrite", mixtures, structure.rewritten(), needs=("rewrites",),
        ),
    ),
    mistakes=mistakes,
    hints=hints,
    mutants=mutants,
    variants=variants,
)  # fmt: skip
