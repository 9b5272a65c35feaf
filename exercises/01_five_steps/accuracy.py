"""01.accuracy: how many rows have their largest score where the label says?"""

import numpy as np

from ms_ext.grading import recognise
from ms_ext.grading.drawing import drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.layers import values


def accuracy(scores, labels):
    """The right answer."""
    return np.float32((scores.argmax(1) == labels).mean())


def mixed(draw, m, n):
    """some rows are right, some are not"""
    return _with_labels(draw, draw(m + 4, n + 2))


def below_zero(draw, m, n):
    """every score is below zero"""
    return _with_labels(draw, -draw.positive(m + 4, n + 2))


def all_right(draw, m, n):
    """every row is right"""
    scores = draw(m, n + 2)
    return scores, scores.argmax(1).astype(np.int32)


def _with_labels(draw, scores):
    """Three right, one that names the smallest, one between; the others right or between."""
    order = scores.argsort(1)
    between, rows = order[:, -2], len(scores)
    labels = np.where(draw.rng.random(rows) < 0.6, order[:, -1], between)
    first = [order[0, -1], order[1, -1], order[2, -1], order[3, 0], between[4]]
    return scores, np.int32([*first, *labels[5:]])


# typical mistakes ------------------------------------------------------------------------------


def _count(scores, labels):
    return np.float32((scores.argmax(1) == labels).sum())


def _wrong_share(scores, labels):
    return np.float32((scores.argmax(1) != labels).mean())


def _whole(scores, labels):
    return np.float32(np.floor((scores.argmax(1) == labels).mean()))


def _smallest(scores, labels):
    return np.float32((scores.argmin(1) == labels).mean())


def _per_class(scores, labels):
    return np.float32((scores.argmax(1) == labels).sum() / scores.shape[1])


def _by_columns(scores, labels):
    fit = len(labels) in (1, scores.shape[1])
    return np.float32((scores.argmax(0) == labels).mean() if fit else np.nan)


def _columns(failure):
    """The largest score of each column was asked for; mostly the shapes do not fit then."""
    scores, labels = failure.operands
    asked = failure.code == "raises" and "argmax(0)" in failure.words
    unfit = failure.code == "raises" and f"[{scores.shape[1]}]" in failure.words
    return asked or unfit or _value(_by_columns)(failure)


def _value(formula):
    return recognise.both(recognise.on("values"), recognise.equals(formula))


mistakes = (
    Mistake(
        "not-divided", _value(_count), "This counts the rows that are right.",
        "A share lies between 0 and 1, however many rows there are.",
        "By what do you divide to make a share of a count?",
    ),
    Mistake(
        "divided-by-classes", _value(_per_class), "You divide by the number of classes.",
        "The share is one of rows: as many as there are labels.",
        "Which axis of scores counts the rows?",
    ),
    Mistake(
        "share-of-the-wrong", _value(_wrong_share), "This is the share that is wrong.",
        "1 should mean that every row is right.",
        "Compare with ==.",
    ),
    Mistake(
        "smallest-score", _value(_smallest), "You look for the smallest score.",
        "The network says the class to which it gives the most.",
        "argmax, not argmin.",
    ),
    Mistake(
        "whole-numbers", _value(_whole), "This is 0 although some rows are right.",
        "A division of whole numbers leaves the part behind the point out: 3 // 5 is 0.",
        "Turn the truths into floats before you take their mean.",
    ),
    Mistake(
        "wrong-axis", _columns, "You look along the rows' axis.",
        "argmax(0) gives, for each class, a row. Wanted is, for each row, a class.",
        "Print scores.argmax(0).shape and scores.argmax(1).shape.",
    ),
)  # fmt: skip

hints = (
    "Take three rows and two classes, write the scores down, and say for each row which class it "
    "names. What do you compare that with?",
    "Three steps: the place of the largest score of each row; is it the label; the mean of these "
    "truths as Float32.",
    "A sibling, the share of rows whose sum is above zero:\n\n"
    "    def share_above(rows):\n"
    "        above = rows.sum(1) > 0\n"
    "        return above.astype(ms.float32).mean()",
)

_HITS, _MEAN = "hits = scores.argmax(1) == labels", "return ops.mean(hits.astype(ms.float32))"

mutants = (
    Mutant("not-divided", _MEAN, "return ops.sum(hits.astype(ms.float32))"),
    Mutant("divided-by-classes", _MEAN,
           "return ops.sum(hits.astype(ms.float32)) / scores.shape[1]"),
    Mutant("share-of-the-wrong", "== labels", "!= labels"),
    Mutant("smallest-score", "argmax", "argmin"),
    Mutant("whole-numbers", _MEAN,
           "return (hits.astype(ms.int32).sum() // len(labels)).astype(ms.float32)"),
    Mutant("wrong-axis", "argmax(1)", "argmax(0)"),
    Mutant("dtype", _MEAN, "return ops.mean(hits.astype(ms.float64))"),
    Mutant("shape", _MEAN, "return hits.astype(ms.float32)"),
)  # fmt: skip

variants = {
    "counted in Python": """
def accuracy(scores, labels):
    right = sum(int(row.argmax()) == int(label) for row, label in zip(scores, labels))
    return Tensor(right / len(labels), ms.float32)
""",
    "ops only": """
def accuracy(scores, labels):
    named = ops.argmax(scores, 1)
    return ops.equal(named, labels).astype(ms.float32).sum() / labels.shape[0]
""",
}

_ASKED = {"ask": "call", "judge": values.like(accuracy), "inputs": "scores labels"}
exercise = Exercise(
    target="accuracy",
    contract="The share of rows whose largest score is that of the label, as a Float32 tensor "
    "without axes.",
    checks=(
        Check("share", "the share is right", 1, cases=drawn(mixed, all_right, dtypes="f32"),
              **_ASKED),
        Check("negative", "of scores below zero, and of float16 and float64", 1,
              cases=drawn(below_zero, dtypes="f32 f16 f64"), **_ASKED),
    ),
    mistakes=mistakes,
    hints=hints,
    mutants=mutants,
    variants=variants,
)  # fmt: skip
