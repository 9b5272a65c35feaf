# The Tensor: what is known of it, what it does on the host.


cdef class Tensor:
    """Numbers of one dtype in a regular array.

    >>> Tensor([1.0, 2.5])
    Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.50000000e+00])
    """

    __array_priority__ = 1000  # array + Tensor is a Tensor

    def __init__(self, input_data=None, dtype=None, shape=None, init=None):
        cdef Tensor source
        drop(self)
        if input_data is None and dtype is not None or shape is not None:
            describe(self, dtype, shape, init)
            return
        if dtype is None and type(input_data) is Tensor:
            source = <Tensor>input_data
            ensure(source, PENDING)
            if not source.flags:
                self.code, self.n = source.code, source.n
                set_contiguous(self, source.ndim, source.shape_)
                allocate(self, self.n * SIZE[self.code])
                memcpy(self.data, source.data, self.n * SIZE[self.code])
                return
        if dtype is None and type(input_data) is cnp.ndarray:
            if copy_array(self, <cnp.ndarray>input_data):
                return
        take_array(self, arrays.array_of(input_data, dtype))

    def __dealloc__(self):
        drop(self)
        Py_XDECREF(self.extra)

    @staticmethod
    def from_numpy(array):
        """A tensor that shares the array's memory (it copies what it cannot share)."""
        if not isinstance(array, cnp.ndarray):
            raise errors.InvalidType("from_numpy takes a NumPy array.", given=type(array).__name__)
        if not cnp.PyArray_ISCARRAY(<cnp.ndarray>array):  # contiguous, aligned, native, writable
            array = arrays.array_of(array)
        return take_array(Tensor.__new__(Tensor), <cnp.ndarray>array)

    # what is known of it ----------------------------------------------------------------------

    @property
    def shape(self):
        """The sizes of its axes, a tuple."""
        if self.flags & UNKNOWN:
            ensure(self, UNKNOWN)
        return shape_of(self)

    @property
    def dtype(self):
        """The type of its elements."""
        if self.flags & UNKNOWN:
            ensure(self, UNKNOWN)
        return <object>DTYPE[self.code]

    @property
    def ndim(self):
        """How many axes."""
        ensure(self, UNKNOWN)
        return self.ndim

    @property
    def size(self):
        """How many elements."""
        ensure(self, UNKNOWN)
        return self.n

    @property
    def itemsize(self):
        """Bytes of one element."""
        ensure(self, UNKNOWN)
        return SIZE[self.code]

    @property
    def nbytes(self):
        """Bytes of all elements."""
        ensure(self, UNKNOWN)
        return self.n * SIZE[self.code]

    @property
    def strides(self):
        """Bytes from one element to the next, per axis."""
        cdef int i
        ensure(self, UNKNOWN)
        fill_strides(self)
        return tuple([self.strides_[i] for i in range(self.ndim)])

    @property
    def T(self):
        """The tensor with its axes reversed."""
        cdef Tensor t
        cdef int i
        if current().mode & (INTERPRETING | RECORDING):
            return slot_op("T")(self)
        t = alias(self)
        fill_strides(self)
        for i in range(self.ndim):
            t.shape_[i] = self.shape_[self.ndim - 1 - i]
            t.strides_[i] = self.strides_[self.ndim - 1 - i]
        check_contiguous(t)
        return t

    @property
    def has_init(self):
        """Whether it comes from an initializer, and nobody has read it or asked for init_data."""
        return bool(self.flags & DRAWN)

    # on the host ------------------------------------------------------------------------------

    def asnumpy(self):
        """A NumPy array on the same memory: what is written to one is seen by the other."""
        ensure(self, PENDING)
        return array_on(self)

    def assign_value(self, value):
        """Take over another tensor's or array's contents; views of the old contents keep those."""
        if isinstance(value, Tensor):
            value = value.asnumpy()
        return self.take_over(np.array(value, order="C"))

    def take_over(self, cnp.ndarray array not None):
        """As ``assign_value``, of an array that nobody else uses: nothing is copied."""
        cdef unsigned int version = version_of(self) + 1
        drop(self)
        take_array(self, array)
        self.version = self.seen = version
        return self

    def __getitem__(self, index):
        cdef Tensor t
        if current().mode & (INTERPRETING | RECORDING):
            return slot_op("getitem")(self, index=arrays.plain_index(index))
        ensure(self, PENDING)
        t = basic_view(self, index)
        if t is not None:
            return t
        index = arrays.plain_index(index)
        try:
            return take_array(Tensor.__new__(Tensor), np.asarray(array_on(self)[index]))
        except IndexError as error:
            raise arrays.index_error(shape_of(self), index, error) from None

    def __setitem__(self, index, value):
        ensure(self, PENDING)
        index = arrays.plain_index(index)
        if not isinstance(value, (Tensor, int, float)):
            value = Tensor(value)
        record_write(self, value, index)
        source = value.asnumpy() if isinstance(value, Tensor) else value
        try:
            quietly(array_on(self).__setitem__, (index, source), None)
        except IndexError as error:
            raise arrays.index_error(shape_of(self), index, error) from None
        except ValueError as error:
            raise errors.InvalidValue("The value does not fit.", given=str(error)) from None
        written(self)

    def __getbuffer__(self, Py_buffer* buffer, int flags):
        export_buffer(self, buffer, flags)

    def __releasebuffer__(self, Py_buffer* buffer):
        Py_XDECREF(<PyObject*>buffer.internal)

    def __repr__(self):
        return tensor_methods.show(self)

    def __str__(self):
        return tensor_methods.text(self)

    def __len__(self):
        return tensor_methods.length(self)

    def __iter__(self):
        return tensor_methods.iterate(self)

    def __contains__(self, value):
        return tensor_methods.contains(self, value)

    def __index__(self):
        return tensor_methods.index(self)

    def __bool__(self):
        return bool(tensor_methods.item(self))

    def __int__(self):
        return int(tensor_methods.item(self))

    def __float__(self):
        return float(tensor_methods.item(self))

    def __hash__(self):
        return <Py_hash_t>(<size_t><void*>self >> 4)

    def __pos__(self):
        return self

    def __neg__(self):
        return call_slot1(NEG, self)

    def __abs__(self):
        return call_slot1(ABS, self)

    def __invert__(self):
        return call_slot1(INVERT, self)

    def __add__(a, b):
        return call_slot(ADD, a, b)

    def __sub__(a, b):
        return call_slot(SUB, a, b)

    def __mul__(a, b):
        return call_slot(MUL, a, b)

    def __truediv__(a, b):
        return call_slot(DIV, a, b)

    def __floordiv__(a, b):
        return call_slot(FLOORDIV, a, b)

    def __mod__(a, b):
        return call_slot(MOD, a, b)

    def __pow__(a, b, modulus):
        return call_slot(POW, a, b)

    def __matmul__(a, b):
        return call_slot(MATMUL, a, b)

    def __and__(a, b):
        return call_slot(AND, a, b)

    def __or__(a, b):
        return call_slot(OR, a, b)

    def __xor__(a, b):
        return call_slot(XOR, a, b)

    def __lshift__(a, b):
        return call_slot(LSHIFT, a, b)

    def __rshift__(a, b):
        return call_slot(RSHIFT, a, b)

    def __richcmp__(self, other, int which):
        return compare(self, other, which)
