# Recording calls. One linear tape per thread; tape_reference.py is the readable form.

cdef enum:
    COMPACT                     # an op of one or two operands: all is in the Entry
    LEAF                        # an alias: the walk of its own level stops here
    LATER                       # further results of the entry before
    WIDE                        # any other call: `extra` is its Record
    KEPT_ENTRIES = 1 << 17      # room for so many stays when a tape ends


@cython.final
cdef class Form:
    """Shape and dtype of a tensor, for a bprop that needs no more (a parameter ``x_``)."""

    @property
    def shape(self):
        """The sizes of its axes."""
        return tuple([self.shape_[i] for i in range(self.ndim)])

    @property
    def dtype(self):
        """The type of its elements."""
        return <object>DTYPE[self.code]

    @property
    def ndim(self):
        """How many axes."""
        return self.ndim

    @property
    def size(self):
        """How many elements."""
        n = 1
        for i in range(self.ndim):
            n *= self.shape_[i]
        return n


cdef Form form_of(Tensor t):
    cdef Form form = Form.__new__(Form)
    ensure(t, UNKNOWN)
    form.code, form.ndim = t.code, t.ndim
    memcpy(form.shape_, t.shape_, t.ndim * sizeof(Py_ssize_t))
    return form


cdef class Record:
    """A call of any form: `pull(douts)` gives its gradients."""

    cdef object name, pull, kept
    cdef tuple slots, specs, outputs, saved


@cython.final
cdef class Level:
    """One running `grad`: where its entries begin, and what to restore at its end."""

    cdef bint outer
    cdef int depth
    cdef long long generation
    cdef Py_ssize_t start, leaves_end
    cdef object around
    cdef list watched


cdef int grow(State* state) except -1:
    cdef Py_ssize_t capacity = max(256, state.capacity * 2)
    cdef void* grown = PyMem_Realloc(state.tape, capacity * sizeof(Entry))
    if grown == NULL:
        PyErr_NoMemory()
    state.tape, state.capacity = <Entry*>grown, capacity
    return 0


cdef inline Entry* push(State* state) except NULL:
    """The next entry, zeroed: a COMPACT one that nothing came from."""
    cdef Entry* entry
    if state.length == state.capacity:
        grow(state)
    entry = &state.tape[state.length]
    memset(entry, 0, sizeof(Entry))
    entry.slot_a = entry.slot_b = NOWHERE
    state.length += 1
    return entry


cdef inline void release(Entry* entry) noexcept:
    """Let go of what an entry owns; it is no longer on the tape, since this may run anything."""
    Py_CLEAR(entry.a)
    Py_CLEAR(entry.b)
    Py_CLEAR(entry.out)
    Py_CLEAR(entry.extra)


cdef inline void vacate(Entry* entry) noexcept:
    """Leave nothing at a place of the tape; no other tensor gets its number until the end."""
    entry.a = entry.b = entry.out = entry.extra = NULL
    entry.kind = LATER


cdef void forget(State* state, Py_ssize_t start) noexcept:
    """Free the entries from `start` on, the latest first; a long tape is no longer kept."""
    cdef Entry entry
    while state.length > start:
        state.length -= 1
        entry = state.tape[state.length]
        release(&entry)
    if state.hooks != NULL:
        forget_hooks(state, start)
    if state.length == 0 and state.capacity > KEPT_ENTRIES:
        PyMem_Free(state.tape)
        state.tape, state.capacity = NULL, 0


cdef inline unsigned int slot_in(State* state, Tensor t) except? 0xFFFFFFFE:
    """Where t stands on this thread's tape."""
    if t.mark == state.generation:
        return <unsigned int>t.slot
    if t.mark == WATCHED:
        slot = (<dict>state.watched).get(<size_t><void*>t)
        if slot is not None:
            return slot
    return NOWHERE


