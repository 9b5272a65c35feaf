"""12.undo_add: a published pass for (x + y) - y that never ends, and what else is wrong with it."""

from ms_ext.grading.drawing import joined
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.graph_cases import Graphs
from ms_ext.grading.layers import structure
from ms_ext.grading.recognise import both, case_of, on

INTEGERS = "i32 i8 i64 u8"
pays, commuted, shared = Graphs(INTEGERS), Graphs(INTEGERS), Graphs(INTEGERS)
others, floats = Graphs(INTEGERS), Graphs("f32 f64 f16")

# where it saves calls -------------------------------------------------------------------------


@pays.on("T[m,n] T[m,n]", "T[m,n] T[n]", "T[] T[]", removes=2)
def there(x, y):
    """(x + y) - y"""
    return (x + y) - y


@pays.on("T[m] T[m]", removes=2)
def deep(x, y):
    """a place in the middle of a larger graph"""
    return ((x * y + y) - y) + y


@pays.on("T[m] T[m] T[m]", removes=4)
def twice(x, y, z):
    """(((x + y) - y) + z) - z"""
    return (((x + y) - y) + z) - z


@commuted.on("T[m,n] T[m,n]", "T[m,n] T[n]", removes=2)
def turned(x, y):
    """(y + x) - y"""
    return (y + x) - y


@shared.on("T[m] T[m]", removes=1)
def taken_apart(x, y):
    """s - y and s - x, where s is x + y"""
    s = x + y
    return s - y, s - x


@shared.on("T[m,n] T[m,n]", removes=1)
def needed(x, y):
    """s - y, where s = x + y is a result too"""
    s = x + y
    return s - y, s


@shared.on("T[m] T[m]", removes=1)
def needed_inside(x, y):
    """(s - y) * s, where s is x + y"""
    s = x + y
    return (s - y) * s


# where it must not rewrite --------------------------------------------------------------------


@others.on("T[m,n] T[m,n] T[m,n]", "T[m] T[m] T[m]")
def third(x, y, z):
    """(x + y) - z"""
    return (x + y) - z


@others.on("T[m] T[m]")
def from_the_other_side(x, y):
    """y - (x + y)"""
    return y - (x + y)


@others.on("T[m] T[m]")
def once_more(x, y):
    """(x + y) + y"""
    return (x + y) + y


@others.on("T[n] T[m,n]", "i8[2] i32[2]")
def wider(x, y):
    """(x + y) - y, where x has another type than the result"""
    return (x + y) - y


@floats.on("T[m,n] T[m,n]")
def rounded(x, y):
    """(x + y) - y, of floats"""
    return (x + y) - y


@floats.on("T[m] T[m]", "f32[3] i32[3]")
def rounded_turned(x, y):
    """(y + x) - y, of floats"""
    return (y + x) - y


# what typical mistakes look like --------------------------------------------------------------


def _other_type(failure):
    return case_of(wider)(failure) and failure.code in ("raises", "invalid", "interface")


mistakes = (
    Mistake(
        "endless",
        on("endless"),
        "Your pass never ends.",
        "What a rule writes is looked at again. A rule that turns a sum around finds a sum again.",
        "A rule that only turns things cannot stay. How did `less` catch both orders of a sum?",
    ),
    Mistake(
        "commuted",
        both(on("nothing-rewritten", "leaves-some"), case_of(turned)),
        "Your pass misses (y + x) - y.",
        "The same sum the other way round. A pattern keeps the order of the operands.",
        "One rule per order: what is the second one?",
    ),
    Mistake(
        "other-type",
        _other_type,
        "Your pass puts a value of another type in the result's place.",
        "Who used the result was typed for the wider value.",
        "x is narrower than (x + y) - y here: compare `x.abstract` with that of the Sub.",
    ),
    Mistake(
        "another-value",
        both(on("other-values"), case_of(third, turned, taken_apart)),
        "Your pass does not look which value is subtracted.",
        "It takes any Sub of an Add, and gives back the first operand of that Add.",
        "How does a pattern say that the same value must stand in two places?",
    ),
    Mistake(
        "too-careful",
        both(on("nothing-rewritten", "leaves-some"), case_of(needed, needed_inside, taken_apart)),
        "Your pass leaves a place where a call could be saved.",
        "Add has another user and stays, but Sub goes, and nothing new is written in its place.",
        "Count the calls before and after here. Is a shared call a reason to refuse?",
    ),
    Mistake(
        "rounding",
        both(on("other-values"), case_of(rounded, rounded_turned)),
        "Your pass changes floats.",
        "x + y is rounded to the digits that a float has; what is lost of x does not come back.",
        "For which dtypes is (x + y) - y always x? `x.dtype.kind` is known in `harmless`.",
    ),
)

