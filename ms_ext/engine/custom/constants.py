"""What of an op's inputs is no operand? Texts and tuples, which a kernel gets all the same.

A text or a tuple of numbers is the same in every run of a graph; a tuple of tensors is as many
operands. So an op that is called with such inputs has a variant of itself for them: the variant
takes the operands alone, and its infer functions and its bprop see the inputs as they were given.
Those used last are kept.

>>> form, operands = Form.of(("axis", (1, 2), 3.5))
>>> operands, form.rebuilt(operands)
([3.5], ('axis', (1, 2), 3.5))
"""

import functools
import threading

import numpy as np

from ... import dtype as dtypes
from .. import errors
from ..infer import AbstractTuple
from .declared import GivenDtype, GivenShape
from .gradient import CheckedBprop

OPERAND = None
_NOTHING = object()  # what a kernel gets of an attribute


class Constant:
    """A text, a tuple of numbers, or None: what a kernel gets of it is ``content``."""

    def __init__(self, value):
        self.value = tuple(value) if isinstance(value, list) else value
        self.content, self.kind = _content(self.value)

    def _key(self):
        return self.kind, self.value, repr(self.value)  # 1 == 1.0 == True

    def __eq__(self, other):
        return type(other) is Constant and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())


class Named(Constant):
    """An input that is the value of an attribute, of which reg_info gave the name alone."""

    def __init__(self, name, value):
        self.name = name
        if isinstance(value, bool | int | float):
            self.value, self.content, self.kind = value, _NOTHING, ((), type(value).__name__)
        else:
            super().__init__(value)
            self.content = _NOTHING

    def _key(self):
        return self.name, *super()._key()


class Form:
    """Which inputs are operands: per input OPERAND, a Constant, or a tuple of these."""

    def __init__(self, parts):
        self.parts = parts

    @classmethod
    def of(cls, inputs, names=()):
        """(the form of these inputs, the operands among them); the last ones may have ``names``."""
        operands = []
        known = len(inputs) - len(names)
        parts = [_part(value, operands) for value in inputs[:known]]
        parts += [Named(*pair) for pair in zip(names, inputs[known:], strict=True)]
        return cls(tuple(parts)), operands

    @property
    def is_plain(self):
        """Whether operands are all that a kernel gets."""
        return not any(True for _ in _constants(self.parts))

    def rebuilt(self, operands, constant=lambda part: part.value):
        """The inputs as they were given, of ``operands`` and of ``constant(Constant)``."""
        left = iter(operands)
        return tuple([_rebuilt(part, left, constant) for part in self.parts])

    def arranged(self, operands):
        """What the kernel gets, in its order: operands and contents of constants."""
        found = _flat(self.rebuilt(operands, lambda part: part.content))
        return [value for value in found if value is not _NOTHING]

    def kinds(self, kinds):
        """The same of the operands' kinds, (shape, dtype's name)."""

        def kind(part):
            return _NOTHING if isinstance(part, Named) else _Kind(part.kind)

        found = _flat(self.rebuilt([_Kind(each) for each in kinds], kind))
        return [value for value in found if value is not _NOTHING]

    def of_operands(self, gradients):
        """The operands' gradients, of one gradient per input."""
        return [g for part, given in zip(self.parts, gradients) for g in _gradients(part, given)]  # noqa: B905


class _Kind(tuple):
    """A kind is a leaf, though a tuple."""

    def __new__(cls, kind):
        return super().__new__(cls, kind)


class TextWithForm(str):
    """A ``func`` whose op is called with inputs of one ``form``."""

    form = None


def is_bound(value):
    """Whether an input is no operand, or more than one."""
    if value is None or isinstance(value, str | tuple | list):
        return True
    return isinstance(getattr(value, "abstract", None), AbstractTuple)


def variant(custom, inputs):
    """(op, operands): the op for inputs of this form, which is ``custom`` if all are operands."""
    names = custom.way.names_of(inputs)
    if not names and not any(map(custom.way.binds, inputs)):
        return custom, inputs
    form, operands = Form.of(tuple(inputs), names)
    made = custom.way.variants.get(form.parts, lambda: _made(custom, form))
    return made, tuple(operands)


