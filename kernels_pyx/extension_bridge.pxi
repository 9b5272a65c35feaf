# The table that operators' libraries fetch: ms_ext.kernels.extension.bridge.

cdef extern from "ms_extension/bridge.h" namespace "ms_ext" nogil:
    int BRIDGE_VERSION
    enum: RUNTIME "ms_ext::RUNTIME"
    enum: RAISED "ms_ext::RAISED"

cdef extern from "ms_extension/bridge.h" namespace "ms_ext":
    cdef cppclass Bridge:
        int version
        Value* (*make)(int, int, const int64_t*) noexcept nogil
        void (*release_value)(Value*) noexcept nogil
        Value* (*settled)(Value*, Failure*) noexcept nogil
        char* (*data)(Value*, Failure*) noexcept nogil
        Value* (*operate)(const char*, Value**, int, const int64_t*, int, Failure*) noexcept nogil
        cbool (*is_tensor)(PyObject*) noexcept
        Value* (*from_python)(PyObject*, Failure*) noexcept
        PyObject* (*to_python)(Value*, Failure*) noexcept
        void (*raise_error "raise")(Failure*) noexcept
        cbool (*watched)(Value*) noexcept
        cbool (*record)(const char*, Value**, int, Value**, int, Value**, int, backward_t,
                        void (*)(void*) noexcept nogil, void*, Failure*) noexcept
        PyObject* (*call)(const char*, Task, Value**, int, int, Failure*) noexcept
        cbool (*promise)(int, Value*, Failure*) noexcept nogil
        cbool (*dispatch)(int, const char*, Task, Failure*) noexcept nogil
        cbool (*wait)(Failure*) noexcept nogil
        void (*log)(int, const char*) noexcept nogil
        PyObject* (*python)(const char*, const char*, const Argument*, int, Failure*) noexcept nogil

cdef extern from *:
    """
    namespace lanes {
    // Sleep, without the GIL if this thread has it, until `stage` has done call `number`.
    static bool sleep_until(int stage, long long number) noexcept {
      Lanes* all = running.load();
      bool done = false;
      PyThreadState* state = PyGILState_Check() ? PyEval_SaveThread() : nullptr;
      while (!done) {
        all->wait_for(stage, number, 0.05, &done);
        if (done || !state) continue;
        PyEval_RestoreThread(state);
        bool interrupted = PyErr_CheckSignals() != 0;
        state = PyEval_SaveThread();
        if (interrupted) break;
      }
      if (state) PyEval_RestoreThread(state);
      return done;
    }
    static bool interrupted(Failure* failure) noexcept {
      failure->set(ms_ext::RAISED, "interrupted");
      return false;
    }
    static bool wait_for_all(Failure* failure) noexcept {
      if (current.at_once || (lane_thread && !current.call)) return true;
      if (current.call) {  // in a stage: for the earlier calls
        if (current.stage == STAGES - 1) return true;
        return sleep_until(STAGES - 1, current.call->number - 1) || interrupted(failure);
      }
      return sleep_until(STAGES - 1, running.load()->issued.load()) || interrupted(failure);
    }
    static Call* producer_of(Value* value) noexcept {
      while (!value->call && value->target.load()) value = value->target.load();
      return static_cast<Call*>(value->call);
    }
    // A Value that knows what it is; what a failed call promised fails here.
    static Value* settled(Value* value, Failure* failure) noexcept {
      if (is_known(value) || fill_in(value)) return value;
      Call* producer = producer_of(value);
      if (!producer) {
        failure->set(ms_ext::RUNTIME, "The Tensor is not defined");
        return nullptr;
      }
      if (!current.call && !lane_thread && !sleep_until(0, producer->number)) {
        interrupted(failure);
        return nullptr;
      }
      if (fill_in(value)) return value;
      current.inherits = producer;
      failure->set(producer->failure.kind < 0 ? ms_ext::RUNTIME : producer->failure.kind,
                   producer->failure.text ? producer->failure.text
                                          : "an operand is the result of a later call");
      return nullptr;
    }
    static char* data_of(Value* value, Failure* failure) noexcept {
      if (!settled(value, failure)) return nullptr;
      Call* producer = static_cast<Call*>(value->call);
      if (!current.call && producer && !producer->ended && !wait_for_all(failure)) return nullptr;
      if (allocate(value->buffer)) return place_of(value);
      failure->set(ms_ext::MEMORY, "There is no memory for a tensor of a C++ operator.");
      return nullptr;
    }
    // What is to be done outside of any call waits for those in flight, and is done here.
    bool bridge_dispatch(int stage, const char* name, Task task, Failure* failure) noexcept {
      if (current.call) return running.load()->dispatch(stage, name, task, failure);
      if (!wait_for_all(failure)) {
        task.drop(task.context);
        return false;
      }
      PyThreadState* state = PyGILState_Check() ? PyEval_SaveThread() : nullptr;
      bool fine = running.load()->run_alone(stage, name, task, failure);
      if (state) PyEval_RestoreThread(state);
      return fine;
    }
    static Value* make_value(int type, int axes, const int64_t* shape) noexcept {
      return make(type, axes, shape);
    }
    }
    """
    Value* settled_value "lanes::settled" (Value*, Failure*) noexcept nogil
    char* data_of "lanes::data_of" (Value*, Failure*) noexcept nogil
    cbool wait_for_all "lanes::wait_for_all" (Failure*) noexcept nogil
    cbool dispatch_task "lanes::bridge_dispatch" (int, const char*, Task, Failure*) noexcept nogil
    cbool give "lanes::give" (int, Value*, Failure*) noexcept nogil
    Value* make_value "lanes::make_value" (int, int, const int64_t*) noexcept nogil

