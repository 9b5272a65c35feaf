# Python tensors become Values, and Values become Python tensors.

cdef int[10] TYPE_ID = [30, 32, 33, 34, 35, 37, 42, 45, 43, 44]  # by dtype code
cdef int[64] CODE_OF_ID

cdef int prepare_types() except -1:
    for i in range(64):
        CODE_OF_ID[i] = -1
    for i in range(10):
        CODE_OF_ID[TYPE_ID[i]] = i
    return 0

prepare_types()

cdef enum:
    STRIDED_FLAG = 1
    PENDING_FLAG = 2
    UNKNOWN_FLAG = 4


cdef class Promise:
    """What a pending tensor owns: the Value that a call will give."""

    cdef Value* value

    def __dealloc__(self):
        release_value(self.value)


cdef inline Promise promise_of(Tensor t):
    """The promise that a tensor is, or None."""
    if t.owner != NULL and type(<object>t.owner) is Promise:
        return <Promise>t.owner
    return None


cdef Tensor promised(Value* value):
    """A pending tensor; it takes over a reference to ``value``."""
    cdef Tensor t = Tensor.__new__(Tensor)
    cdef Promise promise = Promise.__new__(Promise)
    promise.value = value
    take_promise(t, promise)
    return t


cdef Value* value_of(Tensor t) except NULL:
    """A Value on a tensor's bytes, or on those that it will have; a new reference."""
    cdef Promise promise = promise_of(t)
    cdef Value* value
    cdef int i
    if promise is None and t.flags & (PENDING_FLAG | UNKNOWN_FLAG):
        t.asnumpy()  # the result of a call of Python: wait for it
    value = new_value()
    value.tensor = <PyObject*>t
    Py_INCREF(t)
    if promise is not None:
        retain(promise.value)
        value.target.store(promise.value)
        return value
    owner = share(t)
    value.type, value.axes = TYPE_ID[t.code], t.ndim
    value.buffer = new_buffer()
    value.offset = offset_in(owner, t)
    value.buffer.data.store(t.data - value.offset * size_of(value.type))
    value.buffer.size = (value.offset + t.n) * size_of(value.type)
    value.buffer.owner = <PyObject*>owner
    Py_INCREF(owner)
    copy_shape(value, t)
    return value


cdef int64_t offset_in(Storage owner, Tensor t) except -1:
    """Where a tensor begins in its storage, in elements; 0 where that is no whole number."""
    cdef char* start = owner.data
    cdef int64_t offset
    if start == NULL and isinstance(owner.base, cnp.ndarray):
        start = <char*>cnp.PyArray_DATA(<cnp.ndarray>owner.base)
    offset = t.data - start if start != NULL else 0
    if offset < 0 or offset % size_of(TYPE_ID[t.code]):
        return 0
    return offset // size_of(TYPE_ID[t.code])


cdef void copy_shape(Value* value, Tensor t) noexcept:
    cdef int64_t step = 1
    cdef int i, size = size_of(value.type)
    for i in range(t.ndim - 1, -1, -1):
        value.shape[i] = t.shape_[i]
        value.stride[i] = t.strides_[i] // size if t.flags & STRIDED_FLAG else step
        step *= t.shape_[i]


cdef int describe(Tensor t, Value* value, bint ready) except -1:
    """Give t the dtype and shape of a Value; if ``ready`` its bytes too."""
    cdef int i, size = size_of(value.type)
    for i in range(value.axes):
        t.shape_[i], t.strides_[i] = value.shape[i], value.stride[i] * size
    if not ready:
        take_bytes(t, CODE_OF_ID[value.type], value.axes, None, NULL)
        return 0
    owner = owner_of(value.buffer)
    take_bytes(t, CODE_OF_ID[value.type], value.axes, owner,
               value.buffer.data.load() + value.offset * size)
    return 0


cdef Storage owner_of(Buffer* buffer):
    """The Storage of a Buffer's bytes; those allocated in C++ are the Storage's from now on."""
    cdef Storage s
    if buffer.owner != NULL:
        return <Storage>buffer.owner
    if not allocate(buffer):
        raise MemoryError("There is no memory for a tensor of a C++ operator.")
    s = Storage.__new__(Storage)
    s.data, s.size = buffer.data.load(), buffer.size
    buffer.owner = <PyObject*>s
    Py_INCREF(s)
    return s


