# One kernel, called with arrays.

cdef enum:
    MOST = 16                   # operands and results of a call by the short way; workspaces too
    ALIGNED = 64                # where a workspace begins
    LARGE = 8192                # from this many elements on the GIL is released

cdef double LONG = 50e-6        # seconds: a kernel that takes longer runs without the GIL, too


cdef class Call:
    """A kernel for operands and results of one kind; ``run`` may be called from several threads."""

    cdef Kernel kernel
    cdef Layout layout
    cdef readonly Extra extra
    cdef size_t scratch         # bytes of all workspaces
    cdef int spaces
    cdef readonly double took   # seconds of the latest run

    def __init__(self, size_t address, Layout layout not None, Extra extra not None):
        self.kernel, self.layout, self.extra = <Kernel><void*>address, layout, extra
        self.spaces = extra.it.WorkSpace().size()
        for size in extra.workspaces:
            self.scratch += (size + ALIGNED - 1) // ALIGNED * ALIGNED

    def run(self, list arrays):
        """Call it with C-contiguous arrays, and bytes for texts: operands, then results."""
        cdef vector[void*] params
        cdef Outcome outcome
        cdef void* block
        cdef double begin
        cdef int count
        if len(arrays) != self.layout.count:
            raise ValueError(f"{len(arrays)} arrays, {self.layout.count} wanted")
        params.resize(self.layout.count + self.spaces)
        for i in range(self.layout.count):
            params[i] = address_of(arrays[i])
        block, begin = self.scratch_block(), seconds()
        self.place_workspaces(params.data() + self.layout.count, block)
        count = params.size()
        with nogil:
            outcome = call(self.kernel, count, params.data(), self.layout.ndims,
                           self.layout.shapes, self.layout.dtypes, self.extra.it)
        free(block)
        self.took = seconds() - begin
        if outcome.code or outcome.text != NULL:
            raise refused(self.extra.failed, outcome)

    cdef void* scratch_block(self) except? NULL:
        """Memory for the workspaces, to be freed after the call; NULL if there are none."""
        cdef void* block
        if self.scratch == 0:
            return NULL
        block = calloc(self.scratch + ALIGNED, 1)  # MindSpore's is zero too, in a fresh process
        if block == NULL:
            raise MemoryError()
        return block

    cdef void place_workspaces(self, void** params, void* block) noexcept:
        cdef size_t at = (<size_t>block + ALIGNED - 1) // ALIGNED * ALIGNED
        cdef size_t size
        cdef int i
        for i in range(self.spaces):
            size = self.extra.it.WorkSpace()[i]
            params[i] = <void*>at if size else NULL
            at += (size + ALIGNED - 1) // ALIGNED * ALIGNED


cdef void* address_of(value) except? NULL:
    if type(value) is bytes:
        return PyBytes_AS_STRING(value)
    return cnp.PyArray_DATA(<cnp.ndarray?>value)
