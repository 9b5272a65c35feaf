"""09.descent: repair an object whose state was baked in while its method was compiled."""

import numpy as np

import ms_ext.ops  # noqa: F401  the graphs that come back hold them
from ms_ext.grading.drawing import Question, drawn, kind_of
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.failure import Counted, Failure
from ms_ext.grading.layers import structure, values

CALLS = 4
NEAR = 1e-5


def walked(w, gradients, rate=1.0, moves=True, halves=True):
    """What each call gives: the right answers, or what they are if something stands still."""
    found, first = [], True
    for gradient in gradients:
        rate = rate / 2 if halves or first else rate
        moved = w - (rate * gradient).astype(w.dtype)
        w, first = moved if moves else w, False
        found.append(moved)
    return found


def vector(draw, n):
    """four calls"""
    return _calls(draw, n)


def matrix(draw, m, n):
    """four calls, of matrices"""
    return _calls(draw, m, n)


def scalar(draw):
    """four calls, without axes"""
    return _calls(draw)


def _calls(draw, *shape):
    calls = ((draw(*shape),), *((draw(*shape),) for _ in range(CALLS)))
    return Question(f"{CALLS} calls, w of type {kind_of(calls[0][0])}", calls)


# the judge ------------------------------------------------------------------------------------


def walks(question, answer):
    """Right values at every call."""
    (w,), *calls = question.operands
    if not isinstance(answer, dict) or len(answer["answers"]) != len(calls):
        return Failure("kind", "No answers came back.", got=answer)
    wanted = walked(w, [gradient for (gradient,) in calls])
    for number, (one, got) in enumerate(zip(wanted, answer["answers"], strict=True), 1):
        if failure := values.compare(one, one, got, NEAR):
            words = f"At call {number} first. {failure.words}".strip()
            answers = tuple(answer["answers"])
            return Failure(failure.code, words, tuple(wanted), answers, f"at call {number}")
    return None


def compiled_once(question, answer):
    """Right, by one graph that does the arithmetic."""
    if failure := walks(question, answer):
        return failure
    graphs = [structure.graph_in(text) for text in answer["graphs"]]
    if broken := [each for each in graphs if isinstance(each, Failure)]:
        return broken[0]
    if len(graphs) != 1:
        words = f"{CALLS} calls were compiled to {len(graphs)} graphs."
        return Failure("compiled-again" if graphs else "not-compiled", words, *_counts(graphs))
    kind = question.operands[0][0]
    like = [p for p in graphs[0].parameters if p.abstract.shape == kind.shape]
    if len(like) < 2 or structure.size(graphs[0]) < 2:
        return Failure("interface", "It should take w and the gradient.", yours=graphs[0])
    return None


def _is(**still):
    """The answers are those of a walk in which something stands still."""

    def sees(failure):
        (w,), *calls = failure.operands
        wrong = walked(w, [gradient for (gradient,) in calls], **still)
        got = failure.got
        if failure.code != "values" or not isinstance(got, tuple):
            return False
        return all(
            np.shape(g) == o.shape and np.allclose(g, o) for g, o in zip(got, wrong, strict=True)
        )

    return sees


def _counts(graphs):
    return Counted(1, "graph"), Counted(len(graphs), "graph")


def _said(code):
    return lambda failure: failure.code == code


mistakes = (
    Mistake(
        "all-frozen", _is(moves=False, halves=False),
        "Every call begins at the first w, at the first rate.",
        "`move` was compiled when self.w and self.rate were the first ones: both are baked in. "
        "What Python assigns to an attribute later, no graph looks at.",
        "What is an input of a graph at every call, besides its arguments?",
    ),
    Mistake(
        "frozen-w", _is(moves=False), "Every call begins at the first w.",
        "self.w is baked in, or it is read anew and never written.",
        "Who writes the new w to where the next call reads it?",
    ),
    Mistake(
        "frozen-rate", _is(halves=False), "The rate stays at 0.5.",
        "self.rate is baked in: an attribute is looked at once.",
        "A rate that changes has to be an input: an argument or a Parameter.",
    ),
    Mistake(
        "rate-not-halved", _is(rate=2.0, halves=False), "The rate stays at 1.",
        "The first call should go by 0.5, the second by 0.25.",
        "Where is the rate halved, and is it before the step?",
    ),
    Mistake(
        "halved-after", _is(rate=2.0), "The rate is halved after the step.",
        "The first call should go by 0.5, not by 1.",
        "Halve it before it is used.",
    ),
    Mistake(
        "compiled-again", _said("compiled-again"), "It is compiled more than once.",
        "A rate that is a Python number makes a signature of its own at every call.",
        "`ms.viz.compilations` on the compiled method says what was new.",
    ),
    Mistake(
        "not-compiled", _said("not-compiled"), "Nothing is compiled.",
        "In PyNative mode the published object was right, too.",
        "Leave @ms.jit where it is.",
    ),
)  # fmt: skip

