# Walking back over the tape: one gradient per slot, each rule called once.


def open_tape():
    """Begin a ``grad``; leaves follow, then ``start_recording``."""
    global last_generation
    cdef State* state = current()
    cdef Level level = Level()
    level.outer, level.depth = state.mode & RECORDING != 0, state.depth
    level.generation, level.around, level.watched = state.generation, <object>state.watched, []
    level.start = level.leaves_end = state.length
    if not level.outer:
        last_generation += 1
        state.generation = last_generation
        state.watched = own({})  # `around` keeps the reference of the old one
    return level


def leaf(Level level, Tensor t):
    """A fresh alias of ``t`` that the walk stops at; an outer ``grad`` sees through it."""
    cdef State* state = current()
    cdef Tensor same = alias(t)
    cdef unsigned int slot = slot_in(state, t)
    push_leaf(state, level, slot)
    state.tape[state.length - 1].a = own(t)  # whose hooks are the alias's too
    put_on_tape(state, same, state.length - 1)
    return same


def watch(Level level, Tensor t):
    """Make ``t`` itself a leaf, in this thread only: its slot is kept beside it, by identity."""
    cdef State* state = current()
    cdef unsigned int slot = slot_in(state, t)
    level.watched.append((t, slot))
    push_leaf(state, level, slot)
    (<dict>state.watched)[<size_t><void*>t] = state.length - 1
    t.mark = WATCHED
    return state.length - 1


cdef int push_leaf(State* state, Level level, unsigned int slot) except -1:
    cdef Entry* entry = push(state)
    entry.kind, entry.slot_a = LEAF, slot
    level.leaves_end = state.length
    return 0


def start_recording():
    """From now on ops on tensors of the tape are recorded."""
    cdef State* state = current()
    set_mode(state, RECORDING, True)
    state.depth += 1


def stop_recording(Level level):
    """Back to what it was before ``level``."""
    back_to(current(), level)


cdef int back_to(State* state, Level level) except -1:
    state.depth = level.depth
    return set_mode(state, RECORDING, level.outer)


def recording():
    """Whether what this thread calls is recorded."""
    return current().mode & RECORDING != 0


def depth():
    """How many ``grad``s are recording on this thread now, one inside the other."""
    return current().depth


def close_tape(Level level):
    """End a ``grad``. The outermost frees the tape."""
    cdef State* state = current()
    for t, slot in level.watched:
        (<dict>state.watched)[<size_t><void*>t] = slot
    back_to(state, level)
    if not level.outer:
        forget(state, level.start)
        Py_XDECREF(state.watched)
        state.watched = <PyObject*>level.around
        state.generation = level.generation


def slot_of(t):
    """Where a tensor stands on this thread's tape; -1: nowhere."""
    cdef unsigned int slot = NOWHERE
    if isinstance(t, Tensor):
        slot = slot_in(current(), <Tensor>t)
    return -1 if slot == NOWHERE else slot


cdef struct Found:
    PyObject** gradient         # of each slot of the level: what was found so far, or NULL
    PyObject* before            # dict: gradients of slots before the level, or NULL: not wanted
    Py_ssize_t start, end       # the level's first slot, and the tape's length when the walk began
    bint releases               # nobody walks over these entries again: each goes once it is used
    Entry entry                 # the one that is used now; its own if it is to go


def backward(Level level, outputs, douts, watch=None, keep=False):
    """Walk back from the outputs to the leaves of ``level``: {slot: gradient}.

    While nobody records, nobody will walk over these calls again, and each goes once it is used,
    unless they are to be kept for another walk. ``watch(position, gradients)`` hears of every
    step: what the slots that it touched hold now, None where that was used.
    """
    cdef State* state = current()
    cdef Py_ssize_t i
    cdef Found found
    begin_walk(&found, level, state)
    found.releases = found.releases and not keep
    try:
        begin(state, &found, outputs, douts, watch)
        for i in range(found.end - 1, level.leaves_end - 1, -1):
            if watch is None:
                step_back(state, i, &found)
            else:
                watched_step(state, i, &found, watch)
            if i & 4095 == 0:
                PyErr_CheckSignals()
        if found.releases and state.length == found.end:
            state.length = level.leaves_end
        return leaves_of(level, &found)
    finally:
        end_walk(&found)


