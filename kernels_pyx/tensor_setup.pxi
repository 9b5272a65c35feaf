# What the engine sets up, and results that are still to come.

cdef list IMMORTAL = []         # every op that lives for ever: tape entries borrow them


def configure(**given):
    """Hand in what the core needs from above it: `prepare`, `named`, `fit`."""
    global prepare_call, rebuild_op, fit_gradients
    prepare_call = given.get("prepare", prepare_call)
    rebuild_op = given.get("named", rebuild_op)
    fit_gradients = given.get("fit", fit_gradients)


def register(dict fields):
    """A new Op, which lives for ever, unless it says that it is ``passing``."""
    cdef Op op = Op(fields)
    if not op.passing:
        IMMORTAL.append(op)
    return op


def install(dict methods):
    """Give Tensor methods. The type is static, so they go into its dictionary by hand."""
    cdef dict names = <dict>(<TypeSlots*>Tensor).tp_dict
    names.update(methods)
    PyType_Modified(<TypeSlots*>Tensor)


def filled_like(Tensor t, value):
    """A tensor of the same shape and dtype, every element ``value``."""
    cdef Tensor r
    cdef Py_ssize_t i, size
    ensure(t, UNKNOWN)
    r, size = new_tensor(t.code, t.ndim, t.shape_, t.n), SIZE[t.code]
    if r.n == 0:
        return r
    if not put_number(value, number_kind(value), t.code, r.data):
        return wrap(np.full(shape_of(t), value, descr(t.code)))
    for i in range(1, r.n):
        memcpy(r.data + i * size, r.data, size)
    return r


def push_interpreter(f):
    """From now on ``f(op, operands, attributes)`` gets every op call of this thread."""
    cdef State* state = current()
    (<list>state.interpreters).append(f)
    state.mode |= INTERPRETING


def pop_interpreter():
    """End the innermost interpreter."""
    cdef State* state = current()
    (<list>state.interpreters).pop()
    set_mode(state, INTERPRETING, len(<list>state.interpreters) > 0)


def set_fallback_listener(listener):
    """``listener(op)`` hears of every call that NumPy computes; returns the one before."""
    global fallback_listener
    before, fallback_listener = fallback_listener, listener
    return before


def set_waiter(f):
    """``f(tensor, need)`` waits for the tensor's "shape" or "data"; returns the one before."""
    global waiter
    before, waiter = waiter, f
    return before


def set_dispatcher(f):
    """``f(op, operands, attributes)``: a Tensor, or NotImplemented to run the op here."""
    global dispatcher
    before, dispatcher = dispatcher, f
    return before


def asynchronous(on):
    """Whether this thread's ops are offered to the dispatcher; returns what it was."""
    return bool(set_mode(current(), ASYNCHRONOUS, on))


def placeholder():
    """A tensor of which nothing is known yet."""
    cdef Tensor t = Tensor.__new__(Tensor)
    t.flags = UNKNOWN | PENDING
    return t


def set_meta(Tensor t, dtype, shape):
    """Dtype and shape are known now; memory is there, the elements are not."""
    drop(t)
    take_array(t, np.empty(shape, dtype.numpy))
    t.flags |= PENDING


def set_ready(Tensor t, value=None):
    """The elements are there: in the memory that ``raw`` shows, or taken from ``value``."""
    cdef Tensor source
    if value is not None:
        drop(t)
        if isinstance(value, Tensor):
            source = alias(value)
            t.code, t.n, t.ndim, t.flags = source.code, source.n, source.ndim, source.flags
            memcpy(t.shape_, source.shape_, sizeof(t.shape_))
            memcpy(t.strides_, source.strides_, sizeof(t.strides_))
            t.owner, t.data, source.owner, source.data = source.owner, source.data, NULL, NULL
            t.seen = version_of(t)
        else:
            take_array(t, np.asarray(value))
    t.flags &= ~(PENDING | UNKNOWN | DRAWN)


def raw(Tensor t):
    """The array of a tensor that may still be pending; nobody waits."""
    return array_on(t)


cdef bint at_rest() except -1:
    """Whether nobody interprets or records this thread's ops, and nothing of it is in flight."""
    return current().mode == 0


cdef bint is_recording() except -1:
    """Whether a gradient is being taken on this thread."""
    return (current().mode & RECORDING) != 0


cdef int go_asynchronous() except -1:
    """`asynchronous(True)` for other families."""
    current().mode |= ASYNCHRONOUS
    return 0


cdef void launched_by(long long* reached) noexcept:
    """From now on ``reached`` says how far the calls of C++ operators have come."""
    global launched
    launched = reached


cdef void take_bytes(Tensor t, int code, int ndim, object owner, char* data) noexcept:
    """Make ``data`` of ``owner`` the contents of t, whose ``shape_`` and ``strides_`` are set.

    Without an owner: dtype and shape are known, the elements are still to come.
    """
    cdef int i
    t.code, t.ndim, t.n, t.flags = code, ndim, 1, PENDING
    for i in range(ndim):
        t.n *= t.shape_[i]
    if owner is None:
        return
    drop(t)
    t.flags, t.data, t.owner = STRIDED, data, own(owner)
    t.seen = version_of(t)
    check_contiguous(t)


cdef void take_promise(Tensor t, object promise) noexcept:
    """Make t a tensor of which nothing is known but who promised it."""
    drop(t)
    t.owner, t.flags = own(promise), UNKNOWN | PENDING


def in_use(Tensor t):
    """Whether a call of a C++ operator that is still in flight may read or write its elements."""
    return is_in_use(t)


cdef Tensor unfilled(int code, int ndim, const Py_ssize_t* shape, Py_ssize_t n):
    """`new_tensor` for other families: contiguous, its elements still to be written."""
    return new_tensor(code, ndim, shape, n)


cdef int prepare_module() except -1:
    cdef int a, b
    cdef Op probe = Op.__new__(Op)
    cdef Tensor some = Tensor.__new__(Tensor)
    cdef TypeSlots* slots_of_op = <TypeSlots*>Op
    for a in range(24):
        CODE_OF_TYPE[a] = -1
    for a in range(10):
        DTYPE[a] = <PyObject*>dtypes.DTYPES[a]
        SIZE[a] = dtypes.DTYPES[a].size
        for b in range(10):
            PROMOTED[a][b] = dtypes.PROMOTION[a][b].code
        if dtypes.DTYPES[a].short != "bf16":
            CODE_OF_TYPE[<int>descr(a).num] = a
    for a, kind in enumerate(("bool", "int", "float")):
        for b in range(10):
            WITH_NUMBER[a][b] = dtypes.SCALAR_PROMOTION[kind][b].code
    slots_of_op.tp_vectorcall_offset = <char*>&probe.vectorcall - <char*><void*>probe
    slots_of_op.tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR
    slots_of_op.tp_call = PyVectorcall_Call
    PyType_Modified(<TypeSlots*>Op)
    (<TypeSlots*>Tensor).tp_name = b"ms_ext.common.tensor.Tensor"  # where it is found, and pickled
    # A dictionary by its offset alone: with a real __dict__ the collector would visit every tensor.
    (<TypeSlots*>Tensor).tp_dictoffset = <char*>&some.extra - <char*><void*>some
    return 0


def attributes_of(Tensor t):
    """The attributes a learner set on one tensor; nothing is stored until the first one is set."""
    if t.extra == NULL:
        t.extra = own({})
    return <object>t.extra


prepare_module()
install(tensor_methods.INSTALLED)
install({"__dict__": property(attributes_of), "_attributes": attributes_of})
