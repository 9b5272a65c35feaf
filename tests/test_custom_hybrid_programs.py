"""The C of the Hybrid DSL against its meaning on NumPy: random functions, and word by word."""

# ruff: noqa: F821, F841
import numpy as np
import pytest
from hybrid_programs import function

from ms_ext.engine import toolchain
from ms_ext.engine.custom.hybrid import intrinsics, kinds, program
from ms_ext.engine.custom.hybrid.kernel import written
from ms_ext.engine.custom.hybrid.program import Program
from ms_ext.engine.custom.hybrid.reading import read
from ms_ext.engine.custom.hybrid.shapes import shapes
from ms_ext.engine.custom.hybrid.tree import NotCompiled
from ms_ext.engine.custom.loading import Trace
from ms_ext.engine.frontend.source import source_of
from ms_ext.ops import kernel

pytestmark = pytest.mark.skipif(toolchain.c_compiler() is None, reason="needs a C compiler")
FEW, MANY = range(10), range(10, 210)
long = pytest.mark.long


def given(inputs):
    """Kind and axes of each input."""
    return [(getattr(i, "dtype", type(i)), getattr(i, "ndim", 0)) for i in inputs]


def in_c(made, *inputs):
    """The results of a kernel that is compiled."""
    tree = read(source_of(written(made)), given(inputs))
    library = Program(made.__name__, tree)
    library.compile(Trace("test"), None)
    sizes = shapes(tree, [getattr(i, "shape", ()) for i in inputs])
    found = [tree.tensors[name].kind for name in tree.results]
    results = [np.full(s, 77).astype(k) for s, k in zip(sizes, found, strict=True)]
    library.call(inputs, results)
    return results if tree.several else results[0]


def in_python(made, *inputs):
    with np.errstate(all="ignore"):
        return made(*[i.copy() if isinstance(i, np.ndarray) else i for i in inputs])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("seed", [*FEW, *[pytest.param(seed, marks=long) for seed in MANY]])
def test_c_gives_what_numpy_gives_to_the_last_bit(seed, monkeypatch):
    if seed in FEW:  # compiled quickly
        monkeypatch.setattr(program, "FLAGS", (*program.FLAGS, "-O0"))
    made, text, inputs = function(seed, seed in MANY)
    wanted, got = in_python(made, *inputs), in_c(made, *inputs)
    assert wanted.dtype == got.dtype, text
    assert np.array_equal(wanted, got, equal_nan=wanted.dtype.kind == "f"), text


# every word, on one row ---------------------------------------------------------------------------

NUMBERS = np.array([-2.5, -1.0, -0.5, 0.0, 0.25, 0.5, 1.5, 2.5, np.nan, np.inf], np.float64)


@kernel
def every_word(a, b):
    c = output_tensor((20, a.shape[0]), "float64")
    for i in range(a.shape[0]):
        x = abs(a[i])
        c[0, i] = sqrt(x)
        c[1, i] = sign(a[i])
        c[2, i] = log(x + 1)
        c[3, i] = tanh(a[i])
        c[4, i] = exp(a[i])
        c[5, i] = abs(a[i])
        c[6, i] = power(x, 1.5)
        c[7, i] = rsqrt(x)
        c[8, i] = erf(a[i])
        c[9, i] = isnan(a[i])
        c[10, i] = sin(b[i])
        c[11, i] = cos(b[i])
        c[12, i] = isinf(a[i])
        c[13, i] = isfinite(a[i])
        c[14, i] = atan(a[i])
        c[15, i] = atan2(a[i], 2)
        c[16, i] = expm1(a[i])
        c[17, i] = floor(a[i]) * 4 + ceil(a[i])
        c[18, i] = trunc(a[i]) * 8 + round(a[i])
        c[19, i] = float16(a[i]) + float32(b[i]) * float64(b[i])
    return c


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", ["float64", "float32", pytest.param("float16", marks=long)])
def test_every_word_is_as_numpys(dtype):
    a = NUMBERS.astype(dtype)
    b = np.nan_to_num(a, nan=3, posinf=4)
    limit = {"float64": 1e-14, "float32": 1e-6, "float16": 2e-3}[dtype]
    assert np.allclose(in_c(every_word, a, b), in_python(every_word, a, b), limit, limit, True)
    asked = set(written(every_word).__code__.co_names)
    casts = {n for n, i in intrinsics.INTRINSICS.items() if i.group == "cast"}
    numbers = {n for n, i in intrinsics.INTRINSICS.items() if i.group not in ("loop", "scope")}
    assert numbers - casts - asked == {"allocate", "ceil_div"}  # these are in the random functions


