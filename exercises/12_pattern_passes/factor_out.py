"""12.factor_out: a*b + a*c becomes a * (b + c), in four orders, for integers of one dtype."""

from ms_ext.grading.drawing import joined
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.graph_cases import Graphs
from ms_ext.grading.layers import structure
from ms_ext.grading.recognise import both, case_of, on

INTEGERS = "i32 i8 u8 i64"
pays, commuted, users = Graphs(INTEGERS), Graphs(INTEGERS), Graphs(INTEGERS)
others, floats = Graphs(INTEGERS), Graphs("f32 f64 f16")

# where it saves a call ------------------------------------------------------------------------


@pays.on("T[m,n] T[m,n] T[m,n]", "T[m,n] T[n] T[m,1]", "T[] T[] T[]", removes=1)
def plain(a, b, c):
    """a*b + a*c"""
    return a * b + a * c


@pays.on("T[m] T[m] T[m] T[m]", removes=2)
def three(a, b, c, d):
    """a*b + a*c + a*d: what comes out is found again"""
    return a * b + a * c + a * d


@pays.on("T[m,n] T[n] T[n]", removes=1)
def deep(a, b, c):
    """a place in the middle of a larger graph"""
    return (c - (a * b + a * c)) * b


@commuted.on("T[m,n] T[m,n] T[m,n]", removes=1)
def right_turned(a, b, c):
    """a*b + c*a"""
    return a * b + c * a


@commuted.on("T[m,n] T[m,n] T[m,n]", removes=1)
def left_turned(a, b, c):
    """b*a + a*c"""
    return b * a + a * c


@commuted.on("T[m,n] T[m,n] T[m,n]", removes=1)
def both_turned(a, b, c):
    """b*a + c*a"""
    return b * a + c * a


@commuted.on("T[m] T[m] T[m] T[m]", removes=2)
def three_turned(a, b, c, d):
    """b*a + a*c + d*a"""
    return b * a + a * c + d * a


# where it does not ----------------------------------------------------------------------------


@users.on("T[m,n] T[m,n] T[m,n]")
def shared(a, b, c):
    """p + a*c, where p = a*b is a result too"""
    p = a * b
    return p + a * c, p


@users.on("T[m] T[m] T[m]")
def second_shared(a, b, c):
    """a*b + q, where q = a*c is a result too"""
    q = a * c
    return a * b + q, q


@users.on("T[m] T[m] T[m]")
def shared_inside(a, b, c):
    """(p + a*c) * p, where p is a*b"""
    p = a * b
    return (p + a * c) * p


@users.on("T[m] T[m]")
def doubled(a, b):
    """p + p, where p is a*b"""
    p = a * b
    return p + p


# where it would not be the same ---------------------------------------------------------------


@others.on("T[m] T[m] T[m] T[m]")
def nothing_common(a, b, c, d):
    """a*b + d*c: no common factor"""
    return a * b + d * c


@others.on("T[m] T[m] T[m]")
def difference(a, b, c):
    """a*b - a*c: a Sub"""
    return a * b - a * c


@others.on(
    "i32[2] i8[2] i8[2]", "i8[2] i8[2] i32[2]", "i8[2] i32[2] i8[2]", "i64[3] u8[3] u8[3]",
    "i64[2] i16[2] i16[2]", "u8[3] u8[3] i32[3]", "f32[3] i16[3] i16[3]",
)  # fmt: skip
def mixed(a, b, c):
    """a*b + a*c, of different dtypes"""
    return a * b + a * c


@floats.on("T[m,n] T[m,n] T[m,n]")
def rounded(a, b, c):
    """a*b + a*c, of floats"""
    return a * b + a * c


@floats.on("T[m] T[m] T[m]")
def rounded_turned(a, b, c):
    """b*a + c*a, of floats"""
    return b * a + c * a


