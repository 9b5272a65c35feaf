"""06.as_published: a bprop with the mistakes of a published article, right for some shapes only."""

import numpy as np

from ms_ext.grading import recognise
from ms_ext.grading.drawing import drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.layers import gradients


def forward(x, scale, bias):
    return 2.0 * x, x * x * scale + bias


def _operands(draw, *shape):
    x, scale, bias = draw(*shape), draw(shape[-1]), draw(shape[-1])
    out = tuple(each.astype(x.dtype) for each in forward(x, scale, bias))
    return x, scale, bias, out, (draw(*shape), draw(*shape))


def rows(draw, m, n):
    """x with two rows or more"""
    return _operands(draw, m + 1, n)


def zeros(draw, m, n):
    """a zero in x and one in scale"""
    x, scale, bias, _, dout = _operands(draw, m + 1, n)
    x[0, 0] = scale[-1] = 0
    return x, scale, bias, forward(x, scale, bias), dout


def blocks(draw, k, m, n):
    """x with two axes in front of the columns"""
    return _operands(draw, k + 1, m + 1, n)


def alone(draw, n):
    """x with no axis in front"""
    return _operands(draw, n)


# what typical mistakes look like ------------------------------------------------------------------


def _of(name, formula):
    """The gradient of one input is ``formula(x, scale, bias, first dout, second dout)``."""
    place = ("first", "second", "third").index(name)

    def wrong(x, scale, bias, out, dout):
        found = np.asarray(formula(x, scale, bias, *dout))
        return tuple(found if at == place else np.full(found.shape, np.nan) for at in range(3))

    sees = recognise.gradient_is(wrong)
    return lambda failure: name in failure.name.split() and sees(failure)


def _summed(values):
    return values.reshape(-1, values.shape[-1]).sum(0)


def _mean(values):
    return values.reshape(-1, values.shape[-1]).mean(0)


def _shape_of_row(failure):
    """The shape of the wrong gradient of scale or bias, or None."""
    wrong = failure.code == "gradient-shape" and "first" not in failure.name
    return failure.got.shape if wrong else None


def _not_summed(failure):
    return _shape_of_row(failure) == failure.operands[0].shape


def _kept(failure):
    shape = _shape_of_row(failure)
    return bool(shape) and set(shape[:-1]) == {1}


def _over_all(failure):
    return _shape_of_row(failure) == ()


def _not_taken_apart(failure):
    said = failure.words.lower()
    return failure.code == "raises" and any(word in said for word in ("tuple", "sequence"))


def _averaged(failure):
    formulas = ("second", lambda x, s, b, d1, d2: _mean(d2 * x * x)), (
        "third", lambda x, s, b, d1, d2: _mean(d2))  # fmt: skip
    return any(_of(*each)(failure) for each in formulas)


def _without_dout(failure):
    formulas = (
        ("first", lambda x, s, b, d1, d2: 2.0 + 2.0 * x * s),
        ("second", lambda x, s, b, d1, d2: _summed(x * x)),
        ("third", lambda x, s, b, d1, d2: _summed(np.ones_like(x))),
    )
    return any(_of(*each)(failure) for each in formulas)


def _one_output(failure):
    formulas = (
        lambda x, s, b, d1, d2: d1 * 2.0,
        lambda x, s, b, d1, d2: d2 * 2.0 * x * s,
    )
    return any(_of("first", each)(failure) for each in formulas)


