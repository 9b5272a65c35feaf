"""16.hidden_sync: repair a loop whose caller waits at every step, and keep its values."""

import functools

import numpy as np

from ms_ext.grading.drawing import Question, drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.failure import Counted, Failure
from ms_ext.grading.layers import values
from ms_ext.runtime import StageCall, StageSync, simulate_stages

TIMES = (1, 1, 1, 4)  # of every op that goes through the stages
LEAST = 2  # ops of each step that must go through them
NEAR = 1e-5


def descend(w, batches):
    """The right answer."""
    losses = []
    for x in batches:
        gap = w - x
        losses.append((gap * gap).sum())
        w = w - gap / 2
    return w, losses, min(losses)


def vectors(draw, n, steps=(1, 2, 3, 6)):
    """a few steps"""
    w = draw(n)
    return Question(
        f"{Counted(steps, 'step')}, w of shape [{n}]", (w, [draw(n) for _ in range(steps)])
    )


def matrices(draw, m, n, steps=(2, 5)):
    """matrices"""
    w = draw(m, n)
    return Question(
        f"{Counted(steps, 'step')}, w of shape [{m}, {n}]", (w, [draw(m, n) for _ in range(steps)])
    )


# the judges -----------------------------------------------------------------------------------


def same_values(question, answer):
    """w, the losses in order, and the least of them."""
    if not isinstance(answer, dict) or not isinstance(answer.get("answer"), tuple | list):
        return Failure("kind", "Three results are wanted: w, the losses, the least.", got=answer)
    given = tuple(answer["answer"])
    if len(given) != 3 or not isinstance(given[1], tuple | list):
        return Failure("kind", "Three results are wanted: w, the losses, the least.", got=given)
    w, losses, least = descend(*question.operands)
    if not all(map(_is_number, (*given[1], given[2]))):
        words = "The losses and the least are Python numbers."
        return Failure("kind", words, got=(given[1], given[2]))
    if len(given[1]) != len(losses):
        words = f"{len(losses)} losses are wanted, one for each batch."
        return Failure("count", words, len(losses), len(given[1]))
    pairs = {
        "in w": (w, given[0]),
        "in the losses": (np.array(losses), np.array(given[1], np.float32)),
        "in the least": (np.array(least), np.array(given[2], np.float32)),
    }
    for place, (wanted, got) in pairs.items():
        if failure := values.compare(wanted, wanted, got, NEAR):
            return Failure(failure.code, failure.words, wanted, got, place, name=place)
    return None


def _is_number(value):
    return isinstance(value, int | float) and not isinstance(value, bool)


def one_wait(question, answer):
    """With the judge's own times the program ends when it would without any wait but the last."""
    if failure := same_values(question, answer):
        return failure
    steps = _steps(answer.get("steps"))
    if steps is None:
        return Failure("kind", "What was recorded cannot be read.", got=answer.get("steps"))
    calls = [step for step in steps if isinstance(step, StageCall)]
    batches = len(question.operands[1])
    if len(calls) < LEAST * batches:
        words = f"{len(calls)} ops went through the stages, for {batches} batches."
        return Failure("not-staged", words, LEAST * batches, len(calls))
    yours, best = simulate_stages(steps), simulate_stages(calls)
    if yours.makespan == best.makespan:
        return None
    first = next(sync for sync in yours.syncs if sync.end > sync.start)
    words = (
        f"The caller waits {len(yours.syncs)} times, the first time after {first.of} of "
        f"{len(calls)} calls: {yours.makespan} instead of {best.makespan}."
    )
    picture = functools.partial(_drawn, calls, steps)
    return Failure("waits", words, best.makespan, yours.makespan, picture=picture)


def _steps(recorded):
    """The recorded calls and waits, with the judge's times; None if they are no such thing."""
    if not isinstance(recorded, list):
        return None
    found, calls = [], 0
    for step in recorded:
        if not isinstance(step, tuple | list) or not 1 <= len(step) <= 2:
            return None
        if len(step) == 1:
            calls += 1
            found.append(StageCall(*TIMES, name=str(step[0])[:40]))
        elif step[0] not in ("data", "shape", "synchronize", "event"):
            return None
        elif type(step[1]) is not int or not 0 <= step[1] <= calls:
            return None
        else:
            found.append(StageSync(step[0], step[1]))
    return found


def _drawn(calls, steps):
    from ms_ext import viz  # only an answer that failed is drawn

    return viz.stages({"without a wait": calls, "yours": steps})


# typical mistakes -----------------------------------------------------------------------------


def _said(code):
    return lambda failure: failure.code == code


def _updated_first(failure):
    """The losses are those of the w that each step left behind."""
    if failure.code != "values" or failure.name != "in the losses":
        return False
    w, batches = failure.operands
    late = []
    for x in batches:
        w = w - (w - x) / 2
        late.append(((w - x) ** 2).sum())
    return np.allclose(failure.got, late, rtol=NEAR)


