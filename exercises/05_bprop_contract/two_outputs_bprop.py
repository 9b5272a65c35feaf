"""05.two_outputs_bprop: a published bprop of an op with two outputs, to be repaired."""

import re

import numpy as np

from ms_ext.grading import recognise
from ms_ext.grading.drawing import drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.layers import gradients

INPUTS = ("x", "scale")


def forward(x, scale):
    return x * scale, x * x


def _operands(draw, m, n):
    x, scale = draw(m, n), draw(n)
    return x, scale, forward(x, scale), (draw(m, n), draw(m, n))


def rows(draw, m, n):
    """x with two rows or more"""
    return _operands(draw, m + 1, n)


def row(draw, n):
    """x with one row"""
    return _operands(draw, 1, n)


def zeros(draw, m, n):
    """a zero in x and one in scale"""
    x, scale = draw(m + 1, n), draw(n)
    x[0, 0] = scale[-1] = 0
    return x, scale, forward(x, scale), (draw(m + 1, n), draw(m + 1, n))


def gradient_of(name):
    """Judges the gradient of one input; the other one is taken as right if it is there."""
    which = INPUTS.index(name)

    def judge(question, answer):
        inputs, dout = question.operands[:2], question.operands[-1]
        wanted, reach = gradients.measured(forward, inputs, dout)
        if isinstance(answer, tuple | list) and len(answer) == len(inputs):
            right = [w.astype(i.dtype) for w, i in zip(wanted, inputs, strict=True)]
            right[which] = answer[which]
            answer = tuple(right)
        return gradients.check(answer, inputs, wanted, reach=reach)

    return judge


# what typical mistakes look like ------------------------------------------------------------------


def _raises(*words):
    """The answer raises an error that says one of these."""
    return lambda failure: (
        failure.code == "raises" and any(word in failure.words.lower() for word in words)
    )


def _not_taken_apart(failure):
    """An error about a tuple, or one that was stacked: no tensor here has three axes."""
    stacked = re.search(r"\[\d+, \d+, \d+\]", failure.words)
    misfit = failure.code == "raises" and "do not broadcast" in failure.words and stacked
    return misfit or len(_shape(failure) or ()) == 3 or _raises("tuple", "sequence")(failure)


def _not_summed(failure):
    return _other_axis(failure) and _shape(failure) == failure.operands[0].shape


def _changed_places(failure):
    return failure.code == "gradient-shape" and _shape(failure) == (
        failure.operands[1].shape if "first" in failure.name else failure.operands[0].shape
    )


def _other_axis(failure):
    return failure.code == "gradient-shape" and "second" in failure.name


def _shape(failure):
    return getattr(failure.got, "shape", None)


def _first(formula):
    """The same, where ``formula(x, scale, dout)`` is about the gradient of x alone."""
    sees = recognise.gradient_is(lambda x, scale, out, dout: formula(x, scale, dout))
    return lambda failure: "first" in failure.name and sees(failure)


def _one_output_only(failure):
    formulas = (lambda x, scale, dout: dout[0] * scale, lambda x, scale, dout: dout[1] * 2 * x)
    return any(_first(each)(failure) for each in formulas)


def _without_dout(x, scale, out, dout):
    return scale + 2 * x, np.sum(x, 0)


def _crossed(x, scale, out, dout):
    return x * np.nan, np.sum(dout[1] * x, 0)


