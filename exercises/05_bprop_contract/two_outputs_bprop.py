"""05.two_outputs_bprop: a published bprop of an op with two outputs, to be repaired."""

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


def gradient_of(name):
    """Judges the gradient of one input; the other one is taken as right if it is there."""
    which = INPUTS.index(name)

    def judge(question, answer):
        inputs, dout = question.operands[:2], question.operands[-1]
        wanted = gradients.differences(forward, inputs, dout)
        if isinstance(answer, tuple | list) and len(answer) == len(inputs):
            right = [w.astype(i.dtype) for w, i in zip(wanted, inputs, strict=True)]
            right[which] = answer[which]
            answer = tuple(right)
        return gradients.check(answer, inputs, wanted)

    return judge


# what typical mistakes look like ------------------------------------------------------------------


def _raises(*words):
    """The answer raises an error that says one of these."""
    return lambda failure: (
        failure.code == "raises" and any(word in failure.words.lower() for word in words)
    )


def _not_summed(failure):
    shape = failure.operands[0].shape
    return (
        failure.code == "gradient-shape" and "second" in failure.name and _shape(failure) == shape
    )


def _changed_places(failure):
    return failure.code == "gradient-shape" and _shape(failure) == (
        failure.operands[1].shape if "first" in failure.name else failure.operands[0].shape
    )


def _other_axis(failure):
    return failure.code == "gradient-shape" and "second" in failure.name


def _shape(failure):
    return getattr(failure.got, "shape", None)


def _without_two(x, scale, out, dout):
    return dout[0] * scale + dout[1] * x


def _first_output_only(x, scale, out, dout):
    return dout[0] * scale


def _second_output_only(x, scale, out, dout):
    return dout[1] * 2 * x


def _one_dout(x, scale, out, dout):
    return dout[0] * (scale + 2 * x)


def _values(formula):
    """The values are those of this wrong formula, not only the shape or the dtype."""
    return recognise.both(recognise.on("gradient-values"), recognise.equals(formula))


def _first(formula):
    """``formula`` computes the gradient of x; the one of scale is never equal to it."""
    sees = _values(formula)
    return lambda failure: "first" in failure.name and sees(failure)


def _crossed(x, scale, out, dout):
    return np.full_like(x, np.nan), np.sum(dout[1] * x, 0)


