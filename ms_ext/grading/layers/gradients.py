"""Are the gradients right? Central differences of the forward formula, in float64.

dx[i] = (L(x + h e_i) - L(x - h e_i)) / 2h   with   L(x) = sum(forward(x) * dout)
"""

import inspect

import numpy as np

from ms_ext.engine.custom.gradcheck.differences import moved

from ..failure import Failure
from .values import ORDINALS, compare, is_float, reaching, wide

#: Differences have errors of their own, about 1e-9 of the largest value.
TOLERANCE = {"float64": 1e-6, "float32": 1e-4, "float16": 1e-2, "bfloat16": 5e-2}


def of(forward, tolerance=None):
    """One gradient per input: the right count, shapes, dtypes, and the differences' values.

    ``forward(*inputs)`` is the formula in NumPy. The operands of the case begin with its inputs and
    end with ``dout``; a bprop's ``out`` may stand between.
    """
    count = len(inspect.signature(forward).parameters)

    def judge(question, answer):
        inputs, dout = question.operands[:count], question.operands[-1]
        wanted, reach = question.once(judge, lambda: measured(forward, inputs, dout))
        return check(answer, inputs, wanted, tolerance, reach)

    return judge


def like(reference, tolerance=None):
    """One gradient per input, as ``reference(*operands)`` gives them in float64."""

    def judge(question, answer):
        wanted, reach = question.once(judge, lambda: reaching(reference, question.operands))
        return check(answer, question.operands[: len(wanted)], wanted, tolerance, reach)

    return judge


def check(answer, inputs, wanted, tolerance=None, reach=None):
    """A Failure if ``answer`` is not one gradient like ``wanted`` for each input.

    ``reach``: for each input how far rounding reaches, as ``measured`` gives it.
    """
    reach = reach or [None] * len(inputs)
    if answer is None:
        return Failure("gradient-count", f"It returned nothing; there are {len(inputs)} inputs.")
    given = answer if isinstance(answer, tuple | list) else (answer,)
    if len(given) != len(inputs):
        words = f"It returned {_counted(len(given))} for {len(inputs)} inputs."
        return Failure("gradient-count", words, got=answer)
    for at, each in enumerate(given):
        name = f"{ORDINALS[at] if at < 5 else at} input"
        if each is None:
            words = f"The gradient of the {name} is None."
            return Failure("gradient-none", words, np.zeros_like(inputs[at]), None, name=name)
        if failure := _gradient(each, inputs[at], wanted[at], tolerance, reach[at], name):
            return failure
    return None


def _counted(number):
    return f"{number} gradient{'s' * (number != 1)}"


def _gradient(given, one, wanted, tolerance, reach, name):
    if not is_float(one):
        return None
    kind = np.empty(one.shape, one.dtype)
    tolerance = tolerance or TOLERANCE[one.dtype.name]
    failure = compare(kind, wanted, given, tolerance, reach=reach)
    if failure is None:
        return None
    code = f"gradient-{failure.code}"
    if failure.code == "shape":
        words = f"The gradient of the {name} has the shape {list(given.shape)}; "
        words += f"the input has {list(one.shape)}."
    else:
        words = failure.words.replace("What came back is", f"The gradient of the {name} is")
        words = words.replace("The dtype is", f"The dtype of the gradient of the {name} is")
        words = words.replace(" differ.", f" of the gradient of the {name} differ.")
    place = f"{failure.place} of the gradient of the {name}" if failure.place else ""
    return Failure(code, words, failure.expected, failure.got, place, name=name)


def differences(forward, inputs, dout):
    """The gradient of ``sum(forward(*inputs) * dout)`` for every input, by central differences.

    >>> differences(lambda x: x * x, (np.array([3.0]),), np.array([1.0]))[0].round(6)
    array([6.])
    """
    return measured(forward, inputs, dout)[0]


def measured(forward, inputs, dout):
    """(the differences, how far rounding reaches for each): a gradient is a sum over the results.

    Where its parts cancel, what is left has the rounding of the parts: their sizes are its reach.
    """
    wide_inputs, wide_dout = wide(tuple(inputs)), wide(dout)
    found = [
        moved(forward, wide_inputs, at, wide_dout) if is_float(np.asarray(one)) else None
        for at, one in enumerate(inputs)
    ]
    return tuple([one and one.slope for one in found]), tuple([one and one.reach for one in found])
