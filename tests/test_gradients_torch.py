"""Where MindSpore's CPU has no kernel: values, gradients and second derivatives that torch gives.

``record_torch.py`` wrote them down.
"""

import json

import numpy as np
import pytest
from test_gradients_mindspore import RECORD, refused
from torch_cases import BRAIN, CASES, operands_of, weight

import ms_ext as ms
from ms_ext import Tensor
from ms_ext.engine import tape

GOLDEN = "golden/gradients_torch.json"


@pytest.fixture(scope="module")
def record(request):
    path = request.path.parent / GOLDEN
    return {(text, dtype): row for text, dtype, row in json.loads(path.read_text())["calls"]}


def test_everything_was_recorded(record):
    asked = {(case[0], "float64") for case in CASES} | {(case[0], "bfloat16") for case in BRAIN}
    assert asked == set(record), "run tests/record_torch.py with torch"


def test_what_mindspore_refuses_is_here():
    """No call is without an oracle. ``ops.LayerNorm`` is here with its three results."""
    here = {case[0] for case in CASES} | {"ops.LayerNorm(1, 1, 1e-5)(x, y, z)[0]"}
    assert {text for text in RECORD if refused(text)} <= here


class Asked:
    """One case: its floating operands as tensors, and what is calculated of them."""

    def __init__(self, case, dtype):
        self.given = {name: Tensor(array) for name, array in operands_of(case).items()}
        kinds = {name: tensor.dtype.kind for name, tensor in self.given.items()}
        self.names = [name for name, kind in kinds.items() if kind == "float"]
        self.operands = tuple(self.given[n].astype(getattr(ms, dtype)) for n in self.names)
        self.code = compile(case[0], case[0], "eval")

    def results(self, *operands):
        scope = {"ms": ms, "ops": ms.ops, "mint": ms.mint}
        found = eval(self.code, scope, self.given | dict(zip(self.names, operands, strict=True)))
        return found if isinstance(found, tuple) else (found,)

    def total(self, *operands):
        return weighed(self.results(*operands))

    def gradients(self, *operands):
        return tape.differentiate(self.total, operands, tuple(range(len(operands))))[1]

    def second(self):
        def slope(*operands):
            return weighed(self.gradients(*operands))

        return tape.differentiate(slope, self.operands, tuple(range(len(self.operands))))[1]


def weighed(tensors):
    weights = [Tensor(weight(t.shape)).astype(t.dtype) for t in tensors]
    return sum((t * w).sum() for t, w in zip(tensors, weights, strict=True))


def compare(tensors, rows, near):
    for tensor, row in zip(tensors, rows, strict=True):
        have = tensor.asnumpy().astype(np.float64).ravel()
        largest = np.max(np.abs(row), initial=1e-3)
        np.testing.assert_allclose(have, row, near, near * largest)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_values_and_derivatives(case, record):
    row, asked = record[case[0], "float64"], Asked(case, "float64")
    compare(asked.results(*asked.operands), row["value"], 1e-8)
    found = asked.gradients(*asked.operands)
    assert all(g.dtype is ms.float64 for g in found)
    compare(found, row["gradients"], 1e-8)
    compare(asked.second(), row["second"], 1e-8)


@pytest.mark.parametrize("case", BRAIN, ids=lambda case: case[0])
def test_bfloat16(case, record):
    """To the eight bits that a bfloat16 has, and some steps of rounding."""
    row, asked = record[case[0], "bfloat16"], Asked(case, "bfloat16")
    compare(asked.results(*asked.operands), row["value"], 2**-6)
    found = asked.gradients(*asked.operands)
    assert all(g.dtype is ms.bfloat16 for g in found)
    compare(found, row["gradients"], 2**-5)
