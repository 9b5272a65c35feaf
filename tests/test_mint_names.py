"""The most used names of mint: values, dtypes and shapes as torch's, primitives as MindSpore's."""

import json

import numpy as np
import pytest
from mint_cases import CASES, PRIMITIVES, name_of, operands_of

from ms_ext import Tensor, mint
from ms_ext.engine import primitive
from ms_ext.mint.nn import functional

GOLDEN = "golden/mint_torch.json"

#: text -> the dtypes that MindSpore gives where torch gives others.
OTHER_DTYPES = {}


@pytest.fixture(scope="module")
def record(request):
    return dict(json.loads((request.path.parent / GOLDEN).read_text()))


def called(text):
    given = {name: Tensor(x) for name, x in operands_of(text).items()}
    found = eval(text, {"mint": mint, "F": functional}, given)
    return found if isinstance(found, tuple | list) else (found,)


def test_everything_was_recorded(record):
    assert list(record) == CASES, "run tests/record_mint.py with torch"
    assert len({name_of(text) for text in CASES}) >= 200


def test_values(record):
    wrong = {}
    for text in CASES:
        try:
            compare(called(text), record[text], OTHER_DTYPES.get(text))
        except Exception as error:  # noqa: BLE001 - all of them are shown
            wrong[text] = f"{type(error).__name__}: {error}"
    assert wrong == {}


def compare(found, rows, dtypes):
    for i, (tensor, row) in enumerate(zip(found, rows, strict=True)):
        if not isinstance(row, list):
            assert tensor == row
            continue
        kind, shape, values = row
        assert list(tensor.shape) == shape
        wanted = dtypes[i] if dtypes else kind
        assert tensor.dtype.public.removesuffix("_") == wanted
        have = tensor.asnumpy().astype(np.float64).ravel()
        np.testing.assert_allclose(have, np.array(values), 2e-5, 2e-6)


@pytest.mark.parametrize("text", PRIMITIVES)
def test_the_primitive_is_that_of_mindspore(text):
    """And ops has another under that name, or none: patterns match by name."""
    seen = []

    def watch(op, operands, attributes):
        seen.append(op.name)
        return primitive.default(op, operands, attributes)

    with primitive.interpreting(watch):
        called(text)
    assert PRIMITIVES[text] in seen
