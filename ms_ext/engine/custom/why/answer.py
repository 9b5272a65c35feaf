"""What is said about the bprops of a run: did each run, and if not, why."""

import textwrap
from typing import NamedTuple

WIDTH, INSET = 90, "      "


class BpropAnswer(NamedTuple):
    """What became of one op's bprop.

    ``reached``: whether the function called the op. ``ran``: whether its bprop was called (in graph
    mode: became part of the graph). ``reason``: "ran", or a code of why not or why in vain.
    """

    name: str
    reached: bool
    ran: bool
    mode: str
    reason: str
    sentence: str

    @property
    def fine(self):
        """Whether its gradient arrived."""
        return self.reason == "ran"

    def line(self):
        """The answer in words."""
        did = "its bprop ran" if self.ran else "its bprop did not run"
        code = "" if self.fine else f" ({self.reason})"
        said = textwrap.fill(self.sentence, WIDTH, initial_indent=INSET, subsequent_indent=INSET)
        return f"  {self.name}: {did}{code}." + (f"\n{said}" if said else "")


class NoGradient(NamedTuple):
    """The answers about the ops of a function; true if every bprop ran, and not in vain."""

    name: str
    mode: str
    ops: tuple

    def __bool__(self):
        return bool(self.ops) and all(each.fine for each in self.ops)

    def __repr__(self):
        head = f"gradient of {self.name} ({self.mode}):"
        if not self.ops:
            return f"{head} it calls no ops.Custom, and none was named (op=...)."
        return "\n".join([head, *[each.line() for each in self.ops]])
