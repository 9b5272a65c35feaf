"""Panes: the same nodes as source lines, as text form, as code that runs, and as measured time.

A line knows the nodes it speaks of, so that choosing one marks the other. Nothing here is made
before somebody looks at the panel.
"""

from typing import NamedTuple

from ...engine import errors

NAMES = ("Python", "IR", "code", "time")  # the panes of a graph
MOST = 400  # lines of a pane
WIDEST = 160  # characters of a line
SHORT = 300  # lines that the panes of all steps may have together


class Line(NamedTuple):
    """One line of a pane: what it says and the ids of the nodes it speaks of.

    ``number`` stands before the text (a source line's number). ``start`` and ``end`` place a bar,
    as parts of the pane's whole width; None where there is no bar.

    >>> Line("z = x + y", (3,), "12").nodes
    (3,)
    """

    text: str
    nodes: tuple[int, ...] = ()
    number: str = ""
    start: float | None = None
    end: float | None = None


class Pane(NamedTuple):
    """A named list of lines; ``about`` says in a sentence what they are, or why there are none.

    ``shown`` stands beside the name, else how many lines there are.

    >>> Pane("IR", [], "The graph is empty.").lines
    []
    """

    name: str
    lines: list[Line]
    about: str = ""
    shown: str = ""


def panes(record, inputs=None, backend=""):
    """The panes of a PipelineRecord or a FuncGraph: Python, IR, code, time.

    ``inputs``: one array for each input of the graph, None for one of which only the type is
    known; without them nothing is run. ``backend``: whose code is shown and measured, by name or
    as the function that ``jit`` compiled for it.

    >>> from ms_ext.engine.ir import FuncGraph
    >>> [pane.name for pane in panes(FuncGraph("empty"))]
    ['Python', 'IR', 'code', 'time']
    >>> panes(None)
    []
    """
    from ...engine import backends, jit
    from . import measured, sources

    graph = getattr(record, "graph", None) if hasattr(record, "listing_after") else record
    if graph is None:
        return []
    backend = backend.backend if isinstance(backend, jit.JitFunction) else backend
    written = [sources.python(_rows(record, graph)), ir(graph)]
    try:
        executable = backends.build(backend if isinstance(backend, str) else "", graph)
    except Exception as error:  # a backend may be the learner's own
        why = f"The backend does not build this graph: {first_line(error)}"
        return [*written, Pane("code", [], why), Pane("time", [], why)]
    return [*written, code(executable), measured.time(graph, executable, inputs)]


def named(names):
    """The names of panes, of which one alone may be given.

    >>> named("IR"), named(["Python", "IR"]), named(())
    (('IR',), ('Python', 'IR'), ())
    """
    found = (names,) if isinstance(names, str) else tuple(names)
    for name in found:
        if name not in NAMES:
            raise errors.InvalidValue(
                f"A graph has the panes {', '.join(NAMES[:-1])} and {NAMES[-1]}.",
                given=repr(name),
                hint=errors.did_you_mean(str(name), NAMES),
            )
    return found


def first_line(error):
    """An error in one line.

    >>> first_line(ValueError("too large\\nby far"))
    'ValueError: too large'
    """
    return f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}"


def _rows(record, graph):
    """id -> Row of every node that any step of the record has, the latest of each."""
    from ...engine.ir import journal

    rows = dict(getattr(record, "listing", ()) or ())
    for each in getattr(record, "passes", ()):
        for _, *told in each.journal:
            rows.update((row.id, row) for row in told)
    return rows | journal.listing(graph)


def ir(graph):
    """The text form of a graph, as ``ms_ext.graph.dump`` writes it.

    >>> from ms_ext.engine.ir import FuncGraph
    >>> ir(FuncGraph("empty")).lines[0].text
    'ms_ext graph 1'
    """
    from ...engine.ir.text import lines

    found = [Line(text, ids) for text, ids in lines(graph)]
    about = f"The graph {graph.name} as text; ms_ext.graph.dump and load read and write it."
    return Pane("IR", cut(found, "ms_ext.graph.dump(graph)"), about)