mistakes = (
    Mistake("numpy-in-a-graph", recognise.needs_numbers,
        "Your bprop works op by op, but it cannot become part of a graph.",
        "There it sees symbols, which have a shape and a dtype but no numbers yet.",
        "Say the same with tensors' own arithmetic, or with `ops`."),
    Mistake("gradient-none", recognise.on("gradient-none"),
        "A gradient is None.",
        "`None` says that nothing flows back to this input. But an output moves when it moves.",
        "How fast? Derive the formula by this input."),
    Mistake("not-taken-apart", _not_taken_apart,
        "Your bprop computes with a tuple as if it were a tensor.",
        "With two outputs, `out` and `dout` are tuples of two tensors.",
        "Take `dout` apart first: which part belongs to which output?"),
    Mistake("not-summed", _not_summed,
        "A gradient is not summed back.",
        "`scale` and `bias` have one number per column, used in every row: the pulls add up.",
        "Which axes did broadcasting add?"),
    Mistake("kept-axis", _kept,
        "A summed axis is still there, with size 1.",
        "`(1, n)` is not `(n,)`: the gradient has exactly its input's shape.",
        "Let the sum drop the axes it sums over, or reshape."),
    Mistake("summed-all", _over_all,
        "A gradient is summed over all axes.",
        "`scale` and `bias` have one number per column, and each of them has a slope of its own.",
        "Which axis must be left after the sum?"),
    Mistake("one-axis", lambda f: _shape_of_row(f) is not None,
        "A gradient is right for a matrix and wrong for other shapes.",
        "Broadcasting repeats `scale` and `bias` along all axes in front of the columns: none, one "
        "or several. A sum over axis 0 undoes exactly one.",
        "Check it with an x of shape (2, 3, 4), not only with a matrix."),
    Mistake("missing-factor", _of("first", lambda x, s, b, d1, d2: d1 * 2.0 + d2 * x * s),
        "A factor is missing where x * x is walked back.",
        "It is the factor that the article lost: near 3, x * x rises about 6 times as fast as x.",
        "Derive x * x on paper, then look at the term with the second dout."),
    Mistake("lost-scale", _of("first", lambda x, s, b, d1, d2: d1 * 2.0 + d2 * 2.0 * x),
        "`scale` is missing in the gradient of x.",
        "The second output is x * x times scale: what multiplies a formula multiplies its slope.",
        "Derive x * x * scale by x, with scale as a constant."),
    Mistake("forgot-output", _one_output,
        "One of the outputs sends nothing back to x.",
        "x was used for both outputs, so it is pulled from both sides.",
        "Which of the two douts does your gradient of x not contain?"),
    Mistake("one-dout", _of("first", lambda x, s, b, d1, d2: d1 * (2.0 + 2.0 * x * s)),
        "Both outputs are walked back with the same dout.",
        "Each output has a dout of its own, at its own place in the tuple.",
        "Which part of dout belongs to x * x * scale + bias?"),
    Mistake("swapped-douts", _of("first", lambda x, s, b, d1, d2: d2 * 2.0 + d1 * 2.0 * x * s),
        "The two douts have changed places.",
        "`out` and `dout` have the same order: the first dout belongs to 2 * x.",
        "Which dout stands beside which derivative in your gradient of x?"),
    Mistake("averaged", _averaged,
        "You took a mean where a sum belongs.",
        "A number that is used in ten rows moves the loss through all ten of them.",
        "How far does the loss move if one number of `bias` moves by 1?"),
    Mistake("forgot-dout", _without_dout,
        "`dout` is missing in a gradient.",
        "You return how fast an output rises; the loss rises its dout times as fast.",
        "Every term of these gradients has a dout as a factor. Which of yours has none?"),
    Mistake("crossed", _of("third", lambda x, s, b, d1, d2: _summed(d1)),
        "The gradient of bias uses the dout of the wrong output.",
        "`bias` is part of one output only, so only that output pulls at it.",
        "Which of the two outputs contains `bias`?"),
    Mistake("sign", recognise.both(recognise.on("gradient-values"), recognise.negated),
        "A gradient has the wrong sign.",
        "Its numbers are right but for the sign: training walks uphill with this input. The loss "
        "falls at first, because of the others, then it diverges.",
        "Does the second output rise or fall with `scale`?"),
)  # fmt: skip

