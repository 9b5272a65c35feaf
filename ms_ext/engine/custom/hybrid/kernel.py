"""``@kernel``: what does the decorator make of a function? One that runs on NumPy arrays.

>>> import numpy as np
>>> @kernel
... def twice(a):
...     b = output_tensor(a.shape, a.dtype)
...     for i in range(a.shape[0]):
...         b[i] = 2 * a[i]
...     return b
>>> twice(np.array([1.0, 3.0], np.float32))
array([2., 6.], dtype=float32)
"""

import functools
import json
import types
import warnings

from ... import errors
from .intrinsics import RUN

_told = set()  # notices that were given


def kernel(fn=None, reg_info=None, compile_attrs=None):
    """Make a function of the Hybrid DSL: call it with NumPy arrays, or give it to ``ops.Custom``.

    As ``@kernel`` or ``@kernel(reg_info=..., compile_attrs={...})``. The words of the DSL, such as
    ``output_tensor`` and ``grid``, are there while it runs; they need no import. TypeError for
    what is no function, ``compile_attrs`` that is no dict of texts, or another ``reg_info``.

    >>> @kernel(compile_attrs={"test": True})
    ... def ones(a):
    ...     b = output_tensor(a.shape, "int32")
    ...     for i, j in grid(a.shape):
    ...         b[i, j] = 1
    ...     return b
    >>> ones(RUN["allocate"]((1, 2), "float32"))
    array([[1, 1]], dtype=int32)
    """
    attributes = _checked(reg_info, compile_attrs)
    if fn is None:
        return functools.partial(_made, reg_info=reg_info, attributes=attributes)
    return _made(fn, reg_info, attributes)


def ms_kernel(fn=None, reg_info=None, compile_attrs=None):
    """The older name of ``kernel``."""
    warnings.warn(
        "'ms_kernel' is deprecated from version 1.8 and will be removed in a future version, "
        "use 'kernel' instead.",
        errors.MsExtWarning,
        stacklevel=2,
    )
    return kernel(fn, reg_info, compile_attrs)


def is_kernel(function):
    """Whether ``@kernel`` made it.

    >>> is_kernel(print)
    False
    """
    return hasattr(function, "ms_kernel_flag")


def tell(text):
    """Give a notice, each only once."""
    if text not in _told:
        _told.add(text)
        warnings.warn(text, errors.MsExtWarning, stacklevel=3)


def tell_of_pyfunc(name, function):
    """A function of the DSL that is given to the ``pyfunc`` way is not compiled."""
    if is_kernel(function):
        tell(
            f"'{name}': a function with decorator @kernel in the mode pyfunc is executed as a "
            'native python function, which is slow. To accelerate it, set func_type="hybrid".'
        )


def written(function):
    """The function as the learner wrote it, without what ``@kernel`` put around it."""
    return function.__wrapped__


def _made(fn, reg_info, attributes):
    if not isinstance(fn, types.FunctionType):
        raise errors.InvalidType(
            "The decorator @kernel takes a function.",
            given=f"{fn!r:.60}",
            hint="Write `@kernel` above a `def`, or `@kernel(reg_info=..., compile_attrs=...)`.",
        )
    fn.ms_kernel_flag, fn.compile_attrs = True, json.dumps(attributes)
    if reg_info is not None:
        fn.reg_info = reg_info

    @functools.wraps(fn)
    def run(*arrays):
        names = {**fn.__globals__, **RUN}  # those of now: a notebook may have changed them
        again = types.FunctionType(fn.__code__, names, fn.__name__, fn.__defaults__, fn.__closure__)
        return again(*arrays)

    return run


def _checked(reg_info, compile_attrs):
    attributes = {} if compile_attrs is None else compile_attrs
    if not isinstance(attributes, dict):
        raise errors.InvalidType(
            f"The input 'compile_attrs' of @kernel must be a dict, but get a {type(attributes)}",
            given=f"{attributes!r:.60}",
            hint='Pass `compile_attrs={"name": value}`.',
        )
    for key in attributes:
        if not isinstance(key, str):
            raise errors.InvalidType(
                f"The key of 'compile_attrs' of @kernel must be a str, but get a {type(key)}",
                given=f"{key!r:.60}",
                hint='Pass `compile_attrs={"name": value}`.',
            )
    if reg_info is not None and not isinstance(reg_info, str | dict | tuple):
        raise errors.InvalidType(
            "The input 'reg_info' of @kernel should be one of str, dict and tuple, but get a "
            f"{type(reg_info)}",
            given=f"{reg_info!r:.60}",
            hint="Pass what CustomRegOp(...).get_op_info() gives.",
        )
    return attributes