KINDS = (RuntimeError, ValueError, TypeError, IndexError, MemoryError, NotImplementedError,
         AttributeError, KeyError, OverflowError, ZeroDivisionError, AssertionError, NameError,
         OSError, ImportError)  # in the order of ms_ext::Kind
cdef object _helpers = None


def set_helpers(helpers):
    """What the table needs from Python: ``record``, ``watched``, ``log``, ``python``."""
    global _helpers
    _helpers = helpers


cdef void note_error(error, Failure* failure) noexcept:
    """Put a Python error into a Failure; its class is kept as far as C++ knows it."""
    cdef int kind = RUNTIME
    try:
        for i, known in enumerate(KINDS):
            if i != RUNTIME and isinstance(error, known):
                kind = i
                break
        text = getattr(error, "message", None) or str(error)
        failure.set(kind, text.encode())
    except BaseException:
        failure.set(RUNTIME, b"an error without a text")


cdef cbool is_tensor(PyObject* value) noexcept:
    return isinstance(<object>value, Tensor)


cdef Value* from_python(PyObject* value, Failure* failure) noexcept:
    try:
        return value_of(<Tensor>value)
    except BaseException as error:
        note_error(error, failure)
        return NULL


cdef PyObject* to_python(Value* value, Failure* failure) noexcept:
    cdef PyObject* made
    try:
        if value.type == 0 and value.tensor == NULL and settled_value(value, failure) == NULL:
            return NULL
        result = tensor_of(value)
        made = <PyObject*>result
        Py_INCREF(result)
        return made
    except BaseException as error:
        note_error(error, failure)
        return NULL


cdef extern from "Python.h":
    void PyErr_SetObject(object, object)
    PyObject* PyErr_Occurred()


cdef void raise_error(Failure* failure) noexcept:
    """Set Python's error indicator; an error that is set already stays."""
    if PyErr_Occurred() != NULL:
        return
    try:
        raise_failure(failure, NULL)
    except BaseException as error:
        PyErr_SetObject(type(error), error)


cdef cbool watched(Value* value) noexcept:
    # An error in here would be a lost gradient: Python tells of it, as of all that cannot be raised.
    return value.tensor != NULL and is_recording() and _helpers.watched(<object>value.tensor)


cdef PyObject* bridge_call(const char* name, Task task, Value** inputs, int count, int outputs,
                           Failure* failure) noexcept:
    cdef PyObject* made
    try:
        result = call_in_stages(name, task, inputs, count, outputs)
        made = <PyObject*>result
        Py_INCREF(result)
        return made
    except BaseException as error:
        PyErr_SetObject(type(error), error)
        failure.set(RAISED, b"")
        return NULL


