# What a kernel may ask for beside its tensors.

cdef extern from "custom_aot_extra.h":
    pass

cdef extern from "border.hpp" namespace "border" nogil:
    ctypedef int (*Kernel)(int, void**, int*, int64_t**, const char**, void*, void*)
    ctypedef int (*Init)(int*, int64_t**, const char**, void*)

    cdef cppclass Attribute:
        int kind
        int64_t integer
        float real
        string text
        vector[int64_t] integers
        vector[float] reals
        vector[vector[int64_t]] integer_rows
        vector[vector[float]] real_rows

    cdef cppclass CExtra "border::Extra":
        cmap[string, Attribute] attributes
        const vector[size_t]& WorkSpace()

    cdef cppclass Outcome:
        int code
        char* text

    Outcome call(Kernel, int, void**, int*, int64_t**, const char**, void*) noexcept
    Outcome init(Init, int*, int64_t**, const char**, CExtra*) noexcept
    Outcome infer_shape(void*, int*, int64_t**, CExtra*, vector[vector[int64_t]]*, cbool*) noexcept
    Outcome infer_type(void*, const vector[int]&, cbool, CExtra*, vector[int]*) noexcept
    double seconds() noexcept


cdef object refused(object failed, Outcome outcome):
    """The error for what came back over the border."""
    text = None
    if outcome.text != NULL:
        text = (<bytes>outcome.text).decode("utf-8", "replace")
        free(outcome.text)
    return failed(outcome.code, text)


cdef class Layout:
    """Shapes and dtypes of operands and results, as a kernel reads them."""

    cdef readonly int count
    cdef int* ndims
    cdef int64_t** shapes
    cdef const char** dtypes
    cdef int64_t* sizes
    cdef list names

    def __cinit__(self, list shapes, list dtypes):
        cdef int i, axis
        cdef Py_ssize_t at = 0, total = sum(map(len, shapes))
        self.count = len(shapes)
        self.names = [name.encode() for name in dtypes]
        self.ndims = <int*>PyMem_Calloc(self.count + 1, sizeof(int))
        self.shapes = <int64_t**>PyMem_Calloc(self.count + 1, sizeof(int64_t*))
        self.dtypes = <const char**>PyMem_Calloc(self.count + 1, sizeof(char*))
        self.sizes = <int64_t*>PyMem_Calloc(total + 1, sizeof(int64_t))
        if not self.ndims or not self.shapes or not self.dtypes or not self.sizes:
            raise MemoryError()
        for i in range(self.count):
            self.ndims[i], self.shapes[i] = len(shapes[i]), self.sizes + at
            self.dtypes[i] = PyBytes_AS_STRING(self.names[i])
            for axis in range(self.ndims[i]):
                self.sizes[at] = shapes[i][axis]
                at += 1

    def __dealloc__(self):
        PyMem_Free(self.ndims)
        PyMem_Free(self.shapes)
        PyMem_Free(self.dtypes)
        PyMem_Free(self.sizes)


cdef class Extra:
    """One kernel's AotExtra. ``attributes``: {name: (kind, value)}, kind an index of KINDS.

    ``library`` is kept: the kernel's own data is deleted by code that lives in it.
    """

    cdef CExtra* it
    cdef object library, failed

    def __cinit__(self, library, dict attributes, failed):
        self.library, self.failed = library, failed
        self.it = new CExtra()
        for name, (kind, value) in attributes.items():
            enter(&self.it.attributes[<string>name.encode()], kind, value)

    def __dealloc__(self):
        del self.it

    def init(self, size_t address, Layout layout not None):
        """Have the kernel prepare itself: ``<symbol>Init``."""
        cdef Outcome outcome
        with nogil:
            outcome = init(<Init><void*>address, layout.ndims, layout.shapes, layout.dtypes, self.it)
        if outcome.code or outcome.text != NULL:
            raise refused(self.failed, outcome)

    def infer_shape(self, size_t address, Layout layout not None):
        """(whether there are several results, their shapes), by ``<symbol>InferShape``."""
        cdef vector[vector[int64_t]] found
        cdef cbool several = False
        cdef Outcome outcome
        with nogil:
            outcome = infer_shape(<void*>address, layout.ndims, layout.shapes, self.it, &found,
                                  &several)
        if outcome.code or outcome.text != NULL:
            raise refused(self.failed, outcome)
        return bool(several), [tuple(shape) for shape in found]

    def infer_type(self, size_t address, list ids, bint several):
        """The numbers of the results' element types, by ``<symbol>InferType``."""
        cdef vector[int] given = ids, found
        cdef Outcome outcome
        with nogil:
            outcome = infer_type(<void*>address, given, several, self.it, &found)
        if outcome.code or outcome.text != NULL:
            raise refused(self.failed, outcome)
        return list(found)

    @property
    def address(self):
        """Where it is: what the kernel gets as ``extra``."""
        return <size_t>self.it

    @property
    def workspaces(self):
        """Bytes of each block of scratch memory that the kernel asked for."""
        return list(self.it.WorkSpace())


cdef int enter(Attribute* attribute, int kind, value) except -1:
    attribute.kind = kind
    if kind <= 1:
        attribute.integer = value
    elif kind == 2:
        attribute.real = value
    elif kind == 3:
        attribute.text = value.encode()
    elif kind == 4:
        attribute.integers = value
    elif kind == 5:
        attribute.reals = value
    elif kind == 6:
        attribute.integer_rows = value
    else:
        attribute.real_rows = value
    return 0
