"""What ``func_type="hybrid"`` refuses when the op is made: MindSpore's checks, in its words."""

import contextlib

import numpy as np
import pytest
from custom_ops import X
from hybrid_refused_scopes import REFUSED, STRICT

from ms_ext import Tensor, ops
from ms_ext.engine import strict
from ms_ext.ops import kernel


@kernel
def add(a, b):
    c = output_tensor(a.shape, a.dtype)  # noqa: F821
    for i, j in grid(a.shape):  # noqa: F821
        c[i, j] = a[i, j] + b[i, j]
    return c


def hybrid(function):
    return ops.Custom(function, func_type="hybrid")


@pytest.mark.parametrize("function, kind, text", REFUSED, ids=[f.__name__ for f, *_ in REFUSED])
def test_mindspores_checks_in_its_words(function, kind, text):
    for mode in (contextlib.nullcontext, strict.as_mindspore):
        with pytest.raises(kind) as caught, mode():
            hybrid(function)
        assert caught.value.message == text
        assert "hybrid_refused" in str(caught.value)


@pytest.mark.parametrize("function, kind, text, ours", STRICT, ids=[f.__name__ for f, *_ in STRICT])
def test_where_the_default_is_kinder_or_clearer(function, kind, text, ours):
    with strict.as_mindspore():
        if kind is None:
            hybrid(function)
        else:
            with pytest.raises(kind) as caught:
                hybrid(function)
            assert caught.value.message.endswith(text)
    if ours is None:
        assert np.allclose(hybrid(function)(Tensor(X)).asnumpy(), function(X), rtol=1e-6)
    else:
        with pytest.raises(ours[0]) as caught:
            hybrid(function)
        assert ours[1] in caught.value.message


@pytest.mark.parametrize("given", [lambda a: a, "cce code string"])
def test_what_is_no_kernel_is_refused(given):
    with pytest.raises(TypeError) as caught:
        hybrid(given)
    assert caught.value.message == (
        f"For 'Custom', 'func_type': hybrid, 'func': {given}, 'func' must be a function decorated "
        "by kernel"
    )


def test_wrong_number_of_inputs_is_said_as_python_says_it():
    with pytest.raises(TypeError, match=r"add\(\) missing 1 required positional argument: 'b'"):
        hybrid(add)(Tensor(X))
    with pytest.raises(TypeError, match=r"add\(\) takes 2 positional arguments but 3 were given"):
        hybrid(add)(Tensor(X), Tensor(X), Tensor(X))
