"""Which errors are there, what do they say, and what is to be done? A page per class.

The examples are the mistakes whose texts the tests hold (tests/mistakes.py), made again now. The
table below them is read from the source: every place in ms_ext that raises the class.
"""

import ast
import inspect
import re
import runpy

from ms_ext.engine import errors
from ms_ext.viz import markup
from ms_ext.viz.markup import tag

from .. import source
from .markdown import code, fence, plain, raw, table, target, words
from .pages import Page

MISTAKES = source.ROOT / "tests" / "mistakes.py"
PACKAGE = source.ROOT / "ms_ext"
HEAD = """# Errors

Every error of ms_ext says three things: **what happened**, **what was given**, and **what to do**.
In compiled code it also points at your line. Each class derives from the exception of Python that
MindSpore raises in that place, so `except ValueError` works here too.

```text
{shown}
```

"""


def pages():
    """The list of the classes, then a page for each."""
    places = raised()
    examples = list(_examples())
    made = []
    for name in sorted(set(errors.__all__) & set(places)):
        mine = [each for each in examples if type(each.error).__name__ == name]
        made.append(_page(getattr(errors, name), mine, places[name]))
    rows = [
        (f"[{page.title}](#{_anchor(page.title)})", _parents(page.title), _doc(page.title))
        for page in made
    ]
    shown = HEAD.format(shown=examples[0].text)
    text = shown + table(("error", "is also", "when"), rows)
    return [Page("errors/index", "Errors", text), *made]


def _anchor(name):
    return f"error-{name.lower()}"


def _doc(name):
    return words(inspect.getdoc(getattr(errors, name)).split("\n")[0])


def _parents(name):
    kinds = [kind.__name__ for kind in getattr(errors, name).__mro__[1:]]
    plain_ones = {"MsExtError", "Exception", "BaseException", "object", "MsExtWarning", "Warning"}
    return ", ".join(code(kind) for kind in kinds if kind not in plain_ones) or code(kinds[0])


def _page(kind, examples, places):
    name = kind.__name__
    parts = [target(_anchor(name), name, level=1), words(inspect.getdoc(kind).split(chr(10))[0])]
    parts.append(f"`except {name}` catches it. What it is as well: {_parents(name)}.")
    if examples:
        parts += ["## Mistakes that lead to it", f"Here {given()}."]
        for each in examples:
            title = each.title[:1].upper() + each.title[1:]
            parts += [f"### {plain(title)}", fence("python", each.program)]
            shown = tag("div", tag("pre", markup.text(each.text)), class_="error")
            parts.append(raw(tag("div", shown, class_="ran")))
    parts += ["## Every message", GAPS, _table(places)]
    return Page(f"errors/{name.lower()}", name, "\n\n".join(parts))


GAPS = "All that ms_ext says with it. ‹…› stands for what is known only when it happens."


def _table(places):
    rows = [(plain(each.message), plain(each.hint), code(each.file)) for each in places]
    return table(("what happened", "what to do", "raised in"), rows)


# the mistakes, made again -------------------------------------------------------------------------


class Example:
    """A mistake: its title, the program, and the error that it gets."""

    def __init__(self, title, program, error):
        self.title, self.program, self.error = title, program, error

    @property
    def text(self):
        """The error as it is printed; its line is counted in the program that is shown."""
        found = re.sub(r"\(?[^\s(]*mistakes\.py:\d+\)?", "in your line:", str(self.error))
        return f"{type(self.error).__name__}: {found}"


def _examples():
    known = runpy.run_path(str(MISTAKES))
    programs = _programs()
    for title, make in known["MISTAKES"].items():
        try:
            make()
        except errors.MsExtError as error:
            yield Example(title, programs[title], error)


def given():
    """The values that the mistakes are made with, as Markdown.

    >>> given()
    '`X = Tensor([1.0, 2.0])` and `S = Tensor(2.0)`'
    """
    tree = ast.parse(MISTAKES.read_text(encoding="utf-8"))
    lines = [node for node in tree.body if isinstance(node, ast.Assign)]
    short = [ast.unparse(node) for node in lines if len(node.targets[0].id) == 1]
    return " and ".join(map(code, short))


def _programs():
    """Title -> what a learner would have written, from the text of tests/mistakes.py."""
    text = MISTAKES.read_text(encoding="utf-8")
    tree = ast.parse(text)
    functions = {n.name: n for n in tree.body if isinstance(n, ast.FunctionDef)}
    (listed,) = [
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "MISTAKES"
    ]
    pairs = zip(listed.keys, listed.values, strict=True)
    return {key.value: _program(value, functions, text) for key, value in pairs}


def _program(value, functions, text):
    """``on(f, X)`` is the function and its compiled call; a lambda is what it returns."""
    if isinstance(value, ast.Name):
        return f"{ast.get_source_segment(text, functions[value.id])}\n\n\n{value.id}()"
    if isinstance(value, ast.Lambda):
        return ast.get_source_segment(text, value.body)
    name, *arguments = [ast.get_source_segment(text, each) for each in value.args]
    options = [ast.get_source_segment(text, each) for each in value.keywords]
    compiled = f"ms.jit({', '.join([name, *options])})({', '.join(arguments)})"
    function = ast.get_source_segment(text, functions[name]) if name in functions else ""
    return f"{function}\n\n\n{compiled}".strip()


# every message ------------------------------------------------------------------------------------


class Place:
    """A line that raises: the message and the hint with their gaps marked."""

    def __init__(self, message, hint, file):
        self.message, self.hint, self.file = message, hint, file

    def __bool__(self):
        return self.message != "‹…›"  # else all of it comes from somewhere else


def raised():
    """Class name -> the Places that raise it, in the order of files and lines.

    >>> any("Unsupported statement" in each.message for each in raised()["InvalidSyntax"])
    True
    """
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and (name := _error_name(node.func)):
                found.setdefault(name, []).append(_place(node, path))
    return {
        name: list({(each.message, each.hint): each for each in places if each}.values())
        for name, places in found.items()
    }


def _error_name(function):
    name = getattr(function, "attr", None) or getattr(function, "id", "")
    return name if name in errors.__all__ and name[:1].isupper() else None


def _place(node, path):
    message = _template(node.args[0]) if node.args else "‹…›"
    hint = next((_template(each.value) for each in node.keywords if each.arg == "hint"), "")
    return Place(message, hint, path.relative_to(source.ROOT).as_posix())


def _template(node):
    """A string with ‹…› where a value comes in."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(_template(each) for each in node.values)
    if isinstance(node, ast.FormattedValue):
        name = node.value.attr if isinstance(node.value, ast.Attribute) else None
        name = name or getattr(node.value, "id", None)
        return f"‹{name.strip('_').replace('_', ' ')}›" if name else "‹…›"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _template(node.left) + _template(node.right)
    if isinstance(node, ast.Call) and _is(node.func, "did_you_mean"):
        return "Did you mean ‹the nearest name›?"
    return "‹…›"


def _is(function, name):
    return name in (getattr(function, "attr", None), getattr(function, "id", None))
