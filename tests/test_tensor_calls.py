"""What a call of an op does: operators, interpreters, binding, casts, fallbacks, results still to come."""

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


@pytest.mark.parametrize("slot", [s for s in primitive.SLOTS if s not in ("getitem", "setitem", "T")])
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
    assert (Tensor([1, 2]) * [3, 4]).asnumpy().tolist() == ([3, 4] * Tensor([1, 2])).asnumpy().tolist() == [3, 8]


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


# binding ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call",
    [
        lambda: Scaled(X, 2, 1), lambda: Scaled(X, by=2, plus=1), lambda: Scaled(X, 2, plus=1), lambda: Scaled(by=2, plus=1)(X),
        lambda: Scaled(by=2)(X, 1), lambda: Scaled(2)(X, plus=1), lambda: Scaled(x=X, by=2, plus=1),
    ],
)  # fmt: skip
def test_attributes_by_position_name_and_in_advance(call):
    assert call().asnumpy().tolist() == [3, 5, 7]


def test_a_variadic_op_takes_a_tuple_or_the_operands():
    for got in (Joined((X, Y)), Joined([X, Y]), Joined(X, Y), Joined((X, Y), 0), Joined(axis=0)((X, Y)), Joined()((X, Y))):
        assert got.shape == (6,)


def test_an_op_without_operands_is_the_primitive():
    assert ops.Add() is ops.Add and repr(Scaled(by=2)) == "Scaled(by=2)"


@pytest.mark.parametrize(
    "call",
    [
        lambda: ops.add(X), lambda: ops.add(X, X, X), lambda: ops.add(X, z=X), lambda: Scaled(X), lambda: Scaled(X, 1, 2, 3),
        lambda: Scaled(X, by=1, over=2), lambda: Scaled(nothing=1), lambda: Scaled(by=2)(X, 1, 2),
    ],
)  # fmt: skip
def test_arguments_that_do_not_fit(call):
    with pytest.raises(errors.InvalidType, match="do not fit"):
        call()


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


# declarations -----------------------------------------------------------------------------------


def test_a_declaration_replaces_the_one_of_its_module():
    @op(names=("Tensor.thrice_for_a_test",))
    class Thrice:
        def compute(x):
            return x * 3

    first, before = Thrice, primitive.generation()

    @op(names=("Tensor.thrice_for_a_test",), same_as=first)
    class Thrice:
        def compute(x):
            return x * np.float32(3)

    assert primitive.OPS["Thrice"] is Thrice is not first and primitive.generation() == before + 1
    assert X.thrice_for_a_test().asnumpy().tolist() == [3, 6, 9]


@pytest.mark.parametrize(
    ("body", "arguments", "words"),
    [
        ({}, {}, "has no `compute`"), ({"compute": np.reshape}, {}, "cannot be read"),
        ({"compute": np.add}, {"operands": "promoted"}, "operand rule"),
        ({"compute": np.add}, {"operands": ("promote",)}, "has 2 operands"), ({"compute": np.add}, {"slot": "+++"}, "no operator"),
    ],
)  # fmt: skip
def test_a_bad_declaration_is_refused(body, arguments, words):
    with pytest.raises(errors.MsExtError, match=words):
        op(**arguments)(type("BadForATest", (), body))


def test_two_modules_cannot_declare_one_op():
    with pytest.raises(errors.InvalidValue, match="declared twice"):
        op()(type("Add", (), {"compute": np.add}))


# results that are still to come -----------------------------------------------------------------


@pytest.fixture
def waits():
    """(tensor, need) of every wait; the waiter delivers [1, 2] as float32."""
    told = []

    def deliver(tensor, need):
        told.append(need)
        if need == "shape":
            core.set_meta(tensor, dtypes.float32, (2,))
        else:
            core.set_ready(tensor, Tensor([1.0, 2.0]))

    before = core.set_waiter(deliver)
    yield told
    core.set_waiter(before)


READS = [
    lambda t: t.asnumpy(), lambda t: t.tolist(), repr, str, lambda t: t + 1, lambda t: 1 + t, lambda t: t.T, lambda t: t[0],
    lambda t: np.asarray(t), lambda t: ops.sum(t), lambda t: Tensor(t), lambda t: t == t, lambda t: -t, lambda t: list(t),
    lambda t: t.__setitem__(0, 1), lambda t: t.__reduce_ex__(2),
]  # fmt: skip


@pytest.mark.parametrize("read", READS)
def test_reading_waits_for_the_elements(waits, read):
    read(core.placeholder())
    assert "data" in waits


def test_shape_and_dtype_wait_for_less(waits):
    t = core.placeholder()
    assert (t.shape, t.dtype, t.ndim, t.size, t.nbytes) == ((2,), dtypes.float32, 1, 2, 8)
    assert waits == ["shape"]
    assert core.raw(t).shape == (2,) and waits == ["shape"]
    core.raw(t)[:] = 7
    core.set_ready(t)
    assert t.asnumpy().tolist() == [7, 7] and waits == ["shape"]


def test_a_tensor_that_never_comes_is_an_error(waits):
    core.set_waiter(None)
    with pytest.raises(errors.NotRunnable, match="never got its value"):
        core.placeholder().asnumpy()


def test_the_dispatcher_is_asked_when_asynchronous(waits):
    asked = []

    def dispatch(op, operands, attributes):
        asked.append(op.name)
        return core.placeholder() if op is ops.Mul else NotImplemented

    dispatcher, before = core.set_dispatcher(dispatch), core.asynchronous(True)
    try:
        later = X * Y
        now = X + Y
    finally:
        core.asynchronous(before)
        core.set_dispatcher(dispatcher)
    assert asked == ["Mul", "Add"] and waits == [] and now.asnumpy().tolist() == [5, 7, 9]
    assert later.asnumpy().tolist() == [1, 2] and waits == ["data"]


def test_tensors_are_not_json():
    with pytest.raises(TypeError):
        json.dumps(X)
