"""What is known of a value before it exists: its abstract value, inferred, joined, interned.

Equal types are the same object, so a comparison is ``is`` and a type is a dictionary key for free.

>>> from ms_ext.dtype import float32
>>> a = AbstractTensor(float32, (2, 3))
>>> a is AbstractTensor(float32, (2, 3)), str(a)
(True, 'f32[2,3]')
"""

import functools
import math

from ms_ext import dtype as dtypes

from . import dims, errors
from .dims import Dim, dims_in, is_open, sampled
from .tensor import Tensor


class Abstract:
    """The type of a value in a graph."""

    __slots__ = ()

    def __reduce__(self):
        return type(self), self._key()


class AbstractTensor(Abstract):
    """A tensor's dtype and shape. ``weak``: a Python number, which takes the other's dtype.

    A size of the shape may be a Dim; ``sizes`` are then those of its compilation, else None.

    >>> AbstractTensor(dtypes.float32, (2, 3)).nbytes
    24
    """

    __slots__ = ("dtype", "shape", "size", "sizes", "weak")
    _known: dict = {}

    def __new__(cls, dtype, shape=(), weak=False):
        key = (dtype, shape, weak)
        found = cls._known.get(key)
        return cls._new(dtype, tuple(shape), weak) if found is None else found

    @classmethod
    def _new(cls, dtype, shape, weak):
        dim = next(dims_in(shape), None)
        known = cls._known if dim is None else dim.sizes.abstracts
        found = known.get((dtype, shape, weak))
        if found is None:
            found = known[dtype, shape, weak] = object.__new__(cls)
            found.dtype, found.shape, found.weak = dtype, shape, weak
            found.size, found.sizes = math.prod(shape), None if dim is None else dim.sizes
        return found

    def _key(self):
        return self.dtype, self.shape, self.weak

    def parts(self):
        """What may hold a Dim: its shape, as the only part."""
        return self.shape, self.dtype, self.weak

    @classmethod
    def rebuilt(cls, shape, dtype, weak):
        """The type of other ``parts``."""
        return cls(dtype, shape, weak)

    @property
    def nbytes(self):
        """Bytes of storage."""
        return self.size * self.dtype.size

    @property
    def ndim(self):
        """Number of axes."""
        return len(self.shape)

    @property
    def number(self):
        """The Python type of a weak one, None of a tensor."""
        return _NUMBERS[self.dtype.kind] if self.weak else None

    def __repr__(self):
        if self.weak:
            return self.dtype.kind
        return f"{self.dtype.short}[{','.join(map(str, self.shape))}]"


class _Container(Abstract):
    __slots__ = ("items",)

    def __new__(cls, items):
        items = tuple(items)
        found = cls._known.get(items)
        if found is None:
            found = cls._known[items] = object.__new__(cls)
            found.items = items
        return found

    def _key(self):
        return (self.items,)

    parts = _key

    @classmethod
    def rebuilt(cls, items):
        """The type of other ``parts``."""
        return cls(items)


class AbstractTuple(_Container):
    """Several values together.

    >>> AbstractTuple([AbstractTensor(dtypes.int64)])
    (i64[])
    """

    __slots__ = ()
    _known: dict = {}

    def __repr__(self):
        return f"({', '.join(map(str, self.items))})"


class AbstractStack(_Container):
    """One value of the same type per turn of a loop.

    >>> AbstractStack([AbstractTensor(dtypes.int64)])
    Stack(i64[])
    """

    __slots__ = ()
    _known: dict = {}

    @property
    def item(self):
        """The type of one turn's value."""
        return self.items[0]

    def __repr__(self):
        return f"Stack({self.item})"


class _Word(Abstract):
    __slots__ = ("word",)

    def __init__(self, word):
        self.word = word

    def __repr__(self):
        return self.word

    def __reduce__(self):
        return _word, (self.word,)


#: STATE: what effects are ordered by. OBJECT: a Python object that exists when the graph runs.
#: KEPT: what a call keeps for its way back (see ``ir.kept``).
STATE, OBJECT, UNKNOWN, KEPT = map(_Word, ("State", "Object", "Unknown", "Kept"))
_WORDS = {str(word): word for word in (STATE, OBJECT, UNKNOWN, KEPT)}


def _word(word):
    return _WORDS[word]


_SCALARS = {bool: dtypes.bool_, int: dtypes.int64, float: dtypes.float64}
_NUMBERS = {"bool": bool, "int": int, "float": float}


