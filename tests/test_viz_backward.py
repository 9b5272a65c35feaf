"""The walk back that is drawn is the engine's: every number on it, edge by edge."""

import os
import re
import subprocess
import sys

import numpy as np
import pytest
from viz_programs import random_program

import ms_ext as ms
from ms_ext import Tensor, nn, ops, viz
from ms_ext.engine import tape


@pytest.mark.parametrize("seed", range(25))
def test_every_number_is_the_engines(seed):
    run, arguments = random_program(seed, lambda a, b: 0.5 * a, 12)
    shown = viz.backward(run, *arguments)
    true = ms.grad(run, (0, 1, 2))(*arguments)
    for (_, found), gradient in zip(shown.walk.gradients, true, strict=True):
        np.testing.assert_array_equal(found, gradient.asnumpy())
    for call in shown.walk.steps:
        check_step(call)
    for node in shown.walk.nodes:
        check_sum(shown.walk, node)


def check_step(call):
    """What went on to the operands is what the op's bprop gives, summed as the tape sums."""
    op = call.op
    operands = [Tensor(e.source.value) if e.source.dtype else e.source.value for e in call.edges]
    named = {key: call.attributes[key] for key in op.bprop_attributes}
    gradients = op.bprop(*operands, Tensor(call.value), Tensor(call.dout), **named)
    specs = [(o.shape, o.dtype) if isinstance(o, Tensor) else None for o in operands]
    slots = [0 if edge.asked else -1 for edge in call.edges]
    fitted = tape.fit(op.name, gradients, specs, slots)
    for edge, gradient in zip(call.edges, fitted, strict=True):
        assert (edge.dout is None) == (gradient is None)
        if gradient is not None:
            np.testing.assert_allclose(edge.dout, gradient.asnumpy(), rtol=1e-5, atol=1e-7)


def check_sum(walk, node):
    parts = [edge.dout for edge in walk.uses(node) if edge.dout is not None]
    if node.dout is None or node.kind == "constant":
        assert parts == []
    elif parts:
        np.testing.assert_allclose(node.dout, sum(parts), rtol=1e-4, atol=1e-6)


def test_a_second_derivative_is_walked_too():
    def cube(x):
        return x * x * x

    def slope(x):
        return ms.grad(cube)(x)

    shown = viz.backward(slope, Tensor(2.0))
    assert shown.gradients["x"] == 12.0
    assert len(shown.walk.steps) == 7
    for node in shown.walk.nodes:
        check_sum(shown.walk, node)


def test_the_picture_has_the_name_of_the_learners_function():
    def half(x):
        return x / 2

    custom = ops.Custom(half, lambda x: x, lambda x: x, bprop=lambda x, out, dout: (dout * 0.5,))
    assert viz.backward(custom, Tensor([1.0])).title.startswith("backward of half: ")


def test_what_was_broadcast_is_summed_back_and_said():
    text = viz.backward(lambda x, y: x * y, Tensor(np.ones((2, 3))), Tensor([1.0, 2.0, 3.0])).text()
    assert "operand 2, %2 y: [2 2 2], summed over axis 0: the operand was broadcast" in text
    low = Tensor([1.0, 2.0]).astype(ms.float16)
    assert ", cast from float32 to float16" in viz.backward(ops.add, Tensor([1.0, 1.0]), low).text()


def closed(body, bprop, results=1):
    several = (lambda s: s) if results == 1 else (lambda s: (s,) * results)
    return ops.Custom(body, several, several, "pyfunc", bprop=bprop)


def test_own_bprops_zeros_and_none_are_said():
    def split_bprop(x, out, dout):
        return (dout[0] + dout[1],)

    split = closed(lambda x: (x, x + 1), split_bprop, 2)
    text = viz.backward(lambda x: split(x)[0], Tensor([1.0, 2.0])).text()
    assert "its bprop is your own split_bprop" in text
    assert "result 1: nothing comes back, the bprop gets zeros" in text
    lazy = closed(lambda x: x, lambda x, out, dout: (None,))
    assert "operand 1, %1 x: None, which counts as zeros" in viz.backward(lazy, Tensor(1.0)).text()


