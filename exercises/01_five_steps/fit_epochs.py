"""01.fit_epochs: repair a loop that forgets its momentum, drops rows, and averages averages."""

import numpy as np

from ms_ext.grading.drawing import Question, drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.failure import Failure

RATE, MOMENTUM = 0.05, 0.9
NEAR = 1e-3  # float32 beside float64, some epochs later


def fitted(x, y, w, b, size, epochs, keeps=True, all_rows=True, by_rows=True):
    """w, b and the mean losses, right or with some of the three mistakes, in float64."""
    x, y, w, b = (np.asarray(each, np.float64) for each in (x, y, w, b))
    pace, means = np.zeros(2), []
    end = len(x) if all_rows else len(x) // size * size
    for _ in range(epochs):
        pace = pace if keeps else np.zeros(2)
        losses, counts = [], []
        for at in range(0, end, size):
            part, wanted = x[at : at + size], y[at : at + size]
            apart = w * part + b - wanted
            losses.append(np.mean(apart**2))
            counts.append(len(part))
            pace = MOMENTUM * pace + [np.mean(2 * apart * part), np.mean(2 * apart)]
            w, b = w - RATE * pace[0], b - RATE * pace[1]
        if by_rows:
            means.append(np.dot(losses, counts) / max(len(x) if all_rows else end, 1))
        else:
            means.append(np.sum(losses) / max(len(losses), 1))
    return w, b, means


def even(draw, size=(2, 1, 3)):
    """the batches are all full"""
    return _question(draw, 2 * size, size, 3)


def uneven(draw, size=(2, 3, 4)):
    """the last batch is shorter"""
    return _question(draw, 2 * size + 1, size, 2)


def short(draw, size=(3, 64)):
    """fewer rows than a batch"""
    return _question(draw, 2, size, 2)


def single(draw, size=(3, 5, 4)):
    """one epoch, the last batch is shorter"""
    return _question(draw, size + 2, size, 1)


def _question(draw, rows, size, epochs):
    x = draw(rows)
    x = (x / np.abs(x).max()).astype(np.float32)
    y = draw(rows).astype(np.float32)
    w, b = (np.float32(each).reshape(()) for each in draw.rng.uniform(-1.0, 1.0, 2))
    title = f"{rows} rows, {size} at a time, {epochs} epoch{'s' * (epochs != 1)}"
    return Question(title, (x, y, w, b, size, epochs))


# the judges -----------------------------------------------------------------------------------


def ends(question, answer):
    """w and b are right."""
    return _judged(question, answer, 0, 2, ("w", "b"))


def means(question, answer):
    """The mean losses are right."""
    epochs = question.operands[-1]
    names = [f"the mean of epoch {n}" for n in range(1, epochs + 1)]
    return _judged(question, answer, 2, 2 + epochs, names)


def _judged(question, answer, first, last, names):
    if not isinstance(answer, tuple | list) or len(answer) != 3:
        words = "Three things are wanted: w, b and the list of means."
        return Failure("count", words, got=answer)
    w, b, given = answer
    epochs = question.operands[-1]
    if not isinstance(given, tuple | list) or len(given) != epochs:
        return Failure("kind", f"A list of {epochs} means is wanted.", got=given)
    wanted = question.once(fitted, lambda: fitted(*question.operands))
    right = np.float64([*wanted[:2], *wanted[2]])
    got = np.float64([np.ravel(each)[0] if np.size(each) else np.nan for each in (w, b, *given)])
    wrong = ~(np.abs(got - right) <= NEAR * (1.0 + np.abs(right)))[first:last]
    if wrong.any():
        place = f"in {names[int(wrong.argmax())]}; in order: w, b, the means"
        shown = [tuple(float(f"{each:.4g}") for each in numbers) for numbers in (right, got)]
        return Failure("values", "", *shown, place)
    return None


def _is(*several):
    """The answer is that of a loop with one of these sets of mistakes."""

    def sees(failure):
        if failure.code != "values" or not isinstance(failure.got, tuple):
            return False
        found = [fitted(*failure.operands, **wrong) for wrong in several]
        rows = [(w, b, *losses) for w, b, losses in found]
        return any(np.allclose(row, failure.got, rtol=NEAR, atol=NEAR) for row in rows)

    return sees


_MEANS = [{}, {"by_rows": False}]
mistakes = (
    Mistake(
        "mean-of-means", _is({"by_rows": False}), "This is a mean of batches, not of rows.",
        "A short batch counts as much as a full one then. Each loss is a mean of as many rows as "
        "its batch has.",
        "By what must a batch's loss be multiplied before it is added?",
    ),
    Mistake(
        "rows-lost", _is(*({"all_rows": False, **m} for m in _MEANS)),
        "The rows of the last, shorter batch are left out.",
        "len(x) // size counts the full batches only. Here even a data set that is smaller than a "
        "batch has rows.",
        "Up to which row does the inner loop go?",
    ),
    Mistake(
        "momentum-forgotten",
        _is(*({"keeps": False, **m} for m in _MEANS),
            *({"keeps": False, "all_rows": False, **m} for m in _MEANS)),
        "At every epoch the momentum begins at zero.",
        "An optimizer remembers the last change of each Parameter. One that is made anew has "
        "nothing to remember.",
        "Where is the optimizer made, and how often?",
    ),
)  # fmt: skip

