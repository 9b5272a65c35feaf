"""Convolution, pooling, normalization, padding, resizing: what MindSpore 2.10 answers, recorded.

In eager mode and compiled: values, gradients, kinds of errors, texts. ``vision_cases`` has the
calls, ``record_vision`` asks MindSpore.
"""

import builtins
import json
import linecache

import numpy as np
import pytest
from record_vision import KEPT, weighed
from vision_cases import CASES, inputs
from vision_refusals import ERRORS, REPRS, operands

import ms_ext as ms
from ms_ext import mint, nn, ops
from ms_ext.engine.errors import MsExtError

NAMES = {"ms": ms, "nn": nn, "ops": ops, "mint": mint, "np": np}
RECORDED = json.loads(KEPT.read_text())
KNOWN = {n: found for n, found in RECORDED["cases"].items() if "out" in found}
#: MindSpore on CPU has no kernel for these, or no gradient: nothing to compare with.
MISSING = {"conv_transpose2d", "Unfold 68", "Unfold 69", "rms_norm(x, x[0])"}
#: MindSpore refuses these, as we do.
REFUSED = {"conv2d four pads", "Upsample 71", "interpolate(x, scale_factor=(2.0, 1.5))"}
#: Gradients that differ on purpose: a primitive's gradient for all of its operands is its slope.
SLOPES = {"BatchNorm": {3, 4}}
#: Texts whose error is of another kind than MindSpore's, and why.
OTHERWISE = {
    "ops.conv2d(1, w4)": "AttributeError of Python there; a number is a tensor of no axes here",
    "ops.pad(x3, 'a')": "counts the letters there; TypeError here",
    "ops.batch_norm(x4, o2, o2, o2, 1)": "TypeError there; a number is a tensor of no axes here",
}


def close(tensors, recorded, what):
    tensors = tensors if isinstance(tensors, tuple) else (tensors,)
    assert len(tensors) == len(recorded), what
    for got, want in zip(tensors, recorded, strict=True):
        assert list(got.shape) == want["shape"], what
        values = np.array(want["values"]).reshape(want["shape"])
        np.testing.assert_allclose(got.asnumpy(), values, rtol=2e-5, atol=5e-6, err_msg=what)


def test_everything_is_compared_or_said_to_be_missing():
    assert {name for name in CASES if name not in KNOWN} == MISSING | REFUSED


def made(name):
    """The function or Cell of a case; graph mode reads its text."""
    file, line = f"<case {name}>", f"made = {CASES[name][0]}\n"
    linecache.cache[file] = (len(line), None, [line], file)
    names = dict(NAMES)
    exec(compile(line, file, "exec"), names)
    return names["made"]


@pytest.mark.parametrize("name", KNOWN)
def test_values(name):
    text, *shapes = CASES[name]
    close(made(name)(*map(ms.Tensor, inputs(shapes))), KNOWN[name]["out"], text)


@pytest.mark.parametrize("name", KNOWN)
def test_values_in_graph_mode(name):
    text, *shapes = CASES[name]
    f = made(name)
    xs = list(map(ms.Tensor, inputs(shapes)))
    close(ms.jit(lambda *xs: f(*xs))(*xs), KNOWN[name]["out"], text)


@pytest.mark.parametrize("name", [n for n, found in KNOWN.items() if "grad" in found])
def test_gradients(name):
    text, *shapes = CASES[name]
    xs = list(map(ms.Tensor, inputs(shapes)))
    found = ms.grad(weighed(ms, made(name)), tuple(range(len(xs))))(*xs)
    found = found if isinstance(found, tuple) else (found,)
    for i, (got, want) in enumerate(zip(found, KNOWN[name]["grad"], strict=True)):
        if i not in SLOPES.get(name, ()):
            close(got, [want], f"{text}, operand {i}")


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_what_both_refuse(name):
    text, *shapes = CASES[name]
    with pytest.raises(getattr(builtins, RECORDED["cases"][name]["error"])):
        eval(text, NAMES)(*map(ms.Tensor, inputs(shapes)))


@pytest.mark.parametrize("text", [text for text in ERRORS if text not in OTHERWISE])
def test_errors(text):
    names = NAMES | operands(ms.Tensor)
    if RECORDED["errors"][text] is None:
        eval(text, names)
        return
    with pytest.raises(getattr(builtins, RECORDED["errors"][text][0])) as caught:
        eval(text, names)
    assert isinstance(caught.value, MsExtError)


@pytest.mark.parametrize("text", REPRS)
def test_texts(text):
    assert repr(eval(text, NAMES)) == RECORDED["reprs"][text]
