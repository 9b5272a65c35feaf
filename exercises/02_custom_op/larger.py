"""02.larger: the infer functions of a broadcasting op, against what its body really returns."""

from itertools import product

import numpy as np

from ms_ext import dtype as dtypes
from ms_ext.grading import recognise
from ms_ext.grading.drawing import drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.failure import Failure
from ms_ext.grading.layers import promises, values

# pairs of operands -----------------------------------------------------------------------------


def same(draw, m, n):
    """two of one shape"""
    return draw(m, n), draw(m, n)


def row(draw, m, n):
    """a row beside a matrix"""
    return draw(m, n), draw(n)


def column(draw, m, n):
    """a column beside a matrix"""
    return draw(m, n), draw(m, 1)


def turned(draw, m, n):
    """the smaller one first"""
    return draw(n), draw(m, n)


def crossed(draw, m, n):
    """a column and a row: neither has the result's shape"""
    return draw(m, 1), draw(n)


def deep(draw, k, m, n, front=((), (2,))):
    """three axes or four, and two"""
    return draw(*front, k, 1, n), draw(m, 1)


#: In this order a failing case is made smaller: first where the shape or kind alone decides.
KINDS = (
    "f32 f64", "f64 f32", "i32 i8", "i8 i64", "bool f16", "i8 u8", "f16 i16", "i32 f32",
    "f16 f32", "f32 f16", "u8 i8", "bool i32",
)  # fmt: skip
SHORTS = [kind.short for kind in dtypes.DTYPES if kind.name != "BFloat16"]  # NumPy has no such one


def mixed(draw, m, n, kinds=KINDS):
    """two of different dtypes"""
    first, second = kinds.split()
    return draw(m, n, dtype=first), draw(n, dtype=second)


def any_two(draw, n, turn=range(20)):
    """two of any dtypes"""
    first, second = draw.choice(list(product(SHORTS, SHORTS)))
    return draw(n, 1, dtype=first), draw(n, dtype=second)


def unfit(draw, n, way=((1, 1), (3, 1), (0, 1), (1, -1), (3, -1), (0, -1))):
    """sizes that differ, and none of them is 1"""
    apart, turn = way
    return (draw(n + 1), draw(n + 1 + (apart or n + 1)))[::turn]  # 0: twice as many


def unfit_inside(draw, m, n, turn=(1, -1)):
    """the last sizes agree, the ones before them do not"""
    return (draw(m + 1, n), draw(3, m + 2, n))[::turn]


PAIRS = (same, row, column, turned, crossed, deep)
MISFITS = (unfit, unfit_inside)


def refuses(question, words):
    """The op must not take these types."""
    return None if words is not None else Failure("accepts", "Nothing was said against it.")


# typical mistakes ------------------------------------------------------------------------------


def _promise(part):
    """Recognises by ``test(failure, arrays)``, where this part of the promise is wrong."""

    def declare(test):
        def sees(failure):
            wrong = failure.code == part and failure.check.ask == "trace"
            return wrong and test(failure, promises.arrays(failure.question))

        return sees

    return declare


def _refuses(failure):
    """The learner's own line raises it: the first line of the words is that line."""
    own = ": raise " in failure.words.partition("\n")[0]
    return failure.code == "raises" and failure.check.ask == "trace" and own


def _refuses_shapes(failure):
    return _refuses(failure) and failure.check.name != "dtypes"


@_promise("shape")
def _axis_lost(failure, arrays):
    return len(failure.got.shape) < len(failure.expected.shape)


@_promise("shape")
def _shape_of_one(failure, arrays):
    rank = len(failure.expected.shape)
    return failure.got.shape in [(1,) * (rank - each.ndim) + each.shape for each in arrays]


@_promise("shape")
def _matched_from_the_left(failure, arrays):
    rank = len(failure.expected.shape)
    padded = [each.shape + (1,) * (rank - each.ndim) for each in arrays]
    return failure.got.shape == tuple(map(max, *padded))


@_promise("dtype")
def _mindspores_rule(failure, arrays):
    ruled = dtypes.promote(*[dtypes.from_numpy(each.dtype) for each in arrays])
    return failure.got.dtype == ruled.short


@_promise("dtype")
def _dtype_of_one(failure, arrays):
    return failure.got.dtype in _shorts(arrays)


@_promise("dtype")
def _dtype_of_neither(failure, arrays):
    kinds = _shorts(arrays)
    return failure.got.dtype in kinds and failure.expected.dtype not in kinds


