"""01.fit_line: the training loop itself, judged by every loss on the way and by where it ends."""

import numpy as np

from ms_ext.grading.drawing import Question, drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.failure import Failure

RATE, MOMENTUM = 0.05, 0.9
NEAR = 1e-3  # float32 beside float64, some steps later
LONG, GOOD = 60, 0.05  # the last loss of so many steps is below this share of the first


def fitted(x, y, w, b, steps, stale=False, rolls=True, moves=True, uphill=False):
    """w, b and the losses, right or with one thing wrong, in float64."""
    x, y, w, b = (np.asarray(each, np.float64) for each in (x, y, w, b))
    pace, losses, slopes = np.zeros(2), [], None
    for _ in range(steps):
        apart = w * x + b - y
        losses.append(np.mean(apart**2))
        if slopes is None or not stale:
            slopes = np.array([np.mean(2 * apart * x), np.mean(2 * apart)])
        pace = MOMENTUM * pace + slopes if rolls else slopes
        w, b = np.array([w, b]) - RATE * moves * (-1 if uphill else 1) * pace
    return w, b, losses


def short(draw, steps=(3, 1, 5, 2)):
    """a few steps"""
    return _question(draw, 2 * steps - 1, steps)


def none(draw, steps=(0,)):
    """no step at all"""
    return _question(draw, 3, steps)


def long(draw, points=(12, 9, 10)):
    """many steps"""
    return _question(draw, points, LONG)


def _question(draw, n, steps):
    x = draw(n)
    x = (x / np.abs(x).max()).astype(np.float32)  # near 0, so that the steps lead downhill
    slope, height = draw.rng.uniform(1.5, 2.5, 2) * draw.rng.choice([-1, 1], 2)
    w, b = (np.float32(each).reshape(()) for each in draw.rng.uniform(-1.0, 1.0, 2))
    y = (slope * x + height).astype(np.float32)
    count = f"{steps} step{'s' * (steps != 1)}"
    return Question(f"{count}, {n} point{'s' * (n != 1)}", (x, y, w, b, steps))


# the judge ------------------------------------------------------------------------------------


def trained(question, answer):
    """w, b and every loss are those of the loop."""
    steps = question.operands[-1]
    if not isinstance(answer, tuple | list) or len(answer) != 3:
        return Failure("count", "Three things are wanted: w, b and the list of losses.", got=answer)
    w, b, losses = answer
    if not isinstance(losses, tuple | list) or len(losses) != steps:
        count = len(losses) if isinstance(losses, tuple | list) else "no list of"
        words = f"{count} losses came back, of {steps} steps."
        return Failure("losses", words, fitted(*question.operands)[2], losses)
    wanted = question.once(fitted, lambda: fitted(*question.operands))
    right = np.float64([*wanted[:2], *wanted[2]])
    got = np.float64([np.ravel(each)[0] if np.size(each) else np.nan for each in (w, b, *losses)])
    if not (np.abs(got - right) <= NEAR * (1.0 + np.abs(right))).all():
        places = ["w", "b", *(f"the loss of step {n}" for n in range(1, steps + 1))]
        at = int((~(np.abs(got - right) <= NEAR * (1.0 + np.abs(right)))).argmax())
        shown = [tuple(float(f"{each:.4g}") for each in numbers) for numbers in (right, got)]
        return Failure("values", "", *shown, f"in {places[at]}; in order: w, b, the losses")
    return None


def learns(question, answer):
    """After many steps the loss is small."""
    losses = answer[2] if isinstance(answer, tuple | list) and len(answer) == 3 else []
    if not isinstance(losses, tuple | list) or len(losses) != LONG:
        return Failure("losses", f"A loss of each of the {LONG} steps is wanted.", got=answer)
    first, last = (float(np.ravel(each)[0]) for each in (losses[0], losses[-1]))
    bound = GOOD * first + 1e-6
    if not last <= bound:
        words = f"The first loss is {first:.4g}, the last {last:.4g}."
        return Failure("not-learned", words, bound, last)
    return None


def _is(**wrong):
    """The answer is that of a loop in which this is wrong."""

    def sees(failure):
        if failure.code != "values" or not isinstance(failure.got, tuple):
            return False
        w, b, losses = fitted(*failure.operands, **wrong)
        return _near((w, b, *losses), failure.got)

    return sees


def _near(one, other):
    return len(one) == len(other) and np.allclose(one, other, rtol=NEAR, atol=NEAR)


def _losses_late(failure):
    """w and b are right; each loss is the one after its step."""
    if failure.code != "values" or not isinstance(failure.got, tuple):
        return False
    *given, steps = failure.operands
    w, b, _ = fitted(*given, steps)
    late = fitted(*given, steps + 1)[2][1:]
    return _near((w, b, *late), failure.got)


def _said(code):
    return lambda failure: failure.code == code


