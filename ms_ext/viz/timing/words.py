"""What is said of a timeline: the same sentences in the picture, the page, the figure, the text."""

import math

from .slices import named

MEANINGS = (
    ("serial sum", "all slices one after the other, as one thread would need for them"),
    ("overlap", "serial sum / time: how many lanes were at work on average"),
    ("%", "the part of the time a lane was at work"),
)


def headline(run):
    """The title of a run: calls, makespan, serial sum, overlap factor."""
    calls = [counted(run.calls, run.noun)] * bool(run.calls or not run.kernels)
    calls += [counted(run.compilations, "compilation")] * bool(run.compilations)
    kernels = [counted(run.kernels, "kernel")] * bool(run.kernels)
    lost = f", {run.dropped:,} older events dropped" if run.dropped else ""
    title = f"{run.title}: " if run.title else ""
    return (
        f"{title}{_listed(calls + kernels)} in {amount(run.makespan, run.unit)}, "
        f"serial sum {amount(run.serial, run.unit)}, overlap {run.overlap:.2f}×{lost}"
    )


def _listed(parts):
    """ "a", "a and b", "a, b and c"."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def waiting(run):
    """One line about the caller: how long it waited, and when it was free again; else empty."""
    said = []
    if run.syncs:
        whole = max(run.makespan, run.returned or 0)
        share = f" ({run.waited / whole:.0%} of the time)" if whole else ""
        times = counted(len(run.syncs), "time")
        said.append(f"the caller waited {times}, {amount(run.waited, run.unit)} in all{share}")
    if run.returned is not None:
        subject = "it" if said else "the function"
        said.append(f"{subject} returned after {amount(run.returned, run.unit)}")
    return "; ".join(said)


def counted(number, noun):
    """A number with its noun.

    >>> counted(1, "call"), counted(20_000, "call")
    ('1 call', '20,000 calls')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def label(runs):
    """What a screen reader says of the picture."""
    busiest = "; ".join(f"{run.bottleneck} is busiest" for run in runs)
    return "Timeline. " + ". ".join(map(headline, runs)) + f". {busiest}."


def amount(value, unit="ns"):
    """A time in a readable unit; other units stay what they are.

    >>> amount(972_000), amount(1_999_000), amount(2_500_000_000)
    ('972 µs', '1,999 µs', '2.5 s')
    >>> amount(12, "cycles"), amount(3, "")
    ('12 cycles', '3')
    """
    if unit != "ns":
        return f"{value:,.6g} {unit}".rstrip()
    name, factor = scale(value, unit)
    value /= factor
    return f"{value:,.0f} {name}" if value >= 100 else f"{value:.3g} {name}"


def scale(value, unit="ns"):
    """(name of a unit, factor) in which ``value`` is easy to read.

    >>> scale(5_000_000), scale(7, "cycles")
    (('ms', 1000000.0), ('cycles', 1))
    """
    if unit != "ns":
        return unit, 1
    for name, factor in (("s", 1e9), ("ms", 1e6)):
        if value >= factor * (1 if name == "s" else 2):
            return name, factor
    return "µs", 1e3


def ticks(span, most=7):
    """Round times from 0 to ``span``, at most about ``most`` of them.

    >>> ticks(90), ticks(4.2)
    ([0, 20, 40, 60, 80], [0.0, 1.0, 2.0, 3.0, 4.0])
    """
    raw = span / most
    power = 10 ** math.floor(math.log10(raw))
    step = power * next(factor for factor in (1, 2, 5, 10) if factor * power >= raw)
    step = int(step) if step >= 1 and step == int(step) and isinstance(span, int) else step
    return [index * step for index in range(math.floor(span / step * (1 + 1e-9)) + 1)]


def facts(run, each, gap=None):
    """What there is to say about a slice: (what, text) pairs, the whole in the first."""
    time = amount(each.duration, run.unit)
    begins = f"begins at {amount(each.start, run.unit)}"
    pairs = (
        ("", f"{named(each, run.noun)}: {each.lane} {time}, {begins}"),
        ("before", f"idle {amount(gap.duration, run.unit)}: {gap.reason}" if gap else ""),
        ("bytes", f"{each.bytes:,}" if each.bytes else ""),
        ("nodes", " ".join(f"%{node}" for node in each.nodes)),
        ("line", each.line),
    )
    return tuple(pair for pair in pairs if pair[1])


def words(pairs):
    """Facts as lines of text."""
    return "\n".join(f"{what}: {text}" if what else text for what, text in pairs)


def idle(run, lane):
    """Why a lane was idle, the longest first: each reason with how often and how long in all."""
    found = {}
    for gap in run.gaps(lane):
        kind = gap.kind
        count, total = found.get(kind, (0, 0))
        found[kind] = count + 1, total + gap.end - gap.start
    ranked = sorted(found.items(), key=lambda item: -item[1][1])
    return [
        f"{amount(total, run.unit)}{f' ({count:,} times)' if count > 1 else ''}: {reason}"
        for reason, (count, total) in ranked
    ]
