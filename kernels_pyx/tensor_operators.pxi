# Python's operators: each is a slot that the engine fills with an op.

cdef enum:
    ADD, SUB, MUL, DIV, FLOORDIV, MOD, POW, MATMUL, AND, OR, XOR, LSHIFT, RSHIFT
    LT, LE, EQ, NE, GT, GE
    NEG, ABS, INVERT
    SLOT_COUNT

# In the order of the enum; the comparisons in the order of Python's Py_LT .. Py_GE.
SLOT_NAMES = (
    "+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>",
    "<", "<=", "==", "!=", ">", ">=", "neg", "abs", "invert",
)
REFLECTED = (
    "__radd__", "__rsub__", "__rmul__", "__rtruediv__", "__rfloordiv__", "__rmod__", "__rpow__",
    "__rmatmul__", "__rand__", "__ror__", "__rxor__", "__rlshift__", "__rrshift__",
    "__gt__", "__ge__", "__eq__", "__ne__", "__lt__", "__le__",
)
cdef PyObject* SLOT[22]
cdef tuple OPERANDS = (Tensor, cnp.ndarray, np.generic, int, float, list, tuple)


cdef object slot_op(str name):
    found = filled.get(name)
    if found is None:
        raise errors.InvalidType(f"No op stands behind the operator {name!r}.")
    return found


cdef Op named_op(str slot):
    """The op behind one of Python's operators, for compiled bprops."""
    return slot_op(slot)


cdef object call_slot(int slot, object a, object b):
    """a + b: one of the two is a tensor."""
    if SLOT[slot] == NULL:
        slot_op(SLOT_NAMES[slot])
    if type(a) is not Tensor or type(b) is not Tensor:
        if isinstance(a, Tensor) and defers(b, REFLECTED[slot]):
            return NotImplemented
    return call_binary(<Op>SLOT[slot], a, b)


cdef object call_slot1(int slot, object a):
    if SLOT[slot] == NULL:
        slot_op(SLOT_NAMES[slot])
    return call_unary(<Op>SLOT[slot], a)


cdef bint defers(object other, str reflected):
    """Whether `other`, which is no operand, has a method of its own for this operator."""
    if type(other) is float or type(other) is int or isinstance(other, OPERANDS):
        return False
    return hasattr(type(other), reflected)


cdef object compare(object self, object other, int which):
    """a < b and the like; what is no number differs from every tensor."""
    cdef int slot = LT + which
    if type(other) is not Tensor and not isinstance(other, OPERANDS[:5]):
        if slot == EQ or slot == NE or defers(other, REFLECTED[slot]):
            return NotImplemented
    if SLOT[slot] == NULL:
        slot_op(SLOT_NAMES[slot])
    return call_binary(<Op>SLOT[slot], self, other)


def fill_slot(name, Op op):
    """Put an op behind one of Python's operators."""
    filled[name] = op
    IMMORTAL.append(op)
    if name in SLOT_NAMES:
        SLOT[SLOT_NAMES.index(name)] = <PyObject*>op
