"""What does a C++ name say? `_Z5scalePfl` is `scale(float*, long)`: the arguments are part of it.

The rules are the compiler's, and long; the C++ library of the system knows them. Without one, the
name alone is told, which `clinic.plain_name` reads.
"""

import ctypes
import functools

from . import clinic

_LIBRARIES = ("libstdc++.so.6", "libc++abi.so.1", "libc++.1.dylib")
_LONGEST = 1000  # the library goes as deep as a name does


def demangled(symbol):
    """A symbol as it stands in a C++ source; a C name is what it is.

    >>> demangled("my_mul")
    'my_mul'
    >>> demangled("_Z6my_muli").partition("(")[0]
    'my_mul'
    """
    if not symbol.startswith("_Z"):
        return symbol
    return _asked(symbol) or f"{clinic.plain_name(symbol) or symbol}(...)"


def _asked(symbol):
    """What the system's C++ library answers, or None."""
    function, free = _library()
    if function is None or len(symbol) > _LONGEST:
        return None
    status = ctypes.c_int()
    found = function(symbol.encode(), None, None, ctypes.byref(status))
    if not found:
        return None
    try:
        return ctypes.string_at(found).decode("utf-8", "replace")
    finally:
        free(found)


@functools.cache
def _library():
    """(the function of the C++ library, free), or (None, None) where there is none."""
    for name in _LIBRARIES:
        try:
            function = getattr(ctypes.CDLL(name), "__cxa_demangle")
        except (OSError, AttributeError):
            continue
        function.restype = ctypes.c_void_p
        function.argtypes = (ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
        free = ctypes.CDLL(None).free
        free.restype, free.argtypes = None, (ctypes.c_void_p,)
        return function, free
    return None, None
