"""Every op, from its own declaration: types, values, names, documentation, cost."""

import doctest
import math

import numpy as np
import pytest
from op_samples import cases, described, run, split_case

from ms_ext import dtype as dtypes
from ms_ext import mint, ops
from ms_ext.engine import infer, primitive
from ms_ext.engine.errors import MsExtError
from ms_ext.engine.tensor import Tensor
from ms_ext.ops.composite import COMPOSITES

OPS = {name: op for name, op in primitive.OPS.items() if op.module.startswith("ms_ext.ops.")}


def abstracts(operands):
    return tuple(map(infer.abstract_of, operands))


def flat(result):
    return result if isinstance(result, tuple) else (result,)


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
            np.testing.assert_array_equal(have.asnumpy(), want)


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


@pytest.mark.parametrize("name", [n for n in primitive.NAMES if OPS.get(primitive.NAMES[n].name)])
def test_every_name_is_the_op(name):
    op = primitive.NAMES[name]
    if name.startswith("Tensor."):
        found = getattr(Tensor, name.removeprefix("Tensor."))
    elif name.startswith("mint."):
        found = mint
        for part in name.split(".")[1:]:
            found = getattr(found, part)
    else:
        found = getattr(ops, name)
    assert found is op or found is COMPOSITES.get(name)
    assert getattr(ops, op.name) is op


@pytest.mark.parametrize("name", [n for n in primitive.METHODS if n in primitive.NAMES])
def test_method_and_function_agree(name):
    method, function = primitive.METHODS[name], primitive.NAMES[name]
    if method is not function:
        pytest.skip("the method is a composite with its own defaults")
    sample = next(iter(method.samples(np.random.default_rng(3))))
    operands, attributes = split_case(method, sample)
    one = flat(getattr(Tensor(operands[0]), name)(*operands[1:], **attributes))
    other = flat(function(*operands, **attributes))
    for a, b in zip(one, other, strict=True):
        np.testing.assert_array_equal(a.asnumpy(), b.asnumpy())


def examples():
    """Every doc that has an example: ops and composites."""
    functions = {
        f: name for name, f in COMPOSITES.items() if f.__module__.startswith("ms_ext.ops.")
    }
    return {op.name: op.doc for op in OPS.values()} | {
        name: f.__doc__ for f, name in functions.items()
    }


@pytest.mark.parametrize("name", examples())
def test_documentation_has_an_example_that_runs(name):
    doc = examples()[name]
    names = {"ops": ops, "mint": mint, "Tensor": Tensor, "ms": dtypes}
    test = doctest.DocTestParser().get_doctest(doc, names, name, None, 0)
    assert test.examples, "the doc needs an example"
    report = []
    doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert not report, "".join(report)


@pytest.mark.parametrize("name", OPS)
def test_cost_is_a_number_of_operations(name):
    op = OPS[name]
    for sample in op.samples(np.random.default_rng(4)):
        operands, attributes = split_case(op, sample)
        types = abstracts(operands)
        out = infer.infer(op, types, attributes)
        cost = op.cost(out, *types, **attributes)
        assert isinstance(cost, int) and cost >= 0 and math.isfinite(cost)
