"""Random numbers in a graph: drawn when it runs, from one draw that each run is given.

Seed and offset are an input of the graph, read anew at each call. Every draw in the graph takes the
offset as it is by then and moves it on; it goes through branches and loops as whatever is written
to. So each number is a function of the graph's inputs: what is calculated twice is the same twice.

>>> first, second = DRAWS.draw, DRAWS.draw
>>> int(second[1] - first[1])
1
"""

import numpy as np

from ...ops import randomness
from .. import primitive
from ..tensor import Tensor
from .storing import Source, Stored
from .values import Place

AHEAD = 1 << 40  # from one draw of a graph to its next: eager draws do not come that far


class Draws(Source):
    """What ``draw`` is for a graph that begins to run: a new draw, as a tensor."""

    like = Tensor(np.zeros(2, np.int64))

    @property
    def draw(self):
        """[seed, offset]"""
        return Tensor(np.array(randomness.draw_now(), np.int64))


DRAWS = Draws()
_PLACE = Place(DRAWS, "draw")


def drawn(frame):
    """Seed and offset of the next draw in a graph, as two nodes."""
    if _PLACE not in frame.reader.stored:
        raise Stored(_PLACE)
    now = frame.recall(_PLACE)
    step = Tensor(np.array([0, AHEAD], np.int64))
    frame.memory[_PLACE] = frame.add(primitive.slot_op("+"), (now, step))
    item = primitive.slot_op("getitem")
    return [frame.add(item, (now,), {"index": index}) for index in range(2)]


def source(frame):
    """The input of the graph that the draws come from."""
    return frame.scope.free[_PLACE][0]
