"""Which keys do the pictures know? Read from where each picture lists them, never typed again."""

import ast
import re
from pathlib import Path

from ms_ext import viz
from ms_ext.engine import errors

from .markdown import code, plain, table, target
from .pages import Page

HERE = Path(viz.__file__).parent
HEAD = """A picture listens once it is chosen: click it, or reach it with Tab. There is a button for
what a key does, so keyboard or mouse alone is enough."""
#: A pair in the panel's list, perhaps behind the condition under which it is shown.
_PAIR = re.compile(r"""\["([^"]+)", (?:"([^"]+)"|`([^`]+)`)\]""")
#: What the panel's script puts in for a word that depends on the panel.
_WORDS = {"${what}": "changed node (of a graph without passes: node)"}


def page():
    """The page."""
    parts = [target("keyboard", "Every key", level=1), HEAD]
    for title, rows in lists().items():
        shown = [(_keys(keys), plain(what)) for keys, what in rows]
        parts += [f"## {title}", table(("key", "what it does"), shown)]
    return Page("keyboard", "Every key", "\n\n".join(parts))


def _keys(keys):
    return " ".join(code(each) for each in keys.split())


def lists():
    """Title of a picture -> its (keys, words).

    >>> ("Esc", "let go") in lists()["The pass panel and the graph"]
    True
    """
    return {
        "The pass panel and the graph": _of_panel(),
        "The timeline": _of_table("timing/page.py"),
        "Views with steps": _of_line("widgets/stepping.py"),
        "The matcher": _of_line("widgets/matcher_page.py"),
    }


def _of_panel():
    text = (HERE / "assets" / "controls.js").read_text(encoding="utf-8")
    inside = text.partition("const listed = [")[2].partition("].filter(")[0]
    rows = [(keys, words or template) for keys, words, template in _PAIR.findall(inside)]
    for gap, word in _WORDS.items():
        rows = [(keys, words.replace(gap, word)) for keys, words in rows]
    return rows or _lost("assets/controls.js")


def _of_table(name):
    """A module's tuple of pairs called KEYS."""
    for node in _tree(name).body:
        if isinstance(node, ast.Assign) and node.targets[0].id.strip("_") == "KEYS":
            return list(ast.literal_eval(node.value))
    return _lost(name)


def _of_line(name):
    """The keys that a module writes as ``keys = tag("span", tag("kbd", "←"), " step, ", ...)``."""
    for node in ast.walk(_tree(name)):
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "keys":
            return list(_pairs(node.value.args[1:]))
    return _lost(name)


def _pairs(parts):
    keys = []
    for part in parts:
        if isinstance(part, ast.Call):
            keys.append(part.args[1].value)
        elif words := part.value.strip(" ,"):
            yield " ".join(keys), words
            keys = []


def _tree(name):
    return ast.parse((HERE / name).read_text(encoding="utf-8"))


def _lost(name):
    raise errors.NotRunnable(
        f"ms_ext/viz/{name} does not list its keys where the book looks for them.",
        hint="Tell ms_ext/book/site/keyboard.py where they are now.",
    )
