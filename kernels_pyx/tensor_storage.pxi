# Bytes: whose they are, how tensors and NumPy arrays share them.


cdef class Storage:
    """Bytes that several tensors and arrays share, and how often they were written."""

    def __dealloc__(self):
        free(self.data)


cdef inline void set_contiguous(Tensor t, int ndim, const Py_ssize_t* shape) noexcept:
    cdef int i
    t.ndim = ndim
    for i in range(ndim):
        t.shape_[i] = shape[i]


cdef inline int allocate(Tensor t, Py_ssize_t size) except -1:
    """Bytes for `size` bytes of elements: inside the object if there are few."""
    if size <= <Py_ssize_t>sizeof(t.small):
        t.data = t.small
        return 0
    t.data = <char*>malloc(size)
    if t.data == NULL:
        PyErr_NoMemory()
    return 0


cdef inline Tensor new_tensor(int code, int ndim, const Py_ssize_t* shape, Py_ssize_t n):
    """A contiguous tensor with bytes of its own, not yet filled."""
    cdef Tensor t = Tensor.__new__(Tensor)
    t.code = code
    t.n = n
    set_contiguous(t, ndim, shape)
    allocate(t, n * SIZE[code])
    return t


cdef void drop(Tensor t) noexcept:
    """Let go of the bytes."""
    if t.owner != NULL:
        Py_CLEAR(t.owner)
    elif t.data != NULL and t.data != t.small:
        free(t.data)
    t.data = NULL


cdef void fill_strides(Tensor t) noexcept:
    cdef Py_ssize_t step = SIZE[t.code]
    cdef int i
    if not t.flags & STRIDED:
        for i in range(t.ndim - 1, -1, -1):
            t.strides_[i] = step
            step *= t.shape_[i]


cdef void check_contiguous(Tensor t) noexcept:
    """Set or clear STRIDED from the strides."""
    cdef Py_ssize_t step = SIZE[t.code]
    cdef int i
    t.flags &= ~STRIDED
    for i in range(t.ndim - 1, -1, -1):
        if t.shape_[i] != 1 and t.strides_[i] != step and t.n != 0:
            t.flags |= STRIDED
            return
        step *= t.shape_[i]


cdef Storage share(Tensor t):
    """The bytes as a Storage, which views, arrays and buffers hold on to."""
    cdef Storage s
    if t.owner != NULL and type(<object>t.owner) is Storage:
        return <Storage>t.owner
    s = Storage.__new__(Storage)
    s.version = t.version
    if t.owner != NULL:
        s.base = <object>t.owner
        Py_CLEAR(t.owner)
    elif t.data == t.small:
        s.data, s.size = <char*>malloc(sizeof(t.small)), t.n * SIZE[t.code]
        if s.data == NULL:
            PyErr_NoMemory()
        memcpy(s.data, t.small, sizeof(t.small))
        t.data = s.data
    else:
        s.data, s.size = t.data, t.n * SIZE[t.code]
    t.owner = own(s)
    return s


cdef inline unsigned int version_of(Tensor t):
    if t.owner != NULL and type(<object>t.owner) is Storage:
        return (<Storage>t.owner).version
    return t.version


cdef int written(Tensor t) except -1:
    """Count a write in place; t itself knows of it."""
    if t.owner != NULL and type(<object>t.owner) is Storage:
        (<Storage>t.owner).version += 1
        t.seen = (<Storage>t.owner).version
    else:
        t.version += 1
        t.seen = t.version
    return 0


cdef Tensor view_of(Tensor base):
    """A tensor on the same bytes, of the same dtype; the caller sets data, shape and strides."""
    cdef Storage s = share(base)
    cdef Tensor t = Tensor.__new__(Tensor)
    t.owner = own(s)
    t.seen = s.version
    t.code = base.code
    return t


cdef Tensor alias(Tensor base):
    """The same elements under another identity."""
    cdef Tensor t
    ensure(base, PENDING)
    t = view_of(base)
    t.data, t.n, t.ndim, t.flags = base.data, base.n, base.ndim, base.flags
    memcpy(t.shape_, base.shape_, sizeof(t.shape_))
    memcpy(t.strides_, base.strides_, sizeof(t.strides_))
    return t