class Variants:
    """The variants of one op, those used last: an older one goes, unless a graph still calls it.

    >>> few = Variants(most=2)
    >>> [few.get(key, lambda key=key: key.upper()) for key in "abac"], list(few.made)
    (['A', 'B', 'A', 'C'], ['a', 'c'])
    """

    def __init__(self, most=64):
        self.most, self.made, self._lock = most, {}, threading.Lock()

    def get(self, key, make):
        """The variant for ``key``, or a new one from ``make()``."""
        with self._lock:
            found = self.made.pop(key, None)
            if found is not None:
                self.made[key] = found  # the last one is the one that was used last
                return found
        made = make()
        with self._lock:
            found = self.made.setdefault(key, made)
            gone = [self.made.pop(old) for old in list(self.made)[: -self.most]]
        del gone  # what goes with them may ask for the lock
        return found


def _made(custom, form):
    way, declared = custom.way, custom.declared
    func = TextWithForm(custom.func)
    func.form = form
    shape = _seeing(declared.shape, form, _shape_of_constant)
    dtype = _seeing(declared.dtype, form, _dtype_of_constant)
    bprop = custom.bprop and _seeing_inputs(way.name, custom.bprop, form)
    made = type(custom)(func, shape, dtype, way.func_type, bprop, way.reg_info)
    named = {part.name: part.value for part in form.parts if isinstance(part, Named)}
    for name, value in {**custom.prim_attributes, **named}.items():
        made.add_prim_attr(name, value)
    if getattr(way, "guard", None) is not None:
        made.guarded(seconds=way.guard)
    outside = custom.traits._replace(aliases=(), printer=None)  # the op itself sees to these
    return made.declared_as(outside)


def _seeing(rule, form, constant):
    """An infer function that gets the inputs in their form."""
    if not callable(rule):
        return rule

    @functools.wraps(rule)
    def seeing(*given):
        return rule(*form.rebuilt(given, constant))

    return seeing


def _seeing_inputs(name, bprop, form):
    checked = CheckedBprop(name, bprop, single_operands=False)

    @functools.wraps(bprop)
    def seeing(*received):
        *operands, out, dout = received
        inputs = form.rebuilt(operands)
        gradients = checked.returned(inputs, out, dout)
        return tuple(form.of_operands(gradients) if len(gradients) == len(inputs) else gradients)

    del seeing.__wrapped__  # its own signature counts: operands
    return seeing


# parts --------------------------------------------------------------------------------------------


def _part(value, operands):
    if not is_bound(value):
        operands.append(value)
        return OPERAND
    if value is None or isinstance(value, str):
        return Constant(value)
    items = tuple(value)
    if all(isinstance(each, bool | int | float) for each in items):
        return Constant(items)
    return tuple([_part(each, operands) for each in items])


def _rebuilt(part, left, constant):
    if part is OPERAND:
        return next(left)
    if isinstance(part, Constant):
        return constant(part)
    return tuple([_rebuilt(each, left, constant) for each in part])


def _constants(parts):
    for part in parts:
        if isinstance(part, Constant):
            yield part
        elif part is not OPERAND:
            yield from _constants(part)


def _flat(values):
    found = []
    for value in values:
        if isinstance(value, tuple) and not isinstance(value, _Kind):
            found += _flat(value)
        else:
            found.append(value)
    return found


def _gradients(part, gradient):
    if part is OPERAND:
        yield gradient
    elif not isinstance(part, Constant):
        several = isinstance(gradient, tuple | list) and len(gradient) == len(part)
        for each, given in zip(part, gradient if several else [None] * len(part), strict=True):
            yield from _gradients(each, given)


def _content(value):
    """What a kernel gets of a constant, and its kind: (shape, dtype's name)."""
    if value is None:
        return bytes(8), ((), "none")
    if isinstance(value, str):
        return value.encode(), ((), "string")
    kinds = {type(each) for each in value}
    name = "float32" if float in kinds else "bool" if kinds == {bool} else "int64"
    try:
        return np.array(value, name), ((len(value),), name)
    except OverflowError as error:
        raise errors.InvalidValue(
            "For 'Custom', a number of a tuple is too large for the kernel's int64.",
            given=f"{value!r:.60}",
        ) from error


def _shape_of_constant(part):
    """What an infer function gets: MindSpore gives one shape per number of a tuple."""
    if not isinstance(part.value, tuple):
        return GivenShape([])
    return tuple([GivenShape([]) for _ in part.value])


def _dtype_of_constant(part):
    if not isinstance(part.value, tuple):
        words = {"bool": "bool", "int": "int64", "float": "float32"}
        word = words.get(part.kind[1])
        return GivenDtype(dtypes.named(word), []) if word else None
    return tuple([GivenDtype(dtypes.named(part.kind[1]), []) for _ in part.value])
