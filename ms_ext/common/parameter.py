"""What is a Parameter? A Tensor with a name that optimizers update and gradients are asked of."""

import itertools

import numpy as np

from ..dtype import int32
from ..engine import errors
from ..engine.symbol import Symbol, written
from ..engine.tensor import Tensor

_UNNAMED = "Parameter#"  # how the name of a Parameter begins that was given none
_LONGEST = 1024


def _flag(name, doc):
    """A property that is True or False."""

    def get(self):
        return getattr(self, f"_{name}")

    def put(self, value):
        if not isinstance(value, bool):
            raise errors.InvalidType(f"The argument `{name}` must be bool type.", given=repr(value))
        setattr(self, f"_{name}", value)

    return property(get, put, doc=doc)


class Parameter(Tensor):
    """A trainable tensor. (The options behind ``requires_grad`` are for several devices.)

    >>> weight = Parameter(Tensor([1.0, 2.0]), name="weight")
    >>> weight.name, weight.requires_grad
    ('weight', True)
    >>> weight
    Parameter (name=weight, shape=(2,), dtype=Float32, requires_grad=True)
    """

    def __init__(
        self, default_input, name=None, requires_grad=True, layerwise_parallel=False,
        parallel_optimizer=True, storage_format="", device=None,
    ):  # fmt: skip
        _check_input(default_input)
        whole = type(default_input) is int  # MindSpore: an int makes Int32 here, Int64 in Tensor
        super().__init__(default_input, int32 if whole else None)
        self.name = name
        self.requires_grad = requires_grad
        self.layerwise_parallel, self.parallel_optimizer = layerwise_parallel, parallel_optimizer
        self.sliced = False
        if device not in (None, "CPU", "Remote"):
            raise errors.InvalidValue(
                f"Only 'CPU' and 'Remote' is supported for device, but got {device}."
            )

    @property
    def name(self):
        """What checkpoints, prints and optimizers call it; given anew if none was said."""
        return self._name

    @name.setter
    def name(self, name):
        if name is not None and not isinstance(name, str):
            raise errors.InvalidValue(
                "The type of the Parameter's name should be 'string' or 'None', "
                f"but got {type(name)}."
            )
        name = (name or "").strip()
        if len(name) > _LONGEST:
            raise errors.InvalidValue(
                f"The length of the '{name[:60]}...' name should be less than {_LONGEST}."
            )
        self._name = name or f"{_UNNAMED}{next(_unnamed)}"

    @property
    def is_unnamed(self):
        """Whether it was given no name: it takes that of the attribute that it becomes."""
        return self._name.startswith(_UNNAMED)

    requires_grad = _flag("requires_grad", "Whether ``trainable_params()`` counts it.")
    layerwise_parallel = _flag("layerwise_parallel", "Whether each device has its own values.")
    parallel_optimizer = _flag("parallel_optimizer", "Whether devices may share its optimizer.")

    def set_data(self, data, slice_shape=False):
        """Take new values, and their shape; arrays and views of the old values keep those.

        >>> Parameter(Tensor([1.0]), name="w").set_data(Tensor([5.0])).asnumpy()
        array([5.], dtype=float32)
        """
        if isinstance(data, Tensor | Symbol) and written(self, data) is not None:
            return self
        if not isinstance(data, Tensor | int | float):
            raise errors.InvalidType(
                "Parameter data must be [`Tensor`, `int`, `float`] or a kind of `Tensor` "
                f"(like `Tensor`). But with type {type(data)}.",
                given=f"Parameter {self.name!r}",
                hint="Wrap them: set_data(Tensor(...)).",
            )
        if type(data) is float and self.dtype.kind in ("int", "uint"):
            raise errors.InvalidType(
                "Incoming Parameter dtype can not be converted to current dtype implicitly. "
                f"Current dtype is {self.dtype}, and incoming is Float.",
                given=f"Parameter {self.name!r}",
                hint="Give a whole number, or a Tensor, which is cast.",
            )
        self.assign_value(Tensor(data, self.dtype))
        self.sliced = slice_shape
        return self

    def value(self):
        """The values as a plain Tensor, sharing memory."""
        return self[...]

    data = property(value, doc="The values as a plain Tensor, sharing memory.")

    def clone(self, init="same"):
        """A Parameter of the same name and options, with the same values or those of ``init``.

        >>> Parameter([1.0, 2.0], name="w").clone("zeros").asnumpy()
        array([0., 0.], dtype=float32)
        """
        if init == "same":
            start = Tensor(self)
        else:
            from .initializer import initializer

            start = initializer(init, self.shape, self.dtype)
        return Parameter(
            start, self.name, self.requires_grad, self.layerwise_parallel, self.parallel_optimizer
        )

    def copy(self):
        """A Parameter of its own memory with the same name and values."""
        return self.clone()

    def init_data(self, layout=None, set_sliced=False):
        """The Parameter itself: here it has its first numbers from the beginning."""
        return self

    has_init = property(lambda self: False, doc="Whether first numbers are still to come: never.")
    inited_param = property(lambda self: None, doc="What took its place at ``init_data``: nothing.")

    def __repr__(self):
        return (
            f"Parameter (name={self.name}, shape={self.shape}, dtype={self.dtype}, "
            f"requires_grad={self.requires_grad})"
        )

    __str__ = __repr__


_unnamed = itertools.count(1)


def _check_input(data):
    if isinstance(data, bool):
        raise errors.InvalidValue("Parameter data can not be `bool`")
    if not isinstance(data, Tensor | Symbol | int | float | np.ndarray | list):
        raise errors.InvalidType(
            "The type of the argument 'default_input' must be in ['Tensor', 'int', 'float', "
            f"'numpy.ndarray', 'list']. But got type {type(data)}."
        )


class ParameterTuple(tuple):
    """Several Parameters, in order: what ``grad(weights=...)`` and optimizers take.

    Errors: TypeError for anything else, ValueError for two of one name.

    >>> ParameterTuple([Parameter(Tensor([1.0]), name="a")])[0].name
    'a'
    """

    __slots__ = ()

    def __new__(cls, iterable=()):
        found = tuple(iterable)
        names: dict = {}
        for each in found:
            if not isinstance(each, Parameter):
                raise errors.InvalidType(
                    "For ParameterTuple initialization, ParameterTuple input should be 'Parameter' "
                    f"collection, but got a {type(iterable)}.",
                    given=f"a {type(each).__name__}",
                )
            if names.setdefault(each.name, each) is not each:
                raise errors.InvalidValue(
                    f"The value {each} , its name '{each.name}' already exists. "
                    "Please set a unique name for the parameter."
                )
        return super().__new__(cls, found)

    def clone(self, prefix, init="same"):
        """Copies named ``prefix.name``, with the same values or those of ``init``.

        >>> one = ParameterTuple([Parameter([1.0], name="w")])
        >>> [p.name for p in one.clone("moment", "zeros")]
        ['moment.w']
        """
        copies = [each.clone(init) for each in self]
        for each in copies:
            each.name = f"{prefix}.{each.name}"
        return ParameterTuple(copies)
