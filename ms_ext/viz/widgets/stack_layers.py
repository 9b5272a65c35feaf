"""The six layers of one program, each measured: source, graph, passes, backend, stages, timeline.

Every layer is what its own view shows, made by the same functions: nothing is counted again here.
"""

from dataclasses import replace
from typing import NamedTuple

from ...engine import backends, jit
from ..graph import graph as graph_panel
from ..panel import links, sources
from ..panel.text import marks
from ..passes import passes as passes_panel
from ..timeline import timeline as recorded_timeline
from ..timing import sheet as timeline_sheet
from ..timing import words as timeline_words
from ..timing.picture import picture as lanes_picture
from ..timing.text import page as lanes_text
from .shapes_cases import said

_NODES, _CALLS = 60, 60  # that are drawn: the map is small
NAMES = ("Python", "graph", "passes", "backend", "stages", "timeline")


class Layer(NamedTuple):
    """One box of the map."""

    name: str
    number: str  # what was measured, in a few words
    about: str
    lines: tuple = ()  # the thing itself as text
    svg: str = ""  # the thing itself as a picture


def layers(function, arguments, passes=None):
    """The layers of a function, in order; one that cannot be had says why.

    >>> from ms_ext import ops, Tensor
    >>> [layer.name for layer in layers(lambda x: ops.exp(x) + 1.0, [Tensor([1.0, 2.0])])]
    ['Python', 'graph', 'passes', 'backend', 'stages', 'timeline']
    """
    return [*_compiled(function, arguments, passes), *_staged(function, arguments)]


def _compiled(function, arguments, passes):
    """Source, graph, passes and backend: the way of a compiled function."""
    try:
        read = graph_panel(function, *arguments, budget=_NODES)
        panel = passes_panel(function, *arguments, passes=passes)
    except Exception as error:  # whatever stops the reading of the learner's function
        why = f"The function cannot be read into a graph: {said(error)}"
        return [Layer(name, "not read", why) for name in NAMES[:4]]
    record = panel.record
    return [_python(record), _graph(read, record), _passes(panel), _backend(record)]


def _python(record):
    pane = sources.python(record.listing)
    made = sum(1 for line in pane.lines if line.nodes)
    about = f"{pane.about} ▸ marks the {_many(made, 'line')} that made nodes."
    lines = [f"{'▸' if line.nodes else ' '} {line.number:>3} {line.text}" for line in pane.lines]
    return Layer("Python", _many(made, "line"), about, tuple(lines))


def _graph(panel, record):
    calls = sum(1 for row in record.listing.values() if row.kind == "call" and row.op != "Return")
    hidden = panel.report[0]["hidden"]
    about = "What the front end read from these lines: calls, and the values between them."
    about += f" {hidden.partition(' To see more')[0]} viz.graph draws more." if hidden else ""
    lines = tuple(line.text for line in links.ir(panel.record).lines)
    return Layer("graph", _many(calls, "call"), about, lines, panel.svg())


def _passes(panel):
    steps, costs = panel.report, [each for each in panel.record.passes]
    before, after = (costs[0].cost_before.nodes, costs[-1].cost_after.nodes) if costs else (0, 0)
    lines = [f"{said['number']}. {said['name']:<16} {marks(said['counts'])}" for said in steps]
    about = f"{_many(len(steps), 'pass', 'passes')} rewrite the graph and keep its meaning."
    return Layer("passes", f"{before} → {after} calls", about, tuple(lines))


def _backend(record):
    try:
        executable = backends.build("", record.graph)
    except Exception as error:  # a backend may be the learner's own
        return Layer("backend", "not built", f"The backend refuses: {said(error)}")
    pane = links.code(executable)
    blocks = [links.kind(each) for each in executable.listing() if each.kind]
    fused = blocks.count("fused kernel")
    number = _many(len(blocks), "block") + (f", {fused} fused" if fused else "")
    return Layer("backend", number, pane.about, tuple(line.text for line in pane.lines))


def _staged(function, arguments):
    """Stages and timeline: the way of a function that runs call by call."""
    plain = function.function if isinstance(function, jit.JitFunction) else function
    try:
        (run,) = recorded_timeline(plain, *arguments, compare=False).runs
        run = replace(run, title="")
    except Exception as error:  # what the learner's function raises
        return [Layer(name, "did not run", said(error)) for name in NAMES[4:]]
    if not run.slices:
        return [Layer(name, "no call", "No op call went through the stages.") for name in NAMES[4:]]
    about = (
        "The same function run call by call: each call goes through the stages, each of them a"
        f" thread. The slowest is {run.bottleneck}."
    )
    unit, busiest = run.unit, f"{run.bottleneck} {run.utilisation(run.bottleneck):.0%}"
    rows = [
        f"{lane.name:<14} {run.utilisation(lane.name):>4.0%}"
        f"  {timeline_words.amount(run.busy[lane.name], unit)}"
        for lane in run.lanes
    ]
    span = timeline_words.amount(run.makespan, unit)
    part = run if run.calls <= _CALLS else run.part(1, _CALLS)
    drawn = lanes_picture(timeline_sheet.sheet([part]), timeline_words.label([part]))
    left = f" Drawn are the first {_CALLS} calls." if part is not run else ""
    told = tuple(lanes_text([run]).split("\n"))
    return [
        Layer("stages", busiest, about, tuple(rows)),
        Layer("timeline", span, timeline_words.headline(run) + left, told, drawn),
    ]


def _many(count, word, several=""):
    return f"{count} {word if count == 1 else several or f'{word}s'}"
