"""16.which_line: an op fails in one of its stages; which line of the program raises the error?"""

from ms_ext.grading.drawing import Question, drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.failure import Failure
from ms_ext.grading.layers import values
from ms_ext.runtime import StageCall, StageSync, simulate_stages

#: What a program may be about, each shape with the stages in which its call may fail.
SHAPES = {
    "read at once": ["call a !", "values a"],
    "a shape first": ["call a !", "shape a", "values a"],
    "another one first": ["call a !", "call b", "values b", "values a"],
    "another one's shape": ["call a !", "call b", "shape b", "synchronize"],
    "handed on": ["call a !", "call b a", "call c b", "values c"],
    "never read": ["call a", "call b !", "call c"],
    "everything": ["call a", "values a", "call b !", "synchronize", "values b"],
    "all is well": ["call a", "call b a", "shape b", "values b", "synchronize"],
}
#: Only where the failing stage is FrontendTask is it certain what the shape of a later call does.
HANDED_SHAPES = ["call a !", "call b a", "call c b", "shape c", "values a"]
KINDS = tuple((shape, stage) for stage in ("LaunchTask", "FrontendTask", "DeviceTask", "PyTask")
              for shape in SHAPES)  # fmt: skip


def raises_at(lines, blocking):
    """The right answer, from the model of the stages."""
    program, places, names = [], [], {}
    for place, (what, name, inputs, stage) in enumerate(lines):
        if what == "call":
            needs = tuple(names[each] for each in inputs)
            program.append(StageCall(1, 1, 1, 1, needs=needs, fails=stage))
            names[name] = len(names) + 1
        else:
            need = "data" if what == "values" else what
            program.append(StageSync(need, names.get(name, 0)))
        places.append(place)
    found = simulate_stages(program, blocking=blocking)
    if not found.raised:
        return None
    calls = [place for place, step in zip(places, program, strict=True) if _is_call(step)]
    syncs = [place for place, step in zip(places, program, strict=True) if not _is_call(step)]
    if found.syncs and found.syncs[-1].raised:
        return syncs[len(found.syncs) - 1]
    return calls[len(found.calls) - 1]


def _is_call(step):
    return isinstance(step, StageCall)


def by_stage(draw, kind=KINDS):
    """each stage, through the threads"""
    shape, stage = kind
    return _question(SHAPES[shape], stage, False)


def handed_shapes(draw, stage=("FrontendTask", "PyTask")):
    """the shape of what was made from a call that failed"""
    return _question(HANDED_SHAPES, stage, False)


def blocking(draw, kind=KINDS[::3]):
    """on the caller's thread"""
    shape, stage = kind
    return _question(SHAPES[shape], stage, True)


def _question(shape, stage, blocked):
    lines = [_line(words.split(), stage) for words in shape]
    return Question("", (lines, blocked))


def _line(words, stage):
    """(what, name, inputs, stage that fails) of a line in short."""
    what, name, *rest = (*words, "")[: max(len(words), 2)]
    inputs = [each for each in rest if each not in ("!", "")]
    return what, name, inputs, stage if "!" in words else ""


def a_line(question, answer):
    """The index of the right line, or None."""
    if answer is not None and type(answer) is not int:
        return Failure("kind", "The index of a line is wanted, or None.", got=answer)
    return values.same_data(raises_at(*question.operands), answer)


# typical mistakes ---------------------------------------------------------------------------------


def _told(failure):
    """(lines, blocking, failing line and its stage, what the answer and the right one point at)."""
    lines, blocked = failure.operands
    failing = next((at for at, line in enumerate(lines) if line[3]), None)
    stage = lines[failing][3] if failing is not None else ""
    return lines, blocked, failing, stage, failure.got, failure.expected


def _of_a_line(sees):
    """The same of an answer that is a line or None."""
    return lambda failure: failure.code == "values" and sees(failure)


