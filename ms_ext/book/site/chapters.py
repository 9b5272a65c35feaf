"""How does a chapter come to the site? The learner's cells, and what the solved ones gave.

Each chapter is a notebook that Sphinx shows without running it; in each of its languages.
"""

import functools
import json
import re

from ms_ext.engine import errors

from .. import languages, learner, links, page, source
from ..outputs import richest, shown
from .markdown import raw
from .pages import Page

TAGS = ("predict", "raises-exception")


def name_of(name, language=source.ENGLISH):
    """The page of a chapter.

    >>> name_of("00_tour", "zh")
    'chapters/00_tour.zh'
    """
    return f"chapters/{learner.copy_name(name, language)}".removesuffix(".ipynb")


def pages(name, ran):
    """The pages of a chapter, English first; ``ran``: its notebook as it was run."""
    spoken, found = source.languages(name), outputs(ran)
    seconds = ran["metadata"]["ms_ext"].get("seconds", "?")
    return [_page(source.read(name, each), found, seconds, spoken) for each in spoken]


def _page(chapter, found, seconds, spoken):
    shown = notebook(chapter, found, chapter.name)
    cells = shown["cells"]
    others = [each for each in spoken if each != chapter.language]
    if others:
        _after_heading(cells, _prose(_also_in(chapter, others)))
    cells.append(_prose(raw(f'<p class="made">{page.made(chapter, seconds)}</p>')))
    text = as_text(shown)
    _no_solution(chapter, text)
    title = f"{chapter.name.partition('_')[0]} {chapter.title}"
    where = name_of(chapter.name, chapter.language)
    return Page(where, title, text, languages.code(chapter.language), ".ipynb")


def outputs(ran):
    """For each code cell of a notebook that was run, its outputs in the forms that a page shows."""
    code = [cell for cell in ran["cells"] if cell["cell_type"] == "code"]
    return [[each for each in map(_plain, cell["outputs"]) if each] for cell in code]


def notebook(chapter, found, folder):
    """The learner's notebook (plain data) with these outputs; its links lead from book/folder."""
    say = functools.partial(languages.text, chapter.language)
    made, results, cells = learner.notebook(chapter), iter(found), []
    for cell, ours in zip(made["cells"], chapter.cells, strict=True):
        if ours.kind == "markdown":
            cells.append(_prose(links.on_the_site(ours.text, folder)))
        else:
            cells += _code(cell, ours, next(results), say)
    return {**made, "cells": cells}


def as_text(made):
    """A notebook as its file's text, the cells numbered."""
    cells = [{**cell, "id": f"cell-{at:03d}"} for at, cell in enumerate(made["cells"])]
    return json.dumps({**made, "cells": cells}, ensure_ascii=False, indent=1)


def _prose(text):
    return {"cell_type": "markdown", "metadata": {}, "source": text}


def _code(cell, ours, outputs, say):
    """A code cell with its outputs; what a reader should know of it stands in front."""
    yours = source.has_solution(ours.text)
    labels = [say(tag) for tag in ours.tags if tag in TAGS] + [say("yours")] * yours
    if labels:
        yield _prose(raw(f'<p class="label">{labels[0]}</p>'))
    tags = [*ours.tags, *["yours"] * yours]
    about = {"tags": tags, "mystnb": {"image": {"alt": _alternative(outputs, ours.text)}}}
    made = [_folded(each, say("traceback")) for each in outputs]
    yield {**cell, "metadata": about, "outputs": made}


def _also_in(chapter, others):
    shown = [
        f"{{doc}}`{languages.text(each, 'language')} </{name_of(chapter.name, each)}>`"
        for each in others
    ]
    return f"[{' · '.join(shown)}]{{.languages}}"


def _after_heading(cells, line):
    """Put a cell right behind the first heading."""
    title, _, rest = cells[0]["source"].partition("\n")
    cells[:1] = [_prose(title), line, *([_prose(rest.strip())] if rest.strip() else [])]


# outputs ------------------------------------------------------------------------------------------


def _plain(output):
    """An output in the one form that a page shows; the rest of it needs a kernel, or is twice."""
    if output["output_type"] not in ("display_data", "execute_result"):
        return output
    mime = richest(output["data"])
    if mime is None:
        return None
    text = output["data"][mime]
    text = _figure("".join(text)) if mime == "image/svg+xml" else text
    return {"output_type": "display_data", "metadata": {}, "data": {mime: text}}


def _figure(svg):
    """A figure without the date and the name of the program that drew it."""
    return re.sub(r"\s*<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)


def _folded(output, label):
    """An error in short, its traceback on request; anything else as it is."""
    if output["output_type"] != "error":
        return output
    html = f'<div class="ran">{shown(output, label)}</div>'
    return {"output_type": "display_data", "metadata": {}, "data": {"text/html": html}}


def _alternative(outputs, text):
    """Words for a figure: the texts that are written in it, or the line that drew it."""
    svg = "".join("".join(each.get("data", {}).get("image/svg+xml", "")) for each in outputs)
    words = [word.strip() for word in re.findall(r"<!-- (.*?) -->", svg)]
    words = [word for word in dict.fromkeys(words) if re.search("[^\\W\\d]{2}", word)]
    last = text.strip().split("\n")[-1].strip().rstrip(";")
    if not words:
        return f"Figure: what {last} drew"
    return f"Figure, drawn by {last}; written in it: {', '.join(words)[:300]}"


# the proof ----------------------------------------------------------------------------------------


def _no_solution(chapter, text):
    """Stop the build if a line of a solution is in the page, however it came there."""
    for cell in chapter.cells:
        for line in source.solution_lines(cell.text):
            if len(line) > source.SHORTEST and json.dumps(line, ensure_ascii=False)[1:-1] in text:
                raise errors.NotRunnable(
                    f"The page of {chapter.name} would show a line of a solution: {line}",
                    given=f"the cell at line {cell.line} of book/{chapter.name}/chapter.md",
                    hint="An output shows it: a traceback, a listing of the code, a print.",
                )
