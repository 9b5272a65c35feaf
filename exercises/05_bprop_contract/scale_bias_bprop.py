"""05.scale_bias_bprop: the gradients of x * scale + bias, summed back to the inputs' shapes."""

import numpy as np

from ms_ext.grading import recognise
from ms_ext.grading.drawing import drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.layers import gradients


def forward(x, scale, bias):
    return x * scale + bias


def _operands(draw, *shape):
    x, scale, bias = draw(*shape), draw(shape[-1]), draw(shape[-1])
    return x, scale, bias, x * scale + bias, draw(*shape)


def rows(draw, m, n):
    """x with two rows or more"""
    return _operands(draw, m + 1, n)


def row(draw, n):
    """x with one row"""
    return _operands(draw, 1, n)


def alone(draw, n):
    """x with no axis in front"""
    return _operands(draw, n)


def blocks(draw, k, m, n):
    """x with two axes in front"""
    return _operands(draw, k + 1, m + 1, n)


# what typical mistakes look like ------------------------------------------------------------------


def _broadcast_input(failure):
    """The gradient of scale or of bias has the wrong shape; what its shape is."""
    wrong = failure.code == "gradient-shape" and "first" not in failure.name
    return failure.got.shape if wrong else None


def _not_summed(failure):
    return _broadcast_input(failure) == failure.operands[-1].shape


def _kept(failure):
    shape = _broadcast_input(failure)
    return shape is not None and shape[:-1] and set(shape[:-1]) == {1}


def _over_all(failure):
    return _broadcast_input(failure) == ()


def _other_axes(failure):
    return _broadcast_input(failure) is not None


def _summed(values):
    return values.reshape(-1, values.shape[-1]).sum(0)


def _averaged(x, scale, bias, out, dout):
    return dout * scale, _mean(dout * x), _mean(dout)


def _mean(values):
    return values.reshape(-1, values.shape[-1]).mean(0)


def _without_dout(x, scale, bias, out, dout):
    return np.broadcast_to(scale, x.shape), _summed(x), _summed(np.ones_like(x))


def _ones(x, scale, bias, out, dout):
    return np.ones_like(x), np.ones_like(scale), np.ones_like(bias)


def _dout_forgotten(failure):
    return any(recognise.gradient_is(each)(failure) for each in (_without_dout, _ones))


def _without_factor(x, scale, bias, out, dout):
    return dout, np.full_like(scale, np.nan), np.full_like(bias, np.nan)


def _bias_for_scale(x, scale, bias, out, dout):
    return np.full_like(x, np.nan), _summed(dout), np.full_like(bias, np.nan)


