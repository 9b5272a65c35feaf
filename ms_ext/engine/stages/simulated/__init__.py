"""A model of the four stages: from the time that each stage takes to the exact schedule.

| file | question |
|---|---|
| ``program`` | what does a program do: calls, waits, work of the caller? |
| ``lanes`` | when does which stage begin and end with which call? |
| ``schedule`` | what follows: makespan, utilisation, lengths of queues |
| ``path`` | why is the makespan what it is? |
| ``words`` | the same in words |
| ``measured`` | a recording as a program, to hold the model against what happened |

Times are whole numbers or fractions in a unit of one's own, and so is every sum of them.
"""

from .measured import program_of
from .program import StageCall, StageSync, StageWork
from .schedule import StageSchedule, simulate_stages

__all__ = [
    "StageCall",
    "StageSchedule",
    "StageSync",
    "StageWork",
    "program_of",
    "simulate_stages",
]
