"""What helps without giving the answer away? Three levels, each only when it is asked for."""

import html
import re
import sys
from typing import NamedTuple

from ms_ext.engine import errors
from ms_ext.grading import exercise as exercises
from ms_ext.grading import verdict_html
from ms_ext.grading.notebook import telling
from ms_ext.grading.verdict_text import LEVELS

MIME = "application/vnd.ms-ext.hint+json"
_FENCED = re.compile(r"^```\w*\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Hint(NamedTuple):
    """One hint. A saved notebook keeps which was shown, so that a teacher can see what helped."""

    name: str
    level: int
    text: str

    @property
    def title(self):
        """Which hint it is, in words."""
        return f"Hint {self.level} of {len(LEVELS)} for {self.name}: {LEVELS[self.level]}"

    def __repr__(self):
        lines = re.sub(r"^```.*\n?", "", self.text, flags=re.MULTILINE).strip("\n").splitlines()
        return "\n".join([self.title, *(f"  {line}".rstrip() for line in lines)])

    def _repr_html_(self):
        parts = _FENCED.split(self.text)  # prose, code, prose, ...
        shown = [
            f"<pre>{html.escape(part.rstrip())}</pre>" if at % 2 else _prose(part)
            for at, part in enumerate(parts)
        ]
        more = [level for level in LEVELS if level > self.level]
        after = f'<p class="asking">{verdict_html.inline(_further(self.name, more))}</p>'
        head = f'<p class="head"><b>{html.escape(self.title)}</b></p>'
        return verdict_html.boxed("".join([head, *shown, after if more else ""]), "hint")

    def _repr_mimebundle_(self, include=None, exclude=None):
        said = {"name": self.name, "level": self.level}
        return {"text/html": self._repr_html_(), "text/plain": repr(self), MIME: said}


def hint(name, level=1):
    """A hint for an exercise: 1 a nudge, 2 the method, 3 a worked sibling; any of them at once.

    A notebook and Python's prompt show it; in a script it is printed.
    """
    if level not in LEVELS:
        listed = ", ".join(f"{number}: {what}" for number, what in LEVELS.items())
        raise errors.InvalidValue(
            "There are three hints.", given=f"level {level!r}", hint=f"Ask for one of {listed}."
        )
    exercise = exercises.load(name)
    name = exercise.name or name
    if len(exercise.hints) < level:
        raise errors.InvalidValue(f"Exercise {name} has no hint {level}.")
    return telling.told(Hint(name, int(level), exercise.hints[level - 1]), sys._getframe(1))


def _prose(text):
    paragraphs = [part.strip("\n") for part in text.split("\n\n") if part.strip()]
    return "".join(f'<p class="detail">{verdict_html.inline(part)}</p>' for part in paragraphs)


def _further(name, levels):
    return "; ".join(f'`ms.hint("{name}", {level})`: {LEVELS[level]}' for level in levels)
