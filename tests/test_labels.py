"""Which labels losses over classes take: Int32 class numbers, shares in floats, nothing near."""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Tensor, nn, ops

X = Tensor(np.float32([[0.5, -1.0, 2.0], [1.0, 0.0, -0.5]]))
KINDS = Tensor(np.int32([2, 0]))
NUMBERS = [ms.bool_, ms.int8, ms.uint8, ms.int16, ms.int64, ms.float16, ms.float32, ms.float64]


@pytest.mark.parametrize("dtype", NUMBERS, ids=str)
def test_class_numbers_of_the_layer_are_int32(dtype, mode):
    """For the function also Int64; no smaller ones, which have no room for a place."""
    wrong, layer = KINDS.astype(dtype), nn.CrossEntropyLoss()
    told = f"the 'labels' should be Int32, but got 'mindspore.{dtype.public}'"
    with pytest.raises(TypeError, match=told):
        layer(X, wrong)
    if dtype == ms.int64:
        assert float(ops.cross_entropy(X, wrong)) == float(layer(X, KINDS))
    elif dtype.kind != "float":
        for function in (ops.cross_entropy, ops.nll_loss, nn.NLLLoss()):
            with pytest.raises(TypeError):
                function(X, wrong)


@pytest.mark.parametrize("dtype", [ms.float16, ms.float32])
def test_shares_of_the_layer_are_float16_or_float32(dtype, mode):
    layer, given = nn.CrossEntropyLoss(), ops.one_hot(KINDS, 3, 1.0, 0.0).astype(dtype)
    assert float(layer(X, given)) == pytest.approx(float(layer(X, KINDS)), 1e-6)
    for wrong in (ms.float64, ms.bool_, ms.int32):
        with pytest.raises(TypeError, match="'labels' should be one of .*float16.*float32"):
            layer(X, given.astype(wrong))
    with pytest.raises(TypeError, match="'logits' should be one of"):
        layer(X.astype(ms.float64), given)


@pytest.mark.parametrize("wrong", [ms.int8, ms.uint8, ms.int16], ids=str)
def test_small_integers_are_no_places(wrong, mode):
    for use in (
        lambda: ops.one_hot(KINDS.astype(wrong), 3, 1.0, 0.0),
        lambda: ops.gather_elements(X, 1, KINDS.astype(wrong).reshape(2, 1)),
        lambda: nn.SoftmaxCrossEntropyWithLogits(True)(X, KINDS.astype(wrong)),
        lambda: nn.SoftmaxCrossEntropyWithLogits(True, "mean")(X, KINDS.astype(wrong)),
    ):
        with pytest.raises(TypeError, match="must be Int32 or Int64"):
            use()