def abstract_of(value):
    """The type of a run-time value: Tensor, ndarray, Python number, or a tuple or list of these.

    >>> abstract_of(2.0), abstract_of((1, True))
    (float, (int, bool))
    """
    if isinstance(value, Tensor):
        return AbstractTensor(value.dtype, value.shape)
    scalar = _SCALARS.get(type(value))
    if scalar is not None:
        return AbstractTensor(scalar, (), True)
    if isinstance(value, tuple | list):
        return AbstractTuple(map(abstract_of, value))
    if type(value) is Dim:
        return abstract_of(value.samples[0])
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        return AbstractTensor(dtypes.from_numpy(value.dtype), tuple(value.shape))
    raise errors.InvalidType(
        "A graph cannot take this value.",
        given=f"{value!r:.60} of type {type(value).__name__}",
        hint="Pass tensors, numbers, or tuples of them.",
    )


def join(one, other):
    """The type that holds both, as where two branches meet; None where there is none.

    >>> join(UNKNOWN, STATE) is STATE
    True
    """
    if one is other or other is UNKNOWN:
        return one
    if one is UNKNOWN:
        return other
    if OBJECT in (one, other):
        return None if STATE in (one, other) else OBJECT
    if isinstance(one, AbstractTuple) and isinstance(other, AbstractTuple):
        return _join_tuples(one, other)
    if isinstance(one, AbstractTensor) and isinstance(other, AbstractTensor):
        return _join_tensors(one, other)
    return None


def _join_tuples(one, other):
    if len(one.items) != len(other.items):
        return None
    joined = [join(a, b) for a, b in zip(one.items, other.items, strict=True)]
    return None if None in joined else AbstractTuple(joined)


def _join_tensors(one, other):
    if one.weak and other.weak:
        return max(one, other, key=lambda t: ("bool", "int", "float").index(t.dtype.kind))
    if one.dtype is other.dtype and one.ndim == other.ndim and one.weak == other.weak:
        dims.may_be_equal(one.shape, other.shape)
    return None


def infer(op, abstracts, attributes):
    """The type of ``op`` on these operand types; remembered per op, types and attributes.

    >>> from ms_ext import ops
    >>> x = AbstractTensor(dtypes.float32, (3,))
    >>> infer(ops.Add, (x, AbstractTensor(dtypes.int64, (), True)), {})
    f32[3]
    """
    memo = _MEMO.get(op)
    if memo is None:
        memo = _begun(op)
    key = (abstracts, *_typed(attributes)) if attributes else abstracts
    try:
        found = memo.get(key)
    except TypeError:  # an attribute that cannot be hashed: not remembered
        if is_open((abstracts, attributes)):
            return sampled(functools.partial(_infer_now, op), abstracts, attributes)
        return _infer_now(op, abstracts, attributes)
    if found is None:
        dim = next(dims_in((abstracts, attributes)), None)
        if dim is not None:
            return _infer_open(dim.sizes, (op, key), abstracts, attributes)
        found = memo[key] = _infer_now(op, abstracts, attributes)
    return found


def _infer_open(sizes, key, abstracts, attributes):
    """As ``infer`` where sizes are open: the rule is asked for samples of them."""
    found = sizes.abstracts.get(key)
    if found is None:
        rule = functools.partial(_infer_now, key[0])
        found = sizes.abstracts[key] = sampled(
            rule, abstracts, attributes, of=f"what {key[0]} gives"
        )
    return found


def _typed(attributes):
    """Attributes as a key in which 1, 1.0 and True differ."""
    return [(name, value, type(value)) for name, value in attributes.items()]


def _infer_now(op, abstracts, attributes):
    if UNKNOWN in abstracts:
        return UNKNOWN
    result = op.infer(*abstracts, **attributes)
    if isinstance(result, tuple):
        return AbstractTuple(result)
    if op.elementwise and all(a.weak for a in abstracts):
        number = _NUMBERS[result.dtype.kind]
        return AbstractTensor(_SCALARS[number], (), True)  # numbers in, a number out
    return result


def _begun(op):
    """What is known of an op, nothing yet; one that is ``passing`` keeps it itself."""
    if getattr(op, "passing", False):
        return op.__dict__.setdefault("inferred", {})
    return _MEMO.setdefault(op, {})


def remembered(known, key, value):
    """The value, kept as ``known[key]``; not if the key begins with an op that is ``passing``."""
    if not getattr(key[0], "passing", False):
        known[key] = value
    return value


_MEMO: dict = {}