def test_an_own_bprop_runs_once():
    ran = []

    def bprop(x, out, dout):
        ran.append(dout.shape)
        return (dout,)

    op = closed(lambda x: x, bprop)
    viz.backward(lambda x, y: op(x) + y, Tensor([1.0]), Tensor([[1.0], [2.0]]))
    assert ran == [(1,)]


def test_what_cannot_be_seen_is_said():
    @ms.jit
    def compiled(x):
        return ops.exp(x)

    def written(x):
        y = x * 2.0
        y[0] = 5.0
        return y * y

    text = viz.backward(lambda x: compiled(x) * x, Tensor(1.0)).text()
    assert "code without op calls" in text
    assert "x: 5.437, the sum of 2.718 and what came through unseen code" in text
    assert viz.backward(compiled, Tensor(1.0)).title == "backward of compiled: 1 call, 1 step back"
    shown = viz.backward(written, Tensor([1.0, 2.0]))
    np.testing.assert_array_equal(shown.gradients["x"], [0.0, 16.0])
    assert "%4 written in place  [5 4]" in shown.text()


def test_a_failing_function_leaves_the_tape_closed():
    def fails(x):
        raise KeyError("no")

    with pytest.raises(KeyError):
        viz.backward(fails, Tensor(1.0))
    assert float(ms.grad(lambda x: x * x)(Tensor(3.0))) == 6.0


def test_a_cell_is_asked_for_its_parameters():
    class Scale(nn.Cell):
        def __init__(self):
            super().__init__()
            self.weight = ms.Parameter(Tensor([2.0, 3.0]), name="weight")

        def construct(self, x):
            return x * self.weight

    shown = viz.backward(Scale(), Tensor([5.0, 7.0]), dout=Tensor([1.0, 10.0]))
    np.testing.assert_array_equal(shown.gradients["weight"], [5.0, 70.0])
    assert "gets dout of the given values" in shown.text()


def test_a_long_walk_says_what_is_left_out():
    def long(x):
        for _ in range(150):
            x = ops.tanh(x) + 0.1
        return x

    shown = viz.backward(long, Tensor([0.5]))
    page = shown.html()
    assert len(shown.walk.steps) == 300
    assert "Showing 60 of 300 calls" in page and "and 100 more steps" in page
    assert len(page) < 400_000
    assert shown.text().count("Tanh: dout") == 150


def test_names_from_outside_stay_text():
    def 层(输入):
        return ops.exp(输入)

    层.__name__ = "<script>alert(1)</script>"
    page = viz.backward(层, Tensor([0.0])).html()
    assert "<script>alert" not in page and "输入" in page
    assert not re.search(r'<[a-z]+[^>]* id="', page)


WALKS = """
from ms_ext import Tensor, ops, viz
import numpy as np
def loss(x, shift):
    t = (x - shift) / 2.0
    s, c = sin_cos(t)
    return (t * s).sum() + c.mean()
def sin_cos_bprop(x, out, dout):
    (sin, cos), (dsin, dcos) = out, dout
    return (dsin * cos - dcos * sin,)
two = lambda x: (x, x)
sin_cos = ops.Custom(lambda x: (np.sin(x), np.cos(x)), two, two, bprop=sin_cos_bprop)
shown = viz.backward(loss, Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([1.0, 2.0]))
"""


def test_the_text_is_as_it_was_read(golden):
    found = {}
    exec(WALKS, found)
    golden("viz/backward.txt", found["shown"].text())


def test_the_other_core_walks_the_same_way():
    found = {}
    exec(WALKS, found)
    other = {"compiled": "reference"}.get(os.environ.get("MS_EXT_CORE", "compiled"), "")
    done = subprocess.run(
        [sys.executable, "-c", f"{WALKS}\nprint(shown.text(), end='')"],
        capture_output=True, text=True, env=os.environ | {"MS_EXT_CORE": other}, check=True,
    )  # fmt: skip
    assert done.stdout == found["shown"].text()
