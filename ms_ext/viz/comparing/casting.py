"""The same function at another dtype: its tensors cast, its Cells' Parameters lent copies.

Nothing of the learner's is written to: the copies are put in the Cells for the time of a run.
"""

from contextlib import contextmanager

import numpy as np

from ... import dtype as dtypes
from ...common.parameter import Parameter
from ...engine import errors
from ...engine.infer import AbstractTensor
from ...engine.tensor import Tensor
from ...nn.cell import Cell


def wanted(dtype):
    """The floating DType that was asked for, None for none.

    >>> wanted("float16"), wanted(None)
    (mindspore.float16, None)
    """
    if dtype is None:
        return None
    found = dtype if isinstance(dtype, dtypes.DType) else dtypes.named(str(dtype))
    if found.kind != "float":
        raise errors.InvalidValue(
            "A run is made at a floating dtype: integers and truth values stay what they are.",
            given=str(found),
            hint="Choose float16, bfloat16, float32 or float64.",
        )
    return found


def cast(value, dtype):
    """An argument with its floating tensors at ``dtype``, in new memory.

    >>> cast((Tensor([1.5]), 2, Tensor([1])), dtypes.float16)[0].dtype
    mindspore.float16
    """
    if type(value) in (tuple, list):
        return type(value)([cast(each, dtype) for each in value])
    if type(value) is dict:
        return {key: cast(each, dtype) for key, each in value.items()}
    if isinstance(value, np.ndarray):
        value = Tensor(value)
    if isinstance(value, AbstractTensor) and not value.weak and value.dtype.kind == "float":
        return AbstractTensor(dtype, value.shape)
    if isinstance(value, Tensor) and value.dtype.kind == "float":
        return Tensor.from_numpy(_rounded(value, dtype))
    return value


def _rounded(tensor, dtype):
    with np.errstate(all="ignore"):
        return np.array(tensor.asnumpy().astype(dtype.numpy), order="C")


@contextmanager
def lent(function, dtype):
    """Within the block the Cells that ``function`` uses hold copies of their Parameters at
    ``dtype``."""
    before = []
    try:
        for cell in _cells(function) if dtype else ():
            for name, value in list(vars(cell).items()):
                copy = _copies(value, dtype)
                if copy is not value:
                    before.append((cell, name, value))
                    vars(cell)[name] = copy
        yield
    finally:
        for cell, name, value in reversed(before):
            vars(cell)[name] = value


def _copies(value, dtype):
    if isinstance(value, Parameter) and value.dtype.kind == "float":
        return Parameter(Tensor.from_numpy(_rounded(value, dtype)), value.name, value.requires_grad)
    if isinstance(value, tuple) and any(isinstance(each, Parameter) for each in value):
        return type(value)([_copies(each, dtype) for each in value])
    return value


def _cells(function):
    """Every Cell that a function is, is bound to, closes over or names."""
    while hasattr(type(function), "graph_function") and not isinstance(function, Cell):
        function = type(function).graph_function(function)
    plain = getattr(function, "__func__", function)
    known = [function, getattr(function, "__self__", None)]
    for cell in getattr(plain, "__closure__", None) or ():
        try:
            known.append(cell.cell_contents)
        except ValueError:  # it has no value yet
            continue
    code = getattr(plain, "__code__", None)
    names = code.co_names if code else ()
    known += [plain.__globals__[name] for name in names if name in plain.__globals__]
    roots = [each for each in known if isinstance(each, Cell)]
    return list({id(c): c for root in roots for _, c in root.cells_and_names()}.values())


def check(parameters, dtype):
    """Refuse Parameters that were not cast: a sum of two dtypes is no run at one."""
    left = [
        p.name for p in parameters if dtype and p.dtype.kind == "float" and p.dtype is not dtype
    ]
    if left:
        raise errors.NotRunnable(
            f"The Parameter '{left[0]}' cannot be lent at {dtype}: no Cell was found to hold it.",
            hint="Make it an attribute of a Cell, or pass it as an argument.",
        )
