"""06.gate_step: a layer that does not learn, because its bprop is never reached; to be repaired."""

from dataclasses import replace

import numpy as np

from ms_ext.grading import recognise
from ms_ext.grading.drawing import drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.failure import Failure
from ms_ext.grading.layers import gradients, values

PROBE = 100.0  # no gradient of these cases is nearly as large, the probe of the article is


def gate(x):
    return x / (1.0 + np.exp(-x))


def loss_of(x, wanted, w):
    return np.mean((np.tanh(gate(x * w)) - wanted) ** 2)


def batches(draw, m, n):
    """some rows"""
    return draw(m + 1, n), draw(m + 1, n), draw(n)


def row(draw, n):
    """one row"""
    return draw(1, n), draw(1, n), draw(n)


# the judges -----------------------------------------------------------------------------------


def stepped(question, answer):
    """The loss is that of the layer as it was; the gradient of w is there, and as measured."""
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        return Failure("count", "Two things are wanted: the loss and the gradient.", got=answer)
    x, wanted, w = question.operands
    wide = x.astype(np.float64), wanted.astype(np.float64)
    right = np.asarray(loss_of(*wide, w.astype(np.float64)))
    if failure := values.compare(np.empty((), x.dtype), right, answer[0], 1e-4):
        return replace(failure, code="other-loss", words=f"The loss is {float(right):.5g}.")

    def measure():
        return gradients.measured(lambda w: loss_of(*wide, w), (w,), np.ones(()))

    slopes, reach = question.once(stepped, measure)
    failure = gradients.check((answer[1],), (w,), slopes, reach=reach)
    return failure and replace(
        failure,
        words=failure.words.replace("the first input", "w"),
        place=failure.place.replace("the first input", "w"),
    )


# what typical mistakes look like ------------------------------------------------------------------


def _zeros(failure):
    got = failure.got
    return failure.code == "gradient-values" and isinstance(got, np.ndarray) and not got.any()


def _probe(failure):
    got = failure.got
    large = isinstance(got, np.ndarray) and np.abs(got).max(initial=0) > PROBE
    return failure.code == "gradient-values" and large


def _with(slope):
    """The gradient of w with another slope of the gate, and with or without dout."""

    def formula(x, wanted, w):
        z = x * w
        sigmoid, t = 1.0 / (1.0 + np.exp(-z)), np.tanh(gate(z))
        dout = 2.0 * (t - wanted) / x.size * (1.0 - t * t)
        return (slope(z, sigmoid, dout) * x).sum(0)

    return recognise.gradient_is(formula)


mistakes = (
    Mistake(
        "other-loss", recognise.on("other-loss"), "The loss is another one.",
        "The layer calculated the right thing, it only did not learn: what goes forward stays.",
        "Change what stops the way back, and no formula of the way there.",
    ),
    Mistake(
        "not-reached", _zeros, "The gradient of w is zero everywhere: the bprop is not reached.",
        "Somewhere between w and the loss the way back is cut, or w itself was taken out. There "
        "may be more than one cut: each alone is enough.",
        "Let `ms.why_no_gradient` name what cuts it, as in the cell below the exercise; mend that, "
        "and run both cells again.",
    ),
    Mistake(
        "left-the-probe", _probe, "The gradient of w is huge.",
        "The way back is open now, and everything on it counts: also a number that somebody added "
        "only to see whether this line is reached.",
        "Look for the 9999 in the bprop.",
    ),
    Mistake(
        "forgot-dout", _with(lambda z, s, dout: s * (1.0 + z * (1.0 - s))),
        "`dout` is missing in the bprop of the gate.",
        "It returns how fast the gate rises; the loss rises `dout` times as fast.",
        "Which factor was there before you mended it?",
    ),
    Mistake(
        "half-the-rule", _with(lambda z, s, dout: dout * s),
        "One half of the product rule is missing in the bprop.",
        "The gate is x times sigmoid(x), and both of them move with x.",
        "Compare the slope in the bprop with `ms.gradcheck`.",
    ),
)  # fmt: skip

hints = (
    "Three places stop the way back, one after the other, and a fourth spoils what passes. "
    "`ms.why_no_gradient` names the first it meets; ask again after each repair.",
    "Go from w to the loss, line by line, and ask of each: is this value made by an op from the "
    "one before? A new `Tensor(...)`, a number from `asnumpy()`, `stop_gradient` and a frozen "
    "Parameter are not.",
    "A sibling: `ops.exp(Tensor((x * w).asnumpy()))` has the right value and no way back. "
    "`ops.exp(x * w)` has both.",
)

_PARAMETER, _GATED = 'ms.Parameter(w, "w")', "h = self.gate(x * self.w)"
_SLOPE = "dout * s * (1.0 + x * (1.0 - s))"

mutants = (
    Mutant("not-reached", _PARAMETER, 'ms.Parameter(w, "w", requires_grad=False)'),
    Mutant("not-reached", _GATED, "h = Tensor(self.gate(x * self.w).asnumpy())"),
    Mutant("not-reached", _GATED, "h = Tensor(gate((x * self.w).asnumpy()))"),
    Mutant("not-reached", "ops.tanh(h)", "ops.tanh(ops.stop_gradient(h))"),
    Mutant("not-reached", _SLOPE, "ops.zeros_like(x)"),
    Mutant("left-the-probe", _SLOPE, f"{_SLOPE} + 9999.0"),
    Mutant("forgot-dout", _SLOPE, "s * (1.0 + x * (1.0 - s))"),
    Mutant("half-the-rule", _SLOPE, "dout * s"),
    Mutant("other-loss", "return ops.tanh(h)", "return h"),
    Mutant("other-loss", _GATED, "h = self.gate(x) * self.w"),
    Mutant("gradient-shape", "return value, slopes[0]", "return value, slopes[0].sum()"),
    Mutant("count", "return value, slopes[0]", "return value"),
)  # fmt: skip

variants = {
    "ops only, and grad of a function": """
def gate_step(x, wanted, w):
    op = ops.Custom(gate, first, first, bprop=gate_bprop)

    def gate_loss(w):
        return ((ops.tanh(op(x * w)) - wanted) ** 2).mean()

    return ms.value_and_grad(gate_loss)(w)
""",
    "compiled, thawed afterwards": """
def gate_step(x, wanted, w):
    net = Gate(w)
    net.w.requires_grad = True

    def gate_loss(x, wanted):
        return ((net(x) - wanted) ** 2).mean()

    loss, (slope,) = ms.jit(ms.value_and_grad(gate_loss, None, net.trainable_params()))(x, wanted)
    return [loss.asnumpy(), slope.asnumpy()]
""",
}

_SHOWN = {"ask": "call", "inputs": "x wanted w"}
exercise = Exercise(
    target="gate_step",
    contract="Return the loss, unchanged, and the gradient of w, which reaches it through "
    "gate_bprop.",
    checks=(
        Check("reached", "the gradient of w arrives, as measured", 2,
              cases=drawn(batches, tile=6, dtypes="f32 f64"), judge=stepped, **_SHOWN),
        Check("row", "with one row, too", 1, needs=("reached",),
              cases=drawn(row, tile=6), judge=stepped, **_SHOWN),
    ),
    mistakes=mistakes, hints=hints, mutants=mutants, variants=variants,
)  # fmt: skip
