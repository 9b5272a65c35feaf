"""What did the loader do, step by step? What it looked at, what came of it, and how long it took.

| kind | what | outcome |
|---|---|---|
| "look" | a path, or the symbol looked for | "found", "missing", "shadowed" |
| "cache" | a compiled library | "hit", "miss" |
| "compile" | the compiler's command | "built", "failed" |
| "open" | a library | "opened", "reused", "failed" |
| "symbol" | a function's name | "found", "missing", "twice" |

>>> trace = Trace("my_mul")
>>> with trace.step("look", "./libmy_mul.so") as step:
...     step.say("found", "./libmy_mul.so is a file.")
>>> trace.steps[0].kind, trace.steps[0].outcome, trace.steps[0].words
('look', 'found', './libmy_mul.so is a file.')
"""

import contextlib
import time
from dataclasses import dataclass, field

_BAD = ("missing", "failed")


@dataclass
class Step:
    """One thing the loader did: a sentence in ``words``; ``seconds`` is None for a remark."""

    kind: str
    what: str
    outcome: str = ""
    words: str = ""
    seconds: float | None = None

    def say(self, outcome, words):
        """What came of it."""
        self.outcome, self.words = outcome, words

    def __str__(self):
        mark = "x" if self.outcome in _BAD else "-" if self.seconds is None else "+"
        took = "" if self.seconds is None else f"  ({self.seconds * 1e3:.2f} ms)"
        return f"{mark} {self.kind:<8}{self.outcome:<9}{self.words or self.what}{took}"


@dataclass(repr=False)
class Trace:
    """The steps from what ``func`` says to an address; they end where loading failed."""

    func: str
    steps: list = field(default_factory=list)
    library: str | None = None
    symbol: str | None = None
    address: int | None = None
    exports: tuple = ()
    shadowed: tuple = ()

    @contextlib.contextmanager
    def step(self, kind, what):
        """Time what is done within the block; an error becomes the step's outcome."""
        step = Step(kind, str(what))
        self.steps.append(step)
        begin = time.perf_counter()
        try:
            yield step
        except BaseException as error:
            step.say("failed", (str(error) or type(error).__name__).splitlines()[0])
            raise
        finally:
            step.seconds = time.perf_counter() - begin

    def remark(self, kind, what, outcome, words):
        """Something worth knowing that took no time."""
        self.steps.append(Step(kind, str(what), outcome, words))

    @property
    def seconds(self):
        """How long all steps took."""
        return sum(step.seconds or 0 for step in self.steps)

    def __str__(self):
        return "\n".join([self.func, *(f"  {step}" for step in self.steps)])

    __repr__ = __str__
