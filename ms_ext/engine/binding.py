"""How do a call's arguments bind to an op's operands and attributes?"""

from .. import dtype as dtypes
from . import errors
from .declaration import REQUIRED
from .dims import Dim


def prepare(op, args, kwargs):
    """What a call means: ``(operands, attributes)``, or a Primitive if no operand was given."""
    if args and not _only_attributes(op, args):
        return bind(op, args, kwargs)
    if op.arity == 0 and not args and not kwargs and op.defaults is None:
        return op  # ops.Zeros(): the primitive, to be called with its attributes
    if op.arity == 0 or (not args and kwargs.keys() & set(op.operand_names)):
        return bind(op, args, kwargs)
    kwargs = _own_names(op, kwargs)
    names = [key for key, _ in op.attributes]
    given = dict(zip(op.constructor or names, args, strict=False)) | kwargs
    if not given.keys() <= set(names):
        raise misfit(op, args, kwargs)
    return Primitive(op, given) if given else op


def _only_attributes(op, args):
    """``ops.Softmax(-1)``: plain values, no more than there are attributes, and no tensor."""
    if op.arity == 0 or op.arity is None and isinstance(args[0], tuple | list):
        return False
    return len(args) <= len(op.attributes) and all(map(_is_plain, args))


def _is_plain(value):
    if isinstance(value, tuple | list):
        return all(map(_is_plain, value))
    return isinstance(value, int | float | str | dtypes.DType | Dim | None)


class Primitive:
    """An op with some attributes fixed, called with operands later: ``ops.Softmax(-1)``."""

    def __init__(self, op, attributes):
        self.op, self.attributes, self.name = op, attributes, op.name
        self.__name__ = op.name

    def __call__(self, *args, **more):
        more = _own_names(self.op, more)
        operands, extra = split(self.op, args, more)
        free = [key for key, _ in self.op.attributes if key not in self.attributes]
        if len(extra) > len(free):
            raise misfit(self.op, args, self.attributes | more)
        given = self.attributes | dict(zip(free, extra, strict=False)) | more
        return self.op(*((operands,) if self.op.arity is None else operands), **given)

    def __repr__(self):
        shown = ", ".join(f"{k}={v!r}" for k, v in self.attributes.items())
        return f"{self.name}({shown})"


# MindSpore has several words for one thing, from function to function.
_SYNONYMS = {
    "input": "x", "input_x": "x", "other": "y", "dim": "axis", "keepdim": "keep_dims",
    "keepdims": "keep_dims", "shape": "size",
}  # fmt: skip


def _own_names(op, kwargs):
    """Keyword arguments under the op's own names: ``dim`` is ``axis``, ``input`` is ``x``."""
    if not kwargs.keys() & _SYNONYMS.keys():
        return kwargs
    known = {*op.operand_names, *(key for key, _ in op.attributes)}
    return {k if k in known else _SYNONYMS.get(k, k): v for k, v in kwargs.items()}


def bind(op, args, kwargs):
    """Which arguments are operands, which attributes: ``(operands, attributes)``, all given.

    Further positional arguments fill the attributes in order; several integers where one is
    left are one tuple (``x.reshape(2, 3)``). A variadic op takes a tuple, a list, or the operands.
    """
    kwargs = dict(_own_names(op, kwargs))
    operands, extra = split(op, args, kwargs)
    names = [key for key, _ in op.attributes]
    free = [key for key in names if key not in kwargs]
    if len(extra) > len(free) == 1 and all(type(e) in (int, Dim) for e in extra):
        extra = (tuple(extra),)
    if len(extra) > len(free) or not kwargs.keys() <= set(names):
        raise misfit(op, args, kwargs)
    given = dict(zip(free, extra, strict=False)) | kwargs
    attributes = {key: _plain(given.get(key, default)) for key, default in op.attributes}
    if any(value is REQUIRED for value in attributes.values()):
        raise misfit(op, args, kwargs)
    return operands, attributes


def _plain(value):
    return tuple(value) if type(value) is list else value


def split(op, args, kwargs):
    """The operands, and the positional arguments after them; takes operands out of ``kwargs``."""
    if op.arity is None:
        packed = len(args) > 0 and isinstance(args[0], tuple | list)
        return (tuple(args[0]), args[1:]) if packed else (args, ())
    operands, extra = args[: op.arity], args[op.arity :]
    missing = op.operand_names[len(operands) :]
    if missing:
        try:
            operands += tuple(kwargs.pop(key) for key in missing)
        except KeyError:
            raise misfit(op, args, kwargs) from None
    return operands, extra


def misfit(op, args, kwargs):
    """The error for a call that does not fit the op, with the call and the op's signature."""
    most = len(op.operand_names) + len(op.attributes)
    counted = not kwargs and not len(op.operand_names) <= len(args) <= most
    count = (
        f" The parameters number of the function is {most}, but the number of provided arguments "
        f"is {len(args)}."
    )
    shown = [kind(a) for a in args] + [f"{k}={kind(v)}" for k, v in kwargs.items()]
    return errors.InvalidType(
        f"For '{op.name}', the arguments do not fit.{count * counted}",
        given=f"({', '.join(shown)})",
        hint=f"It takes {signature(op)}.",
    )


def kind(value):
    """How an argument is shown in an error: ``Tensor[2, 3]``, ``'a'``, ``2``."""
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple):
        return f"{type(value).__name__}{list(shape)}"
    return f"{value!r:.30}" if isinstance(value, int | float | str | None) else type(value).__name__


def signature(op):
    """An op's call, as a reader writes it: ``reshape(x, shape)``."""
    operands = ["(x, y, ...)"] if op.arity is None else list(op.operand_names)
    attributes = [k if v is REQUIRED else f"{k}={v!r}" for k, v in op.attributes]
    plain = [n for n in op.names if "." not in n]
    return f"{plain[0] if plain else op.name}({', '.join(operands + attributes)})"
