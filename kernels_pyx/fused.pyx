# cflags: -fwrapv -ffp-contract=off -fno-math-errno -fno-trapping-math
# variants: x86-64-v3
"""Fused elementwise kernels without a compiler: a program of instructions, run tile by tile.

A Kernel is one group of elementwise ops. It reads each operand once and writes each result once;
what lies between stays in registers (fused_machine.h). Its parts: fused_pool.pxi gives memory,
fused_operands.pxi lays operands out, the machine runs.
"""

from cpython.buffer cimport PyBuffer_FillInfo
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from cpython.ref cimport Py_INCREF
from libc.stdint cimport int8_t, int32_t, int64_t, uint16_t, uintptr_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

import numpy
cimport numpy as cnp

cnp.import_array()

cdef extern from "<stdlib.h>" nogil:
    void* aligned_alloc(size_t, size_t)

cdef extern from "numpy/arrayobject.h":
    object new_from "PyArray_NewFromDescr"(
        void* kind, void* descr, int ndim, const Py_ssize_t* shape, const Py_ssize_t* strides,
        void* data, int flags, void* like)

cdef extern from "fused.h" nogil:
    ctypedef void (*instruction_t)()
    ctypedef struct Step:
        instruction_t run
        uint16_t a, b, f
    enum:
        TILE_BYTES
        INSTRUCTION_COUNT
        FUNCTION_COUNT
    const char* const* instruction_names
    const char* const* function_names
    const instruction_t* table_f32
    const instruction_t* table_f64
    void run_tiles_f32(const Step*, char**, const Py_ssize_t*, int, Py_ssize_t)
    void run_tiles_f64(const Step*, char**, const Py_ssize_t*, int, Py_ssize_t)

cdef enum:
    MAX_AXES = 8
    CHUNK_TILES = 16
    STACK_BYTES = 16384
    RELEASE_FROM = 1 << 14  # elements; below it giving up the GIL costs more than it frees

cdef object numpy_ndarray = numpy.ndarray

INSTRUCTIONS = {instruction_names[i].decode(): i for i in range(INSTRUCTION_COUNT)}
FUNCTIONS = {function_names[i].decode(): i for i in range(FUNCTION_COUNT)}

include "fused_pool.pxi"
include "fused_operands.pxi"


cdef struct Operand:
    void* descr  # of the dtype it must have; borrowed from Kernel.operands
    int item
    int number
    int truth  # a bool; among the numbers it is a mask as wide as a lane


cdef struct Moving:
    # what has one element for each of the kernel's: an array operand or a result
    char* data
    int item
    int gathered
    View view


