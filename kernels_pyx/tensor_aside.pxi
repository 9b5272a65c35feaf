# A call that was recorded waits for its walk back off the tape, so that others may record.


@cython.final
cdef class Aside:
    """The entries of a level that has ended, to be taken up again.

    ``moved``: they are held here; under another ``grad`` they stay on its tape.
    """

    cdef Level level
    cdef Entry* entries
    cdef Py_ssize_t start, count
    cdef long long generation
    cdef object watched, hooks
    cdef readonly bint moved

    def __dealloc__(self):
        cdef Py_ssize_t i
        if self.entries != NULL:
            for i in range(self.count):
                Py_XDECREF(self.entries[i].a)
                Py_XDECREF(self.entries[i].b)
                Py_XDECREF(self.entries[i].out)
                Py_XDECREF(self.entries[i].extra)
            PyMem_Free(self.entries)


def set_aside(Level level):
    """End a level, and keep what it recorded for ``take_up``."""
    cdef State* state = current()
    cdef Aside aside = Aside()
    aside.level, aside.generation, aside.moved = level, state.generation, not level.outer
    aside.start, aside.count = level.start, state.length - level.start
    if aside.moved:
        aside.entries = <Entry*>PyMem_Calloc(aside.count + 1, sizeof(Entry))
        if aside.entries == NULL:
            PyErr_NoMemory()
        memcpy(aside.entries, &state.tape[level.start], aside.count * sizeof(Entry))
        state.length = level.start
        aside.watched = dict(<dict>state.watched)
        if state.hooks != NULL:
            hooks = (<dict>state.hooks).items()
            aside.hooks = {slot: change for slot, change in hooks if slot >= level.start}
    close_tape(level)
    return aside


def take_up(Aside aside):
    """Whether what was set aside is on the tape again, where it was, to be walked back once.

    What was moved is to be closed then; it has to find its place free, and nobody recording.
    """
    cdef State* state = current()
    cdef Level level = aside.level
    if not aside.moved:
        return state.generation == aside.generation and state.length >= aside.start + aside.count
    if aside.entries == NULL or state.mode & RECORDING or state.length != aside.start:
        return False
    while state.length + aside.count > state.capacity:
        grow(state)
    memcpy(&state.tape[state.length], aside.entries, aside.count * sizeof(Entry))
    state.length += aside.count
    PyMem_Free(aside.entries)
    aside.entries = NULL
    level.depth, level.generation, level.around = state.depth, state.generation, <object>state.watched
    state.generation = aside.generation
    state.watched = own(aside.watched)  # `around` keeps the reference of the old one
    if aside.hooks:
        before = {} if state.hooks == NULL else <dict>state.hooks
        Py_XDECREF(state.hooks)
        state.hooks = own({**before, **aside.hooks})
    return True
