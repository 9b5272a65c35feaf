"""A size that is left open while a graph is built: one graph then serves arrays of many shapes.

A Dim knows what it is for a few samples of the open sizes: those of the first call, the least
allowed, and primes. A rule that knows nothing of Dims is asked once for each sample; where its
answers differ, the answer is a Dim again. Whatever needs *the* number raises Unsure, and the
compiler closes that size: it is compiled for the number then, as every size is by default.

>>> sizes = Sizes([Opening([(0, 0)], 7)])
>>> (n,) = sizes.roots
>>> n, n * 4 + 1, (n * 4).samples[0], n == 1, n > 1
(a, a*4+1, 28, False, True)
>>> [(n * 4).value({n: size}) for size in (2, 3)]
[8, 12]
>>> sampled(lambda size: (size, size // size), n)
(a, 1)
"""

import operator
import string

from . import errors

PRIMES = (101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191)
LEAST = 2  # an axis of one element broadcasts, one of none is empty: neither is like the others
_REFUSALS = (errors.MsExtError, ArithmeticError, LookupError, TypeError, ValueError)


class Opening:
    """An open size: the axes that have it, its number at the first call, the least it may be."""

    __slots__ = ("least", "now", "places")

    def __init__(self, places, now, least=LEAST):
        self.places, self.now, self.least = list(places), now, least


class Sizes:
    """The open sizes of one compilation, and every Dim that was calculated from them."""

    def __init__(self, openings):
        self.openings, self.abstracts, self._known = openings, {}, {}
        self.roots = []
        for number, opening in enumerate(openings):
            primes = [PRIMES[(2 * number + i) % len(PRIMES)] for i in range(2)]
            dim = Dim(self, (opening.now, opening.least, *primes), _letter(number))
            dim.roots = frozenset([dim])
            self.roots.append(self._known.setdefault(dim.samples, dim))

    def dim(self, samples, roots, find, text=None):
        """The Dim of these samples; ``find(values of the roots)`` calculates any other.

        ``text``: how it is written as a formula, if it is one; else it gets a letter of its own.
        """
        found = self._known.get(samples)
        if found is None:
            text = text or f"n{len(self._known)}"
            found = self._known[samples] = Dim(self, samples, text, roots, find)
        return found

    def opening(self, root):
        """The Opening that a root stands for."""
        return next(o for o, r in zip(self.openings, self.roots, strict=True) if r is root)


def _letter(number):
    round_, place = divmod(number, 26)
    return string.ascii_lowercase[place] + (str(round_) if round_ else "")


class Unsure(Exception):
    """The number of an open size is needed. ``holds(values)``: is all well for these numbers?"""

    def __init__(self, roots, reason, holds=None):
        super().__init__(reason)
        self.roots, self.holds = roots, holds


class Dim:
    """An open size, or a number calculated from some: adds, multiplies, compares as a number."""

    __slots__ = ("_find", "roots", "samples", "sizes", "text")

    def __init__(self, sizes, samples, text, roots=frozenset(), find=None):
        self.sizes, self.samples, self.text = sizes, samples, text
        self.roots, self._find = roots, find

    def value(self, values):
        """The number where the roots have these ``values`` (which remembers it)."""
        found = values.get(self)
        if found is None:
            found = values[self] = self._find(values)
        return found

    def __repr__(self):
        return self.text

    def __hash__(self):
        return hash((id(self.sizes), self.samples))

    def __eq__(self, other):
        if self is other:
            return True
        if isinstance(other, Dim):
            raise Unsure(self.roots | other.roots, f"{self} == {other} is not known")
        if not isinstance(other, int | float) or other < min(self.samples):
            return False
        raise Unsure(
            self.roots,
            f"{self} == {other} is not known",
            lambda values: self.value(dict(values)) != other,
        )

    def __ne__(self, other):
        return not self == other

    def __bool__(self):
        return self != 0

    def __index__(self):
        raise Unsure(self.roots, f"the number {self} is needed")

    __int__ = __float__ = __index__


def _calculating(function, symbol, tight):
    """The methods ``dim symbol other`` and ``other symbol dim``."""

    def show(one, other):
        return f"{_shown(one, tight)}{symbol}{_shown(other, tight)}"

    def forwards(self, other):
        if not isinstance(other, Dim | int | float):
            return NotImplemented
        return sampled(function, self, other, text=show(self, other))

    def backwards(self, other):
        if not isinstance(other, int | float):
            return NotImplemented
        return sampled(function, other, self, text=show(other, self))

    return forwards, backwards


def _shown(value, tight):
    text = str(value)
    return f"({text})" if tight and not text.isalnum() else text


for _name, _function, _symbol, _tight in (
    ("add", operator.add, "+", False), ("sub", operator.sub, "-", False),
    ("mul", operator.mul, "*", True), ("truediv", operator.truediv, "/", True),
    ("floordiv", operator.floordiv, "//", True), ("mod", operator.mod, "%", True),
    ("pow", operator.pow, "**", True),
):  # fmt: skip
    _forwards, _backwards = _calculating(_function, _symbol, _tight)
    setattr(Dim, f"__{_name}__", _forwards)
    setattr(Dim, f"__r{_name}__", _backwards)