cdef object tensor_of(Value* value):
    """The tensor of a definite Value: the one it came from, or a new one."""
    cdef Tensor t
    cdef CCall* call = <CCall*>value.call
    if value.tensor != NULL:
        return <object>value.tensor
    if CODE_OF_ID[value.type] < 0:
        raise TypeError(f"There are no tensors of type id {value.type} here.")
    if call == NULL or call.ended.load():
        t = Tensor.__new__(Tensor)
        describe(t, value, True)
        return t
    t = promised(view_of(value))  # another Value: this one may own the tensor
    describe(t, value, False)
    return t


# for ms_ext.engine.stages ---------------------------------------------------------------------------


def concerns(value):
    """Whether a C++ call is still to give a tensor's elements, or may still be at them."""
    if not isinstance(value, Tensor):
        return False
    return promise_of(<Tensor>value) is not None or is_used(<Tensor>value)


cdef bint is_used(Tensor t) noexcept:
    return (t.owner != NULL and type(<object>t.owner) is Storage and _lanes is not None
            and (<Storage>t.owner).used > (<Lanes>_lanes).it.progress[2].reached.load())


def is_promise(Tensor t):
    """Whether its elements are still to come, and no operand that is in use."""
    return promise_of(t) is not None


def use_until(Tensor t, long long number):
    """Call ``number``, of Python, reads the operand: who writes to its bytes waits for that."""
    if promise_of(t) is None and type(<object>t.owner) is Storage:
        (<Storage>t.owner).used = max((<Storage>t.owner).used, number)


def number_of(Tensor t):
    """The number of the call that a tensor waits for."""
    cdef Promise promise = promise_of(t)
    if promise is None:
        return (<Storage>t.owner).used
    return call_of(promise).number


cdef CCall* call_of(Promise promise) noexcept:
    cdef Value* value = promise.value
    while value.call == NULL and value.target.load() != NULL:
        value = value.target.load()
    return <CCall*>value.call


def failure_of(Tensor t):
    """What its call failed with, or None."""
    cdef Promise promise = promise_of(t)
    cdef CCall* call
    if promise is None:
        return None
    call = call_of(promise)
    return failed(call) if call.failed.load() or never_ends(call) else None


def tell(Tensor t):
    """After FrontendTask: give the tensor its dtype and shape."""
    cdef Promise promise = promise_of(t)
    if promise is not None and t.flags & UNKNOWN_FLAG and fill_in(promise.value):
        describe(t, promise.value, False)


def fulfil(Tensor t):
    """After LaunchTask: give the tensor its elements; zeros if its call failed there."""
    cdef Promise promise = promise_of(t)
    cdef Value* value
    if promise is None:
        return
    value = promise.value
    if value.type == 0 and not fill_in(value):
        return
    if call_of(promise).failed.load() and value.buffer.owner == NULL and allocate(value.buffer):
        memset(value.buffer.data.load(), 0, value.buffer.size)
    describe(t, value, True)


cdef class Held:
    """What a call of Python keeps of an operand that a C++ call is still to write."""

    cdef Value* value

    def __dealloc__(self):
        release_value(self.value)

    @property
    def failure(self):
        """Failed, if the call did."""
        cdef CCall* call = call_of_value(self.value)
        if call == NULL or not (call.failed.load() or never_ends(call)):
            return None
        return failed(call)

    def tensor(self, ready):
        """After FrontendTask: a tensor like it; with ``ready``, after LaunchTask, on its bytes."""
        cdef Tensor t = Tensor.__new__(Tensor)
        if self.value.type == 0:
            fill_in(self.value)
        describe(t, self.value, ready)
        return t


cdef CCall* call_of_value(Value* value) noexcept:
    while value.call == NULL and value.target.load() != NULL:
        value = value.target.load()
    return <CCall*>value.call


def hold(Tensor t):
    """The tensor as an operand that is read in a later stage."""
    cdef Held held = Held.__new__(Held)
    held.value = value_of(t)
    return held
