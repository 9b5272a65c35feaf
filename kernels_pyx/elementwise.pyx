# cflags: -fwrapv -fno-math-errno -fno-trapping-math -ffp-contract=off
# variants: x86-64-v3
# cython: language_level=3
"""The loops of the common elementwise ops, for every dtype, and the casts between dtypes.

The loops are lines of elementwise.h; here they are registered under the names that ops give as
``kernel = "add"``, with the compiled gradients of those that are one line long.
"""

from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF

from ms_ext.kernels.tensor cimport (
    Entry, Op, Tensor, add_bprop, add_cast, add_loop, call_binary, call_unary, loop_t, named_op,
)


cdef extern from "elementwise.h":
    ctypedef struct Row:
        const char* name
        int code, out, limit
        void* loop

    const Row* ROWS
    const Row* CAST_TABLE
    const int ROW_COUNT, CAST_COUNT


cdef unsigned int NOWHERE = 0xFFFFFFFF  # the slot of an operand that no gradient is asked of


cdef inline PyObject* own(object value) noexcept:
    Py_INCREF(value)
    return <PyObject*>value


cdef int back_add(Entry* entry, Tensor dout, PyObject** da, PyObject** db) except -1:
    da[0], db[0] = own(dout), own(dout)
    return 0


cdef int back_sub(Entry* entry, Tensor dout, PyObject** da, PyObject** db) except -1:
    da[0], db[0] = own(dout), own(call_unary(named_op("neg"), dout))
    return 0


cdef int back_mul(Entry* entry, Tensor dout, PyObject** da, PyObject** db) except -1:
    if entry.slot_a != NOWHERE:
        da[0] = own(call_binary(<Op>entry.op, dout, <object>entry.b))
    if entry.slot_b != NOWHERE:
        db[0] = own(call_binary(<Op>entry.op, dout, <object>entry.a))
    return 0


cdef int back_neg(Entry* entry, Tensor dout, PyObject** da, PyObject** db) except -1:
    da[0] = own(call_unary(<Op>entry.op, dout))
    return 0


cdef int enter_all() except -1:
    cdef int i
    for i in range(ROW_COUNT):
        name = ROWS[i].name.decode()
        add_loop(name, ROWS[i].code, <loop_t>ROWS[i].loop, ROWS[i].out, ROWS[i].limit)
    for i in range(CAST_COUNT):
        add_cast(CAST_TABLE[i].code, CAST_TABLE[i].out, <loop_t>CAST_TABLE[i].loop)
    add_bprop("add", back_add)
    add_bprop("sub", back_sub)
    add_bprop("mul", back_mul)
    add_bprop("neg", back_neg)
    return 0


enter_all()
