"""What does a program do, seen from the stages? It calls, it waits, and it works on its own.

>>> listed([(1, 2, 1, 4), StageSync()])
[StageCall(1, 2, 1, 4), StageSync('data', 1)]
"""

import numbers
from fractions import Fraction
from typing import NamedTuple

from ... import errors
from ..task import STAGES

NEEDS = ("data", "shape", "synchronize", "event")
_FORM = "A call is four times, as in (1, 2, 1, 4), or a StageCall."


class StageCall(NamedTuple):
    """One call of an op: how long each stage takes for it. The first call of a program is call 1.

    ``needs``: the numbers of earlier calls whose results it takes in. ``fails``: the stage in which
    it raises, at the end of that stage's time.

    >>> StageCall(1, 2, 1, 4, needs=(1,)).times
    (1, 2, 1, 4)
    """

    py: object = 0
    frontend: object = 0
    device: object = 0
    launch: object = 0
    name: str = ""
    needs: tuple = ()
    fails: str = ""

    @property
    def times(self):
        """The four times, in the order of the stages."""
        return tuple(self[: len(STAGES)])

    def __repr__(self):
        said = [f"{time}" for time in self.times]
        said += [f"{key}={getattr(self, key)!r}" for key in self._fields[4:] if getattr(self, key)]
        return f"StageCall({', '.join(said)})"


class StageSync(NamedTuple):
    """The caller waits. ``need`` says for what, ``of`` for which call; 0: the last one before it.

    "data" is what ``asnumpy``, ``print`` and ``float`` need: it waits for every call made so far.
    "shape" waits for the FrontendTask of its call alone, "synchronize" for every call, "event" for
    every call up to ``of``.

    >>> StageSync("shape", 3)
    StageSync('shape', 3)
    """

    need: str = "data"
    of: int = 0

    def __repr__(self):
        return f"StageSync({self.need!r}, {self.of})"


class StageWork(NamedTuple):
    """The caller does something that is no op, for this long.

    >>> StageWork(5)
    StageWork(time=5)
    """

    time: object = 0


def listed(program):
    """The steps of a program, checked: times exact, names of calls filled in, syncs of a call."""
    found, calls = [], 0
    for step in _steps(program):
        if isinstance(step, StageSync):
            found.append(_sync(step, calls))
        elif isinstance(step, StageWork):
            found.append(StageWork(exact(step.time)))
        else:
            found.append(_call(step, calls))
            calls += 1
    return found


def exact(time):
    """A time as an int, or as a Fraction where it is no whole number.

    >>> exact(Fraction(4, 2)), exact(Fraction(1, 3))
    (2, Fraction(1, 3))
    """
    if not isinstance(time, numbers.Rational) or isinstance(time, bool) or time < 0:
        raise errors.InvalidValue(
            "A time is a whole number or a Fraction, 0 or more.",
            given=f"{time!r:.60} of type {type(time).__name__}",
            hint="Count in a smaller unit (ns), or write Fraction('0.1'): floats round.",
        )
    time = Fraction(int(time.numerator), int(time.denominator))
    return int(time) if time.denominator == 1 else time


def _steps(program):
    if isinstance(program, str) or not hasattr(program, "__iter__"):
        raise errors.InvalidType(
            "A program is a list of calls, StageSync and StageWork.",
            given=f"{program!r:.60} of type {type(program).__name__}",
            hint=_FORM,
        )
    return program


def _call(step, calls):
    if not isinstance(step, StageCall):
        if not isinstance(step, tuple | list) or len(step) != len(STAGES):
            raise errors.InvalidValue(
                "A step of a program is a call, a StageSync or a StageWork.",
                given=f"{step!r:.80}",
                hint=_FORM,
            )
        step = StageCall(*step)
    if step.fails and step.fails not in STAGES:
        raise errors.InvalidValue(
            f"There is no stage {step.fails!r}.", hint=errors.did_you_mean(step.fails, STAGES)
        )
    needs = tuple([_earlier(number, calls, "needs") for number in step.needs])
    return StageCall(*map(exact, step.times), step.name, needs, step.fails)


def _sync(step, calls):
    if step.need not in NEEDS:
        raise errors.InvalidValue(
            f"A sync needs no {step.need!r}.",
            hint=f"It may need {', '.join(NEEDS)}; asnumpy, print and float need 'data'.",
        )
    if not calls:
        return StageSync(step.need, 0)  # nothing was called yet: nothing to wait for
    return StageSync(step.need, _earlier(step.of or calls, calls, "waits for"))


def _earlier(number, calls, what):
    if type(number) is not int or not 1 <= number <= calls:
        raise errors.InvalidIndex(
            f"A step {what} call {number!r}, which does not come before it.",
            hint=f"Calls are numbered from 1; before this step there are {calls}.",
        )
    return number
