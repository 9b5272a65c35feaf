"""16.makespan: how long do equal calls take in the four stages, with waits in between?"""

from ms_ext.grading.drawing import Question, drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.failure import Failure
from ms_ext.grading.layers import values
from ms_ext.runtime import StageSync, simulate_stages

CALLS = (1, 2, 3, 5, 8, 40)
#: Calls, and after how many of them the caller waits: all waits alike, one call left, none fits.
WAITS = ((2, 1), (4, 2), (5, 2), (9, 3), (3, 7), (50, 12))


def makespan(times, calls, every):
    """The right answer, from the model of the stages."""
    program = []
    for number in range(1, calls + 1):
        program += [tuple(times), *[StageSync()] * (every > 0 and number % every == 0)]
    return simulate_stages(program).makespan


def freely(draw, calls=CALLS):
    """the caller never waits"""
    return _question(draw, calls, 0)


def with_waits(draw, waits=WAITS):
    """the caller waits after every so many calls"""
    return _question(draw, *waits)


def _question(draw, calls, every):
    """The slowest stage is any of the four, and slower than each other one."""
    times = [int(time) for time in draw.rng.integers(1, 6, 4)]
    times[int(draw.rng.integers(0, 4))] += 30  # no two formulas give the same number by chance
    return Question(f"{calls} × {times}, a wait after {every or 'none'}", (times, calls, every))


def whole(question, answer):
    """The makespan, as a whole number."""
    if isinstance(answer, bool) or not isinstance(answer, int | float):
        return Failure("kind", "A whole number is wanted.", got=answer)
    return values.same_data(makespan(*question.operands), answer)


# typical mistakes ---------------------------------------------------------------------------------


def _gives(wrong):
    """The answer is that of a typical formula, which is another one than the right one here."""

    def sees(failure):
        times, calls, every = failure.operands
        return failure.got == wrong(times, calls, every) != failure.expected

    return sees


def _stretch(times, calls):
    return sum(times) + (calls - 1) * max(times) if calls else 0


def _without_rest(times, calls, every):
    return calls // every * _stretch(times, every) if every else None


def _each_anew(times, calls, every):
    """As if the lanes ran dry only at the last wait, or each wait cost the fill alone."""
    return _stretch(times, calls) + (calls // every if every else 0)


mistakes = (
    Mistake(
        "serial-sum", _gives(lambda times, calls, every: calls * sum(times)),
        "This is the serial sum: one stage of one call after the other.",
        "The stages are threads. While LaunchTask works on one call, FrontendTask is at the next.",
        "How long after one call does the next leave the slowest stage?",
    ),
    Mistake(
        "fill-forgotten", _gives(lambda times, calls, every: calls * max(times)),
        "The first call is too fast.",
        "It has to go through all four stages before anything has come out.",
        "What does one call alone take?",
    ),
    Mistake(
        "one-too-many", _gives(lambda times, calls, every: sum(times) + calls * max(times)),
        "There is one turn of the slowest stage too many.",
        "The first call's own turn is in the sum of its stages already.",
        "Put in one call: what must come out?",
    ),
    Mistake(
        "last-is-slowest",
        _gives(
            lambda times, calls, every: (
                sum(times) + (calls - 1) * times[3] if not every and calls > 1 else None
            )
        ),
        "LaunchTask is taken for the slowest stage.",
        "Often it is; here the slowest is another one, and the others wait for that.",
        "Which of the four numbers is the largest?",
    ),
    Mistake(
        "waits-ignored", _gives(lambda times, calls, every: _stretch(times, calls)),
        "The waits change nothing in your answer.",
        "The caller waits until everything is finished. Meanwhile it makes no call, so all four "
        "lanes run dry, and the next call finds them empty.",
        "Draw two calls with a wait in between.",
    ),
    Mistake(
        "rest-forgotten", _gives(_without_rest),
        "The calls after the last wait are missing.",
        "If `every` does not divide `calls`, some calls are left.",
        "What does `divmod(calls, every)` give?",
    ),
    Mistake(
        "wait-costs-one", _gives(_each_anew),
        "A wait costs more than that.",
        "Behind a wait the lanes are empty, and the next call goes through all of them as the "
        "very first one did.",
        "After a wait the program begins anew: what does a program of `every` calls take?",
    ),
)  # fmt: skip

hints = (
    "Take one call; then two. By how much does the second call make it longer?",
    "The first call fills the lanes: the sum of its times. Each further one leaves the slowest "
    "stage one turn later. A wait lets all lanes run dry, so what comes after it is a program of "
    "its own, and the times add up.",
    "A sibling, a kitchen of two cooks, a and b minutes for a dish:\n\n"
    "def evening(a, b, dishes):\n"
    "    return a + b + (dishes - 1) * max(a, b)\n\n"
    "If the first cook waits until a table has eaten, each table is an evening of its own.",
)

_BODY = "sum(times) + (n - 1) * max(times) if n else 0"
_LAST = "return whole * stretch(every) + stretch(rest)"

mutants = (
    Mutant("serial-sum", _BODY, "n * sum(times)"),
    Mutant("fill-forgotten", _BODY, "n * max(times)"),
    Mutant("one-too-many", _BODY, "sum(times) + n * max(times)"),
    Mutant("last-is-slowest", _BODY, "sum(times) + (n - 1) * times[3] if n else 0"),
    Mutant("waits-ignored", _LAST, "return stretch(calls)"),
    Mutant("rest-forgotten", _LAST, "return whole * stretch(every)"),
    Mutant("wait-costs-one", _LAST, "return stretch(calls) + whole"),
    Mutant("values", _BODY, "2 * sum(times) + (n - 1) * max(times) if n else 0"),
    Mutant("kind", _LAST, "return str(whole * stretch(every) + stretch(rest))",
           more=(("return stretch(calls)\n", "return str(stretch(calls))\n"),)),
)  # fmt: skip

variants = {
    "by asking the model": """
def makespan(times, calls, every):
    program = []
    for number in range(calls):
        program.append(tuple(times))
        if every and (number + 1) % every == 0:
            program.append(ms.runtime.StageSync())
    return ms.runtime.simulate_stages(program).makespan
""",
    "stage by stage": """
def makespan(times, calls, every):
    free, now = [0, 0, 0, 0], 0
    for number in range(1, calls + 1):
        came = now
        for stage, time in enumerate(times):
            came = free[stage] = max(came, free[stage]) + time
        now = free[0]
        if every and number % every == 0:
            now = came
    return free[3]
""",
}

_ASKED = {"ask": "call plain", "judge": whole, "inputs": "times calls every"}
exercise = Exercise(
    target="makespan",
    contract="The time from the first call's start to the last one's end, as a whole number, if "
    "every call takes `times` in the four stages, queues are long, and the caller waits for all "
    "values after every `every` calls (0: never).",
    checks=(
        Check("freely", "without a wait", 2, cases=drawn(freely), **_ASKED),
        Check("waits", "with waits", 1, cases=drawn(with_waits), **_ASKED),
    ),
    mistakes=mistakes,
    hints=hints,
    mutants=mutants,
    variants=variants,
)  # fmt: skip