def _shorts(arrays):
    return [dtypes.from_numpy(each.dtype).short for each in arrays]


# lines of the reference that the mutants change -------------------------------------------------

ALIGNED = "x, y = [1] * (rank - len(x)) + x, [1] * (rank - len(y)) + y"
LEFT = "x, y = x + [1] * (rank - len(x)), y + [1] * (rank - len(y))"
FROM_THE_END = "x, y = x[::-1], y[::-1]"
REFUSED = 'raise ValueError(f"sizes {m} and {n} do not fit")'
CHOSEN = "return [n if m == 1 else m for m, n in zip(x, y)]"
ASKED = "return ms.dtype.from_numpy(np.result_type(x.numpy, y.numpy))"

exercise = Exercise(
    target="larger",
    contract="The op promises what its body returns, and refuses what cannot be broadcast; both "
    "tensors have at least one axis, and no size is 0.",
    checks=(
        Check("shapes", "the promised shape is the one that the body returns", 1, "trace",
            drawn(*map(promises.types_of, PAIRS)),
            promises.of(np.maximum, "shape")),
        Check("dtypes", "the promised dtype is the one that the body returns", 1, "trace",
            drawn(*map(promises.types_of, (mixed, any_two))), promises.of(np.maximum, "dtype")),
        Check("real", "run, the op gives what it promised", 1, "call",
            drawn(*PAIRS, mixed, dtypes="f32 u8"), values.like(np.maximum),
            needs=("shapes", "dtypes"), inputs="x y"),
        Check("refuses", "sizes that do not fit are refused before the body runs", 1, "refused",
            drawn(*map(promises.types_of, MISFITS)), refuses, needs=("shapes",)),
    ),
    mistakes=(
        Mistake("takes-what-does-not-fit", recognise.on("accepts"),
            "Your op takes shapes that do not fit.",
            "Two sizes fit if they are equal or if one is 1. These are neither: the body is bound "
            "to fail, and by then a whole graph relies on the promise.",
            "Where two sizes do not fit, let larger_shape raise an error that names them."),
        Mistake("refuses-what-fits", _refuses_shapes,
            "Your op refuses two shapes that fit.",
            "The last sizes of both meet first, and 1 fits every size.",
            "Write both shapes one below the other, flush right: which sizes meet?"),
        Mistake("refuses-dtypes", _refuses,
            "Your op refuses two dtypes that go together.",
            "The body takes them: NumPy finds a dtype for every two in this course.",
            "Call larger_body on two small arrays of the dtypes above: what is the result's?"),
        Mistake("axis-lost", _axis_lost,
            "Your promise has fewer axes than the body's result.",
            "The result has as many axes as the longer of the two shapes, whichever input that is.",
            "Which axes of the case above are missing in your promise, and whose are they?"),
        Mistake("shape-of-one-input", _shape_of_one,
            "You promise the shape of one input, whatever the other one is.",
            "Either input can be the one that is stretched, and in one result it can be both.",
            "Which size has the result on each axis of the case above? From which input is it?"),
        Mistake("matched-from-the-left", _matched_from_the_left,
            "Your sizes are matched from the left.",
            "Broadcasting matches the last sizes first; the shorter shape gets its 1s in front.",
            "Write both shapes one below the other, flush right."),
        Mistake("mindspores-rule", _mindspores_rule,
            "You promise the dtype that MindSpore's own ops would give.",
            "The body is NumPy's, and NumPy has a rule of its own: it widens until the numbers of "
            "both inputs fit.",
            "Whom did the chapter ask what NumPy makes of two dtypes?"),
        Mistake("dtype-of-neither", _dtype_of_neither,
            "The result's dtype can be one that neither input has.",
            "Not every number of one dtype fits into the other, so NumPy takes a third one.",
            "Choosing between x and y is not enough here: ask NumPy."),
        Mistake("dtype-of-one-input", _dtype_of_one,
            "You promise the dtype of one input, whatever the other one is.",
            "The body takes both, and NumPy answers in a dtype that holds the numbers of both.",
            "Swap the two inputs of the case above: which dtype does the body return then?"),
    ),
    hints=(
        "Call larger_body itself on np.ones((3, 1), np.int32) and np.ones(4, np.float32), and look "
        "at .shape and .dtype. Then look for a rule that needs the two types alone.",
        "Shape: give the shorter list 1s in front until both are as long, then choose on each "
        "axis. Dtype: turn both into NumPy's, ask NumPy what the two make, and turn that back.",
        "A sibling, np.hstack of two vectors, whose sizes add up:\n\n"
        "def beside_shape(x, y):\n    if len(x) != 1 or len(y) != 1:\n"
        "        raise ValueError(f'two vectors are wanted, not {x} and {y}')\n"
        "    return [x[0] + y[0]]\n\n"
        "def halves_dtype(x):   # of np.true_divide(x, 2)\n"
        "    return ms.dtype.from_numpy(np.true_divide(np.ones(1, x.numpy), 2).dtype)",
    ),
    mutants=(
        Mutant("axis-lost", ALIGNED, "return x"),
        Mutant("axis-lost", ALIGNED, "return y"),
        Mutant("axis-lost", ALIGNED, FROM_THE_END, more=((CHOSEN, CHOSEN + "[::-1]"),)),
        Mutant("shape-of-one-input", CHOSEN, "return x"),
        Mutant("shape-of-one-input", CHOSEN, "return y"),
        Mutant("shape-of-one-input", CHOSEN, "return max(x, y, key=np.prod)"),
        Mutant("refuses-what-fits", ALIGNED, LEFT),
        Mutant("matched-from-the-left", ALIGNED, LEFT,
               more=((REFUSED, "pass"), (CHOSEN, "return [max(m, n) for m, n in zip(x, y)]"))),
        Mutant("refuses-what-fits", "if m != n and 1 not in (m, n)", "if m != n"),
        Mutant("takes-what-does-not-fit", REFUSED, "pass"),
        Mutant("takes-what-does-not-fit", "1 not in (m, n)", "m * n == 0"),
        Mutant("takes-what-does-not-fit", "m != n and 1 not in (m, n)", "max(m, n) % min(m, n)"),
        Mutant("takes-what-does-not-fit", "m != n and 1 not in (m, n)", "1 < m < n"),
        Mutant("takes-what-does-not-fit", "m != n and 1 not in (m, n)", "1 < n < m"),
        Mutant("takes-what-does-not-fit", "if m != n and", "if abs(m - n) == 1 and"),
        Mutant("refuses-dtypes", ASKED, "if x != y:\n        raise TypeError('two')\n    return x"),
        Mutant("dtype-of-one-input", ASKED, "return x"),
        Mutant("dtype-of-one-input", ASKED, "return y"),
        Mutant("dtype-of-neither", ASKED, "return max(x, y, key=lambda kind: kind.size)"),
        Mutant("mindspores-rule", ASKED, "return ms.dtype.promote(x.dtype, y.dtype)"),
        Mutant("dtype", ASKED, "return ms.float64"),
        Mutant("values", "np.maximum(x, y)", "np.minimum(x, y)"),
    ),
    variants={
        "NumPy's own rules": """
larger = ops.Custom(
    larger_body,
    lambda x, y: np.broadcast_shapes(tuple(x), tuple(y)),
    lambda x, y: ms.dtype.from_numpy(np.promote_types(x.numpy, y.numpy)),
)
""",
        "the body asked on empty arrays": """
def _shape(x, y):
    return larger_body(np.empty(x), np.empty(y)).shape

def _dtype(x, y):
    return ms.dtype.from_numpy(larger_body(np.zeros(1, x.numpy), np.zeros(1, y.numpy)).dtype)

larger = ops.Custom(larger_body, out_shape=_shape, out_dtype=_dtype, func_type="pyfunc")
""",
        "from the right, with itertools": """
from itertools import zip_longest

def one_size(a, b):
    if a == b or b == 1:
        return a
    if a == 1:
        return b
    raise TypeError(f"{a} beside {b}")

def aligned(first, second):
    pairs = zip_longest(reversed(first), reversed(second), fillvalue=1)
    return tuple(one_size(a, b) for a, b in pairs)[::-1]

larger = ops.Custom(larger_body, aligned, larger_dtype, "pyfunc")
""",
        "as articles write it, and a function around the op": """
_larger = ops.Custom(
    lambda a, b: np.where(a > b, a, b),
    lambda a, b: np.broadcast_shapes(a.shape, b.shape),
    lambda a, b: ms.dtype.from_numpy(np.result_type(a.dtype.numpy, b.dtype.numpy)),
    func_type="pyfunc",
)

def larger(a, b):
    return _larger(a, b)
""",
    },
)  # fmt: skip