def _kind_of(lines, place):
    return lines[place][0] if type(place) is int and 0 <= place < len(lines) else ""


def _at_the_call(failure):
    _, blocked, failing, stage, got, _ = _told(failure)
    return not blocked and stage != "PyTask" and got == failing is not None


def _not_at_the_call(failure):
    _, blocked, failing, _, _, wanted = _told(failure)
    return blocked and wanted == failing


def _pytask(failure):
    _, blocked, failing, stage, _, wanted = _told(failure)
    return not blocked and stage == "PyTask" and wanted == failing


def _shape_of_launch(failure):
    lines, _, _, stage, got, _ = _told(failure)
    return stage in ("DeviceTask", "LaunchTask") and _kind_of(lines, got) == "shape"


def _shape_of_another(failure):
    lines, _, failing, _, got, _ = _told(failure)
    return _kind_of(lines, got) == "shape" and lines[got][1] != lines[failing][1]


def _shape_missed(failure):
    lines, _, _, stage, _, wanted = _told(failure)
    return stage == "FrontendTask" and _kind_of(lines, wanted) == "shape"


def _unrelated(failure):
    lines, _, failing, _, _, wanted = _told(failure)
    return _kind_of(lines, wanted) == "values" and lines[wanted][1] != lines[failing][1]


def _synchronize(failure):
    lines, _, _, _, _, wanted = _told(failure)
    return _kind_of(lines, wanted) == "synchronize"


def _nobody_reads(failure):
    return failure.expected is None and failure.got is not None


mistakes = (
    Mistake("at-the-call", _of_a_line(_at_the_call),
        "The call itself has long returned.",
        "It left a tensor that is still to come, and the error happens later, on another thread. "
        "The caller hears of it where it waits.",
        "Which is the first line that waits for something?"),
    Mistake("blocking-is-at-once", _of_a_line(_not_at_the_call),
        "On one thread the call itself raises.",
        "All four stages run inside the call. It cannot return before they have.",
        "What does `blocking` change?"),
    Mistake("pytask-is-at-once", _of_a_line(_pytask),
        "PyTask is the call.",
        "It runs on the caller's own thread, before anything is handed over: the call raises.",
        "On which thread does PyTask run?"),
    Mistake("shape-asks-frontend", _of_a_line(_shape_of_launch),
        "A shape does not wait that long.",
        "It is known when FrontendTask has been through. What happens later, in DeviceTask or in "
        "LaunchTask, the shape hears nothing of.",
        "Which stage infers shapes?"),
    Mistake("shape-of-its-own", _of_a_line(_shape_of_another),
        "A shape waits for its own call alone.",
        "Another call's error is not its business.",
        "Of which call is the shape that you point at?"),
    Mistake("shape-missed", _of_a_line(_shape_missed),
        "FrontendTask did not get through, so there is no shape.",
        "Asking for one raises; so does asking for the shape of what was made from it.",
        "Which stage infers shapes, and which one failed?"),
    Mistake("unrelated-read", _of_a_line(_unrelated),
        "A read of another tensor raises it.",
        "Values wait for every call made so far. An error among them that nobody has seen is "
        "raised there, so that it does not get lost.",
        "What does a line that asks for values wait for?"),
    Mistake("synchronize-raises", _of_a_line(_synchronize),
        "`synchronize` raises what nobody has seen.",
        "It waits for every call, and no error may get lost.",
        "What is the line `synchronize` for, besides waiting?"),
    Mistake("nobody-reads", _of_a_line(_nobody_reads),
        "No line raises here.",
        "Either nothing fails, or nobody asks. At its exit Python prints an error that nobody has "
        "seen; no line gets it.",
        "Return None."),
)  # fmt: skip