cdef class Backward:
    """A C++ Backward for the tape: [(gradient, whether it is made of constants alone)]."""

    cdef backward_t function
    cdef void (*drop)(void*) noexcept nogil
    cdef void* context
    cdef int inputs
    cdef list saved

    def __dealloc__(self):
        self.drop(self.context)

    def __call__(self, *douts):
        cdef vector[Value*] given, found
        cdef Failure failure
        cdef cbool fine
        found.resize(self.inputs, NULL)
        try:
            for tensor in (*douts, *self.saved):
                given.push_back(value_of(tensor))
            fine = self.function(self.context, given.data(), given.size(), found.data(),
                                 self.inputs, &failure)
            if not fine:
                raise_failure(&failure, NULL)
            return [(None, True) if found[i] == NULL else (tensor_of(found[i]), found[i].constant)
                    for i in range(self.inputs)]
        finally:
            for i in range(given.size()):
                release_value(given[i])
            for i in range(found.size()):
                release_value(found[i])


cdef list tensors_of(Value** values, int count):
    return [tensor_of(values[i]) for i in range(count)]


cdef cbool record(const char* name, Value** inputs, int count, Value** outputs, int many,
                  Value** saved, int kept, backward_t function,
                  void (*drop)(void*) noexcept nogil, void* context, Failure* failure) noexcept:
    """Enter a Function on the tape; each output's tensor is then the one that was recorded."""
    cdef Backward backward
    try:
        backward = Backward.__new__(Backward)
        backward.function, backward.drop, backward.context = function, drop, context
        backward.inputs = count
        given, results = tensors_of(inputs, count), tensors_of(outputs, many)
        backward.saved = [saved_tensor(saved[i], inputs, given, outputs, results)
                          for i in range(kept)]
        made = _helpers.record(name_of(name), given, results, backward, backward.saved)
        for i in range(many):
            each = made[i]
            Py_INCREF(each)
            Py_XDECREF(outputs[i].tensor)
            outputs[i].tensor = <PyObject*>each
        return True
    except BaseException as error:
        note_error(error, failure)
        return False


cdef object saved_tensor(Value* saved, Value** inputs, list given, Value** outputs, list results):
    """What Backward reads: an input or an output as it is on the tape, or something else."""
    for i in range(len(given)):
        if inputs[i] == saved:
            return given[i]
    for i in range(len(results)):
        if outputs[i] == saved:
            return results[i]
    return tensor_of(saved)


cdef void log_text(int level, const char* text) noexcept with gil:
    try:
        _helpers.log(level, (<bytes>text).decode("utf-8", "replace"))
    except BaseException:
        pass  # a log line must not become an error in C++


cdef object argument_of(const Argument* a):
    if a.kind == 0:
        return None
    if a.kind == 1:
        return array_of(a.value)
    if a.kind == 2:
        return a.integer
    if a.kind == 3:
        return a.real
    if a.kind == 4:
        return bool(a.integer)
    if a.kind == 5:
        return (<bytes>a.text).decode("utf-8", "replace")
    if a.kind == 6:
        return [a.integers[i] for i in range(a.count)]
    return <object>a.object


cdef object array_of(Value* value):
    """A NumPy array on a Value's bytes; they are allocated if nobody did."""
    cdef Tensor t = Tensor.__new__(Tensor)
    cdef Failure failure
    if settled_value(value, &failure) == NULL:
        raise_failure(&failure, NULL)
    describe(t, value, True)
    return t.asnumpy()


cdef PyObject* call_python(const char* module, const char* function, const Argument* arguments,
                           int count, Failure* failure) noexcept with gil:
    cdef PyObject* made
    try:
        given = [argument_of(&arguments[i]) for i in range(count)]
        result = _helpers.python((<bytes>module).decode(), (<bytes>function).decode())(*given)
        made = <PyObject*>result
        Py_INCREF(result)
        return made
    except BaseException as error:
        note_error(error, failure)
        return NULL


cdef extern from *:
    """
    static ms_ext::Bridge the_bridge;
    """
    Bridge the_bridge


cdef int fill_bridge() except -1:
    the_bridge.version = BRIDGE_VERSION
    the_bridge.make = make_value
    the_bridge.release_value = release_value
    the_bridge.settled = settled_value
    the_bridge.data = data_of
    the_bridge.operate = operate
    the_bridge.is_tensor = is_tensor
    the_bridge.from_python = from_python
    the_bridge.to_python = to_python
    the_bridge.raise_error = raise_error
    the_bridge.watched = watched
    the_bridge.record = record
    the_bridge.call = bridge_call
    the_bridge.promise = give
    the_bridge.dispatch = dispatch_task
    the_bridge.wait = wait_for_all
    the_bridge.log = log_text
    the_bridge.python = call_python
    return 0


fill_bridge()
bridge = PyCapsule_New(&the_bridge, b"ms_ext.bridge", NULL)
