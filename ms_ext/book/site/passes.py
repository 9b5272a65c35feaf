"""What does each pass do? A page with its equation, its rules, and a graph before and after.

The examples stand in ``pass_examples``; the pictures are what ``viz.passes`` makes of them now.
"""

import inspect
import textwrap

import numpy as np

from ms_ext import Tensor, viz
from ms_ext import dtype as dtypes
from ms_ext.engine import jit, pipeline
from ms_ext.engine.ir import load
from ms_ext.engine.passes import REGISTRY, find

from .. import pass_examples
from .markdown import code, fence, plain, raw, target, words
from .pages import Page

_BY_SHORT = {kind.short: kind for kind in dtypes.DTYPES}
HEAD = """# Passes

A pass rewrites a graph and keeps its meaning. These run, in this order, whenever a function is
compiled: {order}. A pass of your own comes before the last two: `ms.jit(f, passes=[...])`.

Each page shows its pass on a small program. Move from view to view with `b`, `d` and `a`:
[every key](#keyboard).
"""


def pages():
    """The list of the passes that come with ms_ext, then a page for each."""
    names = sorted(REGISTRY.files())
    order = ", ".join(f"[{name}](#pass-{name.replace('_', '-')})" for name in pipeline.DEFAULT)
    found = [f"- [{name}](#{_anchor(name)}): {words(_equation(name))}" for name in names]
    index = Page("passes/index", "Passes", HEAD.format(order=order) + "\n" + "\n".join(found))
    return [index, *map(_page, names)]


def _anchor(name):
    return f"pass-{name.replace('_', '-')}"


def _equation(name):
    return find(name).doc.split("\n")[0]


def _page(name):
    found = find(name)
    first, _, rest = found.doc.partition("\n")
    parts = [
        target(_anchor(name), plain(name), level=1),
        fence("{code-block} text", f":class: equation\n\n{first}"),
    ]
    parts += [words(inspect.cleandoc(rest))] if rest.strip() else []
    parts.append(f"It stands in `ms_ext/engine/passes/{name}.py`. {_place(name)}")
    parts += ["## On a small program", *_shown(name, pass_examples.EXAMPLES[name])]
    if name in pass_examples.NEAR_MISSES:
        parts += ["## A near miss", *_shown(name, pass_examples.NEAR_MISSES[name])]
    if found.rules:
        parts += ["## Its rules", _rules(found.rules)]
    return Page(f"passes/{name}", name, "\n\n".join(parts))


def _place(name):
    if name not in pipeline.DEFAULT:
        return f'It runs where it is asked for: `ms.jit(f, passes=["{name}"])`.'
    return "It runs in every compilation."


def _rules(rules):
    """What is looked for and what takes its place; "..." is computed from what was matched."""
    lines = [f"- {code(f'{each.matcher.pattern}  ->  {each.target}')}" for each in rules]
    computed = any(each.target == "..." for each in rules)
    note = "Where `...` stands, the new node is worked out from what matched."
    return "\n".join(lines) + (f"\n\n{note}" if computed else "")


# an example at work -------------------------------------------------------------------------------


def _shown(name, program):
    """The program, what the pass says, and the panel."""
    if isinstance(program, str):
        yield fence("text", program)
    else:
        yield words(inspect.getdoc(program))
        yield fence("python", source_of(program))
    record = record_of(name, program)
    for refusal in dict.fromkeys(each.sentence() for each in record.passes[0].refusals):
        yield f"It says: *{plain(refusal)}*"
    yield raw(panel(record).html())


def source_of(program):
    """The function as a learner would write it: no decorator, no docstring, types as a comment."""
    lines = textwrap.dedent(inspect.getsource(program)).split("\n")
    start = next(at for at, line in enumerate(lines) if line.startswith("def "))
    parameters = inspect.signature(program).parameters.values()
    head = f"def {program.__name__}({', '.join(each.name for each in parameters)}):"
    types = "  # " + ", ".join(f"{each.name}: {each.default}" for each in parameters)
    body = [line for line in lines[start + 1 :] if '"""' not in line]
    return "\n".join([head + types, *body]).strip()


def record_of(name, program):
    """The PipelineRecord of one pass on one program."""
    graph = load(program) if isinstance(program, str) else jit.trace(program, *_values(program))
    pipeline.run_only(graph, pass_examples.BEFORE.get(name, ()))
    return pipeline.run_only(graph, [name], watch=True)


def _values(program):
    return [value(each.default) for each in inspect.signature(program).parameters.values()]


def value(kind):
    """A tensor of zeros of a type written as in graphs.

    >>> value("i32[2]")
    Tensor(shape=[2], dtype=Int32, value= [0, 0])
    """
    short, _, sizes = kind.removesuffix("]").partition("[")
    shape = tuple(int(size) for size in sizes.split(",") if size)
    return Tensor(np.zeros(shape, _BY_SHORT[short].numpy))


def panel(record):
    """The panel of a record without how long it took, which is another number in every build."""
    shown = viz.passes(record)
    for said in shown.report:
        said["stats"] = [each for each in said["stats"] if "time" not in each["name"]]
    return shown
