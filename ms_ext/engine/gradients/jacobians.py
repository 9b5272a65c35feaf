"""``jacfwd`` and ``jacrev``: how every output element moves with every input element.

Forwards one column after the other, each input element being moved; backwards one row after the
other, from each output element. ``jacfwd(jacrev(f))`` is the Hessian.

>>> from ms_ext import Tensor
>>> jacrev(lambda x: x * x)(Tensor([1.0, 2.0]))
Tensor(shape=[2, 2], dtype=Float32, value=
[[ 2.00000000e+00,  0.00000000e+00],
 [ 0.00000000e+00,  4.00000000e+00]])
"""

import numpy as np

from ... import context, ops
from .. import errors
from ..forward_eager import pushforwards_eager
from ..frontend import handles
from ..frontend.naming import name_of
from ..frontend.tracing import tracer_of
from ..infer import AbstractTensor
from ..ir import Node
from ..tensor import Tensor
from .gradient import bound
from .jacobian_graphs import columns, rows
from .options import check_aux_option, check_callable, positions
from .pullbacks import apart
from .recording import Recording


def jacfwd(fn, grad_position=0, has_aux=False):
    """The function that gives ``fn``'s Jacobian at its inputs, column by column.

    It takes as many pushes as the inputs have elements, whatever the outputs have. For an output of
    shape [a] and an input of shape [b] it is of shape [a, b]. One output and one position give a
    bare tensor, several of one of them a tuple, several of both a tuple for each output. With
    ``has_aux`` only the first output counts: ``(Jacobian, the others)``.

    TypeError: a position that is neither int nor tuple. ValueError: a position beyond the inputs,
    ``has_aux`` for a function with one output.

    >>> from ms_ext import Tensor
    >>> jacfwd(lambda x: x.sum() * 3)(Tensor([1.0, 2.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 3.00000000e+00,  3.00000000e+00])
    """
    return ForwardJacobian(fn, grad_position, has_aux)


def jacrev(fn, grad_position=0, has_aux=False):
    """As ``jacfwd``, row by row: it takes as many pulls as the outputs have elements.

    >>> from ms_ext import Tensor
    >>> jacrev(lambda x, y: x * y, (0, 1))(Tensor([1.0, 2.0]), Tensor(3.0))[1]
    Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])
    """
    return BackwardJacobian(fn, grad_position, has_aux)


class Jacobian:
    """What ``jacfwd(fn)`` and ``jacrev(fn)`` return; calling it takes the Jacobian."""

    def __init__(self, fn, grad_position, has_aux):
        check_callable(fn)
        check_aux_option(has_aux)
        self.fn, self.places, self.has_aux = fn, positions(grad_position), has_aux
        self._compiled = None
        self.__name__ = f"jacobian_of_{name_of(fn, type(fn).__name__)}"

    def takes_as(self):
        """The function whose arguments a call takes."""
        return self.fn

    def __call__(self, *args):
        tracer = tracer_of(args)
        if tracer is not None:
            return tracer.graph_call(self, args, {})
        if context.get_context("mode") == context.GRAPH_MODE:
            return self._in_graph_mode()(*args)
        self.check(args)
        return self.on_tape(args)

    def _in_graph_mode(self):
        if self._compiled is None:
            from ..jit import jit

            self._compiled = jit(self)
        return self._compiled

    def check(self, args):
        """Refuse positions of no input, and inputs that are no tensors."""
        if max(self.places, default=0) >= len(args):
            raise errors.InvalidValue(
                "The element in grad_position must belong to [0, args_num).",
                given=f"grad_position {self.places} for {len(args)} inputs",
            )
        for place in self.places:
            if not _is_tensor(args[place]):
                raise errors.InvalidType(
                    f"Input {place} is not a tensor, so it has no Jacobian.",
                    given=f"{args[place]!r:.60} of type {type(args[place]).__name__}",
                    hint="Wrap it: Tensor(...).",
                )

    def counted(self, outputs):
        """(the outputs that count as a tuple, the others)."""
        first, rest = apart(outputs) if self.has_aux else (outputs, None)
        found = tuple(first) if isinstance(first, tuple | list) else (first,)
        for each in found:
            if not _is_tensor(each):
                raise errors.InvalidType(
                    "A Jacobian is taken of a tensor or a tuple of tensors.",
                    given=f"an output of type {type(each).__name__}",
                    hint="Return tensors, or (tensor, more) with has_aux=True.",
                )
        return found, rest

    def answer(self, table, rest):
        """``table[output][place]`` as it is handed over."""
        bare = len(self.places) == 1
        found = [row[0] if bare else tuple(row) for row in table]
        found = found[0] if len(found) == 1 else tuple(found)
        return (found, rest) if self.has_aux else found