mistakes = (
    Mistake("numpy-in-a-graph", recognise.needs_numbers,
        "Your bprop works op by op, but it cannot become part of a graph.",
        "In a compiled function it is called with symbols in place of tensors: they have a shape "
        "and a dtype but no numbers yet. For NumPy or an `if` it is left to Python in every "
        "run, where no pass sees into it; for `ms.grad` not even that helps.",
        "Say the same with tensors' own arithmetic, or with `ops`."),
    Mistake("gradient-none", recognise.on("gradient-none"),
        "A gradient is None.",
        "`None` says that nothing flows back to this input. But an output moves when it moves.",
        "How fast? Derive the formula by this input."),
    Mistake("flattened", _raises("two_outputs_bprop() missing"),
        "Your bprop waits for outputs and douts one by one.",
        "However many outputs an op has, its bprop is called with the inputs, then one `out`, "
        "then one `dout`. With several outputs, these two are tuples.",
        "Mend the line that begins with `def`, then take the tuple apart inside."),
    Mistake("signature", _raises("two_outputs_bprop() takes"),
        "Your bprop cannot be called with `(x, scale, out, dout)`.",
        "It gets all inputs, in order, then `out`, then `dout`: four arguments here.",
        "Compare the line that begins with `def` with this list."),
    Mistake("not-taken-apart", _not_taken_apart,
        "Your bprop computes with a tuple as if it were a tensor.",
        "With two outputs, `out` and `dout` are tuples of two tensors.",
        "Take `dout` apart first: which part belongs to which output?"),
    Mistake("not-summed", _not_summed,
        "The gradient of `scale` is not summed back.",
        "`scale` has one number per column, and each of them was used in every row. The pulls of "
        "all rows add up to one gradient.",
        "Which axis did broadcasting add to `scale`?"),
    Mistake("swapped", _changed_places,
        "A gradient has the shape of the other input.",
        "The first gradient returned belongs to `x`, the second to `scale`.",
        "Follow the shapes in the case above, line by line: which gradient is which?"),
    Mistake("kept-axis", lambda f: _other_axis(f) and _shape(f) == (1, *f.operands[1].shape),
        "A summed axis is still there, with size 1.",
        "`(1, n)` is not `(n,)`: the gradient has exactly its input's shape.",
        "Let the sum drop the axis it sums over, or reshape."),
    Mistake("summed-all", lambda f: _other_axis(f) and _shape(f) == (),
        "The gradient of `scale` is summed over all axes.",
        "`scale` has one number per column, and each of them has a slope of its own.",
        "Which axis must be left after the sum?"),
    Mistake("wrong-axis", _other_axis,
        "The gradient of `scale` is summed over the wrong axis.",
        "What is left after the sum must be the axis that `scale` has: one number per column.",
        "Broadcasting repeated `scale` along the rows: which axis counts the rows?"),
    Mistake("missing-factor", _first(lambda x, scale, dout: dout[0] * scale + dout[1] * x),
        "A factor is missing where `x * x` is walked back.",
        "Your gradient of `x` takes the slope of `x * x` to be `x`. But near 3, `x * x` rises "
        "about 6 times as fast as `x`.",
        "Derive `x * x` on paper, then look at the term with the second dout."),
    Mistake("forgot-output", _one_output_only,
        "One of the outputs sends nothing back to `x`.",
        "`x` was used for both outputs, so it is pulled from both sides.",
        "Which of the two douts does your gradient of `x` not contain?"),
    Mistake("one-dout", _first(lambda x, scale, dout: dout[0] * (scale + 2 * x)),
        "Both outputs are walked back with the same `dout`.",
        "Each output has a dout of its own, at its own place in the tuple.",
        "Which part of `dout` belongs to `x * x`?"),
    Mistake("swapped-douts", _first(lambda x, scale, dout: dout[1] * scale + dout[0] * 2 * x),
        "The two douts have changed places.",
        "`out` and `dout` have the same order: the first dout belongs to `x * scale`, the second "
        "to `x * x`.",
        "Which dout stands beside which derivative in your gradient of `x`?"),
    Mistake("forgot-dout", recognise.gradient_is(_without_dout),
        "`dout` is missing in a gradient.",
        "You return how fast an output rises; the loss rises its dout times as fast.",
        "Every term of these gradients has a dout as a factor. Which of yours has none?"),
    Mistake("crossed", recognise.gradient_is(_crossed),
        "The gradient of `scale` uses the dout of the wrong output.",
        "`scale` was used for one output only, so only that output pulls at it.",
        "Which of the two outputs contains `scale`?"),
    Mistake("divided-by-an-input", recognise.not_finite,
        "A gradient is not a number where an input is 0.",
        "`out` divided by one input is the other one, except where that input is 0: nobody can "
        "tell there what it was multiplied by.",
        "Which input did you take from `out`? It is there under its own name."),
    Mistake("sign", recognise.both(recognise.on("gradient-values"), recognise.negated),
        "A gradient has the wrong sign.",
        "Its numbers are right but for the sign: training walks uphill with this input. The loss "
        "falls at first, because of the other one, then it diverges.",
        "Does `x * scale` rise or fall with `scale` where `x` is positive?"),
)  # fmt: skip

hints = (
    "Write down the four derivatives: of each output by each input. One of them is zero. Then "
    "compare each with its line.",
    "Four things to look at: how the bprop is called, the derivative of `x * x`, the sign, and the "
    "shape of what is returned for `scale`. Check after each repair: the verdict moves on.",
    "A sibling: out1 = x + shift, out2 = x * x * x, shift of shape (n,):\n\n"
    "def sibling_bprop(x, shift, out, dout):\n"
    "    left, right = dout\n"
    "    return left + right * 3.0 * x * x, ops.sum(left, 0)",
)

