"""08.kept_bytes: how many bytes do the stacks of a loop hold, by what its bprops read?"""

from ms_ext.grading.drawing import Question, drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.failure import Failure

ELEMENT = 4  # bytes of a float32
#: How many values of a turn are kept: what the bprops read that is not the same in every turn.
KEPT = {"drift": 0, "halve": 0, "scale": 1, "swing": 2, "swell": 1}
LINES = {
    "drift": "y + a", "halve": "0.5 * y + a", "scale": "y * a", "swing": "ops.sin(y) * a",
    "swell": "ops.exp(y) * a",
}  # fmt: skip


def kept_bytes(turns, size, each=KEPT):
    """The right answer, or what it is if other numbers of values were kept."""
    return {name: many * ELEMENT * size * turns for name, many in each.items()}


def few(draw, size, turns=(2, 3, 5)):
    """a few turns"""
    return _question(turns, size)


def ends(draw, size, turns=(0, 10_000)):
    """no turn, and ten thousand"""
    return _question(turns, size)


def _question(turns, size):
    return Question(f"{turns} turns over tensors of {size} elements", (turns, size))


# the judge ------------------------------------------------------------------------------------


def counted(question, answer):
    """A number of bytes for each loop; of those that are wrong, the first is told."""
    wanted = kept_bytes(*question.operands)
    if not isinstance(answer, dict) or answer.keys() != wanted.keys():
        words = f"A dictionary of the five names is wanted: {', '.join(wanted)}."
        return Failure("kind", words, got=answer)
    for name, right in wanted.items():
        got = answer[name]
        if not isinstance(got, int | float) or isinstance(got, bool):
            return Failure("kind", f"For {name!r} there is no number.", got=got)
        if got != right:
            words = f"{name}: y = {LINES[name]}."
            return Failure("values", words, right, got, f"in {name!r}", name=name)
    return None


def _counts(name, many):
    """For this loop so many values of each turn were counted."""

    def sees(failure):
        turns, size = failure.operands
        return failure.name == name and failure.got == many * ELEMENT * size * turns

    return sees


def _times(factor):
    """The number of the first loop that keeps something lacks a factor of (turns, size)."""

    def sees(failure):
        left_out = factor(*failure.operands)
        return failure.name == "scale" and failure.got * left_out == failure.expected > 0

    return sees


def _one_more(failure):
    turns, size = failure.operands
    return failure.name == "scale" and failure.got == ELEMENT * size * (turns + 1)


mistakes = (
    Mistake(
        "one-turn-only", _times(lambda turns, size: turns), "The turns are not counted.",
        "A stack has an element for every turn.",
        "How many turns does the loop make?",
    ),
    Mistake(
        "elements-not-bytes", _times(lambda turns, size: ELEMENT), "These are elements, not bytes.",
        "A float32 takes four bytes.",
        "Look at `x.nbytes` of a tensor of `size` elements.",
    ),
    Mistake(
        "one-turn-more", _one_more, "There is one turn too many.",
        "What the last turn gives is the result of the loop. No turn reads it, so no stack has it.",
        "With no turn at all, what is kept?",
    ),
    Mistake(
        "sum-reads-nothing",
        lambda failure: failure.name in ("drift", "halve") and failure.got,
        "This loop keeps nothing.",
        "The bprop of a sum hands dout on as it is. That of a product with a number of the program "
        "reads that number only.",
        "Write down dy of one turn: which value of this turn stands in it?",
    ),
    Mistake(
        "invariant-stacked", _counts("scale", 2), "`a` is counted in every turn.",
        "It is the same in every turn: the way back reads it where it stands, outside of the "
        "loop. No stack has it.",
        "Which of the two factors is another one in the next turn?",
    ),
    Mistake(
        "factor-forgotten", _counts("scale", 0), "The gradient of `a` needs something.",
        "`a` is the same in every turn, so it is not stacked. But how fast the product rises with "
        "`a` is `y`, and that is another one in every turn.",
        "Write down da of one turn.",
    ),
    Mistake(
        "one-of-two", _counts("swing", 1), "Two values of a turn are read here.",
        "The bprop of the sine reads its input. That of the product reads its factors.",
        "What is the input of the sine, and what are the factors?",
    ),
    Mistake(
        "result-is-enough", _counts("swell", 2), "One value serves both here.",
        "The bprop of the exponential reads its own result, for that is its slope.",
        "Which factor of the product is that very value?",
    ),
    Mistake(
        "every-value", lambda failure: failure.got == 3 * ELEMENT * _product(failure),
        "Not every value of a turn is kept.",
        "Kept is what a bprop reads and what is another one in every turn.",
        "`ms.viz.loop` lists for a loop what is not kept, and why.",
    ),
)  # fmt: skip


