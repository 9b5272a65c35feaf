"""What is known of a case on which an answer is wrong?"""

import re
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Failure:
    """One case that failed. A judge fills the upper half, the course of the check the lower."""

    code: str  # a key of codes.CODES
    words: str = ""  # a sentence about this very case
    expected: object = None
    got: object = None
    place: str = ""  # where the first difference is
    wanted: object = None  # a FuncGraph: what a right answer gives
    yours: object = None  # a FuncGraph: what came back
    picture: object = None  # a function to a view of ms_ext.viz
    inputs: tuple = ()  # (name, type, elements) that the graphs were run on

    reply: object = None  # what came instead of an answer: an error, or that the process is gone
    question: object = None
    case: object = None
    check: object = None
    name: str = ""  # of the input or output that is concerned

    @property
    def operands(self):
        """What the target was called with."""
        return self.question.operands


class Counted(int):
    """A number of things as a verdict shows it.

    >>> Counted(1, "graph"), Counted(5, "graph")
    (1 graph, 5 graphs)
    """

    def __new__(cls, number, noun):
        """So many of something."""
        made = super().__new__(cls, number)
        made.noun = noun
        return made

    def __repr__(self):
        return f"{int(self)} {self.noun}{'s' * (self != 1)}"


def listed(value):
    """A value in one line, long arrays in short; text with lines as it is.

    >>> listed((np.float32(0.1), [np.zeros((1, 2)), np.array(3)]))
    '(0.1, [[[0., 0.]], 3])'
    """
    if isinstance(value, np.ndarray | np.generic):
        array = np.asarray(value)
        return _dense(np.array2string(array, separator=", ", threshold=12, precision=6))
    if isinstance(value, tuple):
        return f"({', '.join(map(listed, value))}{',' * (len(value) == 1)})"
    if type(value) is list:
        return f"[{', '.join(map(listed, value))}]"[:400]
    if isinstance(value, str) and "\n" in value:  # a graph's text
        return value.rstrip("\n")[:2000]
    return f"{value!r:.400}"


def _dense(shown):
    """An array's text without the blanks that line its columns up."""
    return re.sub(r"(?<=\[) +| +(?=[],])", "", re.sub(r"\s+", " ", shown))
