"""02.histogram: a NumPy body whose result has one fixed type, declared as an op."""

import numpy as np

from ms_ext.grading import recognise
from ms_ext.grading.drawing import drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.layers import promises, values


def counts(x):
    """How many elements of x lie in each of eight bins from 0 to 1."""
    return np.histogram(x, bins=8, range=(0, 1))[0].astype(np.int64)


def vector(draw, n):
    """elements on both sides of 0 and 1"""
    return (draw(n),)


def matrix(draw, m, n):
    """a matrix, most of it between 0 and 1"""
    x = draw.positive(m, n)
    return (x / x.dtype.type(2) if x.dtype.kind == "f" else x,)


def cube(draw, k, m, n):
    """three axes"""
    return (draw.positive(k, m, n),)


def _both_results(failure):
    """One is declared and two come, or two are declared."""
    graph_of_both = failure.code == "kind" and failure.check.name == "promise"
    return graph_of_both or _said("The output num is: 2")(failure)


def _said(words):
    return lambda failure: failure.code == "raises" and words in failure.words


exercise = Exercise(
    target="histogram",
    contract="An op that counts the elements of any tensor in eight bins from 0 to 1, declared as "
    "what count_bins returns.",
    checks=(
        Check(
            "promise", "the promised type is the one that the body returns", 1, "trace",
            drawn(*map(promises.types_of, (vector, matrix, cube)), dtypes="f32 f64 f16 i32"),
            promises.of(counts),
        ),
        Check(
            "counts", "run, the op gives the counts", 1, "call",
            drawn(vector, matrix, cube, dtypes="f32 f64 f16 i32"), values.like(counts),
            needs=("promise",), inputs="x",
        ),
    ),
    mistakes=(
        Mistake(
            "both-results", _both_results,
            "More than the counts comes out.",
            "np.histogram gives the counts and the edges of the bins, in a tuple.",
            "The contract asks for the counts alone: let the body return one array.",
        ),
        Mistake(
            "shape-is-no-tuple", _said("'out_shape' must be one of"),
            "out_shape is not a shape.",
            "A shape is a tuple of sizes, even where there is one axis only.",
            "How does Python write a tuple with one number in it?",
        ),
        Mistake(
            "wrong-dtype-declared", recognise.on("dtype"),
            "Your op gives another dtype than `count_bins` of the chapter returns.",
            "A histogram counts. NumPy counts in one integer type, whatever the dtype of x is.",
            "Leave count_bins as it is, call it on a small array and look at the result's dtype.",
        ),
        Mistake(
            "wrong-shape-declared", recognise.on("shape"),
            "Your op gives another shape than `count_bins` of the chapter returns.",
            "How many numbers come out of the body does not depend on the input.",
            "Call count_bins on a small array and on a large one. Compare how many axes, and how "
            "many numbers, the body's result has.",
        ),
    ),
    hints=(
        "Which part of the result's type depends on the input: the shape, the dtype, both, none?",
        "Where nothing depends on the input, out_shape is a tuple and out_dtype a dtype, not "
        "functions. Run the body on an array of your own and read .shape and .dtype of the result.",
        "A sibling, the smallest and the largest element of a float32 tensor of any shape:\n\n"
        "def ends_body(x):\n    return np.array([x.min(), x.max()])\n\n"
        "ends = ops.Custom(ends_body, out_shape=(2,), out_dtype=ms.float32, func_type='pyfunc')",
    ),
    mutants=(
        Mutant("wrong-dtype-declared", "out_dtype=ms.int64", "out_dtype=ms.float32"),
        Mutant("wrong-dtype-declared", "out_dtype=ms.int64", "out_dtype=ms.int32"),
        Mutant("wrong-dtype-declared", "out_dtype=ms.int64", "out_dtype=lambda x: x"),
        Mutant("wrong-shape-declared", "out_shape=(8,)", "out_shape=(9,)"),
        Mutant("wrong-shape-declared", "out_shape=(8,)", "out_shape=lambda x: x"),
        Mutant("wrong-shape-declared", "out_shape=(8,)", "out_shape=(8, 1)"),
        Mutant("shape-is-no-tuple", "out_shape=(8,)", "out_shape=8"),
        Mutant("wrong-shape-declared", "out_shape=(8,)", "out_shape=(1, 8)"),
        Mutant("wrong-dtype-declared", "return counts", "return counts.astype(np.int32)",
               more=(("out_dtype=ms.int64", "out_dtype=ms.int32"),)),
        Mutant("both-results", "return counts", "return counts, edges"),
        Mutant("both-results", "return counts", "return counts, edges",
               more=(("out_shape=(8,)", "out_shape=((8,), (9,))"),
                     ("out_dtype=ms.int64", "out_dtype=(ms.int64, ms.float64)"))),
        Mutant("values", "range=(0, 1)", "range=(x.min(), x.max())"),
        Mutant("values", "return counts", "return counts[::-1]"),
    ),
    variants={
        "functions that answer the same for every input": """
histogram = ops.Custom(count_bins, lambda x: [8], lambda x: ms.int64, "pyfunc")
""",
        "a body of their own": """
def in_bins(values):
    inside = values[(values >= 0) & (values <= 1)].astype(np.float64)
    places = np.minimum((inside * 8).astype(int), 7)
    return np.bincount(places.ravel(), minlength=8).astype(np.int64)

histogram = ops.Custom(in_bins, out_shape=(8,), out_dtype=ms.int64)
""",
        "the class by its own name": """
import numpy
from ms_ext import dtype
from ms_ext.ops import Custom

def body(x):
    return numpy.histogram(x, 8, (0.0, 1.0))[0]

histogram = Custom(func=body, out_dtype=dtype.int64, out_shape=(8,), func_type="pyfunc")
""",
        "a function around the op": """
_op = ops.Custom(count_bins, (8,), ms.int64)

def histogram(x):
    return _op(x)
""",
    },
)  # fmt: skip