mistakes = (
    Mistake(
        "never-moves", _is(moves=False), "No Parameter moves.",
        "value_and_grad looks and changes nothing; it is the optimizer that changes w and b.",
        "What do you do with the gradients?",
    ),
    Mistake(
        "uphill", _is(uphill=True), "Every step goes uphill.",
        "A gradient points to where the loss grows. The optimizer subtracts it: it needs no other "
        "sign from you.",
        "Hand the gradients to the optimizer as they came.",
    ),
    Mistake(
        "stale-gradients", _is(stale=True), "Every step uses the gradients of the first.",
        "After an update the slope is another one: it has to be worked out again, at the new w.",
        "Which call has to stand inside the loop?",
    ),
    Mistake(
        "no-momentum", _is(rolls=False), "The momentum is lost.",
        "The optimizer remembers its last change. A new one in every step, or a step by hand, "
        "remembers nothing.",
        "Use the optimizer that is there, and make none of your own.",
    ),
    Mistake(
        "losses-late", _losses_late, "Each loss is the one after its step.",
        "value_and_grad gives the loss at the w that it was asked about, before the update.",
        "Keep the loss that comes with the gradients.",
    ),
    Mistake(
        "losses", _said("losses"), "There is not one loss for each step.",
        "The list has as many losses as there were steps; with no step it is empty.",
        "Where does `losses.append(...)` stand, inside the loop or behind it?",
    ),
    Mistake(
        "not-learned", _said("not-learned"), "It does not learn.",
        "After so many steps the line should nearly go through the points.",
        "Look at your losses: do they shrink from step to step?",
    ),
)  # fmt: skip

hints = (
    "Which of the five stations are there already, and which are missing? Say them in order.",
    "Make `ms.value_and_grad(loss_of_line, None, optimizer.parameters)` once. In the loop: call "
    "it, hand the gradients to the optimizer, keep the loss.",
    "A sibling, halving a single number v by its own loss v²:\n\n"
    "    v = ms.Parameter(Tensor(8.0), name='v')\n"
    "    smaller = nn.SGD([v], learning_rate=0.25)\n"
    "    slope_of = ms.value_and_grad(lambda: v * v, None, smaller.parameters)\n"
    "    for _ in range(3):\n"
    "        value, slope = slope_of()\n"
    "        smaller(slope)",
)

_STEP, _CALL = "        optimizer(slopes)\n", "        now, slopes = one_step()\n"
_KEEP = "        losses.append(now)"
_LOOP = "    for _ in range(steps):\n"

mutants = (
    Mutant("never-moves", _STEP, ""),
    Mutant("stale-gradients", _LOOP + _CALL,
           "    now, slopes = one_step()\n" + _LOOP + "        now = loss_of_line()\n"),
    Mutant("no-momentum", _CALL,
           "        optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9)\n" + _CALL),
    Mutant("no-momentum", _STEP,
           "        net.w -= 0.05 * slopes[0]\n        net.b -= 0.05 * slopes[1]\n"),
    Mutant("losses-late", _KEEP, "        losses.append(loss_of_line())"),
    Mutant("losses", _KEEP, "    losses.append(now)"),
    Mutant("losses", "range(steps)", "range(steps + 1)"),
    Mutant("uphill", _STEP, "        optimizer(tuple(-each for each in slopes))\n"),
    Mutant("values", _STEP, "        optimizer(slopes[::-1])\n"),
    Mutant("count", "return net.w, net.b, losses", "return net.w, net.b"),
)  # fmt: skip

variants = {
    "forward takes the rows": """
def fit_line(x, y, w, b, steps):
    net, loss_fn = Line(w, b), nn.MSELoss(reduction="mean")
    optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9)

    def forward(x, y):
        return loss_fn(net(x), y)

    step, found = ms.value_and_grad(forward, None, optimizer.parameters), []
    while len(found) < steps:
        loss, gradients = step(x, y)
        optimizer(gradients)
        found.append(float(loss))
    return net.w.asnumpy(), net.b.asnumpy(), found
""",
    "compiled": """
def fit_line(x, y, w, b, steps):
    net = Line(w, b)
    optimizer = nn.Momentum(net.trainable_params(), learning_rate=0.05, momentum=0.9)

    def forward(x, y):
        return ops.mse_loss(net(x), y)

    step = ms.jit(ms.value_and_grad(forward, None, optimizer.parameters))
    losses = []
    for _ in range(steps):
        loss, gradients = step(x, y)
        optimizer(gradients)
        losses.append(loss)
    return net.w, net.b, losses
""",
    "TrainOneStepCell": """
def fit_line(x, y, w, b, steps):
    net = Line(w, b)
    optimizer = nn.Momentum(net.trainable_params(), learning_rate=0.05, momentum=0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)
    losses = [step(x, y) for _ in range(steps)]
    return net.w, net.b, losses
""",
}

_SHOWN = {"ask": "call", "inputs": "x y w b steps"}
exercise = Exercise(
    target="fit_line",
    contract="Train w * x + b for so many steps with Momentum 0.05 and 0.9; return w, b and the "
    "loss before each step.",
    checks=(
        Check("steps", "every step and every loss is right", 2,
              cases=drawn(short, none, dtypes="f32"), judge=trained, **_SHOWN),
        Check("learns", "after many steps the line goes through the points", 1,
              cases=drawn(long, dtypes="f32"), judge=learns, needs=("steps",), **_SHOWN),
    ),
    mistakes=mistakes,
    hints=hints,
    mutants=mutants,
    variants=variants,
)  # fmt: skip
