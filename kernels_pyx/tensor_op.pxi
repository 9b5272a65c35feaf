# What calling an op does: interpreter, queue, compiled loop, or NumPy; then the tape.

cdef extern from "Python.h":
    ctypedef struct TypeSlots "PyTypeObject":
        const char* tp_name
        Py_ssize_t tp_vectorcall_offset, tp_dictoffset
        unsigned long tp_flags
        PyObject* (*tp_call)(PyObject*, PyObject*, PyObject*) except NULL
        PyObject* tp_dict
    void PyType_Modified(TypeSlots*)
    PyObject* PyVectorcall_Call(PyObject*, PyObject*, PyObject*) except NULL
    object PyMethod_New(object, object)
    Py_ssize_t PyVectorcall_NARGS(size_t)
    const unsigned long Py_TPFLAGS_HAVE_VECTORCALL
    const unsigned long Py_TPFLAGS_METHOD_DESCRIPTOR

cdef extern from "Python.h":
    ctypedef struct PyTupleObject:
        PyObject** ob_item

cdef enum:
    AS_GIVEN, PROMOTE, FLOAT, MIXED
    EVERY_DTYPE = 0x3FF
    FLOATS = 0x3C0

_RULES = {"as given": AS_GIVEN, "promote": PROMOTE, "float": FLOAT}


@cython.final
cdef class Op:
    """A primitive: calling it with tensors runs it, or tells the interpreter of this thread."""

    def __init__(self, dict fields):
        for key in fields.keys() - {"name", "compute", "bprop"}:
            setattr(self, key, fields[key])
        rules = fields["operands"]
        rules = (rules,) if isinstance(rules, str) else rules
        arity = fields["arity"]
        self.vectorcall = <void*>op_vectorcall
        self.arity_ = -1 if arity is None else arity
        self.rule = _RULES[rules[0]] if len(set(rules)) == 1 else MIXED
        self.direct = {FLOAT: FLOATS, MIXED: 0}.get(self.rule, EVERY_DTYPE)
        self.kernel = kernel_named(fields["kernel"]) if fields["kernel"] else NULL
        self.name, self.compute, self.bprop = fields["name"], fields["compute"], fields["bprop"]
        self.rules, self.defaults = fields["operands"], fields["defaults"]
        self.bprop_attributes = fields["bprop_attributes"]
        self.plain = not fields["attributes"] and arity is not None
        self.is_ufunc, self.has_bprop = isinstance(self.compute, np.ufunc), self.bprop is not None
        count = 1 if arity is None else arity
        keep = fields["keep"]
        self.keep_a, self.keep_b, self.keep_out = 0 in keep, 1 in keep and count > 1, count in keep
        self.form_a, self.form_b = 0 in fields["forms"], 1 in fields["forms"] and count > 1
        self.bprop_kernel = bprop_named(fields["bprop_kernel"])

    def __call__(self, *args, **kwargs):
        return call_bound(self, args, kwargs)

    def __get__(self, instance, owner):
        return self if instance is None else PyMethod_New(self, instance)

    def __repr__(self):
        return self.name

    def __reduce__(self):
        return rebuild_op, (self.name,)


cdef object op_vectorcall(object callee, PyObject** args, size_t nargsf, PyObject* kwnames):
    cdef Op op = <Op>callee
    cdef Py_ssize_t i, count = PyVectorcall_NARGS(nargsf)
    if kwnames == NULL and count == op.arity_:
        if op.plain:
            if count == 2:
                return call_binary(op, <object>args[0], <object>args[1])
            if count == 1:
                return call_unary(op, <object>args[0])
        elif count and op.defaults is not None and isinstance(<object>args[0], Tensor):
            return call_general(op, tuple([<object>args[i] for i in range(count)]), op.defaults)
    values = tuple([<object>args[i] for i in range(count)])
    kwargs = {}
    if kwnames != NULL:
        names = <tuple>kwnames
        for i in range(len(names)):
            kwargs[names[i]] = <object>args[count + i]
    return call_bound(op, values, kwargs)


