"""What a graph does besides giving results: it prints, raises, and asks Python.

Each such call takes a State and gives the next one, so effects happen in the order in which they
were written, once each; branches and loops carry the State like any other value.

| node | operands | results |
|---|---|---|
| Print | state, *values | state |
| Raise | state, *values | state (it never returns) |
| PyExecute | state, *values | state, a Python object (or what it is known to be) |
"""

import numpy as np

from ..infer import OBJECT, STATE, AbstractTensor, AbstractTuple
from ..ir.control import effect
from ..tensor import Tensor
from .values import put_together

#: What the first effect of a graph is given.
BEGIN = "begin"


class Asked:
    """What Python is asked: ``function`` of arguments whose values are operands of the node.

    ``tree`` tells how (args, kwargs) are put together from them (see ``values.take_apart``);
    ``text`` is the learner's expression; ``gives`` the type of the answer, OBJECT if not known.
    ``pure``: it has a gradient, as it does nothing but answer; anything else may do more.
    ``reason`` is told where fallbacks are.
    """

    __slots__ = ("function", "gives", "pure", "reason", "text", "tree")

    def __init__(self, function, tree, text, gives=OBJECT, pure=False):
        self.function, self.tree, self.text, self.gives = function, tree, text, gives
        self.pure, self.reason = pure, getattr(function, "reason", "")

    def __repr__(self):
        return f"<{self.text}>"


def python_value(value, abstract):
    """A run-time value as Python code sees it: a number, a Tensor of its own memory, an object.

    >>> from ms_ext.dtype import float32
    >>> python_value(np.float32([1, 2]), AbstractTensor(float32, (2,)))
    Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])
    """
    if not isinstance(abstract, AbstractTensor):
        return value
    if abstract.weak:
        return abstract.number(value)
    return Tensor.from_numpy(np.array(value, abstract.dtype.numpy))


def _reader(node):
    """``f(state, *values)``: the arguments that an effect was written with, as Python sees them."""
    kinds, tree = [used.abstract for used in node.inputs[1:]], node.attrs["asked"].tree

    def read(values):
        return put_together(tree, map(python_value, values, kinds))

    return read


@effect("Print", lambda inputs, attrs, graphs: STATE)
def PRINT(node):
    """Each argument on a line of its own, tensors with shape and dtype, as MindSpore prints."""
    read, asked = _reader(node), node.attrs["asked"]

    def run(state, *values):
        args, kwargs = read(values)
        asked.function(*args, **kwargs)
        return state

    return run


@effect("Raise", lambda inputs, attrs, graphs: STATE)
def RAISE(node):
    """Raise the error that the arguments make."""
    read, asked = _reader(node), node.attrs["asked"]

    def run(state, *values):
        args, kwargs = read(values)
        raise asked.function(*args, **kwargs)

    return run


@effect("PyExecute", lambda inputs, attrs, graphs: AbstractTuple((STATE, attrs["asked"].gives)))
def PYTHON(node):
    """Call the function with the arguments; what it gives, if a type is known, as that type."""
    read, asked = _reader(node), node.attrs["asked"]
    known = isinstance(asked.gives, AbstractTensor) and not asked.gives.weak

    def run(state, *values):
        args, kwargs = read(values)
        answer = asked.function(*args, **kwargs)
        return state, answer.asnumpy() if known else answer

    return run


def printed(*values):
    """MindSpore's way of printing inside a graph.

    >>> printed("x is", Tensor([1.0, 2.0]), Tensor(0.1), (1, 2), (Tensor(3), "y"), None, True)
    x is
    Tensor(shape=[2], dtype=Float32, value=[ 1.00000000e+00  2.00000000e+00])
    0.1
    (1, 2)
    3
    y
    None
    1
    """
    for value in values:
        for item in _items(value):
            print(_shown(item), flush=True)


def _items(value):
    """What gets a line of its own: each part of what holds tensors or texts, else all."""
    held = list(value.values()) if isinstance(value, dict) else value
    if not isinstance(held, list | tuple):
        return [value]
    parts = [part for item in held for part in _items(item)]
    return parts if any(isinstance(part, Tensor | str) for part in parts) else [tuple(held)]


def _shown(value):
    if isinstance(value, Tensor):
        if not value.shape:
            return _number(value.item())
        numbers = np.array2string(value.asnumpy(), formatter=_formatter(value))
        gap = "\n" if len(value.shape) > 1 else ""
        return f"Tensor(shape={list(value.shape)}, dtype={value.dtype}, value={gap}{numbers})"
    if isinstance(value, bool | float):
        return _number(value)
    if isinstance(value, tuple) and len(value) == 1:
        return f"({value[0]})"
    return str(value)


def _number(value):
    """A number as C++ writes it."""
    return f"{value:g}" if isinstance(value, float) else str(int(value))


def _formatter(value):
    return {"float_kind": lambda x: f"{x: .8e}"} if value.dtype.kind == "float" else None
