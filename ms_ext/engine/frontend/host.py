"""Methods that the running graph calls: those of Objects, and of tensors in Python's hands.

What a method does to an Object is not known, but by the names of those that change it: from there
on, what changed it stands for the object.
"""

import operator as python

from .. import primitive
from ..ir import Node
from ..tensor import Tensor
from .asking import ask, ask_number, is_object, is_surely_tensor
from .containers import CHANGING
from .values import mapped
from .words import no_attribute

#: Methods of a dict whose answer is gone through.
_VIEWS = frozenset(("items", "keys", "values"))


def call_host(frame, method, args, kwargs):
    """What a method gives that only a Tensor of a running program has, or a method of an Object."""
    owner, name = method.owner, method.name
    if is_object(owner):
        return _call_object(frame, owner, name, args, kwargs)
    if name == "item" and not args:
        number = {"bool": bool, "float": float}.get(owner.dtype.kind, int)
        return ask_number(frame, _method, [owner, name], number)
    if frame.reader.strict:
        raise no_attribute(frame, owner, name)
    return ask(frame, _method, [owner, name, *args], kwargs)


def _call_object(frame, owner, name, args, kwargs):
    """A method of an Object; ``add_`` makes another tensor, which has a gradient, of a tensor."""
    tensor = is_surely_tensor(owner) or is_surely_tensor(frame.now(owner))
    writes, pure = name.endswith("_") and name in primitive.METHODS, name in primitive.METHODS
    if tensor and writes:
        return write_object(frame, getattr(Tensor, name), [owner, *args], kwargs)
    if frame.reader.strict and not pure:
        raise no_attribute(frame, owner, name)
    if writes or (name in CHANGING and not tensor) or (not pure and _may_move(args, kwargs)):
        return _call_keeping(frame, owner, name, args, kwargs)
    if name in _VIEWS:
        return ask(frame, _viewed, [owner, name, *args], kwargs, again=True)
    return ask(frame, _method, [owner, name, *args], kwargs, pure=pure)


def _may_move(args, kwargs):
    """Whether a tensor is among the arguments, whose gradient an object could keep away."""
    found = []
    mapped(lambda v: found.append(v) if isinstance(v, Node) else v, (args, kwargs))
    return any(not getattr(node.abstract, "weak", False) for node in found)


def _call_keeping(frame, owner, name, args, kwargs):
    """``rows.append(x)``: from here on the object is what the call has made of it."""
    both = ask(frame, _owner_and_answer, [owner, name, *args], kwargs)
    new, answer = [ask(frame, python.getitem, [both, i], pure=True) for i in range(2)]
    frame.write(owner, new)
    return answer


def _owner_and_answer(owner, name, *args, **kwargs):
    return owner, getattr(owner, name)(*args, **kwargs)


def write_object(frame, function, args, kwargs):
    """``function``, which writes to its first argument, an Object; which it gives back."""
    owner, *others = args
    tensor = is_surely_tensor(owner) or is_surely_tensor(frame.now(owner))
    how = _written_copy if tensor else _written
    frame.write(owner, ask(frame, how, [function, owner, *others], kwargs, pure=tensor))
    return owner


def _written_copy(function, owner, *args, **kwargs):
    owner = owner.copy()
    function(owner, *args, **kwargs)
    return owner


_written_copy.gives_a_tensor = True


def _written(function, owner, *args, **kwargs):
    function(owner, *args, **kwargs)
    return owner


def _viewed(owner, name, *args, **kwargs):
    found = getattr(owner, name)(*args, **kwargs)
    return tuple(found) if type(owner) is dict else found


def _method(owner, name, *args, **kwargs):
    return getattr(owner, name)(*args, **kwargs)
