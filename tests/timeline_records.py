"""Recordings with known times, for the tests of the timeline."""

from ms_ext.engine import events, stages


def recording(*written):
    """A recording of (kind, name, start, end, thread, numbers)."""
    ring = events.ReferenceRing(1_000_000)
    found = events.Recording(ring)
    for serial, (kind, name, start, end, thread, numbers) in enumerate(written, 1):
        ring._kept.append((serial, (kind, name, start, end, thread, numbers)))
    return found


def pipelined(calls=3, step=10_000, stream=0):
    """Calls that move through the stages one step at a time, LaunchTask taking two."""
    for n in range(calls):
        yield ("task", "Mul", n * step, n * step, 1, (7 + n, stream))
        yield ("line", f"model.py:{n}: y = x * {n}", n * step, n * step, 1, (7 + n,))
        for thread, stage in enumerate(stages.STAGES[:3], 1):
            start = (n + thread - 1) * step
            yield ("stage", stage, start, start + step, thread, (7 + n, 64))
        yield ("stage", "LaunchTask", (3 + 2 * n) * step, (5 + 2 * n) * step, 4, (7 + n, 64))
    yield ("sync", "data", calls * step, (3 + 2 * calls) * step, 1, (6 + calls,))
    yield ("line", "model.py:9: y.asnumpy()", calls * step, calls * step, 1, (6 + calls,))


#: One call in blocking mode: every stage runs inside the one before it.
NESTED = (
    ("task", "Add", 0, 100, 1, (1,)),
    ("stage", "DeviceTask", 30, 40, 1, (1, 8)),
    ("stage", "LaunchTask", 40, 80, 1, (1, 8)),
    ("stage", "FrontendTask", 10, 90, 1, (1, 8)),
    ("stage", "PyTask", 0, 100, 1, (1, 0)),
)