mistakes = (
    Mistake(
        "nothing-rewritten", both(on("nothing-rewritten"), case_of(plain)),
        "Your pass does not rewrite a*b + a*c.",
        "This graph is what the pass is for: integers of one dtype, no product needed elsewhere.",
        "Does `exact` say True here? What it answers stands in the panel of ms.viz.passes.",
    ),
    Mistake(
        "commuted",
        both(on("nothing-rewritten", "leaves-some"),
             case_of(right_turned, left_turned, both_turned, three_turned)),
        "Your pass misses an order of the factors.",
        "The same sum, but the common factor stands on another side of a product. A pattern keeps "
        "the order of the operands.",
        "Each product may stand two ways round. How many sums of two products does that make?",
    ),
    Mistake(
        "one-product", both(on("must-not-match"), case_of(doubled)),
        "Your pass rewrites p + p.",
        "Here both products are one call, whose result is used twice: no call is saved.",
        "Count the calls before and after. How do you see that two operands are one node?",
    ),
    Mistake(
        "another-user", both(on("must-not-match"), case_of(shared, second_shared, shared_inside)),
        "Your pass rewrites although a product has another user.",
        "Somebody else still needs that product, so its Mul stays: no call is saved.",
        "`match.shared` lists the matched calls that something else uses too.",
    ),
    Mistake(
        "dtype-ignored", both(on("other-values"), case_of(mixed)),
        "Your pass ignores that the dtypes differ.",
        "Each call works in the common dtype of its own two operands. A sum or product that wraps "
        "in a narrow dtype does not wrap in a wider one.",
        "Which dtype do a*b, a*c and b + c have here? When are they sure to be one and the same?",
    ),
    Mistake(
        "rounding", both(on("other-values"), case_of(rounded, rounded_turned)),
        "Your pass changes the last digits of floats.",
        "Every float operation rounds. a*b + a*c rounds other numbers than a * (b + c) does.",
        "Which kind of number never rounds? `a.dtype.kind` says it.",
    ),
)  # fmt: skip

hints = (
    "Two separate questions: which sums are meant (four, by the order of the factors), and where "
    "is the new expression the same number, bit by bit, and one call cheaper?",
    "`forms` holds one function per order; all share `factored` and `exact`. `exact` has four "
    "things to refuse: products that others need (`match.shared`), one product twice, dtypes that "
    "differ, dtypes that round. Return a sentence for each.",
    "A sibling, min(a, b) + min(b, a) to 2 * min(a, b), looks for two orders like this:\n\n"
    "forms = [\n"
    "    lambda a, b: ops.Add(ops.Minimum(a, b), ops.Minimum(b, a)),\n"
    "    lambda a, b: ops.Add(ops.Minimum(a, b), ops.Minimum(a, b)),\n"
    "]\n\n"
    "Doubling is exact for floats too, so its condition needs no look at the dtypes.",
)

_RIGHT = "    lambda a, b, c: ops.Add(ops.Mul(a, b), ops.Mul(c, a)),\n"
_LEFT = "    lambda a, b, c: ops.Add(ops.Mul(b, a), ops.Mul(a, c)),\n"
_BOTH = "    lambda a, b, c: ops.Add(ops.Mul(b, a), ops.Mul(c, a)),\n"
_TARGET = "return ops.Mul(a, ops.Add(b, c))"
_SHARED = "match.shared or left is right"
_DTYPES = "if not a.dtype == b.dtype == c.dtype:"
_INTEGERS = 'return a.dtype.kind == "int" or f"{a.dtype} rounds"'

mutants = (
    Mutant("commuted", _RIGHT, "", more=((_LEFT, ""), (_BOTH, ""))),
    Mutant("commuted", _BOTH, ""),
    Mutant("another-user", _SHARED, "left is right"),
    Mutant("another-user", _SHARED, "len(match.shared) > 1 or left is right"),
    Mutant("one-product", _SHARED, "match.shared"),
    Mutant("dtype-ignored", _DTYPES, "if False:"),
    Mutant("dtype-ignored", _DTYPES, "if a.dtype != b.dtype:"),
    Mutant("rounding", _INTEGERS, "return True"),
    Mutant("nothing-rewritten", _INTEGERS, 'return a.dtype.kind == "float"'),
    Mutant("other-values", _TARGET, "return ops.Mul(a, ops.Mul(b, c))"),
    Mutant("other-values", _TARGET, "return ops.Add(ops.Mul(a, b), c)"),
    Mutant("endless", _TARGET, "return ops.Add(ops.Mul(a, b), ops.Mul(a, c))"),
)

