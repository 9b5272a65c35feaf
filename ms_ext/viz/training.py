"""``viz.training(net, loss_fn, optimizer, batches)``: a few real steps of training, as pictures.

Every step has five stations: the batch, the layers forwards, the loss, the gradients, the update.

>>> from ms_ext import Tensor, nn
>>> net = nn.Dense(1, 1, weight_init="zeros", has_bias=False)
>>> downhill, batches = nn.SGD(net.trainable_params(), 0.5), [(Tensor([[1.0]]), Tensor([[2.0]]))]
>>> shown = training(net, nn.MSELoss(), downhill, batches, steps=2)
>>> [step.loss for step in shown.steps], net.weight.asnumpy()  # trained, and put back
([4.0, 0.0], array([[0.]], dtype=float32))
"""

from .card import Card
from .widgets import training_page, training_words
from .widgets.training_recording import recorded


class Training(Card):
    """Some steps of a training: ``steps`` is their content as data."""

    def __init__(self, names, steps):
        self.net, self.loss_fn, self.optimizer = names
        self.steps = steps
        self.title = training_words.title(self)

    def text(self):
        """Step by step and station by station, in words."""
        return training_words.page(self)

    def html(self):
        """The stations as pictures, with a slider over steps and stations, and in words."""
        return training_page.card(self)


def training(net, loss_fn, optimizer, batches, steps=4):
    """Train ``net`` for a few steps, show each, and put everything back.

    ``batches`` gives tuples ``(inputs..., labels)``: a dataset, or a list, which begins anew when
    it ends. The loss is ``loss_fn(net(inputs...), labels)``. Afterwards the Parameters of ``net``
    and of ``optimizer`` (momentum, step count) have the values from before, and every cell its
    training flag; so the cell can be run again, and the training proper begins where it would.
    (Random numbers that were drawn on the way stay drawn.)
    """
    names = tuple(_name(each) for each in (net, loss_fn, optimizer))
    return Training(names, recorded(net, loss_fn, optimizer, batches, steps))


def _name(thing):
    return getattr(thing, "__name__", None) or type(thing).__name__