cdef class Kernel:
    """One fused group: ``kernel(*operands)`` gives the tuple of results.

    Places in the pointer table: 0 scratch, then the array operands, the results, the numbers among
    the operands, the constants, the slots. ``steps`` are (instruction, place, place, function).
    """

    cdef Step* code
    cdef char* constants
    cdef Operand* wanted
    cdef Py_ssize_t* sizes
    cdef int width, ndim, arrays, numbers, results, constant_count, slots, operand_count, moving
    cdef Py_ssize_t size, step_count
    cdef readonly tuple shape, operands, dtypes

    def __init__(self, int width, tuple shape, tuple operands, tuple dtypes, list constants,
                 int slots, list steps):
        """``operands``: (dtype, is a number); ``dtypes``: of the results; NumPy scalars; steps."""
        self.width, self.shape, self.operands, self.dtypes = width, shape, operands, dtypes
        self.operand_count, self.results, self.ndim = len(operands), len(dtypes), len(shape)
        self.constant_count, self.slots, self.step_count = len(constants), slots, len(steps)
        if self.ndim > MAX_AXES or width not in (4, 8):
            raise ValueError(f"a kernel has at most {MAX_AXES} axes and lanes of 4 or 8 bytes")
        self.sizes = <Py_ssize_t*>PyMem_Calloc(self.ndim + 1, sizeof(Py_ssize_t))
        self.wanted = <Operand*>PyMem_Calloc(self.operand_count + 1, sizeof(Operand))
        self.code = <Step*>PyMem_Calloc(self.step_count + 1, sizeof(Step))
        self.constants = <char*>PyMem_Calloc(self.constant_count + 1, TILE_BYTES)
        if self.sizes == NULL or self.wanted == NULL or self.code == NULL or self.constants == NULL:
            raise MemoryError()
        cdef int axis
        self.size = 1
        for axis, extent in enumerate(shape):
            self.sizes[axis] = extent
            self.size *= extent
        self.describe(operands)
        self.write_code(steps)
        self.write_constants(constants)

    cdef describe(self, tuple operands):
        cdef int k
        for k, (dtype, number) in enumerate(operands):
            self.wanted[k].descr = <void*>dtype
            self.wanted[k].item, self.wanted[k].number = dtype.itemsize, number
            self.wanted[k].truth = dtype == numpy.bool_
            self.numbers += number
        self.arrays = self.operand_count - self.numbers
        self.moving = self.arrays + self.results

    cdef write_code(self, list steps):
        cdef const instruction_t* table = table_f32 if self.width == 4 else table_f64
        cdef int k
        for k, (name, a, b, function) in enumerate(steps):
            if not (0 <= a < self.places() and 0 <= b < self.places()):
                raise ValueError(f"step {k} names a place beyond {self.places()}")
            self.code[k].run = table[<int>INSTRUCTIONS[name]]
            self.code[k].a, self.code[k].b = a, b
            self.code[k].f = FUNCTIONS[function] if function else 0
        self.code[self.step_count].run = table[<int>INSTRUCTIONS["end"]]

    cdef write_constants(self, list constants):
        cdef bytes element
        cdef Py_ssize_t k
        for k, constant in enumerate(constants):
            element = constant.tobytes()
            if len(element) != self.width:
                raise ValueError(f"constant {constant!r} must have {self.width} bytes")
            fill_tile(self.constants + k * TILE_BYTES, element, self.width)

    cdef int places(self) noexcept:
        return 1 + self.moving + self.numbers + self.constant_count + self.slots

    def __dealloc__(self):
        PyMem_Free(self.sizes)
        PyMem_Free(self.wanted)
        PyMem_Free(self.code)
        PyMem_Free(self.constants)

    def __call__(self, *operands):
        """Run the kernel; the results are fresh arrays."""
        if len(operands) != self.operand_count:
            raise TypeError(f"the kernel takes {self.operand_count} operands, not {len(operands)}")
        results = tuple([new_array(self.ndim, self.sizes, self.size, d) for d in self.dtypes])
        if self.size:
            self.run(operands, results)
        return results

    cdef run(self, tuple operands, tuple results):
        cdef Py_ssize_t tiles = self.numbers * TILE_BYTES, work = self.work_bytes()
        cdef Py_ssize_t nbytes = 64 + tiles + self.moving * <Py_ssize_t>sizeof(Moving) + work
        cdef char on_stack[STACK_BYTES]
        cdef char* memory = on_stack
        if nbytes > STACK_BYTES:
            memory = <char*>malloc(nbytes)
        if memory == NULL:
            raise MemoryError()
        cdef char* numbers = <char*>((<uintptr_t>memory + 63) & ~<uintptr_t>63)
        cdef Moving* parts = <Moving*>(numbers + tiles + work)
        try:
            held = self.read(operands, results, numbers, parts)
            if self.size < RELEASE_FROM:
                self.run_range(numbers, parts, numbers + tiles, 0, self.size)
            else:
                with nogil:
                    self.run_range(numbers, parts, numbers + tiles, 0, self.size)
        finally:
            if memory != on_stack:
                free(memory)

    cdef object read(self, tuple operands, tuple results, char* numbers, Moving* parts):
        """Where everything lies; what had to be converted is returned, to be kept alive."""
        cdef int k
        cdef object held = None, operand
        for k in range(self.operand_count):
            operand = operands[k]
            if self.wanted[k].number:
                read_number(numbers, operand, &self.wanted[k], self.width)
                numbers += TILE_BYTES
                continue
            if not ready(operand, &self.wanted[k]):
                operand = converted(operand, <object>self.wanted[k].descr)
                held = (held, operand)
            self.place(parts, operand, self.wanted[k].item)
            parts += 1
        for k in range(self.results):
            parts.data = cnp.PyArray_BYTES(results[k])
            parts.item, parts.gathered = cnp.PyArray_ITEMSIZE(results[k]), 0
            parts += 1
        return held

    cdef place(self, Moving* part, cnp.ndarray array, int item):
        part.data, part.item = cnp.PyArray_BYTES(array), item
        if not see(&part.view, array, self.ndim, self.sizes):
            given = tuple([cnp.PyArray_DIMS(array)[axis] for axis in range(array.ndim)])
            raise ValueError(f"the kernel was built for {self.shape}, not {given}")
        part.gathered = part.view.ndim > 1 or (part.view.ndim == 1 and part.view.strides[0] != item)

    # without the GIL ----------------------------------------------------------------------------

    cdef Py_ssize_t work_bytes(self) noexcept nogil:
        cdef Py_ssize_t tiles = 2 + self.slots + self.moving + self.arrays * CHUNK_TILES
        cdef Py_ssize_t pointers = 1 + self.moving + self.numbers + self.constant_count + self.slots
        return tiles * TILE_BYTES + (pointers + self.moving + 1) * <Py_ssize_t>sizeof(char*)

    cdef void run_range(self, char* numbers, Moving* parts, char* work, Py_ssize_t start,
                        Py_ssize_t stop) noexcept nogil:
        """Elements start .. stop, in chunks where an operand must be laid out first."""
        cdef char* pads = work + (2 + self.slots) * TILE_BYTES
        cdef char* chunks = pads + self.moving * TILE_BYTES
        cdef char** p = <char**>(chunks + self.arrays * CHUNK_TILES * TILE_BYTES)
        cdef Py_ssize_t tile = TILE_BYTES // self.width, chunk = stop - start, count
        cdef int j
        for j in range(self.arrays):
            if parts[j].gathered:
                chunk = CHUNK_TILES * tile
        self.fix_places(p, numbers, work)
        while start < stop:
            count = min(chunk, stop - start)
            self.run_chunk(p, parts, pads, chunks, start, count)
            start += count

    cdef void fix_places(self, char** p, char* numbers, char* work) noexcept nogil:
        cdef int j
        p[0] = work
        p += 1 + self.moving
        for j in range(self.numbers):
            p[j] = numbers + j * TILE_BYTES
        p += self.numbers
        for j in range(self.constant_count):
            p[j] = self.constants + j * TILE_BYTES
        p += self.constant_count
        for j in range(self.slots):
            p[j] = work + (2 + j) * TILE_BYTES

    cdef void run_chunk(self, char** p, Moving* parts, char* pads, char* chunks, Py_ssize_t start,
                        Py_ssize_t count) noexcept nogil:
        cdef Py_ssize_t* step = <Py_ssize_t*>(p + 1 + self.moving + self.numbers
                                              + self.constant_count + self.slots)
        cdef Py_ssize_t tile = TILE_BYTES // self.width, whole = count // tile, left = count % tile
        cdef Moving* part
        cdef int j
        for j in range(self.moving):
            part = &parts[j]
            step[1 + j] = tile * part.item
            p[1 + j] = part.data + start * part.item
            if part.gathered:
                p[1 + j] = chunks + j * CHUNK_TILES * TILE_BYTES
                gather(p[1 + j], &part.view, part.item, start, count)
        self.run_tiles(p, step, whole)
        if left == 0:
            return
        for j in range(self.arrays):
            pad(pads + j * TILE_BYTES, p[1 + j], parts[j].item, left, tile)
            p[1 + j] = pads + j * TILE_BYTES
        for j in range(self.arrays, self.moving):
            p[1 + j] = pads + j * TILE_BYTES
        self.run_tiles(p, step, 1)
        for j in range(self.arrays, self.moving):
            memcpy(parts[j].data + (start + whole * tile) * parts[j].item, pads + j * TILE_BYTES,
                   left * parts[j].item)

    cdef void run_tiles(self, char** p, const Py_ssize_t* step, Py_ssize_t tiles) noexcept nogil:
        if self.width == 4:
            run_tiles_f32(self.code, p, step, self.moving, tiles)
        else:
            run_tiles_f64(self.code, p, step, self.moving, tiles)


