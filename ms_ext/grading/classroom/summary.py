"""What became of a batch? A line while it runs, a few at its end."""

import time
from collections import Counter

from .rows import NOT_GRADED

SHOWN = 20  # files that were not read
ORDER = ("passed", "partly", "failed", "not attempted", NOT_GRADED)


def count(number, what):
    """How many there are, in words.

    >>> count(1, "answer"), count(2, "answer")
    ('1 answer', '2 answers')
    """
    return f"{number} {what}{'s' * (number != 1)}"


class Summary:
    """Counts results as they come."""

    def __init__(self, total):
        self.total, self.begin = total, time.monotonic()
        self.counts, self.kept, self.broken, self.times = Counter(), 0, [], []
        self.unread = {}  # what to say of files that nobody could read, in order

    def add(self, result):
        """Count one result; the line that tells of it."""
        row = result.row
        self.counts[row["status"]] += 1
        self.kept += result.kept
        for each in result.unread:
            self.unread[f"{row['learner']}: {each}"] = None
        if row["status"] == NOT_GRADED:
            self.broken.append(f"{row['learner']}, {row['exercise']}: {row['headline']}")
        elif not result.kept and (seconds := row.get("seconds")):
            self.times.append((float(seconds), row["learner"], row["exercise"]))
        done = sum(self.counts.values())
        return f"{done:>5}/{self.total}  {row['learner']}  {row['exercise']}  {row['status']}"

    def __str__(self):
        done = sum(self.counts.values())
        states = [f"{self.counts[name]} {name}" for name in ORDER if self.counts[name]]
        kept = f", {self.kept} of them from before" if self.kept else ""
        lines = [f"{count(done, 'result')} in {time.monotonic() - self.begin:.1f} s{kept}"]
        lines.append(f"  {', '.join(states)}")
        if self.times:
            mean = sum(each[0] for each in self.times) / len(self.times)
            slowest = max(self.times)
            were = "was" if len(self.times) == 1 else "were"
            lines.append(
                f"  {count(len(self.times), 'answer')} {were} run, {mean:.2f} s each; "
                f"the slowest was {slowest[2]} of {slowest[1]}, {slowest[0]:.2f} s"
            )
        return "\n".join([*lines, *self._left_out()])

    def _left_out(self):
        """What nobody has read: a learner may have handed in more than is graded."""
        lost = list(self.unread)
        lines = ["  Not everything could be read:"] if lost else []
        lines += [f"    {each}" for each in lost[:SHOWN]]
        return [*lines, f"    ... and {len(lost) - SHOWN} more"] if len(lost) > SHOWN else lines
