"""Dtypes: which comes out where two meet, and how tensors of each look; compared with MindSpore."""

import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from tensor_cases import DTYPES, LOOKS, MEETINGS, NUMBERS

from ms_ext import dtype as dtypes
from ms_ext import ops  # noqa: F401  (fills the operators)
from ms_ext.engine import errors
from ms_ext.engine.tensor import Tensor

GOLDEN = Path(__file__).parent / "golden"
RECORDED = json.loads((GOLDEN / "promotion.json").read_text())["promotion"]
PRINTED = json.loads((GOLDEN / "printing.json").read_text())["printing"]
MADE = {name: Tensor([1], dtypes.named(name)) for name in DTYPES} | NUMBERS

#: MindSpore's CPU has no such kernels for bfloat16; here they exist.
MISSING_THERE = {
    (sign, p) for sign, found in RECORDED.items() for p in found if found[p] == "TypeError"
}


@pytest.mark.parametrize("sign", MEETINGS)
def test_result_dtype_is_mindspores(sign):
    """All 100 pairs of dtypes, and each with a bool, an int and a float on either side."""
    assert len(RECORDED[sign]) == 160
    for pair, expected in RECORDED[sign].items():
        if (sign, pair) not in MISSING_THERE:
            a, b = (MADE[word] for word in pair.split())
            assert str(MEETINGS[sign](a, b).dtype) == expected, (sign, pair)


def test_only_bfloat16_is_missing_there():
    assert all("bfloat16" in pair for _, pair in MISSING_THERE)


def test_tables_say_what_the_ops_do():
    for a in dtypes.DTYPES:
        for b in dtypes.DTYPES:
            assert str(dtypes.promote(a, b)) == RECORDED["+"][f"{a.public} {b.public}"]
        for word, kind in (("True", "bool"), ("2", "int"), ("2.5", "float")):
            assert str(dtypes.SCALAR_PROMOTION[kind][a]) == RECORDED["+"][f"{a.public} {word}"]


@pytest.mark.parametrize("text", LOOKS)
def test_looks_as_in_mindspore(text):
    def tensor(data, dtype=None):
        return Tensor(data, None if dtype is None else dtypes.named(dtype))

    made = eval(text, {"np": np, "T": tensor})
    assert [repr(made), str(made)] == PRINTED[text]


@pytest.mark.parametrize("dtype", dtypes.DTYPES, ids=str)
def test_a_dtype_is_one_object(dtype):
    assert pickle.loads(pickle.dumps(dtype)) is dtype
    assert (
        dtypes.named(dtype.public)
        is dtypes.named(dtype.name)
        is dtypes.from_numpy(dtype.numpy)
        is dtype
    )
    assert dtype.numpy.itemsize == dtype.size and dtypes.DTYPES[dtype] is dtype
    assert repr(dtype) == f"mindspore.{dtype.public}"


@pytest.mark.parametrize(
    ("action", "kind", "words"),
    [
        (lambda: dtypes.named("flaot32"), ValueError, "Did you mean 'float32'?"),
        (lambda: dtypes.from_numpy(np.dtype("complex64")), TypeError, "complex64"),
        (lambda: Tensor(np.zeros(2, np.uint16)), TypeError, "uint16"),
        (lambda: Tensor([1], "float32"), TypeError, "ms.float32"),
    ],
)
def test_an_unknown_dtype_is_refused(action, kind, words):
    with pytest.raises(errors.MsExtError, match=words) as caught:
        action()
    assert isinstance(caught.value, kind)


def test_other_byte_order_is_read():
    swapped = np.arange(3, dtype=">i4")
    assert (
        Tensor(swapped).asnumpy().tolist()
        == Tensor.from_numpy(swapped).asnumpy().tolist()
        == [0, 1, 2]
    )
    assert str(Tensor(swapped).dtype) == "Int32"