cdef int begin_walk(Found* found, Level level, State* state) except -1:
    found.start, found.end, found.before = level.start, state.length, NULL
    found.releases = not state.mode & RECORDING
    memset(&found.entry, 0, sizeof(Entry))
    found.gradient = <PyObject**>PyMem_Calloc(found.end - found.start + 1, sizeof(PyObject*))
    if found.gradient == NULL:
        PyErr_NoMemory()
    return 0


cdef void end_walk(Found* found) noexcept:
    cdef Py_ssize_t i
    if found.releases:
        release(&found.entry)  # of a rule that failed
    for i in range(found.end - found.start):
        Py_XDECREF(found.gradient[i])
    Py_XDECREF(found.before)
    PyMem_Free(found.gradient)


cdef int begin(State* state, Found* found, outputs, douts, watch) except -1:
    """The gradients of the outputs; nobody else holds on to them."""
    given = iter(douts)
    for t in outputs:
        add_to(found, slot_in(state, t), next(given))
    next(given, None)  # at its end an iterator lets go of its list
    if watch is not None:
        watch(found.end, gradients_at(found, [slot_in(state, t) for t in outputs]))
    return 0


cdef dict leaves_of(Level level, Found* found):
    cdef Py_ssize_t i
    leaves = {}
    for i in range(level.start, level.leaves_end):
        if found.gradient[i - level.start] != NULL:
            leaves[i] = <object>found.gradient[i - level.start]
    return leaves


cdef inline int add_to(Found* found, unsigned int slot, object dout) except -1:
    """Add one contribution to the gradient of a slot of this level."""
    cdef PyObject** place
    cdef object total
    if slot == NOWHERE or slot >= found.end or dout is None:
        return 0
    if slot < found.start:
        return add_before(found, slot, dout)
    place = &found.gradient[slot - found.start]
    if place[0] == NULL:
        place[0] = own(dout)
        return 0
    total = call_slot(ADD, <object>place[0], dout)
    Py_DECREF(<object>place[0])
    place[0] = own(total)
    return 0


cdef object take(PyObject** place):
    """What was found for a slot, which is then empty; None if nothing was."""
    if place[0] == NULL:
        return None
    dout = <object>place[0]
    Py_CLEAR(place[0])
    return dout


cdef int step_back(State* state, Py_ssize_t i, Found* found) except -1:
    """One entry: hand its gradients on; then it may go."""
    found.entry = state.tape[i]  # a copy: the tape may move while the rule records
    if not found.releases:
        return hand_on(state, &found.entry, i, found)
    vacate(&state.tape[i])
    hand_on(state, &found.entry, i, found)
    release(&found.entry)
    return 0


cdef int hand_on(State* state, Entry* entry, Py_ssize_t i, Found* found) except -1:
    """From the gradient of an entry's results to those of its operands."""
    cdef PyObject* da = NULL
    cdef PyObject* db = NULL
    if entry.kind == WIDE:
        return wide_step(state, <Record>entry.extra, i, found)
    if entry.kind == LATER:
        return 0
    dout = take(&found.gradient[i - found.start])
    if dout is None:
        return 0
    if entry.kind == LEAF:
        return add_to(found, entry.slot_a, dout)
    if state.hooks != NULL:
        dout = hooked(state, i, dout)
    try:
        pull_compact(entry, <Tensor?>dout, &da, &db)
        if da != NULL:
            add_to(found, entry.slot_a, <object>da)
        if db != NULL:
            add_to(found, entry.slot_b, <object>db)
    finally:
        Py_XDECREF(da)
        Py_XDECREF(db)
    return 0


cdef int wide_step(State* state, Record record, Py_ssize_t i, Found* found) except -1:
    cdef Py_ssize_t k, count = len(record.outputs)
    cdef list douts = [take(&found.gradient[i - found.start + k]) for k in range(count)]
    if all([d is None for d in douts]):
        return 0
    if state.hooks != NULL:
        douts = [hooked(state, i + k, douts[k]) for k in range(count)]
    for t, version in record.saved:
        if version_of(<Tensor>t) != version:
            raise overwritten(record.name, "that was written in place after it was used")
    for k in range(count):
        if douts[k] is None:
            shape, dtype = record.outputs[k]
            douts[k] = wrap(np.zeros(shape, dtype.numpy))
    if record.slots is None:
        return block_step(state, record, tuple(douts), i, found)
    slots_of = [-1 if s == NOWHERE else s for s in record.slots]
    gradients = fit_gradients(record.name, record.pull(tuple(douts)), record.specs, slots_of)
    for k in range(len(record.slots)):
        add_to(found, record.slots[k], gradients[k])
    return 0