mutants = (
    Mutant("flattened", "(x, scale, out, dout):\n    dout1, dout2 = dout\n",
           "(x, scale, out1, out2, dout1, dout2):\n"),
    Mutant("signature", "(x, scale, out, dout)", "(x, scale, dout)"),
    Mutant("not-taken-apart", "dout1, dout2 = dout", "dout1 = dout2 = dout"),
    Mutant("missing-factor", "dout2 * 2.0 * x", "dout2 * x"),
    Mutant("sign", "ops.sum(dout1 * x, 0)", "-ops.sum(dout1 * x, 0)"),
    Mutant("not-summed", "ops.sum(dout1 * x, 0)", "dout1 * x"),
    Mutant("wrong-axis", "ops.sum(dout1 * x, 0)", "ops.sum(dout1 * x, 1)"),
    Mutant("summed-all", "ops.sum(dout1 * x, 0)", "ops.sum(dout1 * x)"),
    Mutant("kept-axis", "ops.sum(dout1 * x, 0)", "ops.sum(dout1 * x, 0, True)"),
    Mutant("swapped-douts", "dout1, dout2 = dout", "dout2, dout1 = dout"),
    Mutant("forgot-dout", "return dx, dscale", "return scale + 2.0 * x, ops.sum(x, 0)"),
    Mutant("forgot-dout", "ops.sum(dout1 * x, 0)", "ops.sum(x, 0)"),
    Mutant("divided-by-an-input", "dout1 * scale", "dout1 * out[0] / x"),
    Mutant("divided-by-an-input", "ops.sum(dout1 * x, 0)", "ops.sum(dout1 * out[0], 0) / scale"),
    Mutant("numpy-in-a-graph", "dout1 * scale", "Tensor(dout1.asnumpy() * scale.asnumpy())"),
    Mutant("numpy-in-a-graph", "dout1 * scale", "np.multiply(dout1, scale)"),
    Mutant("not-taken-apart", "return dx, dscale", "return dout * scale + x * dout, dscale"),
    Mutant("not-taken-apart", "return dx, dscale", "return dout * scale, dscale"),
    Mutant("forgot-output", " + dout2 * 2.0 * x", ""),
    Mutant("one-dout", "dout2 * 2.0 * x", "dout1 * 2.0 * x"),
    Mutant("crossed", "ops.sum(dout1 * x, 0)", "ops.sum(dout2 * x, 0)"),
    Mutant("swapped", "return dx, dscale", "return dscale, dx"),
    Mutant("gradient-none", "return dx, dscale", "return dx, None"),
    Mutant("gradient-count", "return dx, dscale", "return (dx,)"),
)  # fmt: skip

variants = {
    "places in the tuple": """
def two_outputs_bprop(x, scale, out, dout):
    return dout[0] * scale + dout[1] * (x + x), ops.sum(dout[0] * x, 0)
""",
    "a tensor's own sum": """
def two_outputs_bprop(x, scale, out, dout):
    scaled, squared = dout
    return [2 * x * squared + scaled * scale, (scaled * x).sum(axis=0)]
""",
    "an object that prints": """
class Both:
    def __call__(self, x, scale, out, dout):
        print(dout)
        terms = []
        terms.append(dout[0] * scale)
        terms.append(dout[1] * (x + x))
        return sum(terms), (dout[0] * x).sum(0)

two_outputs_bprop = Both()
""",
    "one function per output": """
def scaled_back(x, scale, dout):
    return dout * scale, ops.sum(dout * x, 0)

def squared_back(x, dout):
    return dout * 2.0 * x

def two_outputs_bprop(x, scale, outs, douts):
    dx, dscale = scaled_back(x, scale, douts[0])
    return dx + squared_back(x, douts[1]), dscale
""",
}

exercise = Exercise(
    target="two_outputs_bprop",
    contract="Return the gradients of x and of scale, called as (x, scale, out, dout), for the "
    "outputs x * scale and x * x. Tensors' arithmetic or ops, to become part of a graph.",
    checks=(
        Check("x", "the gradient of x, measured", 1, "call",
            drawn(rows, row, zeros, tile=8, dtypes="f32 f64 f16"), gradient_of("x"),
            inputs="x scale out dout"),
        Check("scale", "the gradient of scale, measured", 1, "call",
            drawn(rows, row, zeros, tile=8, dtypes="f32 f64 f16"), gradient_of("scale"),
            inputs="x scale out dout"),
        Check("compiled", "both as part of a graph", 1, "graph",
            drawn(rows, tile=8, dtypes="f32 f16"), gradients.of(forward),
            inputs="x scale out dout", needs=("x", "scale")),
    ),
    mistakes=mistakes, hints=hints, mutants=mutants, variants=variants,
)  # fmt: skip
