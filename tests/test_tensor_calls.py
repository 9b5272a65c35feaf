"""What a call of an op does: operators, interpreters, casts, fallbacks."""

import json

import numpy as np
import pytest

from ms_ext import dtype as dtypes
from ms_ext import ops
from ms_ext.engine import errors, primitive
from ms_ext.engine.primitive import op
from ms_ext.engine.tensor import COMPILED, Tensor, core

X, Y = Tensor([1.0, 2.0, 3.0]), Tensor([4.0, 5.0, 6.0])


class Symbol:
    """A stand-in for a node of a graph: no tensor, but an operand to an interpreter."""

    def __radd__(self, other):
        return ("radd", other)

    def __gt__(self, other):
        return ("gt", other)


# the fallbacks of ops declared here: a plain function, several results, several operands


@op()
class Pair:
    """Two results."""

    outputs = 2

    def compute(x):
        return x + 1, x[:0]

    def infer(x):
        return x, x


@op()
class Joined:
    """Any number of operands, and an attribute."""

    def compute(*xs, axis=0):
        return np.concatenate(xs, axis)


@op(operands="promote")
class Scaled:
    """An attribute that must be given, and one with a default."""

    def compute(x, *, by, plus=0):
        return x * x.dtype.type(by) + x.dtype.type(plus)


@op(operands="promote")
class Refusing:
    """A compute that raises an error of its own."""

    def compute(x):
        raise ValueError("my own words")


# operators --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "slot", [s for s in primitive.SLOTS if s not in ("getitem", "setitem", "T")]
)
def test_an_operator_is_its_op(slot):
    if slot not in core.slots:
        with pytest.raises(errors.InvalidType, match="No op stands behind"):
            getattr(X, primitive.SLOTS[slot])(Y)
        return
    whole = slot in ("&", "|", "^", "invert")
    x, y = (Tensor([6, 3]), Tensor([3, 5])) if whole else (X, Y)
    if slot == "@":
        x, y = Tensor(np.ones((2, 3))), Tensor(np.ones((3, 2)))
    called, behind = getattr(x, primitive.SLOTS[slot]), primitive.slot_op(slot)
    if behind.arity == 1:
        assert called().asnumpy().tolist() == behind(x).asnumpy().tolist()
    else:
        assert called(y).asnumpy().tolist() == behind(x, y).asnumpy().tolist()


@pytest.mark.parametrize("slot", ["+", "-", "*", "/", "//", "%", "**"])
def test_a_number_on_either_side(slot):
    name = primitive.SLOTS[slot].strip("_")
    right, left = getattr(X, f"__{name}__"), getattr(X, f"__r{name}__")
    assert right(2).asnumpy().tolist() == primitive.slot_op(slot)(X, Tensor(2.0)).asnumpy().tolist()
    assert left(2).asnumpy().tolist() == primitive.slot_op(slot)(Tensor(2.0), X).asnumpy().tolist()


def test_lists_are_operands():
    assert (
        (Tensor([1, 2]) * [3, 4]).asnumpy().tolist()
        == ([3, 4] * Tensor([1, 2])).asnumpy().tolist()
        == [3, 8]
    )


def test_another_object_may_take_over():
    s = Symbol()
    assert (X + s) == ("radd", X) and (X < s) == ("gt", X)


# interpreters -----------------------------------------------------------------------------------


def test_an_interpreter_gets_every_call():
    seen = []

    def watch(op, operands, attributes):
        seen.append((op.name, len(operands), attributes))
        return core.default(op, operands, attributes)

    with primitive.interpreting(watch):
        out = ops.sum(X + Y * 2, 0) - X[0]
        turned = X.T
    assert out.item() == 35 and turned.shape == (3,)
    names = [name for name, _, _ in seen]
    assert names[:2] == ["Mul", "Add"] and primitive.slot_op("getitem").name in names
    assert all(type(attributes) is dict for _, _, attributes in seen)
    assert len(seen) == 6


def test_an_interpreter_takes_what_is_no_tensor():
    s = Symbol()
    with primitive.interpreting(lambda op, operands, attributes: (op.name, operands)):
        assert ops.exp(s) == ("Exp", (s,)) and ops.add(s, X)[1][0] is s
    with pytest.raises(errors.InvalidType, match="neither a tensor nor a number"):
        ops.exp(s)


def test_interpreters_nest_and_end_with_their_block():
    with primitive.interpreting(lambda *_: "outer"):
        with pytest.raises(ZeroDivisionError), primitive.interpreting(lambda *_: "inner"):
            assert X + Y == "inner"
            raise ZeroDivisionError
        assert X + Y == "outer"
    assert type(X + Y) is Tensor


# casts, results, fallbacks ----------------------------------------------------------------------


@pytest.mark.parametrize("dtype", dtypes.DTYPES, ids=str)
def test_a_fallback_casts_before_it_computes(dtype):
    got = Scaled(Tensor([1, 2], dtype), by=1)
    assert got.dtype is dtype
    assert str(Joined(Tensor([1], dtype), Tensor([1], dtype)).dtype) == str(dtype)


def test_several_results():
    one, other = Pair(X)
    assert one.asnumpy().tolist() == [2, 3, 4] and other.shape == (0,)


def test_read_only_and_zero_d_results_become_tensors():
    spread = ops.broadcast_to(Tensor([1.0]), (3,))
    spread[0] = 5
    assert spread.asnumpy().tolist() == [5, 1, 1]
    assert type(ops.sum(X)) is Tensor and ops.sum(X).shape == ()


def test_fallbacks_are_counted_and_told():
    told = []
    before, listener = Scaled.fallbacks, primitive.on_fallback(told.append)
    try:
        Scaled(X, by=2)
    finally:
        primitive.on_fallback(listener)
    assert told == [Scaled] and Scaled.fallbacks == before + 1


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_a_kernel_is_no_fallback():
    before = ops.Add.fallbacks
    X + Y, X + 2, X + Tensor(np.ones((2, 3))), X.T + X, X + Tensor([1, 2, 3])
    assert ops.Add.fallbacks == before


def test_numpy_does_not_warn():
    with np.errstate(all="raise"):
        assert np.isinf((X / 0).asnumpy()).all() and np.isnan(ops.log(-X).asnumpy()).all()
        assert np.isnan(ops.softmax(Tensor([float("inf")])).asnumpy()).all()


def test_an_error_of_compute_is_delivered_as_it_is():
    with pytest.raises(ValueError, match="my own words") as caught:
        Refusing(X)
    assert type(caught.value) is ValueError


def test_what_infer_refuses_is_said_by_infer():
    with pytest.raises(errors.MsExtError, match=r"For 'Add'"):
        X + Tensor([1.0, 2.0])


def test_operand_dtypes_and_compute_cast_agree_with_the_call():
    from ms_ext.engine.infer import abstract_of

    x, y = Tensor([1], dtypes.int8), 2.5
    types = (abstract_of(x), abstract_of(y))
    assert primitive.operand_dtypes(ops.Mul, types) == (dtypes.float32, dtypes.float32)
    out = ops.Mul.infer(*types)
    array = primitive.compute_cast(ops.Mul, types, out, {})(x.asnumpy(), y)
    assert array.dtype == np.float32 and array.tolist() == (x * y).asnumpy().tolist() == [2.5]


def test_tensors_are_not_json():
    with pytest.raises(TypeError):
        json.dumps(X)
