"""What is a Parameter? A Tensor with a name that optimizers update and gradients are asked of."""

import itertools

from ..dtype import int32
from ..engine import errors
from ..engine.symbol import Symbol, written
from ..engine.tensor import Tensor


class Parameter(Tensor):
    """A trainable tensor.

    >>> weight = Parameter(Tensor([1.0, 2.0]), name="weight")
    >>> weight.name, weight.requires_grad
    ('weight', True)
    >>> weight
    Parameter (name=weight, shape=(2,), dtype=Float32, requires_grad=True)
    """

    def __init__(self, default_input, name=None, requires_grad=True):
        whole = type(default_input) is int  # MindSpore: an int makes Int32 here, Int64 in Tensor
        super().__init__(default_input, int32 if whole else None)
        self.name = name
        self.requires_grad = requires_grad

    @property
    def name(self):
        """What checkpoints, prints and optimizers call it; given anew if none was said."""
        return self._name

    @name.setter
    def name(self, name):
        if name is not None and not isinstance(name, str):
            raise errors.InvalidValue("A Parameter's name must be a string.", given=repr(name))
        self._name = name or f"Parameter#{next(_unnamed)}"

    @property
    def requires_grad(self):
        """Whether ``trainable_params()`` counts it."""
        return self._requires_grad

    @requires_grad.setter
    def requires_grad(self, value):
        if not isinstance(value, bool):
            raise errors.InvalidType("requires_grad must be True or False.", given=repr(value))
        self._requires_grad = value

    def set_data(self, data, slice_shape=False):
        """Take new values, and their shape; arrays and views of the old values keep those.

        >>> Parameter(Tensor([1.0]), name="w").set_data(Tensor([5.0])).asnumpy()
        array([5.], dtype=float32)
        """
        if isinstance(data, Tensor | Symbol) and written(self, data):
            return self
        if not isinstance(data, Tensor | int | float):
            raise errors.InvalidType(
                f"The new values of Parameter {self.name!r} must be a Tensor or a number.",
                given=type(data).__name__,
                hint="Wrap them: set_data(Tensor(...)).",
            )
        self.assign_value(Tensor(data, self.dtype))
        return self

    def value(self):
        """The values as a plain Tensor, sharing memory."""
        return self[...]

    data = property(value, doc="The values as a plain Tensor, sharing memory.")

    def __repr__(self):
        return (
            f"Parameter (name={self.name}, shape={self.shape}, dtype={self.dtype}, "
            f"requires_grad={self.requires_grad})"
        )

    __str__ = __repr__


_unnamed = itertools.count(1)


class ParameterTuple(tuple):
    """Several Parameters, in order: what ``grad(weights=...)`` and optimizers take.

    >>> ParameterTuple([Parameter(Tensor([1.0]), name="a")])[0].name
    'a'
    """

    __slots__ = ()

    def __new__(cls, parameters=()):
        found = tuple(parameters)
        for each in found:
            if not isinstance(each, Parameter):
                raise errors.InvalidType(
                    "A ParameterTuple holds Parameters.", given=f"a {type(each).__name__}"
                )
        return super().__new__(cls, found)
