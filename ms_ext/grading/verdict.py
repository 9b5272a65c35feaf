"""What does a check say? Status, the smallest failing case, what it means, what to do next.

Plain data with three faces: text for a terminal, HTML for a notebook or a page, and a line of data
from which a saved notebook can be read again.
"""

import sys
from dataclasses import asdict, dataclass, field, fields

MARKS = {"passed": "✓", "partly": "◐", "failed": "✗", "not attempted": "○"}
WORDS = {
    **{status: status for status in MARKS},
    "partly": "partly right",
    "not attempted": "not attempted yet",
}
MIME = "application/vnd.ms-ext.verdict+json"


@dataclass(frozen=True)
class CheckResult:
    """One check of an exercise: how many of its cases pass, and what that earns.

    >>> CheckResult("gradients", "the right values", 0, 2, passed=3, total=9).status
    'failed'
    """

    name: str
    title: str
    points: float
    of: float
    passed: int = 0
    total: int = 0
    code: str = ""
    open: bool = True  # False: a check of the teacher's, whose cases are never shown

    @property
    def status(self):
        """A key of MARKS; what was not asked, or waits for a check that it needs, is open."""
        if self.passed < self.total:
            return "failed"
        return "passed" if self.total and self.points >= self.of else "not attempted"


@dataclass(frozen=True)
class Witness:
    """The smallest case on which the answer fails: anybody can run it and see."""

    title: str
    before: str = ""
    after: str = ""
    inputs: tuple = ()  # (name, type, elements)
    expected: str = ""
    got: str = ""
    place: str = ""  # where the first difference is
    more: tuple = ()  # further (label, text)

    def rows(self):
        """What is known, as (label, text).

        >>> Witness("one row", inputs=(("x", "f32[1]", "[2.]"),), expected="4.0").rows()
        [('case', 'one row'), ('input x', 'f32[1] = [2.]'), ('expected', '4.0')]
        """
        rows = [("case", self.title), ("the graph", self.before), ("after your pass", self.after)]
        for name, kind, elements in self.inputs:
            rows.append((f"input {name}", f"{kind} = {elements}" if kind else elements))
        rows += self.more
        rows += [("first difference", self.place), ("expected", self.expected), ("got", self.got)]
        return [(label, text) for label, text in rows if text]


@dataclass(frozen=True)
class Picture:
    """A drawing with the same content in words: a sentence for a screen reader, and as text."""

    svg: str
    sentence: str
    text: str

    @classmethod
    def of(cls, view):
        """The picture that a view of ms_ext.viz makes (compare, schedule)."""
        return cls(view.svg(), view.sentence(), view.text())


@dataclass(frozen=True)
class Verdict:
    """The answer to ``check(name)``. True if the exercise is solved.

    >>> print(Verdict("05.mul_bprop", "passed", "passed", "Both are right.", of=3, points=3))
    ✓ 05.mul_bprop: passed, 3 of 3 points
      Both are right.
      (0.00 s)
    """

    name: str
    status: str  # a key of MARKS
    code: str
    headline: str
    detail: str = ""
    witness: Witness | None = None
    next: str = ""
    printed: str = ""
    picture: Picture | None = None
    checks: tuple = ()  # of CheckResult
    points: float = 0
    of: float = 0
    warnings: tuple = ()
    sha: str = ""  # of the statements that were judged
    seconds: float = field(default=0.0, compare=False)

    def __bool__(self):
        return self.status == "passed"

    @property
    def passed(self):
        """How many cases pass."""
        return sum(check.passed for check in self.checks)

    @property
    def total(self):
        """How many cases there are."""
        return sum(check.total for check in self.checks)

    def data(self):
        """Plain data, for JSON."""
        return asdict(self)

    @classmethod
    def read(cls, data):
        """The verdict whose ``data()`` this was; JSON in between does no harm."""
        known = {each.name for each in fields(cls)}
        made = {key: value for key, value in data.items() if key in known}
        if witness := data.get("witness"):
            rows = {key: tuple(map(tuple, witness.get(key, ()))) for key in ("inputs", "more")}
            made["witness"] = Witness(**{**witness, **rows})
        if picture := data.get("picture"):
            made["picture"] = Picture(**picture)
        made["checks"] = tuple([CheckResult(**each) for each in data.get("checks", ())])
        made["warnings"] = tuple(data.get("warnings", ()))
        return cls(**made)

    def brief(self):
        """What a saved notebook keeps as data: never a score, only what was once checked."""
        return {
            "name": self.name,
            "status": self.status,
            "code": self.code,
            "points": self.points,
            "of": self.of,
            "sha": self.sha,
        }

    def __str__(self):
        from . import verdict_text

        return verdict_text.text(self)

    def __repr__(self):
        """One line, as in the report of a test; at Python's prompt, which shows this, all of it."""
        from . import verdict_text

        return str(self) if hasattr(sys, "ps1") else verdict_text.line(self)

    def _repr_pretty_(self, printer, cycle):
        printer.text(str(self))

    def _repr_html_(self):
        from . import verdict_html

        return verdict_html.html(self)

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/html": self._repr_html_(), "text/plain": str(self), MIME: self.brief()}