variants = {
    "all orders from two loops, another right side": """
def exact(a, b, c, match):
    kinds = {a.dtype, b.dtype, c.dtype}
    products = set(match.root.inputs)
    return not match.shared and len(products) == 2 and kinds == {a.dtype} and a.dtype.kind == "int"

def product(one, other, turned):
    return other * one if turned else one * other

def form(first, second):
    return lambda a, b, c: product(a, b, first) + product(a, c, second)

turns = [(first, second) for first in (0, 1) for second in (0, 1)]
factor_out = ms.graph.rules_pass(
    *[ms.graph.rule(form(*turn), lambda a, b, c: (c + b) * a, exact) for turn in turns],
    name="mine",
)
""",
    "MindSpore's shape": """
class FactorOut(ms.graph.PatternToPatternPass):
    def __init__(self, first, second):
        super().__init__(f"{first} + {second}")
        self.first, self.second = first, second

    def DefineSrcPattern(self, src_pattern):
        src_pattern.AddVar("a").AddVar("b").AddVar("c")
        src_pattern.AddCNode("left", ["Mul", *self.first])
        src_pattern.AddCNode("right", ["Mul", *self.second])
        src_pattern.AddCNode("sum", ["Add", "left", "right"])

    def CheckMatchedDAG(self, pattern_map, func_graph, node):
        dtypes = {pattern_map.Get(name).dtype.name for name in "abc"}
        only = all(pattern_map.Get(name).users == {node: 1} for name in ("left", "right"))
        return only and len(dtypes) == 1 and "Int" in dtypes.pop()

    def DefineDstPattern(self, dst_pattern):
        dst_pattern.AddCNode("inner", ["Add", "b", "c"])
        dst_pattern.AddCNode("outer", ["Mul", "a", "inner"])

factor_out = ms.graph.rules_pass(
    *[FactorOut(p, q).as_rule() for p in ("ab", "ba") for q in ("ac", "ca")], name="mine"
)
""",
    "a function of the graph": """
def product(node, user):
    mul = node.kind == "call" and node.primitive.name == "Mul"
    return mul and set(node.users) == {user} and not node.users[user] > 1

def factor_out(graph, editor):
    again = True
    while again:
        again = any([one(node, editor) for node in graph.order()])

def one(node, editor):
    if node.primitive.name != "Add" or not all(product(each, node) for each in node.inputs):
        return False
    left, right = node.inputs
    operands = [*left.inputs, *right.inputs]
    if len({each.dtype for each in operands}) > 1 or node.dtype.kind != "int":
        return False
    for at, a in enumerate(left.inputs):
        if a in right.inputs:
            b = left.inputs[1 - at]
            c = right.inputs[1 - right.inputs.index(a)]
            inner = editor.add(ops.Add, [b, c], of=node)
            editor.replace(node, editor.add(ops.Mul, [a, inner], of=node))
            return True
    return False
""",
}

exercise = Exercise(
    target="factor_out",
    contract="Rewrite a*b + a*c to a * (b + c), in whichever order the factors stand, where a call "
    "is saved and every value kept.",
    checks=(
        Check("rewrites", "a*b + a*c becomes a*(b + c)", 1, "rewrite", pays, structure.rewritten()),
        Check(
            "commuted", "in whichever order the factors stand", 1,
            "rewrite", commuted, structure.rewritten(), needs=("rewrites",),
        ),
        Check(
            "users", "not where others need a product", 1,
            "rewrite", users, structure.untouched(), needs=("rewrites",),
        ),
        Check(
            "exact", "not where a bit would change", 1,
            "rewrite", joined(others, floats), structure.rewritten(), needs=("rewrites",),
        ),
    ),
    mistakes=mistakes,
    hints=hints,
    mutants=mutants,
    variants=variants,
)  # fmt: skip
