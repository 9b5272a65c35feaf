"""How ops are declared, and how a call's arguments bind to what was declared."""

import re
from pathlib import Path

import numpy as np
import pytest

from ms_ext import ops
from ms_ext.engine import errors, primitive
from ms_ext.engine.primitive import op
from ms_ext.engine.tensor import Tensor

X, Y = Tensor([1.0, 2.0, 3.0]), Tensor([4.0, 5.0, 6.0])


@op()
class Gathered:
    """Any number of operands, and an attribute."""

    def compute(*xs, axis=0):
        return np.concatenate(xs, axis)


@op(operands="promote")
class Stretched:
    """An attribute that must be given, and one with a default."""

    def compute(x, *, by, plus=0):
        return x * x.dtype.type(by) + x.dtype.type(plus)


# binding ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call",
    [
        lambda: Stretched(X, 2, 1),
        lambda: Stretched(X, by=2, plus=1),
        lambda: Stretched(X, 2, plus=1),
        lambda: Stretched(by=2, plus=1)(X),
        lambda: Stretched(by=2)(X, 1),
        lambda: Stretched(2)(X, plus=1),
        lambda: Stretched(x=X, by=2, plus=1),
    ],
)
def test_attributes_by_position_name_and_in_advance(call):
    assert call().asnumpy().tolist() == [3, 5, 7]


def test_a_variadic_op_takes_a_tuple_or_the_operands():
    for got in (
        Gathered((X, Y)),
        Gathered([X, Y]),
        Gathered(X, Y),
        Gathered((X, Y), 0),
        Gathered(axis=0)((X, Y)),
        Gathered()((X, Y)),
    ):
        assert got.shape == (6,)


def test_an_op_without_operands_is_the_primitive():
    assert ops.Add() is ops.Add and repr(Stretched(by=2)) == "Stretched(by=2)"


@pytest.mark.parametrize(
    "call",
    [
        lambda: ops.add(X),
        lambda: ops.add(X, X, X),
        lambda: ops.add(X, z=X),
        lambda: Stretched(X),
        lambda: Stretched(X, 1, 2, 3),
        lambda: Stretched(X, by=1, over=2),
        lambda: Stretched(nothing=1),
        lambda: Stretched(by=2)(X, 1, 2),
    ],
)
def test_arguments_that_do_not_fit(call):
    with pytest.raises(errors.InvalidType, match="do not fit"):
        call()


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
        ({}, {}, "has no `compute`"),
        ({"compute": np.reshape}, {}, "cannot be read"),
        ({"compute": np.add}, {"operands": "promoted"}, "operand rule"),
        ({"compute": np.add}, {"operands": ("promote",)}, "has 2 operands"),
        ({"compute": np.add}, {"slot": "+++"}, "no operator"),
    ],
)
def test_a_bad_declaration_is_refused(body, arguments, words):
    with pytest.raises(errors.MsExtError, match=words):
        op(**arguments)(type("BadForATest", (), body))


def test_two_modules_cannot_declare_one_op():
    with pytest.raises(errors.InvalidValue, match="declared twice"):
        op()(type("Add", (), {"compute": np.add}))


def test_the_core_names_no_op():
    """Ops meet the core in ``register`` and ``fill_slot``; no text of it knows one by name."""
    root = Path(__file__).parents[1]
    cores = [*root.glob("kernels_pyx/tensor*"), *root.glob("ms_ext/engine/*_reference.py")]
    assert len(cores) > 10
    words = {word for path in cores for word in re.findall(r"[\"'](\w+)[\"']", path.read_text())}
    assert words & {name for name in primitive.OPS if len(name) > 1} == set()
