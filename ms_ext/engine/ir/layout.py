"""Which operand of a control node feeds which parameter of its regions? Which are carried?"""

from typing import NamedTuple

from .control import FOR, IF


class Layout(NamedTuple):
    """Parameter ``p`` of a region is operand ``offset + p``; result ``k`` is fed back to parameter
    ``first + k`` for the first ``carried`` results; the parameters from ``invariant`` on are the
    same in every turn.
    """

    offset: int
    first: int
    carried: int
    scanned: int

    @property
    def invariant(self):
        """The first parameter that never changes."""
        return self.first + self.carried + self.scanned

    @property
    def feedback(self):
        """The parameters that are carried."""
        return range(self.first, self.first + self.carried)


def layout(node):
    """The Layout of an If, While or For.

    >>> layout_of_for = Layout(offset=0, first=1, carried=2, scanned=1)
    >>> layout_of_for.invariant, list(layout_of_for.feedback)
    (4, [1, 2])
    """
    if node.primitive is IF:
        return Layout(1, 0, 0, 0)
    return Layout(
        0, int(node.primitive is FOR), node.attrs["carried"], node.attrs.get("scanned", 0)
    )