mistakes = (
    Mistake(
        "gradient-none",
        recognise.on("gradient-none"),
        "A gradient is None.",
        "`None` says that nothing flows back to this input. But an output moves when it moves.",
        "How fast? Derive the formula by this input.",
    ),
    Mistake(
        "flattened",
        _raises("two_outputs_bprop() missing"),
        "Your bprop waits for outputs and douts one by one.",
        "However many outputs an op has, its bprop is called with the inputs, then **one** `out`, "
        "then **one** `dout`. With several outputs, these two are tuples.",
        "Mend the line that begins with `def`, then take the tuple apart inside.",
    ),
    Mistake(
        "signature",
        _raises("two_outputs_bprop() takes"),
        "Your bprop cannot be called with `(x, scale, out, dout)`.",
        "It gets all inputs, in order, then `out`, then `dout`: four arguments here.",
        "Compare the line that begins with `def` with this list.",
    ),
    Mistake(
        "not-taken-apart",
        _raises("tuple", "sequence"),
        "Your bprop computes with a tuple as if it were a tensor.",
        "With two outputs, `out` and `dout` are tuples of two tensors.",
        "Take `dout` apart first: which part belongs to which output?",
    ),
    Mistake(
        "not-summed",
        _not_summed,
        "The gradient of `scale` is not summed back.",
        "`scale` has one number per column, and each of them was used in every row. The pulls of "
        "all rows add up to one gradient.",
        "Which axis did broadcasting add to `scale`?",
    ),
    Mistake(
        "swapped",
        _changed_places,
        "A gradient has the shape of the other input.",
        "The first gradient returned belongs to `x`, the second to `scale`.",
        "Follow the shapes in the case above, line by line: which gradient is which?",
    ),
    Mistake(
        "wrong-axis",
        _other_axis,
        "The gradient of `scale` is summed over the wrong axis.",
        "What is left after the sum must be the axis that `scale` has: one number per column.",
        "Broadcasting repeated `scale` along the rows: which axis counts the rows?",
    ),
    Mistake(
        "missing-factor",
        _first(_without_two),
        "A factor is missing where `x * x` is walked back.",
        "Your gradient of `x` takes the slope of `x * x` to be `x`. But near 3, `x * x` rises "
        "about 6 times as fast as `x`.",
        "Derive `x * x` on paper, then look at the term with the second dout.",
    ),
    Mistake(
        "forgot-output",
        lambda f: _first(_first_output_only)(f) or _first(_second_output_only)(f),
        "One of the outputs sends nothing back to `x`.",
        "`x` was used for both outputs, so it is pulled from both sides.",
        "Which of the two douts does your gradient of `x` not contain?",
    ),
    Mistake(
        "one-dout",
        _first(_one_dout),
        "Both outputs are walked back with the same `dout`.",
        "Each output has a dout of its own, at its own place in the tuple.",
        "Which part of `dout` belongs to `x * x`?",
    ),
    Mistake(
        "crossed",
        _values(_crossed),
        "The gradient of `scale` uses the dout of the wrong output.",
        "`scale` was used for one output only, so only that output pulls at it.",
        "Which of the two outputs contains `scale`?",
    ),
    Mistake(
        "sign",
        recognise.both(recognise.on("gradient-values"), recognise.negated),
        "A gradient has the wrong sign.",
        "Its numbers are right but for the sign: training walks uphill with this input. The loss "
        "falls at first, because of the other one, then it diverges.",
        "Does `x * scale` rise or fall with `scale` where `x` is positive?",
    ),
)

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
    Mutant(
        "flattened",
        "(x, scale, out, dout):\n    dout1, dout2 = dout\n",
        "(x, scale, out1, out2, dout1, dout2):\n",
    ),
    Mutant("signature", "(x, scale, out, dout)", "(x, scale, dout)"),
    Mutant("not-taken-apart", "dout1, dout2 = dout", "dout1 = dout2 = dout"),
    Mutant("missing-factor", "dout2 * 2.0 * x", "dout2 * x"),
    Mutant("sign", "ops.sum(dout1 * x, 0)", "-ops.sum(dout1 * x, 0)"),
    Mutant("not-summed", "ops.sum(dout1 * x, 0)", "dout1 * x"),
    Mutant("wrong-axis", "ops.sum(dout1 * x, 0)", "ops.sum(dout1 * x, 1)"),
    Mutant("wrong-axis", "ops.sum(dout1 * x, 0)", "ops.sum(dout1 * x)"),
    Mutant("forgot-output", " + dout2 * 2.0 * x", ""),
    Mutant("one-dout", "dout2 * 2.0 * x", "dout1 * 2.0 * x"),
    Mutant("crossed", "ops.sum(dout1 * x, 0)", "ops.sum(dout2 * x, 0)"),
    Mutant("swapped", "return dx, dscale", "return dscale, dx"),
    Mutant("gradient-none", "return dx, dscale", "return dx, None"),
    Mutant("gradient-count", "return dx, dscale", "return (dx,)"),
)

variants = {
    "places in the tuple": """
from ms_ext import ops

def two_outputs_bprop(x, scale, out, dout):
    return dout[0] * scale + dout[1] * (x + x), ops.sum(dout[0] * x, 0)
""",
    "a tensor's own sum": """
def two_outputs_bprop(x, scale, out, dout):
    scaled, squared = dout
    return [2 * x * squared + scaled * scale, (scaled * x).sum(axis=0)]
""",
    "one function per output": """
from ms_ext import ops

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
    "outputs x * scale and x * x. Use tensors' arithmetic or ops.",
    checks=(
        Check(
            "x",
            "the gradient of x, measured",
            points=1,
            ask="call",
            cases=drawn(rows, row, tile=8, dtypes="f32 f64 f16"),
            judge=gradient_of("x"),
            inputs="x scale out dout",
        ),
        Check(
            "scale",
            "the gradient of scale, measured",
            points=1,
            ask="call",
            cases=drawn(rows, row, tile=8, dtypes="f32 f64 f16"),
            judge=gradient_of("scale"),
            inputs="x scale out dout",
        ),
        Check(
            "compiled",
            "both as part of a graph",
            points=1,
            ask="jit",
            cases=drawn(rows, tile=8, dtypes="f32 f16"),
            judge=gradients.of(forward),
            inputs="x scale out dout",
            needs=("x", "scale"),
        ),
    ),
    mistakes=mistakes,
    hints=hints,
    mutants=mutants,
    variants=variants,
)