cdef bint ready(object operand, const Operand* wanted):
    """Whether the array can be read where it lies."""
    if type(operand) is not numpy_ndarray:
        return False
    return (<void*>cnp.PyArray_DESCR(operand) == wanted.descr
            and cnp.PyArray_FLAGS(operand) & cnp.NPY_ARRAY_ALIGNED)


cdef object converted(object operand, object dtype):
    array = numpy.asarray(operand)
    if array.dtype != dtype:
        raise TypeError(f"the kernel was built for {dtype}, not {array.dtype}")
    return array.astype(dtype)


cdef read_number(char* tile, object operand, const Operand* wanted, int width):
    """Fill a tile with a number: a 0-d or one-element array, or a Python number."""
    cdef double wide
    cdef float narrow
    cdef int64_t mask
    if wanted.truth:
        mask = -1 if operand else 0
        fill_tile(tile, <char*>&mask, width)
        return
    if ready(operand, wanted) and cnp.PyArray_SIZE(operand) == 1:
        fill_tile(tile, cnp.PyArray_BYTES(operand), wanted.item)
        return
    if type(operand) is float and (<object>wanted.descr).kind == "f":
        wide = operand
        narrow = wide
        fill_tile(tile, <char*>&wide if wanted.item == 8 else <char*>&narrow, wanted.item)
        return
    array = numpy.asarray(operand)
    if array.size != 1:
        raise ValueError(f"the kernel was built for one number, not {array.shape}")
    cdef bytes element = array.astype(<object>wanted.descr).tobytes()
    fill_tile(tile, element, wanted.item)