mistakes = (
    Mistake(
        "numpy-in-a-graph", recognise.needs_numbers,
        "Your bprop works op by op, but it cannot become part of a graph.",
        "In a compiled function it is called with symbols in place of tensors: they have a shape "
        "and a dtype but no numbers yet. For NumPy or an `if` it is left to Python in every "
        "run, where no pass sees into it; for `ms.grad` not even that helps.",
        "Say the same with tensors' own arithmetic, or with `ops`.",
    ),
    Mistake(
        "gradient-none", recognise.on("gradient-none"),
        "A gradient is None.",
        "`None` says that nothing flows back to this input. But `out` moves when it moves.",
        "How fast? Derive the formula by this input.",
    ),
    Mistake(
        "not-summed", _not_summed,
        "A gradient is not summed back.",
        "The forward op used one number of `scale` and `bias` in every row. Each use pulls at it, "
        "and the pulls add up to one gradient per number.",
        "Which axes did broadcasting add? Those are the ones to sum over.",
    ),
    Mistake(
        "kept-axis", _kept,
        "A summed axis is still there, with size 1.",
        "`(1, n)` is not `(n,)`: the gradient has exactly its input's shape.",
        "Let the sum drop the axes it sums over, or reshape.",
    ),
    Mistake(
        "summed-all", _over_all,
        "The gradient is summed over all axes.",
        "`scale` and `bias` have one number per column, and each of them has a slope of its own. "
        "Note that `ops.sum` with an empty tuple of axes sums over all of them.",
        "Which axis must be left after the sum?",
    ),
    Mistake(
        "wrong-axis", _other_axes,
        "A gradient is summed over other axes than broadcasting added.",
        "Broadcasting repeats `scale` and `bias` along all axes in front of the last one: none, "
        "one or several of them.",
        "Print the shapes of `dout`, of your sum, and of `scale` for this case.",
    ),
    Mistake(
        "averaged", recognise.gradient_is(_averaged),
        "You took a mean where a sum belongs.",
        "A number that is used in ten rows moves the loss through all ten of them, not through a "
        "tenth of each.",
        "How far does the loss move if one number of `bias` moves by 1?",
    ),
    Mistake(
        "forgot-dout", _dout_forgotten,
        "`dout` is missing in a gradient.",
        "You return how fast `out` rises; the loss rises `dout` times as fast, element by element.",
        "Every gradient of this op has a factor `dout`. Which of yours has none?",
    ),
    Mistake(
        "bias-for-scale", recognise.gradient_is(_bias_for_scale),
        "The gradient of `scale` is the one that belongs to `bias`.",
        "It is the sum of `dout`: right for what is added. But `scale` is multiplied. The shapes "
        "are the same, so nothing but the values can tell.",
        "Have two gradients changed places, or does one of them lack a factor?",
    ),
    Mistake(
        "missing-factor", recognise.gradient_is(_without_factor),
        "A factor is missing in the gradient of `x`: it is `dout` alone.",
        "`x` and `scale` multiply each other, so each of them is the other's slope.",
        "Derive `x * scale + bias` by this input on paper, with the others as constants.",
    ),
    Mistake(
        "sign", recognise.both(recognise.on("gradient-values"), recognise.negated),
        "A gradient has the wrong sign.",
        "Its numbers are right but for the sign: training walks uphill with this input. It is the "
        "mistake that made a published op diverge.",
        "Does `x * scale + bias` rise or fall with this input where the other factor is positive?",
    ),
)  # fmt: skip

hints = (
    "Three formulas first, for one single number `x`. Then ask of each input: in how many places "
    "was one number of it used?",
    "Multiply in the shape of `dout`, then sum over every axis but the last. "
    "`dout.reshape(-1, n)` makes one axis of all the axes in front, however many there are.",
    "A sibling: out = x * row, with x of shape (..., n) and one number per row, row of shape "
    "(..., 1). Broadcasting repeats row along the last axis:\n\n"
    "def row_bprop(x, row, out, dout):\n"
    "    return dout * row, ops.sum(dout * x, -1, True)",
)

_LAST = "return dout * scale, ops.sum(pulled, 0), ops.sum(columns, 0)"

mutants = (
    Mutant("not-summed", _LAST, "return dout * scale, dout * x, dout"),
    Mutant("not-summed", _LAST, "return dout * scale, ops.sum(pulled, 0), dout"),
    Mutant("kept-axis", _LAST,
           "return dout * scale, ops.sum(pulled, 0, True), ops.sum(columns, 0)"),
    Mutant("summed-all", _LAST, "return dout * scale, ops.sum(pulled), ops.sum(columns)"),
    Mutant("wrong-axis", _LAST, "return dout * scale, ops.sum(pulled, 1), ops.sum(columns, 1)"),
    Mutant("wrong-axis", _LAST, "return dout * scale, ops.sum(dout * x, 0), ops.sum(dout, 0)"),
    Mutant("summed-all", _LAST,
           "front = tuple(range(x.ndim - 1))\n    "
           "return dout * scale, ops.sum(dout * x, front), ops.sum(dout, front)"),
    Mutant("numpy-in-a-graph", "(dout * x)", "Tensor(dout.asnumpy() * x.asnumpy())"),
    Mutant("numpy-in-a-graph", "(dout * x).reshape", "np.multiply(dout, x).reshape"),
    Mutant("averaged", _LAST, "return dout * scale, ops.mean(pulled, 0), ops.mean(columns, 0)"),
    Mutant("forgot-dout", _LAST, "return dout * scale, ops.sum(pulled, 0), ops.ones_like(bias)"),
    Mutant("forgot-dout", "(dout * x).reshape", "x.reshape"),
    Mutant("forgot-dout", _LAST, "return scale + 0 * x, ops.sum(pulled, 0), ops.sum(columns, 0)"),
    Mutant("bias-for-scale", "(dout * x).reshape", "dout.reshape"),
    Mutant("bias-for-scale", _LAST, "return dout * scale, ops.sum(columns, 0), ops.sum(pulled, 0)"),
    Mutant("missing-factor", "dout * scale", "dout"),
    Mutant("sign", "ops.sum(pulled, 0)", "-ops.sum(pulled, 0)"),
    Mutant("gradient-none", _LAST, "return dout * scale, ops.sum(pulled, 0), None"),
    Mutant("gradient-count", _LAST, "return dout * scale, ops.sum(pulled, 0)"),
)  # fmt: skip

