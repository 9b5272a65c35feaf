# Parts of a tensor, and its bytes for other libraries, without a copy.


cdef int copy_array(Tensor t, cnp.ndarray array) except -1:
    """Tensor(array): copy a plain array's elements into t; 0 if it is not a plain one."""
    if not cnp.PyArray_ISCARRAY_RO(array) or cnp.PyArray_NDIM(array) > MAX_NDIM:
        return 0
    t.code = code_of_array(array)
    t.n = cnp.PyArray_SIZE(array)
    set_contiguous(t, cnp.PyArray_NDIM(array), <Py_ssize_t*>cnp.PyArray_DIMS(array))
    allocate(t, t.n * SIZE[t.code])
    memcpy(t.data, cnp.PyArray_DATA(array), t.n * SIZE[t.code])
    return 1


cdef Tensor basic_view(Tensor base, object index):
    """base[index] for integers and slices; None for every other index."""
    cdef tuple items = index if type(index) is tuple else (index,)
    cdef Py_ssize_t start, stop, step, count
    cdef int axis = 0
    cdef Tensor t
    if len(items) > base.ndim:
        return None
    for item in items:
        if type(item) is not int and type(item) is not slice:
            return None
    t = view_of(base)
    fill_strides(base)
    t.data, t.n = base.data, 1
    for item in items:
        if type(item) is int:
            start = item
            if start < 0:
                start += base.shape_[axis]
            if not 0 <= start < base.shape_[axis]:
                return None  # NumPy words the error
            t.data += start * base.strides_[axis]
        else:
            PySlice_Unpack(item, &start, &stop, &step)
            count = PySlice_AdjustIndices(base.shape_[axis], &start, &stop, step)
            add_axis(t, count, base.strides_[axis] * step)
            t.data += start * base.strides_[axis] if count else 0
        axis += 1
    while axis < base.ndim:
        add_axis(t, base.shape_[axis], base.strides_[axis])
        axis += 1
    check_contiguous(t)
    return t


cdef inline void add_axis(Tensor t, Py_ssize_t size, Py_ssize_t stride) noexcept:
    t.shape_[t.ndim] = size
    t.strides_[t.ndim] = stride
    t.ndim += 1
    t.n *= size


cdef char* FORMATS[10]
FORMATS[:] = [b"?", b"b", b"h", b"i", b"q", b"B", b"e", NULL, b"f", b"d"]


cdef int export_buffer(Tensor t, Py_buffer* buffer, int flags) except -1:
    """The buffer protocol. Who does not ask for strides must not get a view that has them."""
    cdef Tensor held
    ensure(t, PENDING)
    if FORMATS[t.code] == NULL:
        raise BufferError("bfloat16 has no buffer format; use x.asnumpy()")
    if t.flags & STRIDED and flags & PyBUF_STRIDES != PyBUF_STRIDES:
        raise BufferError("the tensor is a strided view; copy it first: Tensor(x)")
    held = alias(t)  # keeps bytes and shape whatever becomes of t
    fill_strides(held)
    Py_INCREF(held)
    buffer.internal = <void*>held
    buffer.buf, buffer.obj, buffer.len = held.data, t, t.n * SIZE[t.code]
    buffer.itemsize, buffer.readonly, buffer.ndim = SIZE[t.code], 0, t.ndim
    buffer.format = FORMATS[t.code] if flags & PyBUF_FORMAT else NULL
    buffer.shape = held.shape_ if flags & PyBUF_ND else NULL
    buffer.strides = held.strides_ if flags & PyBUF_STRIDES == PyBUF_STRIDES else NULL
    buffer.suboffsets = NULL
    return 0
