# What one thread is doing, and the tables that the engine fills.

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #define MSX_THREAD __declspec(thread)
    #else
    #define MSX_THREAD __thread
    #endif
    static MSX_THREAD void* msx_state = 0;
    #define MSX_NOWHERE 0xFFFFFFFFu
    """
    void* msx_state
    const unsigned int NOWHERE "MSX_NOWHERE"    # the slot of what is not on the tape

cdef extern from "Python.h":
    PyObject* PyThreadState_GetDict()
    int PyObject_GenericSetAttr(object, object, object) except -1
    int PySlice_Unpack(object, Py_ssize_t*, Py_ssize_t*, Py_ssize_t*) except -1
    Py_ssize_t PySlice_AdjustIndices(Py_ssize_t, Py_ssize_t*, Py_ssize_t*, Py_ssize_t)
    long long PyLong_AsLongLongAndOverflow(object, int*) except? -1

cdef extern from "numpy/arrayobject.h":
    object NewArray "PyArray_NewFromDescr"(
        PyTypeObject*, cnp.PyArray_Descr* descr, int ndim, const Py_ssize_t* shape,
        const Py_ssize_t* strides, void* data, int flags, PyObject*)
    int PyContext_Enter(PyObject*) except -1
    int PyContext_Exit(PyObject*) except -1
    int PyErr_CheckSignals() except -1

cdef enum:
    INTERPRETING = 1            # bits of State.mode: 0 is the fast path
    ASYNCHRONOUS = 2
    RECORDING = 4
    STRIDED = 1                 # bits of Tensor.flags: 0 is contiguous and ready
    PENDING = 2                 # elements are still to come
    UNKNOWN = 4                 # dtype and shape as well
    DRAWN = 8                   # with PENDING: an initializer's elements, that nobody has read yet
    MAX_NDIM = 8
    RELEASE = 8192              # from this many elements on a loop runs without the GIL
    WATCHED = -2                # mark of a tensor whose slot is kept per thread: a Parameter
    KINDS_OF_CALLS = 4          # of one compiled function, that go straight to their kernels

cdef struct State:
    int mode
    int depth                   # how many `grad`s are recording, one inside the other
    long long generation        # of the open tape; -1: none
    Entry* tape
    Py_ssize_t length, capacity
    PyObject* interpreters      # list
    PyObject* watched           # dict: id of a watched tensor -> slot
    PyObject* hooks             # dict: slot -> what changes the gradient that arrives; or NULL
    PyObject* quiet             # contexts in which NumPy warns of nothing, ready for use

cdef long long last_generation = 0

cdef PyObject* DTYPE[10]        # DType objects, immortal
cdef PyObject* DESCR[10]        # NumPy's dtypes; bfloat16's is fetched at first use
cdef int SIZE[10]
cdef signed char PROMOTED[10][10]
cdef signed char WITH_NUMBER[3][10]
cdef loop_t CASTS[10][10]
cdef int[3] NUMBER_CODE = [0, 4, 8]  # what Tensor(True), Tensor(1), Tensor(1.0) are
cdef dict code_of_numpy = {}
cdef signed char CODE_OF_TYPE[24]  # by NumPy's number of a dtype; -1: look closer
cdef dict kernels = {}          # name -> address of its Kernel
cdef dict bprops = {}           # name -> address of a compiled bprop
cdef dict filled = {}           # "+" -> Op; exported as `slots`
slots = filled

cdef long long nothing_launched = 0
cdef long long* launched = &nothing_launched  # the last call that LaunchTask has finished

prepare_call = rebuild_op = fit_gradients = None
fallback_listener = waiter = dispatcher = None
cdef Py_ssize_t HEAVY = 1 << 19  # elements of operands from which handing a call over may gain


cdef inline PyObject* own(object value) noexcept:
    """A new reference, to be kept in a C struct."""
    Py_INCREF(value)
    return <PyObject*>value


cdef class _ThreadEnd:
    """Lives in the thread's dictionary; when the thread ends, its state is freed."""

    cdef State* state

    def __dealloc__(self):
        global msx_state
        if msx_state == self.state:
            msx_state = NULL
        if self.state != NULL:
            Py_XDECREF(self.state.interpreters)
            Py_XDECREF(self.state.watched)
            Py_XDECREF(self.state.hooks)
            Py_XDECREF(self.state.quiet)
            PyMem_Free(self.state.tape)
            PyMem_Free(self.state)


cdef State* new_state() except NULL:
    global msx_state
    cdef State* state = <State*>PyMem_Calloc(1, sizeof(State))
    cdef _ThreadEnd end = _ThreadEnd()
    if state == NULL:
        PyErr_NoMemory()
    end.state = state
    state.generation = -1
    state.interpreters, state.watched, state.quiet = own([]), own({}), own([])
    (<dict>PyThreadState_GetDict())["ms_ext.tensor"] = end
    msx_state = state
    return state


cdef inline State* current() except NULL:
    if msx_state != NULL:
        return <State*>msx_state
    return new_state()


cdef object quietly(object f, tuple args, dict kwargs):
    """f(*args, **kwargs) with NumPy's floating point warnings off, for this call only."""
    cdef State* state = current()
    cdef list ready = <list>state.quiet
    cdef object context
    if ready:
        context = ready.pop()
    else:
        context = contextvars.Context()
        context.run(np.seterr, all="ignore")
    PyContext_Enter(<PyObject*>context)
    try:
        return f(*args) if kwargs is None else f(*args, **kwargs)
    finally:
        PyContext_Exit(<PyObject*>context)
        ready.append(context)


cdef int set_mode(State* state, int bit, bint on) except -1:
    cdef int was = state.mode & bit
    state.mode = (state.mode | bit) if on else (state.mode & ~bit)
    return was != 0


cdef int code_of(object dtype) except -1:
    """The code of a NumPy dtype."""
    found = code_of_numpy.get(dtype)
    if found is None:
        found = dtypes.from_numpy(dtype).code
        if dtype.isnative:
            code_of_numpy[dtype] = found
    return found


cdef inline int code_of_array(cnp.ndarray array) except -1:
    """The code of an array's dtype, which is in this machine's byte order."""
    cdef int number = cnp.PyArray_TYPE(array)
    if 0 <= number < 24 and CODE_OF_TYPE[number] >= 0:
        return CODE_OF_TYPE[number]
    return code_of(array.dtype)


cdef object descr(int code):
    if DESCR[code] == NULL:
        DESCR[code] = own((<object>DTYPE[code]).numpy)
        code_of_numpy[<object>DESCR[code]] = code
    return <object>DESCR[code]