cdef inline int put_on_tape(State* state, Tensor t, Py_ssize_t position) except -1:
    if t.mark == WATCHED:
        (<dict>state.watched)[<size_t><void*>t] = position
        return 0
    t.mark = state.generation
    t.slot = position
    return 0


cdef inline int check_current(State* state, object name, Tensor t, unsigned int slot) except -1:
    """Refuse a tensor whose memory was written through another one, unknown to its slot."""
    cdef Storage s
    if t.owner != NULL and type(<object>t.owner) is Storage:
        s = <Storage>t.owner
        if t.seen != s.version and (slot != NOWHERE or s.written == state.generation):
            raise overwritten(name, "whose memory was written through another tensor (a view)")
    return 0


cdef object overwritten(name, what):
    return errors.NotRunnable(
        f"The gradient of '{name}' needs a tensor {what}.",
        hint="Write by one index, `x[0, 1] = ...`, before x is used; or to a copy: `y = x + 0`.",
    )


cdef inline bint is_current(Tensor t) noexcept:
    """Whether nobody wrote to the tensor's bytes since its slot was made."""
    if t.owner == NULL or type(<object>t.owner) is not Storage:
        return True
    return t.seen == (<Storage>t.owner).version


cdef inline int record_same(State* state, Op op, Tensor a, Tensor b, Tensor out) except -1:
    """Enter op(a, b) for operands of the result's shape: the usual case of record_compact."""
    cdef bint on_a = a.mark == state.generation, on_b = b.mark == state.generation
    cdef Entry* entry
    if (a.mark == WATCHED or b.mark == WATCHED or out.code != a.code or op.form_a or op.form_b
            or not is_current(a) or not is_current(b)):
        return record_compact(state, op, a, b, out, NULL)
    if not (on_a or on_b):
        return 0
    if state.length == state.capacity:
        grow(state)
    entry = &state.tape[state.length]
    entry.op, entry.extra, entry.kind = <PyObject*>op, NULL, COMPACT
    entry.slot_a = <unsigned int>a.slot if on_a else NOWHERE
    entry.slot_b = <unsigned int>b.slot if on_b else NOWHERE
    entry.a = own(a) if op.keep_a else NULL
    entry.b = own(b) if op.keep_b else NULL
    entry.out = own(out) if op.keep_out else NULL
    if op.keep_a or op.keep_b or op.keep_out:
        entry.version_a, entry.version_b = version_of(a), version_of(b)
        entry.version_out = out.version
    out.mark, out.slot = state.generation, state.length
    state.length += 1
    return 0


cdef int record_compact(
        State* state, Op op, object a, object b, Tensor out, PyObject* attributes) except -1:
    """Enter op(a) or op(a, b) with one result."""
    cdef unsigned int slot_a = NOWHERE, slot_b = NOWHERE
    cdef Entry* entry
    if isinstance(a, Tensor):
        slot_a = slot_in(state, <Tensor>a)
        check_current(state, op.name, <Tensor>a, slot_a)
    if isinstance(b, Tensor):
        slot_b = slot_in(state, <Tensor>b)
        check_current(state, op.name, <Tensor>b, slot_b)
    if slot_a == NOWHERE and slot_b == NOWHERE:
        return 0
    entry = push(state)
    entry.op, entry.slot_a, entry.slot_b = <PyObject*>op, slot_a, slot_b
    entry.a = kept(a, op.keep_a, op.form_a, slot_a, out, &entry.version_a)
    if b is not None:
        entry.b = kept(b, op.keep_b, op.form_b, slot_b, out, &entry.version_b)
    if op.keep_out:
        entry.out, entry.version_out = own(out), version_of(out)
    if op.passing:
        entry.extra = own({"": op} if attributes == NULL else {**<dict>attributes, "": op})
    elif attributes != NULL:
        entry.extra = own(<object>attributes)
    put_on_tape(state, out, state.length - 1)
    return 0


