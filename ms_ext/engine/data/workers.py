"""How do several workers share the rows, and the results still come in order?

Task 0 goes to worker 0, task 1 to worker 1, and so on around; results are taken in the same order.
Each worker may be a few tasks ahead (``depth``), so queues never grow. When the rows are no longer
wanted, because they end, the loop breaks off, or Ctrl-C is pressed, ``close`` ends every worker.

>>> list(shared(lambda task: task * 10, range(5), count=3))
[0, 10, 20, 30, 40]
>>> list(ahead(iter([1, 2, 3]), 2))
[1, 2, 3]
"""

import queue
import threading
from collections import deque

from . import processes
from .node import Above
from .settings import settings


def shared(work, tasks, count, in_processes=False, depth=2):
    """The results of ``work`` over all tasks, by so many workers, or by none if one is enough.

    >>> list(shared(abs, [-1, 2], 1)), list(shared(abs, [-1, 2], 2))
    ([1, 2], [1, 2])
    """
    if count == 1 or settings.debug:
        return map(work, tasks)
    return in_order(lambda: _team(work, count, in_processes), tasks, depth)


def _team(work, count, in_processes):
    return processes.start(work, count) if in_processes else [Thread(work) for _ in range(count)]


def in_order(team, tasks, depth):
    """The results of all tasks, in their order; ``team()`` starts the workers when it begins."""
    workers, waiting, failure = team(), deque(), None
    try:
        tasks = enumerate(tasks)
        while failure is None:
            try:
                number, task = next(tasks)
            except StopIteration:
                break
            except Exception as error:  # what came before it comes out before it
                failure = error
                break
            worker = workers[number % len(workers)]
            worker.send(task)
            waiting.append(worker)
            if len(waiting) >= depth * len(workers):
                yield waiting.popleft().receive()
        while waiting:
            yield waiting.popleft().receive()
        if failure is not None:
            raise failure
    finally:
        for worker in workers:
            worker.close()
        for worker in workers:
            worker.join()


class Thread:
    """A worker that is a thread of this process: ``work(task)`` gives the result."""

    def __init__(self, work):
        self._tasks, self._results, self._closed = queue.SimpleQueue(), queue.SimpleQueue(), []
        arguments = (work, self._tasks, self._results, self._closed)
        self._thread = threading.Thread(target=_serve, args=arguments, daemon=True)
        self._thread.name = f"dataset worker {self._thread.name}"
        self._thread.start()

    def send(self, task):
        """Hand over a task."""
        self._tasks.put((task,))

    def receive(self):
        """The result of the task that was sent first; raises what that task raised."""
        result, error = self._results.get()
        if error is not None:
            raise error
        return result

    def close(self):
        """Ask it to end, without the tasks that it has not begun."""
        self._closed.append(True)
        self._tasks.put(None)

    def join(self):
        """Wait for its end; one that is stuck in somebody's function is left behind."""
        self._thread.join(settings.patience)


def _serve(work, tasks, results, closed):
    while (task := tasks.get()) is not None and not closed:
        try:
            results.put((work(*task), None))
        except BaseException as error:  # the loop gets it
            results.put((None, error))


class Ahead(Above):
    """The child's rows, made by a thread before they are asked for."""

    def __init__(self, child, size):
        super().__init__(child)
        self.ahead = size

    def rows(self, run):
        """The child's."""
        return ahead(self.child.rows(run), self.ahead)


def ahead(rows, size):
    """The same rows, made by one thread that is at most ``size`` of them ahead."""
    made, free, closed = queue.SimpleQueue(), threading.Semaphore(size), []
    thread = threading.Thread(target=_fill, args=(rows, made, free, closed), daemon=True)
    thread.name = f"dataset prefetch {thread.name}"
    thread.start()
    try:
        while (found := made.get()) is not None:
            row, error = found
            if error is not None:
                raise error
            free.release()
            yield row
    finally:
        closed.append(True)
        free.release()
        thread.join(settings.patience)


def _fill(rows, made, free, closed):
    try:
        for row in rows:
            free.acquire()
            if closed:
                break
            made.put((row, None))
    except BaseException as error:  # the loop gets it
        made.put((None, error))
    finally:
        if hasattr(rows, "close"):
            rows.close()
        made.put(None)