def _product(failure):
    turns, size = failure.operands
    return turns * size


hints = (
    "Take one loop at a time. Write down how dout of a turn becomes dy and what it adds to da. "
    "Which values stand there?",
    "Three things are never on a stack: what stands outside of the loop, numbers of the program, "
    "and what no bprop reads. Count the rest, times four bytes, times elements, times turns.",
    "A sibling, y = ops.tanh(y) + a:\n\n"
    "    dy = dout * (1 - t * t), with t = tanh(y); da += dout\n\n"
    "Kept is t alone: 4 * size bytes a turn. `a` is only added, so nobody reads it.",
)

_STACK, _DRIFT, _HALVE = "stack = 4 * size * turns", '"drift": 0', '"halve": 0'
_SCALE, _SWING, _SWELL = '"scale": stack', '"swing": 2 * stack', '"swell": stack'

mutants = (
    Mutant("one-turn-only", _STACK, "stack = 4 * size"),
    Mutant("elements-not-bytes", _STACK, "stack = size * turns"),
    Mutant("one-turn-more", _STACK, "stack = 4 * size * (turns + 1)"),
    Mutant("sum-reads-nothing", _DRIFT, '"drift": stack'),
    Mutant("sum-reads-nothing", _HALVE, '"halve": stack'),
    Mutant("invariant-stacked", _SCALE, '"scale": 2 * stack'),
    Mutant("factor-forgotten", _SCALE, '"scale": 0'),
    Mutant("one-of-two", _SWING, '"swing": stack'),
    Mutant("result-is-enough", _SWELL, '"swell": 2 * stack'),
    Mutant("values", _SWING, '"swing": 3 * stack + 4 * size'),
    Mutant("kind", _SWELL, '"swells": stack'),
    Mutant("kind", _SWELL, '"swell": str(stack)'),
)  # fmt: skip

variants = {
    "by what each bprop reads": """
READ = {"drift": (), "halve": (), "scale": ("y",), "swing": ("y", "sin"), "swell": ("exp",)}

def kept_bytes(turns, size):
    value = np.zeros(size, np.float32).nbytes
    return {name: turns * value * len(read) for name, read in READ.items()}
""",
    "a loop over turns, floats": """
def kept_bytes(turns, size):
    held = dict.fromkeys(TURNS, 0.0)
    for _ in range(turns):
        for name, many in (("scale", 1), ("swing", 2), ("swell", 1)):
            held[name] += 4.0 * size * many
    return held
""",
}

_ASKED = {"ask": "call plain", "judge": counted, "inputs": "turns size"}
exercise = Exercise(
    target="kept_bytes",
    contract="The bytes on all stacks of each of the five loops after so many turns, for the "
    "gradients of y and a, as a dictionary by name.",
    checks=(
        Check("few", "a few turns", 2, cases=drawn(few), **_ASKED),
        Check("ends", "no turn, and ten thousand", 1, cases=drawn(ends), **_ASKED),
    ),
    mistakes=mistakes,
    hints=hints,
    mutants=mutants,
    variants=variants,
)  # fmt: skip