variants = {
    "axes in front, one after the other": """
from ms_ext import ops

def scale_bias_bprop(x, scale, bias, out, dout):
    dscale, dbias = dout * x, dout
    while len(dbias.shape) > 1:
        dscale, dbias = ops.sum(dscale, 0), ops.sum(dbias, 0)
    return dout * scale, dscale, dbias
""",
    "a helper that sums back": """
def summed_back(gradient, like):
    front = tuple(range(gradient.ndim - like.ndim))
    return gradient.sum(front) if front else gradient

def scale_bias_bprop(x, scale, bias, out, dout):
    return dout * scale, summed_back(dout * x, scale), summed_back(dout, bias)
""",
    "tensor methods": """
def scale_bias_bprop(a, s, b, o, g):
    n = s.shape[0]
    return (g * s, (g * a).reshape(-1, n).sum(axis=0), g.reshape(-1, n).sum(axis=0))
""",
    "an object that prints and appends": """
class ScaleBias:
    def __call__(self, x, scale, bias, out, dout):
        print("dout", dout)
        gradients = [dout * scale]
        for pulled in (dout * x, dout):
            gradients.append(pulled.reshape(-1, int(np.prod(scale.shape))).sum(0))
        return gradients

scale_bias_bprop = ScaleBias()
""",
    "matrix products": """
from ms_ext import ops

def scale_bias_bprop(x, scale, bias, out, dout):
    n = x.shape[-1]
    flat = dout.reshape(-1, n)
    ones = ops.ones_like(flat[:, :1])
    dbias = (ones.T @ flat).reshape(n)
    dscale = (ones.T @ (flat * x.reshape(-1, n))).reshape(n)
    return dout * scale, dscale, dbias
""",
}

exercise = Exercise(
    target="scale_bias_bprop",
    contract="Return the gradients of x * scale + bias, each of its input's shape, all of one "
    "dtype, for x of shape (..., n). Use tensors' arithmetic or ops, so that it can become part of "
    "a graph.",
    checks=(
        Check(
            "gradients", "three gradients for x with rows, measured", 2, "call",
            drawn(rows, row, tile=8, dtypes="f32 f64 f16"), gradients.of(forward),
            inputs="x scale bias out dout",
        ),
        Check(
            "axes", "any number of axes in front", 1, "call",
            drawn(blocks, alone, tile=4, dtypes="f32 f64"), gradients.of(forward),
            inputs="x scale bias out dout", needs=("gradients",),
        ),
        Check(
            "compiled", "the same as part of a graph", 1, "graph",
            drawn(rows, tile=8, dtypes="f32 f16"), gradients.of(forward),
            inputs="x scale bias out dout", needs=("gradients",),
        ),
    ),
    mistakes=mistakes, hints=hints, mutants=mutants, variants=variants,
)  # fmt: skip
