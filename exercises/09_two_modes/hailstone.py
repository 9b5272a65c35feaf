"""09.hailstone: a loop that a tensor decides, with a branch that keeps its types."""

import numpy as np

import ms_ext.ops  # noqa: F401  the graphs that come back hold them
from ms_ext.engine.infer import AbstractTensor
from ms_ext.grading.drawing import Question, drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.failure import Counted, Failure
from ms_ext.grading.layers import evaluation, structure

LOOPS, MOST = ("While", "For"), 24  # calls that a graph without copies needs at most


def hailstone(n):
    """The right answer of a Python number: (steps, top)."""
    steps, top = 0, n
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps, top = steps + 1, max(top, n)
    return steps, top


def numbers(draw, kind=("one", "even", "small", "odd", "far", "power")):
    """a number"""
    n = {"one": 1, "even": 6, "small": draw.integer(3, 9), "odd": 2 * draw.integer(5, 12) + 1,
         "far": 27, "power": 32}[kind]  # fmt: skip
    abstract = AbstractTensor(draw.dtype, ())
    title = f"n is {n}, of type {abstract}"
    return Question(title, (n,), {"types": [str(abstract)]})


def _loops(*numbers):
    return [Counted(number, "loop") for number in numbers]


def _question_of(failure):
    return failure.operands[0]


def right(question, answer):
    """The graph that came back gives steps and top for the question's number."""
    graph = structure.graph_in(answer)
    if isinstance(graph, Failure):
        return graph
    if any(
        node.primitive.name == "PyExecute" for each in graph.all_graphs() for node in each.order()
    ):
        return Failure("kind", "There is a PyExecute in your graph.", yours=graph)
    n, dtype = question.operands[0], graph.parameters[0].abstract.dtype.numpy
    wanted = hailstone(n)
    if len(graph.outputs) != 2:
        words = f"Your graph gives {Counted(len(graph.outputs), 'result')!r}."
        return Failure("count", words, yours=graph)
    results = evaluation.run(graph, (np.array(n, dtype),))
    if isinstance(results, Failure):
        return results
    got = tuple(np.asarray(each).item() for each in results)
    if got != wanted:
        return Failure("values", f"For {n}: (steps, top).", wanted, got)
    if (kind := np.asarray(results[1]).dtype) != dtype:
        words = f"top has dtype {kind}; n has {np.dtype(dtype)}."
        return Failure("dtype", words, np.zeros((), dtype), np.asarray(results[1]))
    return None


def one_loop(question, answer):
    """Right, and one loop with one branch, nothing written out."""
    if failure := right(question, answer):
        return failure
    graph = structure.graph_in(answer)
    names = [node.primitive.name for each in graph.all_graphs() for node in each.order()]
    loops = sum(names.count(name) for name in LOOPS)
    if loops != 1:
        words = f"Your graph has {loops} loops; it should have one."
        return Failure(
            "no-loop" if not loops else "too-many", words, *_loops(1, loops), yours=graph
        )
    if len(names) > MOST:
        words = f"Your graph makes {len(names)} calls; {MOST} are more than enough."
        wanted, found = Counted(MOST, "call"), Counted(len(names), "call")
        return Failure("too-many", words, wanted, found, yours=graph)
    return None


def _says(*words):
    """The learner's function was refused with one of these words."""
    return lambda failure: any(each in failure.words for each in words)


mistakes = (
    Mistake(
        "branches-differ", _says("Type Join Failed", "different branches"),
        "What two branches give has two types.",
        "Which branch runs is known only when the graph runs, so both must give the same type. In "
        "a loop, what goes round must keep its type too.",
        "Which operator makes floats of integers?",
    ),
    Mistake(
        "asks-python", _says("cannot be written as text", "PyExecute"),
        "Your graph asks Python.",
        "float(n), int(n), n.asnumpy() or a list of tensors is Python's business: the graph has to "
        "wait for it at every step.",
        "Stay with tensors: compare them, calculate with them.",
    ),
    Mistake(
        "untouched-number",
        lambda failure: failure.got is not None and failure.got == (0, _question_of(failure)),
        "Nothing happens to the number.",
        "0 steps are right for 1 only.",
        "Write the loop first, then what happens in it.",
    ),
    Mistake(
        "top-of-the-rest",
        lambda failure: failure.code == "values" and failure.got == _without_start(failure),
        "The first number is not counted among those on the way.",
        "The largest number on the way may be the one you begin with.",
        "What is `top` before the first step?",
    ),
    Mistake(
        "steps-off",
        lambda failure: failure.code == "values" and failure.got[1] == failure.expected[1],
        "The number of steps is wrong.",
        "1 needs no step, 2 needs one.",
        "Follow your loop for 2, by hand.",
    ),
    Mistake(
        "no-loop", lambda failure: failure.code == "no-loop", "There is no loop in your graph.",
        "A recursion is a call of a graph, and turns that Python counts are written out. Neither "
        "is a loop.",
        "Which loop of Python can a tensor stop?",
    ),
    Mistake(
        "several-loops",
        lambda failure: failure.code == "too-many" and "loops" in failure.words,
        "There is more than one loop in your graph.",
        "One loop whose turn is one step, of either kind, is enough.",
        "Which of your loops could be an if?",
    ),
    Mistake(
        "written-out", lambda failure: failure.code == "too-many",
        "Parts of your loop stand in the graph more than once.",
        "Turns that Python can count are written out; a branch that leaves the loop early is "
        "copied with all that follows.",
        "Let one `while` decide, by a tensor.",
    ),
)  # fmt: skip


