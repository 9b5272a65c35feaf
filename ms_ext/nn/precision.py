"""In which dtype does a Cell calculate? ``to_float`` says it: inputs and Parameters are cast.

Eagerly one interpreter casts the Parameters among the operands of every op that runs inside; in a
graph what stands for a Parameter is its cast, until the Cell is left. Gradients go back through
the casts, so that they have the Parameters' own dtype.

>>> import ms_ext as ms
>>> from ms_ext import Tensor, nn
>>> net = nn.Dense(2, 1).to_float(ms.float16)
>>> net(Tensor([[1.0, 2.0]])).dtype, net.weight.dtype
(mindspore.float16, mindspore.float32)
"""

import threading

from .. import dtype as dtypes
from .. import ops
from ..common.parameter import Parameter
from ..engine import errors, primitive
from ..engine.frontend.operators import call_op
from ..engine.frontend.values import mapped
from ..engine.ir import Node
from ..engine.tensor import Tensor, core

_KINDS = (dtypes.float16, dtypes.float32, dtypes.bfloat16)


class _Inside(threading.local):
    """The dtype that this thread calculates in, inside of a Cell that was told one."""

    dtype = None


_inside = _Inside()


class Precise:
    """The part of a Cell that says in which dtype it calculates."""

    _float = _float_out = None  # what it calculates in, what its results are cast to

    def to_float(self, dst_type):
        """Calculate in this float dtype, here and in the Cells inside; returns the Cell.

        Floating inputs and Parameters are cast where they are used; the Parameters themselves
        stay as they are. A Cell inside may be told another dtype afterwards. Errors: ValueError
        for anything but float16, float32 and bfloat16.

        >>> import ms_ext as ms
        >>> from ms_ext import Tensor, nn
        >>> nn.ReLU().to_float(ms.float16)(Tensor([1.0])).dtype
        mindspore.float16
        """
        if dst_type not in _KINDS:
            raise errors.InvalidValue(
                "For 'to_float', the argument 'dst_type' must be mstype.float32, mstype.float16 "
                f"or mstype.bfloat16, but got type: {dst_type}."
            )
        for _, cell in self.cells_and_names():
            told(cell, dst_type)
        self.forget_compiled()
        return self


def told(cell, dtype, results=None):
    """Have one Cell calculate in a dtype, and cast its results to another if that is given."""
    vars(cell).update(_float=dtype, _float_out=results, _plain=False, _compiled=None, _ways={})


def run(cell, args, kwargs):
    """A call of a Cell that was told a dtype."""
    with calculating(cell._float):
        out = cell.with_hooks(*cast_all((args, kwargs), cell._float))
    return out if cell._float_out is None else cast_all(out, cell._float_out)


def cast_all(values, dtype):
    """Tensors in a structure of inputs, the floating ones in another dtype.

    >>> import ms_ext as ms
    >>> cast_all((Tensor([1.0]), Tensor([1])), ms.float16)[0].dtype
    mindspore.float16
    """
    return mapped(lambda v: ops.cast(v, dtype) if _other(v, dtype) else v, values)


def _other(value, dtype):
    return isinstance(value, Tensor) and value.dtype.kind == "float" and value.dtype is not dtype


class calculating:
    """Within the block the ops of this thread take Parameters in this dtype."""

    def __init__(self, dtype):
        self.dtype = dtype

    def __enter__(self):
        self.before, _inside.dtype = _inside.dtype, self.dtype
        if self.before is None:
            core.push_interpreter(_with_cast_parameters)

    def __exit__(self, *_error):
        _inside.dtype = self.before
        if self.before is None:
            core.pop_interpreter()


def _with_cast_parameters(op, operands, attributes):
    """The op on operands of which the floating Parameters are cast, as it is without this."""
    dtype = _inside.dtype
    operands = tuple(
        [
            core.default(ops.Cast, (x,), {"dtype": dtype})
            if isinstance(x, Parameter) and _other(x, dtype)
            else x
            for x in operands
        ]
    )
    core.pop_interpreter()
    try:
        return op(*((operands,) if op.arity is None else operands), **attributes)
    finally:
        core.push_interpreter(_with_cast_parameters)


# in a graph ---------------------------------------------------------------------------------------


def in_graph(frame, cell, call, args, kwargs):
    """``call(args, kwargs)`` with cast inputs, and with casts in the place of Parameters."""
    dtype = cell._float
    args, kwargs = mapped(lambda v: _cast_node(frame, v, dtype), (list(args), dict(kwargs)))
    standing = _stand_in(frame, cell, dtype)
    out = call(args, kwargs)
    for node, (before, cast) in standing.items():
        now = frame.memory.get(node)
        if now is not cast:  # it was written to: in the Parameter's own dtype from here on
            frame.memory[node] = _cast_node(frame, now, node.abstract.dtype)
        elif before is None:
            del frame.memory[node]
        else:
            frame.memory[node] = before
    wanted = cell._float_out
    return out if wanted is None else mapped(lambda v: _cast_node(frame, v, wanted), out)


def _stand_in(frame, cell, dtype):
    """Have the cast of each floating Parameter stand for it: node -> (what stood there, cast).

    Those of Cells inside that were told another dtype are theirs to cast.
    """
    found = {}
    cells = [c for _, c in cell.cells_and_names() if c._float in (None, dtype)]
    for parameter in dict.fromkeys(p for c in cells for p in c.get_parameters(expand=False)):
        node = frame.scope.parameter(parameter)
        if node.abstract.dtype.kind == "float":
            before = frame.memory.get(node)
            cast = _cast_node(frame, node if before is None else before, dtype)
            if cast is not (node if before is None else before):
                found[node] = before, cast
                frame.memory[node] = cast
    return found


def _cast_node(frame, value, dtype):
    if not isinstance(value, Node | Tensor):
        return value
    abstract = frame.node(value).abstract
    if getattr(abstract, "dtype", None) is None or abstract.dtype.kind != "float":
        return value
    if abstract.dtype is dtype or abstract.weak:
        return value
    return call_op(frame, primitive.NAMES["cast"], (value, dtype), {})
