"""12.abs_squared: |x| * |x| becomes x * x, and a variable that stands twice is one value."""

from ms_ext import ops
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.graph_cases import Graphs
from ms_ext.grading.layers import structure
from ms_ext.grading.recognise import both, case_of, on

DTYPES = "f32 i32 f16 i8 f64"
pays, leaves, users = Graphs(DTYPES), Graphs(DTYPES), Graphs(DTYPES)


@pays.on("i32[2,3]", "T[m,n]", "T[m]", "T[]", removes=2)  # the first has both signs
def alone(x):
    """|x| * |x|, in two calls of Abs"""
    return ops.abs(x) * ops.abs(x)


@pays.on("T[m,n]", removes=1)
def one_call(x):
    """a * a, where a is |x|"""
    a = ops.abs(x)
    return a * a


@pays.on("T[m,n] T[n]", removes=2)
def deep(x, y):
    """|p| * |p| + y, where p is x * y"""
    p = x * y
    return ops.abs(p) * ops.abs(p) + y


@pays.on("T[m] T[m]", removes=4)
def two_places(x, y):
    """|x| * |x| + |y| * |y|"""
    return ops.abs(x) * ops.abs(x) + ops.abs(y) * ops.abs(y)


@leaves.on("T[m,n] T[m,n]", "T[m,n] T[n]")
def two_values(x, y):
    """|x| * |y|: two values"""
    return ops.abs(x) * ops.abs(y)


@leaves.on("T[m]")
def one_abs(x):
    """|x| * x: one Abs only"""
    return ops.abs(x) * x


@leaves.on("T[m]")
def summed(x):
    """|x| + |x|: no Mul"""
    return ops.abs(x) + ops.abs(x)


@users.on("T[m,n]")
def shared(x):
    """a * a, where a = |x| is a result too"""
    a = ops.abs(x)
    return a * a, a


@users.on("T[m]")
def shared_inside(x):
    """a * a + a, where a is |x|"""
    a = ops.abs(x)
    return a * a + a


@leaves.on("T[m]")
def half_shared(x):
    """a * |x|, where a = |x| is a result too"""
    a = ops.abs(x)
    return a * ops.abs(x), a


def _still_abs(failure):
    right, mine = failure.question.graph, failure.yours
    short = failure.code in ("nothing-rewritten", "leaves-some", "no-gain")
    if not short or failure.case.build not in (alone, one_call) or mine is None:
        return False
    if structure.form(mine) == structure.form(right):
        return False
    return not any(structure.other_values(right, mine, seed) for seed in range(9))  # both signs


mistakes = (
    Mistake(
        "abs-stays",
        _still_abs,
        "Your pass writes an Abs that is not needed.",
        "A product of two equal signs has no sign: x * x is |x| * |x| already.",
        "Which calls does `squared` write, and which of them are needed?",
    ),
    Mistake(
        "nothing-rewritten",
        both(on("nothing-rewritten"), case_of(alone, one_call)),
        "Your pass does not rewrite |x| * |x|.",
        "This graph is what the pass is for: a Mul whose two operands are Abs of the same x.",
        "`two_abs` says what to look for, the outermost call first. Does `saves_a_call` say True?",
    ),
    Mistake(
        "two-variables",
        both(on("other-values"), case_of(two_values)),
        "Your pass takes |x| * |y| for |x| * |x|.",
        "Two variables of a pattern may stand for two values; here they did, and one was lost.",
        "How does a pattern say that the same value must stand in two places?",
    ),
    Mistake(
        "another-user",
        both(on("must-not-match"), case_of(shared, shared_inside)),
        "Your pass rewrites although Abs has another user.",
        "Somebody else still needs |x|, so Abs stays: as many calls after the rewrite as before.",
        "`match.shared` lists the matched calls that something else uses too.",
    ),
)

