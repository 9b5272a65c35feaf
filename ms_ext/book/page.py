"""How does an executed chapter become one HTML file that opens from disk: no network, no kernel?

The learner's text of each cell stands beside what the author's solution gave, so the page never
shows a solution. Style and script are the two files next to this one, written into the page.
"""

import functools
import html
import re
from pathlib import Path
from string import Template

from . import languages, learner, source
from .outputs import shown

HERE = Path(__file__).parent
LABELS = ("predict", "raises-exception")


def write_page(chapter, executed, path):
    """Write the page of a chapter; its path."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(render(chapter, executed), encoding="utf-8")
    return path


def render(chapter, executed):
    """The page as text. ``executed`` is the chapter's notebook with its outputs."""
    contents = Contents()
    say = functools.partial(languages.text, chapter.language)
    both = zip(chapter.cells, executed.cells, strict=True)
    body = [_cell(cell, ran, contents, say) for cell, ran in both]
    seconds = executed.metadata["ms_ext"].get("seconds", "?")
    template = Template((HERE / "page.html").read_text(encoding="utf-8"))
    return template.substitute(
        title=html.escape(chapter.title),
        style=(HERE / "page.css").read_text(encoding="utf-8") + code_style(),
        script=(HERE / "page.js").read_text(encoding="utf-8"),
        contents=contents.html(),
        body="\n".join(body),
        language=languages.code(chapter.language),
        made=made(chapter, seconds),
        **{
            f"say_{key}": say(key.replace("_", " "))
            for key in ("contents", "theme", "switch_theme")
        },
    )


def made(chapter, seconds):
    """How a page came about, and how its reader opens a copy to change, as HTML."""
    return languages.text(chapter.language, "made").format(
        seconds=seconds,
        copy=html.escape(f"work/{learner.copy_name(chapter.name, chapter.language)}"),
        command=html.escape(_command(chapter)),
    )


def _command(chapter):
    """What a reader types to open the chapter."""
    wish = "" if chapter.language == source.ENGLISH else f"MS_EXT_LANGUAGE={chapter.language} "
    return f"{wish}./lab {chapter.name.partition('_')[0]}"


def _cell(cell, ran, contents, say):
    if cell.kind == "markdown":
        return f'<div class="prose">{markdown(cell.text, contents)}</div>'
    labels = [say(tag) for tag in cell.tags if tag in LABELS]
    if source.has_solution(cell.text):
        labels.append(say("yours"))
    label = f'<p class="label">{html.escape(labels[0])}</p>' if labels else ""
    kind = " ".join(["cell", *cell.tags, *(["yours"] if source.has_solution(cell.text) else [])])
    code = highlighted(source.without_solution(cell.text))
    trace = say("traceback")
    outputs = "\n".join(filter(None, (shown(each, trace) for each in ran.get("outputs", ()))))
    results = f'<div class="outputs">{outputs}</div>' if outputs else ""
    return f'<section class="{kind}">{label}<pre class="code">{code}</pre>{results}</section>'


class Contents:
    """The table of contents, filled while headings are written."""

    def __init__(self):
        self.entries = []

    def add(self, text, level):
        """Note a heading; the id to link to."""
        plain = re.sub(r"<[^>]+>", "", text)
        name = re.sub(r"\W+", "-", html.unescape(plain).lower()).strip("-") or "part"
        taken = {entry[0] for entry in self.entries}
        while name in taken:
            name += "-more"
        self.entries.append((name, text, level))
        return name

    def html(self):
        """The list, second and third level."""
        rows = [
            f'<li class="level{level}"><a href="#{name}">{text}</a></li>'
            for name, text, level in self.entries
            if level in (2, 3)
        ]
        return f"<ol>{''.join(rows)}</ol>"


def markdown(text, contents):
    """Prose as HTML; its headings go into ``contents``."""
    import mistune

    class Renderer(mistune.HTMLRenderer):
        def heading(self, text, level, **attrs):
            return f'<h{level} id="{contents.add(text, level)}">{text}</h{level}>\n'

        def block_code(self, code, info=None):
            shown = highlighted(code) if info == "python" else html.escape(code)
            return f'<pre class="code">{shown}</pre>\n'

    return mistune.create_markdown(renderer=Renderer(escape=False), plugins=["table"])(text)


def highlighted(code):
    """Python with a class on every token."""
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    return highlight(code.strip("\n"), PythonLexer(), HtmlFormatter(nowrap=True)).rstrip("\n")


def code_style():
    """The colours of code, for a light and for a dark page."""
    from pygments.formatters import HtmlFormatter

    def rules(style, scope):
        lines = HtmlFormatter(style=style).get_style_defs(f"{scope} .code").split("\n")
        return [line for line in lines if re.match(re.escape(f"{scope} .code ."), line)]

    light = rules("default", "[data-jp-theme-light=true]")
    return "\n".join([*light, *rules("github-dark", "[data-jp-theme-light=false]")])
