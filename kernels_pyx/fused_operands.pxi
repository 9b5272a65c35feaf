# Operands that do not lie there ready: broadcast, transposed, strided ones are laid out block by
# block; single numbers fill a tile; the last, incomplete tile is completed.

cdef struct View:
    # an array seen in the kernel's shape, neighbouring axes merged; a broadcast axis has stride 0
    char* data
    int ndim
    Py_ssize_t shape[MAX_AXES]
    Py_ssize_t strides[MAX_AXES]


cdef int see(View* view, cnp.ndarray array, int ndim, const Py_ssize_t* shape) noexcept:
    """Describe ``array`` in ``shape``; 0 if it does not broadcast to it."""
    cdef const Py_ssize_t* sizes = <Py_ssize_t*>cnp.PyArray_DIMS(array)
    cdef const Py_ssize_t* strides = <Py_ssize_t*>cnp.PyArray_STRIDES(array)
    cdef int axis, own, missing = ndim - cnp.PyArray_NDIM(array)
    cdef Py_ssize_t stride
    view.data, view.ndim = cnp.PyArray_BYTES(array), 0
    if missing < 0:
        return 0
    for axis in range(ndim):
        own = axis - missing
        stride = 0
        if own >= 0 and sizes[own] != 1:
            if sizes[own] != shape[axis]:
                return 0
            stride = strides[own]
        if shape[axis] != 1:
            append_axis(view, shape[axis], stride)
    return 1


cdef void append_axis(View* view, Py_ssize_t size, Py_ssize_t stride) noexcept:
    cdef int last = view.ndim - 1
    if last >= 0 and view.strides[last] == stride * size:
        view.shape[last] *= size
        view.strides[last] = stride
        return
    view.shape[view.ndim], view.strides[view.ndim] = size, stride
    view.ndim += 1


cdef void gather(char* out, const View* view, int item, Py_ssize_t start,
                 Py_ssize_t count) noexcept nogil:
    """Write elements start .. start + count of ``view`` one after the other."""
    cdef Py_ssize_t index[MAX_AXES]
    cdef Py_ssize_t rest = start, run
    cdef const char* source = view.data
    cdef int axis, last = view.ndim - 1
    for axis in range(last, -1, -1):
        index[axis] = rest % view.shape[axis]
        rest //= view.shape[axis]
        source += index[axis] * view.strides[axis]
    while count > 0:
        run = min(count, view.shape[last] - index[last])
        copy_run(out, source, item, view.strides[last], run)
        out += run * item
        count -= run
        source += run * view.strides[last]
        index[last] += run
        axis = last
        while axis > 0 and index[axis] == view.shape[axis]:
            source += view.strides[axis - 1] - index[axis] * view.strides[axis]
            index[axis] = 0
            axis -= 1
            index[axis] += 1


cdef void copy_run(char* out, const char* source, int item, Py_ssize_t stride,
                   Py_ssize_t run) noexcept nogil:
    if stride == item:
        memcpy(out, source, run * item)
    elif item == 4:
        copy_strided(<int32_t*>out, source, stride, run)
    elif item == 8:
        copy_strided(<int64_t*>out, source, stride, run)
    else:
        copy_strided(<int8_t*>out, source, stride, run)


ctypedef fused bits_t:
    int8_t
    int32_t
    int64_t


cdef inline void copy_strided(bits_t* out, const char* source, Py_ssize_t stride,
                              Py_ssize_t run) noexcept nogil:
    cdef Py_ssize_t i
    cdef bits_t value
    if stride == 0:
        value = (<const bits_t*>source)[0]
        for i in range(run):
            out[i] = value
        return
    for i in range(run):
        out[i] = (<const bits_t*>(source + i * stride))[0]


cdef void fill_tile(char* tile, const char* element, int item) noexcept nogil:
    """A tile of one number."""
    copy_run(tile, element, item, 0, TILE_BYTES // item)


cdef void pad(char* tile, const char* source, int item, Py_ssize_t count,
              Py_ssize_t elements) noexcept nogil:
    """A tile whose first ``count`` elements are given; the others repeat the first."""
    memcpy(tile, source, count * item)
    copy_run(tile + count * item, source, item, 0, elements - count)
