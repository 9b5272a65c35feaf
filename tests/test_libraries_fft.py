"""The library's Fourier transforms against np.fft, the cache of plans, what is refused."""

import numpy as np
import pytest

from ms_ext.engine import errors
from ms_ext.engine.libraries import asdsip
from ms_ext.engine.libraries.asdsip import FFTParam, Plan, PlanCache, as_complex, as_pairs, symbol

C2C, C2R, R2C = asdsip.FftType
FORWARD, BACKWARD = asdsip.FftDirection
ROWS, COLUMNS = asdsip.FftDimType
RANDOM = np.random.default_rng(22)


def drawn(*shape):
    """Complex numbers of a normal distribution, in pairs of float32."""
    return RANDOM.standard_normal((*shape, 2)).astype(np.float32)


def ran(name, param, given, shape):
    """The result as complex128 (C2R: as it is), from a tensor of pairs."""
    plan = Plan(param)
    made = np.full(shape, 77, np.float32)
    assert symbol(name)(plan, given, made, np.empty(plan.workspace, np.uint8)) == 0
    return made


@pytest.mark.parametrize("size", [1, 2, 3, 8, 15, 17, 64, 100])
@pytest.mark.parametrize("way", asdsip.FftDirection)
def test_one_axis(size, way):
    x = drawn(3, size)
    numpys = np.fft.fft if way == FORWARD else np.fft.ifft
    found = ran("asdFftExecC2C", FFTParam(size, 0, C2C, way, 3), x, x.shape)
    wanted = as_pairs(numpys(as_complex(x))).astype(np.float32)
    np.testing.assert_array_equal(found, wanted)  # 1e-3 is asked for; only the rounding is left


@pytest.mark.parametrize("sizes", [(4, 4), (8, 3), (5, 7), (1, 6)])
@pytest.mark.parametrize("way", asdsip.FftDirection)
def test_two_axes(sizes, way):
    x = drawn(2, *sizes)
    numpys = np.fft.fft2 if way == FORWARD else np.fft.ifft2
    found = ran("asdFftExecC2C", FFTParam(*sizes, C2C, way, 2), x, x.shape)
    np.testing.assert_allclose(as_complex(found), numpys(as_complex(x)), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("size", [1, 2, 7, 8, 33])
def test_real_numbers_there_and_back(size):
    x = RANDOM.standard_normal((4, size)).astype(np.float32)
    half = ran("asdFftExecR2C", FFTParam(size, 0, R2C, FORWARD, 4), x, (4, size // 2 + 1, 2))
    np.testing.assert_allclose(as_complex(half), np.fft.rfft(x.astype("f8")), rtol=1e-6, atol=1e-6)
    back = ran("asdFftExecC2R", FFTParam(size, 0, C2R, BACKWARD, 4), half, (4, size))
    np.testing.assert_allclose(back, x, atol=1e-6)


@pytest.mark.parametrize("sizes", [(4, 6), (3, 5)])
def test_real_numbers_of_two_axes(sizes):
    x = RANDOM.standard_normal((2, *sizes)).astype(np.float32)
    shape = (2, sizes[0], sizes[1] // 2 + 1, 2)
    half = ran("asdFftExecR2C", FFTParam(*sizes, R2C, FORWARD, 2), x, shape)
    np.testing.assert_allclose(as_complex(half), np.fft.rfft2(x.astype("f8")), rtol=1e-6, atol=1e-6)
    back = ran("asdFftExecC2R", FFTParam(*sizes, C2R, BACKWARD, 2), half, x.shape)
    np.testing.assert_allclose(back, x, atol=1e-6)


def test_columns():
    x = drawn(8, 3)
    found = ran("asdFftExecC2C", FFTParam(8, 0, C2C, FORWARD, 3, COLUMNS), x, x.shape)
    np.testing.assert_allclose(as_complex(found), np.fft.fft(as_complex(x), axis=0), atol=1e-5)


def test_complex_arrays_are_taken_as_they_are():
    x = as_complex(drawn(2, 4)).astype(np.complex64)
    plan, made = Plan(FFTParam(4, 0, C2C, FORWARD, 2)), np.empty((2, 4), np.complex64)
    symbol("asdFftExecC2C")(plan, x, made, np.empty(plan.workspace, np.uint8))
    np.testing.assert_allclose(made, np.fft.fft(x), atol=1e-5)


def test_the_numbers_of_the_enums_are_the_real_ones():
    assert [int(each) for each in asdsip.FftType] == [0x10, 0x11, 0x12]
    assert [int(each) for each in asdsip.FftDirection] == [0x10, 0x11]
    assert [int(each) for each in asdsip.FftDimType] == [0x10, 0x11]


# plans ----------------------------------------------------------------------------------------


def of(size):
    """A param of this many points."""
    return FFTParam(size, 0, C2C, FORWARD, 1)


def test_a_plan_is_made_once_and_the_oldest_makes_room():
    cache = PlanCache(capacity=2)
    first = cache.plan(of(4))
    assert cache.plan(of(4)) is first
    cache.plan(of(8))
    cache.plan(of(4))  # used again: 8 is the oldest now
    cache.plan(of(16))
    assert cache.kept() == [of(4), of(16)]
    assert cache.counters() == (2, 3, 1, 2)
    cache.set_size(1)
    assert cache.kept() == [of(16)] and cache.counters() == (2, 3, 2, 1)
    cache.plan(of(4))
    assert cache.counters() == (2, 4, 3, 1)


def test_every_field_tells_plans_apart():
    cache, one = PlanCache(), FFTParam(12, 8, C2C, FORWARD, 1)
    others = [one._replace(fftXSize=1, fftYSize=28), one._replace(direction=BACKWARD),
              one._replace(batchSize=2), one._replace(dimType=COLUMNS),
              one._replace(fftType=R2C)]  # fmt: skip
    plans = {id(cache.plan(param)) for param in (one, *others)}
    assert len(plans) == 6


@pytest.mark.parametrize("size", [0, -1, 2.0, "8"])
def test_a_cache_holds_at_least_one(size):
    with pytest.raises(errors.InvalidValue, match="holds at least one"):
        PlanCache().set_size(size)


REFUSED = [
    FFTParam(), of(0), of(4)._replace(batchSize=0), of(4)._replace(fftYSize=-1),
    of(4)._replace(fftType=R2C, direction=BACKWARD), of(4)._replace(fftType=0x20),
    of(4)._replace(dimType=3),
]  # fmt: skip


@pytest.mark.parametrize("param", REFUSED, ids=str)
def test_there_is_no_plan_for(param):
    cache = PlanCache()
    with pytest.raises(errors.InvalidValue, match="no plan for this FFTParam"):
        cache.plan(param)
    assert not cache.kept()


def test_an_unknown_function_says_which_was_meant():
    with pytest.raises(errors.NotRunnable, match="(?s)Get api asdFftExecC2 from.*asdFftExecC2C"):
        symbol("asdFftExecC2")


def test_what_does_not_fit_is_a_status():
    plan, x = Plan(of(4)), drawn(1, 4)
    room = np.empty(plan.workspace, np.uint8)
    execute = symbol("asdFftExecC2C")
    assert symbol("asdFftExecR2C")(plan, x, x, room) == 3
    assert execute(plan, drawn(1, 5), x, room) == 2
    assert execute(plan, x, x[..., 0], room) == 2
    assert execute(plan, x, x, None) == 4
    assert all(asdsip.why(status) for status in (2, 3, 4))
