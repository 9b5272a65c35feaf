/* What lies in a NumPy array, without NumPy's headers.

   NumPy's accessor macros compile these offsets into every extension module, so they are part of
   its stable ABI. fused.pyx compares them with __array_interface__ when it is imported, all the
   same. */

#include <Python.h>

typedef struct {
    PyObject_HEAD
    char* data;
    int nd;
    Py_ssize_t* dimensions;
    Py_ssize_t* strides;
    PyObject* base;
    PyObject* descr;
    int flags;
} NumpyArray;

enum { ARRAY_C_CONTIGUOUS = 0x0001, ARRAY_ALIGNED = 0x0100, ARRAY_WRITEABLE = 0x0400 };
