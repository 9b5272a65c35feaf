# Walking back over the tape: one gradient per slot, each rule called once.


def open_tape():
    """Begin a ``grad``; leaves follow, then ``start_recording``."""
    global last_generation
    cdef State* state = current()
    cdef Level level = Level()
    level.outer = state.mode & RECORDING != 0
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
    set_mode(current(), RECORDING, True)


def stop_recording(Level level):
    """Back to what it was before ``level``."""
    set_mode(current(), RECORDING, level.outer)


def close_tape(Level level):
    """End a ``grad``. The outermost frees the tape."""
    cdef State* state = current()
    for t, slot in level.watched:
        (<dict>state.watched)[<size_t><void*>t] = slot
    set_mode(state, RECORDING, level.outer)
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


def record_call(name, tuple inputs, tuple outputs, bprop):
    """Enter what is no op: ``bprop(*douts)`` gives a gradient per input. Returns the outputs."""
    cdef State* state = current()
    cdef Record record
    if not state.mode & RECORDING or all([slot_of(t) < 0 for t in inputs]):
        return outputs
    results = []
    for t in outputs:
        known = slot_of(t) >= 0 or (<Tensor?>t).mark == WATCHED or any([t is i for i in inputs])
        results.append(alias(t) if known else t)
    record = Record()
    record.name, record.pull = name, Spread(bprop)
    enter(state, record, inputs, tuple(results), [])
    return tuple(results)


cdef class Spread:
    """A bprop that takes its douts one by one."""

    cdef object bprop

    def __init__(self, bprop):
        self.bprop = bprop

    def __call__(self, tuple douts):
        return self.bprop(*douts)


cdef int record_write(Tensor t, object value, object index) except -1:
    """Enter ``t[index] = value`` before it happens: the same tensor gets a new slot."""
    cdef State* state = current()
    cdef Record record
    if not state.mode & RECORDING or slot_of(t) < 0 and slot_of(value) < 0:
        return 0
    op = slot_op("setitem")
    held = [held_of(v, i, op.keep, op.forms) for i, v in enumerate((t, value))]
    record = Record()
    record.name = op.name
    record.pull = Pull(op, tuple(held), None, {"index": index}, False)
    enter(state, record, (t, value), (t,), held)
    share(t).written = state.generation
    return 1


cdef struct Found:
    PyObject** gradient         # of each slot of the level: what was found so far, or NULL
    Py_ssize_t start, end       # the level's first slot, and the tape's length when the walk began


def backward(Level level, outputs, douts):
    """Walk back from the outputs to the leaves of ``level``: {slot: gradient}."""
    cdef State* state = current()
    cdef Py_ssize_t i
    cdef Found found
    found.start, found.end = level.start, state.length
    found.gradient = <PyObject**>PyMem_Calloc(found.end - found.start + 1, sizeof(PyObject*))
    if found.gradient == NULL:
        PyErr_NoMemory()
    try:
        for t, dout in zip(outputs, douts):
            add_to(&found, slot_in(state, t), dout)
        for i in range(found.end - 1, level.leaves_end - 1, -1):
            step_back(state, i, &found)
        return leaves_of(level, &found)
    finally:
        for i in range(found.end - found.start):
            Py_XDECREF(found.gradient[i])
        PyMem_Free(found.gradient)


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
    if slot == NOWHERE or slot < found.start or slot >= found.end or dout is None:
        return 0
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
    """One entry: from the gradient of its results to those of its operands."""
    cdef Entry entry = state.tape[i]  # a copy: the tape may move while the rule records
    cdef PyObject* da = NULL
    cdef PyObject* db = NULL
    if entry.kind == WIDE:
        return wide_step(<Record>entry.extra, &found.gradient[i - found.start], found)
    if entry.kind == LATER:
        return 0
    dout = take(&found.gradient[i - found.start])
    if dout is None:
        return 0
    if entry.kind == LEAF:
        return add_to(found, entry.slot_a, dout)
    try:
        pull_compact(&entry, <Tensor?>dout, &da, &db)
        if da != NULL:
            add_to(found, entry.slot_a, <object>da)
        if db != NULL:
            add_to(found, entry.slot_b, <object>db)
    finally:
        Py_XDECREF(da)
        Py_XDECREF(db)
    return 0


cdef int wide_step(Record record, PyObject** places, Found* found) except -1:
    cdef Py_ssize_t k, count = len(record.outputs)
    cdef list douts = [take(&places[k]) for k in range(count)]
    if all([d is None for d in douts]):
        return 0
    for t, version in record.saved:
        if version_of(<Tensor>t) != version:
            raise overwritten(record.name, "that was written in place after it was used")
    for k in range(count):
        if douts[k] is None:
            shape, dtype = record.outputs[k]
            douts[k] = wrap(np.zeros(shape, dtype.numpy))
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
