"""What do the public functions and classes say of themselves? Signature, words and examples."""

import importlib
import inspect
import re

from ms_ext.engine import errors
from ms_ext.engine.primitive import Op

from . import docstrings
from .markdown import code, fence, plain, table, target
from .operators import anchor
from .pages import Page

#: Page -> what it shows: a module's public names, or some names of one.
SHOWN = {
    "ms": ("ms_ext", ("Tensor", "Parameter", "jit", "grad", "value_and_grad", "check", "hint")),
    "nn": ("ms_ext.nn", None),
    "graph": ("ms_ext.graph", None),
    "viz": ("ms_ext.viz", None),
    "runtime": ("ms_ext.runtime", None),
}
SHORT = {"ms": "ms", "nn": "ms.nn", "graph": "ms.graph", "viz": "ms.viz", "runtime": "ms.runtime"}


def pages():
    """One page per public module; the first lists them."""
    made = [_page(name, *shown) for name, shown in SHOWN.items()]
    rows = [
        (f"[{page.title}](#module-{name})", docstrings.summary(_doc_of(SHOWN[name][0])))
        for name, page in zip(SHOWN, made, strict=True)
    ]
    rows.append(("[ms.ops and ms.mint](/ops/index.md)", "Every op, under all its names."))
    text = f"# Modules\n\n{table(('module', 'what it answers'), rows)}"
    return [Page("reference/index", "Modules", text), *made]


def _doc_of(module):
    """A module's words, without its name in front."""
    doc = re.sub(r"^`*[\w.]+`*: ", "", importlib.import_module(module).__doc__)
    return doc[:1].upper() + doc[1:]


def _page(page, module, names):
    found = importlib.import_module(module)
    parts = [target(f"module-{page}", SHORT[page], level=1)]
    parts.append(docstrings.as_markdown(_doc_of(module)))
    for name in names or found.__all__:
        parts += _entry(page, name, getattr(found, name))
    return Page(f"reference/{page}", SHORT[page], "\n\n".join(filter(None, parts)))


def _entry(page, name, value):
    if isinstance(value, Op):
        yield f"## {plain(name)}\n\nThe op [{value.name}](#{anchor(value)})."
        return
    doc = inspect.getdoc(value) if _is_documented(value) else None
    if doc is None:
        raise errors.InvalidValue(
            f"{SHORT[page]}.{name} has no docstring, so the book cannot show it.",
            hint="Write what it answers, and an example.",
        )
    kind = "class-" if inspect.isclass(value) else ""
    yield target(f"{page}-{kind}{name.lower().replace('_', '-')}", plain(name))
    yield fence("python", _call(page, name, value))
    yield docstrings.as_markdown(doc)
    if inspect.isclass(value):
        yield from _members(value)


def _is_documented(value):
    """Not what a plain value (a dictionary, a tuple) says of its type."""
    return inspect.isclass(value) or callable(value) or inspect.ismodule(value)


def _call(page, name, value):
    """The line that calls it, in one line or one line per parameter."""
    short = f"{SHORT[page]}.{name}"
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return short
    text = re.sub(r"<[^<>]*>", "...", str(signature.replace(return_annotation=inspect._empty)))
    if len(short) + len(text) <= 88:
        return short + text
    inner = ",\n    ".join(map(str, signature.parameters.values()))
    return f"{short}(\n    {inner},\n)"


def _members(value):
    """A class's own public methods and properties that have words of their own."""
    rows = []
    for name, member in vars(value).items():
        doc = inspect.getdoc(member)
        if name.startswith("_") or not doc or not _is_member(member):
            continue
        call = name if isinstance(member, property) else f"{name}{_arguments(member)}"
        rows.append((code(call), docstrings.summary(doc)))
    if rows:
        yield table(("member", "what it gives"), rows)


def _is_member(member):
    kinds = (property, classmethod, staticmethod)
    return inspect.isfunction(member) or isinstance(member, kinds)


def _arguments(member):
    function = getattr(member, "__func__", member)
    parameters = list(inspect.signature(function).parameters.values())
    shown = parameters if isinstance(member, staticmethod) else parameters[1:]
    return f"({', '.join(re.sub('<[^<>]*>', '...', str(each)) for each in shown)})"
