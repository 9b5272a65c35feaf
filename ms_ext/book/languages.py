"""Which language does a learner read, what do pages say in it, and do two languages say the same?

``MS_EXT_LANGUAGE=zh ./lab`` writes and opens the Simplified Chinese copy of each chapter that has
one. A further language is a row of ``TEXTS`` and prose cells in chapter.md.
"""

import itertools
import os
import re
from typing import NamedTuple

from ms_ext.engine import errors

from .source import ENGLISH, languages

#: What pages say around a chapter's own text, by language.
TEXTS = {
    "en": {
        "language": "English",
        "contents": "Contents",
        "theme": "light / dark",
        "switch theme": "Switch between light and dark",
        "predict": "Predict",
        "raises-exception": "This cell fails on purpose",
        "yours": "Yours to write: below is what a finished one gives",
        "traceback": "the whole traceback",
        "made": "This page was made by running the chapter from top to bottom in {seconds} s. "
        "Your own copy, to change and to run, is <code>{copy}</code>: <code>{command}</code> "
        "opens it.",
    },
    "zh": {
        "language": "简体中文",
        "contents": "目录",
        "theme": "浅色 / 深色",
        "switch theme": "切换浅色与深色",
        "predict": "先猜一猜",
        "raises-exception": "这个单元格会故意出错",
        "yours": "由你来写：下面是写完之后的结果",
        "traceback": "完整的回溯",
        "made": "本页由整章从头到尾运行一遍生成，用时 {seconds} 秒。供你修改和运行的副本是 "
        "<code>{copy}</code>，用 <code>{command}</code> 打开。",
    },
}


def text(language, key):
    """What a page says for ``key`` in a language.

    >>> text("zh", "contents")
    '目录'
    """
    return TEXTS[language][key]


def chosen():
    """The language that MS_EXT_LANGUAGE asks for; English where it asks for nothing.

    >>> chosen() in TEXTS
    True
    """
    asked = os.environ.get("MS_EXT_LANGUAGE") or ENGLISH
    if asked not in TEXTS:
        raise errors.InvalidValue(
            f"MS_EXT_LANGUAGE is {asked!r}.", hint=f"It may be one of: {', '.join(TEXTS)}."
        )
    return asked


def best(chapter):
    """The chosen language if the chapter has it, English otherwise; ``chapter`` as ``languages``.

    >>> best("tour") in TEXTS
    True
    """
    asked = chosen()
    return asked if asked in languages(chapter) else ENGLISH


def code(language):
    """What HTML calls a language.

    >>> code("zh")
    'zh-Hans'
    """
    return {"zh": "zh-Hans"}.get(language, language)


# parity -----------------------------------------------------------------------------------------


class Difference(NamedTuple):
    """Where two languages part: the index of a cell, and what is wrong with it."""

    at: int
    what: str


def differences(chapter):
    """Where the languages of a chapter (as written) do not say the same; none if it has only one.

    >>> from ms_ext.book import source
    >>> differences(source.parse('# One\\n\\nTwo.\\n\\n+++ {"lang": "zh"}\\n\\n一。二。'))
    [Difference(at=1, what='zh has the headings [], English has [1]')]
    """
    others = languages(chapter)[1:]
    found = []
    for language in others:
        if language not in TEXTS:
            first = next(at for at, c in enumerate(chapter.cells) if c.language == language)
            found.append(Difference(first, f"{language!r} is no language of the book"))
    for run in _runs(chapter.cells):
        found += [each for language in others for each in _of_run(run, language)]
    return sorted(found)


def _runs(cells):
    """Each English cell of prose with the cells in other languages that follow it."""
    run = []
    for at, cell in enumerate(cells):
        starts = cell.kind == "code" or cell.language == ENGLISH
        if starts and run:
            yield run
        if starts:
            run = []
        if cell.kind == "markdown":
            run.append((at, cell))
    if run:
        yield run


def _of_run(run, language):
    """What is wrong with the cells of one language in a run."""
    (first, english), partners = run[0], [each for each in run if each[1].language == language]
    if english.language != ENGLISH:
        return [Difference(at, f"{language} stands without an English cell") for at, _ in partners]
    if not partners:
        return [Difference(first, f"there is no {language} cell after this English one")]
    if len(partners) > 1:
        return [Difference(partners[1][0], f"a second {language} cell for one English cell")]
    [(at, other)] = partners
    ours, theirs = shape(english.text), shape(other.text)
    return [
        Difference(at, f"{language} has {_told(theirs[key])} {key}, English has {_told(ours[key])}")
        if isinstance(ours[key], int)
        else Difference(at, f"{language} has the {key} {theirs[key]}, English has {ours[key]}")
        for key in ours
        if ours[key] != theirs[key]
    ]


def _told(count):
    return "no" if count == 0 else str(count)


def shape(prose):
    """What must be the same in every language: levels of headings, blocks of code, tables, links.

    >>> shape("# One\\n\\n| a |\\n|---|\\n| [b](c) |")
    {'headings': [1], 'blocks of code': [], 'rows of tables': 3, 'links': ['c']}
    """
    plain, blocks = [], []
    lines = iter(prose.split("\n"))
    for line in lines:
        if fence := re.match(r"\s*(`{3,}|~{3,})", line):
            inside = itertools.takewhile(lambda x, f=fence[1]: not x.strip().startswith(f), lines)
            blocks.append(len(list(inside)))
        else:
            plain.append(line)
    text = "\n".join(plain)
    return {
        "headings": [len(mark) for mark in re.findall(r"^(#+) ", text, re.MULTILINE)],
        "blocks of code": blocks,
        "rows of tables": len(re.findall(r"^\|", text, re.MULTILINE)),
        "links": re.findall(r"\]\(([^)\s]+)\)", text),
    }
