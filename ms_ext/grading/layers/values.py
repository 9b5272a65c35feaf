"""Are the values right? Compared with a reference in float64, within the rounding of the dtype."""

import numpy as np

from ms_ext import dtype as dtypes

from ..failure import Failure

#: Relative to the value and to the largest value of the array.
TOLERANCE = {"float64": 1e-9, "float32": 2e-5, "float16": 4e-3, "bfloat16": 3e-2}
_NAMES = {kind.public.rstrip("_"): kind.name for kind in dtypes.DTYPES}
ORDINALS = ("first", "second", "third", "fourth", "fifth")


def like(reference, tolerance=None):
    """The answer is what ``reference(*operands)`` gives: count, shape, dtype, values.

    ``reference`` is written in NumPy. It runs once as the operands are, for shapes and dtypes, and
    once in float64, for the values. ``tolerance`` replaces the one of the dtype.
    """

    def expected(question):
        with np.errstate(all="ignore"):
            return reference(*question.operands), reference(*map(wide, question.operands))

    def judge(question, answer):
        kinds, exact = question.once(judge, lambda: expected(question))
        return compare(kinds, exact, answer, tolerance)

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


def is_float(array):
    """Is it of a float dtype, bfloat16 included?"""
    return array.dtype.kind == "f" or array.dtype.name == "bfloat16"


def compare(kinds, exact, answer, tolerance=None, word="output"):
    """A Failure if ``answer`` has another count, shape, dtype or value than it should."""
    several = isinstance(kinds, tuple | list)
    wanted = tuple(kinds) if several else (kinds,)
    exacts = tuple(exact) if several else (exact,)
    if several and not isinstance(answer, tuple | list):
        return Failure("count", f"One value came back, not {len(wanted)}.", got=answer)
    given = tuple(answer) if several or isinstance(answer, tuple | list) else (answer,)
    if len(given) != len(wanted):
        words = f"{len(given)} came back, {len(wanted)} {'was' if len(wanted) == 1 else 'were'}"
        return Failure("count", f"{words} wanted.", got=answer)
    for at, triple in enumerate(zip(wanted, exacts, given, strict=True)):
        name = f"{ORDINALS[at] if at < 5 else at} {word}" if len(wanted) > 1 else ""
        if failure := _one(*triple, tolerance, name):
            return failure
    return None


def _one(kind, exact, got, tolerance, name):
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
    wrong = differs(exact, got, tolerance)
    if not wrong.any():
        return None
    at = tuple(int(i) for i in np.argwhere(wrong)[0])
    words = f"{int(wrong.sum())} of {wrong.size} elements {of}differ." if wrong.size > 1 else ""
    place = f"at {list(at)}" + (f" {of}".rstrip() if of else "")
    return Failure("values", words, exact.astype(got.dtype), got, place, name=name)


def named(array):
    """The dtype as MindSpore prints it."""
    return _NAMES.get(array.dtype.name, array.dtype.name)


def differs(exact, got, tolerance=None):
    """Where ``got`` is not ``exact`` within the rounding of its dtype."""
    if not is_float(got):
        return exact.astype(got.dtype) != got
    tolerance = tolerance or TOLERANCE[got.dtype.name]
    got, exact = got.astype(np.float64), exact.astype(np.float64)
    with np.errstate(all="ignore"):
        finite = exact[np.isfinite(exact)]
        room = tolerance * (np.abs(exact) + np.abs(finite).max(initial=0.0) + 1e-30)
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
