"""02.softmax_rows: repair a published fused softmax whose one test cannot see its three mistakes.

Its input is overwritten before it is read again; a float64 buffer changes the dtype of all that
follows; and a result that keeps its last axis is declared without it.
"""

import numpy as np

from ms_ext.grading.drawing import drawn, joined
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.failure import Failure
from ms_ext.grading.layers import values


def reference(x, bias):
    """The softmax of x + bias along its last axis, and the logarithm of the sum it divides by."""
    scores = x + bias
    top = scores.max(-1, keepdims=True)
    total = np.exp(scores - top).sum(-1, keepdims=True)
    return np.exp(scores - top) / total, top + np.log(total)


def rows(draw, m, n):
    """a matrix and a bias"""
    return draw(m, n), draw(n)


def row(draw, n):
    """a single row"""
    return draw(n), draw(n)


def stack(draw, k, m, n):
    """a stack of matrices"""
    return draw(k, m, n), draw(n)


def large(draw, m, n):
    """numbers whose exponential is infinite"""
    x, bias = draw(m, n), draw(n)  # worked out in float64: no dtype overflows here
    far = np.clip(np.rint(values.wide(x) * 500), -50_000, 50_000)
    near = np.clip(np.rint(values.wide(bias) * 10), -5_000, 5_000)
    return far.astype(x.dtype), near.astype(bias.dtype)


# three checks, one per mistake: each looks at its own part of the answer -----------------------


def _pair(answer):
    if isinstance(answer, tuple | list) and len(answer) == 2:
        return None
    return Failure("count", "Two results are wanted, the softmax and the logarithms.", got=answer)


def first_and_dtypes(question, answer):
    """The softmax in full; of the logarithms the dtype."""
    failure = _pair(answer) or values.like(lambda x, b: reference(x, b)[0])(question, answer[0])
    wanted, got = question.operands[0], answer[1] if failure is None else None
    if failure or getattr(got, "dtype", None) == wanted.dtype:
        return failure
    words = f"x is {values.named(wanted)}, the logarithms are {values.named(np.asarray(got))}."
    return Failure("dtype", words, wanted, got, name="second output")


def logarithms(question, answer):
    """The values of the second result, whatever its shape."""
    if failure := _pair(answer):
        return failure
    flat = np.ravel(answer[1])
    return values.like(lambda x, b: reference(x, b)[1].ravel())(question, flat)


def shapes(question, answer):
    """The shape of the second result."""
    wanted = reference(*question.operands)[1]
    got = None if _pair(answer) else answer[1]
    if got is None or np.shape(got) == wanted.shape:
        return _pair(answer)
    words = f"The logarithms have the shape {list(np.shape(got))}, not {list(wanted.shape)}."
    return Failure("shape", words, wanted, np.asarray(got), name="second output")


# what typical mistakes look like ---------------------------------------------------------------


def _returned_a_list(failure):
    """One array came where two are promised, and it is a list that the line returns."""
    one = "The output num is 1, with 2 expect" in failure.words
    return failure.code == "raises" and one


def _float64_inside(failure):
    other = "another dtype than out_dtype" in failure.words and "returned float64" in failure.words
    return failure.code == "raises" and other


def _promised_too_wide(failure):
    return failure.code == "dtype" and _dtype_of(failure.got) == np.float64


def _dtype_of(value):
    return getattr(value, "dtype", None)


def _read_after_overwriting(failure):
    """log(total) without the maximum: what is left when the row's maximum has become 0."""
    if failure.check.name != "logarithms" or failure.code != "values":
        return False
    x, bias = map(values.wide, failure.operands)
    scores = x + bias
    without = np.log(np.exp(scores - scores.max(-1, keepdims=True)).sum(-1))
    return not values.differs(without.ravel(), failure.got).any()


def _axis_dropped(failure):
    if failure.check.name != "shapes" or failure.code != "shape":
        return False
    return np.shape(failure.got) == failure.expected.shape[:-1]


def _not_finite(failure):
    got = failure.got
    return failure.code == "values" and isinstance(got, np.ndarray) and not np.isfinite(got).all()


