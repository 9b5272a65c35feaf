"""What is a Parameter? A Tensor with a name that optimizers update and gradients are asked of."""

from ..engine import errors
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
        super().__init__(default_input)
        self.name = _checked_name(name)
        self.requires_grad = bool(requires_grad)

    def set_data(self, data, slice_shape=False):
        """Take new values; arrays and views of the old values keep those.

        >>> Parameter(Tensor([1.0]), name="w").set_data(Tensor([5.0])).asnumpy()
        array([5.], dtype=float32)
        """
        data = data if isinstance(data, Tensor) else Tensor(data)
        if data.shape != self.shape and not slice_shape:
            raise errors.InvalidValue(
                f"The new values of Parameter {self.name!r} have another shape.",
                given=f"{list(data.shape)} instead of {list(self.shape)}",
                hint="Pass slice_shape=True if that is meant.",
            )
        self.assign_value(Tensor(data, self.dtype))
        return self

    def __repr__(self):
        return (
            f"Parameter (name={self.name}, shape={self.shape}, dtype={self.dtype}, "
            f"requires_grad={self.requires_grad})"
        )

    __str__ = __repr__


def _checked_name(name):
    if name is None:
        return "Parameter"
    if not isinstance(name, str):
        raise errors.InvalidType("A Parameter's name must be a string.", given=repr(name))
    return name


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
