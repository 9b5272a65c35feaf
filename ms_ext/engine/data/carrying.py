"""How does a function of a notebook get into another Python? By value: its code and what it uses.

Pickle sends a function as its module's and its own name. That is enough for what lies in a file; a
function of a notebook, a lambda, or a class inside a function has no name that the other Python
could look up, so its code is sent, with its defaults, the values of its closure and those global
names that it uses.

>>> import pickle
>>> factor = 3
>>> pickle.loads(dumps(lambda x: x * factor))(2)
6
"""

import builtins
import dis
import importlib
import io
import marshal
import pickle
import sys
import types

from .. import errors

_HIDDEN = {"__dict__", "__weakref__", "__module__", "__firstlineno__", "__static_attributes__"}


def dumps(value):
    """``value`` as bytes for ``pickle.loads`` in another Python of the same version."""
    sink = io.BytesIO()
    try:
        _Carrier(sink, protocol=5).dump(value)
    except (pickle.PicklingError, TypeError, AttributeError, ValueError, RecursionError) as error:
        raise errors.NotRunnable(
            f"The dataset cannot be sent to a worker process: {error}",
            hint="Threads need nothing sent: python_multiprocessing=False, or one worker.",
        ) from error
    return sink.getvalue()


class _Carrier(pickle.Pickler):
    """Pickle, with values in place of names that mean nothing elsewhere."""

    def reducer_override(self, value):
        if isinstance(value, types.ModuleType):
            return importlib.import_module, (value.__name__,)
        if isinstance(value, types.FunctionType) and not _found_by_name(value):
            return _function_by_value(value)
        if isinstance(value, type) and not _found_by_name(value):
            return _class_by_value(value)
        if isinstance(value, staticmethod | classmethod):
            return type(value), (value.__func__,)
        if isinstance(value, property):
            return property, (value.fget, value.fset, value.fdel, value.__doc__)
        return NotImplemented


def _found_by_name(value):
    """Whether the other Python finds it as module and name: not what __main__ or a cell holds."""
    if value.__module__ == "__main__":
        return False
    found = sys.modules.get(value.__module__)
    for part in value.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is value or value.__module__ == builtins.__name__


def _function_by_value(function):
    code = function.__code__
    names = sorted(_names_of(code))
    state = {
        "globals": {n: function.__globals__[n] for n in names if n in function.__globals__},
        "closure": [_content(cell) for cell in function.__closure__ or ()],
        "defaults": function.__defaults__,
        "kwdefaults": function.__kwdefaults__,
        "attributes": function.__dict__,
        "module": function.__module__,
        "qualname": function.__qualname__,
    }
    made = (marshal.dumps(code), function.__name__, function.__module__)
    return _empty_function, made, state, None, None, _fill_function


def _names_of(code):
    """The global names that a function's code and the code inside it use."""
    read = ("LOAD_GLOBAL", "LOAD_NAME")  # co_names has the names of attributes, too
    names = {step.argval for step in dis.get_instructions(code) if step.opname in read}
    inner = [each for each in code.co_consts if isinstance(each, types.CodeType)]
    return names.union(*map(_names_of, inner))


def _content(cell):
    try:
        return (cell.cell_contents,)
    except ValueError:  # a name that has no value yet
        return ()


_globals: dict = {}  # module name -> the global names of its functions that were sent here


def _empty_function(code, name, module):
    code = marshal.loads(code)
    names = _globals.setdefault(module, {"__builtins__": builtins, "__name__": module})
    cells = tuple(types.CellType() for _ in code.co_freevars)
    return types.FunctionType(code, names, name, None, cells)


def _fill_function(function, state):
    function.__globals__.update(state["globals"])
    for cell, content in zip(function.__closure__ or (), state["closure"], strict=True):
        if content:
            (cell.cell_contents,) = content
    function.__defaults__, function.__kwdefaults__ = state["defaults"], state["kwdefaults"]
    function.__dict__.update(state["attributes"])
    function.__module__, function.__qualname__ = state["module"], state["qualname"]


def _class_by_value(kind):
    content = {name: each for name, each in vars(kind).items() if name not in _HIDDEN}
    for name in kind.__dict__.get("__slots__", ()):
        content.pop(name, None)  # made anew by __slots__
    made = (type(kind), kind.__name__, kind.__bases__, kind.__module__)
    slots = {name: content.pop(name) for name in ["__slots__"] if name in content}
    return _empty_class, (*made, slots), content, None, None, _fill_class


def _empty_class(meta, name, bases, module, slots):
    return meta(name, bases, {"__module__": module, **slots})


def _fill_class(kind, content):
    for name, value in content.items():
        setattr(kind, name, value)
