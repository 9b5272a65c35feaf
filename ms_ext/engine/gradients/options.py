"""What is a gradient asked for? Of which inputs and weights, with what beside it; checked at once.

>>> Wanted(positions(1)).places(2)
(1,)
>>> Wanted(ALL).places(2)
(0, 1)
"""

from typing import NamedTuple

import numpy as np

from ... import context
from .. import errors, strict
from ..frontend.values import BoundMethod, Choice, Closure, HostMethod
from ..primitive import Primitive
from ..tensor import Tensor

#: Functions of what is being read.
_READ = BoundMethod | Choice | Closure | HostMethod

ALL = None  # instead of positions: every input, however many there are


class Wanted(NamedTuple):
    """``places``: positions of inputs, or ALL. ``weights``: None, one tensor or a sequence of them.

    ``has_aux``: only the first result counts. ``return_ids``: each gradient comes with its position
    or name. ``with_value``: the results come too. ``sens``: the last argument weighs the results.
    ``together``: the gradients of inputs come as a tuple, even one.
    """

    positions: tuple | None
    weights: object = None
    has_aux: bool = False
    return_ids: bool = False
    with_value: bool = False
    sens: bool = False
    together: bool = False

    @property
    def parameters(self):
        """The weights as a tuple."""
        if self.weights is None:
            return ()
        return (self.weights,) if isinstance(self.weights, Tensor) else tuple(self.weights)

    def places(self, count, beyond=errors.NotRunnable):
        """The positions among ``count`` inputs; ``beyond``: the error of one that is none."""
        if self.positions is ALL:
            return tuple(range(count))
        last = max(self.positions, default=-1)
        if last >= count:
            raise beyond(
                f"Position index {last} is exceed input size.",
                given=f"{count} inputs",
                hint=f"grad_position counts from 0 to {count - 1}."
                if count
                else "The function is called without inputs.",
            )
        return self.positions

    def within(self, count):
        """The positions among ``count`` inputs, without those beyond."""
        if self.positions is ALL:
            return range(count)
        return [place for place in self.positions if place < count]

    def without_sens(self, args, kwargs):
        """(the function's own arguments, its keywords, what weighs the results or None)."""
        if not self.sens:
            return list(args), kwargs, None
        if "sens" in kwargs:
            kwargs = dict(kwargs)
            return list(args), kwargs, kwargs.pop("sens")
        if not args:
            raise errors.InvalidType(
                "With sens_param=True the last argument weighs the results.",
                given="no argument",
                hint="Call it with the function's inputs and then a tensor like its result.",
            )
        return list(args[:-1]), kwargs, args[-1]


def asked(fn, grad_position, weights, has_aux, return_ids, sens_param, with_value):
    """The Wanted of ``grad`` and ``value_and_grad``, checked as MindSpore checks it."""
    check_callable(fn)
    if grad_position is None and weights is None:
        raise errors.InvalidValue(
            "`grad_position` and `weight` can not be None at the same time.",
            hint="Say of what: grad_position=0 is the first input, weights=net.trainable_params().",
        )
    for name, value in (
        ("sens_param", sens_param), ("has_aux", has_aux), ("return_ids", return_ids)
    ):  # fmt: skip
        if type(value) is not bool:
            raise errors.InvalidType(
                f"For '_Grad', the '{name}' should be bool, but got {type(value).__name__}",
                given=f"{name}={value!r:.60}",
            )
    places = () if grad_position is None else positions(grad_position)
    if not places and grad_position is not None:
        raise errors.NotRunnable(
            "grad_position should not be empty when grad by position.",
            given=repr(grad_position),
            hint="grad_position=None asks for no input, only for weights.",
        )
    return Wanted(places, checked_weights(weights), has_aux, return_ids, with_value, sens_param)


def check_callable(fn):
    """Refuse what is no function: MindSpore has a TypeError, and a RuntimeError in graph mode."""
    if not callable(fn) and not isinstance(fn, _READ):
        raise errors.NoFunction(
            f"The fn should be callable, but got {type(fn).__name__}: the first argument must be a "
            "'Function' or 'Cell'.",
            given=f"{fn!r:.60}",
            hint="Give the function, not its result: grad(f)(x).",
        )
    if isinstance(fn, Primitive):
        strict.refuse_primitive(fn, context.get_context("mode") == context.GRAPH_MODE)


def positions(given):
    """``grad_position`` as a tuple.

    >>> positions(1), positions((0, 2))
    ((1,), (0, 2))
    """
    if isinstance(given, tuple):
        return _several(given)
    if not isinstance(given, int):
        raise errors.InvalidType(
            "For 'F.grad', the 'grad_position' must be int or tuple.",
            given=repr(given),
            hint=f"grad_position={tuple(given)}." if isinstance(given, list) else None,
        )
    if given < 0:
        raise errors.InvalidValue(
            "grad_position must be >= 0.", given=repr(given), hint="It counts from the front."
        )
    return (int(given),)


def _several(given):
    if len(set(given)) != len(given):
        raise errors.InvalidValue(
            "There are duplicate positions in `grad_position`, please check it",
            given=repr(given),
        )
    for each in given:
        if not isinstance(each, int):
            raise errors.InvalidType(
                "For 'F.grad', the element in 'grad_position' must be int.", given=repr(given)
            )
        if each < 0:
            raise errors.InvalidValue(
                "The element in grad_position must be >= 0.", given=repr(given)
            )
    return tuple(map(int, given))


def check_input(value, place):
    """Refuse an input that looks like a tensor and is none; a number or a tuple has no gradient."""
    if isinstance(value, complex | np.complexfloating) or _is_complex(value):
        raise errors.InvalidType(
            "Gradients are not defined for complex numbers.",
            given=f"input {place} is {value!r:.60} of type {type(value).__name__}",
            hint="Use two tensors, one of the real and one of the imaginary parts.",
        )
    if isinstance(value, np.ndarray):
        raise errors.InvalidType(
            f"Input {place} is a NumPy array, which has no gradient.",
            given=f"an array of {value.dtype} and shape {list(value.shape)}",
            hint="Wrap it: Tensor(...).",
        )


def _is_complex(value):
    return isinstance(value, np.ndarray) and value.dtype.kind == "c"


def checked_weights(weights):
    """The weights, if they are tensors: None, one tensor, or a tuple."""
    if weights is None or isinstance(weights, Tensor):
        return weights
    if not isinstance(weights, tuple | list):
        raise errors.InvalidType(
            "The weights you provided is expected to be a tensor, or a list or tuple. but got "
            f"{weights!r:.60}",
            hint="weights=net.trainable_params(), or one Parameter.",
        )
    for weight in weights:
        if not isinstance(weight, Tensor):
            raise errors.InvalidType(
                "The weights must be Parameters.",
                given=f"{weight!r:.60} of type {type(weight).__name__}",
                hint="weights=net.trainable_params(), or a list of some of them.",
            )
    return tuple(weights)


def check_aux_option(has_aux):
    """Refuse a ``has_aux`` that is no bool, in the words of vjp, jvp, jacfwd and jacrev."""
    if type(has_aux) is not bool:
        raise errors.InvalidType(
            "The 'has_aux' must be bool type.", given=f"has_aux={has_aux!r:.60}"
        )
