"""Functions that are made of ops: which names they have, and what happens when they are called.

A composite is a plain Python function. In graph mode it runs on symbols, so it may look at shapes
and attributes but not at elements.

>>> @composite("doubled", "Tensor.doubled")
... def doubled(x):
...     return x + x
>>> Tensor([1.0]).doubled()
Tensor(shape=[1], dtype=Float32, value= [ 2.00000000e+00])
"""

import functools
import importlib
import inspect

from ..engine import errors, primitive
from ..engine.later import Table
from ..engine.tensor import core

COMPOSITES = Table()  # "max", "mint.max", "Tensor.max" -> function


def composite(*names):
    """Enter a function under ``names``; "Tensor.x" makes it a method, "mint.x" shows it in mint."""

    def enter(plain):
        function = plain if isinstance(plain, type) else _naming(names[0], plain)
        COMPOSITES.update(dict.fromkeys(names, function))
        methods = {n.removeprefix("Tensor."): function for n in names if n.startswith("Tensor.")}
        primitive.METHODS.update(methods)
        core.install(methods)
        return function

    return enter


def _naming(name, function):
    """The function, with errors that begin with its name, as those of ops do."""
    shown = name.removeprefix("Tensor.")

    @functools.wraps(function)
    def named(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except errors.MsExtError as error:
            raise error.named(shown) from None
        except AttributeError as error:
            raise _no_tensor(shown, function, error, args, kwargs) or error from None

    return named


def _no_tensor(name, function, error, args, kwargs):
    """The error of an argument that was asked what only a tensor knows; None if it was not one."""
    given = inspect.signature(function).bind(*args, **kwargs).arguments
    asked = [word for word, value in given.items() if value is error.obj]
    if not asked or not hasattr(core.Tensor, error.name):
        return None
    return errors.InvalidType(
        f"For '{name}', the '{asked[0]}' must be a Tensor, but got '{type(error.obj).__name__}'.",
        hint="Make one of it: Tensor(...).",
    )


def promise(declared, importing):
    """Say what functions are in modules not imported yet: {module: {"functions": names}}."""
    for module, kinds in declared.items():
        COMPOSITES.promise(dict.fromkeys(kinds["functions"], module), importing)
        primitive.promise_methods(kinds["functions"], module, importing)


def shown(prefix, name):
    """What a module shows under a name: an op or a composite; None if there is none.

    >>> shown("mint.", "add").name
    'AddExt'
    """
    found = COMPOSITES.get(prefix + name)
    return primitive.NAMES.get(prefix + name) if found is None else found


def names(prefix):
    """The names that a module shows: every one that is ``prefix`` and one word.

    >>> "add" in names("mint."), "mint.add" in names("")
    (True, False)
    """
    every = {*primitive.NAMES.names(), *COMPOSITES.names()}
    return sorted(
        name.removeprefix(prefix)
        for name in every
        if name.startswith(prefix) and "." not in name.removeprefix(prefix)
    )


def showing(module, own, modules=()):
    """``__getattr__`` and ``__dir__`` of a module that shows the names of a prefix, its own name.

    ``own``: its globals; ``modules``: the modules below it.
    """
    prefix = f"{module}."

    def get(name):
        if name == "__all__":
            return listed()
        if name in modules:
            return importlib.import_module(f"ms_ext.{prefix}{name}")
        found = shown(prefix, name)
        if found is None:
            hint = errors.did_you_mean(name, listed())
            raise errors.UnknownAttribute(f"{module} has no {name!r}.", hint=hint)
        return own.setdefault(name, found)

    def listed():
        return names(prefix)

    return get, listed


@composite("partial")
def partial(func, *args, **kwargs):
    """``func`` with its first arguments given: ``functools.partial``.

    >>> ops.partial(max, 3)(1, 5)
    5
    """
    return functools.partial(func, *args, **kwargs)


@composite("Tensor.copy")
def copy(x):
    """A tensor of its own memory with the same elements.

    >>> a = Tensor([1.0, 2.0])
    >>> b = a.copy()
    >>> b[0] = 9.0
    >>> a
    Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])
    """
    return x & x if x.dtype.kind == "bool" else x * 1


@composite("Tensor.init_data")
def init_data(x, slice_index=None, shape=None, opt_shard_group=None):
    """The tensor itself, initialised: before, ``print`` says ``<uninitialized>``.

    The numbers were drawn when the tensor was made; ``repr`` and whatever reads them, an op or
    ``asnumpy``, initialises it too.

    >>> x = ms.common.initializer.initializer("ones", (2,))
    >>> print(x)
    Tensor(shape=[2], dtype=Float32, value=<uninitialized>)
    >>> print(x.init_data())
    [1. 1.]
    """
    if getattr(x, "has_init", False):
        x.asnumpy()
    return x


partial.of_values = True  # in a graph too: it does not calculate


def __getattr__(name):
    """``mindspore.ops.composite`` shows names of ops: GradOperation and the like."""
    if name.startswith("__"):
        raise AttributeError(name)
    from .. import ops

    return getattr(ops, name)