hints = (
    "Ask four questions of the program: does it end? does it find both orders? does it find only "
    "what it should? does it refuse for the right reasons?",
    "Replace the turning rule by a second pattern. A variable that stands twice must be the same "
    "value. Then count: which calls go when Add has another user? And try 1e8 and 1.0 in float32.",
    "A sibling, max(max(x, y), y) to max(x, y), has two orders and two rules:\n\n"
    "keep = lambda x, y: ops.Maximum(x, y)\n"
    "ms.graph.rule(lambda x, y: ops.Maximum(ops.Maximum(x, y), y), keep)\n"
    "ms.graph.rule(lambda x, y: ops.Maximum(ops.Maximum(y, x), y), keep)\n\n"
    "It rounds nothing, so floats are welcome, and the outer call is saved whoever uses the "
    "inner one.",
)

# the proof ------------------------------------------------------------------------------------

_THERE = "def there_and_back(x, y):\n    return ops.Sub(ops.Add(x, y), y)"
_BACK = "    ms.graph.rule(back_and_there, nothing, harmless),\n"
_HARMLESS = 'return x.dtype.kind == "int" or'
_WHEN_SHARED = 'if match.shared:\n        return "Add is needed elsewhere"\n    '
_TURN = "    ms.graph.rule(lambda x, y: x + y, lambda x, y: y + x),\n"

_BY_HAND = """
def undo_add(graph, editor):
    for node in graph.order():
        add = node.inputs[0]
        if node.primitive.name == "Sub" and add.kind == "call" and add.primitive.name == "Add":
            x, y = add.inputs if node.inputs[1] is add.inputs[1] else add.inputs[::-1]
            if y is node.inputs[1] and x.dtype.kind == "int":
                editor.replace(node, x)

before = ms.graph.rules_pass("""

mutants = (
    Mutant("other-type", "undo_add = ms.graph.rules_pass(", _BY_HAND),
    Mutant("endless", _BACK, _TURN),
    Mutant(
        "another-value",
        _THERE,
        "def there_and_back(x, y, z):\n    return ops.Sub(ops.Add(x, y), z)",
    ),
    Mutant("too-careful", _HARMLESS, f"{_WHEN_SHARED}{_HARMLESS}"),
    Mutant("rounding", _HARMLESS, "return True or"),
    Mutant("commuted", _BACK, ""),
    Mutant("other-values", "def nothing(x):\n    return x", "def nothing(x, y):\n    return y"),
)

variants = {
    "operators, and a shorter condition": """
def whole(x, y):
    return x.dtype.kind == "int" and y.dtype.kind == "int"

def just_x(x, y):
    return x

undo_add = ms.graph.rules_pass(
    ms.graph.rule(lambda x, y: (x + y) - y, just_x, whole),
    ms.graph.rule(lambda x, y: (y + x) - y, just_x, whole),
    name="mine",
)
""",
    "a loop over the two orders, one dtype only": """
def order(left):
    def form(x, y):
        return ops.sub(ops.add(x, y) if left else ops.add(y, x), y)
    return form

def exact(x, y):
    return (x.dtype == y.dtype and "Int" in x.dtype.name) or "not the same integers"

undo_add = ms.graph.rules_pass(
    *[ms.graph.rule(order(left), lambda x: x, exact) for left in (True, False)], name="mine"
)
""",
    "MindSpore's shape": """
class UndoAdd(ms.graph.PatternToPatternPass):
    def __init__(self, name, *operands):
        super().__init__(name)
        self.operands = operands

    def DefineSrcPattern(self, src_pattern):
        src_pattern.AddVar("x").AddVar("y").AddCNode("add", ["Add", *self.operands])
        src_pattern.AddCNode("sub", ["Sub", "add", "y"])

    def CheckMatchedDAG(self, pattern_map, func_graph, node):
        return pattern_map.Get("x").dtype.kind == "int"

    def DefineDstPattern(self, dst_pattern):
        dst_pattern.AddValueNode("out", ms.graph.InplaceValueFunc("x"))

undo_add = ms.graph.rules_pass(
    UndoAdd("there", "x", "y").as_rule(), UndoAdd("back", "y", "x").as_rule(), name="mine"
)
""",
    "a function of the graph": """
def undo_add(graph, editor):
    for node in graph.order():
        left = node.inputs[0]
        if node.primitive.name == "Sub" and left.kind == "call" and left.primitive.name == "Add":
            y, (one, other) = node.inputs[1], left.inputs
            x = one if other is y else other
            same = x.abstract is node.abstract and x.dtype.kind == "int"
            if same and y in left.inputs:
                editor.replace(node, x)
""",
}

exercise = Exercise(
    target="undo_add",
    contract="(x + y) - y and (y + x) - y become x, wherever that saves a call and keeps every "
    "value. Where x and y differ in dtype, it may stay.",
    checks=(
        Check("rewrites", "(x + y) - y becomes x", 0.5, "rewrite", pays, structure.rewritten()),
        Check(
            "commuted", "and so does (y + x) - y", 0.5,
            "rewrite", commuted, structure.rewritten(), needs=("rewrites",),
        ),
        Check(
            "shared", "also where others need the sum", 1,
            "rewrite", shared, structure.rewritten(), needs=("rewrites",),
        ),
        Check(
            "keeps", "and nowhere else: every value is kept", 1,
            "rewrite", joined(others, floats), structure.rewritten(), needs=("rewrites",),
        ),
    ),
    mistakes=mistakes,
    hints=hints,
    mutants=mutants,
    variants=variants,
)  # fmt: skip
