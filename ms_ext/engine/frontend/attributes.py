"""``owner.name``: what an attribute of a tensor, an object, a module or a Cell is in graph mode."""

import ast
import types

from .. import errors, primitive
from ..ir import Node
from ..tensor import Tensor
from .asking import ask, is_object
from .operators import call_op, is_tensor
from .reading import evaluate, reads
from .values import BoundMethod, Choice, Closure, HostMethod, Place
from .words import KINDS, no_attribute

TEXT_METHODS = ("format", "lower", "upper")  # what fullgraph knows of texts


@reads(ast.Attribute)
def _attribute(frame, node):
    called = getattr(frame.current, "func", None) is node
    owner = evaluate(frame, node.value)
    frame.current = node
    return attribute(frame, owner, node.attr, called)


def attribute(frame, owner, name, called=False):
    """``owner.name``; ``called``: it is a method that is called at once."""
    if isinstance(owner, Node) and is_object(owner):
        if called:
            return HostMethod(name, owner)
        return ask(frame, getattr, [owner, name], pure=True)
    if is_tensor(owner):
        return _of_a_tensor(frame, owner, name)
    if isinstance(owner, Closure | Choice):
        raise errors.UnknownAttribute(f"A function in graph mode has no attribute {name!r}.")
    if frame.memory and (kept := frame.memory.get(Place(owner, name))) is not None:
        return kept
    if frame.reader.strict and type(owner) is str and name not in TEXT_METHODS:
        raise no_attribute(frame, owner, name)
    if type(owner) is dict and name == "has_key":
        return owner.__contains__
    try:
        return frame.reader.own(getattr(owner, name), frame.scope)
    except AttributeError as error:
        raise _unknown(frame, owner, name, error) from None


def _of_a_tensor(frame, owner, name):
    if name in ("shape", "dtype", "ndim", "size"):
        return getattr(owner.abstract if isinstance(owner, Node) else owner, name)
    if name == "T":
        return call_op(frame, primitive.slot_op("T"), (owner,), {})
    op = primitive.METHODS.get(name)
    if op is not None:
        return BoundMethod(op, owner)
    if hasattr(Tensor, name):
        if frame.varies(owner):
            return HostMethod(name, frame.node(owner))
        return getattr(owner, name)
    if isinstance(getattr(type(owner), name, None), property):  # a Parameter's name, say
        return getattr(owner, name)
    hint = errors.did_you_mean(name, [*primitive.METHODS, "shape", "dtype", "ndim", "size"])
    raise no_attribute(frame, owner, name, hint)


def _unknown(frame, owner, name, error):
    """The error for an attribute that a module, a Cell or an object has not."""
    if type(owner) in KINDS:
        return no_attribute(frame, owner, name)
    module = isinstance(owner, types.ModuleType)
    if isinstance(error, errors.MsExtError) and not module:
        return error
    word = f"Module '{owner.__name__}'" if module else f"'{type(owner).__name__}'"
    hint = getattr(error, "hint", None) or errors.did_you_mean(
        name, [each for each in dir(owner) if not each.startswith("_")]
    )
    return errors.UnknownAttribute(f"{word} object has no attribute '{name}'", hint=hint)
