"""What does the reference say of each op? All of it is read from the op's one declaration.

A page is a file of ms_ext/ops. The types in the tables come from ``infer`` on the op's own
samples, the cost from what the engine charges for them, the source from the file.
"""

import importlib
import inspect
import textwrap

import numpy as np

from ms_ext.engine import primitive
from ms_ext.ops.composite import COMPOSITES

from .. import source
from . import curves, docstrings, formula, types
from .markdown import code, fence, plain, raw, rubric, table, target
from .pages import Page


def pages():
    """One page per file of ms_ext/ops that declares something, and the list of all first."""
    files = {}
    for op in primitive.OPS.values():
        if op.module.startswith("ms_ext.ops."):
            files.setdefault(op.module, ([], {}))[0].append(op)
    for name, function in COMPOSITES.items():
        if function.__module__.startswith("ms_ext.ops."):
            names = files.setdefault(function.__module__, ([], {}))[1]
            names.setdefault(function, []).append(name)
    made = [_page(module, *files[module]) for module in sorted(files)]
    return [_index(files), *made]


def _index(files):
    text = ["# Every op", COUNTED.format(ops=sum(len(ops) for ops, _ in files.values()))]
    for module in sorted(files):
        rows = []
        ops, composites = files[module]
        for op in sorted(ops, key=lambda each: each.name.lower()):
            rows.append((f"[{op.name}](#{anchor(op)})", _calls(op.names), _says(op.doc)))
        for function, names in composites.items():
            link = f"[{names[0]}](#{_composite_anchor(names)})"
            rows.append((link, _calls(names), _says(function.__doc__)))
        text += [f"## {_title(module)}", table(("op", "called as", "what it gives"), rows)]
    return Page("ops/index", "Every op", "\n\n".join(text))


COUNTED = """{ops} primitives and the functions that are made of them. Each is declared once, in
`ms_ext/ops`. This reference is read from those declarations when the book is built; every type and
number on it was computed then.

A type such as `f32[2,3]` is a dtype and a shape; `float` alone is a Python number. **FLOPs** are
what the op calculates, **bytes moved** its operands, read once, and its result, written once. In a
gradient, `dout` is how the loss moves with the result. An operand written `x_` is kept for its
shape and dtype only, one written `_x` is not kept at all: that memory is free again after the
forward run. The examples are tested; they begin with `import ms_ext as ms` and
`from ms_ext import Tensor, mint, nn, ops`."""


def anchor(op):
    """What other pages link to.

    >>> from ms_ext import ops
    >>> anchor(ops.Mul)
    'op-mul'
    """
    return f"op-{op.name.lower()}"


def _composite_anchor(names):
    first = names[0]
    if first.startswith("Tensor."):
        kind = "method"  # Tensor.dot is not tensor_dot
    else:
        kind = "class" if first[0].isupper() else "of"  # Assign is not assign
    return f"op-{kind}-{first.lower().replace('.', '-').replace('_', '-')}"


def _calls(names):
    return ", ".join(map(code, _written(names))) or "as a primitive only"


def _written(names):
    """ "add" is ops.add; what has a dot says its place itself."""
    return [name if "." in name else f"ops.{name}" for name in names]


def _says(doc):
    return docstrings.summary(doc)


def _title(module):
    return module.rpartition(".")[2].capitalize()


# a page -------------------------------------------------------------------------------------------


def _page(module, ops, composites):
    title, doc = _title(module), importlib.import_module(module).__doc__
    parts = [f"# {title}", docstrings.without_examples(doc)]
    for op in sorted(ops, key=lambda each: each.name.lower()):
        parts += _op(op)
    for function, names in composites.items():
        parts += _composite(function, names)
    return Page(f"ops/{module.rpartition('.')[2]}", title, "\n\n".join(filter(None, parts)))


def _op(op):
    yield target(anchor(op), op.name)
    yield _names(op)
    yield docstrings.without_examples(op.doc)
    if latex := formula.of_op(op):
        yield fence("{math}", latex)
    if picture := curves.picture(op):
        yield raw(f'<figure class="op">{picture}{LINES if op.bprop else ""}</figure>')
    yield docstrings.examples(op.doc)
    yield rubric("Types and cost")
    yield types.samples(op)
    yield types.kinds(op)
    yield rubric("Gradient")
    yield from gradient(op)
    yield _declared(op)


LINES = "<figcaption>Solid: the value. Dashed: the slope, from the gradient below.</figcaption>"


def _names(op):
    attributes = ", ".join(f"{key}={types.written(value)}" for key, value in op.attributes)
    rows = []
    if op.names:
        rows.append(("called as", _calls(op.names)))
    if op.slots:
        rows.append(("in Python", ", ".join(map(code, op.slots))))
    rows.append(("primitive", code(f"ops.{op.name}")))
    operands = ", ".join(op.operand_names) if op.arity is not None else "any number of tensors"
    rows.append(("operands", code(operands) if op.operand_names else operands or "none"))
    if attributes:
        rows.append(("attributes", code(attributes)))
    return "\n".join(f"- {name}: {value}" for name, value in rows)


# gradient -----------------------------------------------------------------------------------------


def gradient(op):
    """The op's gradient as formula and source, or why it has none."""
    if op.bprop is None:
        yield f"None: {_why_no_gradient(op)}"
        return
    for operand, latex in formula.of_bprop(op):
        name = rf"\mathit{{d{operand}}}" if len(operand) > 1 else rf"\mathit{{d}}{operand}"
        yield fence("{math}", f"{name} = {latex}")
    yield fence("python", _source(op.bprop))


def _why_no_gradient(op):
    if op.arity == 0:
        return "it takes no tensor that could move."
    if "seed" in op.operand_names:
        return "what is drawn does not depend on a number that could move a little."
    results = {types.result_kind(op, case) for case in types.cases(op)}
    if results <= {"bool", "int"}:
        kind = " or ".join(sorted(results)).replace("int", "an integer").replace("bool", "a bool")
        return f"the result is {kind}, which does not change a little when an operand does."
    return "the result does not change when an operand does."


def _source(function):
    return textwrap.dedent(inspect.getsource(function))


def _declared(op):
    path = op.module.replace(".", "/") + ".py"
    runs = [f"its declaration is `class {op.name}` in `{path}`"]
    if isinstance(op.compute, np.ufunc):
        runs.append(f"its values are those of `numpy.{op.compute.__name__}`")
    if isinstance(op.kernel, str):
        runs.append(f"its compiled loop is {code(op.kernel)}")
    if op.expr:
        runs.append(f"in generated C it is {code(op.expr.format(*op.operand_names))}")
    text = "; ".join(runs)
    return f"{rubric('Where it is')}\n\n{text[0].upper()}{text[1:]}."


# functions that are made of ops -------------------------------------------------------------------


def _composite(function, names):
    shown = names[0] if "." in names[0] else f"ops.{names[0]}"
    yield target(_composite_anchor(names), plain(shown))
    lines = [f"- called as: {_calls(names)}"]
    yield "\n".join([*lines, f"- signature: {code(f'{names[0]}{_signature(function)}')}"])
    yield docstrings.as_markdown(function.__doc__)
    where = function.__module__.replace(".", "/") + ".py"
    made = "It is made of other ops, so its types, cost and gradient are theirs."
    yield f"{made} Written in `{where}`."


def _signature(function):
    return str(inspect.signature(function)).replace("mindspore.", "")


def sources():
    """The files that the reference is read from."""
    return sorted((source.ROOT / "ms_ext" / "ops").glob("*.py"))
