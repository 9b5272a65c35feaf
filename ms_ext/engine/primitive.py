"""What is an op, and who decides what calling one means?

``@op`` turns a class body into an Op of the chosen core and enters its names. A call goes to the
innermost interpreter of this thread, if there is one; ``core.default`` lets the op really run.

>>> import numpy as np
>>> @op(names=("twice",))
... class Twice:
...     def compute(x):
...         return x + x
>>> Twice(np.float32([1, 2]))
Tensor(shape=[2], dtype=Float32, value= [ 2.00000000e+00,  4.00000000e+00])
>>> with interpreting(lambda op, operands, attributes: f"saw {op.name}"):
...     Twice(3.0)
'saw Twice'
"""

import numpy as np

from .. import dtype as dtypes
from . import declaration, errors, registry
from .binding import Primitive, bind, prepare
from .declaration import REQUIRED
from .later import LaterMethod, Table
from .operands import cast_dtypes
from .tensor import core

__all__ = [
    "METHODS", "NAMES", "OPS", "REQUIRED", "SLOTS", "Op", "Primitive", "bind", "compute_cast",
    "declared_again", "declared_in", "default", "generation", "interpreting", "on_fallback", "op",
    "operand_dtypes", "slot_op",
]  # fmt: skip

Op = core.Op
default = core.default

# Python's operators, and what else of the language can mean an op. The list is closed: a new op may
# take a slot, but no new slot can be made. Class attribute on the right: how Python calls it.
SLOTS = {
    "+": "__add__", "-": "__sub__", "*": "__mul__", "/": "__truediv__", "//": "__floordiv__",
    "%": "__mod__", "**": "__pow__", "@": "__matmul__", "&": "__and__", "|": "__or__",
    "^": "__xor__", "<<": "__lshift__", ">>": "__rshift__", "==": "__eq__", "!=": "__ne__",
    "<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__", "neg": "__neg__",
    "abs": "__abs__", "invert": "__invert__", "getitem": "__getitem__", "setitem": "__setitem__",
    "T": "T",
}  # fmt: skip

OPS = Table()  # "Add" -> Op
NAMES = Table()  # "add", "mint.add", "Tensor.add" -> Op
METHODS = Table()  # Tensor method -> Op
_filled: dict = {}  # slot -> Op
_generation = 0


def op(names=(), operands=None, slot=(), same_as=None):
    """Declare an op: its class body is data (see ``declaration``), the result is the Op.

    ``names``: "add" (function), "Tensor.add" (method), "mint.add". ``operands``: "promote" (to the
    common dtype), "float" (the same, and integers become Float32), "as given", or a tuple of these.
    ``slot``: Python operators. ``same_as``: a primitive whose rules hold where none are given.
    """

    def declare(body):
        slots = (slot,) if isinstance(slot, str) else tuple(slot)
        fields = declaration.read(
            dict(vars(body)), body.__name__, tuple(names), operands, slots, same_as
        )
        return _enter(core.register(fields))

    return declare


def _enter(new):
    """Put an op in the tables; the same module may declare it again, and the later one counts."""
    old = dict.get(OPS, new.name)
    if old is not None and old.module != new.module:
        raise errors.InvalidValue(
            f"The op {new.name!r} is declared twice.",
            given=f"in {old.module} and in {new.module}",
            hint="Give one of them another name.",
        )
    OPS[new.name] = new
    NAMES.update(dict.fromkeys(new.names, new))
    methods = {n.removeprefix("Tensor."): new for n in new.names if n.startswith("Tensor.")}
    METHODS.update(methods)
    core.install(methods)
    for slot in new.slots:
        _fill(slot, new)
    if old is not None:
        declared_again()
    return new


def _fill(slot, new):
    if slot not in SLOTS:
        raise errors.InvalidValue(
            f"There is no operator {slot!r}.", hint=errors.did_you_mean(slot, SLOTS)
        )
    _filled[slot] = new
    core.fill_slot(slot, new)


