"""On which cases is an answer tried? Drawn from a seed, always with the sizes that find mistakes.

A family is a function ``(draw, m, n, ...)`` to the operands of one call; the names after ``draw``
are sizes. Every check tries each family with all sizes 1, with sizes that differ, with a tail, with
more than one tile, and with every dtype it allows. A case that fails is made smaller while it
still fails, so what a learner sees is the smallest one.
"""

import hashlib
import inspect
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from ms_ext import dtype as dtypes

TILE = 16
SHORT = {kind.short: kind for kind in dtypes.DTYPES}
_SHORT_NAMES = {kind.public.rstrip("_"): kind.short for kind in dtypes.DTYPES}


class Question(NamedTuple):
    """What the target is asked on one case; ``graph`` and ``removes`` stay with the judge."""

    title: str = ""
    operands: tuple = ()
    options: dict = {}
    graph: object = None
    removes: int = 0
    seed: int = 0  # of the numbers on which graphs are run
    known: dict | None = None  # what a judge has worked out about it

    def once(self, what, work_out):
        """``work_out()``, the first time that ``what`` is asked for."""
        if self.known is None:
            return work_out()
        if what not in self.known:
            self.known[what] = work_out()
        return self.known[what]


def seeded(*words):
    """A seed made of words: the same words, the same cases.

    >>> seeded("public", "05.mul_bprop") == seeded("public", "05.mul_bprop")
    True
    """
    text = "\0".join(map(str, words))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")


class Draw:
    """Draws arrays of one dtype, all elements distinct where there is room for that.

    >>> draw = Draw("i32", seed=1)
    >>> np.unique(draw(3, 4)).size, draw(2).dtype
    (12, dtype('int32'))
    """

    def __init__(self, dtype, seed, simple=False):
        self.dtype, self.rng, self.simple = SHORT[dtype], np.random.default_rng(seed), simple
        self.counted = 0  # simple values go on counting, so that no two arrays are alike

    def __call__(self, *shape, dtype=None):
        """Elements of both signs, none of them zero."""
        kind = SHORT[dtype] if dtype else self.dtype
        count = int(np.prod(shape, dtype=int))
        make = {"bool": self._truths, "float": self._reals, "int": self._integers}[kind.kind]
        return make(count, kind).astype(kind.numpy).reshape(shape)

    def positive(self, *shape, dtype=None):
        """Elements above zero."""
        return np.abs(self(*shape, dtype=dtype))

    def _truths(self, count, kind):
        return np.arange(count) % 3 == 0 if self.simple else self.rng.random(count) < 0.5

    def _reals(self, count, kind):
        if self.simple:
            return self._next(count)
        steps = (np.arange(count) + self.rng.uniform(0.25, 0.75, count)) / max(count, 1)
        return self.rng.permutation(0.25 + 1.75 * steps) * self.rng.choice([-1, 1], count)

    def _integers(self, count, kind):
        most = min(max(count, 9), 120)  # 120 fits into every integer type
        low = 0 if kind.name == "UInt8" else -most
        if self.simple:
            values = self._next(count)
            sizes = (np.abs(values) - 1) % 120 + 1
            return sizes * np.sign(values) if low else sizes
        return np.resize(self.rng.permutation([n for n in range(low, most + 1) if n]), count)

    def _next(self, count):
        """1, -2, 3, -4, ...: easy to follow by hand."""
        values = self.counted + 1 + np.arange(count)
        self.counted += count
        return np.where(values % 2, values, -values)

    def integer(self, low, high):
        """A whole number from ``low`` to ``high``, both included."""
        return int(self.rng.integers(low, high, endpoint=True))

    def choice(self, items):
        """One of the items."""
        return items[int(self.rng.integers(len(items)))]


@dataclass(frozen=True)
class Case:
    """One drawn case: where it comes from, so that a smaller one can be made."""

    family: Callable
    sizes: dict
    dtype: str
    seed: int
    simple: bool = False
    simplest: str = ""  # the dtype to try when it is made smaller
    floors: dict = field(default_factory=dict)

    def question(self):
        """Its Question."""
        made = self.family(Draw(self.dtype, self.seed, self.simple), **self.sizes)
        question = made if isinstance(made, Question) else Question("", made)
        return question._replace(title=question.title or self._title(question.operands))

    def _title(self, operands):
        words = (inspect.getdoc(self.family) or self.family.__name__).splitlines()[0]
        kinds = ", ".join(kind_of(each) for each in operands if has_arrays(each))
        return f"{words}   ({kinds})" if kinds else words

    def smaller(self):
        """Simpler cases of the same family, the boldest first."""
        if not self.simple:
            yield replace(self, simple=True)
        if self.simplest and self.dtype != self.simplest:
            yield replace(self, dtype=self.simplest)
        for name, size in self.sizes.items():
            for less in _less(size, self.floors.get(name)):
                yield replace(self, sizes={**self.sizes, name: less})


