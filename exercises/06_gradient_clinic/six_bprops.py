"""06.six_bprops: six wrong bprops, each with its cause to be named and its line to be mended."""

import numpy as np

from ms_ext.grading import recognise
from ms_ext.grading.drawing import Question, drawn, kind_of
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.failure import Failure
from ms_ext.grading.layers import gradients

#: patient -> (the forward formula, the cause)
PATIENTS = {
    "cosine": (lambda x: np.cos(x), "sign"),
    "cube": (lambda x: x * x * x, "scale"),
    "exponential": (lambda x: np.exp(x), "forgot-dout"),
    "product": (lambda x, y: x * y, "swapped"),
    "biased": (lambda x, b: x + b, "missing-reduction"),
    "dense": (lambda x, w: x @ w.T, "missing-transpose"),
}


def inputs(draw, patient, m, n, k):
    """The operands of a patient's forward op."""
    return {
        "product": lambda: (draw(m, n), draw(m, n)),
        "biased": lambda: (draw(m + 1, n), draw(n)),
        "dense": lambda: (draw(m, k), draw(n, k)),
    }.get(patient, lambda: (draw(m, n),))()


def asked(draw, m, n, k, patient=tuple(PATIENTS)):
    """one of the six"""
    forward, _ = PATIENTS[patient]
    given = inputs(draw, patient, m, n, k)
    out = np.asarray(forward(*given)).astype(given[0].dtype)
    operands = (patient, *given, out, draw(*out.shape))
    shapes = ", ".join(map(kind_of, given))
    return Question(f"the patient {patient}   ({shapes})", operands)


# the judges -----------------------------------------------------------------------------------


def _taken_apart(answer):
    """(cause, gradients), or a Failure."""
    if isinstance(answer, tuple | list) and len(answer) == 2 and isinstance(answer[0], str):
        return answer
    words = "Two things are wanted: a cause, which is a text, and the gradients."
    return Failure("kind", words, got=answer)


def named(question, answer):
    """The cause is the right one."""
    found = _taken_apart(answer)
    if isinstance(found, Failure):
        return found
    right = PATIENTS[question.operands[0]][1]
    if found[0] != right:
        return Failure("cause", f"You named {found[0]!r}.", got=found[0])
    return None


def mended(question, answer):
    """The gradients are those of central differences."""
    found = _taken_apart(answer)
    if isinstance(found, Failure):
        return found
    patient, *given, _, dout = question.operands
    wanted, reach = question.once(
        mended, lambda: gradients.measured(PATIENTS[patient][0], given, dout)
    )
    return gradients.check(found[1], given, wanted, reach=reach)


# what typical mistakes look like ------------------------------------------------------------------


def _patient(name, *codes):
    """It is this patient, and the failure has one of these codes."""
    return lambda failure: failure.operands[0] == name and failure.code in codes


def _values_of(name, formula):
    """The gradients of this patient are those of a formula of all operands but the name."""
    sees = recognise.gradient_is(lambda patient, *operands: formula(*operands))
    return lambda failure: failure.operands[0] == name and sees(failure)


def _no_cause(failure):
    known = {cause for _, cause in PATIENTS.values()}
    return failure.code == "cause" and failure.got not in known


SHAPES = ("gradient-shape", "raises")

mistakes = (
    Mistake(
        "no-such-cause", _no_cause, "This is none of the six causes.",
        "The words are those that `ms.gradcheck` uses: sign, scale, swapped, missing-reduction, "
        "missing-transpose, forgot-dout.",
        "Let `ms.viz.gradcheck` draw this patient; its cause stands in the heading.",
    ),
    Mistake(
        "other-cause", recognise.on("cause"), "The cause is another one.",
        "Each of the six causes leaves a picture of its own, and each belongs to one patient.",
        "Check this patient as it was handed to you, before it was mended, with ms.gradcheck.",
    ),
    Mistake(
        "one-gradient", recognise.on("gradient-count"), "The number of gradients is wrong.",
        "The second thing is a tuple with one gradient per input; a tuple of one needs its comma.",
        "Count the inputs of this patient.",
    ),
    Mistake(
        "sign", _values_of("cosine", lambda x, out, dout: (dout * np.sin(x),)),
        "The cosine still has the wrong sign.",
        "Where x is a little above 0, cos x falls: its slope there is below 0.",
        "What is the derivative of cos x?",
    ),
    Mistake(
        "scale", lambda f: f.operands[0] == "cube" and recognise.both(
            recognise.on("gradient-values"), recognise.scaled)(f),
        "The gradient of the cube is off by a constant factor.",
        "Divide what was measured by what you return: the same number stands everywhere.",
        "Derive x³ on paper. What happened to the exponent?",
    ),
    Mistake(
        "forgot-dout", _values_of("exponential", lambda x, out, dout: (out,)),
        "The exponential still forgets `dout`.",
        "`out` is its own slope, but the loss rises `dout` times as fast, element by element.",
        "The chain rule: what happens to two slopes, one behind the other?",
    ),
    Mistake(
        "swapped", _values_of("product", lambda x, y, out, dout: (dout * x, dout * y)),
        "The gradients of the product are still exchanged.",
        "How fast `x * y` rises with `x` does not depend on `x`.",
        "Which input is the slope along the other one?",
    ),
    Mistake(
        "missing-reduction", _patient("biased", "gradient-shape"),
        "The gradient of the bias does not have its shape.",
        "`b` was used once in every row, and each row pulls at it: the pulls add up.",
        "Over which axis did broadcasting repeat `b`?",
    ),
    Mistake(
        "averaged", _values_of("biased", lambda x, b, out, dout: (dout, dout.mean(0))),
        "You took a mean where a sum belongs.",
        "Each use of a number moves the loss by itself, not by its share.",
        "How far does the loss move if one number of `b` moves by 1?",
    ),
    Mistake(
        "missing-transpose", _patient("dense", *SHAPES),
        "The gradients of the dense layer do not have the shapes of x and w.",
        "x is (m, k), w is (n, k), and dout is (m, n). Only one order of the factors, and one of "
        "them transposed, gives (n, k).",
        "Write the three shapes on paper and find the product that gives (n, k).",
    ),
)  # fmt: skip

