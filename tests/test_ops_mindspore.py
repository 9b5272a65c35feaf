"""Every op on one sample against what MindSpore 2.10 answered, as record_mindspore.py wrote it."""

import json

import numpy as np
import pytest
from op_samples import flat, run
from record_mindspore import ABSENT, GOLDEN, counted, plain_sample

import ms_ext.ops  # noqa: F401  (declares the ops)
from ms_ext.engine import primitive, tape
from ms_ext.engine.tensor import Tensor

RECORD = json.loads(GOLDEN.read_text())["ops"]

#: Where we give another answer on purpose, and why.
DIFFERENT = {
    "ArgMinExt": "MindSpore 2.10 has no CPU kernel for it",
    "BatchNorm": "MindSpore 2.10 leaves the mean and the variance of a batch zeros",
    "Conv3DBackpropFilter": "MindSpore 2.10 has no CPU kernel for it",
    "Fmin": "MindSpore 2.10 has no CPU kernel for it",
    "LayerNormExt": "MindSpore 2.10 has no CPU kernel for it",
    "MatrixExp": "MindSpore 2.10 has no CPU kernel for it",
    "Vdot": "MindSpore 2.10 has no CPU kernel for it",
    "Svd": "the signs of singular vectors are free",
}
DIFFERENT_GRADIENT = {
    "KLDivLoss": "MindSpore 2.10 gives zeros for the labels",
    "NLLLoss": "MindSpore 2.10 gives zeros for the weights",
    "ReduceProd": "MindSpore 2.10 gives ones if the axis is ()",
    "SeLU": "MindSpore 2.10 takes the slope of ELU with alpha 1 below 0",
    "SigmoidCrossEntropyWithLogits": "MindSpore 2.10 gives zeros for the labels",
    "SoftmaxCrossEntropyWithLogits": "MindSpore 2.10 takes it that the labels sum to 1",
    "Svd": "the signs of singular vectors are free",
}


def test_every_op_was_recorded():
    ours = {name for name, op in primitive.OPS.items() if op.module.startswith("ms_ext.ops.")}
    assert ours - ABSENT == set(RECORD), "run tests/record_mindspore.py with MindSpore"
    assert {name for name, row in RECORD.items() if "refused" in row} <= {*DIFFERENT, *MISSING}


#: Ops of which the referee says itself that its CPU has no kernel.
MISSING = {name for name, row in RECORD.items() if "unregistered" in row.get("refused", "")}


def called(name):
    op = primitive.OPS[name]
    operands, given = plain_sample(op)
    attributes = {key: given.get(key, default) for key, default in op.attributes}
    return op, [Tensor(x) if isinstance(x, np.ndarray) else x for x in operands], attributes


def compare(tensor, row):
    assert str(tensor.dtype) == row["dtype"]
    assert list(tensor.shape) == row["shape"]
    want = np.array(row["values"]).reshape(row["shape"])
    np.testing.assert_allclose(tensor.asnumpy(), want, rtol=3e-5, atol=2e-6)


@pytest.mark.parametrize("name", sorted(set(RECORD) - set(DIFFERENT) - MISSING))
def test_value(name):
    op, operands, attributes = called(name)
    results = flat(run(op, operands, attributes))
    for tensor, row in zip(results, RECORD[name]["results"], strict=True):
        compare(tensor, row)


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, row in RECORD.items()
        if isinstance(row.get("gradients"), list) and name not in DIFFERENT_GRADIENT
    ],
)
def test_gradient(name):
    op, operands, attributes = called(name)
    floats = [
        i for i, x in enumerate(operands) if isinstance(x, Tensor) and x.dtype.kind == "float"
    ]

    def f(*varied):
        values = list(operands)
        for i, x in zip(floats, varied, strict=True):
            values[i] = x
        return counted(op, run(op, values, attributes))

    found = tape.differentiate(f, tuple(operands[i] for i in floats), tuple(range(len(floats))))[1]
    for tensor, row in zip(found, RECORD[name]["gradients"], strict=True):
        compare(tensor, row)
