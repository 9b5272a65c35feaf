"""What does a Tensor hold, in plain Python? An array, a dtype, and what the tape knows of it.

Half of the readable twin of the compiled core; ``tensor_reference`` adds ops and operators.
"""

import threading

import numpy as np

from .. import dtype as dtypes
from . import arrays, errors, tensor_methods
from .quiet import quietly

#: PENDING: elements still to come; UNKNOWN: dtype and shape as well; DRAWN: an initializer's
#: elements, that nobody has read yet.
READY, PENDING, UNKNOWN, DRAWN = range(4)


class ThreadState(threading.local):
    """What one thread is doing: who interprets its calls, and the tape it records on."""

    def __init__(self):
        self.interpreters, self.asynchronous, self.recording = [], False, False
        self.attended = False  # whether any of these three is set: one test on the usual way
        self.generation, self.tape, self.watched = -1, [], {}
        self.hooks = {}  # slot -> what changes the gradient that arrives there
        self.depth = 0  # how many `grad`s are recording, one inside the other

    def attend(self, **change):
        """Change one of the three."""
        self.__dict__.update(change)
        self.attended = bool(self.interpreters or self.asynchronous or self.recording)


thread = ThreadState()
slots: dict = {}  # "+" -> Op
hooks = dict.fromkeys(("prepare", "named", "fit", "fallback", "waiter", "dispatcher", "write"))


_new = object.__new__


class Tensor:
    """Numbers of one dtype in a regular array.

    >>> Tensor([1.0, 2.5])
    Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.50000000e+00])
    """

    __module__ = "ms_ext.common.tensor"  # where it is found, and pickled, like its compiled twin
    __array_priority__ = 1000  # array + Tensor is a Tensor
    _array = _dtype = None
    _state = READY
    _open = None  # the shape of one without elements, that only says what an input is like
    _mark, _slot = None, -1  # generation of the tape it is on, and where
    _memory, _seen = (
        None,
        0,
    )  # what it shares with its views, and the version that its slot knows of

    def __init__(self, input_data=None, dtype=None, shape=None, init=None):
        if (input_data is None and dtype is not None) or shape is not None:
            describe(self, dtype, shape, init)
        else:
            hold(self, arrays.array_of(input_data, dtype))

    @staticmethod
    def from_numpy(array):
        """A tensor that shares the array's memory (it copies what it cannot share)."""
        if not isinstance(array, np.ndarray):
            raise errors.InvalidType("from_numpy takes a NumPy array.", given=type(array).__name__)
        return wrap(array if _shareable(array) else arrays.array_of(array))

    # what is known of it ----------------------------------------------------------------------

    @property
    def shape(self):
        """The sizes of its axes, a tuple."""
        return known(self)._open or self._array.shape

    @property
    def dtype(self):
        """The type of its elements."""
        return known(self)._dtype

    @property
    def ndim(self):
        """How many axes."""
        return known(self)._array.ndim

    @property
    def size(self):
        """How many elements."""
        return known(self)._array.size

    @property
    def itemsize(self):
        """Bytes of one element."""
        return self.dtype.size

    @property
    def nbytes(self):
        """Bytes of all elements."""
        return self.size * self.dtype.size

    @property
    def strides(self):
        """Bytes from one element to the next, per axis."""
        return known(self)._array.strides

    @property
    def T(self):
        """The tensor with its axes reversed."""
        return slots["T"](self) if thread.attended else view(self, ready(self)._array.T)

    @property
    def has_init(self):
        """Whether it comes from an initializer, and nobody has read it or asked for init_data."""
        return self._state == DRAWN

    # on the host ------------------------------------------------------------------------------

    def asnumpy(self):
        """A NumPy array on the same memory: what is written to one is seen by the other."""
        return ready(self)._array.view()

    def assign_value(self, value):
        """Take over another tensor's or array's contents; views of the old contents keep those."""
        value = ready(value)._array if isinstance(value, Tensor) else value
        return self.take_over(np.array(value, order="C"))

    def take_over(self, array):
        """As ``assign_value``, of an array that nobody else uses: nothing is copied."""
        version = version_of(self) + 1
        hold(self, array)
        self._memory = Memory()
        self._memory.version = self._seen = version
        return self

    def __getitem__(self, index):
        index = arrays.plain_index(index)
        if thread.attended:
            return slots["getitem"](self, index=index)
        try:
            return view(self, np.asarray(ready(self)._array[index]))
        except IndexError as error:
            raise arrays.index_error(self.shape, index, error) from None

    def __setitem__(self, index, value):
        index = arrays.plain_index(index)
        value = value if isinstance(value, Tensor | int | float) else Tensor(value)
        if thread.recording:
            hooks["write"](self, value, index)
        source = ready(value)._array if isinstance(value, Tensor) else value
        try:
            quietly(ready(self)._array.__setitem__, index, source)
        except IndexError as error:
            raise arrays.index_error(self.shape, index, error) from None
        except ValueError as error:
            raise errors.InvalidValue("The value does not fit.", given=str(error)) from None
        memory_of(self).version += 1
        self._seen = self._memory.version

    def _attributes(self):
        """What a learner or a subclass set on this tensor."""
        return {k: v for k, v in vars(self).items() if k not in _OWN}

    __repr__, __str__ = tensor_methods.show, tensor_methods.text
    __len__, __iter__ = tensor_methods.length, tensor_methods.iterate
    __contains__, __index__ = tensor_methods.contains, tensor_methods.index
    __hash__ = object.__hash__

    def __bool__(self):
        return bool(tensor_methods.item(self))

    def __int__(self):
        return int(tensor_methods.item(self))

    def __float__(self):
        return float(tensor_methods.item(self))

    def __pos__(self):
        return self


