"""The numbers of a pass, before and after, with what each of them means.

A fusion leaves the FLOPs where they were and cuts the bytes moved: that is what the strip is for.
"""

from typing import NamedTuple

from . import stacks
from .amounts import both, flops, milliseconds, number, size


class Stat(NamedTuple):
    """One number of the strip; ``before`` is None where there is only one."""

    name: str
    before: float | None
    after: float
    meaning: str
    shown: str  # the number or numbers as text

    @property
    def change(self):
        """The change in percent as text.

        >>> Stat("nodes", 16, 12, "", "16 → 12").change
        '−25 %'
        """
        if self.before is None:
            return ""
        if self.before == self.after:
            return "±0 %"
        if not self.before:
            return "new"
        percent = 100 * (self.after - self.before) / self.before
        size = f"{abs(percent):.0f}" if abs(percent) >= 1 else f"{max(abs(percent), 0.1):.1f}"
        return f"{'+' if percent > 0 else '−'}{'<' * (abs(percent) < 0.05)}{size} %"

    def __str__(self):
        return f"{self.name} {self.shown}" + (f" ({self.change})" if self.change else "")


_COSTS = (
    ("nodes", "nodes", number, "calls, also in regions; not inputs, constants, Return"),
    ("edges", "edges", number, "operands of these calls: one value used by one call"),
    ("FLOPs", "flops", flops, "arithmetic of one run; a loop counts one turn, an If both arms"),
    ("bytes moved", "bytes", size, "every operand read once and every result written once"),
    ("peak memory", "peak", size, "most bytes alive at once, walking the calls in order"),
)


def stats(matches, before, after, seconds):
    """The strip of one pass, from two costs (``pipeline.measure``).

    >>> from types import SimpleNamespace as Cost
    >>> old = Cost(nodes=16, edges=19, flops=8, bytes=9, peak=9, stacks=())
    >>> new = Cost(nodes=12, edges=15, flops=8, bytes=8, peak=9, stacks=())
    >>> [str(s) for s in stats(2, old, new, 0.00022)][:2]
    ['matches 2', 'nodes 16 → 12 (−25 %)']
    """
    found = [
        Stat("matches", None, matches, "places where the pass rewrote the graph", number(matches))
    ]
    for name, field, show, meaning in _COSTS:
        old, new = getattr(before, field), getattr(after, field)
        found.append(Stat(name, old, new, meaning, both(show, old, new)))
    found += _on_stacks(before.stacks, after.stacks)
    shown = milliseconds(seconds)
    found.append(
        Stat("pass time", None, seconds, "the pass alone, without the checks around it", shown)
    )
    return found


def totals(cost):
    """The strip of a graph that no pass touched.

    >>> from types import SimpleNamespace as Cost
    >>> str(totals(Cost(nodes=3, edges=4, flops=8, bytes=9, peak=9, stacks=()))[0])
    'nodes 3'
    """
    return [
        Stat(name, None, getattr(cost, field), meaning, show(getattr(cost, field)))
        for name, field, show, meaning in _COSTS
    ] + _on_stacks(None, cost.stacks)


def _on_stacks(before, after):
    """What loops keep, if they keep anything."""
    return [Stat(*row) for row in stacks.rows(before, after)]