def _one_behind(failure):
    """The least is that of all losses but the last, or the last one."""
    if failure.code != "values" or failure.name != "in the least":
        return False
    losses = descend(*failure.operands)[1]
    return np.isclose(failure.got, losses[-1]) or np.isclose(failure.got, losses[0])


mistakes = (
    Mistake(
        "waits", _said("waits"), "The caller still waits inside the loop.",
        "`float(t)`, `t.asnumpy()`, `print(t)`, `t.item()`, `if t:` need values. The caller waits "
        "for them, makes no call meanwhile, and the lanes run dry. Expected and got: when it all "
        "ends if each op takes 1, 1, 1 and 4.",
        "Which lines of the loop need a number? Keep the tensors, and read them behind the loop.",
    ),
    Mistake(
        "not-staged", _said("not-staged"), "The work no longer goes through the stages.",
        "Arithmetic on NumPy arrays runs on the caller, one step after the other.",
        "Let the loop compute with tensors, as it did.",
    ),
    Mistake(
        "updated-first", _updated_first, "Each loss is that of the next w.",
        "The order of the steps changed: the loss belongs to the w before the step.",
        "Which comes first in the chapter's loop?",
    ),
    Mistake(
        "not-the-least", _one_behind, "The least is one of the losses, but not the least one.",
        "It is taken over all steps, the first and the last among them.",
        "Take it behind the loop, from all losses.",
    ),
)  # fmt: skip

hints = (
    "Draw it: `ms.viz.timeline(descend, w, batches)`. At every dashed line the caller waits; which "
    "line of the program is it?",
    "A tensor whose value is still to come can be kept in a list, and computed with. Only reading "
    "it waits. So let the loop only call, and read all losses behind it.",
    "A sibling, the longest of some sums:\n\n"
    "def longest(rows):\n"
    "    waiting = [ops.sum(row * row) for row in rows]\n"
    "    return max(float(each) for each in waiting)",
)

_APPEND, _READ = "kept.append(ops.sum(gap * gap))", "losses = [float(loss) for loss in kept]"
_STEP = "w = w - 0.5 * gap"
_LOOP = "    for x in batches:\n        gap = w - x\n"

mutants = (
    Mutant("waits", _APPEND, "kept.append(float(ops.sum(gap * gap)))"),
    Mutant("waits", _STEP, "w = w - 0.5 * gap\n        str(w)"),
    Mutant("waits", _STEP, "w = Tensor((w - 0.5 * gap).asnumpy())"),
    Mutant("waits", _APPEND, _APPEND + "\n        if kept[-1] > 1e30:\n            break"),
    Mutant("waits", _APPEND, _APPEND + "\n        ms.runtime.synchronize()"),
    Mutant("not-staged", _LOOP,
           "    w, batches = w.asnumpy(), [x.asnumpy() for x in batches]\n" + _LOOP,
           more=((_APPEND, "kept.append((gap * gap).sum())"), ("return w,", "return Tensor(w),"))),
    Mutant("updated-first", "gap = w - x\n        " + _APPEND + "\n        " + _STEP,
           "w = w - 0.5 * (w - x)\n        kept.append(ops.sum((w - x) * (w - x)))"),
    Mutant("not-the-least", "min(losses)", "losses[-1]"),
    Mutant("kind", _READ, "losses = list(kept)"),
    Mutant("count", _READ, "losses = [float(loss) for loss in kept[1:]]\n    losses.append(0.0)\n"
           "    losses.append(0.0)"),
    Mutant("values", _STEP, "w = w - 0.25 * gap"),
)  # fmt: skip

variants = {
    "one read of all": """
def descend(w, batches):
    losses = []
    for x in batches:
        gap = w - x
        losses = [*losses, (gap * gap).sum()]
        w = w - gap * 0.5
    found = ops.stack(losses).asnumpy().tolist()
    return w, found, min(found)
""",
    "the least as an op": """
def descend(w, batches):
    kept, least = [], None
    for x in batches:
        gap = w - x
        loss = ops.sum(gap * gap)
        kept.append(loss)
        least = loss if least is None else ops.minimum(least, loss)
        w = w - 0.5 * gap
    return w, [each.item() for each in kept], float(least)
""",
    "a shape in the loop": """
def descend(w, batches):
    kept = []
    for x in batches:
        gap = w - x
        assert gap.shape == x.shape
        kept.append(ops.sum(gap * gap))
        w = w - 0.5 * gap
    return w, [float(each) for each in kept], min(float(each) for each in kept)
""",
}

_ASKED = {"ask": "staged", "inputs": "w batches"}
exercise = Exercise(
    target="descend",
    contract="The same results: w after the last step, the loss of each step as Python floats, the "
    "least of them. The caller waits for nothing before the last op has been called.",
    checks=(
        Check("waits", "no wait in the loop, the same values", 2,
              cases=drawn(vectors), judge=one_wait, **_ASKED),
        Check("matrices", "the same values of matrices", 1, needs=("waits",),
              cases=drawn(matrices), judge=same_values, **_ASKED),
    ),
    mistakes=mistakes,
    hints=hints,
    mutants=mutants,
    variants=variants,
)  # fmt: skip
