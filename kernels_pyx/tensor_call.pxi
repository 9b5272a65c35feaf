# How a compiled function is called: straight to its kernel where a call is like an earlier one.

cdef extern from "Python.h":
    tuple PyTuple_New(Py_ssize_t)
    void PyTuple_SET_ITEM(object, Py_ssize_t, object)
    object PyObject_Call(object, tuple, PyObject*)

cdef bint calls_watched = False  # events are recorded: every call takes the long way


def watch_calls(on):
    """While ``on`` no call goes straight to its kernel."""
    global calls_watched
    calls_watched = on


def may_hurry():
    """Whether calls of this thread may go straight to a kernel: nobody records or interprets."""
    return not calls_watched and not current().mode & (INTERPRETING | RECORDING)


cdef class Ready:
    """A compiled signature and how it is run, for calls that look like ``arguments``.

    ``epoch``: a list with one object, which is another one when something was declared again.
    ``captured``: (names, name, value) of what must still be so. ``more``: tensors after the
    arguments. ``bare``: ``run`` keeps nothing that it is given. ``finish``: what makes the result
    of the list of tensors; None if there is one tensor, the result.
    """

    cdef tuple wanted, captured, more
    cdef list epoch
    cdef object since, run, finish
    cdef bint bare
    cdef Py_ssize_t tensors

    def __init__(self, tuple arguments, list epoch, tuple captured, run, bint bare, tuple more,
                 finish):
        self.wanted = tuple([_wanted(a) for a in arguments])
        self.tensors = len([a for a in arguments if isinstance(a, Tensor)])
        self.epoch, self.since, self.captured = epoch, epoch[0], captured
        self.run, self.bare, self.more, self.finish = run, bare, more, finish

    cdef bint fits(self, tuple arguments) except -1:
        """Whether nothing has changed and these arguments look like those."""
        cdef Py_ssize_t i, count = len(arguments)
        cdef Tensor t
        cdef Form form
        if count != len(self.wanted) or self.epoch[0] is not self.since:
            return False
        for i in range(count):
            value, wanted = arguments[i], self.wanted[i]
            if type(wanted) is not Form:
                if value is not wanted and not _same_value(value, wanted):
                    return False
                continue
            if not isinstance(value, Tensor):
                return False
            t, form = <Tensor>value, <Form>wanted
            if (t.flags & (PENDING | UNKNOWN) or t.code != form.code or t.ndim != form.ndim
                    or memcmp(t.shape_, form.shape_, t.ndim * sizeof(Py_ssize_t))):
                return False
        for names, name, value in self.captured:
            if (<dict>names).get(name) is not value:
                return False
        return True

    cdef object call(self, tuple arguments):
        cdef tuple arrays = PyTuple_New(self.tensors + len(self.more))
        cdef Py_ssize_t count = 0
        for value in arguments:
            if isinstance(value, Tensor):
                ensure(<Tensor>value, PENDING)  # a C++ operator may still be at its bytes
                hand_in(arrays, count, self.array(<Tensor>value))
                count += 1
        for tensor in self.more:
            ensure(<Tensor>tensor, PENDING)
            hand_in(arrays, count, array_on(<Tensor>tensor))
            count += 1
        cdef tuple results = PyObject_Call(self.run, arrays, NULL)
        if self.finish is None:
            return wrap(results[0])
        return self.finish([wrap(each) for each in results])

    cdef object array(self, Tensor t):
        """An array on t's elements; large ones are read without the GIL and need an owner."""
        return bare_array(t) if self.bare and t.n < RELEASE else array_on(t)


cdef void hand_in(tuple arrays, Py_ssize_t place, object array) noexcept:
    """Put an array into a tuple that is being made."""
    Py_INCREF(array)  # PyTuple_SET_ITEM steals it
    PyTuple_SET_ITEM(arrays, place, array)


cdef object _wanted(value):
    """What an argument must be like: a Form for a tensor, else the very object, or its equal."""
    return form_of(<Tensor>value) if isinstance(value, Tensor) else value


cdef bint _same_value(value, wanted) except -1:
    kind = type(wanted)
    if type(value) is not kind:
        return False
    if kind is float:
        return value == wanted and value != 0.0  # of which there are two
    return (kind is int or kind is str) and value == wanted


cdef class Caller:
    """Something that is called; ``answer(args, kwargs)`` is the long way.

    ``learn`` shows a shorter one for calls of one kind.
    """

    cdef list ready

    def __cinit__(self):
        self.ready = []

    def __call__(self, *args, **kwargs):
        return answered(self, args, kwargs)

    def learn(self, Ready ready):
        """From now on calls like this one go straight to its kernel; the latest four are kept."""
        self.ready = [ready, *[each for each in self.ready if (<Ready>each).since is ready.since]]
        del self.ready[KINDS_OF_CALLS:]


cdef object answered(Caller self, tuple args, dict kwargs):
    """The short way where there is one, else the long way; ``kwargs`` may be None."""
    if not kwargs and not calls_watched and not current().mode & (INTERPRETING | RECORDING):
        for ready in self.ready:
            if (<Ready>ready).fits(args):
                return (<Ready>ready).call(args)
    return self.answer(args, kwargs or {})


cdef PyObject* call_caller(PyObject* self, PyObject* args, PyObject* kwargs) except NULL:
    """The slot of the type: no dictionary is made where no keyword is given."""
    return own(answered(<Caller>self, <tuple>args, None if kwargs == NULL else <dict>kwargs))


(<TypeSlots*>Caller).tp_call = call_caller
