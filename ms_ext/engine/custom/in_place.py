"""What does it mean that a result is written into an input? The tensor is the result from then on.

| where | what happens |
|---|---|
| eager | the tensor's elements become the result's, and the tensor itself is what comes back |
| under ``grad`` | the same; the bprop reads a copy of the input as it was |
| in a graph | reads of the tensor that come later in the program read the result |

Nobody else sees a half-written input: the way works in memory that is copied from the input, and
that memory is the result's, so there is one array for both.
"""

from .. import errors, tape
from ..frontend.composites import overwritten
from ..infer import abstract_of
from ..symbol import Symbol, written
from ..tensor import Tensor


def called(call, types, aliases, inputs):
    """``call(*inputs)``; what is written to comes back in the places of its results.

    ``types(*types)`` gives the results' types, and refuses inputs that cannot take a result.
    """
    if aliases and not any(isinstance(each, Symbol) for each in inputs):
        types(*map(_type, inputs))
    kept, watched = list(inputs), tape.watches(_tensors(inputs))
    for target in [inputs[place] for _, place in aliases]:
        if watched and isinstance(target, Tensor):
            before = tape.copied(target)
            kept = [before if each is target else each for each in kept]
    return _placed(call(*kept), aliases, lambda place, value: _write(inputs[place], value))


def in_graph(frame, made, aliases, args):
    """The same in a function that is being read; ``made`` is what the op's node gives."""

    def write(place, value):
        new = overwritten(frame, args[place], value)
        frame.write(args[place], new)
        return args[place]

    return _placed(made, aliases, write)


def _placed(made, aliases, write):
    several = isinstance(made, tuple)
    results = list(made) if several else [made]
    for result, place in aliases:
        results[result] = write(place, results[result])
    return tuple(results) if several else results[0]


def _write(target, value):
    if not isinstance(target, Tensor | Symbol):
        raise errors.InvalidType(
            "Only a Tensor or Parameter can be written to.",
            given=f"{target!r:.60}",
            hint="An op with in_place needs a tensor there.",
        )
    told = written(target, value)
    if told is not None:
        return told
    if isinstance(target, Symbol):
        raise errors.NotRunnable(
            "An op with in_place cannot be called here: nobody takes note of what it writes to.",
            given=f"{target!r:.60}",
            hint="In a bprop or a pass call an op that is not in_place.",
        )
    target[...] = value
    return target


def _type(value):
    return abstract_of(value) if isinstance(value, Tensor | bool | int | float) else value


def _tensors(inputs):
    return [each for each in inputs if isinstance(each, Tensor)]