def code(executable):
    """What the backend runs, block by block."""
    backend, found = executable.backend, executable.listing()
    if not found:
        about = f"The backend {backend} does not say what it runs (run.listing)."
        return Pane("code", [], about)
    lines = [Line(each.text, each.nodes) for each in found]
    said = [f"What the backend {backend} runs, in order: {counted(found)}.", *executable.notes]
    if any(each.text.lstrip().startswith("r = ") for each in found):
        said.append("In a kernel's program r is the running value of each element.")
    return Pane("code", cut(lines, "the executable's listing()"), " ".join(said))


_KINDS = (
    ("fused kernel", "fused kernels"),
    ("kernel", "kernels"),
    ("call of NumPy", "calls of NumPy"),
    ("call of Python", "calls of Python"),
    ("op call", "op calls"),
    ("branch, loop or call", "branches, loops or calls"),
)


def counted(listing):
    """How many blocks of each kind a listing has, in words.

    >>> from ms_ext.engine.backends import Listed
    >>> counted([Listed("a", (1, 3), "fused"), Listed("r = x", (1,)), Listed("b", (2,), "compute")])
    '1 fused kernel, 1 call of NumPy'
    """
    return several([kind(each) for each in listing if each.kind])


def several(kinds):
    """How many there are of each kind, in words.

    >>> several(["branch, loop or call", "branch, loop or call", "kernel"])
    '1 kernel, 2 branches, loops or calls'
    """
    found = [(kinds.count(one), one, many) for one, many in _KINDS]
    said = [f"{times} {one if times == 1 else many}" for times, one, many in found if times]
    return ", ".join(said) or "nothing"


def kind(block):
    """What a block is called: one of the first words of the kinds above.

    >>> from ms_ext.engine.backends import Listed
    >>> kind(Listed("a", (1,), "fused")), kind(Listed("a", (1,), "row"))
    ('kernel', 'kernel')
    """
    if block.kind == "fused" and len(block.nodes) > 1:
        return "fused kernel"
    return _NAMES.get(block.kind, "kernel")


_NAMES = {
    "compute": "call of NumPy",
    "python": "call of Python",
    "call": "op call",
    "control": "branch, loop or call",
}


def cut(lines, whole, most=MOST):
    """At most ``most`` lines, none too wide; a last one says how to see what is missing.

    >>> [line.text for line in cut([Line("a"), Line("b"), Line("c")], "dump(graph)", 2)]
    ['a', '... and 2 more lines: dump(graph) has them all']
    """
    kept = lines if len(lines) <= most else lines[: most - 1]
    found = [
        line if len(line.text) <= WIDEST else line._replace(text=line.text[: WIDEST - 3] + "...")
        for line in kept
    ]
    if len(kept) < len(lines):
        left = len(lines) - len(kept)
        found.append(Line(f"... and {left} more lines: {whole} has them all"))
    return found


def in_steps(report):
    """Give every step that changed something the pane of its graph, if all of them are short.

    >>> in_steps([])
    """
    changed = [said for said in report if said["number"] and _has_changed(said)]
    panes = [of_step(said) for said in changed]
    if sum(len(pane.lines) for pane in panes) <= SHORT:
        for said, pane in zip(changed, panes, strict=True):
            lines = [{**line._asdict(), "nodes": list(line.nodes)} for line in pane.lines]
            said["panes"] = [{"name": pane.name, "lines": lines, "about": pane.about}]


def _has_changed(said):
    return any(many for state, many in said["counts"].items() if state != "unchanged")


def of_step(said):
    """The pane of one pass: the graph after it as text, with what it changed marked.

    ``said`` is the step as the report has it.
    """
    lines = [
        Line(
            f"{node['glyph'] or ' '} {'  ' * node['depth']}{node['call']}{_type(node)}",
            (node["id"],),
        )
        for node in said["nodes"]
        if node["kind"] == "call" or node["state"] != "unchanged"
    ]
    about = f"The graph {said['summary']}. + added, − removed, ~ rewritten."
    return Pane("IR of this pass", cut(lines, "text()"), about)


def _type(node):
    from . import text

    shown = text.kind(node)
    return f" : {shown}" if shown else ""