def _is_tensor(value):
    if isinstance(value, Node):
        return isinstance(value.abstract, AbstractTensor) and not value.abstract.weak
    return isinstance(value, Tensor)


class BackwardJacobian(Jacobian):
    """``jacrev(fn)``."""

    def on_tape(self, args):
        """The function is run once, and walked back from each output element."""
        with Recording(self.fn, args, {}, self.places) as call:
            found, rest = self.counted(call.outputs)
            table = [self._of_output(call, out, args) for out in found]
        return self.answer(table, rest)

    def _of_output(self, call, out, args):
        taken = [[] for _ in self.places]
        for row in _units(out):
            call.walked_back((out,), (row,), keep=True)
            for place, each in zip(self.places, taken, strict=True):
                each.append(call.of_input(place))
        pairs = zip(self.places, taken, strict=True)
        return [_stacked(each, (*out.shape, *args[p].shape), args[p]) for p, each in pairs]

    def graph_call(self, frame, args, kwargs):
        """Inside compiled code: a loop over the elements of each output."""
        self.check(args)
        return self.answer(*rows(frame, self, args))


class ForwardJacobian(Jacobian):
    """``jacfwd(fn)``."""

    def on_tape(self, args):
        """The function is run once, and pushed along each input element."""
        pushes = [(p, unit) for p in self.places for unit in _units(args[p])]
        several = [[u if i == p else None for i in range(len(args))] for p, u in pushes]
        outputs, tangents = pushforwards_eager(self.fn, args, several or [[None] * len(args)])
        found, rest = self.counted(outputs)
        table = [[] for _ in found]
        for place in self.places:
            columns = [t for (p, _), t in zip(pushes, tangents, strict=False) if p == place]
            for i, out in enumerate(found):
                table[i].append(_turned([each[i] for each in columns], out, args[place]))
        return self.answer(table, rest)

    def graph_call(self, frame, args, kwargs):
        """Inside compiled code: a loop over the elements of each input."""
        self.check(args)
        return self.answer(*columns(frame, self, args))


def _units(tensor):
    """Tensors like this one, for each element: one there, zeros elsewhere."""
    size = int(np.prod(tensor.shape))
    for place in range(size):
        unit = np.zeros(size, tensor.dtype.numpy)
        unit[place] = 1
        yield Tensor(unit.reshape(tensor.shape), tensor.dtype)


def _stacked(each, shape, x):
    """Rows of a Jacobian as one tensor of ``shape``."""
    return ops.stack(each).reshape(shape) if each else ops.zeros(shape, x.dtype)


def _turned(each, out, x):
    """Columns of a Jacobian as one tensor; a Bool output has none."""
    shape = (*out.shape, *x.shape)
    if not each or each[0] is None:
        return ops.zeros(shape, out.dtype)
    return ops.stack(each, -1).reshape(shape)


@handles(jacfwd)
def _jacfwd_in_graph(frame, args, kwargs):
    return jacfwd(**bound(jacfwd, args, kwargs))


@handles(jacrev)
def _jacrev_in_graph(frame, args, kwargs):
    return jacrev(**bound(jacrev, args, kwargs))
