# cflags: -std=c++17 -D_GLIBCXX_USE_CXX11_ABI=0 -DNPY_NO_DEPRECATED_API=NPY_1_7_API_VERSION -Wno-cpp
# language: c++
# cython: language_level=3, boundscheck=False, wraparound=False
"""How is a kernel of a library called, whatever it does? The border to other people's C and C++.

A kernel gets pointers and says 0, or it says another number, or it throws: a number and a text come
back here and become the error that the caller's ``failed(code, text)`` makes.

* ``Layout``: shapes and dtypes as a kernel reads them
* ``Extra``: the AotExtra of one kernel: attributes, workspaces, the kernel's own data
* ``Call``: one kernel for inputs of one kind, called with arrays
* ``Shortcut``: the same for tensors of a kind that has been called before, with nothing in between
"""

cimport numpy as cnp
from cpython.bytes cimport PyBytes_AS_STRING
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp
from libcpp cimport bool as cbool
from libcpp.map cimport map as cmap
from libcpp.string cimport string
from libcpp.vector cimport vector

from ms_ext.kernels.tensor cimport Tensor, at_rest, share, unfilled

cnp.import_array()

include "border_extra.pxi"
include "border_call.pxi"
include "border_shortcut.pxi"
