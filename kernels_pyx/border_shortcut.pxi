# Straight from tensors to the kernel: what an eager call costs beside it.

cdef extern from "Python.h":
    tuple PyTuple_New(Py_ssize_t)
    void PyTuple_SET_ITEM(object, Py_ssize_t, object)
    void* PyTuple_GET_ITEM(object, Py_ssize_t)
    void Py_INCREF(object)

cdef struct Kind:
    unsigned char code, ndim
    Py_ssize_t n
    Py_ssize_t shape[8]


cdef class Known:
    """A call whose operands and results are known: they need no looking at, only comparing."""

    cdef Call call
    cdef int operands, results
    cdef bint several, large, release
    cdef Kind kinds[MOST]

    def __init__(self, Call call not None, list kinds, int operands, bint several):
        """``kinds``: (code of the dtype, shape) of the operands, then of the results."""
        cdef Py_ssize_t most = 0
        cdef int axis
        self.call, self.operands, self.several = call, operands, several
        self.results = len(kinds) - operands
        for i, (code, shape) in enumerate(kinds):
            self.kinds[i].code, self.kinds[i].ndim, self.kinds[i].n = code, len(shape), 1
            for axis in range(len(shape)):
                self.kinds[i].shape[axis] = shape[axis]
                self.kinds[i].n *= shape[axis]
            most = max(most, self.kinds[i].n)
        self.large = most >= LARGE
        self.release = self.large or call.took > LONG

    cdef bint fits(self, tuple inputs) noexcept:
        """Whether these are contiguous tensors, ready, of those shapes and dtypes."""
        cdef Tensor t
        cdef int i
        if len(inputs) != self.operands:
            return False
        for i in range(self.operands):
            if not isinstance(<object>PyTuple_GET_ITEM(inputs, i), Tensor):
                return False
            t = <Tensor>PyTuple_GET_ITEM(inputs, i)
            if (t.flags or t.code != self.kinds[i].code or t.ndim != self.kinds[i].ndim
                    or memcmp(t.shape_, self.kinds[i].shape, t.ndim * sizeof(Py_ssize_t))):
                return False
        return True

    cdef object go(self, tuple inputs):
        """The results, made and filled."""
        cdef void* params[3 * MOST]
        cdef Kind* kind
        cdef Tensor made
        cdef tuple results = PyTuple_New(self.results) if self.several else None
        cdef list held = hold(inputs) if self.release else None
        cdef int i
        for i in range(self.operands):
            params[i] = (<Tensor>PyTuple_GET_ITEM(inputs, i)).data
        for i in range(self.results):
            kind = &self.kinds[self.operands + i]
            made = unfilled(kind.code, kind.ndim, kind.shape, kind.n)
            params[self.operands + i] = made.data
            if self.several:
                Py_INCREF(made)  # PyTuple_SET_ITEM steals it
                PyTuple_SET_ITEM(results, i, made)
        self.enter(params)
        return results if self.several else made

    cdef int enter(self, void** params) except -1:
        """Call the kernel; its error is raised."""
        cdef Call c = self.call
        cdef int count = c.layout.count + c.spaces
        cdef void* block = NULL
        cdef Outcome outcome
        cdef double begin
        if c.spaces:
            block = c.scratch_block()
            c.place_workspaces(params + c.layout.count, block)
        if self.release:
            begin = 0 if self.large else seconds()
            with nogil:
                outcome = call(c.kernel, count, params, c.layout.ndims, c.layout.shapes,
                               c.layout.dtypes, c.extra.it)
            if not self.large and seconds() - begin < LONG:
                self.release = False  # the first run took longer only because it was the first
        else:
            outcome = call(c.kernel, count, params, c.layout.ndims, c.layout.shapes,
                           c.layout.dtypes, c.extra.it)
        free(block)
        if outcome.code or outcome.text != NULL:
            raise refused(c.extra.failed, outcome)
        return 0


cdef list hold(tuple inputs):
    """What keeps the operands' bytes where they are while other threads may run."""
    return [share(<Tensor>each) for each in inputs]


cdef class Shortcut:
    """Calls like earlier ones go straight to their kernel; ``otherwise()(inputs)`` answers the rest.

    The rest are calls of a new kind, and all while somebody records or interprets this thread's
    ops, or something of it is in flight.
    """

    cdef list known
    cdef object otherwise

    def __init__(self, otherwise):
        self.known, self.otherwise = [], otherwise

    def hurry(self, tuple inputs not None):
        """The results of an eager call, or NotImplemented."""
        if at_rest():
            for each in self.known:
                if (<Known>each).fits(inputs):
                    return (<Known>each).go(inputs)
        return self.otherwise()(inputs)

    def learn(self, Call call not None, list kinds, int operands, bint several):
        """From now on calls with such operands take the short way; the latest eight are kept."""
        for each in self.known:
            if (<Known>each).call is call:
                return
        if len(kinds) <= MOST and call.spaces <= MOST and all([len(s) <= 8 for _, s in kinds]):
            self.known = [Known(call, kinds, operands, several), *self.known[:7]]

    def forget(self):
        """No call takes the short way until the next one is learned."""
        self.known = []


def resting():
    """Whether nobody records or interprets this thread's ops, and nothing of it is in flight."""
    return at_rest()
