"""How does one op run by its ``compute``? With as little around it as its operand types allow.

The meaning is that of ``primitive.compute_cast``; constants were cast when the graph was planned,
and a ufunc on operands that need no cast is called as it is. Everything is remembered by op and
types.
"""

import functools
import operator

import numpy as np

from .. import primitive
from ..infer import AbstractTensor, AbstractTuple, remembered
from ..ir import ValueNode

_KNOWN: dict = {}
_abstract = operator.attrgetter("abstract")


def computing(node, has_constants):
    """``(f, kinds)``: what computes ``node``, and the dtypes its constants are cast to."""
    key = (node.primitive, *map(_abstract, node.inputs))
    if has_constants:
        key += tuple([type(used) is ValueNode for used in node.inputs])
    try:
        if node.attrs:
            key += (*node.attrs.items(), *map(type, node.attrs.values()))  # 1, 1.0 and True differ
        found = _KNOWN.get(key)
    except TypeError:  # an attribute that cannot be hashed
        return _computing(node)
    if found is None:
        found = remembered(_KNOWN, key, _computing(node))
    return found


def _computing(node):
    compute, attrs = node.primitive.compute, node.attrs
    return around(functools.partial(compute, **attrs) if attrs else compute, node)


def around(f, node):
    """``f`` with the casts of operands and results that the node's types need, and ``kinds``."""
    abstracts = tuple([used.abstract for used in node.inputs])
    kinds = tuple([d.numpy for d in primitive.operand_dtypes(node.primitive, abstracts)])
    casts = tuple([_cast_of(used, kind) for used, kind in zip(node.inputs, kinds, strict=True)])
    return _wrapped(f, casts if any(casts) else None, node.abstract), kinds


def _cast_of(used, kind):
    """The dtype an operand is cast to when the graph runs; None where there is nothing to do."""
    abstract = used.abstract
    ready = type(used) is ValueNode or (not abstract.weak and abstract.dtype.numpy is kind)
    return None if ready else kind


def _wrapped(f, casts, out):
    if isinstance(out, AbstractTuple):
        return lambda *arrays: tuple(map(np.asarray, f(*_cast(arrays, casts))))
    if casts is None and isinstance(f, np.ufunc) and out.shape != ():
        return f
    kind = out.dtype.numpy if isinstance(out, AbstractTensor) else None
    if casts is None:
        return lambda *arrays: np.asarray(f(*arrays), kind)
    return lambda *arrays: np.asarray(f(*_cast(arrays, casts)), kind)


def cast(value, kind):
    """A value as an array of a dtype."""
    return np.asarray(value).astype(kind, copy=False)


def _cast(arrays, casts):
    if casts is None:
        return arrays
    return [a if kind is None else cast(a, kind) for a, kind in zip(arrays, casts, strict=True)]
