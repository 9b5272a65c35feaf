"""How long do these functions take, compared with each other? They take turns, a table compares.

A sample is one timed burst of calls, long enough to be measured; every round takes one sample of
each function, in changing order, so that a noisy machine is noisy to all of them.
"""

import gc
import statistics
import time
from typing import NamedTuple

BURST = 0.004  # seconds of one sample, about


class Timing(NamedTuple):
    """Seconds per call: smallest, middle and quartiles of the rounds."""

    least: float
    median: float
    low: float
    high: float


def interleaved(functions, rounds=15, burst=BURST):
    """``{name: Timing}`` of ``{name: function}``, sampled in turns.

    >>> sorted(interleaved({"a": int, "b": float}, rounds=3, burst=1e-4))
    ['a', 'b']
    """
    counts = {name: _calls_per_burst(f, burst) for name, f in functions.items()}
    samples = {name: [] for name in functions}
    names = list(functions)
    collecting = gc.isenabled()
    gc.disable()
    try:
        for turn in range(rounds):
            for name in names if turn % 2 else names[::-1]:
                samples[name].append(_sample(functions[name], counts[name]))
    finally:
        if collecting:
            gc.enable()
    return {name: timing(values) for name, values in samples.items()}


def in_turn(makers, rounds=25, clock=time.process_time):
    """As ``once`` for each of ``{name: make}``, one sample of each a round, in changing order.

    Processor time of all threads, which a busy machine disturbs less than the time of day.
    """
    samples = {name: [] for name in makers}
    names = list(makers)
    for turn in range(rounds + 1):
        for name in names if turn % 2 else names[::-1]:
            work = makers[name]()
            start = clock()
            work()
            samples[name].append(clock() - start)
    return {name: timing(values[1:]) for name, values in samples.items()}  # the first one warms up


def once(make, rounds=7):
    """Time work that cannot be repeated on the same thing: ``make()`` prepares and returns it."""
    values = []
    for _ in range(rounds):
        work = make()
        start = time.perf_counter()
        work()
        values.append(time.perf_counter() - start)
    return timing(values)


def _calls_per_burst(function, burst):
    function()
    count = 1
    while True:
        spent = _sample(function, count) * count
        if spent > burst / 2 or count > 1_000_000:
            return count
        count *= 2 if spent > burst / 20 else 8


def _sample(function, count):
    turns = range(count)
    start = time.perf_counter()
    for _ in turns:
        function()
    return (time.perf_counter() - start) / count


def timing(values):
    """The Timing of some samples, in seconds."""
    ordered = sorted(values)
    quarter = len(ordered) // 4
    return Timing(ordered[0], statistics.median(ordered), ordered[quarter], ordered[-1 - quarter])


def shown(seconds):
    """Seconds in a unit that can be read.

    >>> shown(4.6e-8), shown(0.0021), shown(3.0)
    ('46 ns', '2.1 ms', '3 s')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9)):
        if seconds >= size or unit == "ns":
            return f"{seconds / size:.3g} {unit}"
    return ""


def table(title, timings, reference=None):
    """Print a Markdown table; ratios of the smallest and of the median times to ``reference``'s."""
    print(f"\n### {title}\n")
    print(f"| program | least | median | quartiles | least / {reference} | median / {reference} |")
    print("|---|---|---|---|---|---|")
    base = timings.get(reference)
    for name, t in timings.items():
        ratios = (
            (f"{t.least / base.least:.3g}", f"{t.median / base.median:.3g}") if base else ("", "")
        )
        print(
            f"| {name} | {shown(t.least)} | {shown(t.median)} | {shown(t.low)} .. {shown(t.high)} "
            f"| {ratios[0]} | {ratios[1]} |"
        )