cdef object call_bound(Op op, tuple values, dict kwargs):
    bound = prepare_call(op, values, kwargs)
    if type(bound) is tuple:
        return call_general(op, <tuple>(<tuple>bound)[0], <dict>(<tuple>bound)[1])
    return bound


cdef object call_binary(Op op, object a, object b):
    """op(a, b): the fast ways first."""
    cdef State* state = current()
    cdef PyObject* both[2]
    cdef Tensor r = None
    if not state.mode & (INTERPRETING | ASYNCHRONOUS):
        if isinstance(a, Tensor):
            if isinstance(b, Tensor):
                r = same_form(op, <Tensor>a, <Tensor>b)
                if r is not None:
                    if state.mode and op.has_bprop:
                        record_same(state, op, <Tensor>a, <Tensor>b, r)
                    return r
            else:
                r = with_number(op, <Tensor>a, b, False)
        elif isinstance(b, Tensor):
            r = with_number(op, <Tensor>b, a, True)
        if r is None and here(a) and here(b):
            both[0], both[1] = <PyObject*>a, <PyObject*>b
            r = elementwise(op, both, 2)
        if r is not None:
            if state.mode and op.has_bprop:
                record_compact(state, op, a, b, r, NULL)
            return r
    return call_general(op, (a, b), None)


cdef inline bint here(object value) noexcept:
    """Whether an operand needs no conversion and no waiting."""
    if isinstance(value, Tensor):
        return not (<Tensor>value).flags & PENDING
    return number_kind(value) >= 0


cdef object call_unary(Op op, object a):
    """op(a): the fast way first."""
    cdef State* state = current()
    cdef Tensor r = None
    if isinstance(a, Tensor) and not state.mode & (INTERPRETING | ASYNCHRONOUS):
        r = one_form(op, <Tensor>a)
        if r is not None:
            if state.mode and op.has_bprop:
                record_compact(state, op, a, None, r, NULL)
            return r
    return call_general(op, (a,), None)


cdef object call_general(Op op, tuple values, dict attributes):
    """Any call, its arguments bound."""
    cdef State* state = current()
    if state.mode & INTERPRETING:
        interpreter = (<list>state.interpreters)[len(<list>state.interpreters) - 1]
        return interpreter(op, values, {} if attributes is None else dict(attributes))
    return really_run(op, values, attributes)


cdef bint may_be_heavy(Op op, tuple values) noexcept:
    """Whether the dispatcher is asked although nothing is in flight: no loop, and many elements."""
    cdef Py_ssize_t n = 0
    if op.kernel != NULL or dispatcher is None:
        return False
    for value in values:
        if isinstance(value, Tensor):
            n += (<Tensor>value).n
    return n >= HEAVY


cdef object really_run(Op op, tuple values, dict attributes):
    cdef State* state = current()
    cdef object result = NotImplemented
    for value in values:
        if type(value) is not Tensor and number_kind(value) < 0:
            values = tuple([as_operand(v, op) for v in values])
            break
    if state.mode & ASYNCHRONOUS or may_be_heavy(op, values):
        result = dispatcher(op, values, {} if attributes is None else attributes)
    if result is NotImplemented:
        for value in values:
            if isinstance(value, Tensor):
                ensure(<Tensor>value, PENDING)
        if attributes is None or not attributes:
            result = elementwise(op, (<PyTupleObject*>values).ob_item, len(values))
        else:
            result = None
        if result is None:
            result = computed(op, values, attributes)
    if state.mode & RECORDING and op.has_bprop:
        record_any(state, op, values, result, attributes)
    return result


cdef object computed(Op op, tuple values, dict attributes):
    """NumPy's answer, its operands cast by the op's rule."""
    op.fallbacks += 1
    if fallback_listener is not None:
        fallback_listener(op)
    given = operand_arrays(op, values)
    try:
        result = quietly(op.compute, given, attributes)
    except (ValueError, TypeError, IndexError):
        refusal = operands.refusal(op, values, attributes or {})
        if refusal is None:
            raise
        raise refusal from None
    if isinstance(result, (tuple, list)):
        return tuple([wrap(each) for each in result])
    return wrap(result)


