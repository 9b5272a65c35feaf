"""What does each diagnosis code mean, and how does a verdict with it look? A page per code.

The codes of a single exercise stand together on a page of their own.
"""

import re
from dataclasses import replace

from ms_ext.grading import exercise as exercises
from ms_ext.grading.sandbox import Nursery
from ms_ext.grading.verdict_html import html

from .. import codes, source
from . import cached
from .markdown import fence, plain, raw, table, target, words
from .pages import Page

HEAD = """# Diagnosis codes

A check answers with a code: one word that stands in the verdict, in the teacher's table and in the
dashboard. Every verdict on these pages is what the checker said when the book was built.

## For every exercise
"""
_FOOT = re.compile(r'<p class="(?:foot|asking)">.*?</p>', re.DOTALL)


def verdicts():
    """(every code as Shown, seconds it took or None if it was kept)."""
    folder = source.ROOT / "exercises"
    word = cached.checksum(*cached.sources(folder, source.BOOK))

    def make():
        with Nursery() as nursery:
            return [each.data() for each in codes.everything(nursery.child)]

    found, seconds = cached.kept("verdicts", word, make)
    return [codes.Shown.read(each) for each in found], seconds


def pages(found):
    """The list of the codes, a page for each general one, and one for each exercise."""
    general = [each for each in found if not each.exercise]
    names = list(dict.fromkeys(each.exercise for each in found if each.exercise))
    made = [_general(each) for each in general]
    made += [_special(name, [each for each in found if each.exercise == name]) for name in names]
    rows = [
        (f"[{each.code}](#code-{each.code})", words(codes.words(each.code))) for each in general
    ]
    own = [(f"[{name}](#{_anchor(name)})", words(_first(exercises.load(name)))) for name in names]
    text = [HEAD, table(("code", "what it says"), rows), "## Of single exercises", OWN]
    text.append(table(("exercise", "what it asks"), own))
    return [Page("codes/index", "Diagnosis codes", "\n\n".join(text)), *made]


OWN = "Each exercise also knows its own typical mistakes."


def _anchor(name):
    return f"code-{name.replace('.', '-').replace('_', '-')}"


def _first(exercise):
    """The first sentence of what an exercise asks."""
    return re.split(r"(?<=[.:])\s", " ".join(exercise.contract.split()))[0]


def _general(shown):
    parts = [target(f"code-{shown.code}", shown.code, level=1), words(codes.words(shown.code))]
    if shown.verdict is None:
        parts.append(_sentence(codes.ELSEWHERE[shown.code]))
    else:
        parts += [f"An exercise asks: *{plain(shown.contract)}* The answer:"]
        parts += [fence("python", shown.answer), "The verdict:", picture(shown.verdict)]
    return Page(f"codes/{shown.code}", shown.code, "\n\n".join(parts))


def _sentence(text):
    return words(text)


def _special(name, found):
    parts = [target(_anchor(name), plain(name), level=1), words(found[0].contract)]
    for shown in found:
        parts += [f"## {shown.code}", picture(shown.verdict)]
    return Page(f"codes/{name.replace('.', '_')}", name, "\n\n".join(parts))


def picture(verdict):
    """The verdict as a notebook shows it, without its time."""
    shown = _FOOT.sub("", html(replace(verdict, seconds=0.0)))
    return raw(f'<div class="ran">{shown}</div>')
