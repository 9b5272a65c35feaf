# Hooks on gradients, and blocks that are calculated again on the way back.


def hook(t, change):
    """``change(gradient)`` of what arrives at the place where t stands now; whether there is one.

    A leaf's hooks are not the tape's: what differentiates applies them.
    """
    cdef State* state = current()
    slot = slot_of(t)
    if slot < 0 or state.tape[<Py_ssize_t>slot].kind == LEAF:
        return False
    if state.hooks == NULL:
        state.hooks = own({})
    (<dict>state.hooks)[slot] = change
    return True


def origin(t):
    """The tensor that a leaf is an alias of; None for any other."""
    cdef State* state = current()
    slot = slot_of(t)
    if slot < 0 or state.tape[<Py_ssize_t>slot].kind != LEAF:
        return None
    return None if state.tape[<Py_ssize_t>slot].a == NULL else <object>state.tape[<Py_ssize_t>slot].a


cdef object hooked(State* state, Py_ssize_t slot, object dout):
    """A gradient as the hooks of its slot leave it."""
    change = (<dict>state.hooks).get(slot)
    return dout if change is None or dout is None else change(dout)


cdef void forget_hooks(State* state, Py_ssize_t start) noexcept:
    """The slots from `start` on are free for others."""
    kept = {slot: change for slot, change in (<dict>state.hooks).items() if slot < start}
    Py_CLEAR(state.hooks)
    if kept:
        state.hooks = own(kept)


# a block ------------------------------------------------------------------------------------------


def set_recording(on):
    """Record on this thread, or not; how it was before."""
    return set_mode(current(), RECORDING, on)


def record_block(name, tuple inputs, tuple outputs, bprop):
    """Enter a block of which nothing is kept: ``bprop(*douts)`` gives {slot: gradient}.

    The slots are those of whatever the block reads; ``inputs`` must not be written to until then.
    """
    cdef State* state = current()
    cdef Record record
    if not state.mode & RECORDING:
        return outputs
    results = []
    for t in outputs:
        known = slot_of(t) >= 0 or (<Tensor?>t).mark == WATCHED or any([t is i for i in inputs])
        results.append(alias(t) if known else t)
    for t in inputs:
        check_current(state, name, <Tensor?>t, slot_in(state, <Tensor>t))
    record = Record()
    record.name, record.pull = name, Spread(bprop)
    push_results(state, record, tuple(results), inputs)
    return tuple(results)


cdef int block_step(
        State* state, Record record, tuple douts, Py_ssize_t i, Found* found) except -1:
    """The gradients that a block gives, to whatever it reads."""
    for slot, gradient in record.pull(douts).items():
        if slot >= i:
            raise overwritten(record.name, "that was written in place after it was used")
        add_to(found, slot, gradient)
    return 0


def again():
    """Record what is calculated once more, at the end of the tape on which a walk is under way."""
    cdef State* state = current()
    cdef Level level = Level()
    level.outer, level.depth = state.mode & RECORDING != 0, state.depth
    level.start = level.leaves_end = state.length
    set_mode(state, RECORDING, True)
    return level


def backward_to(Level level, outputs, douts):
    """Walk back to where ``again`` began: {slot: gradient} of what stands before it."""
    cdef State* state = current()
    cdef Py_ssize_t i
    cdef Found found
    back_to(state, level)
    begin_walk(&found, level, state)
    found.before = own({})
    try:
        for t, dout in zip(outputs, douts):
            add_to(&found, slot_in(state, t), dout)
        for i in range(found.end - 1, level.start - 1, -1):
            step_back(state, i, &found)
        return <object>found.before
    finally:
        end_walk(&found)


def end_again(Level level):
    """End ``again``; who differentiates around it keeps what was recorded."""
    cdef State* state = current()
    back_to(state, level)
    if not level.outer:
        forget(state, level.start)


cdef int add_before(Found* found, unsigned int slot, object dout) except -1:
    """Add to the gradient of a slot before the level, if that is wanted."""
    if found.before == NULL:
        return 0
    before = (<dict>found.before).get(slot)
    (<dict>found.before)[slot] = dout if before is None else call_slot(ADD, before, dout)
    return 0
