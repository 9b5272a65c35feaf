"""Every op, every sample, every dtype it takes, on every backend: what ``reference`` says."""

import numpy as np
import pytest
from op_samples import cases, described

import ms_ext.ops  # noqa: F401
from ms_ext.engine import backends, infer, primitive
from ms_ext.engine.errors import MsExtError
from ms_ext.engine.ir import FuncGraph

OPS = {
    n: op for n, op in primitive.OPS.items() if op.module.startswith("ms_ext.ops.") and op.samples
}
BACKENDS = [name for name in backends.REGISTRY.names() if name != "reference"]

# Units in the last place, where a kernel has its own arithmetic. All else is exact.
ULP = dict.fromkeys("Exp Log Erf Sin Cos Log1p Expm1 Pow".split(), 3)
ULP |= dict.fromkeys("Tanh Sigmoid Tan Asin ACos Atan Sinh Cosh Atan2".split(), 4)
ULP |= {"SiLU": 6, "GeLU": 64, "GeluExt": 64, "Softplus": 4}


def graph_of(op, operands, attributes):
    """A graph of one call: arrays are its parameters, numbers its constants."""
    graph, inputs, arrays = FuncGraph(op.name), [], []
    for operand in operands:
        if isinstance(operand, np.ndarray):
            inputs.append(graph.add_parameter(infer.abstract_of(operand)))
            arrays.append(operand)
        else:
            inputs.append(graph.constant(operand))
    graph.returns(graph.add(op, inputs, attributes or None))
    return graph, arrays


def leaves(values):
    """Arrays and numbers in nested tuples."""
    return [x for v in values for x in (leaves(v) if isinstance(v, tuple) else [v])]


def assert_same(have, want, ulp, message):
    assert type(have) is type(want), message
    have, want = np.asarray(have), np.asarray(want)
    assert (have.shape, have.dtype) == (want.shape, want.dtype), message
    if not ulp or have.dtype.kind != "f":
        np.testing.assert_array_equal(have, want, err_msg=message)
        return
    finite = np.isfinite(want)
    np.testing.assert_array_equal(np.isfinite(have), finite, err_msg=message)
    np.testing.assert_array_equal(have[~finite], want[~finite], err_msg=message)
    error = np.abs(have[finite].astype(np.float64) - want[finite].astype(np.float64))
    allowed = ulp * np.spacing(np.abs(want[finite])).astype(np.float64)
    assert (error <= allowed).all(), f"{message}: off by {np.max(error / allowed) * ulp} ulp"


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", OPS)
def test_every_op_is_what_reference_says(name, backend):
    op = OPS[name]
    for operands, attributes in cases(op):
        try:
            graph, arrays = graph_of(op, operands, attributes)
        except MsExtError:
            continue
        want = backends.build("reference", graph)(*arrays)
        have = backends.build(backend, graph)(*arrays)
        for h, w in zip(leaves(have), leaves(want), strict=True):
            assert_same(h, w, ULP.get(name, 0), described(op, operands, attributes))
