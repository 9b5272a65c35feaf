"""A gate on the tape: tensors pass as they are; going back, their gradients pass all at once.

>>> from ms_ext import Tensor, grad
>>> seen = []
>>> def f(x, y):
...     x, y = Gate("look", lambda gradients: seen.append(gradients) or gradients).passed((x, y))
...     return x * 2
>>> grad(f, (0, 1))(Tensor(1.0), Tensor(5.0))[0], seen
(Tensor(shape=[], dtype=Float32, value= 2), [(Tensor(shape=[], dtype=Float32, value= 2), None)])
"""

from .. import tape


class Gate:
    """``change(gradients)``: one for each tensor, None where none came; it returns as many."""

    def __init__(self, name, change):
        self.name, self.change, self.arrived = name, change, set()

    def passed(self, tensors):
        """The tensors to go on with. The gradient of one that is not on the tape never comes."""
        self.places = [i for i, tensor in enumerate(tensors) if tape.watches((tensor,))]
        self.count = len(tensors)
        there = tuple([tensors[i] for i in self.places])
        inner = tape.record(self.name, there, there, self._back)
        found = list(tensors)
        for place, tensor in zip(self.places, inner, strict=True):
            arrive = self._arriving(place)
            (found[place],) = tape.record(self.name, (tensor,), (tensor,), arrive)
        return tuple(found)

    def _arriving(self, place):
        """A way back of one tensor: it notes that a gradient came, for others are filled up."""

        def pull(dout):
            self.arrived.add(place)
            return (dout,)

        return pull

    def _back(self, *douts):
        gradients = [None] * self.count
        for place, dout in zip(self.places, douts, strict=True):
            if place in self.arrived:
                gradients[place] = dout
        self.arrived.clear()
        changed = self.change(tuple(gradients))
        return [changed[place] for place in self.places]
