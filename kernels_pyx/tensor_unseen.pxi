# Calls that the tape cannot see into, and writes in place: entered as Records.


def record_call(name, tuple inputs, tuple outputs, bprop, saved=()):
    """Enter what is no op: ``bprop(*douts)`` gives a gradient per input. Returns the outputs.

    ``saved``: what ``bprop`` reads; its tensors as they are now.
    """
    cdef State* state = current()
    cdef Record record
    if not state.mode & RECORDING or all([slot_of(t) < 0 for t in inputs]):
        return outputs
    results = []
    for t in outputs:
        known = slot_of(t) >= 0 or (<Tensor?>t).mark == WATCHED or any([t is i for i in inputs])
        results.append(alias(t) if known else t)
    record = Record()
    record.name, record.pull, record.kept = name, Spread(bprop), saved
    enter(state, record, inputs, tuple(results), list(saved))
    return tuple(results)


def record_overwriting(name, tuple inputs, tuple outputs, bprop, saved):
    """`record_call` of what wrote into some of its inputs, which are outputs too: new slots.

    A leaf cannot be written to: its gradient would be that of another value.
    """
    cdef State* state = current()
    cdef Record record
    cdef Py_ssize_t slot
    own_outputs = [t for t in outputs if any([t is i for i in inputs])]
    for t in own_outputs:
        slot = slot_of(t)
        if slot >= 0 and state.tape[slot].kind == LEAF:
            raise errors.NotRunnable(
                "A leaf tensor that need grad is being used in an inplace operator.",
                given=f"'{name}' writes into a tensor whose gradient is being taken",
                hint="Write into a copy: `y = x + 0`.",
            )
        written(<Tensor>t)
    if not state.mode & RECORDING or all([slot_of(t) < 0 for t in inputs]):
        return outputs
    record = Record()
    record.name, record.pull, record.kept = name, Spread(bprop), saved
    enter(state, record, inputs, outputs, list(saved))
    for t in own_outputs:
        share(<Tensor>t).written = state.generation
    return outputs


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
