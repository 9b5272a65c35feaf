"""Which shapes and dtypes does a custom op promise? What ``out_shape`` and ``out_dtype`` say.

Both are values or functions. A function gets one argument per input: a list of int that also has
``.shape``, or a dtype that also has ``.dtype``, so both of these work::

    out_shape=lambda x, y: x            # as MindSpore passes them
    out_shape=lambda x, y: x.shape      # as they are often written; not with strict="2.10"
"""

import numpy as np

from ... import dtype as dtypes
from .. import errors, strict
from ..infer import AbstractTensor
from ..stages import ASK


class GivenShape(list):
    """An input's shape as an ``out_shape`` function gets it.

    >>> GivenShape([2, 3]).shape, GivenShape([2, 3]).ndim
    ([2, 3], 2)
    """

    __slots__ = ("dtype",)

    @property
    def shape(self):
        """The list itself."""
        return self

    @property
    def ndim(self):
        """How many axes."""
        return len(self)


class GivenDtype:
    """An input's dtype as an ``out_dtype`` function gets it: equal to the dtype, with ``.dtype``.

    >>> GivenDtype(dtypes.float32, [2]) == dtypes.float32, GivenDtype(dtypes.float32, [2]).name
    (True, 'Float32')
    """

    __slots__ = ("dtype", "shape")

    def __init__(self, dtype, shape):
        self.dtype, self.shape = dtype, shape

    def __eq__(self, other):
        return self.dtype is getattr(other, "dtype", other)

    def __hash__(self):
        return hash(self.dtype)

    def __index__(self):
        return self.dtype.code  # its place in the promotion table

    def __getattr__(self, name):
        return getattr(self.dtype, name)

    def __repr__(self):
        return repr(self.dtype)

    def __str__(self):
        return str(self.dtype)


class Declared:
    """The promise of one op: called with the inputs' types, it gives the results' types."""

    def __init__(self, name, func_type, shape, dtype):
        self.name, self.func_type = name, func_type
        self.shape, self.dtype = shape, dtype

    def says_nothing(self):
        """Whether neither out_shape nor out_dtype was given."""
        return self.shape is None and self.dtype is None

    def leaves_open(self):
        """Whether one of the two was not given."""
        return self.shape is None or self.dtype is None

    def shape_for(self, *inputs):
        """What out_shape says of inputs of these types."""
        return self.shape(*map(_given_shape, inputs)) if callable(self.shape) else self.shape

    def check(self):
        """Refuse what is neither a value nor a function, when the op is first needed."""
        if not callable(self.shape) and not isinstance(self.shape, tuple | list):
            raise self._wrong("out_shape", "[tuple, list, function]", self.shape)
        numpys = isinstance(self.dtype, type | np.dtype)  # a class would be called like a function
        known = callable(self.dtype) or isinstance(self.dtype, dtypes.DType | tuple | list)
        if numpys or not known:
            raise self._wrong("out_dtype", "[mindspore.dtype, tuple, list, function]", self.dtype)

    def count(self):
        """How many results: None for one that is not in a tuple, ASK if only a call can tell."""
        if isinstance(self.shape, tuple | list):
            return len(self.shape) if _several(self.shape) else None
        if isinstance(self.dtype, tuple | list):
            return len(self.dtype)
        return ASK if callable(self.dtype) and callable(self.shape) else None

    def as_found(self, found):
        """The promise with what was not given as it was ``found``: types, one or a tuple."""
        several = isinstance(found, tuple)
        shapes = tuple([t.shape for t in found]) if several else found.shape
        kinds = tuple([t.dtype for t in found]) if several else found.dtype
        shape = shapes if self.shape is None else self.shape
        dtype = kinds if self.dtype is None else self.dtype
        return Declared(self.name, self.func_type, shape, dtype)

    def infer(self, *inputs):
        """The results' types: one AbstractTensor, or a tuple of them."""
        self.check()
        shape = self.shape_for(*inputs)
        dtype = self.dtype(*map(self._given_dtype, inputs)) if callable(self.dtype) else self.dtype
        if not isinstance(shape, tuple | list):
            raise self._wrong("out_shape", "[tuple, list, function]", shape)
        if not _several(shape):
            return self._one(shape, dtype)
        if not isinstance(dtype, tuple | list) or len(dtype) != len(shape):
            raise errors.InvalidValue(
                f"For '{self.name}', out_shape and out_dtype promise different numbers of results.",
                given=f"{len(shape)} shapes, dtypes {_shown(dtype)}",
                hint="Give one dtype per shape: out_dtype=(ms.float32, ms.float32).",
            )
        return tuple([self._one(s, d) for s, d in zip(shape, dtype, strict=True)])

    def _given_dtype(self, abstract):
        dtype = abstract.dtype
        if abstract.weak and dtype.kind == "float" and self.func_type != "pyfunc":
            dtype = dtypes.float32  # as which a kernel gets a Python number
        return dtype if strict.on() else GivenDtype(dtype, list(abstract.shape))

    def completed(self, inputs, infer_shape, infer_type):
        """Another one that says what this one leaves open.

        ``infer_shape()`` gives whether there are several results, and their shapes,
        ``infer_type(several)`` their dtypes.
        """
        shape, dtype = self.shape_for(*inputs), self.dtype
        if shape is None:
            several, shapes = infer_shape()
            shape = tuple(shapes) if several else shapes[0]
        if dtype is None:
            found = infer_type(_several(shape))
            dtype = tuple(found) if _several(shape) else found[0]
        return Declared(self.name, self.func_type, shape, dtype)

    def _one(self, shape, dtype):
        dtype = dtype.dtype if isinstance(dtype, GivenDtype) else dtype
        if not isinstance(dtype, dtypes.DType):
            raise self._wrong("out_dtype", "[mindspore.dtype, tuple, list, function]", dtype)
        if not all(map(_is_size, shape)):
            raise errors.InvalidValue(
                f"For '{self.name}', out_shape must hold sizes, integers that are not negative.",
                given=_shown(shape),
                hint="Give a tuple such as (2, 3), or one such tuple per result.",
            )
        return AbstractTensor(dtype, tuple(map(int, shape)))

    def _wrong(self, what, allowed, value):
        return errors.InvalidType(
            f"For 'Custom', 'func_type': {self.func_type}, 'func': {self.name}, '{what}' must be "
            f"one of {allowed}, but got {type(value)}",
            given=_shown(value),
            hint="out_shape=(2, 3), out_dtype=ms.float32; or functions of the inputs'.",
        )


def _is_size(number):
    return isinstance(number, int | np.integer) and not isinstance(number, bool) and number >= 0


def key(values):
    """What values are alike in: shapes and dtypes, of types as of arrays."""
    return tuple([(v.shape, _numpy_dtype(v)) for v in values])


def _numpy_dtype(value):
    if isinstance(value, AbstractTensor):  # a Python float becomes a float32 array
        return np.dtype("f4") if value.weak and value.dtype.kind == "float" else value.dtype.numpy
    return value.dtype


def _several(shape):
    """A tuple of shapes, not one shape."""
    return len(shape) > 0 and all(isinstance(item, tuple | list) for item in shape)


def _given_shape(abstract):
    if strict.on():
        return list(abstract.shape)
    given = GivenShape(abstract.shape)
    given.dtype = abstract.dtype
    return given


def _shown(value):
    return f"{value!r:.60}"
