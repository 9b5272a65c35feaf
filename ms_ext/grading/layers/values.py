"""Are the values right? Compared with a reference in float64, within the rounding of the dtype."""

import numpy as np

from ms_ext import dtype as dtypes

from ..failure import Failure

#: Relative to the value, to the largest value of the array, and to how far rounding reaches.
TOLERANCE = {"float64": 1e-9, "float32": 2e-5, "float16": 4e-3, "bfloat16": 3e-2}
NUDGE = 2.0**-20  # by which operands are moved, to see how far rounding reaches
_NAMES = {kind.public.rstrip("_"): kind.name for kind in dtypes.DTYPES}
ORDINALS = ("first", "second", "third", "fourth", "fifth")


def like(reference, tolerance=None):
    """The answer is what ``reference(*operands)`` gives: count, shape, dtype, values.

    ``reference`` is written in NumPy. It runs once as the operands are, for shapes and dtypes, and
    once in float64, for the values. ``tolerance`` replaces the one of the dtype.
    """

    def expected(question):
        with np.errstate(all="ignore"):
            return reference(*question.operands), *reaching(reference, question.operands)

    def judge(question, answer):
        kinds, exact, reach = question.once(judge, lambda: expected(question))
        return compare(kinds, exact, answer, tolerance, reach=reach)

    return judge


def exactly(reference):
    """The answer is the plain data, or the array to the last bit, that the reference gives."""

    def judge(question, answer):
        return same_data(reference(*question.operands), answer)

    return judge


def wide(value):
    """Floats as float64, inside tuples too; everything else as it is."""
    if isinstance(value, tuple | list):
        return type(value)(map(wide, value))
    if isinstance(value, np.ndarray) and is_float(value):
        return value.astype(np.float64)
    return value


def reaching(reference, operands):
    """(exact results, how far rounding reaches for each): a small difference of large numbers has
    the rounding of the large ones.

    The reach is how much a result moves, over how much the operands do, each by a part of itself.

    >>> exact, reach = reaching(lambda x: x[0] - x[1], (np.array([1000.0, 999.9]),))
    >>> float(exact.round(2)), float(reach.round(-2))
    (0.1, 2000.0)
    """
    wide_ones = tuple(map(wide, operands))
    with np.errstate(all="ignore"):
        exact = reference(*wide_ones)
        moved = [reference(*_nudged(wide_ones, np.random.default_rng(k))) for k in range(4)]
    if isinstance(exact, tuple | list):
        each = zip(exact, *[m if isinstance(m, tuple | list) else () for m in moved], strict=False)
        reach = [_reach(*one) for one in each]
        return exact, reach if len(reach) == len(exact) else None
    return exact, _reach(exact, *moved)


def _nudged(value, rng):
    if isinstance(value, tuple | list):
        return type(value)([_nudged(each, rng) for each in value])
    if isinstance(value, np.ndarray) and is_float(value):
        return value * (1 + NUDGE * rng.choice([-1.0, 1.0], value.shape))
    return value


def _reach(exact, *moved):
    exact, *moved = map(np.asarray, (exact, *moved))
    if not is_float(exact) or any(m.shape != exact.shape for m in moved):
        return None
    with np.errstate(all="ignore"):
        reach = np.max([np.abs(m - exact) for m in moved], axis=0) / NUDGE
    return np.where(np.isfinite(reach), reach, 0.0)


def is_float(array):
    """Is it of a float dtype, bfloat16 included?"""
    return array.dtype.kind == "f" or array.dtype.name == "bfloat16"


def compare(kinds, exact, answer, tolerance=None, word="output", reach=None):
    """A Failure if ``answer`` has another count, shape, dtype or value than it should.

    ``reach``: as ``reaching`` gives it.
    """
    several = isinstance(kinds, tuple | list)
    wanted = tuple(kinds) if several else (kinds,)
    exacts = tuple(exact) if several else (exact,)
    if several and not isinstance(answer, tuple | list):
        return Failure("count", f"One value came back, not {len(wanted)}.", got=answer)
    given = tuple(answer) if several or isinstance(answer, tuple | list) else (answer,)
    if len(given) != len(wanted):
        words = f"{len(given)} came back, {len(wanted)} {'was' if len(wanted) == 1 else 'were'}"
        return Failure("count", f"{words} wanted.", got=answer)
    reaches = reach if isinstance(reach, tuple | list) else [reach] * len(wanted)
    for at, (kind, right, got, far) in enumerate(zip(wanted, exacts, given, reaches, strict=True)):
        name = f"{ORDINALS[at] if at < 5 else at} {word}" if len(wanted) > 1 else ""
        if failure := _one(kind, right, got, tolerance, far, name):
            return failure
    return None


def _one(kind, exact, got, tolerance, reach, name):
    of = f"of the {name} " if name else ""
    kind, exact = np.asarray(kind), np.asarray(exact)
    if not isinstance(got, np.ndarray):
        if isinstance(got, bool | int | float) and kind.ndim == 0:
            got = np.asarray(got, kind.dtype)
        else:
            return Failure("kind", f"What came back {of}is no tensor.", got=got, name=name)
    if got.shape != kind.shape:
        words = f"The shape {of}is {list(got.shape)}; it should be {list(kind.shape)}."
        return Failure("shape", words, kind, got, name=name)
    if got.dtype != kind.dtype:
        words = f"The dtype {of}is {named(got)}; it should be {named(kind)}."
        return Failure("dtype", words, kind, got, name=name)
    wrong = differs(exact, got, tolerance, reach)
    if not wrong.any():
        return None
    at = tuple(int(i) for i in np.argwhere(wrong)[0])
    words = f"{int(wrong.sum())} of {wrong.size} elements {of}differ." if wrong.size > 1 else ""
    place = f"at {list(at)}" + (f" {of}".rstrip() if of else "")
    return Failure("values", words, exact.astype(got.dtype), got, place, name=name)


def named(array):
    """The dtype as MindSpore prints it."""
    return _NAMES.get(array.dtype.name, array.dtype.name)


def differs(exact, got, tolerance=None, reach=None):
    """Where ``got`` is not ``exact`` within the rounding of its dtype.

    ``reach``, an array like ``exact``: the size of the numbers whose rounding arrives there.
    """
    if not is_float(got):
        return exact.astype(got.dtype) != got
    tolerance = tolerance or TOLERANCE[got.dtype.name]
    got, exact = got.astype(np.float64), exact.astype(np.float64)
    with np.errstate(all="ignore"):
        finite = exact[np.isfinite(exact)]
        room = tolerance * (np.abs(exact) + np.abs(finite).max(initial=0.0) + 1e-30)
        room = room if reach is None else np.maximum(room, tolerance * reach)
        near = (np.abs(got - exact) <= room) & np.isfinite(exact)
    return ~(near | (got == exact) | (np.isnan(got) & np.isnan(exact)))


def same_data(wanted, got):
    """A Failure unless both are the same plain data, arrays to the last bit."""
    if isinstance(wanted, np.ndarray):
        return compare(wanted, wanted, got, tolerance=1e-300)
    if type(wanted) in (list, tuple) and isinstance(got, list | tuple):
        for at, (one, other) in enumerate(zip(wanted, got, strict=False)):
            if same_data(one, other):
                return Failure("values", "", wanted, got, f"at place {at}")
        if len(wanted) == len(got):
            return None
        words = f"{len(got)} came back, {len(wanted)} wanted."
        return Failure("count", words, wanted, got)
    same = type(wanted) is type(got) and wanted == got
    return None if same else Failure("values", "", wanted, got)
