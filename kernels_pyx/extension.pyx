# cflags: -std=c++17 -DNPY_NO_DEPRECATED_API=NPY_1_7_API_VERSION -Wno-cpp
# language: c++
# cython: language_level=3, boundscheck=False, wraparound=False
"""How do C++ operators share the four stages with Python's calls? The engine's side of bridge.h.

* ``Lanes``: the queues of one pipeline; C++ tasks are run in them without the GIL
* ``Queue``, ``Progress``: what ms_ext.engine.stages sees of a lane
* ``Promise``: owns a tensor's result that is still to come
* ``bridge``: the table of functions that an operator's library fetches
"""

cimport numpy as cnp
from cpython.object cimport PyObject
from cpython.pycapsule cimport PyCapsule_New
from cpython.ref cimport Py_DECREF, Py_INCREF, Py_XDECREF
from libc.stdint cimport int64_t
from libc.stdlib cimport free
from libc.string cimport memset
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from ms_ext.kernels.tensor cimport (
    Storage, Tensor, go_asynchronous, is_recording, launched_by, share, take_bytes, take_promise,
)

cnp.import_array()

include "extension_cpp.pxi"
include "extension_lanes.pxi"
include "extension_values.pxi"
include "extension_calls.pxi"
include "extension_bridge.pxi"
