"""Every op, from its own declaration: types, values, names, documentation, cost."""

import math

import numpy as np
import pytest
from op_samples import cases, described, flat, run, split_case

from ms_ext import dtype as dtypes
from ms_ext import mint, ops
from ms_ext.engine import infer, primitive
from ms_ext.engine.errors import MsExtError
from ms_ext.engine.tensor import Tensor
from ms_ext.ops.composite import COMPOSITES

OPS = {name: op for name, op in primitive.OPS.items() if op.module.startswith("ms_ext.ops.")}


def abstracts(operands):
    return tuple(map(infer.abstract_of, operands))


def test_there_are_enough_ops():
    assert len(OPS) >= 60


@pytest.mark.parametrize("name", OPS)
def test_declaration_is_whole(name):
    op = OPS[name]
    assert op.infer is not None and op.samples is not None
    assert op.doc.strip().endswith(tuple(")]}0123456789'\"e")) or ">>>" in op.doc
    assert list(op.samples(np.random.default_rng(0)))


@pytest.mark.parametrize("name", OPS)
def test_compute_gives_what_infer_says(name):
    """For every sample in every dtype that the op takes: shape, dtype and number of results."""
    op = OPS[name]
    tried = 0
    for operands, attributes in cases(op):
        given = abstracts(operands)
        try:
            expected = op.infer(*given, **attributes)
        except MsExtError:
            continue
        got = run(op, operands, attributes)
        tried += 1
        for want, have in zip(flat(expected), flat(got), strict=True):
            assert (have.shape, str(have.dtype)) == (want.shape, str(strong(want))), described(
                op, operands, attributes
            )
    assert tried >= len(list(op.samples(np.random.default_rng(0))))


def strong(abstract):
    """The dtype of a number by itself is that of Tensor(number)."""
    numbers = {"bool": dtypes.bool_, "int": dtypes.int64, "float": dtypes.float32}
    return numbers[abstract.dtype.kind] if abstract.weak else abstract.dtype


@pytest.mark.parametrize("name", OPS)
def test_eager_result_is_compute(name):
    op = OPS[name]
    for sample in op.samples(np.random.default_rng(1)):
        operands, attributes = split_case(op, sample)
        types = abstracts(operands)
        f = primitive.compute_cast(op, types, infer.infer(op, types, attributes), attributes)
        with np.errstate(all="ignore"):
            expected = flat(f(*map(np.asarray, operands)))
        got = run(op, [tensor_or_number(x) for x in operands], attributes)
        for want, have in zip(expected, flat(got), strict=True):
            near = 8 * np.finfo(want.dtype).eps if op.kernel and want.dtype.kind == "f" else 0
            np.testing.assert_allclose(have.asnumpy(), want, rtol=near, atol=0)


def tensor_or_number(x):
    return Tensor(x) if isinstance(x, np.ndarray) else x


@pytest.mark.parametrize("name", OPS)
def test_result_does_not_depend_on_memory_order(name):
    op = OPS[name]
    for sample in op.samples(np.random.default_rng(2)):
        operands, attributes = split_case(op, sample)
        packed = [
            np.ascontiguousarray(x).reshape(x.shape) if isinstance(x, np.ndarray) else x
            for x in operands
        ]
        for one, other in zip(
            flat(run(op, operands, attributes)), flat(run(op, packed, attributes)), strict=True
        ):
            np.testing.assert_array_equal(one.asnumpy(), other.asnumpy())


def test_every_name_is_the_op():
    """``ops.add``, ``ops.Add``, ``Tensor.add`` and ``mint.mul`` are the declared Op itself."""
    for name, op in primitive.NAMES.items():
        if op.name in OPS:
            assert shown_under(name) in (op, COMPOSITES.get(name)), name
            assert getattr(ops, op.name) is op


def shown_under(name):
    """What a learner gets by writing a name."""
    if name.startswith("Tensor."):
        return getattr(Tensor, name.removeprefix("Tensor."))
    found = mint if name.startswith("mint.") else ops
    for part in name.removeprefix("mint.").split("."):
        found = getattr(found, part)
    return found


def test_methods_and_functions_agree():
    same = {n: op for n, op in primitive.METHODS.items() if primitive.NAMES.get(n) is op}
    assert len(same) > 60
    for name, op in same.items():
        sample = next(iter(op.samples(np.random.default_rng(3))))
        operands, attributes = split_case(op, sample)
        one = flat(getattr(Tensor(operands[0]), name)(*operands[1:], **attributes))
        other = flat(primitive.NAMES[name](*operands, **attributes))
        for a, b in zip(one, other, strict=True):
            np.testing.assert_array_equal(a.asnumpy(), b.asnumpy(), err_msg=name)


@pytest.mark.parametrize("name", OPS)
def test_cost_is_a_number_of_operations(name):
    op = OPS[name]
    for sample in op.samples(np.random.default_rng(4)):
        operands, attributes = split_case(op, sample)
        types = abstracts(operands)
        out = infer.infer(op, types, attributes)
        cost = op.cost(out, *types, **attributes)
        assert isinstance(cost, int) and cost >= 0 and math.isfinite(cost)
