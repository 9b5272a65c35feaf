"""What does an op promise before its body runs? The type in its graph, beside the real one.

A check asks "trace": the graph comes back as text, and no body has run. What the promise must be is
worked out here, by running a NumPy reference on arrays of the same types.
"""

import functools
import re
from dataclasses import dataclass

import numpy as np

from ms_ext import dtype as dtypes

from ..drawing import Question, kind_of
from ..failure import Failure


@dataclass(frozen=True)
class Kind:
    """A tensor's type.

    >>> read("f32[2,3]"), read("bool[]").shape
    (f32[2,3], ())
    """

    dtype: str
    shape: tuple

    def __repr__(self):
        return f"{self.dtype}[{','.join(map(str, self.shape))}]"


def read(text):
    """The Kind that is written as "f32[2,3]"."""
    dtype, _, sizes = text.rstrip("]").partition("[")
    return Kind(dtype, tuple(map(int, filter(None, sizes.split(",")))))


def types_of(family):
    """The cases of a family, of which only the operands' types are shown to the target."""

    @functools.wraps(family)
    def asked(draw, **sizes):
        types = [kind_of(each) for each in family(draw, **sizes)]
        return Question(f"{family.__doc__}   ({', '.join(types)})", (), {"types": types})

    return asked


def arrays(question):
    """Arrays of ones of the types that the target was shown."""
    known = {each.short: each for each in dtypes.DTYPES}
    kinds = map(read, question.options["types"])
    return [np.ones(kind.shape, known[kind.dtype].numpy) for kind in kinds]


def promised(text):
    """The Kind of a graph's only result, or None: the last line before its return.

    >>> promised("graph g@1(%0 x: f32[3]) {\\n  %1 = Custom.f(%0) : i64[8]\\n  return %1\\n}")
    i64[8]
    """
    found = re.search(r": (\w+\[[\d,]*\])\s*return %\d+$", str(text), re.MULTILINE)
    return read(found[1]) if found else None


def of(reference, *parts):
    """The promise is the type of what ``reference`` really returns; or only these parts of it."""

    def judge(question, text):
        wanted, got = read(kind_of(reference(*arrays(question)))), promised(text)
        if got is None:
            return Failure("kind", "The graph of the op does not end in one tensor.")
        for part in parts or ("dtype", "shape"):
            if getattr(wanted, part) != getattr(got, part):
                return Failure(part, "", wanted, got)
        return None

    return judge