exercise = Exercise(
    target="softmax_rows",
    contract="The softmax of x + bias in each row, and the logarithm of its sum, for every float; "
    "bias has the dtype of x, and so have both results.",
    checks=(
        Check(
            "softmax", "the softmax in the dtype of x, for every float dtype", 1, "call",
            joined(drawn(rows, row, stack, dtypes="f32 f16 f64"), drawn(large, dtypes="f32 f64")),
            first_and_dtypes, inputs="x bias",
        ),
        Check(
            "logarithms", "the values of the logarithms", 1, "call",
            drawn(rows, row, stack, large, dtypes="f64"), logarithms, inputs="x bias",
        ),
        Check(
            "shapes", "the logarithms keep a last axis of 1", 1, "call",
            drawn(rows, row, stack, dtypes="f64"), shapes, inputs="x bias",
        ),
    ),
    mistakes=(
        Mistake(
            "not-a-tuple", _returned_a_list,
            "The body gives one array where two are promised.",
            "A list counts as one array; return a tuple. If there is one result only, the "
            "logarithms are missing.",
            "What stands behind `return`: `a, b`, or `[a, b]`?",
        ),
        Mistake(
            "float64-inside", _float64_inside,
            "Somewhere inside the body an array of float64 is made.",
            "One is enough: what it is added to or divided by becomes float64 too. On a float64 "
            "input nobody notices.",
            "Which array in the body is not made from x, or which result was not cast back to x's "
            "dtype? Print the dtype of each.",
        ),
        Mistake(
            "float64-declared", _promised_too_wide,
            "Your op gives float64, whatever x is.",
            "The promise and the body agree, but the contract asks for the dtype of x: all that "
            "follows would take twice the memory.",
            "Let the body stay in the dtype of x, and promise that one.",
        ),
        Mistake(
            "read-after-overwriting", _read_after_overwriting,
            "The maximum of each row is missing in the logarithms.",
            "The logarithm of the sum needs it back. An array that was overwritten in the body no "
            "longer holds what it held at the start.",
            "Follow the case above line by line: what does each array hold at the `return`?",
        ),
        Mistake(
            "axis-dropped", _axis_dropped,
            "Your logarithms have lost their last axis of size 1.",
            "The body keeps it, and the promise wins without a word. Without it, x minus the "
            "logarithms no longer takes one logarithm from each row.",
            "Compare the two shapes that are promised with .shape of what the body returns.",
        ),
        Mistake(
            "overflow", _not_finite,
            "Large numbers come out as inf or nan.",
            "The exponential of a large number is infinite. Taking the row's maximum away first "
            "changes no softmax and keeps every exponential at 1 or below.",
            "Which number goes into np.exp in the case above?",
        ),
    ),
    hints=(
        "The one test used float64 and looked at sums of rows. Call the op on float32, then look "
        "at the second result alone: its shape, and its values beside those of "
        "np.log(np.exp(x + bias).sum(-1)).",
        "There are three mistakes: an array that is not made from x, an array that is overwritten "
        "before it is read again, and a promise that is not what the body returns. Mend the first, "
        "then check: the verdict names the next.",
        "A sibling with the same three mistakes mended, each row minus its mean, and the mean:\n\n"
        "def centred_body(x):\n    mean = x.mean(-1, keepdims=True)     # of x's dtype, kept\n"
        "    return x - mean, mean                # a new array: x is still whole\n\n"
        "def centred_shapes(x):\n    return x, x[:-1] + [1]               # what the body returns",
    ),
    mutants=(
        Mutant("float64-inside", "total = weights.sum(-1, keepdims=True)",
               "total = np.zeros((*x.shape[:-1], 1)) + weights.sum(-1, keepdims=True)"),
        Mutant("float64-inside", "scores = x + bias", "scores = x + bias.astype(np.float64)"),
        Mutant("float64-declared", "scores = x + bias", "scores = x + bias.astype(np.float64)",
               more=(("out_dtype=lambda x, bias: (x, x)",
                      "out_dtype=lambda x, bias: (ms.float64, ms.float64)"),)),
        Mutant("read-after-overwriting", "top = scores.max(-1, keepdims=True)",
               "scores -= scores.max(-1, keepdims=True)\n    top = scores.max(-1, keepdims=True)"),
        Mutant("read-after-overwriting", "top + np.log(total)", "np.log(total)"),
        Mutant("axis-dropped", "return x, [*x[:-1], 1]", "return x, x[:-1] + []"),
        Mutant("axis-dropped", "return x, [*x[:-1], 1]", "return x, x[:-1] + []",
               more=(("top + np.log(total)", "(top + np.log(total)).squeeze(-1)"),)),
        Mutant("overflow", "weights = np.exp(scores - top)",
               "top = top * 0\n    weights = np.exp(scores)"),
        Mutant("not-a-tuple", "weights / total, top + np.log(total)",
               "[weights / total, top + np.log(total)]"),
        Mutant("not-a-tuple", "weights / total, top + np.log(total)", "weights / total"),
        Mutant("float64-inside", "scores = x + bias", "scores = x.astype(np.float64) + bias"),
        Mutant("values", "weights / total", "weights / weights.sum()"),
        Mutant("values", "scores = x + bias", "scores = x * 1"),
        Mutant("count", "weights / total, top + np.log(total)", "weights / total",
               more=(("return x, [*x[:-1], 1]", "return x"),
                     ("out_dtype=lambda x, bias: (x, x)", "out_dtype=lambda x, bias: x"))),
    ),
    variants={
        "the published lines, each mended": """
def softmax_body(x, bias):
    total = np.zeros((*x.shape[:-1], 1), x.dtype)
    x += bias
    top = x.max(-1, keepdims=True)
    x -= top
    total += np.exp(x).sum(-1, keepdims=True)
    return np.exp(x) / total, top + np.log(total)

softmax_rows = ops.Custom(softmax_body, softmax_shapes, lambda x, bias: (x, x))
""",
        "cast back at the end": """
def wide_body(x, bias):
    scores = x.astype(np.float64) + bias
    top = scores.max(axis=-1)[..., None]
    total = np.exp(scores - top).sum(axis=-1)[..., None]
    logs = top + np.log(total)
    return np.exp(scores - logs).astype(x.dtype), logs.astype(x.dtype)

softmax_rows = ops.Custom(
    wide_body, lambda x, bias: (x, x[:-1] + [1]), lambda x, bias: (x, x), func_type="pyfunc"
)
""",
        "helpers, tuples and articles' shapes": """
def exponentials(scores):
    top = np.max(scores, axis=-1, keepdims=True)
    return top, np.exp(scores - top)

def body(x, b):
    top, parts = exponentials(np.add(x, b))
    whole = np.sum(parts, axis=-1, keepdims=True)
    return (np.divide(parts, whole), np.log(whole) + top)

softmax_rows = ops.Custom(
    func=body,
    out_shape=lambda *each: (each[0].shape, (*each[0].shape[:-1], 1)),
    out_dtype=lambda *each: (each[0].dtype, each[0].dtype),
    func_type="pyfunc",
)
""",
    },
)  # fmt: skip
