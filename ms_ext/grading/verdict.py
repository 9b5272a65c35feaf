"""What does a check say? Status, the smallest failing case, what it means, what to do next.

Plain data with two faces: text for a terminal, HTML for a notebook or a page.
"""

import html
from dataclasses import asdict, dataclass, field

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
        return cls(**{**data, "hints": tuple(data["hints"])})

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
        parts += [_table(self.witness.rows())] if self.witness else []
        parts += [f"<p><b>Next:</b> {_text(self.next)}</p>"] if self.next else []
        parts += [_folded("What your code printed", self.printed)] if self.printed else []
        if not self:
            parts += [_folded(f"Hint {level}", hint) for level, hint in enumerate(self.hints, 1)]
        parts.append(f'<p class="foot">{_text(self.name)}: {_text(self._counted())}</p>')
        kind = self.status.replace(" ", "-")
        return f'<style>{STYLE}</style><div class="ms-verdict {kind}" role="status">{"".join(parts)}</div>'


def _text(text):
    return html.escape(text).replace("\n", "<br>")


def _table(rows):
    cells = "".join(f"<tr><th>{_text(a)}</th><td><pre>{html.escape(b)}</pre></td></tr>" for a, b in rows)
    return f"<table>{cells}</table>"


def _folded(title, text):
    return f"<details><summary>{_text(title)}</summary><pre>{html.escape(text)}</pre></details>"


# JupyterLab's own colours where there are any; the page sets the same attribute as Lab.
STYLE = """
.ms-verdict { --mark: #8a8a8a; --soft: #f6f6f6; --ink: #1f2328; color: var(--ink); background: var(--soft);
  border-left: 5px solid var(--mark); border-radius: 6px; padding: .6rem 1rem; max-width: 50rem;
  font: 14px/1.5 system-ui, "DejaVu Sans", sans-serif; }
.ms-verdict.passed { --mark: #0072b2; --soft: #eaf4fb; }
.ms-verdict.failed { --mark: #d55e00; --soft: #fdf1ea; }
[data-jp-theme-light="false"] .ms-verdict { --ink: #e6edf3; --soft: #1c2128; }
[data-jp-theme-light="false"] .ms-verdict.passed { --mark: #56b4e9; --soft: #0d2230; }
[data-jp-theme-light="false"] .ms-verdict.failed { --mark: #f28e4e; --soft: #2b1a10; }
.ms-verdict p { margin: .3rem 0; }
.ms-verdict .head { font-weight: 600; font-size: 1.1em; }
.ms-verdict .detail { white-space: pre-wrap; }
.ms-verdict .foot { opacity: .75; font-size: .85em; }
.ms-verdict table { border-collapse: collapse; margin: .4rem 0; width: auto; }
.ms-verdict th, .ms-verdict td { text-align: left; vertical-align: top; padding: .15rem .9rem .15rem 0; background: none; border: 0; color: inherit; }
.ms-verdict th { font-weight: 500; opacity: .8; white-space: nowrap; }
.ms-verdict pre { margin: 0; padding: 0; background: none; color: inherit; white-space: pre-wrap;
  font: .92em/1.45 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.ms-verdict summary { cursor: pointer; }
"""
