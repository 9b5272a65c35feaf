"""Wrong bprops, each with the one mistake it has, and which recognisers see what."""

import numpy as np
import pytest
from custom_ops import F32

import ms_ext as ms
from ms_ext import Tensor, ops
from ms_ext import dtype as dtypes
from ms_ext.engine.custom.gradcheck import causes
from ms_ext.engine.custom.gradcheck.evidence import Evidence, alike, constant_ratio


def numbers(*shape, seed=0):
    """Numbers between 0.5 and 2 of which no two are alike."""
    rng = np.random.default_rng(seed + 10 * len(shape))
    return rng.uniform(0.5, 2.0, shape).astype(np.float32)


class Case:
    """A function of NumPy arrays, the shape of its result, inputs, and its right bprop."""

    def __init__(self, function, shape, inputs, right, dtype=lambda *kinds: kinds[0]):
        self.function, self.shape, self.inputs, self.right = function, shape, inputs, right
        self.dtype = dtype

    def check(self, bprop):
        op = ops.Custom(self.function, self.shape, self.dtype, bprop=bprop)
        return ms.gradcheck(op, *map(Tensor, self.inputs))


X, Y = numbers(2, 3), numbers(2, 3, seed=1)
CASES = {
    "mul": Case(
        lambda x, y: x * y, lambda x, y: x, (X, Y), lambda x, y, out, dout: (dout * y, dout * x)
    ),
    "div": Case(
        lambda x, y: x / y, lambda x, y: x, (X, Y),
        lambda x, y, out, dout: (dout / y, -dout * x / (y * y)),
    ),
    "bias": Case(
        lambda x, b: x + b, lambda x, b: x, (X, numbers(3)),
        lambda x, b, out, dout: (dout, dout.sum(0)),
    ),
    "column": Case(
        lambda x, b: x * b, lambda x, b: x, (X, numbers(2, 1)),
        lambda x, b, out, dout: (dout * b, (dout * x).sum(1, keepdims=True)),
    ),
    "matmul": Case(
        lambda x, w: x @ w, lambda x, w: (x[0], w[1]), (X, numbers(3, 4)),
        lambda x, w, out, dout: (dout @ w.T, x.T @ dout),
    ),
    "square matmul": Case(
        lambda x, w: x @ w, lambda x, w: x, (numbers(3, 3), numbers(3, 3, seed=2)),
        lambda x, w, out, dout: (dout @ w.T, x.T @ dout),
    ),
    "flatten": Case(
        lambda x: 2 * x.reshape(6), lambda x: (6,), (X,),
        lambda x, out, dout: ((2 * dout).reshape((2, 3)),),
    ),
    "transpose": Case(
        lambda x: x.T, lambda x: (x[1], x[0]), (X,), lambda x, out, dout: (dout.T,)
    ),
    "mean": Case(
        lambda x: x.mean(1), lambda x: (x[0],), (numbers(2, 5),),
        lambda x, out, dout: (dout.reshape((2, 1)).broadcast_to((2, 5)) / 5,),
    ),
    "exp": Case(np.exp, lambda x: x, (X,), lambda x, out, dout: (dout * out,)),
    "square": Case(np.square, lambda x: x, (X,), lambda x, out, dout: (2 * x * dout,)),
    "two": Case(
        lambda x: (2 * x, x * x), lambda x: (x, x), (X,),
        lambda x, out, dout: (2 * dout[0] + 2 * x * dout[1],), lambda kind: (kind, kind),
    ),
}  # fmt: skip