def _without_start(failure):
    n = _question_of(failure)
    steps, _ = hailstone(n)
    return (steps, hailstone(n // 2 if n % 2 == 0 else 3 * n + 1)[1] if n > 1 else 0)


hints = (
    "Write it as you would in Python, for one number. What has to keep its type from step to step?",
    "`while n != 1:` on a tensor stays a loop. Inside, an `if` on a tensor with an `else`: both "
    "give n a new value of n's dtype, so `//`, not `/`. ops.maximum is for tensors.",
    "A sibling, how often can 10 be taken away, and what is left:\n\n"
    "    def tens(n):\n"
    "        times = 0\n"
    "        while n >= 10:\n"
    "            n = n - 10\n"
    "            times = times + 1\n"
    "        return times, n",
)

_BODY = """    steps, top = 0, n
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        top = ops.maximum(top, n)
        steps = steps + 1
    return steps, top"""
_RECURSION = """def following(n):
    return n // 2 if n % 2 == 0 else 3 * n + 1

def steps_of(n):
    if n == 1:
        return 0
    return steps_of(following(n)) + 1

def top_of(n):
    if n == 1:
        return n
    return ops.maximum(n, top_of(following(n)))

def hailstone(n):
    return steps_of(n), top_of(n)"""
_TWO = """    steps, top = 0, n
    while n != 1:
        while n % 2 == 0:
            n = n // 2
            steps = steps + 1
        if n != 1:
            n = 3 * n + 1
            top = ops.maximum(top, n)
            steps = steps + 1
    return steps, top"""
_FIRST = """    steps, top = 0, n
    for _ in range(3):
        if n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            top = ops.maximum(top, n)
            steps = steps + 1
"""
_TOP = "top = ops.maximum(top, n)"

mutants = (
    Mutant("branches-differ", "n = n // 2", "n = n / 2"),
    Mutant("asks-python", "n % 2 == 0", "int(n) % 2 == 0"),
    Mutant("asks-python", "while n != 1", "while float(n) != 1.0"),
    Mutant("untouched-number", "while n != 1", "while n != n"),
    Mutant("top-of-the-rest", "steps, top = 0, n", "steps, top = 0, n * 0"),
    Mutant("steps-off", "steps, top = 0, n", "steps, top = 1, n"),
    Mutant("steps-off", "steps = steps + 1", "steps = steps + 2"),
    Mutant("values", "return steps, top", "return top, steps"),
    Mutant("values", _TOP, "top = ops.minimum(top, n)"),
    Mutant("count", "return steps, top", "return steps"),
    Mutant("no-loop", "def hailstone(n):\n" + _BODY, _RECURSION),
    Mutant("several-loops", _BODY, _TWO),
    Mutant("written-out", _BODY, _FIRST + _BODY.partition("\n")[2]),
    Mutant("steps-off", "while n != 1:",
           "for _ in range(12):\n        if n == 1:\n            break"),
)  # fmt: skip

variants = {
    "a branch without else, a Python number as top": """
def hailstone(n):
    top, count = n, 0
    while n > 1:
        half = n // 2
        if n % 2 == 1:
            half = n * 3 + 1
        n = half
        if n > top:
            top = n
        count += 1
    return count, top
""",
    "where instead of if, helpers": """
def following(n):
    return ops.where(n % 2 == 0, n // 2, 3 * n + 1)

def hailstone(n):
    steps, top = 0, n
    while not n == 1:
        n = following(n)
        top, steps = ops.maximum(n, top), steps + 1
    return steps, top
""",
    "a branch with else, written under jit": """
@ms.jit
def hailstone(n):
    steps, top = 0, n
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = n * 3 + 1
        top = n if n > top else top
        steps = steps + 1
    return steps, top
""",
}

_SHOWN = {"ask": "trace", "inputs": "n"}
exercise = Exercise(
    target="hailstone",
    contract="How many steps n takes to reach 1, and the largest number on the way: one loop with "
    "one branch in the graph.",
    checks=(
        Check(
            "values", "steps and top are right", points=2, cases=drawn(numbers, dtypes="i32"),
            judge=right, **_SHOWN,
        ),
        Check(
            "loop", "one loop, nothing written out", points=1, cases=drawn(numbers, dtypes="i32"),
            judge=one_loop, needs=("values",), **_SHOWN,
        ),
        Check(
            "dtypes", "of every integer type", points=1,
            cases=drawn(numbers, dtypes="i64 i16"), judge=one_loop, needs=("values",), **_SHOWN,
        ),
    ),
    mistakes=mistakes,
    hints=hints,
    mutants=mutants,
    variants=variants,
)  # fmt: skip