cdef int check_saved(Entry* entry, Op op) except -1:
    """Refuse to use a value that was written in place since it was saved."""
    if op.keep_a and isinstance(<object>entry.a, Tensor):
        if version_of(<Tensor>entry.a) != entry.version_a:
            raise overwritten(op.name, "that was written in place after it was used")
    if op.keep_b and isinstance(<object>entry.b, Tensor):
        if version_of(<Tensor>entry.b) != entry.version_b:
            raise overwritten(op.name, "that was written in place after it was used")
    if op.keep_out and version_of(<Tensor>entry.out) != entry.version_out:
        raise overwritten(op.name, "that was written in place after it was used")
    return 0


cdef int pull_compact(Entry* entry, Tensor dout, PyObject** da, PyObject** db) except -1:
    """The gradients of an op of one or two operands, of their shapes and dtypes: new references."""
    cdef Op op = <Op>entry.op
    check_saved(entry, op)
    if op.bprop_kernel != NULL and not entry.extra:
        op.bprop_kernel(entry, dout, da, db)
        if fits(entry.a, entry.slot_a, da[0], dout) and fits(entry.b, entry.slot_b, db[0], dout):
            return 0
        first = None if da[0] == NULL else <object>da[0]
        second = None if db[0] == NULL else <object>db[0]
        result = (first,) if op.arity_ == 1 else (first, second)
        Py_CLEAR(da[0])
        Py_CLEAR(db[0])
    else:
        result = call_bprop(entry, op, dout)
    return settle(entry, op, dout, result, da, db)


cdef object call_bprop(Entry* entry, Op op, Tensor dout):
    """The op's Python bprop; what it does not read arrives as None."""
    cdef object a = <object>entry.a if op.keep_a or op.form_a else None
    cdef object out = <object>entry.out if op.keep_out else None
    cdef dict named = {}
    if entry.extra != NULL:
        for key in op.bprop_attributes:
            named[key] = (<dict>entry.extra)[key]
    elif op.bprop_attributes:
        named = {key: op.defaults[key] for key in op.bprop_attributes}
    if op.arity_ == 1:
        return op.bprop(a, out, dout, **named) if named else op.bprop(a, out, dout)
    b = <object>entry.b if op.keep_b or op.form_b else None
    return op.bprop(a, b, out, dout, **named) if named else op.bprop(a, b, out, dout)


cdef int settle(
        Entry* entry, Op op, Tensor dout, object result, PyObject** da, PyObject** db) except -1:
    """Hand out the gradients, fitted to the operands where they do not fit already."""
    cdef tuple gradients = <tuple>result if type(result) is tuple else (result,)
    cdef bint good = len(gradients) == op.arity_
    if good:
        good = fits(entry.a, entry.slot_a, <PyObject*>gradients[0], dout)
        if op.arity_ == 2:
            good = good and fits(entry.b, entry.slot_b, <PyObject*>gradients[1], dout)
    if not good:
        specs = [operand_spec(entry.a, dout), operand_spec(entry.b, dout)]
        slots_of = [-1 if s == NOWHERE else s for s in (entry.slot_a, entry.slot_b)]
        gradients = tuple(fit_gradients(op.name, result, specs[: op.arity_], slots_of[: op.arity_]))
    da[0] = own(gradients[0])
    if op.arity_ == 2:
        db[0] = own(gradients[1])
    return 0


cdef object operand_spec(PyObject* held, Tensor dout):
    """(shape, dtype) of an operand; None for a number."""
    value = dout if held == NULL else <object>held
    return (value.shape, value.dtype) if isinstance(value, (Tensor, Form)) else None


cdef inline bint fits(PyObject* held, unsigned int slot, PyObject* gradient, Tensor dout) noexcept:
    """Whether a gradient already has its operand's shape and dtype (or nobody asks for it)."""
    cdef Tensor t
    cdef Form form
    if slot == NOWHERE or gradient == NULL or gradient == <PyObject*>None:
        return True
    if type(<object>gradient) is not Tensor:
        return False
    t = <Tensor>gradient
    if held == NULL:
        return same_spec(t, dout)
    if type(<object>held) is Form:
        form = <Form>held
        return (not t.flags & UNKNOWN and t.code == form.code and t.ndim == form.ndim
                and memcmp(t.shape_, form.shape_, t.ndim * sizeof(Py_ssize_t)) == 0)
    return isinstance(<object>held, Tensor) and same_spec(t, <Tensor>held)
