"""The page of the ways into ``ops.Custom``: what ``viz.ways`` knows, to be read on its own."""

from ..viz.widgets.ways_rows import NO_WAY, QUESTION, REFUSED, TREE, costs, rows
from .site.markdown import code, plain, table

HEAD = """# The ways into ops.Custom

One declaration, `ops.Custom(func, out_shape, out_dtype, func_type, bprop)`; `func_type` says how
the code is found, compiled and run. This page is written from the ways themselves (`ms-ext sync`);
`viz.ways()` draws it, `viz.ways(op)` marks the way of an op, `op.describe()` tells all that is
known of one, and `viz.trace(op)` shows what its loader did.
[Chapter 03](../03_func_types/chapter.md) is about them."""
MEASURED = """The last two columns: one call of x * y on two tensors of 2 x 2 float32, by itself and
as a node of a graph; measured on {when} ({machine}) by `benchmarks/w13_custom.py`. The kernel
alone takes {bare} ns."""
TAIL = """For every way: eager and graph mode, gradients through `bprop`, any shape, inputs that are
not contiguous, every dtype. `op.pure()` lets passes fold and merge calls, `op.costs(...)` says what
they cost, `op.in_place(...)` lets a result take an input's memory, `op.debug()` tells every call,
`op.guarded()` runs a kernel in C where it can harm nobody."""


def page():
    """The page, as Markdown."""
    measured = costs()
    parts = [HEAD, f"## {QUESTION}", _tree(), "## What each does", _table(measured)]
    return "\n\n".join([*parts, *_said(measured), TAIL]) + "\n"


def _tree():
    lines = []
    for kind, leaves in TREE:
        lines.append(f"- {plain(kind)}")
        lines += [
            f"  - {plain(what)}: {code(way) if way else plain(NO_WAY)}" for what, way in leaves
        ]
    return "\n".join(lines)


def _table(measured):
    heads = ("func_type", "found by", "compiled", "a call runs", "use it", "eager", "in a graph")
    lines = []
    for row in rows():
        cost = measured.get("rows", {}).get(row.func_type, {})
        times = (_microseconds(cost.get(key)) for key in ("call_us", "node_us"))
        told = map(plain, (row.found, row.compiled, row.runs, row.use))
        lines.append((code(row.func_type), *told, *times))
    return table(heads, lines)


def _microseconds(number):
    return "" if number is None else f"{number:.2g} µs"


def _said(measured):
    if measured:
        bare = f"{measured['bare_us'] * 1000:.0f}"
        yield MEASURED.format(when=measured["when"], machine=plain(measured["machine"]), bare=bare)
    yield f"{plain(REFUSED)}."
