"""The bounded ring behind ms_ext.engine.events, compiled: the same names as ReferenceRing there.

All records lie in one C array, allocated once; a record owns a reference to its two strings. No call
gives up the GIL between its first and its last store, so threads cannot mix their records.
"""

from cpython.exc cimport PyErr_NoMemory
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF, Py_XDECREF
from libc.stdlib cimport calloc, free


cdef extern from "Python.h":
    unsigned long PyThread_get_thread_ident()


cdef enum:
    MAX_NUMBERS = 4


cdef struct Record:
    PyObject* kind
    PyObject* name
    long long start
    long long end
    unsigned long thread
    Py_ssize_t count
    long long numbers[MAX_NUMBERS]


cdef class Ring:
    """A ring of `capacity` records; the oldest gives way when it is full."""

    cdef Record* _records
    cdef readonly Py_ssize_t capacity
    cdef readonly Py_ssize_t total

    def __cinit__(self, Py_ssize_t capacity):
        self._records = <Record*>calloc(capacity, sizeof(Record))
        if self._records == NULL:
            PyErr_NoMemory()
        self.capacity = capacity
        self.total = 0

    def __dealloc__(self):
        cdef Py_ssize_t i
        if self._records != NULL:
            for i in range(min(self.total, self.capacity)):
                Py_XDECREF(self._records[i].kind)
                Py_XDECREF(self._records[i].name)
            free(self._records)

    def put(self, str kind not None, str name not None, long long start, long long end,
            tuple numbers not None, unsigned long thread=0):
        """Append a record, of this thread if none is given."""
        cdef Record fresh
        cdef Py_ssize_t i
        fresh.count = len(numbers)
        if fresh.count > MAX_NUMBERS:
            raise ValueError(f"An event carries at most {MAX_NUMBERS} numbers.")
        for i in range(fresh.count):
            fresh.numbers[i] = int(numbers[i])
        fresh.kind, fresh.name = <PyObject*>kind, <PyObject*>name
        fresh.start, fresh.end = start, end
        fresh.thread = thread or PyThread_get_thread_ident()
        Py_INCREF(kind)
        Py_INCREF(name)
        cdef Record* place = &self._records[self.total % self.capacity]
        cdef Record old = place[0]
        place[0] = fresh
        self.total += 1
        Py_XDECREF(old.kind)
        Py_XDECREF(old.name)

    def records(self):
        """What the ring holds, oldest first."""
        cdef Py_ssize_t first = max(self.total - self.capacity, 0)
        cdef Py_ssize_t i
        return [self._record(&self._records[i % self.capacity]) for i in range(first, self.total)]

    cdef tuple _record(self, Record* r):
        cdef Py_ssize_t i
        numbers = tuple([r.numbers[i] for i in range(r.count)])
        return (<object>r.kind, <object>r.name, r.start, r.end, r.thread, numbers)