cdef object bare_array(Tensor t):
    """An array on the tensor's bytes that keeps nothing alive."""
    cdef object d = descr(t.code)
    cdef bint strided = t.flags & STRIDED
    Py_INCREF(d)  # stolen below
    return NewArray(<PyTypeObject*>cnp.ndarray, <cnp.PyArray_Descr*>d, t.ndim, t.shape_,
                    t.strides_ if strided else NULL, t.data,
                    cnp.NPY_ARRAY_WRITEABLE if strided else cnp.NPY_ARRAY_CARRAY, NULL)


cdef object array_on(Tensor t):
    """A writable array on the tensor's bytes."""
    cdef Storage s = share(t)
    cdef object array = bare_array(t)
    Py_INCREF(s)  # PyArray_SetBaseObject steals it
    cnp.PyArray_SetBaseObject(<cnp.ndarray>array, s)
    return array


cdef Tensor take_array(Tensor t, cnp.ndarray array):
    """Make the array's memory the contents of t; few elements are copied into the object."""
    cdef int i, code = code_of_array(array)
    cdef object root = array
    if cnp.PyArray_NDIM(array) > MAX_NDIM:
        shape = list((<object>array).shape)
        raise errors.InvalidValue(f"A tensor has at most {MAX_NDIM} axes.", given=f"shape {shape}")
    t.code, t.ndim, t.flags = code, cnp.PyArray_NDIM(array), 0
    t.n = cnp.PyArray_SIZE(array)
    t.data = <char*>cnp.PyArray_DATA(array)
    for i in range(t.ndim):
        t.shape_[i] = cnp.PyArray_DIM(array, i)
        t.strides_[i] = cnp.PyArray_STRIDE(array, i)
    check_contiguous(t)
    while isinstance(root, cnp.ndarray) and cnp.PyArray_BASE(<cnp.ndarray>root) != NULL:
        root = <object>cnp.PyArray_BASE(<cnp.ndarray>root)
    if type(root) is not Storage:
        root = array
    t.owner = own(root)
    t.seen = version_of(t)
    return t


cdef Tensor wrap(object result):
    """A tensor from what NumPy computed: small results move in, others are shared."""
    cdef cnp.ndarray array = result if type(result) is cnp.ndarray else cnp.PyArray_FROM_O(result)
    cdef Py_ssize_t size = cnp.PyArray_NBYTES(array)
    cdef Tensor t
    if cnp.PyArray_BASE(array) == NULL:
        if size <= 64 and cnp.PyArray_IS_C_CONTIGUOUS(array):
            t = new_tensor(code_of_array(array), cnp.PyArray_NDIM(array),
                           <Py_ssize_t*>cnp.PyArray_DIMS(array), cnp.PyArray_SIZE(array))
            memcpy(t.data, cnp.PyArray_DATA(array), size)
            return t
    elif not cnp.PyArray_ISWRITEABLE(array):
        array = array.copy()
    return take_array(Tensor.__new__(Tensor), array)


cdef bint is_in_use(Tensor t) noexcept:
    """Whether a call of a C++ operator that is still in flight may read or write the bytes."""
    return (t.owner != NULL and type(<object>t.owner) is Storage
            and (<Storage>t.owner).used > launched[0])


cdef int ensure(Tensor t, int bits) except -1:
    """Wait for what is still to come: UNKNOWN = dtype and shape, PENDING = the elements too."""
    if bits & PENDING and is_in_use(t):
        waiter(t, "data")
    if t.flags & bits:
        if t.flags & DRAWN:
            t.flags &= ~(DRAWN | PENDING)
            return 0
        if waiter is not None:
            waiter(t, "data" if bits & PENDING else "shape")
        if t.flags & bits:
            need = "data" if bits & PENDING else "shape"
            raise arrays.never_came(need, not t.flags & UNKNOWN and min(shape_of(t), default=0) < 0)
    return 0


cdef int describe(Tensor t, dtype, shape, init) except -1:
    """``Tensor(dtype=..., shape=...)``: what an input is like; without ``init`` no elements."""
    cdef int axis
    array, sizes = arrays.described(dtype, shape, init)
    take_array(t, array)
    t.flags |= PENDING if init is None else PENDING | DRAWN
    if init is None:
        for axis, size in enumerate(sizes):
            t.shape_[axis] = size
    return 0


cdef tuple shape_of(Tensor t):
    cdef int i
    if t.ndim == 1:
        return (t.shape_[0],)
    if t.ndim == 2:
        return (t.shape_[0], t.shape_[1])
    return tuple([t.shape_[i] for i in range(t.ndim)])
