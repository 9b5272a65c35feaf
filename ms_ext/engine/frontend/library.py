"""Which functions does compiled code call instead of reading? Those of Python's standard library.

Some of them only answer: they may be asked again, which is how a gradient goes through them.
"""

import builtins
import os

from .. import errors

_LIBRARY = os.path.dirname(os.__file__) + os.sep
_PACKAGES = (os.sep + "site-packages" + os.sep, os.sep + "dist-packages" + os.sep)


def is_standard(function):
    """Whether a Python function stands in the standard library, and wraps none of the learner's.

    >>> is_standard(os.getenv), is_standard(os.path.join), is_standard(is_standard)
    (True, True, False)
    """
    file = function.__code__.co_filename
    if not file.startswith((_LIBRARY, "<frozen ")) or hasattr(function, "__wrapped__"):
        return False
    return not any(part in file for part in _PACKAGES)


def is_learners(function):
    """Whether a Python function is neither the library's, nor of an installed package, nor ours.

    >>> is_learners(os.getenv), is_learners(is_learners)
    (False, False)
    """
    file = function.__code__.co_filename
    if file.startswith((_LIBRARY, "<frozen ")) or errors.inside(file):
        return False
    return not any(part in file for part in _PACKAGES)


_BUILTINS = frozenset((
    "abs", "all", "any", "bool", "callable", "dict", "divmod", "enumerate", "filter", "float",
    "format", "getattr", "hasattr", "int", "isinstance", "len", "list", "map", "max", "min", "pow",
    "range", "repr", "reversed", "round", "slice", "sorted", "str", "sum", "tuple", "type", "zip",
))  # fmt: skip
#: Modules all of whose functions only answer.
_ANSWERING = frozenset(("copy", "functools", "itertools", "math", "statistics"))
_CHANGING = frozenset((
    "delitem", "iadd", "iand", "iconcat", "ifloordiv", "ilshift", "imatmul", "imod", "imul", "ior",
    "ipow", "irshift", "isub", "itruediv", "ixor", "setitem",
))  # fmt: skip


def only_answers(callee):
    """Whether a call does nothing but answer, so that it may be repeated for a gradient.

    >>> only_answers(sorted), only_answers(os.getenv)
    (True, False)
    """
    known = callee if hasattr(callee, "__name__") else type(callee)
    module, name = (getattr(known, "__module__", None) or "").lstrip("_"), known.__name__
    if module == "builtins":
        return name in _BUILTINS and getattr(builtins, name) is callee
    return module in _ANSWERING or (module == "operator" and name not in _CHANGING)
