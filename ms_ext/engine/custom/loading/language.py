"""Which language is a source text written in? Told by what only that language has.

>>> language('extern "C" int f(int n, void **p) { return 0; }')
'c++'
>>> language("int f(int n, void **p) { return 0; }")
'c'
>>> language("def f(double[:] x):\\n    return x"), language("def f(x):\\n    return x * x")
('cython', 'python')
"""

import ast
import re

_CXX = re.compile(
    r'extern\s*"C"|\b(?:std|AscendC)::|\btemplate\s*<|\bnamespace\b|\bclass\s+\w+[^;(]*\{'
    r"|\b(?:static|reinterpret|const)_cast\s*<|\b(?:auto|constexpr|nullptr|using)\b"
    r"|#\s*include\s*<(?!\w+\.h>)[\w/.]+>"
)
_GUARDED = re.compile(r"#\s*ifdef\s+__cplusplus.*?#\s*endif", re.S)
_C = re.compile(
    r"^\s*#\s*(?:include|define|pragma|if)|[;{}]\s*(?://.*)?$|__global__|\bvoid\b", re.M
)
_CYTHON = re.compile(r"^\s*(?:cdef|cpdef|cimport|from\s+[\w.]+\s+cimport|ctypedef)\b", re.M)
_PURE = re.compile(r"^\s*(?:import cython|from cython\b|# *cython:|#! *cython)", re.M)
_DEF = re.compile(r"^\s*def\s+\w+\s*\(", re.M)
ENDINGS = {"c++": ".cc", "c": ".c", "cython": ".pyx", "python": ".py"}


def language(text):
    """ "c", "c++", "cython" or "python"; None if it looks like none of them."""
    if _CYTHON.search(text) or _PURE.search(text):
        return "cython"
    if _DEF.search(text):
        return "python" if _parses(text) else "cython"
    if not _C.search(text):
        return None
    return "c++" if _CXX.search(_GUARDED.sub("", text)) else "c"


def _parses(text):
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True