hints = (
    "Six derivatives: of each output by each input. Two of them are zero. Write them on paper and "
    "compare line by line; then check with an x of three axes.",
    "A factor, a sign, and an axis. `dout2.reshape(-1, n)` makes one axis of all the axes in front "
    "of the columns, however many there are; then one sum is enough.",
    "A sibling: out1 = -x, out2 = x * x * x + shift, shift of shape (n,), x of shape (..., n):\n\n"
    "def sibling_bprop(x, shift, out, dout):\n"
    "    left, right = dout\n"
    "    dx = -left + right * 3.0 * x * x\n"
    "    return dx, ops.sum(right.reshape(-1, right.shape[-1]), 0)",
)

_SCALE, _BIAS = "ops.sum((dout2 * x * x).reshape(-1, n), 0)", "ops.sum(dout2.reshape(-1, n), 0)"

mutants = (
    Mutant("missing-factor", "dout2 * 2.0 * x * scale", "dout2 * x * scale"),
    Mutant("lost-scale", "dout2 * 2.0 * x * scale", "dout2 * 2.0 * x"),
    Mutant("sign", _SCALE, f"-{_SCALE}"),
    Mutant("one-axis", _SCALE, "ops.sum(dout2 * x * x, 0)"),
    Mutant("one-axis", _BIAS, "ops.sum(dout2, 0)"),
    Mutant("one-axis", _BIAS, "ops.sum(dout2, -1)"),
    Mutant("not-summed", _BIAS, "dout2"),
    Mutant("summed-all", _SCALE, "ops.sum(dout2 * x * x)"),
    Mutant("kept-axis", _BIAS, "ops.sum(dout2.reshape(-1, n), 0, True)"),
    Mutant("averaged", _BIAS, "ops.mean(dout2.reshape(-1, n), 0)"),
    Mutant("swapped-douts", "(dout1, dout2) = dout", "(dout2, dout1) = dout"),
    Mutant("not-taken-apart", "(dout1, dout2) = dout", "dout1 = dout2 = dout"),
    Mutant("one-dout", "dout2 * 2.0 * x * scale", "dout1 * 2.0 * x * scale"),
    Mutant("forgot-output", " + dout2 * 2.0 * x * scale", ""),
    Mutant("forgot-dout", _SCALE, "ops.sum((x * x).reshape(-1, n), 0)"),
    Mutant("crossed", _BIAS, "ops.sum(dout1.reshape(-1, n), 0)"),
    Mutant("numpy-in-a-graph", "dout1 * 2.0", "np.multiply(dout1, 2.0)"),
    Mutant("gradient-none", "return dx, dscale, dbias", "return dx, dscale, None"),
    Mutant("gradient-count", "return dx, dscale, dbias", "return dx, dscale"),
)  # fmt: skip

variants = {
    "a loop over the axes": """
def published_bprop(x, scale, bias, out, dout):
    first, second = dout
    pulled = second * x * x
    while len(second.shape) > 1:
        second, pulled = ops.sum(second, 0), ops.sum(pulled, 0)
    return first + first + (x + x) * dout[1] * scale, pulled, second
""",
    "axes as a tuple": """
def published_bprop(x, scale, bias, out, dout):
    front = tuple(range(x.ndim - 1))

    def back(values):
        return values.sum(front) if front else values

    return [2 * dout[0] + 2 * dout[1] * x * scale, back(dout[1] * x * x), back(dout[1])]
""",
}

_SHOWN = {"judge": gradients.of(forward), "inputs": "x scale bias out dout"}
exercise = Exercise(
    target="published_bprop",
    contract="Return the gradients of x, scale and bias for the outputs 2 * x and "
    "x * x * scale + bias, with any number of axes in front of the columns.",
    checks=(
        Check("gradients", "three gradients, measured", 2, "call",
            drawn(rows, zeros, tile=6, dtypes="f32 f16"), **_SHOWN),
        Check("axes", "any number of axes in front", 1, "call",
            drawn(blocks, alone, tile=4, dtypes="f32 f64"), needs=("gradients",), **_SHOWN),
        Check("compiled", "the same as part of a graph", 1, "graph",
            drawn(rows, tile=6, dtypes="f32 f16"), needs=("gradients",), **_SHOWN),
    ),
    mistakes=mistakes, hints=hints, mutants=mutants, variants=variants,
)  # fmt: skip