hints = (
    "Two questions for each line: does it wait, and for what? Which errors have happened among "
    "that?",
    "Keep a dictionary of the names that failed, each with the stage. A call adds to it, by its "
    "own stage or by what it was made from; a shape looks up one name; values and `synchronize` "
    "ask whether it is empty. In blocking mode, and in PyTask, the call returns its own line.",
    "A sibling, letters to a friend who is away: what has gone wrong, and who hears of it?\n\n"
    "def first_complaint(days):\n"
    "    lost = []\n"
    "    for day, (what, letter) in enumerate(days):\n"
    '        if what == "lost":\n'
    "            lost.append(letter)\n"
    '        elif what == "asks for one" and letter in lost:\n'
    "            return day\n"
    '        elif what == "comes home" and lost:\n'
    "            return day\n"
    "    return None",
)

_AT_ONCE = 'if stage and (blocking or stage == "PyTask"):'
_KEEP = "failed[name] = before[0] if before else stage"
_SHAPE = 'what == "shape" and failed.get(name) == "FrontendTask"'
_VALUES = 'what in ("values", "synchronize") and failed'

mutants = (
    Mutant("at-the-call", _AT_ONCE, "if stage:"),
    Mutant("blocking-is-at-once", _AT_ONCE, 'if stage == "PyTask":'),
    Mutant("pytask-is-at-once", _AT_ONCE, "if stage and blocking:"),
    Mutant("shape-asks-frontend", _SHAPE, 'what == "shape" and name in failed'),
    Mutant("shape-of-its-own", _SHAPE, 'what == "shape" and "FrontendTask" in failed.values()'),
    Mutant("shape-missed", _SHAPE, 'what == "shapes" and failed.get(name) == "FrontendTask"'),
    Mutant("unrelated-read", _VALUES,
           'what == "values" and name in failed or what == "synchronize" and failed'),
    Mutant("synchronize-raises", _VALUES, 'what == "values" and failed'),
    Mutant("shape-missed", _KEEP, "failed[name] = stage or 'LaunchTask'"),
    Mutant("nobody-reads", "return None", "return len(lines) - 1"),
    Mutant("kind", _AT_ONCE + "\n                return number",
           _AT_ONCE + "\n                return name"),
)  # fmt: skip

variants = {
    "by asking the model": """
def raises_at(lines, blocking):
    number = {}
    program = []
    for what, name, inputs, stage in lines:
        if what == "call":
            needs = tuple(number[each] for each in inputs)
            number[name] = len(number) + 1
            program.append(ms.runtime.StageCall(1, 1, 1, 1, needs=needs, fails=stage))
        else:
            need = {"values": "data"}.get(what, what)
            program.append(ms.runtime.StageSync(need, number.get(name, 0)))
    for end in range(len(program)):
        if ms.runtime.simulate_stages(program[: end + 1], blocking=blocking).raised:
            return end
    return None
""",
    "sets": """
def raises_at(lines, blocking):
    no_shape, no_values = set(), set()
    for at, (what, name, inputs, stage) in enumerate(lines):
        if what == "call":
            if stage == "PyTask" or (stage and blocking):
                return at
            if stage == "FrontendTask" or no_shape & set(inputs):
                no_shape.add(name)
            if stage or no_values & set(inputs):
                no_values.add(name)
        elif (name in no_shape) if what == "shape" else no_values:
            return at
""",
}

_ASKED = {"ask": "call plain", "judge": a_line, "inputs": "lines blocking"}
exercise = Exercise(
    target="raises_at",
    contract="The index of the line that raises the error of a program, None if none does. A line "
    "is (what, name, inputs, stage): a call that makes `name` of `inputs` and fails in `stage` "
    '("": it does not); or "shape", "values" of `name`; or "synchronize". `blocking`: as after '
    "launch_blocking.",
    checks=(
        Check("stages", "through the threads", 2, cases=drawn(by_stage, handed_shapes), **_ASKED),
        Check("blocking", "on the caller's thread", 1, cases=drawn(blocking), **_ASKED),
    ),
    mistakes=mistakes,
    hints=hints,
    mutants=mutants,
    variants=variants,
)  # fmt: skip
