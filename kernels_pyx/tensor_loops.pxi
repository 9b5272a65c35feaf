# Elementwise kernels: broadcasting by stride 0, promotion by a cast loop, numbers on the stack.

cdef struct Operand:
    char* data
    Py_ssize_t strides[8]       # aligned to the result's axes
    char number[8]


cdef inline Tensor same_form(Op op, Tensor x, Tensor y):
    """op(x, y) for contiguous operands of one dtype and shape; None if there is no loop for it."""
    cdef Kernel* k = op.kernel
    cdef char* p[3]
    cdef Py_ssize_t strides[3]
    cdef Tensor r
    cdef loop_t loop
    if (k == NULL or x.flags | y.flags or x.code != y.code or x.ndim != y.ndim
            or memcmp(x.shape_, y.shape_, x.ndim * sizeof(Py_ssize_t)) != 0):
        return None
    loop = k.loops[x.code]
    if loop == NULL or x.n > k.limit[x.code] or not op.direct >> x.code & 1:
        return None
    r = new_tensor(k.out[x.code], x.ndim, x.shape_, x.n)
    p[0], p[1], p[2] = x.data, y.data, r.data
    strides[0] = strides[1] = SIZE[x.code]
    strides[2] = SIZE[r.code]
    if r.n < RELEASE:
        loop(p, strides, r.n)
    else:
        run_alone(loop, p, strides, r.n, share(x), share(y))
    return r


cdef int run_alone(loop_t loop, char** p, const Py_ssize_t* strides, Py_ssize_t n,
                   Storage a, Storage b) except -1:
    """A long loop without the GIL; the operands' bytes are held, whatever other threads assign."""
    with nogil:
        loop(p, strides, n)
    return 0


cdef inline Tensor with_number(Op op, Tensor x, object y, bint swapped):
    """op(x, y) for a contiguous tensor and a Python number that keeps its dtype; None otherwise."""
    cdef Kernel* k = op.kernel
    cdef char number[8]
    cdef char* p[3]
    cdef Py_ssize_t strides[3]
    cdef Tensor r
    cdef int kind = number_kind(y), first = swapped
    if (k == NULL or kind < 0 or x.flags or k.loops[x.code] == NULL or x.n > k.limit[x.code]
            or WITH_NUMBER[kind][x.code] != x.code or not op.direct >> x.code & 1):
        return None
    if not put_number(y, kind, x.code, number):
        return None
    r = new_tensor(k.out[x.code], x.ndim, x.shape_, x.n)
    p[first], p[1 - first], p[2] = x.data, number, r.data
    strides[first], strides[1 - first], strides[2] = SIZE[x.code], 0, SIZE[r.code]
    k.loops[x.code](p, strides, r.n)
    return r


cdef inline Tensor one_form(Op op, Tensor x):
    """op(x) for a contiguous operand; None if there is no loop for it."""
    cdef Kernel* k = op.kernel
    cdef char* p[2]
    cdef Py_ssize_t strides[2]
    cdef Tensor r
    cdef loop_t loop
    if k == NULL or x.flags:
        return None
    loop = k.loops[x.code]
    if loop == NULL or x.n > k.limit[x.code] or not op.direct >> x.code & 1:
        return None
    r = new_tensor(k.out[x.code], x.ndim, x.shape_, x.n)
    p[0], p[1] = x.data, r.data
    strides[0], strides[1] = SIZE[x.code], SIZE[r.code]
    if r.n < RELEASE:
        loop(p, strides, r.n)
    else:
        run_alone(loop, p, strides, r.n, share(x), None)
    return r


cdef inline int number_kind(object value) noexcept:
    """0 bool, 1 int, 2 float; -1: not a Python number."""
    if type(value) is float:
        return 2
    if type(value) is int:
        return 1
    if type(value) is bool:
        return 0
    return -1


cdef int put_number(object value, int kind, int code, char* out) except -1:
    """The number as one element of dtype `code`; 0 if there is no cast for it."""
    cdef char wide[8]
    cdef char* p[2]
    cdef Py_ssize_t strides[2]
    cdef int overflow = 0, source = 9 if kind == 2 else 4
    if kind == 2:
        (<double*>wide)[0] = value
        if code == 8:
            (<float*>out)[0] = <float>(<double*>wide)[0]
            return 1
    else:
        (<long long*>wide)[0] = PyLong_AsLongLongAndOverflow(value, &overflow)
        if overflow:
            operands.number_array(value, dtypes.int64)  # raises
    if source == code:
        memcpy(out, wide, 8)
        return 1
    if CASTS[source][code] == NULL:
        return 0
    p[0], p[1] = wide, out
    strides[0] = strides[1] = 0
    CASTS[source][code](p, strides, 1)
    return 1


cdef Tensor cast_tensor(Tensor t, int code):
    """A contiguous tensor of another dtype; None if there is no loop for it."""
    cdef Operand each[2]
    cdef Tensor r
    cdef Storage held = share(t) if t.n >= RELEASE else None  # until the loop is done
    cdef loop_t loop = CASTS[t.code][code]
    if loop == NULL:
        return None
    r = new_tensor(code, t.ndim, t.shape_, t.n)
    align(&each[0], t, r)
    align(&each[1], r, r)
    run_loop(loop, 2, each, r)
    return r


cdef void align(Operand* operand, Tensor t, Tensor result) noexcept:
    """The operand's strides on the result's axes: 0 where it is broadcast."""
    cdef int i, added = result.ndim - t.ndim
    fill_strides(t)
    operand.data = t.data
    for i in range(result.ndim):
        operand.strides[i] = 0 if i < added or t.shape_[i - added] == 1 else t.strides_[i - added]