hints = (
    "Look at `ms.viz.modes(walk.move, gradient)`: what does it say of self.w and self.rate?",
    "A Parameter is an input at every call, and `self.w -= ...` inside compiled code writes to it. "
    "w and the rate both last from call to call, so both can be Parameters.",
    "A sibling, a counter that doubles:\n\n"
    "    class Doubling(nn.Cell):\n"
    "        def __init__(self):\n"
    "            super().__init__()\n"
    '            self.n = Parameter(Tensor(1.0, ms.float32), name="n")\n\n'
    "        @ms.jit\n"
    "        def construct(self):\n"
    "            self.n *= 2.0\n"
    "            return self.n + 0.0",
)

_W, _RATE = 'Parameter(w, name="w")', 'Parameter(Tensor(1.0, w.dtype), name="rate")'
_HALVE, _STEP = "        self.rate *= 0.5\n", "        self.w -= self.rate * gradient\n"
_GIVE = "        return self.w + 0.0"

mutants = (
    Mutant("all-frozen", _STEP, "",
           more=((_HALVE, ""), (_GIVE, "        return self.w - 0.5 * gradient"))),
    Mutant("frozen-w", _STEP, "", more=((_GIVE, "        return self.w - self.rate * gradient"),)),
    Mutant("frozen-rate", _HALVE, "", more=(("Tensor(1.0", "Tensor(0.5"),)),
    Mutant("rate-not-halved", _HALVE, ""),
    Mutant("halved-after", _HALVE + _STEP, _STEP + _HALVE),
    Mutant("not-compiled", "    @ms.jit\n    def move", "    def move"),
    Mutant("values", "self.w -= ", "self.w += "),
    Mutant("compiled-again", "        return self.move(gradient)",
           "        self.speed = getattr(self, 'speed', 1.0) / 2.0\n"
           "        return self.move(gradient, self.speed)",
           more=(("def move(self, gradient)", "def move(self, gradient, rate)"),
                 (_HALVE + _STEP, "        self.w -= rate * gradient\n"))),
    Mutant("frozen-rate", _HALVE + _STEP, "        self.w -= self.fixed * gradient\n",
           more=((_RATE, _RATE + "\n        self.fixed = 0.5"),)),
)  # fmt: skip

variants = {
    "the rate is an argument": """
class Descent(nn.Cell):
    def __init__(self, w):
        super().__init__()
        self.w = Parameter(w, name="w")
        self.rate = 1.0

    def construct(self, gradient):
        self.rate = self.rate / 2
        return self.move(gradient, mutable(self.rate))

    @ms.jit
    def move(self, gradient, rate):
        self.w -= rate * gradient
        return self.w * 1.0
""",
    "w goes in and comes out": """
@ms.jit
def moved(w, rate, gradient):
    return w - rate * gradient

class Descent:
    def __init__(self, w):
        self.w, self.calls = w, 0

    def __call__(self, gradient):
        self.calls += 1
        self.w = moved(self.w, Tensor(0.5 ** self.calls, self.w.dtype), gradient)
        return self.w
""",
    "assign": """
class Descent(nn.Cell):
    def __init__(self, w):
        super().__init__()
        self.w = Parameter(w, name="here")
        self.rate = Parameter(Tensor(0.5, w.dtype), name="how far")

    @ms.jit
    def construct(self, gradient):
        w = self.w - self.rate * gradient
        ops.assign(self.w, w)
        ops.assign(self.rate, self.rate / 2)
        return w
""",
}

exercise = Exercise(
    target="Descent",
    contract="Descent(w) makes an object; the k-th call of it moves w by gradient / 2**k and gives "
    "the new w. Compiled once, however often it is called.",
    checks=(
        Check(
            "walks", "w and the rate go on from call to call", points=1, ask="compiled object",
            cases=drawn(vector, scalar, dtypes="f32"), judge=walks, inputs="w 1 2 3 4",
        ),
        Check(
            "once", "compiled once for all calls", points=1, ask="compiled object",
            cases=drawn(vector, dtypes="f32"), judge=compiled_once, needs=("walks",),
            inputs="w 1 2 3 4",
        ),
        Check(
            "types", "of matrices and of float64, too", points=1, ask="compiled object",
            cases=drawn(matrix, dtypes="f32 f64"), judge=compiled_once, needs=("walks",),
            inputs="w 1 2 3 4",
        ),
    ),
    mistakes=mistakes,
    hints=hints,
    mutants=mutants,
    variants=variants,
)  # fmt: skip
