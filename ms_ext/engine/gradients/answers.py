"""How are gradients handed over? One bare, several in a tuple, with their ids if that is asked.

>>> from .options import Wanted
>>> answered(Wanted((0,)), None, [(0, "dx")], [])
'dx'
>>> answered(Wanted((0, 1), return_ids=True), None, [(0, "dx"), (1, "dy")], [])
((0, 'dx'), (1, 'dy'))
"""

from .. import errors
from ..tensor import Tensor


def answered(wanted, outputs, by_input, by_weight):
    """What the call of a gradient gives. ``by_input``: (position, gradient) pairs.

    An input that is no tensor has no gradient, so no pair.
    """
    gradients = _gradients(wanted, by_input, by_weight)
    if wanted.with_value:
        return outputs, gradients
    return (gradients, tuple(outputs[1:])) if wanted.has_aux else gradients


def _gradients(wanted, by_input, by_weight):
    """Inputs first, then weights."""
    found = [pair if wanted.return_ids else pair[1] for pair in by_input]
    inputs = found[0] if len(found) == 1 and not wanted.together else tuple(found)
    if wanted.weights is None:
        return inputs
    weights = _of_weights(wanted, by_weight)
    return weights if wanted.positions == () else (inputs, weights)


def _of_weights(wanted, found):
    if wanted.return_ids:
        names = [weight.name for weight in wanted.parameters]
        found = list(zip(names, found, strict=True))
    if isinstance(wanted.weights, Tensor):
        return found[0]
    return list(found) if found and type(wanted.weights) is list else tuple(found)


def get_grad(gradients, identifier):
    """One gradient of those that ``grad(..., return_ids=True)`` gave.

    ``identifier``: the position of an input, or a Parameter.

    >>> from ms_ext import Tensor, grad
    >>> pairs = grad(lambda x, y: x * y, (0, 1), return_ids=True)(Tensor(2.0), Tensor(3.0))
    >>> get_grad(pairs, 1)
    Tensor(shape=[], dtype=Float32, value= 2)
    """
    wanted = identifier.name if isinstance(identifier, Tensor) else identifier
    if not isinstance(identifier, int) and not hasattr(identifier, "requires_grad"):
        raise errors.InvalidType(
            "For `get_grad`, the `x` should be an integer or a Parameter, but got "
            f"{identifier!s:.60}",
            hint="Say the position of the input, 0 for the first, or give the Parameter.",
        )
    found = list(_with_id(gradients, wanted))
    if not found:
        raise errors.NotRunnable(
            f"Can not find the gradient for position or Parameter {identifier!r}",
            given=f"gradients of {', '.join(map(repr, _ids(gradients))) or 'nothing with an id'}",
            hint="Ask for it: grad(f, grad_position=..., weights=..., return_ids=True).",
        )
    return found[0]


def _pairs(gradients):
    """The pairs (id, gradient) among nested tuples."""
    if not isinstance(gradients, tuple):
        return
    if len(gradients) == 2 and isinstance(gradients[0], int | str):
        yield gradients
    else:
        for each in gradients:
            yield from _pairs(each)


def _with_id(gradients, wanted):
    return (gradient for name, gradient in _pairs(gradients) if name == wanted)


def _ids(gradients):
    return [name for name, _ in _pairs(gradients)]
