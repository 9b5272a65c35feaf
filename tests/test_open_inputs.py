"""``set_inputs`` and ``enable_dynamic``: which sizes a user says are open, and what is refused."""

import pytest
from agreeing import rows, same

import ms_ext as ms
from ms_ext import Tensor, nn, ops
from ms_ext.common import initializer


def open_rows(*shape):
    return Tensor(shape=list(shape or (None, 3)), dtype=ms.float32)


class Scaled(nn.Cell):
    def __init__(self):
        super().__init__()
        self.scale = ms.Parameter(Tensor(2.0))

    def construct(self, x, shift=None):
        return x * self.scale if shift is None else x * self.scale + shift


@pytest.fixture
def graph_mode():
    before = ms.get_context("mode")
    ms.set_context(mode=ms.GRAPH_MODE)
    yield
    ms.set_context(mode=before)


def test_a_cell_with_set_inputs_is_compiled_once(graph_mode):
    net = Scaled()
    net.set_inputs(open_rows())
    assert net.get_inputs()[0].shape == (-1, 3)
    for count in (2, 4, 9):
        same(rows(count) * 2, net(rows(count)))
    assert net._compiled.compiled == 1


def test_a_compiled_construct_knows_the_inputs_of_its_cell():
    class Open(nn.Cell):
        @ms.jit
        def construct(self, x):
            return x * 2

    net = Open()
    net.set_inputs(open_rows())
    for count in (2, 4, 9):
        same(rows(count) * 2, net(rows(count)))
    assert Open.construct.compiled == 1
    with pytest.raises(ValueError, match="expected one, but got expected: 1 and input: 2"):
        net(rows(2), rows(2))


def test_set_inputs_by_name(graph_mode):
    net = Scaled()
    net.set_inputs(shift=open_rows())
    net(rows(4), rows(4))
    with pytest.raises(ValueError, match="valid key is .*but got z"):
        net.set_inputs(z=open_rows())
    with pytest.raises(ValueError, match="should only set inputs or kwargs"):
        net.set_inputs(open_rows(), shift=open_rows())
    with pytest.raises(TypeError, match="requires 1 positional argument, but got 0"):
        net.set_inputs()


def test_what_does_not_fit_the_declaration(graph_mode):
    net = Scaled()
    net.set_inputs(open_rows())
    with pytest.raises(ValueError, match=r"expected: \[-1, 3\], and input: \[2, 4\]"):
        net(rows(2, 4))
    with pytest.raises(ValueError, match=r"expected: \[-1, 3\], and input: \[3\]"):
        net(rows(2)[0])
    with pytest.raises(TypeError, match=r"should be Tensor\[Float32\], but got Tensor\[Int32\]"):
        net(rows(2).astype(ms.int32))
    with pytest.raises(ValueError, match="expected one, but got expected: 1 and input: 2"):
        net(rows(2), rows(2))


def test_any_rank():
    total = ms.enable_dynamic(x=Tensor(shape=None, dtype=ms.float32))(ms.jit(lambda x: x.sum()))
    for shape in ((2,), (5,), (2, 3), (4, 5), (2, 3, 4)):
        same(ops.ones(shape).sum(), total(ops.ones(shape)))
    assert total.compiled == 3


def test_enable_dynamic_refuses():
    function = ms.jit(lambda x: x)
    for wrong, kind, message in (
        ({}, ValueError, "cannot be empty"),
        ({"x": 3}, TypeError, "only supports Tensor"),
        ({"x": open_rows(2, 3)}, TypeError, "at least have one None"),
        ({"q": open_rows()}, ValueError, "'q' is not in list"),
    ):
        with pytest.raises(kind, match=message):
            ms.enable_dynamic(**wrong)(function)
    with pytest.raises(ValueError, match="can only be used for function"):
        ms.enable_dynamic(x=open_rows())(3)


def test_a_tensor_that_only_says_what_an_input_is_like():
    like = open_rows(None, 2)
    assert like.shape == (-1, 2) and like.dtype is ms.float32
    assert repr(like) == "Tensor(shape=[-1, 2], dtype=Float32, value=\n)"
    for use in (lambda: like + 1, like.asnumpy, lambda: like[0], lambda: like.sum()):
        with pytest.raises(RuntimeError, match="has no elements"):
            use()
    with pytest.raises(ValueError, match="dtype must not be None"):
        Tensor(shape=[None, 2])
    with pytest.raises(TypeError, match="integers or None"):
        Tensor(shape=["a", 2], dtype=ms.float32)


def test_a_shape_and_a_rule_make_a_tensor():
    made = Tensor(shape=(2, 2), dtype=ms.float32, init=initializer.Constant(3))
    assert made.asnumpy().tolist() == [[3, 3], [3, 3]]
