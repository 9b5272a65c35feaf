"""First numbers: MindSpore's own for a seed, the spread that each formula says, dtypes, errors."""

import json
import math

import initializer_cases
import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Parameter, Tensor, nn
from ms_ext.common import philox
from ms_ext.common.initializer import (
    HeNormal,
    HeUniform,
    Initializer,
    Normal,
    Orthogonal,
    Sparse,
    TruncatedNormal,
    Uniform,
    VarianceScaling,
    XavierNormal,
    XavierUniform,
    initializer,
)

RECORDED = json.loads(initializer_cases.GOLDEN.read_text())


@pytest.mark.parametrize("rule", initializer_cases.RULES)
def test_the_numbers_are_those_of_mindspore(rule):
    found = initializer_cases.first_numbers(ms, rule)
    np.testing.assert_allclose(found, RECORDED[rule], rtol=3e-6, atol=2e-6)


@pytest.mark.parametrize("net", initializer_cases.NETS)
def test_a_network_begins_with_the_numbers_of_mindspore(net):
    found = initializer_cases.parameters(ms, net)
    assert list(found) == list(RECORDED[net])
    for name, expected in RECORDED[net].items():
        np.testing.assert_allclose(found[name], expected, rtol=3e-6, atol=2e-6)


INPUTS, OUTPUTS = 300, 200
SPREADS = [  # the rule, its standard deviation, its bound
    (Normal(0.3), 0.3, None),
    (Uniform(0.3), 0.3 / math.sqrt(3), 0.3),
    (TruncatedNormal(1.0, 0.0, -2.0, 2.0), 0.8796, 2.0),
    (XavierNormal(2), 2 * math.sqrt(2 / (INPUTS + OUTPUTS)), None),
    (XavierUniform(), math.sqrt(2 / (INPUTS + OUTPUTS)), math.sqrt(6 / (INPUTS + OUTPUTS))),
    (HeNormal(), math.sqrt(2 / INPUTS), None),
    (HeNormal(mode="fan_out", nonlinearity="tanh"), 5 / 3 / math.sqrt(OUTPUTS), None),
    (HeUniform(math.sqrt(5)), 1 / math.sqrt(3 * INPUTS), 1 / math.sqrt(INPUTS)),
    (VarianceScaling(), 1 / math.sqrt(INPUTS), 2 / math.sqrt(INPUTS) / 0.8796),
    (VarianceScaling(2.0, "fan_avg", "uniform"), math.sqrt(2 / 250), math.sqrt(6 / 250)),
    (VarianceScaling(2.0, "fan_out", "untruncated_normal"), 0.1, None),
]


@pytest.mark.parametrize(("rule", "sigma", "bound"), SPREADS)
def test_the_spread_is_that_of_the_formula(rule, sigma, bound):
    ms.set_seed(2)
    found = initializer(rule, (OUTPUTS, INPUTS)).asnumpy()
    assert abs(found.mean()) < 0.02 * sigma
    assert found.std() == pytest.approx(sigma, rel=0.01)
    if bound is not None:
        assert 0.99 * bound < np.abs(found).max() <= bound * (1 + 1e-6)


def test_rows_at_right_angles():
    for shape in ((3, 5), (5, 3), (2, 3, 2)):
        w = initializer(Orthogonal(2.0), shape).asnumpy().reshape(shape[0], -1)
        product = w @ w.T if w.shape[0] <= w.shape[1] else w.T @ w
        np.testing.assert_allclose(product, 4 * np.eye(len(product)), atol=1e-5)


def test_a_share_of_each_column_is_zero():
    found = initializer(Sparse(0.25, 1.0), (8, 3)).asnumpy()
    assert ((found == 0).sum(0) == 2).all()


@pytest.mark.parametrize("seeding", [ms.set_seed, np.random.seed])
def test_a_seed_begins_the_draws_anew(seeding):
    seeding(5)
    one = [initializer("normal", (3,)).asnumpy() for _ in range(2)]
    seeding(5)
    two = [initializer("normal", (3,)).asnumpy() for _ in range(2)]
    np.testing.assert_array_equal(one, two)
    assert (one[0] != one[1]).any()


def test_a_long_draw_begins_as_a_short_one():
    assert (philox.normal(3, 0, 1, 5) == philox.normal(3, 0, 1, 4000)[:5]).all()
    assert len({*philox.bits(3, 4000).tolist()}) > 3990


@pytest.mark.parametrize("dtype", [ms.float16, ms.float64, ms.bfloat16, ms.int32])
def test_dtypes(dtype):
    made = initializer("ones", (2,), dtype)
    assert made.dtype == dtype and made.astype(ms.float32).asnumpy().tolist() == [1, 1]
    if dtype != ms.int32:
        drawn = initializer_cases.first_numbers(ms, "Uniform()", ms.float32)
        ms.set_seed(1)
        found = initializer(Uniform(), (3, 4), dtype).astype(ms.float32).asnumpy()
        np.testing.assert_allclose(found, drawn, rtol=1e-2)


def test_a_rule_of_ones_own():
    class Ramp(Initializer):
        def _initialize(self, arr):
            arr[:] = np.arange(arr.size).reshape(arr.shape)

    for made in (initializer(Ramp(), (2, 2)), Tensor(shape=(2, 2), dtype=ms.float32, init=Ramp())):
        assert made.asnumpy().tolist() == [[0, 1], [2, 3]]
    assert nn.Dense(2, 1, weight_init=Ramp()).weight.asnumpy().tolist() == [[0, 1]]


def test_a_tensor_that_is_given_is_not_shared():
    given = Tensor(np.ones((2, 2), np.float32))
    layer = nn.Dense(2, 2, weight_init=given)
    layer.weight.set_data(Tensor(np.zeros((2, 2), np.float32)))
    assert given.asnumpy().all()
    weight = Parameter(initializer("ones", (2,)), name="w")
    weight[0] = 5.0
    assert initializer("ones", (2,)).asnumpy().tolist() == [1, 1]


def test_suggestions():
    with pytest.raises(ValueError, match="Did you mean 'xavier_uniform'"):
        initializer("xavier_unifrm", (2, 2))