hints = (
    "Take five rows, two at a time, and follow the inner loop by hand: which rows does it see? "
    "Then look at what is made anew in the second epoch.",
    "Three places: the optimizer belongs in front of the loop over epochs; the inner loop goes up "
    "to len(x); each loss counts as often as its batch has rows.",
    "A sibling, the mean of all numbers from means of parts:\n\n"
    "    total = 0.0\n"
    "    for at in range(0, len(x), 10):\n"
    "        part = x[at : at + 10]\n"
    "        total += part.mean() * len(part)\n"
    "    mean = total / len(x)",
)

_MADE = "means, momentum = [], nn.Momentum(net.trainable_params(), 0.05, 0.9)"
_AGAIN = "        momentum = nn.Momentum(net.trainable_params(), 0.05, 0.9)\n"
_FOR, _ROWS = "    for _ in range(epochs):\n", "range(0, len(x), size)"
_FULL = "range(0, len(x) // size * size, size)"
_ADD, _MEAN = "total + loss * len(part[0])", "means.append(total / len(x))"
_BY_BATCH = (_MEAN, "means.append(total / -(-len(x) // size))")

mutants = (
    Mutant("momentum-forgotten", _MADE, "means = []", more=((_FOR, _FOR + _AGAIN),)),
    Mutant("rows-lost", _ROWS, _FULL,
           more=((_MEAN, "means.append(total / max(len(x) // size * size, 1))"),)),
    Mutant("mean-of-means", _ADD, "total + loss", more=(_BY_BATCH,)),
    Mutant("momentum-forgotten", _MADE, "means = []",
           more=((_FOR, _FOR + _AGAIN), (_ADD, "total + loss"), _BY_BATCH)),
    Mutant("rows-lost", _ROWS, _FULL,
           more=((_ADD, "total + loss"), (_MEAN, "means.append(total / max(len(x) // size, 1))"))),
    Mutant("momentum-forgotten", _MADE, "means = []",
           more=((_FOR, _FOR + _AGAIN), (_ROWS, _FULL), (_ADD, "total + loss"),
                 (_MEAN, "means.append(total / max(len(x) // size, 1))"))),
    Mutant("values", _MEAN, "means.append(total)"),
    Mutant("values", "0.05, 0.9)", "0.05, 0.0)"),
    Mutant("count", "return net.w, net.b, means", "return net.w, net.b"),
)  # fmt: skip

variants = {
    "a dataset": """
def fit_epochs(x, y, w, b, size, epochs):
    net, loss_fn = Line(w, b), nn.MSELoss()
    rows = dataset.NumpySlicesDataset((x.asnumpy(), y.asnumpy()), shuffle=False).batch(size)
    optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9)
    step = ms.value_and_grad(lambda x, y: loss_fn(net(x), y), None, optimizer.parameters)
    means = []
    for _ in range(epochs):
        losses = []
        for one, other in rows:
            loss, gradients = step(one, other)
            optimizer(gradients)
            losses += [float(loss)] * len(one)
        means.append(np.mean(losses))
    return net.w, net.b, means
""",
    "a sum of squares in a helper": """
def fit_epochs(x, y, w, b, size, epochs):
    net = Line(w, b)
    optimizer = nn.Momentum(net.trainable_params(), learning_rate=0.05, momentum=0.9)
    sums = []

    def forward(part, wanted):
        squares = (net(part) - wanted) ** 2
        return squares.mean(), squares.sum()

    step = ms.value_and_grad(forward, None, optimizer.parameters, has_aux=True)
    for _ in range(epochs):
        sums.append(0.0)
        for at in range(0, len(x), size):
            (_, total), gradients = step(x[at : at + size], y[at : at + size])
            optimizer(gradients)
            sums[-1] += float(total)
    return net.w, net.b, [each / len(x) for each in sums]
""",
}

_SHOWN = {"ask": "call", "inputs": "x y w b size epochs"}
exercise = Exercise(
    target="fit_epochs",
    contract="Train w * x + b over all rows, size at a time, for so many epochs, with Momentum "
    "0.05 and 0.9 that goes on; return w, b and the mean loss of a row for each epoch.",
    checks=(
        Check("momentum", "the momentum goes on from epoch to epoch", 1,
              cases=drawn(even), judge=ends, **_SHOWN),
        Check("rows", "no row is left out", 1,
              cases=drawn(uneven, short), judge=ends, **_SHOWN),
        Check("means", "the means are those of rows", 1,
              cases=drawn(single), judge=means, **_SHOWN),
    ),
    mistakes=mistakes,
    hints=hints,
    mutants=mutants,
    variants=variants,
)  # fmt: skip