#: name -> (case, wrong bprop, {input: cause}, a word of the sentence of the last)
MUTANTS = {
    "sign": ("mul", lambda x, y, out, dout: (dout * y, -dout * x), {"y": "sign"}, "minus"),
    "lost sign": (
        "div", lambda x, y, out, dout: (dout / y, dout * x / (y * y)), {"y": "sign"}, "minus",
    ),
    "scale": ("square", lambda x, out, dout: (x * dout,), {"x": "scale"}, "1/2 times"),
    "scale of another sign": (
        "exp", lambda x, out, dout: (-3.0 * dout * out,), {"x": "scale"}, "-3 times",
    ),
    "sum, not mean": (
        "mean", lambda x, out, dout: (dout.reshape((2, 1)).broadcast_to((2, 5)),),
        {"x": "scale"},
        "5 times what it should be, and axis 1 has 5 elements: a sum",
    ),
    "mean twice": (
        "mean", lambda x, out, dout: (dout.reshape((2, 1)).broadcast_to((2, 5)) / 25,),
        {"x": "scale"}, "1/5 times what it should be, and axis 1 has 5 elements: a mean",
    ),
    "swapped": (
        "mul", lambda x, y, out, dout: (dout * x, dout * y), {"x": "swapped", "y": "swapped"},
        "gradient of `x`",
    ),
    "no reduction": (
        "bias", lambda x, b, out, dout: (dout, dout), {"b": "missing-reduction"}, "`.sum(0)`",
    ),
    "no reduction, kept axis": (
        "column", lambda x, b, out, dout: (dout * b, dout * x), {"b": "missing-reduction"},
        "`.sum(1, keepdims=True)`",
    ),
    "no transpose": (
        "transpose", lambda x, out, dout: (dout,), {"x": "missing-transpose"}, "`.T`",
    ),
    "transposed product": (
        "matmul", lambda x, w, out, dout: (dout @ w.T, dout.T @ x), {"w": "missing-transpose"},
        "`.T`",
    ),
    "transposed square": (
        "square matmul", lambda x, w, out, dout: (dout @ w.T, dout.T @ x),
        {"w": "missing-transpose"}, "`.T`",
    ),
    "no reshape": (
        "flatten", lambda x, out, dout: (2 * dout,), {"x": "missing-reshape"}, "`.reshape((2, 3))`",
    ),
    "reshape for a transpose": (
        "transpose", lambda x, out, dout: (dout.reshape((2, 3)),), {"x": "reordered"},
        "another order",
    ),
    "reversed": ("mul", lambda x, y, out, dout: (dout * y, (dout * x)[::-1]), {"y": "reordered"},
                 "reverse order along axis 0"),
    "no dout": (
        "mul", lambda x, y, out, dout: (y * 1.0, x * 1.0),
        {"x": "forgot-dout", "y": "forgot-dout"}, "`dout` is forgotten",
    ),
    "dout twice": (
        "exp", lambda x, out, dout: (dout * dout * out,), {"x": "dout-twice"}, "twice",
    ),
    "no factor": ("exp", lambda x, out, dout: (dout,), {"x": "missing-factor"}, "`out`"),
    "no factor, nor the 2": (
        "square", lambda x, out, dout: (dout,), {"x": "missing-factor"}, "`2 * x`",
    ),
    "a factor too many": (
        "mul", lambda x, y, out, dout: (dout * y * y, dout * x), {"x": "extra-factor"}, "`y`",
    ),
    "squared": (
        "square", lambda x, out, dout: (4 * x * x * dout * 1.0,), {"x": "extra-factor"}, "`2 * x`",
    ),
    "squared sum": (
        "bias", lambda x, b, out, dout: (dout, dout.sum(0)), {}, "",
    ),
    "another output": (
        "two", lambda x, out, dout: (2 * dout[1] + 2 * x * dout[0],), {"x": "other-output"},
        "used for another",
    ),
    "an output left out": (
        "two", lambda x, out, dout: (2 * dout[0],), {"x": "lost-output"}, "`dout[1]`",
    ),
    "None": ("mul", lambda x, y, out, dout: (dout * y, None), {"y": "none"}, "`None`"),
    "zero": ("mul", lambda x, y, out, dout: (dout * y, dout * 0.0), {"y": "zero"}, "zero"),
    "not a number": (
        "mul", lambda x, y, out, dout: (dout * y, dout * x / (x * 0.0)), {"y": "not-finite"},
        "0 is divided by",
    ),
    "a constant": (
        "mul", lambda x, y, out, dout: (dout * y + 9999.0, dout * x), {"x": "offset"}, "9999",
    ),
    "summed too much": (
        "column", lambda x, b, out, dout: (dout * b, (dout * x).sum().broadcast_to((2, 1))),
        {"b": "over-reduced"}, "axis 0",
    ),
    "summed away": (
        "mul", lambda x, y, out, dout: (dout * y, (dout * x).sum(0)), {"y": "over-reduced"},
        "axis 0",
    ),
    "narrow": (
        "mul",
        lambda x, y, out, dout: ((dout * y).astype(dtypes.bfloat16).astype(F32), dout * x),
        {"x": "narrow"}, "BFloat16",
    ),
    "another dtype": (
        "mul", lambda x, y, out, dout: ((dout * y).astype(dtypes.float64), dout * x),
        {"x": "dtype"}, "Float64",
    ),
    "another shape": (
        "mul", lambda x, y, out, dout: (dout * y, (dout * x)[:, :2]), {"y": "shape"}, "[2, 2]",
    ),
    "one column": (
        "mul",
        lambda x, y, out, dout: (dout * y * Tensor([1.0, 1.0, 1.7]), dout * x),
        {"x": ""}, "right but at 2 of axis 1",
    ),
    "nothing known": (
        "exp", lambda x, out, dout: (dout * out + ops.sin(dout * 7.0) * out * out,), {"x": ""},
        "derive the formula",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_right_bprop_passes(name):
    found = CASES[name].check(CASES[name].right)
    assert found, found


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_recognised(name):
    case, bprop, wanted, words = MUTANTS[name]
    found = CASES[case].check(bprop)
    assert found.raised is None, found
    assert {one.name: one.cause for one in found.inputs if not one.passed} == wanted
    assert words in next((one.sentence for one in reversed(found.inputs) if not one.passed), "")


def evidence(analytic, numeric=None, **more):
    numeric = np.array([[1.0, 2.0, 4.0], [3.0, 5.0, 9.0]]) if numeric is None else numeric
    dout = np.array([[0.7, -1.1, 0.9], [1.3, -0.6, 1.4]])
    return Evidence(
        analytic, numeric, names=("x", "y"), numerics=(numeric, numeric[::-1] + 0.37),
        inputs=(numeric + np.sin(numeric), numeric * 0.3 + 1), outs=(np.cos(numeric) + 2,),
        douts=(dout,), slope=lambda douts: numeric / dout * douts[0], **more,
    )  # fmt: skip


RIGHT = np.array([[1.0, 2.0, 4.0], [3.0, 5.0, 9.0]])
DOUT = evidence(RIGHT).douts[0]
#: Gradients, and every recogniser that sees something in each: nobody else may.
SEEN = {
    "none": (None, ("none",)),
    "zero": (RIGHT * 0, ("zero",)),
    "not finite": (RIGHT + [[np.nan, 0, 0], [0, 0, 0]], ("not-finite",)),
    "sign": (-RIGHT, ("sign",)),
    "scale": (RIGHT * 3, ("scale",)),
    "forgot dout": (RIGHT / DOUT, ("forgot-dout",)),
    "dout twice": (RIGHT * DOUT, ("dout-twice",)),
    "swapped": (RIGHT[::-1] + 0.37, ("swapped",)),
    "reversed": (RIGHT[:, ::-1], ("reordered",)),
    "order": (RIGHT.T.reshape(2, 3), ("reordered",)),
    "transposed": (RIGHT.T, ("missing-transpose", "shape")),
    "flat": (RIGHT.reshape(6), ("missing-reshape", "shape")),
    "spread": (np.stack([RIGHT / 2, RIGHT / 2]), ("missing-reduction", "shape")),
    "spread by halves that are no sum": (np.stack([RIGHT, RIGHT]), ("shape",)),
    "summed": (RIGHT.sum(0), ("over-reduced", "shape")),
    "summed, kept": (RIGHT.sum(1, keepdims=True) + 0 * RIGHT, ("over-reduced",)),
    "averaged": (RIGHT.mean(0, keepdims=True) + 0 * RIGHT, ("over-reduced",)),
    "offset": (RIGHT + 5, ("offset",)),
    "missing factor": (RIGHT / (np.cos(RIGHT) + 2), ("missing-factor",)),
    "extra factor": (RIGHT * (np.cos(RIGHT) + 2), ("extra-factor",)),
    "squared": (RIGHT * RIGHT / DOUT, ("squared",)),
    "narrow": (RIGHT * (1 + 7e-4 * np.sign(DOUT)), ("narrow",)),
    "another shape": (RIGHT[:, :2], ("shape",)),
    "anything": (np.array([[7.0, -3.0, 0.1], [2.0, 8.0, -4.0]]), ()),
    "one element": (RIGHT + [[0, 0, 1], [0, 0, 0]], ()),
    "nearly the sign": (-RIGHT + [[0, 0, 0.1], [0, 0, 0]], ()),
    "nearly a scale": (RIGHT * 3 + [[0, 0.2, 0], [0, 0, 0]], ()),
    "nearly an offset": (RIGHT + [[5, 5, 5], [5, 5, 5.1]], ()),
    "nearly transposed": (RIGHT.T + np.eye(3)[:, :2] * 0.1, ("shape",)),
}


@pytest.mark.parametrize("name", SEEN)
def test_nobody_else_sees_it(name):
    analytic, seen = SEEN[name]
    assert set(causes.all_causes(evidence(analytic))) == set(seen)


def test_every_recogniser_is_tested():
    named = {name for name, _ in causes.RECOGNISERS}
    by_mutants = {cause for _, _, wanted, _ in MUTANTS.values() for cause in wanted.values()}
    assert named - by_mutants == {"squared"}
    assert named - {name for _, seen in SEEN.values() for name in seen} == {
        "lost-output", "other-output",
    }  # fmt: skip


def test_a_gradient_that_is_right_is_like_nothing():
    assert causes.all_causes(evidence(RIGHT)) == ()


def test_alike_and_ratio_at_their_edges():
    one = np.array([1.0, 2.0])
    assert not alike(one, one.reshape(2, 1), 1e-3) and not alike(None, one, 1e-3)
    assert not alike(np.zeros(0), np.zeros(0), 1e-3)
    assert constant_ratio(one[:1], one[1:], 1e-3) is None  # one element says nothing
    assert constant_ratio(one, np.zeros(2), 1e-3) is None