@kernel
def whole_numbers(a, b):
    c = output_tensor((15, a.shape[0], b.shape[0]), a.dtype)
    for i, j in grid((a.shape[0], b.shape[0])):
        x = a[i]
        y = b[j]
        c[0, i, j] = x // y
        c[1, i, j] = x % y
        c[2, i, j] = x + y
        c[3, i, j] = x * y - 1
        c[4, i, j] = -x
        c[5, i, j] = ~x & y | 3
        c[6, i, j] = x ^ y
        c[7, i, j] = x << (y & 7)
        c[8, i, j] = x >> (y & 7)
        c[9, i, j] = max(x, y, x)
        c[10, i, j] = min(x, y)
        c[11, i, j] = power(x, y & 3) + x**2
        c[12, i, j] = abs(x) + sign(y)
        c[13, i, j] = int8(x) // int8(y)
        c[14, i, j] = ceil_div(i - 2, 3) + i // -2 + (j - 3) % 4
    return c


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", ["int32", "int8", pytest.param("int64", marks=long)])
def test_whole_numbers_divide_and_wrap_as_numpys(dtype):
    low, high = kinds.limits(np.dtype(dtype))
    a = np.array([low, low + 1, -7, -1, 0, 1, 7, high], dtype)
    assert np.array_equal(in_c(whole_numbers, a, a), in_python(whole_numbers, a, a))


# what Python refuses, C refuses -------------------------------------------------------------------


@kernel
def zero(a, n):
    c = output_tensor(a.shape, a.dtype)
    c[0] = 5 // (n - 3) + 1 % (n - 4) + 1 / (n - 5)
    for i in range(0, 2, n - 6):
        c[i % 2] = min(power(2, n - 1), 5)
    c[0] = n
    d = allocate((n - 20,), "int8")
    c[1] = int16(n) + int16(len(d))
    c[0] = float32(n) * sqrt(25 - n)
    return c


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("n, kind", [
    (3, ZeroDivisionError), (4, ZeroDivisionError), (5, ZeroDivisionError), (6, ValueError),
    (8, ValueError), (-3, ValueError), (200, OverflowError), (22, None), (100, OverflowError),
    (30, ValueError),
])  # fmt: skip
def test_what_python_refuses_c_refuses(n, kind):
    a = np.zeros(2, np.int8)
    if kind is None:
        assert np.array_equal(in_c(zero, a, n), in_python(zero, a, n))
        return
    for run in (in_python, in_c):
        with pytest.raises(kind):
            run(zero, a, n)


# where only Python can run it ---------------------------------------------------------------------


def refusal(made, *inputs):
    with pytest.raises(NotCompiled) as caught:
        Program("test", read(source_of(written(made)), given(inputs)))
    return caught.value.reason


ROW = np.zeros(3, np.int32)


def test_statements_that_only_python_can_run():
    @kernel
    def early(a):
        if a[0] > 0:
            return a
        return a

    @kernel
    def maybe(a):
        if a[0] > 0:
            s = 1
        a[0] = s
        return a

    @kernel
    def whole(a):
        a[0:2] = 1
        return a

    assert refusal(early, ROW) == "`return a` has no counterpart in C"
    assert refusal(maybe, ROW) == "`s` may have no value here"
    assert refusal(whole, ROW) == "`0:2` has no counterpart in C"
    assert "complex64" in refusal(whole, ROW.astype(np.complex64))


def test_numbers_that_only_python_knows():
    @kernel
    def mixed(a):
        a[0] = a[1] if a[0] > 0 else 0.5
        return a

    @kernel
    def fraction(a):
        n = 2
        a[0] = 2 ** (-n)
        a[1] = 2 ** len(a)
        return a

    @kernel
    def large(a):
        a[0] = 2**40
        return a

    assert "it is int32 or float" in refusal(mixed, ROW)
    assert refusal(fraction, ROW) == "a power of whole numbers may be a fraction"
    assert refusal(large, ROW) == "1099511627776 does not fit into int32"
