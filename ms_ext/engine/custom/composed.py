"""How does a way work that is made of declared ops? The ops are what a graph has in its place.

``made_of(*inputs)`` of such a way calls ops, on tensors or symbols. In compiled code those calls
become the caller's nodes: passes see them, the backend fuses them, their gradients are the op's.
An eager call runs them compiled. With a ``bprop`` they stay a graph of their own, which is called:
passes work inside it, and its way back is the bprop.
"""

from .. import errors, frontend
from ..frontend.calls import call_value
from ..gradients.own import unrecorded
from ..gradients.own_graphs import with_own_gradient
from ..infer import AbstractTuple, abstract_of
from ..jit import JitFunction
from ..symbol import Symbol
from ..tensor import Tensor


class Meaning:
    """The function of a composed op: run on symbols, it looks at what was promised.

    ``function`` is what graphs read, ``compiled`` what eager calls run.
    """

    def __init__(self, way, declared):
        def composed(*inputs):
            if not any(isinstance(each, Symbol) for each in inputs):
                return self.compiled(*_as_tensors(way, inputs))
            result = way.made_of(*inputs)
            if not declared.says_nothing():
                _check(way, declared, inputs, result)
            return result

        composed.__name__ = composed.__qualname__ = way.name.removeprefix("Custom.")
        self.function, self.compiled = composed, JitFunction(composed)

    def in_graph(self, frame, args, bprop):
        """Its calls in a function that is being read; with a bprop a call of a graph of its own,
        whose way back that is."""
        if bprop is None:
            return call_value(frame, self.function, args, {})

        def back(*received):
            return tuple(bprop(*received))

        return with_own_gradient(frame, self, self.function, args, back)

    def infer(self, *types):
        """The results' types: one AbstractTensor, or a tuple of them."""
        graph = frontend.parse(self.function, list(types)).graph
        found = tuple([node.abstract for node in graph.outputs])
        return found if len(found) > 1 else found[0]

    def fill(self, inputs, storage):
        """Compute arrays into memory that is set aside; nothing is recorded."""
        given = [Tensor.from_numpy(a) if hasattr(a, "dtype") else a for a in inputs]
        with unrecorded():
            result = self.compiled(*given)
        results = result if isinstance(result, tuple) else (result,)
        for memory, value in zip(storage, results, strict=True):
            memory[...] = value.asnumpy() if isinstance(value, Tensor) else value


def _as_tensors(way, inputs):
    """Inputs none of which is a symbol, so that they will be symbols when this is compiled."""
    if not inputs:
        raise errors.NotRunnable(
            f"For '{way.name}', func_type {way.func_type!r} needs an input.",
            hint="What has no input is a constant: use a Tensor.",
            where=way.place,
        )
    known = any(isinstance(each, Tensor) for each in inputs)
    return inputs if known else tuple([Tensor(each) for each in inputs])


def _check(way, declared, inputs, result):
    """Compare what the ops give with what out_shape and out_dtype say."""
    types = [each.abstract if isinstance(each, Symbol) else abstract_of(each) for each in inputs]
    several = isinstance(result, tuple)
    found = tuple([each.abstract for each in result]) if several else result.abstract
    promised = declared.as_found(found).infer(*types)
    promised = promised if isinstance(promised, tuple) else (promised,)
    found = found if several else (found,)
    if len(found) != len(promised):
        raise _broken(way, f"gives {len(found)} result(s)", AbstractTuple(promised), found)
    for one, other in zip(found, promised, strict=True):
        for what in ("shape", "dtype"):
            if getattr(one, what) != getattr(other, what):
                raise _broken(way, f"gives another {what}", other, one)


def _broken(way, fact, promised, found):
    return errors.NotRunnable(
        f"For '{way.name}', func_type {way.func_type!r} {fact} than out_shape and out_dtype "
        "promise.",
        given=f"promised {promised}, is {found}",
        hint="Leave out_shape and out_dtype out: what comes out is known from the ops.",
        where=way.place,
    )
