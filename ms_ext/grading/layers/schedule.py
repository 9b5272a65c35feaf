"""Is the order right? Happens-before, makespan and buffers of a schedule, worked out here.

An answer is a list of tasks, ``[name, lane, waits]``: what each lane (a stream, a stage, a thread)
runs in this order, and the names of tasks that a task waits for. A task waits for the one before it
on its lane too. Times come from the exercise, never from the answer and never from a clock.
"""

import functools
from typing import NamedTuple

from ..failure import Failure


class Task(NamedTuple):
    """One task of a schedule."""

    name: str
    lane: str
    waits: tuple = ()


def happens_before(pairs, wanted=None):
    """For each pair (a, b) of ``pairs(question)``, task a has ended before task b begins.

    ``wanted(question)``: a right answer, for the picture.
    """

    def judge(question, answer):
        tasks = tasks_in(answer)
        if isinstance(tasks, Failure):
            return tasks
        before = ancestors(tasks)
        for first, second in pairs(question):
            if second not in before or first not in before:
                missing = second if second not in before else first
                return Failure("task-missing", f"No task is called {missing!r}.", got=answer)
            if first not in before[second]:
                words = f"Nothing makes {second!r} wait for {first!r}."
                right = tasks_in(wanted(question)) if wanted else ()
                picture = functools.partial(_race, right, tasks, first, second)
                return Failure("race", words, got=answer, picture=picture)
        return None

    return judge


def makespan(times, most, wanted=None):
    """The schedule ends by ``most(question)`` if task ``name`` takes ``times(question)[name]``.

    ``wanted(question)``: a right answer, for the picture.
    """

    def judge(question, answer):
        tasks = tasks_in(answer)
        if isinstance(tasks, Failure):
            return tasks
        known = times(question)
        names = {task.name for task in tasks}
        if unknown := sorted(names - known.keys()):
            return Failure("task-unknown", f"{unknown[0]!r} is no task of this program.")
        if missing := sorted(known.keys() - names):
            return Failure("task-missing", f"No task is called {missing[0]!r}.", got=answer)
        end, limit = max((row[3] for row in simulated(tasks, known)), default=0), most(question)
        if end <= limit:
            return None
        words = f"It ends at {end}; {limit} is possible."
        right = simulated(tasks_in(wanted(question)), known) if wanted else ()
        picture = functools.partial(_drawn, right, simulated(tasks, known))
        return Failure("too-late", words, limit, end, picture=picture)

    return judge


def buffers(sizes, limit, alive):
    """Buffers that are alive together do not overlap, and all lie below ``limit(question)`` bytes.

    An answer is ``{buffer: offset}``; ``sizes(question)`` gives each buffer's bytes and
    ``alive(question)`` its (first, last) moment.
    """

    def judge(question, answer):
        need, life, most = sizes(question), alive(question), limit(question)
        if not isinstance(answer, dict) or answer.keys() != need.keys():
            return Failure("kind", "One offset is wanted for each buffer.", sorted(need), answer)
        if not all(type(offset) is int and offset >= 0 for offset in answer.values()):
            return Failure("kind", "An offset is a whole number of bytes.", got=answer)
        for name, offset in answer.items():
            if offset + need[name] > most:
                words = f"{name!r} ends at byte {offset + need[name]}; the buffer has {most}."
                return Failure("over-the-limit", words, most, offset + need[name])
        return _overlap(answer, need, life)

    return judge


def _overlap(offsets, sizes, life):
    names = sorted(offsets)
    for at, one in enumerate(names):
        for other in names[at + 1 :]:
            together = life[one][0] <= life[other][1] and life[other][0] <= life[one][1]
            low, high = sorted((one, other), key=offsets.get)
            if together and offsets[high] < offsets[low] + sizes[low]:
                words = f"{one!r} and {other!r} are alive together and share bytes."
                return Failure("overlap", words, got=offsets)
    return None


def _race(right, tasks, first, second):
    """Both schedules with every task one unit long, and ``first`` so late that it is seen."""
    times = dict.fromkeys([task.name for task in (*right, *tasks)], 1)
    starts = {name: start for name, _, start, _ in simulated(tasks, times)}
    late = {**times, first: max(1, starts[second] + 1 - starts[first])}
    return _drawn(simulated(right, times), simulated(tasks, late), [(first, second)])


def _drawn(right, rows, broken=()):
    from ms_ext import viz  # only a schedule that failed is drawn

    return viz.schedule(right, rows, broken)


def tasks_in(answer):
    """The Tasks of an answer in an order that can run, or a Failure."""
    if not isinstance(answer, list | tuple):
        return Failure("kind", "A list of tasks is wanted.", got=answer)
    tasks = []
    for each in answer:
        if not isinstance(each, list | tuple) or not 2 <= len(each) <= 3:
            return Failure("kind", "A task is [name, lane, waits].", got=each)
        waits = each[2] if len(each) == 3 else ()
        if not isinstance(waits, list | tuple):
            return Failure("kind", "A task is [name, lane, waits].", got=each)
        tasks.append(Task(str(each[0]), str(each[1]), tuple(map(str, waits))))
    names = [task.name for task in tasks]
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        return Failure("task-twice", f"Two tasks are called {twice!r}.", got=answer)
    if unknown := [w for task in tasks for w in task.waits if w not in names]:
        return Failure("task-missing", f"No task is called {unknown[0]!r}.", got=answer)
    return _in_order(tasks)


def _in_order(tasks):
    """The tasks, each after what it waits for; a Failure if they wait for one another."""
    ordered, done, waiting = [], set(), list(_with_lanes(tasks))
    while waiting:
        ready = [task for task in waiting if done.issuperset(task.waits)]
        if not ready:
            circle = ", ".join(repr(task.name) for task in waiting[:4])
            return Failure("deadlock", f"They wait for one another: {circle}.")
        ordered += ready
        done |= {task.name for task in ready}
        waiting = [task for task in waiting if task.name not in done]
    return ordered


def _with_lanes(tasks):
    """Each task waits for the one before it on its lane too."""
    last = {}
    for task in tasks:
        before = (last[task.lane],) if task.lane in last else ()
        last[task.lane] = task.name
        yield task._replace(waits=(*task.waits, *before))


def ancestors(tasks):
    """Task name -> the names of all tasks that have ended before it begins.

    >>> tasks = tasks_in([["copy", "a"], ["add", "b", ["copy"]], ["out", "b"]])
    >>> sorted(ancestors(tasks)["out"])
    ['add', 'copy']
    """
    found = {}
    for task in tasks:
        found[task.name] = set(task.waits).union(*(found[each] for each in task.waits))
    return found


def simulated(tasks, times):
    """(name, lane, start, end) of each task if it begins as soon as it may.

    >>> simulated(tasks_in([["copy", "a"], ["add", "b", ["copy"]]]), {"copy": 2, "add": 3})
    [('copy', 'a', 0, 2), ('add', 'b', 2, 5)]
    """
    ends, rows = {}, []
    for task in tasks:
        start = max((ends[each] for each in task.waits), default=0)
        ends[task.name] = start + times[task.name]
        rows.append((task.name, task.lane, start, ends[task.name]))
    return rows