def _less(size, values):
    if values is not None:  # one of a few values: the ones before it
        return list(values[: values.index(size)])
    return [n for n in dict.fromkeys((1, 2, 3, size // 2, size - 1)) if 0 < n < size]


def kind_of(value):
    """ "f32[3,4]" for an array, (...) for several, the value itself for plain data."""
    if isinstance(value, np.ndarray):
        kind = _SHORT_NAMES.get(value.dtype.name, value.dtype.name)
        return f"{kind}{list(value.shape)}".replace(" ", "")
    if isinstance(value, tuple | list):
        return f"({', '.join(map(kind_of, value))})"
    return repr(value)


def has_arrays(value):
    """Does an operand hold an array?"""
    if isinstance(value, tuple | list):
        return any(map(has_arrays, value))
    return isinstance(value, np.ndarray)


class Drawn:
    """The cases of some families, drawn anew from each seed."""

    def __init__(self, families, dtypes, tile):
        self.families, self.dtypes, self.tile = families, dtypes, tile

    def cases(self, seed):
        """All of them, the small ones of each family first."""
        return [case for family in self.families for case in self._of(family, seed)]

    def _of(self, family, seed):
        rng = np.random.default_rng(seeded(seed, family.__name__))
        _, *parameters = inspect.signature(family).parameters.values()
        values = {p.name: tuple(p.default) for p in parameters if p.default is not p.empty}
        names = [p.name for p in parameters if p.default is p.empty]
        plans = list(size_plans(len(names), self.tile, rng))
        turns = [(plan, self.dtypes[0]) for plan in plans]
        turns += [(plan, kind) for kind in self.dtypes[1:] for plan in plans[1:3]]
        wanted = max(map(len, values.values()), default=0)
        turns += [(plans[1], self.dtypes[0])] * (wanted - len(turns))
        for number, (plan, kind) in enumerate(turns):
            sizes = dict(zip(names, plan, strict=True))
            sizes |= {name: each[number % len(each)] for name, each in values.items()}
            own = seeded(seed, family.__name__, number)
            yield Case(family, sizes, kind, own, simplest=self.dtypes[0], floors=values)


def drawn(*families, dtypes="f32", tile=TILE):
    """The cases of ``families``; ``dtypes`` are short names: "f32 f64 i32".

    A parameter of a family with a default ``kind=("a", "b")`` is one of these values instead of a
    size; each of them is tried.
    """
    return Drawn(families, dtypes.split(), tile)


def size_plans(count, tile, rng):
    """Sizes for ``count`` names: ones, distinct, with a tail, more than one tile, the other way.

    >>> plans = list(size_plans(2, 16, np.random.default_rng(0)))
    >>> plans[0], all(m != n for m, n in plans[1:])
    ((1, 1), True)
    """
    small = [int(n) for n in 2 + rng.permutation(count + 2)[:count]]
    tail = tile + int(rng.integers(1, tile))
    long = 2 * tile + int(rng.integers(1, tile))
    yield (1,) * count
    yield tuple(sorted(small))
    if not count:
        return
    yield (tail, *small[1:])
    yield (*small[:-1], long)
    yield tuple(sorted(small, reverse=True))
    if count > 1:
        yield (1, *small[1:])
        yield (*small[:-1], 1)


@dataclass(frozen=True)
class Fixed:
    """A question that is never drawn; nothing is smaller."""

    given: Question

    def question(self):
        """It."""
        return self.given

    def smaller(self):
        """None."""
        return iter(())


class Listed:
    """The same questions for every seed."""

    def __init__(self, questions):
        self.questions = tuple(questions)

    def cases(self, seed):
        """All of them."""
        return [Fixed(question) for question in self.questions]


def listed(*questions):
    """Questions that are the same for everybody."""
    return Listed(questions)


def joined(*parts):
    """The cases of several ``drawn``, ``listed`` or ``Graphs``."""
    return Joined(parts)


class Joined(NamedTuple):
    """Several groups of cases as one."""

    parts: tuple

    def cases(self, seed):
        """All of them, in order."""
        return list(itertools.chain.from_iterable(part.cases(seed) for part in self.parts))
