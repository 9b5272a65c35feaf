# cflags: -DNPY_NO_DEPRECATED_API=NPY_1_7_API_VERSION -Wno-cpp
# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, c_api_binop_methods=True
"""What a Tensor is, compiled: storage, dispatch and tape; no op is known here by name.

The same names and the same meaning as ms_ext.engine.tensor_reference, which is the readable twin.
One compilation unit, read in this order: state (per thread), storage (bytes, views, arrays), class
(the Tensor), loops (elementwise kernels), op (what a call does), tape (gradients), held (what they
cost), operators, call (how a compiled function is called).
"""

cimport cython
cimport numpy as cnp
from cpython.exc cimport PyErr_NoMemory
from cpython.buffer cimport PyBUF_FORMAT, PyBUF_ND, PyBUF_STRIDES
from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Realloc
from cpython.object cimport PyObject, PyTypeObject
from cpython.ref cimport Py_CLEAR, Py_DECREF, Py_INCREF, Py_XDECREF, Py_XINCREF
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy, memset

import contextvars

import numpy as np

from ms_ext import dtype as dtypes
from ms_ext.engine import arrays, errors, operands, tensor_methods

cnp.import_array()

include "tensor_state.pxi"
include "tensor_storage.pxi"
include "tensor_views.pxi"
include "tensor_class.pxi"
include "tensor_loops.pxi"
include "tensor_op.pxi"
include "tensor_tape.pxi"
include "tensor_unseen.pxi"
include "tensor_walk.pxi"
include "tensor_again.pxi"
include "tensor_aside.pxi"
include "tensor_held.pxi"
include "tensor_operators.pxi"
include "tensor_call.pxi"
include "tensor_setup.pxi"
