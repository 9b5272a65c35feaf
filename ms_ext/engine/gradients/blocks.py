"""``recompute``: a block of which the tape keeps the inputs only; going back it runs once more.

What it reads besides its arguments, Parameters and tensors of the code around it, gets its
gradient as well; a random mask inside is the same mask again. In a graph the block is one Call that
stays a call: the way back calculates it from its operands.

>>> from ms_ext import Tensor, grad, nn
>>> class Cube(nn.Cell):
...     def construct(self, x):
...         return x * x * x
>>> block = Cube()
>>> grad(lambda x: recompute(block, x))(Tensor(2.0))
Tensor(shape=[], dtype=Float32, value= 12)
"""

import contextlib

from ...ops import randomness
from .. import errors, tape
from ..frontend.calls import handles
from ..frontend.tracing import tracer_of
from ..tensor import core
from .block_graphs import as_block
from .own import rebuilt, unrecorded

__all__ = ["contexts", "recompute", "run_again"]


def recompute(
    block, *args, use_reentrant=True, output_recompute=False, early_stop=True, context_fn=None,
    **kwargs,
):  # fmt: skip
    """``block(*args, **kwargs)``, whose inner values are not kept for the way back.

    ``block`` is a Cell, or with ``use_reentrant=False`` any function. ``context_fn`` gives two
    context managers: for the run forwards, and for the one on the way back. ``output_recompute``
    and ``early_stop`` choose between ways of MindSpore's to keep less; results are the same.
    Gradients, of any order, are those of the block itself.

    Errors: TypeError for a block that is no Cell, ValueError for a ``context_fn`` with
    ``use_reentrant``.
    """
    check(block, use_reentrant, output_recompute, early_stop, context_fn)
    tracer = tracer_of((*args, *kwargs.values()))
    if tracer is not None:
        return tracer.graph_call(Block(block), args, kwargs)
    reentrant = use_reentrant and not output_recompute
    return run_again(block, args, kwargs, contexts(reentrant, context_fn))


def check(block, use_reentrant=True, output_recompute=False, early_stop=True, context_fn=None):
    """Refuse what is no Cell, or not callable, for these options."""
    if use_reentrant and not output_recompute and not hasattr(type(block), "construct"):
        raise errors.InvalidType(
            "Recompute function now only support block which inherited from Cell when "
            "use_reentrant=True!",
            given=f"{block!r:.60}",
            hint="Pass a Cell, or use_reentrant=False for a function.",
        )


class Block:
    """A block as graph mode reads it."""

    def __init__(self, block):
        self.block = block

    def graph_call(self, frame, args, kwargs):
        """A Call that stays a call."""
        return as_block(frame, self.block, args, kwargs)


def contexts(use_reentrant, context_fn):
    """Two context managers, for the run forwards and for the one on the way back."""
    if context_fn is None:
        return contextlib.nullcontext(), contextlib.nullcontext()
    if use_reentrant:
        raise errors.InvalidValue(
            "context_fn is only supported when use_reentrant=False.",
            given=f"{context_fn!r:.60}",
            hint="Add use_reentrant=False.",
        )
    return context_fn()


def run_again(block, args, kwargs, around=None):
    """``block(*args, **kwargs)`` as one entry of the tape that runs the block again."""
    forwards, backwards = around or contexts(True, None)
    with unrecorded() as wanted, randomness.drawing() as draws, forwards:
        out = block(*args, **kwargs)
    if not wanted:
        return out

    def pull(*douts):
        level = core.again()
        try:
            with randomness.drawing_again(draws), backwards:
                once_more = block(*args, **kwargs)
            return core.backward_to(level, *_moving(once_more, douts))
        finally:
            core.end_again(level)

    before = tuple(tape.tensors_in((args, kwargs)))
    return rebuilt(out, core.record_block(_name(block), before, tuple(tape.tensors_in(out)), pull))


@handles(recompute)
def _in_graph(frame, args, kwargs):
    """In a graph: the options are those of eager mode and choose nothing."""
    block, *args = args
    options = ("use_reentrant", "output_recompute", "early_stop", "context_fn")
    check(block, **{name: value for name, value in kwargs.items() if name in options})
    named = {name: value for name, value in kwargs.items() if name not in options}
    return as_block(frame, block, args, named)


def _moving(outputs, douts):
    """The results that have a gradient, and the gradients."""
    pairs = zip(tape.tensors_in(outputs), douts, strict=True)
    moving = [(out, dout) for out, dout in pairs if out.dtype.kind != "bool"]
    return [out for out, _ in moving], [dout for _, dout in moving]


def _name(block):
    return f"recompute of {getattr(block, '__name__', type(block).__name__)}"