def slot_op(slot):
    """The op behind a Python operator.

    >>> slot_op("+").name  # doctest: +SKIP
    'Add'
    """
    try:
        return _filled[slot]
    except KeyError:
        raise errors.InvalidType(f"No op stands behind the operator {slot!r}.") from None


def promise(declared, importing):
    """Say what ops are declared in modules that are not imported yet.

    ``declared``: {module: {"ops": class names, "names": names such as "mint.add"}}.
    """
    for module, kinds in declared.items():
        OPS.promise(dict.fromkeys(kinds["ops"], module), importing)
        NAMES.promise(dict.fromkeys(kinds["names"], module), importing)
        promise_methods(kinds["names"], module, importing)


def promise_methods(names, module, importing):
    """The methods among names, "Tensor.sort", are declared in a module that is not imported yet."""
    methods = [n.removeprefix("Tensor.") for n in names if n.startswith("Tensor.")]
    METHODS.promise(dict.fromkeys(methods, module), importing)
    core.install({name: LaterMethod(name, METHODS) for name in methods})


def generation():
    """A number that grows when an op is declared again, so that caches can tell."""
    return _generation


def declared_again():
    """Another Op stands for what had one: graphs that were compiled with that are out of date."""
    global _generation
    registry.declared()
    _generation += 1


def named(name):
    """The Op of a class name; what pickled ops are rebuilt with."""
    if name not in OPS:
        raise errors.InvalidValue(f"There is no op {name!r}.", hint=errors.did_you_mean(name, OPS))
    return OPS[name]


def on_fallback(listener):
    """Have ``listener(op)`` called whenever NumPy computes because no compiled loop fits."""
    return core.set_fallback_listener(listener)


class interpreting:
    """Within the block ``f(op, operands, attributes)`` decides what this thread's op calls mean."""

    def __init__(self, f):
        self.f = f

    def __enter__(self):
        core.push_interpreter(self.f)
        return self.f

    def __exit__(self, *_error):
        core.pop_interpreter()


def operand_dtypes(op, abstracts):
    """The dtype each operand is cast to before ``compute``, by the op's rule (see ``operands``).

    Python numbers among themselves keep Python's precision.
    """
    if abstracts and all(a.weak for a in abstracts):
        return _number_dtypes(op, abstracts)
    return cast_dtypes(op.operands, [a.dtype.kind if a.weak else a.dtype for a in abstracts])


def _number_dtypes(op, abstracts):
    rules = (op.operands,) * len(abstracts) if isinstance(op.operands, str) else op.operands
    widest = max((a.dtype for a in abstracts), key=lambda d: ("bool", "int", "float").index(d.kind))
    common = {"promote": widest, "float": dtypes.float64}
    return tuple([common.get(rule, a.dtype) for rule, a in zip(rules, abstracts, strict=True)])


def compute_cast(op, in_abstracts, out_abstract, attributes):
    """``f(*arrays)``: cast by the op's rule, ``compute``, arrays of the inferred dtype."""
    wanted = operand_dtypes(op, in_abstracts)
    plain = all(not a.weak and a.dtype is w for a, w in zip(in_abstracts, wanted, strict=True))
    compute, kinds = op.compute, tuple(w.numpy for w in wanted)
    out = out_abstract.dtype.numpy if hasattr(out_abstract, "dtype") else None

    def run(*arrays):
        if not plain:
            arrays = tuple(
                np.asarray(a).astype(k, copy=False) for a, k in zip(arrays, kinds, strict=True)
            )
        result = compute(*arrays, **attributes)
        return np.asarray(result, out) if out is not None else tuple(map(np.asarray, result))

    return run


def declared_in(module):
    """Names an ``ops`` module shows: plain functions and class names of the ops declared in it."""
    mine = {n: o for n, o in OPS.items() if o.module == module}
    return mine | {n: o for n, o in NAMES.items() if "." not in n and o.module == module}


core.configure(prepare=prepare, named=named)
