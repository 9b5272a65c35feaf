"""What a check of gradients has found: per input both gradients, and a sentence about them."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class InputCheck:
    """The gradient of one input.

    ``numeric``: the differences. ``analytic``: what came back, in its own shape; None for nothing.
    ``difference``: analytic - numeric, None where the shapes differ. ``tolerance``: how far they
    may part, for each element. ``worst``: where they part most, an index. ``at_kink``: the
    elements at a kink of the function, where any slope between both sides is right; a mask.
    ``cause``, ``sentence``: the mistake it is like, and what to do. ``measured_in``: a dtype.
    """

    name: str
    position: int
    passed: bool
    numeric: np.ndarray
    analytic: np.ndarray | None
    difference: np.ndarray | None
    tolerance: np.ndarray
    worst: tuple | None
    at_kink: np.ndarray
    cause: str
    sentence: str
    dtype: str
    measured_in: str

    def lines(self):
        """What there is to say, the verdict first."""
        head = f"{self.name} {list(self.numeric.shape)} {self.dtype}: "
        if self.passed:
            return [head + self._right()]
        return [head + self._wrong(), *([f"    {self.sentence}"] if self.sentence else [])]

    def _right(self):
        apart = np.zeros(0) if self.difference is None else np.abs(self.difference)
        apart = apart[apart <= self.tolerance].max(initial=0.0) if apart.size else 0.0
        count = int(self.at_kink.sum())
        kinks = f"; {count} at a kink of the function" if count else ""
        return f"right, within {_number(float(apart))} of the differences{kinks}"

    def _wrong(self):
        cause = f" ({self.cause})" if self.cause else ""
        if self.worst is None or self.analytic is None:
            return f"wrong{cause}"
        at = list(map(int, self.worst))
        got, wanted = float(self.analytic[self.worst]), float(self.numeric[self.worst])
        many = int((~(np.abs(self.difference) <= self.tolerance) & ~self.at_kink).sum())
        if not many:
            return f"wrong{cause}"
        of = f", {many} of {self.numeric.size} elements" if self.numeric.size > 1 else ""
        return (
            f"wrong{cause}{of}\n    at {at} bprop gives {_number(got)}, the differences in "
            f"{self.measured_in} {_number(wanted)}"
        )

    def __repr__(self):
        return "\n".join(self.lines())


@dataclass(frozen=True)
class Gradcheck:
    """All inputs of a function; true if each gradient is right.

    ``mode``: "eager" or "graph", where the gradient was taken. ``raised``: what was raised instead
    of a gradient, or None.
    """

    name: str
    mode: str
    inputs: tuple
    raised: str | None = None

    @property
    def passed(self):
        """Whether each gradient is right."""
        return self.raised is None and all(each.passed for each in self.inputs)

    def __bool__(self):
        return self.passed

    def __getitem__(self, key):
        """The check of one input, by name or number."""
        named = {each.name: each for each in self.inputs}
        return named[key] if isinstance(key, str) else self.inputs[key]

    def __repr__(self):
        lines = [f"gradcheck of {self.name} ({self.mode}): {self._verdict()}"]
        for each in self.inputs:
            lines += [f"  {line}" for said in each.lines() for line in said.splitlines()]
        if self.raised is not None:
            lines += [f"  {line}" for line in self.raised.splitlines()]
        return "\n".join(lines)

    def _verdict(self):
        wrong, count = sum(not each.passed for each in self.inputs), len(self.inputs)
        if not wrong:
            return "no gradient came back" if self.raised else _all_right(count)
        if count == 1:
            return "the gradient is wrong"
        return f"{wrong} of {count} gradients {'is' if wrong == 1 else 'are'} wrong"


def _all_right(count):
    return "the gradient is right" if count == 1 else f"all {count} gradients are right"


def _number(value):
    return f"{value:.6g}"
