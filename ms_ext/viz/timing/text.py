"""The timeline as text: the same numbers and sentences, and the lanes as rows of digits."""

from .words import amount, headline, idle, waiting

COLUMNS = 64  # of a lane
MOST_WAITS = 8  # kinds of waits that are listed; all are marked


def page(runs):
    """All runs, one below the other."""
    return "\n\n".join(map(_run, runs))


def _run(run):
    wide = max(12, *(len(lane.name) for lane in run.lanes))
    lines = [headline(run), *filter(None, [waiting(run)])]
    for lane in run.lanes:
        mark = "*" if lane.name == run.bottleneck else " "
        busy = amount(run.busy[lane.name], run.unit)
        share = f"{run.utilisation(lane.name):>4.0%}"
        lines.append(f"{lane.name:>{wide}}{mark} {share}  {_lane(run, lane.name)}  {busy}")
    if run.syncs:
        lines.append(f"{'sync':>{wide}}        {_marks(run)}")
    lines.append(f"{'':>{wide + 2}}{_legend(run)}")
    lines += [
        f"  idle  {lane.name}: {why}" for lane in run.lanes for why in idle(run, lane.name)[:2]
    ]
    lines += _syncs(run)
    lines += [f"  {link.words}" for link in run.links] + [f"  {note}" for note in run.notes]
    return "\n".join(line.rstrip() for line in lines)


def _legend(run):
    held = "; - the caller waited; | it got what it had waited for" if run.syncs else ""
    return f"* the busiest lane; digits: the last of a {run.noun}'s number{held}"


def _syncs(run):
    """The waits of one line of the program together, in the order of their first."""
    found = {}
    for sync in run.syncs:
        found.setdefault((sync.words, sync.line), []).append(sync.duration)
    for (words, line), times in list(found.items())[:MOST_WAITS]:
        often = f" ({len(times):,} times)" if len(times) > 1 else ""
        at = f", {line}" if line else ""
        yield f"  sync  {words} for {amount(sum(times), run.unit)}{often}{at}"
    if len(found) > MOST_WAITS:
        yield f"  sync  at {len(found) - MOST_WAITS:,} more lines"


def _lane(run, name):
    cells = ["."] * COLUMNS
    for sync in run.syncs:
        if sync.lane == name:
            _fill(run, cells, sync, "-")
    for each in run.lane(name):
        _fill(run, cells, each, str(each.call)[-1] if each.call else "#")
    return "".join(cells)


def _fill(run, cells, part, mark):
    first, last = _column(run, part.start), _column(run, part.end)
    cells[first : last + 1] = mark * (last - first + 1)


def _marks(run):
    cells = [" "] * COLUMNS
    for sync in run.syncs:
        cells[_column(run, sync.end)] = "|"
    return "".join(cells)


def _column(run, time):
    return min(max(int(time * COLUMNS / run.makespan), 0), COLUMNS - 1)