hints = (
    'Let `ms.viz.gradcheck(examined("cosine"))` draw each patient before you touch it. Write the '
    "cause down first; it tells you what to look for in the line.",
    "The causes are all different. Two patients need a minus or a factor, two need another factor, "
    "and two need the shape of an input: one a sum, one a transpose.",
    "A sibling, out = x @ w with x (m, k) and w (k, n); the shapes leave one way only:\n\n"
    "def matmul_bprop(x, w, out, dout):\n"
    "    return dout @ w.T, x.T @ dout        # (m, n)(n, k) and (k, m)(m, n)",
)

mutants = (
    Mutant("other-cause", '("sign",', '("scale",'),
    Mutant("other-cause", '("swapped",', '("missing-transpose",'),
    Mutant("no-such-cause", '("scale",', '("factor",'),
    Mutant("no-such-cause", '("forgot-dout",', '("?",'),
    Mutant("kind", "return cause, bprop(*received)", "return bprop(*received)"),
    Mutant("one-gradient", "(dout @ w, dout.T @ x)", "(dout.T @ x,)"),
    Mutant("sign", "-dout * ops.sin(x)", "dout * ops.sin(x)"),
    Mutant("scale", "3.0 * dout * x * x", "dout * x * x"),
    Mutant("scale", "3.0 * dout * x * x", "2.0 * dout * x * x"),
    Mutant("forgot-dout", "(dout * out,)", "(out,)"),
    Mutant("swapped", "(dout * y, dout * x)", "(dout * x, dout * y)"),
    Mutant("missing-reduction", "ops.sum(dout, 0)", "dout"),
    Mutant("missing-reduction", "ops.sum(dout, 0)", "ops.sum(dout, 1)"),
    Mutant("missing-reduction", "ops.sum(dout, 0)", "ops.sum(dout)"),
    Mutant("averaged", "ops.sum(dout, 0)", "ops.mean(dout, 0)"),
    Mutant("missing-transpose", "dout.T @ x", "x.T @ dout"),
    Mutant("missing-transpose", "dout.T @ x", "dout @ x"),
    Mutant("gradient-values", "3.0 * dout * x * x", "3.0 * dout * out"),
)  # fmt: skip

variants = {
    "functions and an if": """
def clinic(patient, *received):
    *given, out, dout = received
    if patient == "cosine":
        return "sign", (-ops.sin(given[0]) * dout,)
    if patient == "cube":
        return "scale", (given[0] * given[0] * dout * 3,)
    if patient == "exponential":
        return "forgot-dout", [out * dout]
    if patient == "product":
        return "swapped", (given[1] * dout, given[0] * dout)
    if patient == "biased":
        return "missing-reduction", (dout, dout.sum(0))
    x, w = given
    return "missing-transpose", (ops.matmul(dout, w), ops.matmul(dout.T, x))
""",
    "two dictionaries": """
CAUSE = dict(cosine="sign", cube="scale", exponential="forgot-dout", product="swapped",
             biased="missing-reduction", dense="missing-transpose")
MENDED = {
    "cosine": lambda x, out, dout: [-dout * ops.sin(x)],
    "cube": lambda x, out, dout: [dout * 3.0 * x ** 2],
    "exponential": lambda x, out, dout: [dout * ops.exp(x)],
    "product": lambda x, y, out, dout: [dout * y, dout * x],
    "biased": lambda x, b, out, dout: [dout, ops.sum(dout, 0)],
    "dense": lambda x, w, out, dout: [dout @ w, (x.T @ dout).T],
}

def clinic(patient, *received):
    return CAUSE[patient], MENDED[patient](*received)
""",
}

_SHOWN = {"ask": "call", "inputs": "patient"}
exercise = Exercise(
    target="clinic",
    contract="Return a patient's cause and its right gradients: `(cause, gradients)`.",
    checks=(
        Check("causes", "the cause of each patient", 1,
              cases=drawn(asked, tile=4), judge=named, **_SHOWN),
        Check("mended", "the gradients of each patient, measured", 2,
              cases=drawn(asked, tile=6, dtypes="f32 f64"), judge=mended, **_SHOWN),
    ),
    mistakes=mistakes, hints=hints, mutants=mutants, variants=variants,
)  # fmt: skip
