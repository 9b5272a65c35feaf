"""Train for a few steps, write down what each did, and put everything back as it was."""

import contextlib
import inspect
from typing import NamedTuple

import numpy as np

from ...common.tensor import Tensor
from ...engine import errors
from ...engine.gradients.gradient import value_and_grad
from ...nn.cell import Cell
from . import training_seen as seen

STEPS = 12
_HINT = "Give tuples (inputs..., labels): a dataset of two columns, or [(x, y)]."


class Update(NamedTuple):
    """How one Parameter moved; the largest change is told with its place and its gradient."""

    before: seen.Seen
    after: seen.Seen
    change: seen.Seen
    place: tuple  # of the element that moved most
    old: float
    new: float
    slope: float


class Step(NamedTuple):
    """One step of a training, station by station."""

    batch: tuple  # a Seen of each input, and of the labels
    layers: tuple  # a Seen of what each layer gave
    loss: float
    gradients: tuple  # a Seen of each Parameter's
    updates: tuple  # an Update of each Parameter


def recorded(net, loss_fn, optimizer, batches, steps):
    """The steps as data."""
    _check(net, loss_fn, optimizer, steps)
    found = []
    with _put_back(net, optimizer):
        net.set_train(True)
        for batch in _taken(batches, steps):
            found.append(_step(net, loss_fn, optimizer, batch))
    return found


def _check(net, loss_fn, optimizer, steps):
    if not isinstance(net, Cell) or not callable(loss_fn):
        raise errors.InvalidType(
            "viz.training takes a Cell, then a loss.",
            given=f"{type(net).__name__} and {type(loss_fn).__name__}",
            hint="viz.training(net, nn.CrossEntropyLoss(), optimizer, batches)",
        )
    if not callable(optimizer) or not hasattr(optimizer, "parameters"):
        raise errors.InvalidType(
            "The third argument of viz.training is an optimizer.",
            given=type(optimizer).__name__,
            hint="nn.SGD(net.trainable_params(), learning_rate=0.1)",
        )
    if type(steps) is not int or not 1 <= steps <= STEPS:
        raise errors.InvalidValue(
            f"viz.training shows 1 to {STEPS} steps.",
            given=f"steps={steps!r}",
            hint="To train for longer, write the loop; nobody looks at a hundred pictures.",
        )


# batches ----------------------------------------------------------------------------------------


def _taken(batches, steps):
    """So many batches; what ends sooner begins anew."""
    left = steps
    while left:
        before = left
        for batch in batches:
            yield _tensors(batch)
            left -= 1
            if not left:
                return
        if left == before:
            break
    if left == steps:
        raise errors.InvalidValue("viz.training was given no batch.", hint=_HINT)


def _tensors(batch):
    parts = list(batch.values()) if isinstance(batch, dict) else batch
    if not isinstance(parts, tuple | list) or len(parts) < 2:
        raise errors.InvalidType(
            "A batch has inputs and labels.", given=type(batch).__name__, hint=_HINT
        )
    return [each if isinstance(each, Tensor) else Tensor(np.asarray(each)) for each in parts]


# one step ---------------------------------------------------------------------------------------


def _step(net, loss_fn, optimizer, batch):
    *inputs, labels = batch
    layers, parameters = [], list(optimizer.parameters)

    def forward(*inputs):
        output = net(*inputs)
        _note(layers, "output", net, output)
        return loss_fn(output, labels)

    with _listening(net, layers):
        loss, gradients = value_and_grad(forward, None, tuple(parameters))(*inputs)
    before = [each.asnumpy().copy() for each in parameters]
    optimizer(gradients)
    names, slopes = [each.name for each in parameters], [each.asnumpy() for each in gradients]
    return Step(
        tuple(map(seen.batched, _names(net, inputs), (each.asnumpy() for each in batch))),
        tuple(seen.layer(name, array, owner) for name, owner, array in _layers(layers)),
        _scalar(loss),
        tuple(map(seen.parameter, names, slopes)),
        tuple(map(_update, names, before, (each.asnumpy() for each in parameters), slopes)),
    )


def _names(net, inputs):
    """What the inputs are called in ``construct``, and "labels"."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    found = inspect.signature(net.construct).parameters.values()
    called = [each.name for each in found if each.kind in kinds]
    called += [f"input {n}" for n in range(len(called), len(inputs))]
    return [*called[: len(inputs)], "labels"]


def _scalar(loss):
    if loss.size != 1:
        raise errors.ShapeMismatch(
            "The loss of a step is one number.",
            given=f"{list(loss.shape)}",
            hint='Average it: reduction="mean".',
        )
    return float(loss.asnumpy().reshape(()))


def _update(name, before, after, slopes):
    change = after.astype(np.float64) - before.astype(np.float64)
    place, told = (), (0.0, 0.0, 0.0)
    if change.size:
        sizes = np.nan_to_num(np.abs(change), nan=np.inf)
        place = tuple(int(i) for i in np.unravel_index(int(sizes.argmax()), change.shape))
        told = (float(each[place]) for each in (before, after, slopes))
    three = (seen.parameter(name, each) for each in (before, after, change))
    return Update(*three, place, *told)


# layers -----------------------------------------------------------------------------------------


@contextlib.contextmanager
def _listening(net, layers):
    """Note what every cell gives that holds no other; a compiled cell is noted as a whole."""
    handles = []
    for name, cell in net.cells_and_names():
        if name and not list(cell.cells()):
            handles.append(cell.register_forward_hook(_Ear(layers, name)))
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


class _Ear:
    """A forward hook that notes the output; in compiled code, where there is none yet, nothing."""

    def __init__(self, layers, name):
        self.layers, self.name = layers, name

    def __call__(self, cell, inputs, output):
        _note(self.layers, self.name, cell, output)

    def graph_call(self, frame, args, kwargs):
        """What graph mode reads: no line, and the output stays what it is."""
        return None


def _note(layers, name, cell, output):
    first = output
    while isinstance(first, tuple | list) and first:
        first = first[0]
    if isinstance(first, Tensor):
        layers.append((name, type(cell).__name__, first))


def _layers(noted):
    """(name, class, array) of each; the whole's output only where no layer gave just that."""
    arrays = [(name, owner, tensor.asnumpy()) for name, owner, tensor in noted]
    *layers, whole = arrays if arrays else [None]
    if whole is None:
        return []
    last = layers[-1][2] if layers else None
    same = last is not None and last.shape == whole[2].shape
    if same and np.array_equal(last, whole[2], equal_nan=last.dtype.kind == "f"):
        return layers
    return arrays


@contextlib.contextmanager
def _put_back(net, optimizer):
    """Afterwards every Parameter has the value that it has now, every cell its training flag."""
    held = [*net.get_parameters(), *optimizer.parameters]
    held += optimizer.get_parameters() if isinstance(optimizer, Cell) else []
    values = {id(each): (each, each.asnumpy().copy()) for each in held}
    flags = [(cell, cell.training) for _, cell in net.cells_and_names()]
    try:
        yield
    finally:
        for parameter, value in values.values():
            parameter.set_data(Tensor(value))
        for cell, flag in flags:
            cell.training = flag
