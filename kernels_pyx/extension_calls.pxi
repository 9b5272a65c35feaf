# What a call of a C++ operator does on its caller's thread: PyTask.

cdef extern from "Python.h":
    tuple PyTuple_New(Py_ssize_t)
    void PyTuple_SET_ITEM(object, Py_ssize_t, object)

cdef bint _at_once = False      # every stage on the caller's thread: policy "blocking", or at exit
cdef object _raise_failure = None


def configure(raise_failure):
    """``raise_failure(Failed)`` raises the error for what a C++ call threw."""
    global _raise_failure
    _raise_failure = raise_failure


def at_once(on):
    """Whether C++ calls run all their stages on the caller's thread."""
    global _at_once
    _at_once = on


cdef CCall* begun(const char* name, int outputs, Value** inputs, int count) except NULL:
    """A call with its promises, and the calls whose results it needs."""
    cdef CCall* call = new_call()
    cdef CCall* producer
    cdef Value* promise
    cdef int i
    call.name, call.outputs = name, outputs
    call.code = frame_code(&call.instruction)
    for i in range(outputs):
        promise = new_value()
        belongs_to(promise, call)
        call.promises.push_back(promise)
    for i in range(count):
        producer = call_of_value(inputs[i])
        if producer != NULL and not producer.ended.load():
            retain_call(producer)
            call.needs.push_back(producer)
    return call


cdef object call_in_stages(const char* name, Task task, Value** inputs, int count, int outputs):
    """PyTask of a call: promises are given back at once, FrontendTask is on its way."""
    cdef Lanes lanes = <Lanes>_lanes
    cdef CCall* call
    cdef Item item
    cdef long long begin
    cdef long long mine = 0
    cdef int i
    if _at_once or in_a_call() or in_a_lane():
        return call_at_once(lanes, name, task, outputs)
    begin = now() if lanes.it.watching.load() else 0
    if lanes.begin is not None:
        lanes.begin()
        lanes.begin = None
    empty_trash()
    call = begun(name, outputs, inputs, count)
    call.abandoned = &lanes.it.abandoned
    retain_call(call)           # ours, until the promises are made
    item.what, item.stage, item.name, item.task, item.call = TASK, 0, name, task, call
    try:
        if is_recording():
            results = run_frontend_here(lanes, call, task)
        else:
            results = promises(call, outputs)  # now: the lanes let go of them
            if not put_item(lanes.it, 0, item, &lanes.it.issued, &mine):
                lanes.it.throw_away(item)
        for i in range(count):
            mark_used(inputs[i], call.number)
        go_asynchronous()
        return results
    finally:
        if begin:
            lanes.it.note(OF_PYTASK, name, begin, now(), call.number, 0, 0)
            if call.code != NULL:
                lanes.places.append((call.number, <object>call.code, call.instruction))
        release_call(call)


cdef void mark_used(Value* value, long long number) noexcept:
    # A promise has no bytes that somebody else could write to; FrontendTask fills it in meanwhile.
    if value.target.load() == NULL and value.buffer != NULL and value.buffer.owner != NULL:
        (<Storage>value.buffer.owner).used = max((<Storage>value.buffer.owner).used, number)


cdef object promises(CCall* call, int outputs):
    cdef tuple results
    cdef int i
    if outputs == 0:
        return None
    if outputs == 1:
        return promise_at(call, 0)
    results = PyTuple_New(outputs)
    for i in range(outputs):
        each = promise_at(call, i)
        Py_INCREF(each)         # PyTuple_SET_ITEM steals it
        PyTuple_SET_ITEM(results, i, each)
    return results


cdef object promise_at(CCall* call, int i):
    """The tensor for a result: what a gradient recorded, or a pending one."""
    cdef Value* value = call.promises[i]
    cdef Value* target = value.target.load()
    if target != NULL and target.tensor != NULL:
        return tensor_of(target)
    retain(value)
    return promised(value)


cdef object run_frontend_here(Lanes lanes, CCall* call, Task task):
    """FrontendTask on the caller's thread, after all earlier ones: a gradient is being recorded."""
    cdef Failure failure
    cdef cbool fine
    cdef CLanes* all = lanes.it
    lanes.progress["FrontendTask"].wait(all.issued.load())
    call.number = next_number(all)
    retain_call(call)
    enter_call(call, False, NULL)
    with nogil:
        fine = all.run(0, call.name, task, &failure)
    take_current()
    try:
        if not fine:
            raise_failure(&failure, call)
        return promises(call, call.outputs)
    finally:
        with nogil:
            all.finish_here(call)
        release_call(call)


cdef object call_at_once(Lanes lanes, const char* name, Task task, int outputs):
    """All stages on this thread, each inside the last."""
    cdef vector[Value*] results
    cdef Current outer
    cdef Failure failure
    cdef cbool fine
    cdef CCall* call
    cdef long long begin = now() if lanes.it.watching.load() else 0
    cdef CLanes* all = lanes.it
    cdef int i
    results.resize(max(outputs, 1), NULL)
    call = new_call()
    call.name, call.outputs = name, outputs
    call.number = lanes.pass_by() if begin and not in_a_lane() else 0
    outer = take_current()
    enter_call(call, True, results.data())
    with nogil:
        fine = all.run(0, name, task, &failure)
    restore_current(outer)
    if begin:
        all.note(OF_PYTASK, name, begin, now(), call.number, 0, 0)
    try:
        if not fine:
            raise_failure(&failure, call)
        return finished(results, outputs)
    finally:
        for i in range(results.size()):
            release_value(results[i])
        release_call(call)


cdef extern from *:
    """
    static inline void restore_current(const lanes::Current& was) { lanes::current = was; }
    """
    void restore_current(Current)


cdef object finished(vector[Value*]& results, int outputs):
    cdef tuple made
    cdef int i
    if outputs == 0:
        return None
    if outputs == 1:
        return tensor_of(results[0])
    made = PyTuple_New(outputs)
    for i in range(outputs):
        each = tensor_of(results[i])
        Py_INCREF(each)
        PyTuple_SET_ITEM(made, i, each)
    return made


cdef int raise_failure(Failure* failure, CCall* call) except -1:
    """The error for what was thrown, at the caller."""
    cdef Failed it = Failed()
    it.number, it.kind, it.name, it.stage = -1, failure.kind, "", ""
    if call != NULL:
        it.number, it.name = call.number, name_of(call.name)
        it.place = (<object>call.code, call.instruction) if call.code != NULL else None
    it.text = (<bytes>failure.text).decode("utf-8", "replace") if failure.text != NULL else ""
    free(failure.text)
    failure.text = NULL
    _raise_failure(it)
    return 0