hints = (
    "Which call is the outermost one of |x| * |x|, and what are its two operands? In a pattern, "
    "the same variable twice means the same value twice.",
    "`two_abs` returns one ops.Mul with an ops.Abs on each side, both of the same variable. "
    "`saves_a_call` returns True where `match.shared` is empty, else a sentence.",
    "A sibling, max(x, x) to x:\n\n"
    "def source(x):\n    return ops.Maximum(x, x)\n\n"
    "def target(x):\n    return x\n\n"
    "Nothing stands inside the Maximum here, so there is nothing that another could use.",
)

_TWO = "def two_abs(x):\n    return ops.Mul(ops.Abs(x), ops.Abs(x))"
_SQUARED = "def squared(x):\n    return ops.Mul(x, x)"
_SAVES = 'return len(match.shared) == 0 or "Abs is needed elsewhere"'

mutants = (
    Mutant("two-variables", _TWO, "def two_abs(x, y):\n    return ops.Mul(ops.Abs(x), ops.Abs(y))"),
    Mutant("another-user", _SAVES, "return True"),
    Mutant("abs-stays", _SQUARED, "def squared(x):\n    return ops.Abs(ops.Mul(x, x))"),
    Mutant("nothing-rewritten", _TWO, "def two_abs(x):\n    return ops.Mul(ops.Abs(x), x)"),
    Mutant("nothing-rewritten", _SAVES, "return False"),
    Mutant("other-values", _SQUARED, "def squared(x):\n    return ops.Add(x, x)"),
    Mutant("other-values", _SQUARED, "def squared(x):\n    return ops.Mul(x, ops.Abs(x))"),
    Mutant("endless", _SQUARED, "def squared(x):\n    return ops.Mul(ops.Abs(x), ops.Abs(x))"),
)

variants = {
    "operators, and a condition of fewer words": """
abs_squared = ms.graph.pattern_pass(
    lambda value: ops.abs(value) * ops.abs(value),
    lambda value: value * value,
    lambda match: not match.shared,
)
""",
    "one shared Abs of two saves a call": """
def condition(match):
    return len(match.shared) < 2

def find(a):
    return a.abs() * a.abs()

def write(a):
    return ops.mul(a, a)

abs_squared = (find, write, condition)
""",
    "MindSpore's shape": """
class AbsSquared(ms.graph.PatternToPatternPass):
    def DefineSrcPattern(self, src_pattern):
        src_pattern.AddVar("x")
        src_pattern.AddCNode("one", ["Abs", "x"]).AddCNode("two", ["Abs", "x"])
        src_pattern.AddCNode("mul", ["Mul", "one", "two"])

    def CheckMatchedDAG(self, pattern_map, func_graph, node):
        both = {pattern_map.Get("one"), pattern_map.Get("two")}
        return all(set(each.users) == {node} for each in both)

    def DefineDstPattern(self, dst_pattern):
        dst_pattern.AddCNode("square", ["Mul", "x", "x"])

abs_squared = AbsSquared()
""",
    "a function of the graph": """
def is_abs(node):
    return node.kind == "call" and node.primitive.name == "Abs"

def abs_squared(graph, editor):
    for node in graph.order():
        if node.primitive.name == "Mul" and all(map(is_abs, node.inputs)):
            one, two = node.inputs
            x = one.inputs[0]
            free = all(set(each.users) == {node} for each in (one, two))
            if x is two.inputs[0] and free:
                editor.replace(node, editor.add(ops.Mul, [x, x], of=node))
""",
}

exercise = Exercise(
    target="abs_squared",
    contract="Rewrite Mul(Abs(x), Abs(x)) to Mul(x, x) where nobody else needs either Abs; leave "
    "it where no call would be saved.",
    checks=(
        Check(
            "rewrites", "|x| * |x| becomes x * x", 1, "rewrite", pays, structure.rewritten()
        ),
        Check(
            "leaves", "two values stay two values, and other calls what they are", 0.5,
            "rewrite", leaves, structure.rewritten(), needs=("rewrites",),
        ),
        Check(
            "users", "an Abs that others need is left where it is", 0.5,
            "rewrite", users, structure.untouched(), needs=("rewrites",),
        ),
    ),
    mistakes=mistakes,
    hints=hints,
    mutants=mutants,
    variants=variants,
)  # fmt: skip
