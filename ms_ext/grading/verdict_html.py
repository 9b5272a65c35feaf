"""How does a verdict look in a notebook or on a page? Without script, in light and in dark."""

import functools
import html as escaping
import re
from pathlib import Path

from . import verdict_text as words
from .verdict import MARKS, WORDS

STYLE = Path(__file__).with_name("verdict.css")


def html(verdict):
    """The whole verdict as one element with its style."""
    parts = [_head(verdict), f'<p class="headline">{inline(verdict.headline)}</p>']
    parts += [f'<p class="detail">{inline(verdict.detail)}</p>'] if verdict.detail else []
    parts += [_checks(verdict.checks)] if verdict.checks else []
    parts += [_rows(verdict.witness.rows())] if verdict.witness else []
    parts += [_picture(verdict.picture)] if verdict.picture else []
    parts += [_next(verdict)] if verdict.next else []
    parts += [_asking(verdict.name)] if verdict.status != "passed" else []
    printed = words.printed(verdict.printed)
    parts += [folded("What your code printed", printed)] if printed else []
    parts += [
        f'<p class="warning"><b>! Warning:</b> {inline(each)}</p>' for each in verdict.warnings
    ]
    parts.append(f'<p class="foot">{inline(words.foot(verdict))}</p>')
    return boxed("".join(parts), verdict.status.replace(" ", "-"))


def boxed(inner, kind):
    """An element in the look of a verdict, with its style."""
    return f'<style>{style()}</style><div class="ms-verdict {kind}" role="status">{inner}</div>'


@functools.cache
def style():
    """The style sheet.

    >>> ".ms-verdict" in style()
    True
    """
    return STYLE.read_text(encoding="utf-8")


def inline(text):
    """Text as HTML: `code` between backticks, line breaks kept.

    >>> inline("return `a < b`")
    'return <code>a &lt; b</code>'
    """
    code = r"<code>\1</code>"
    return re.sub(r"`([^`]+)`", code, escaping.escape(text)).replace("\n", "<br>")


def folded(title, text):
    """Something that opens on request."""
    body = f"<pre>{escaping.escape(text)}</pre>"
    return f"<details><summary>{inline(title)}</summary>{body}</details>"


def _head(verdict):
    mark = f'<span class="mark" aria-hidden="true">{MARKS[verdict.status]}</span>'
    earned = (
        f'<span class="points">{words.points(verdict.points, verdict.of)}</span>'
        if verdict.of
        else ""
    )
    name = f"<code>{escaping.escape(verdict.name)}</code>"
    return f'<p class="head">{mark} <b>{WORDS[verdict.status]}</b> {name} {earned}</p>'


def _checks(checks):
    return f'<ul class="checks">{"".join(map(_check, checks))}</ul>'


def _check(check):
    kind = check.status.replace(" ", "-")
    mark = f'<span class="mark" title="{check.status}">{MARKS[check.status]}</span>'
    counted = f"<span>{words.cases(check)}</span>"
    earned = f"<span>{words.points(check.points, check.of)}</span>"
    title = f'<span class="title">{inline(words.title(check))}</span>'
    return f'<li class="{kind}">{mark} {title} {counted} {earned}</li>'


def _rows(rows):
    """Label and text side by side: a grid, since notebooks have their own ideas of tables."""
    cells = "".join(f"<div>{inline(a)}</div><pre>{escaping.escape(b)}</pre>" for a, b in rows)
    return f'<div class="rows">{cells}</div>'


def _picture(picture):
    name = escaping.escape(picture.sentence)
    if not picture.svg:
        return f"<p>{name}</p>"
    drawn = (
        f'<div class="picture" tabindex="0" role="group" aria-label="{name}">{picture.svg}</div>'
    )
    return drawn + folded("The picture in words", picture.text)


def _next(verdict):
    """What to do; below a picture, which may push the head off the screen, the status again."""
    status = f"<b>{MARKS[verdict.status]} {WORDS[verdict.status]}.</b> " if verdict.picture else ""
    return f'<p class="next">{status}<b>Next:</b> {inline(verdict.next)}</p>'


def _asking(name):
    return f'<p class="asking">Hints: {inline(_quoted(words.asking(name)))}</p>'


def _quoted(asking):
    call, _, rest = asking.partition(":")
    return f"`{call}`:{rest}"
