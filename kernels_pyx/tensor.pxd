# What other compiled families may use of the tensor core: tensors, loops, gradients of loops.
from cpython.object cimport PyObject

# A loop of an elementwise kernel: operand pointers and the result's last, their strides, a count.
ctypedef void (*loop_t)(char** p, const Py_ssize_t* strides, Py_ssize_t n) noexcept nogil

cdef struct Kernel:
    loop_t loops[10]            # by the operands' common dtype
    Py_ssize_t limit[10]        # above this many elements NumPy's own loops are faster
    signed char out[10]         # the result's dtype

cdef class Storage:
    cdef char* data             # malloc'd bytes, or NULL: `base` owns them
    cdef Py_ssize_t size        # how many
    cdef object base
    cdef unsigned int version
    cdef long long written      # generation of the last recorded write
    cdef long long used         # the last call of a C++ operator that may read or write the bytes

cdef class Tensor:
    cdef char* data
    cdef Py_ssize_t n
    cdef PyObject* owner        # NULL: the bytes are inline or malloc'd by this tensor
    cdef PyObject* extra        # a dict of attributes, seldom
    cdef object __weakref__
    cdef unsigned char code, ndim, flags, version_flags
    cdef unsigned int version   # grows with every write in place
    cdef unsigned int seen      # the version this tensor's slot knows of
    cdef long long mark         # generation of the tape it is on
    cdef Py_ssize_t slot        # where on that tape
    cdef Py_ssize_t shape_[8]
    cdef Py_ssize_t strides_[8] # valid only if not contiguous
    cdef char small[64]

cdef class Form:                # shape and dtype of a tensor that was not kept
    cdef unsigned char code, ndim
    cdef Py_ssize_t shape_[8]

cdef struct Entry:              # one recorded call of an op with one or two operands (64 bytes)
    PyObject* op                # borrowed: an op lives for ever, or ``extra`` holds it
    PyObject* a                 # operand if the bprop reads it, else its Form (NULL: the result's)
    PyObject* b
    PyObject* out
    PyObject* extra             # attributes, or the record of a call of any other form
    unsigned int slot_a, slot_b
    unsigned int version_a, version_b, version_out
    unsigned int kind

# A compiled bprop: new references to the gradients; an error is raised, -1 returned.
ctypedef int (*bprop_t)(Entry* entry, Tensor dout, PyObject** da, PyObject** db) except -1

cdef class Op:
    cdef void* vectorcall
    cdef Kernel* kernel
    cdef bprop_t bprop_kernel
    cdef int arity_             # -1: variadic
    cdef int rule               # of all operands: AS_GIVEN, PROMOTE, FLOAT, MIXED
    cdef unsigned int direct    # bit per dtype: operands of this dtype need no cast
    cdef bint keep_a, keep_b, keep_out, form_a, form_b, plain, is_ufunc, has_bprop
    cdef readonly object name, compute, bprop
    cdef object rules, defaults, bprop_attributes
    cdef public Py_ssize_t fallbacks
    cdef public bint passing    # it goes when nobody holds it: the op of a learner's function
    cdef dict __dict__

cdef int add_loop(str name, int code, loop_t loop, int out, Py_ssize_t limit) except -1
cdef int add_cast(int source, int target, loop_t loop) except -1
cdef int add_bprop(str name, bprop_t bprop) except -1
cdef object call_unary(Op op, object a)
cdef object call_binary(Op op, object a, object b)
cdef Op named_op(str slot)
cdef bint at_rest() except -1
cdef bint is_recording() except -1
cdef int go_asynchronous() except -1
cdef void launched_by(long long* reached) noexcept
cdef void take_bytes(Tensor t, int code, int ndim, object owner, char* data) noexcept
cdef void take_promise(Tensor t, object promise) noexcept
cdef Storage share(Tensor t)
cdef Tensor unfilled(int code, int ndim, const Py_ssize_t* shape, Py_ssize_t n)
