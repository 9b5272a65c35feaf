"""``func_type="tbe"``: a formula for one element is the op, a template that is filled in.

``func`` is a text, ``"exp(-x) * y + 1"`` (see ``formula``), or a Python function of ops. It is a
composition of ops: types, gradient, fusion with neighbours are theirs. MindSpore's TBE runs on
Ascend only, and takes functions only.

>>> from ms_ext import grad, ops, Tensor
>>> op = ops.Custom("exp(-x) * y + 1", func_type="tbe")
>>> op(Tensor([0.0]), Tensor([2.0]))
Tensor(shape=[1], dtype=Float32, value= [ 3.00000000e+00])
>>> grad(op)(Tensor([0.0]), Tensor([2.0]))
Tensor(shape=[1], dtype=Float32, value= [-2.00000000e+00])
"""

import math

import numpy as np

from ... import errors, strict
from ...symbol import Symbol
from ..formula import Formula
from ..gradient import parameters, place
from ..way import Way, unsupported
from . import WAYS

_OF_AXES = frozenset(("axis", "dim", "dims", "perm", "axes", "shape", "size"))


class Template(Way):
    """The op is a formula for one element."""

    func_type = "tbe"
    compiles = "at the first call with new types: to instructions of the fused kernels, no compiler"
    when = "for elementwise formulas: the graph fuses them, and their gradient is known"
    infers = completes = True

    def __init__(self, name, func, reg_info=None):
        super().__init__(name, func, reg_info)
        if callable(func):
            self.takes, self.place = parameters(func), place(func)
            self._formula = func
            return
        if strict.on():
            raise errors.InvalidType(
                f"For 'Custom', 'func_type': tbe, 'func': {func}, 'func' must be of type function, "
                f"but got {type(func)}",
                hint="MindSpore takes a Python function here, a formula only where strict is off.",
            )
        self._formula = Formula(func)
        count = len(self._formula.inputs)
        self.takes = (count, count)

    def settle(self, inputs):
        """MindSpore's TBE runs on an Ascend device only, which strict mode says."""
        if strict.on():
            raise errors.NotRunnable(
                unsupported("tbe", self.name), hint="It works here where strict is off."
            )
        return super().settle(inputs)

    def made_of(self, *inputs):
        """The ops of the formula, called on symbols."""
        try:
            result = self._formula(*inputs)
        except errors.MsExtError as error:
            error.where = error.where or self.place
            raise
        results = tuple(result) if isinstance(result, tuple | list) else (result,)
        for each in results:
            if not isinstance(each, Symbol):
                raise self._refused(
                    "gives what does not depend on its inputs", f"{each!r:.60}", "Use the inputs."
                )
        self._look(results, inputs)
        return results if isinstance(result, tuple | list) else result

    def describe(self):
        """The inputs of a text."""
        names = getattr(self._formula, "inputs", None)
        return [("formula", ", ".join(names))] if names else []

    def _look(self, results, inputs):
        """Every op between inputs and results works on elements."""
        known = {each.node for each in inputs if isinstance(each, Symbol)}
        waiting = [each.node for each in results]
        while waiting:
            node = waiting.pop()
            if node in known or node.kind != "call":
                continue
            known.add(node)
            if not _is_elementwise(node):
                raise self._refused(
                    "is no formula of elements",
                    f"{node.primitive.name}, which gives {node.abstract}",
                    "A template calculates every element of the result from the elements in its "
                    "place.\nUse func_type='hybrid', or ops as they are, for sums and products of "
                    "matrices.",
                )
            waiting.extend(node.inputs)

    def _refused(self, what, given, hint):
        return errors.NotRunnable(
            f"For '{self.name}', the function {what}.", given=given, hint=hint, where=self.place
        )


def _is_elementwise(node):
    """Whether a call gives the shape that its operands have together, and knows no axes."""
    if node.primitive.elementwise:
        return True
    shapes = [getattr(used.abstract, "shape", None) for used in node.inputs]
    if None in shapes or not hasattr(node.abstract, "shape") or _OF_AXES & node.attributes.keys():
        return not shapes or math.prod(shapes[0] or (2,)) == 1
    return node.abstract.shape == np.broadcast_shapes(*shapes)


WAYS.add("tbe", Template)