_OWN = {"_array", "_dtype", "_state", "_mark", "_slot", "_memory", "_seen", "_open"}


def hold(tensor, array):
    """Make ``array`` the contents of ``tensor``."""
    tensor._array, tensor._state = array, READY
    tensor._dtype = _DTYPES.get(array.dtype) or dtypes.from_numpy(array.dtype)


_DTYPES = {t.numpy: t for t in dtypes.DTYPES if t is not dtypes.bfloat16}


def describe(tensor, dtype, shape, init):
    """``Tensor(dtype=..., shape=...)``: what an input is like; without ``init`` no elements."""
    array, sizes = arrays.described(dtype, shape, init)
    hold(tensor, array)
    tensor._state = DRAWN if init is not None else PENDING
    if init is None:
        tensor._open = sizes


def wrap(array):
    """A new tensor on an array's memory."""
    tensor = _new(Tensor)
    tensor._array = array
    tensor._dtype = _DTYPES.get(array.dtype) or dtypes.from_numpy(array.dtype)
    return tensor


class Memory:
    """How often some memory was written, and the generation of the last recorded write."""

    version, written = 0, None


def memory_of(tensor):
    """What the tensor shares with its views; made when it is first needed."""
    if tensor._memory is None:
        tensor._memory = Memory()
    return tensor._memory


def version_of(tensor):
    """How often the tensor's memory was written."""
    return 0 if tensor._memory is None else tensor._memory.version


def view(base, array):
    """A new tensor on part of another one's memory."""
    tensor = wrap(array)
    tensor._memory = memory_of(base)
    tensor._seen = tensor._memory.version
    return tensor


def known(tensor):
    """The tensor, once its dtype and shape are there."""
    if tensor._state == UNKNOWN:
        _wait(tensor, "shape", UNKNOWN)
    return tensor


def ready(tensor):
    """The tensor, once its elements are there."""
    if tensor._state:
        _wait(tensor, "data", PENDING)
    return tensor


def _wait(tensor, need, too_early):
    if tensor._state == DRAWN:
        tensor._state = READY
        return
    if hooks["waiter"] is not None:
        hooks["waiter"](tensor, need)
    if tensor._state >= too_early:
        raise arrays.never_came(need, tensor._open is not None)


def _shareable(array):
    native = array.dtype.isnative and array.flags.aligned
    return native and array.flags.writeable and array.flags.c_contiguous


# results that are still to come --------------------------------------------------------------


def placeholder():
    """A tensor of which nothing is known yet."""
    tensor = Tensor.__new__(Tensor)
    tensor._state = UNKNOWN
    return tensor


def set_meta(tensor, dtype, shape):
    """Dtype and shape are known now; memory is there, the elements are not."""
    hold(tensor, np.empty(shape, dtype.numpy))
    tensor._state = PENDING


def set_ready(tensor, value=None):
    """The elements are there: in the memory that ``raw`` shows, or taken from ``value``."""
    if value is not None:
        hold(tensor, value._array if isinstance(value, Tensor) else np.asarray(value))
    tensor._state = READY


def raw(tensor):
    """The array of a tensor that may still be pending; nobody waits."""
    return tensor._array