cdef tuple operand_arrays(Op op, tuple values):
    """What `compute` gets, cast by the op's rule."""
    cdef int i, count = len(values), common = -1
    cdef list codes = None
    if op.rule == PROMOTE or op.rule == FLOAT:
        common = common_code(op, (<PyTupleObject*>values).ob_item, count)
    elif op.rule == MIXED:
        codes = mixed_codes(op, values)
    if count == 1:
        return (operand_array(op, values[0], common),)
    if count == 2 and codes is None:
        return (operand_array(op, values[0], common), operand_array(op, values[1], common))
    if codes is None:
        codes = [common] * count
    return tuple([operand_array(op, value, code) for value, code in zip(values, codes)])


cdef object operand_array(Op op, object value, int code):
    """What `compute` gets of one operand, cast to `code` (-1: as it is)."""
    cdef Tensor t
    cdef int kind
    if isinstance(value, Tensor):
        t = <Tensor>value
        if code >= 0 and t.code != code:
            return quietly(array_on(t).astype, (descr(code),), None)
        return bare_array(t) if op.is_ufunc else array_on(t)  # a ufunc keeps nothing
    kind = number_kind(value)
    if code < 0:
        code = NUMBER_CODE[kind]
    t = new_tensor(code, 0, NULL, 1)
    if put_number(value, kind, code, t.data):
        return array_on(t)
    return operands.number_array(value, <object>DTYPE[code])


cdef list mixed_codes(Op op, tuple values):
    """The dtype code for each operand where the rules differ."""
    kinds = [v.dtype if isinstance(v, Tensor) else operands.number_kind(v) for v in values]
    return [dtype.code for dtype in operands.cast_dtypes(op.rules, kinds)]


cdef object as_operand(object value, Op op):
    """A tensor or a Python number; arrays, NumPy scalars and lists of numbers are converted."""
    if isinstance(value, Tensor) or number_kind(value) >= 0:
        return value
    if isinstance(value, cnp.ndarray):
        return Tensor.from_numpy(value)
    if isinstance(value, np.generic) and value.dtype.kind in "biuf":
        return value.item()
    if isinstance(value, (list, tuple)):
        return Tensor(value)
    if isinstance(value, (int, float)):  # IntEnum and the like
        return int(value) if isinstance(value, int) else float(value)
    raise operands.not_an_operand(op.name, value)


def default(Op op, values, attributes):
    """Really run an op: cast the operands, compute, record if a gradient is being taken."""
    return really_run(op, tuple(values), attributes or None)


cdef Kernel* kernel_named(str name) except NULL:
    """The kernel's table of loops; families fill it when they are imported."""
    cdef Kernel* k
    cdef int i
    if name not in kernels:
        k = <Kernel*>PyMem_Calloc(1, sizeof(Kernel))
        if k == NULL:
            PyErr_NoMemory()
        for i in range(10):
            k.out[i] = -1
        kernels[name] = <size_t>k
    return <Kernel*><size_t>kernels[name]


cdef bprop_t bprop_named(object name):
    return <bprop_t><void*><size_t>bprops.get(name, 0)


cdef int add_loop(str name, int code, loop_t loop, int out, Py_ssize_t limit) except -1:
    """Register the loop of kernel `name` for operands of dtype `code`."""
    cdef Kernel* k = kernel_named(name)
    k.loops[code], k.out[code], k.limit[code] = loop, out, limit
    return 0


cdef int add_cast(int source, int target, loop_t loop) except -1:
    """Register the loop that casts between two dtypes."""
    CASTS[source][target] = loop
    return 0


cdef int add_bprop(str name, bprop_t bprop) except -1:
    """Register a compiled bprop, for ops that say `bprop_kernel = name`."""
    bprops[name] = <size_t><void*>bprop
    return 0
