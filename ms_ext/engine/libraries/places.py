"""What does the library know of a tensor? Before LaunchTask its dtype and shape, then its elements.

A function of the library takes NumPy arrays, tensors, or a ``DeviceTensor``: that of a call on its
way through the stages.
"""

from typing import NamedTuple

import numpy as np

from .. import errors
from ..quiet import quietly
from ..tensor import Tensor, core

ALIGNED = 64  # each piece of a workspace begins at a multiple of so many bytes


class Form(NamedTuple):
    """The dtype's name and the shape of a tensor; a dtype of None is any to which can be cast.

    >>> print(Form("float16", (2, 3)))
    float16[2,3]
    """

    dtype: str | None
    shape: tuple

    @property
    def size(self):
        """How many elements."""
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def bytes(self):
        """Bytes, as a piece of a workspace."""
        each = 2 if self.dtype == "bfloat16" else np.dtype(self.dtype).itemsize
        return -(-self.size * each // ALIGNED) * ALIGNED

    def __str__(self):
        return f"{self.dtype or 'any'}[{','.join(map(str, self.shape))}]"


class DeviceTensor:
    """An operand or result of a call in the stages: ``find()`` answers its array, in LaunchTask.

    >>> one = DeviceTensor(Form("float32", (2,)), lambda: None)
    >>> one.shape, one.dtype
    ((2,), 'float32')
    """

    __slots__ = ("_find", "form")

    def __init__(self, form, find):
        self.form, self._find = form, find

    @property
    def shape(self):
        """Its sizes."""
        return self.form.shape

    @property
    def dtype(self):
        """The name of its dtype."""
        return self.form.dtype

    @property
    def array(self):
        """Its elements, in LaunchTask; before that an earlier call may be still to write them."""
        found = self._find()
        if found is None:
            raise errors.NotRunnable(
                "The elements of this tensor are not there before LaunchTask.",
                given=f"a {self.form} in DeviceTask",
                hint="In DeviceTask ask for a workspace; read and write elements in LaunchTask.",
            )
        return found

    def __repr__(self):
        return f"DeviceTensor({self.form})"


def is_tensor(value):
    """Whether an argument of a library's function is a tensor."""
    return isinstance(value, DeviceTensor | np.ndarray | Tensor)


def form_of(value):
    """The Form of a tensor.

    >>> form_of(np.zeros((2, 3), np.int8))
    Form(dtype='int8', shape=(2, 3))
    """
    if isinstance(value, DeviceTensor):
        return value.form
    if isinstance(value, Tensor):
        return Form(value.dtype.numpy.name, tuple(value.shape))
    return Form(value.dtype.name, value.shape)


def array_of(value):
    """The array on a tensor's elements."""
    if isinstance(value, DeviceTensor):
        return value.array
    if isinstance(value, Tensor):
        value.asnumpy()  # waits for it
        return core.raw(value)
    return value


def is_narrow(form):
    """Whether a kernel calculates in float32 with a tensor of this form."""
    return isinstance(form, Form) and form.dtype in ("float16", "bfloat16")


def widened(forms):
    """The memory that a kernel needs for its narrow inputs in float32."""
    return [Form("float32", form.shape) for form in forms if is_narrow(form)]


def widen(forms, values, taken):
    """The arrays of inputs, narrow ones in the float32 memory that is first in ``taken``."""
    arrays = []
    for form, value in zip(forms, values, strict=True):
        array = array_of(value) if is_tensor(value) else value
        if is_narrow(form):
            wide = taken.pop(0)
            np.copyto(wide, array, casting="unsafe")
            array = wide
        arrays.append(array)
    return arrays


def write(target, result):
    """Write a kernel's result into an output, rounded to its dtype."""
    quietly(np.copyto, array_of(target), result, casting="unsafe")


def pieces(workspace, forms):
    """Arrays of these forms, one behind the other in a workspace (bytes, or None for no forms)."""
    found, start = [], 0
    for form in forms:
        dtype = np.dtype(form.dtype)
        part = workspace[start : start + form.size * dtype.itemsize]
        found.append(part.view(dtype).reshape(form.shape))
        start += form.bytes
    return found
