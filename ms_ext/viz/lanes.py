"""``viz.lanes(rows)``: a timeline of slices from anywhere, such as the pipes of a kernel.

A row is (name, lane, start, end), as in ``viz.schedule``, and may end with the call (the tile, the
step) it belongs to: what belongs to one call lights up together.

>>> one = [("load", "CopyIn", 0, 4, 1), ("add", "Compute", 4, 7, 1), ("load", "CopyIn", 7, 11, 2)]
>>> two = [("load", "CopyIn", 0, 4, 1), ("add", "Compute", 4, 7, 1), ("load", "CopyIn", 4, 8, 2)]
>>> shown = lanes({"one buffer": one, "two buffers": two}, unit="cycles", noun="tile")
>>> [run.makespan for run in shown.runs]
[11, 8]
>>> shown.runs[0].gaps("CopyIn")[0].reason
'free to begin; what it waited for is not among the rows'
"""

from .timeline import Timeline
from .timing.rows import checked
from .timing.slices import Lane, Run, Slice, Wait

_FREE = "free to begin; what it waited for is not among the rows"


def lanes(rows, order=(), unit="", waits=(), noun="call", select=None):
    """A timeline of ``rows``, or of several lists of rows by title: one below the other, one axis.

    ``order``: the lanes from top to bottom, in the order that a call goes through them (default: as
    they first appear). ``unit``: of the times, "ns" is shown as µs, ms and s. ``waits``: rows
    (words, lane, start, end) that say why a lane was idle. ``noun``: what a call is here.

    >>> rows = [("a", "in", 0, 2, 1), ("a", "out", 2, 4, 1), ("b", "out", 5, 8, 2)]
    >>> print(lanes(rows, waits=[("no room", "out", 4, 5)]))
    2 calls in 8, serial sum 7, overlap 0.88×
              in   25%  11111111111111111...............................................  2
             out*  62%  ................11111111111111111.......222222222222222222222222  5
                  * the busiest lane; digits: the last of a call's number
      idle  out: 1: no room
    """
    parts = rows if isinstance(rows, dict) else {"": rows}
    waits = waits if isinstance(waits, dict) else dict.fromkeys(parts, waits)
    runs = [_run(t, part, order, unit, waits.get(t, ()), noun) for t, part in parts.items()]
    return Timeline(runs, select=select)


def _run(title, rows, order, unit, waits, noun):
    slices = tuple([Slice(*checked(row, "(name, lane, start, end, call)")) for row in rows])
    held = tuple([Wait(*checked(row, "(words, lane, start, end)")) for row in waits])
    names = list(dict.fromkeys([*order, *(each.lane for each in slices)]))
    made = [
        Lane(name, index % 4 + 1, _FREE, tuple(names[:index])) for index, name in enumerate(names)
    ]
    return Run(str(title), tuple(made), slices, stalls=held, unit=unit, noun=noun)
