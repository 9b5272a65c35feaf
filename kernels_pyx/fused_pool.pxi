# Memory for large results. A fresh page costs a page fault at its first touch, several times the
# price of the arithmetic on it; so blocks that arrays have let go of are kept here and given out
# again.

cdef enum:
    POOLED_FROM = 1 << 15  # bytes; below it malloc reuses memory by itself
    PLACES = 32
    PAGE = 4096

cdef char* kept_data[PLACES]
cdef Py_ssize_t kept_bytes[PLACES]
cdef int kept_count = 0
cdef Py_ssize_t kept_total = 0
cdef Py_ssize_t kept_limit = 256 << 20


cdef class Block:
    """Bytes that go back to the pool when the last array on them dies."""

    cdef char* data
    cdef Py_ssize_t nbytes

    def __getbuffer__(self, Py_buffer* view, int flags):
        PyBuffer_FillInfo(view, self, self.data, self.nbytes, 0, flags)

    def __dealloc__(self):
        global kept_count, kept_total
        if self.data == NULL:
            return
        while kept_count and (kept_count == PLACES or kept_total + self.nbytes > kept_limit):
            drop_oldest()
        if self.nbytes > kept_limit:
            free(self.data)
            return
        kept_data[kept_count], kept_bytes[kept_count] = self.data, self.nbytes
        kept_count += 1
        kept_total += self.nbytes


cdef void drop_oldest() noexcept:
    free(kept_data[0])
    forget(0)


cdef void forget(int place) noexcept:
    global kept_count, kept_total
    kept_total -= kept_bytes[place]
    kept_count -= 1
    for i in range(place, kept_count):
        kept_data[i], kept_bytes[i] = kept_data[i + 1], kept_bytes[i + 1]


cdef Block take(Py_ssize_t nbytes):
    """At least ``nbytes``: the latest kept block that fits without much waste, or a fresh one."""
    cdef Block block = Block.__new__(Block)
    cdef int place
    for place in range(kept_count - 1, -1, -1):
        if nbytes <= kept_bytes[place] <= nbytes + nbytes // 4 + PAGE:
            block.data, block.nbytes = kept_data[place], kept_bytes[place]
            forget(place)
            return block
    block.nbytes = (nbytes + PAGE - 1) // PAGE * PAGE
    block.data = <char*>aligned_alloc(64, block.nbytes)
    if block.data == NULL:
        raise MemoryError(f"no memory for a result of {nbytes} bytes")
    return block


cdef object new_array(int ndim, Py_ssize_t* shape, Py_ssize_t size, object dtype):
    """A C-ordered array with undefined elements; a large one lies on a pooled block."""
    cdef cnp.dtype descr = dtype
    cdef Py_ssize_t nbytes = size * descr.itemsize
    cdef Block block = take(nbytes) if nbytes >= POOLED_FROM else None
    Py_INCREF(descr)  # NewFromDescr takes this reference over
    if block is None:
        return new_from(<void*>numpy_ndarray, <void*>descr, ndim, shape, NULL, NULL, 0, NULL)
    array = new_from(<void*>numpy_ndarray, <void*>descr, ndim, shape, NULL, block.data,
                     cnp.NPY_ARRAY_CARRAY, NULL)
    cnp.set_array_base(array, block)
    return array


def empty(tuple shape, dtype):
    """An array with undefined elements, as numpy.empty; a large one lies on a pooled block.

    >>> empty((2, 3), numpy.dtype("float32")).shape
    (2, 3)
    """
    cdef Py_ssize_t sizes[64]
    cdef Py_ssize_t size = 1
    cdef int axis
    if len(shape) > 64:
        raise ValueError("NumPy's arrays have at most 64 axes")
    for axis, extent in enumerate(shape):
        sizes[axis] = extent
        size *= sizes[axis]
    return new_array(len(shape), sizes, size, dtype)


def pool(limit=None):
    """(blocks kept, bytes kept, most bytes to keep); ``limit`` sets the last, 0 gives all back."""
    global kept_limit
    if limit is not None:
        kept_limit = limit
        while kept_total > kept_limit or (limit == 0 and kept_count):
            drop_oldest()
    return kept_count, kept_total, kept_limit
