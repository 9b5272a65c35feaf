"""What a bprop may return, what the tape keeps for it, and what is refused."""

import gc
import weakref

import numpy as np
import pytest

from ms_ext import ops  # noqa: F401  (fills the operators)
from ms_ext.common import Parameter
from ms_ext.engine import errors, primitive
from ms_ext.engine.primitive import op
from ms_ext.engine.tape import differentiate
from ms_ext.engine.tensor import Tensor, core

X = Tensor([1.0, 2.0, 3.0])


def grad(f):
    return lambda x: differentiate(f, (x,), (0,))[1][0]


def cube(x):
    return x * x * x + 2 * x


def one_op(name, bprop, arity=1):
    """An op of this test with a gradient of its own."""
    compute = (lambda x: x * 1) if arity == 1 else (lambda x, y: x + y)
    return op()(type(name, (), {"__module__": __name__, "compute": compute, "bprop": bprop}))


@pytest.mark.parametrize(
    "returned",
    [lambda d: (d,), lambda d: d, lambda d: [d], lambda d: d.asnumpy(), lambda d: (1.0,)],
)
def test_forms_of_a_gradient(returned):
    forgiving = one_op("Forgiving", lambda _x, _out, dout: returned(dout))
    assert grad(forgiving)(X).tolist() == [1, 1, 1]


def test_none_is_no_gradient():
    stopping = one_op("Stopping", lambda _x, _out, dout: (None,))
    assert grad(lambda x: stopping(x) + x)(X).tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("returned", "words"),
    [
        (lambda d: (d,), "returned 1 gradients but there are 2 operands"),
        (lambda d: (d, d, d), "returned 3 gradients"),
        (lambda d: (d, Tensor([1.0, 2.0])), "gradient of the wrong shape"),
        (lambda d: (d, "text"), "something that is not a tensor"),
    ],
)
def test_a_wrong_bprop_is_refused(returned, words):
    wrong = one_op("Wrong", lambda _x, _y, _out, dout: returned(dout), 2)
    with pytest.raises(errors.MsExtError, match=words):
        differentiate(wrong, (X, X), (0, 1))
    assert grad(cube)(Tensor(2.0)).item() == 14  # the tape is whole afterwards


WITH_KERNEL = sorted(n for n, o in primitive.OPS.items() if o.bprop_kernel)


@pytest.mark.parametrize("name", WITH_KERNEL)
def test_a_compiled_bprop_is_the_python_one(name):
    fast = primitive.OPS[name]
    body = {"__module__": __name__, "bprop_kernel": None}
    slow = op(operands=fast.operands, same_as=fast)(type(f"Plain{name}", (), body))
    rows = [np.float32([[1, 2], [3, 4]]), np.float32([5, 6]), np.int32([[7], [8]]), np.float16(3)]
    for first in rows:
        for second in rows[: 4 if fast.arity == 2 else 1]:
            operands = tuple(map(Tensor, (first, second)[: fast.arity]))
            positions = tuple(range(fast.arity))
            both = [differentiate(f, operands, positions)[1] for f in (fast, slow)]
            for got, expected in zip(*both, strict=True):
                assert got.dtype is expected.dtype and got.tolist() == expected.tolist()


# what is kept ------------------------------------------------------------------------------------


def test_an_entry_keeps_only_what_its_bprop_reads():
    """Recording, a chain of adds frees its intermediate results; a chain of products does not."""

    def alive(step):
        seen = []

        def f(x):
            for _ in range(5):
                x = step(x)
                seen.append(weakref.ref(x))
            return sum(s() is not None for s in seen), x

        return differentiate(lambda x: f(x)[::-1], (X,), (0,), has_aux=True)[0][1]

    assert alive(lambda x: x + x) == 1
    assert alive(lambda x: x * x) == 5


def test_nothing_is_recorded_outside_and_nothing_stays():
    seen = weakref.ref(Tensor([1.0]))
    assert seen() is None
    w = Parameter(Tensor(np.ones(10)), name="w")
    kept = []

    def f(x):
        y = x * w
        kept.append(weakref.ref(y))
        return y * y

    differentiate(f, (Tensor(np.ones(10)),), (0,), (w,))
    gc.collect()
    assert kept[0]() is None and core.slot_of(w) == -1


def test_an_error_inside_leaves_no_tape():
    def f(x):
        y = x * x
        raise ZeroDivisionError(y)

    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            grad(lambda x: grad(f)(x))(X)
    assert core.slot_of(X * X) == -1 and grad(cube)(Tensor(2.0)).item() == 14
