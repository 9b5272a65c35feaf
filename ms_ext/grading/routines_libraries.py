"""What can be asked of an answer that calls the device's libraries? Its values, and its calls.

Which function was called in which stage goes back as plain data, in the order of the beginnings.
"""

from ms_ext import runtime
from ms_ext.engine import events
from ms_ext.viz.widgets import call_sequence_steps


def through_libraries(ask):
    """What ``ask()`` gives, and [function, stage] of each call of a library that it made."""
    runtime.dispatch("auto")
    with events.record(1 << 15) as kept:
        answer = ask()
        runtime.synchronize()
    return {"answer": answer, "calls": call_sequence_steps.asked(kept)}