cdef inline PyObject* kept(
        object value, bint keep, bint form, unsigned int slot, Tensor out,
        unsigned int* version) except? NULL:
    """What the entry owns of an operand: itself, or its Form if that is not the result's."""
    if keep or form and not isinstance(value, Tensor):
        if isinstance(value, Tensor):
            version[0] = version_of(<Tensor>value)
        return own(value)
    if form or slot != NOWHERE and not same_spec(<Tensor>value, out):
        return own(form_of(<Tensor>value))
    return NULL


cdef inline bint same_spec(Tensor t, Tensor u) noexcept:
    return (not (t.flags | u.flags) & UNKNOWN and t.code == u.code and t.ndim == u.ndim
            and memcmp(t.shape_, u.shape_, t.ndim * sizeof(Py_ssize_t)) == 0)


cdef object spec_of(object value):
    return (value.shape, value.dtype) if isinstance(value, Tensor) else None


cdef int record_any(State* state, Op op, tuple values, object result, dict attributes) except -1:
    """Enter a call of any op."""
    cdef Py_ssize_t count = len(values)
    cdef Record record
    if 0 < count <= 2 and op.arity_ == count and type(result) is not tuple:
        second = values[1] if count == 2 else None
        return record_compact(state, op, values[0], second, <Tensor>result,
                              NULL if attributes is None else <PyObject*>attributes)
    keep = op.keep
    forms = op.forms
    held = [held_of(v, 0 if op.arity_ < 0 else i, keep, forms) for i, v in enumerate(values)]
    given = (tuple(held),) if op.arity_ < 0 else tuple(held)
    results = result if type(result) is tuple else (result,)
    named = {key: attributes[key] for key in op.bprop_attributes}
    record = Record()
    record.name = op.name
    record.pull = Pull(op, given, result if op.keep_out else None, named, type(result) is tuple)
    saved = held + list(results) if op.keep_out else held
    return enter(state, record, values, results, saved)


cdef object held_of(object value, Py_ssize_t position, keep, forms):
    """What a bprop gets of an operand: itself, its Form, or None."""
    if position in forms and isinstance(value, Tensor):
        return form_of(<Tensor>value)
    return value if position in keep or position in forms else None


cdef class Pull:
    """The bprop of one recorded call, waiting for its dout."""

    cdef object op, given, out, attributes, many

    def __init__(self, op, given, out, attributes, many):
        self.op, self.given, self.out, self.attributes, self.many = op, given, out, attributes, many

    def __call__(self, tuple douts):
        dout = douts if self.many else douts[0]
        return self.op.bprop(*self.given, self.out, dout, **self.attributes)


cdef int enter(State* state, Record record, tuple values, tuple results, list saved) except -1:
    """Put a Record on the tape, if an operand is there."""
    cdef unsigned int slot
    cdef bint any_there = False
    slots_of = []
    for value in values:
        slot = NOWHERE
        if isinstance(value, Tensor):
            slot = slot_in(state, <Tensor>value)
            check_current(state, record.name, <Tensor>value, slot)
        any_there = any_there or slot != NOWHERE
        slots_of.append(slot)
    if not any_there:
        return 0
    record.slots, record.specs = tuple(slots_of), tuple([spec_of(v) for v in values])
    push_results(state, record, results, saved)
    return 1


cdef int push_results(State* state, Record record, tuple results, saved) except -1:
    """Push an entry per result; what was saved must not be written to until it is read."""
    cdef Entry* entry
    cdef Py_ssize_t i
    record.outputs = tuple([spec_of(r) for r in results])
    record.saved = tuple([(t, version_of(<Tensor>t)) for t in saved if isinstance(t, Tensor)])
    for i in range(len(results)):
        entry = push(state)
        entry.kind = LATER if i else WIDE
        if i == 0:
            entry.extra = own(record)
        put_on_tape(state, <Tensor>results[i], state.length - 1)
    return 0