for _name in ("lt", "le", "gt", "ge"):
    _forwards, _ = _calculating(getattr(operator, _name), f" {_name} ", True)
    setattr(Dim, f"__{_name}__", _forwards)
for _name, _symbol in (("neg", "-"), ("abs", "abs")):
    _function = getattr(operator, _name)
    setattr(
        Dim,
        f"__{_name}__",
        lambda self, f=_function, s=_symbol: sampled(f, self, text=f"{s}({self})"),
    )


def may_be_equal(one, other):
    """Unsure, if two shapes of one rank that are not the same would be for some open sizes."""
    roots = set()
    for pair in zip(one, other, strict=True):
        open_ones = [size for size in pair if type(size) is Dim]
        numbers = [size for size in pair if type(size) is not Dim]
        if len(set(pair)) == 1:
            continue
        if not open_ones or numbers and numbers[0] < min(open_ones[0].samples):
            return  # these two never are
        roots.update(*[size.roots for size in open_ones])
    if roots:
        raise Unsure(frozenset(roots), f"{one} and {other} are the same for some sizes only")


# asking once for each sample ----------------------------------------------------------------------


def dims_in(value):
    """The Dims in a value: in tuples, lists, dicts, slices, and types of tensors."""
    kind = type(value)
    if kind is Dim:
        yield value
    elif kind in (tuple, list):
        for item in value:
            yield from dims_in(item)
    elif kind is dict:
        yield from dims_in(tuple(value.values()))
    elif kind is slice:
        yield from dims_in((value.start, value.stop, value.step))
    elif hasattr(kind, "rebuilt"):
        yield from dims_in(value.parts())


def is_open(value):
    """Whether there is a Dim in a value."""
    return next(dims_in(value), None) is not None


def settled(value):
    """The value itself, where only a number will do, as for a key; Unsure if a size is open."""
    roots = frozenset().union(*[dim.roots for dim in dims_in(value)])
    if roots:
        raise Unsure(roots, f"the number {value} is needed")
    return value


def filled(value, pick):
    """A value in which ``pick(dim)`` is in the place of each Dim."""
    kind = type(value)
    if kind is Dim:
        return pick(value)
    if kind in (tuple, list):
        return kind([filled(item, pick) for item in value])
    if kind is dict:
        return {key: filled(item, pick) for key, item in value.items()}
    if kind is slice:
        return slice(*filled((value.start, value.stop, value.step), pick))
    if hasattr(kind, "rebuilt") and is_open(value):
        return kind.rebuilt(*filled(value.parts(), pick))
    return value


def sampled(function, *args, text="", of="this"):
    """``function(*args)`` where there are Dims in the arguments and it knows none: asked for each
    sample. Its refusal of the first, the real sizes, is the caller's error; of another: Unsure.

    ``text`` is the formula, if it is one; otherwise ``of`` says what is asked for.
    """
    dims = list(dims_in(args))
    roots = frozenset().union(*[dim.roots for dim in dims])

    def again(values):
        return function(*filled(args, lambda dim: dim.value(values)))

    def holds(values):
        try:
            return _alike(again(dict(values)), answers[0])
        except _REFUSALS:
            return False

    answers = [function(*filled(args, lambda dim: dim.samples[0]))]
    try:
        for index in range(1, len(dims[0].samples)):
            answers.append(function(*filled(args, lambda dim: dim.samples[index])))  # noqa: B023
    except _REFUSALS as error:
        raise Unsure(roots, str(error).splitlines()[0], holds) from None
    return _Merging(dims[0].sizes, roots, again, holds, (text, of)).merged(answers)


class _Merging:
    """One answer made of those for each sample."""

    def __init__(self, sizes, roots, again, holds, words):
        self.sizes, self.roots, self.again, self.holds = sizes, roots, again, holds
        self.text, self.of = words

    def merged(self, answers, path=()):
        first = answers[0]
        if all(each is first or (type(each) is type(first) and each == first) for each in answers):
            return first
        if all(type(each) in (int, float) for each in answers):
            find = lambda values: _at(self.again(values), path)  # noqa: E731
            return self.sizes.dim(tuple(answers), self.roots, find, self.text)
        if any(not _alike(each, first) for each in answers):
            raise Unsure(self.roots, f"{self.text or self.of} is not known", self.holds)
        if hasattr(type(first), "rebuilt"):
            return type(first).rebuilt(*self.merged([each.parts() for each in answers], path))
        items = zip(*answers, strict=True)
        return type(first)(
            [self.merged(list(each), (*path, index)) for index, each in enumerate(items)]
        )


def _alike(one, other):
    """Whether two answers differ in numbers only."""
    if type(one) is not type(other):
        return {type(one), type(other)} == {int, float}
    if hasattr(type(one), "rebuilt"):
        return _alike(one.parts(), other.parts())
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(_alike, one, other))
    return type(one) in (int, float) or one == other


def _at(answer, path):
    """The part of an answer that a path of indices leads to."""
    for index in path:
        answer = (answer.parts() if hasattr(type(answer), "rebuilt") else answer)[index]
    return answer
