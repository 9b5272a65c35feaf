"""What is found in a program: a line, what happens there, and how to write it."""

from typing import NamedTuple

REFUSED, DIFFERS, NOTE = "refused", "differs", "note"


class Finding(NamedTuple):
    """One thing that real MindSpore refuses or answers differently.

    ``kind``: "refused", "differs", or "note" for what is true of its CPU alone. Where ``certain``
    is False it depends on something that the text does not show; such a finding does not count.

    >>> Finding("set", "refused", 3, "Unsupported expression 'Set'.").counts
    True
    """

    rule: str
    kind: str
    line: int
    says: str
    instead: str = ""
    certain: bool = True
    cell: int | None = None
    column: int = 0

    @property
    def counts(self):
        """Whether a program with this is not portable."""
        return self.certain and self.kind != NOTE

    def told(self, file):
        """The finding as text: where, what, and how to write it."""
        place = (
            f"{file}, cell {self.cell}, line {self.line}" if self.cell else f"{file}:{self.line}"
        )
        word = {NOTE: "note: ", DIFFERS: "answers differently: "}.get(self.kind, "")
        doubt = "" if self.certain else "perhaps: "
        lines = [f"{place}: {doubt}{word}{self.says}"]
        lines += [f"    {line}" for line in self.instead.splitlines()]
        return "\n".join(lines)
