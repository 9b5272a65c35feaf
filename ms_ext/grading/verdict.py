"""What does a check say? Status, the smallest failing case, what it means, what to do next.

Plain data with two faces: text for a terminal, HTML for a notebook or a page.
"""

import html
import re
from dataclasses import asdict, dataclass, field
from pathlib import Path

STYLE = Path(__file__).with_name("verdict.css")
MARKS = {"passed": "✓", "failed": "✗", "not attempted": "○"}


@dataclass(frozen=True)
class Witness:
    """The smallest case on which the answer fails: anybody can run it and see."""

    title: str
    before: str = ""
    after: str = ""
    inputs: tuple = ()  # (name, type, elements)
    expected: str = ""
    got: str = ""
    place: str = ""  # where the first difference is

    def rows(self):
        """What is known, as (label, text)."""
        rows = [("case", self.title), ("the graph", self.before), ("after your pass", self.after)]
        rows += [(f"input {name}", f"{kind} = {elements}") for name, kind, elements in self.inputs]
        rows += [("first difference", self.place), ("expected", self.expected), ("got", self.got)]
        return [(label, text) for label, text in rows if text]


@dataclass(frozen=True)
class Verdict:
    """The answer to ``check(name)``. True if the exercise is solved."""

    name: str
    status: str  # a key of MARKS
    code: str
    headline: str
    detail: str = ""
    witness: Witness | None = None
    next: str = ""
    hints: tuple = ()
    printed: str = ""
    cases: tuple = ()  # (what was given, what came of it) of a passed check
    passed: int = 0
    total: int = 0
    seconds: float = field(default=0.0, compare=False)

    def __bool__(self):
        return self.status == "passed"

    def data(self):
        """Plain data, for JSON."""
        return asdict(self)

    @classmethod
    def of(cls, data):
        """The verdict that ``data`` made."""
        witness = data.get("witness")
        if witness:
            inputs = tuple(map(tuple, witness["inputs"]))
            data = {**data, "witness": Witness(**{**witness, "inputs": inputs})}
        lists = {"hints": tuple(data["hints"]), "cases": tuple(map(tuple, data["cases"]))}
        return cls(**{**data, **lists})

    def __repr__(self):
        lines = [f"{MARKS[self.status]} {self.name}: {self.headline}"]
        lines += [f"  {line}" for line in self.detail.splitlines()]
        for label, text in self.witness.rows() if self.witness else ():
            first, *rest = text.splitlines()
            lines.append(f"  {label + ':':<17} {first}")
            lines += [f"{'':<20}{line}" for line in rest]
        lines += [f"  next: {self.next}"] if self.next else []
        lines += [f"  your code printed: {self.printed}"] if self.printed else []
        lines.append(f"  ({self._counted()})")
        return "\n".join(lines)

    def _counted(self):
        cases = f"{self.passed} of {self.total} cases, " if self.total else ""
        return f"{cases}{self.code}, {self.seconds:.2f} s"

    def hint(self, level):
        """Hint 1, 2 or 3: a nudge, the method, a worked sibling."""
        return self.hints[min(max(int(level), 1), len(self.hints)) - 1]

    def _repr_html_(self):
        parts = [f'<p class="head">{MARKS[self.status]} {_text(self.headline)}</p>']
        parts += [f'<p class="detail">{html.escape(self.detail)}</p>'] if self.detail else []
        parts += [_rows(self.witness.rows())] if self.witness else []
        parts += [_rows(self.cases)] if self.cases else []
        parts += [f"<p><b>Next:</b> {_text(self.next)}</p>"] if self.next else []
        parts += [_folded("What your code printed", self.printed)] if self.printed else []
        if not self:
            parts += [_folded(f"Hint {level}", hint) for level, hint in enumerate(self.hints, 1)]
        parts.append(f'<p class="foot">{_text(self.name)}: {_text(self._counted())}</p>')
        kind = self.status.replace(" ", "-")
        style = f"<style>{STYLE.read_text(encoding='utf-8')}</style>"
        return f'{style}<div class="ms-verdict {kind}" role="status">{"".join(parts)}</div>'


def _text(text):
    code = r"<code>\1</code>"
    return re.sub(r"`([^`]+)`", code, html.escape(text)).replace("\n", "<br>")


def _rows(rows):
    """Label and text side by side: a grid, since notebooks have their own ideas of tables."""
    cells = "".join(f"<div>{_text(a)}</div><pre>{html.escape(b)}</pre>" for a, b in rows)
    return f'<div class="rows">{cells}</div>'


def _folded(title, text):
    return f"<details><summary>{_text(title)}</summary><pre>{html.escape(text)}</pre></details>"
