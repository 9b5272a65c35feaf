# What the tape holds: memory that cannot go before the walk back.


def memory(held):
    """(where its memory begins, how many bytes it has); of a view, all that it keeps alive."""
    cdef object owner = held
    cdef Tensor t
    if isinstance(held, Tensor):
        t = <Tensor>held
        if t.owner == NULL:
            return <size_t>t.data, t.n * SIZE[t.code]
        owner = <object>t.owner
    if type(owner) is Storage:
        if (<Storage>owner).data != NULL:
            return <size_t>(<Storage>owner).data, (<Storage>owner).size
        owner = (<Storage>owner).base
    while isinstance(owner.base, cnp.ndarray):
        owner = owner.base
    return <size_t>cnp.PyArray_DATA(<cnp.ndarray>owner), owner.nbytes


def held_calls():
    """(position, name, tensors and arrays it holds) of every call on this thread's tape."""
    cdef State* state = current()
    cdef Py_ssize_t i
    found = []
    for i in range(state.length):
        if state.tape[i].kind == COMPACT or state.tape[i].kind == WIDE:
            found.append((i, *held_by(&state.tape[i])))
    return found


cdef tuple held_by(Entry* entry):
    cdef list tensors = []
    cdef Record record
    cdef PyObject** owned = [entry.a, entry.b, entry.out, entry.extra]
    if entry.kind == WIDE:
        record = <Record>entry.extra
        gather(record.saved if record.kept is None else record.kept, tensors)
        if type(record.pull) is Pull:
            gather((<Pull>record.pull).attributes, tensors)
        return record.name, tensors
    for i in range(4):
        if owned[i] != NULL:
            gather(<object>owned[i], tensors)
    return (<Op>entry.op).name, tensors


cdef int gather(object value, list tensors) except -1:
    """The tensors and arrays in a value of any form."""
    if isinstance(value, Tensor) or isinstance(value, cnp.ndarray):
        tensors.append(value)
    elif isinstance(value, tuple) or isinstance(value, list):
        for each in value:
            gather(each, tensors)
    elif isinstance(value, dict):
        gather(tuple((<dict>value).values()), tensors)
    return 0


# for who watches a walk ---------------------------------------------------------------------------


cdef dict gradients_at(Found* found, list places):
    """{slot: its gradient so far, or None} for those of this level."""
    cdef PyObject* gradient
    held = {}
    for slot in places:
        if found.start <= slot < found.end:
            gradient = found.gradient[slot - found.start]
            held[slot] = None if gradient == NULL else <object>gradient
    return held


cdef int watched_step(State* state, Py_ssize_t i, Found* found, watch) except -1:
    """`step_back`, told to the watcher."""
    cdef Entry* entry = &state.tape[i]
    cdef Record record
    if entry.kind == WIDE:
        record = <Record>entry.extra
        places = [*range(i, i + len(record.outputs)), *(record.slots or ())]
    else:
        places = [] if entry.kind == LATER else [i, entry.slot_a, entry.slot_b]
    step_back(state, i, found)
    watch(i, gradients_at(found, places))
    return 0
