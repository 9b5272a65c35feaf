"""The compiled loops against NumPy: every op that names a kernel, every dtype and layout."""

import numpy as np
import pytest

from ms_ext import dtype as dtypes
from ms_ext import ops
from ms_ext.engine import infer, primitive
from ms_ext.engine.errors import MsExtError
from ms_ext.engine.tensor import COMPILED, Tensor

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
WITH_KERNEL = sorted(
    n for n, op in primitive.OPS.items() if op.kernel and op.module.startswith("ms_ext.ops.")
)

#: How far a kernel may be from the correctly rounded result, in units in the last place.
ULPS = {"gelu": 8, "gelu_tanh": 16, "silu": 8, "sigmoid": 8, "tanh": 4, "pow": 4, "rsqrt": 2}


#: x * (1 + something near -1): right next to x, not next to the small result.
CANCELLING = {"gelu", "gelu_tanh"}


def values(dtype, shape, seed):
    """Numbers of every size, zeros and (for floats) infinities and NaN among them."""
    rng = np.random.default_rng(seed)
    if dtype.kind == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype.kind == "int":
        info = np.iinfo(dtype.numpy)
        found = rng.integers(info.min, info.max, shape, dtype.numpy, endpoint=True)
        return found >> rng.integers(0, dtype.size * 8, shape).astype(dtype.numpy)
    found = rng.normal(size=shape) * 10.0 ** rng.integers(-3, 3, shape)
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 0.5])
    found = np.where(rng.integers(0, 4, shape) == 0, rng.choice(special, shape), found)
    return found.astype(dtype.numpy)


def expected(op, arrays):
    """What `compute` says."""
    types = tuple(map(infer.abstract_of, arrays))
    out = infer.infer(op, types, {})
    with np.errstate(all="ignore"):
        return primitive.compute_cast(op, types, out, {})(*arrays)


def agree(op, got, want):
    """Equal, or for floats as near as the op's bound; infinities and NaN in the same places."""
    assert got.dtype == want.dtype and got.shape == want.shape
    if got.dtype.kind not in "fV":
        return np.testing.assert_array_equal(got, want)
    bits = {2: 10 if got.dtype.kind == "f" else 7, 4: 23, 8: 52}[got.dtype.itemsize]
    relative = ULPS.get(op.kernel, 4) * 2.0**-bits
    smallest = float(np.finfo(np.float16).tiny) if bits == 10 else 1e-36 if bits < 52 else 1e-300
    if op.kernel in CANCELLING:
        smallest = 1e4 * 2.0 ** -(52 if bits == 52 else 23)
    got, want = got.astype(np.float64), want.astype(np.float64)
    np.testing.assert_allclose(got, want, rtol=relative, atol=smallest)


@pytest.mark.parametrize("name", WITH_KERNEL)
@pytest.mark.parametrize("dtype", dtypes.DTYPES, ids=str)
def test_kernel_is_compute(name, dtype):
    op = primitive.OPS[name]
    arrays = [values(dtype, (7, 13), seed) for seed in range(op.arity)]
    if op.kernel == "select":
        arrays[0] = values(dtypes.bool_, (7, 13), 9)
    try:
        want = expected(op, arrays)
    except (MsExtError, TypeError):
        with pytest.raises((MsExtError, TypeError)):
            op(*map(Tensor, arrays))
        return
    before = op.fallbacks
    agree(op, op(*map(Tensor, arrays)).asnumpy(), want)
    _note(op, dtype, op.fallbacks == before)
    agree(op, op(*[Tensor(np.ascontiguousarray(a.T)).T for a in arrays]).asnumpy(), want)
    agree(op, op(*[Tensor(np.repeat(a, 2, 1))[:, ::2] for a in arrays]).asnumpy(), want)


_ran: dict = {}


def _note(op, dtype, by_kernel):
    _ran[op.kernel, dtype.short] = by_kernel


def test_most_of_them_ran_compiled():
    """Of the pairs (kernel, float dtype) that were tried, all but a few have a loop."""
    floats = [ran for (_, short), ran in _ran.items() if "f" in short]
    if floats:
        assert sum(floats) >= 0.9 * len(floats), [pair for pair, ran in _ran.items() if not ran]


BINARY = [n for n in WITH_KERNEL if primitive.OPS[n].arity == 2]
BROADCASTS = [((4, 4), (4,)), ((4, 1), (3,)), ((2, 3, 4), (3, 1))]
BROADCASTS += [((), (3,)), ((0, 3), (3,)), ((1,), (1, 1))]


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("shapes", BROADCASTS)
def test_broadcasting_is_numpys(name, shapes):
    op = primitive.OPS[name]
    dtype = dtypes.int32 if name.startswith("Bitwise") else dtypes.float32
    arrays = [values(dtype, s, i) for i, s in enumerate(shapes)]
    if dtype is dtypes.float32:
        arrays = [np.abs(a) + 1 for a in arrays]
    agree(op, op(*map(Tensor, arrays)).asnumpy(), expected(op, arrays))


@pytest.mark.parametrize("a", dtypes.DTYPES, ids=str)
@pytest.mark.parametrize("b", dtypes.DTYPES, ids=str)
def test_casts_are_numpys(a, b):
    """Through promotion, which never narrows: in the sum with a tensor of the wider dtype."""
    wide = dtypes.promote(a, b)
    x = values(a, (5, 3), 1)
    got = (Tensor(x).T + Tensor(np.zeros(1, b.numpy))).asnumpy()
    with np.errstate(all="ignore"):
        want = x.astype(wide.numpy).T + np.zeros(1, wide.numpy)
        np.testing.assert_array_equal(got.astype(np.float64), want.astype(np.float64))


def test_every_half_survives_the_round_trip():
    """All 65536 bit patterns of both half floats, through float32 and back by the kernels."""
    for dtype in (dtypes.float16, dtypes.bfloat16):
        halves = np.arange(65536, dtype=np.uint32).astype(np.uint16).view(dtype.numpy)
        wide = (Tensor(halves) + Tensor(np.float32([0]))).asnumpy()
        np.testing.assert_array_equal(wide, halves.astype(np.float32))
        back = (Tensor(halves) * 1).asnumpy()
        same = (back.view(np.uint16) == halves.view(np.uint16)) | np.isnan(wide)
        assert same.all()


def test_half_rounding_is_numpys():
    rng = np.random.default_rng(0)
    anything = rng.integers(0, 2**32, 200000, np.uint32)
    smallest = np.arange(0x387FE000, 0x38801000, dtype=np.uint32)
    largest = np.arange(0x477FE000, 0x47800100, dtype=np.uint32)
    wide = np.concatenate([anything, smallest, largest]).view(np.float32)
    x = Tensor(wide)
    for dtype in (dtypes.float16, dtypes.bfloat16):
        with np.errstate(all="ignore"):
            want = wide.astype(dtype.numpy)
        got = ops.cast(x, dtype).asnumpy()
        np.testing.assert_array_equal(got.astype(np.float32), want.astype(np.float32))


@pytest.mark.parametrize("n", [1, 16, 17, 64, 1000, 10000])
def test_sizes_around_the_inline_bytes_and_the_vector_width(n):
    a = np.arange(n, dtype=np.float32)
    x = Tensor(a)
    np.testing.assert_array_equal((x + x).asnumpy(), a + a)
    np.testing.assert_array_equal((x * 2.0).asnumpy(), a * np.float32(2))
    np.testing.assert_array_equal((2.0 - x).asnumpy(), np.float32(2) - a)
