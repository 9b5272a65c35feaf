"""The four stages of a call: PyTask on the caller, FrontendTask, DeviceTask, LaunchTask on threads.

| file | question |
|---|---|
| ``queue`` | how is work handed over without spinning? |
| ``task`` | what is a call on its way? |
| ``work`` | what does each stage do to it? |
| ``pipeline`` | which threads run the stages? |
| ``delivery`` | how do results and errors come back? |
| ``policy`` | which calls go through the stages? |
| ``ending`` | how do the threads end? |

Importing starts nothing; the threads start with the first call that goes through them.
"""

from .delivery import ASK, come_to_rest, is_pending, keep_alive, synchronize
from .policy import call, decide, explain, stage_always, use
from .task import STAGES, calling_place, line_of

__all__ = [
    "ASK",
    "STAGES",
    "call",
    "calling_place",
    "come_to_rest",
    "decide",
    "explain",
    "is_pending",
    "keep_alive",
    "line_of",
    "stage_always",
    "synchronize",
    "use",
]
