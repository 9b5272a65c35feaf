"""How far two results are from each other: to the bit, in ulp, and where they differ."""

import numpy as np
import pytest

from ms_ext.viz.comparing.agreement import agreement

F32, F16 = np.float32, np.float16


@pytest.mark.parametrize(
    "one, other, words",
    [
        (F32([1, np.nan]), F32([1, np.nan]), "equal to the bit"),
        (F32([0.0]), F32([-0.0]), "within 1 ulp, at most 0 apart"),
        (F32([1, np.nan]), F32([1, 2]), "differs at 1 of 2 elements: first at [1], nan and 2.0"),
        (F32([np.inf]), F32([np.inf]), "equal to the bit"),
        (F32([1.0]), F16([1.0]), "within 0 ulp of Float16"),
        (F32([1e9]), F16([np.inf]), "within 0 ulp of Float16"),
        (np.int32([1, 2]), np.int32([1, 4]), "differs at 1 of 2 elements: first at [1], 2 and 4"),
        (np.bool_([True]), np.bool_([False]), "at most 1 apart"),
        (np.int32([1]), np.float32([1]), "differs: i32[1] and f32[1]"),
        (2.0, 2.0, "equal to the bit"),
        (2.0, 3.0, "differs: 2.0 and 3.0"),
        ((F32([1]), 2), (F32([1]), 3), "differs: 2 and 3"),
        ((1, 2), (1,), "differs: 2 and 1 values"),
        ((1,), 1, "differs: one value and several"),
        (F32([]), F32([]), "equal to the bit"),
    ],
)
def test_how_two_results_agree(one, other, words):
    assert words in agreement(one, other).words


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_ulps_are_steps_from_float_to_float(kind):
    start = np.array([1.0, -1.0, 0.0, -3e-3, 6e4], kind)
    other = start
    for steps in range(1, 6):
        other = np.nextafter(other, kind(np.inf))
        found = agreement(start, other)
        assert found.near and not found.same
        assert found.ulp == steps


def test_ulps_of_bfloat16_and_across_the_whole_range():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    one = np.array([1.0, 2.0], ml_dtypes.bfloat16)
    other = (one.view(np.int16) + np.int16(1)).view(ml_dtypes.bfloat16)
    assert agreement(one, other).ulp == 1
    far = agreement(np.float64([-np.finfo("f8").max]), np.float64([np.finfo("f8").max]))
    assert not far.near and far.ulp > 1 << 63