cdef int run_loop(loop_t loop, int count, Operand* each, Tensor result) except -1:
    """Run over all elements, neighbouring axes merged where every operand allows it."""
    cdef Py_ssize_t shape[8]
    cdef int i, k, ndim = 0
    cdef bint merged
    for i in range(result.ndim):
        if result.shape_[i] == 1:
            continue
        merged = ndim > 0
        for k in range(count):
            merged = merged and each[k].strides[ndim - 1] == each[k].strides[i] * result.shape_[i]
        ndim += not merged
        shape[ndim - 1] = shape[ndim - 1] * result.shape_[i] if merged else result.shape_[i]
        for k in range(count):
            each[k].strides[ndim - 1] = each[k].strides[i]
    if result.n == 0:
        return 0
    if result.n < RELEASE:
        walk(loop, count, each, ndim, shape)
    else:
        with nogil:
            walk(loop, count, each, ndim, shape)
    return 0


cdef void walk(loop_t loop, int count, Operand* each, int ndim, Py_ssize_t* shape) noexcept nogil:
    """Count through the outer axes; the loop does the innermost."""
    cdef Py_ssize_t at[8]
    cdef Py_ssize_t strides[4]
    cdef char* p[4]
    cdef int k, axis
    for k in range(count):
        p[k], strides[k] = each[k].data, each[k].strides[ndim - 1] if ndim else 0
    for axis in range(ndim):
        at[axis] = 0
    while True:
        loop(p, strides, shape[ndim - 1] if ndim else 1)
        axis = ndim - 2
        while axis >= 0:
            at[axis] += 1
            for k in range(count):
                p[k] += each[k].strides[axis]
            if at[axis] < shape[axis]:
                break
            for k in range(count):
                p[k] -= shape[axis] * each[k].strides[axis]
            at[axis] = 0
            axis -= 1
        if axis < 0:
            return


cdef int common_code(Op op, PyObject** values, int count) except -2:
    """The dtype all operands are cast to; -1 if the op's rule is not one for all."""
    cdef int i, code = -1, kind, widest = -1
    for i in range(count):
        kind = -1 if isinstance(<object>values[i], Tensor) else number_kind(<object>values[i])
        if kind >= 0:
            widest = max(widest, kind)
        elif code < 0:
            code = (<Tensor>values[i]).code
        elif op.rule == AS_GIVEN and code != (<Tensor>values[i]).code:
            return -1
        else:
            code = PROMOTED[code][(<Tensor>values[i]).code]
    if op.rule == MIXED or op.rule == AS_GIVEN and widest >= 0 and count > 1:
        return -1
    if widest >= 0:
        code = WITH_NUMBER[widest][code] if code >= 0 else NUMBER_CODE[widest]
    return 8 if op.rule == FLOAT and code < 6 else code


cdef Tensor elementwise(Op op, PyObject** values, int count):
    """The kernel on any operands; None if there is no loop, or NumPy should word the error."""
    cdef Operand each[4]
    cdef PyObject* held[3]
    cdef Tensor result
    cdef int i, code
    cdef bint good = True
    if op.kernel == NULL or not 0 < count <= 3:
        return None
    code = common_code(op, values, count)
    if code < 0 or op.kernel.loops[code] == NULL:
        return None
    result = broadcast_form(values, count, op.kernel.out[code])
    if result is None or result.n > op.kernel.limit[code]:
        return None
    allocate(result, result.n * SIZE[result.code])
    held[0] = held[1] = held[2] = NULL
    try:
        for i in range(count):
            good = good and place(&each[i], <object>values[i], code, result, &held[i])
        if not good:
            return None
        align(&each[count], result, result)
        run_loop(op.kernel.loops[code], count + 1, each, result)
        return result
    finally:
        for i in range(count):
            Py_XDECREF(held[i])


cdef int place(Operand* operand, object value, int code, Tensor result, PyObject** held) except -1:
    """Fill in one operand, cast to `code`; 0 if there is no loop for the cast."""
    cdef Tensor t
    cdef int i
    if not isinstance(value, Tensor):
        for i in range(MAX_NDIM):
            operand.strides[i] = 0
        operand.data = operand.number
        return put_number(value, number_kind(value), code, operand.number)
    t = <Tensor>value
    if t.code != code:
        t = cast_tensor(t, code)
        if t is None:
            return 0
        held[0] = own(t)
    elif result.n >= RELEASE:
        held[0] = own(share(t))  # the loop runs without the GIL: another thread may assign to t
    align(operand, t, result)
    return 1


cdef Tensor broadcast_form(PyObject** values, int count, int code):
    """An unallocated result of the shape that the operands broadcast to; None if they do not."""
    cdef Tensor r = Tensor.__new__(Tensor), t
    cdef int i, j, k
    r.code, r.n = code, 1
    for k in range(count):
        if isinstance(<object>values[k], Tensor):
            r.ndim = max(r.ndim, (<Tensor>values[k]).ndim)
    for i in range(r.ndim):
        r.shape_[i] = 1
    for k in range(count):
        if not isinstance(<object>values[k], Tensor):
            continue
        t = <Tensor>values[k]
        for i in range(t.ndim):
            j = r.ndim - t.ndim + i
            if r.shape_[j] == 1:
                r.shape_[j] = t.shape_[i]
            elif t.shape_[i] != 1 and t.shape_[i] != r.shape_[j]:
                return None
    for i in range(r.ndim):
        r.n *= r.shape_[i]
    return r
