"""How Graphviz places boxes: write its language, run ``dot -Tplain``, read numbers back.

Nothing but sizes and arrows goes out (no labels), so no font of the machine matters and nothing a
learner wrote reaches another program.
"""

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

_INCH = 72.0
_HEAD = (
    "digraph {{ nodesep=0.3; ranksep=0.42; nslimit={0}; nslimit1={0};{1}"
    ' node [fixedsize=true label=""]; edge [dir=none];'
)
EFFORT = 4  # how long dot's network simplex looks for better places
SHORT = 3, " mclimit=0.3;"  # the same of a large graph, and how long it looks for fewer crossings
ALONE = 100  # boxes of a graph that has a process of its own


def place(program, graphs, limit):
    """(width, height, centres, routes, engine) of each graph; None of those that take too long.

    Small graphs share a process, as starting one takes longer than placing them; large ones run
    beside each other.

    >>> place("/no/such/dot", [((), ())], 1)
    [None]
    """
    small = [at for at, (boxes, _) in enumerate(graphs) if len(boxes) < ALONE]
    large = [[at] for at, (boxes, _) in enumerate(graphs) if len(boxes) >= ALONE]
    parts = [part for part in (small, *large) if part]

    def run(part):
        return _run(program, [graphs[at] for at in part], limit)

    if len(parts) == 1:  # here, so that an interrupt ends the process at once
        return run(parts[0])
    found = {}
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for part, answers in zip(parts, pool.map(run, parts), strict=True):
            found |= zip(part, answers, strict=True)
    return [found[at] for at in range(len(graphs))]


def _run(program, graphs, limit):
    """The answers of one process."""
    source = "\n".join(text(boxes, links) for boxes, links in graphs)
    try:
        done = subprocess.run(
            [program, "-Tplain"],
            input=source,
            capture_output=True,
            text=True,
            timeout=limit,
            check=True,
        )
        answers = done.stdout.split("stop\n")[: len(graphs)]
        return [_read(answer, *graph) for answer, graph in zip(answers, graphs, strict=True)]
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, IndexError):
        return [None] * len(graphs)


def text(boxes, links):
    """A graph in the language of dot.

    >>> from ms_ext.viz.drawing.layout import Box
    >>> "n0 [width=1.0000 height=0.5000 shape=box]" in text([Box("a", 72, 36)], [])
    True
    """
    names = {box.id: f"n{index}" for index, box in enumerate(boxes)}
    effort = SHORT if len(boxes) >= ALONE else (EFFORT, "")
    lines = [_HEAD.format(*effort), *[f"{names[box.id]} [{_size(box)}];" for box in boxes]]
    if top := [names[box.id] for box in boxes if box.top]:
        lines.append(f"{{rank=source; {' -> '.join(top)} [style=invis]}}")
    lines += [_link(link, names) for link in links]
    return "\n".join((*lines, "}"))


def _size(box):
    if box.ports:
        return f"shape=plain fixedsize=false label=<{_table(box)}>"
    return f"width={box.width / _INCH:.4f} height={box.height / _INCH:.4f} shape={box.shape}"


def _table(box):
    """A box of that size whose first row has a cell around each port."""
    middles = [(a + b) / 2 for a, b in zip(box.ports, box.ports[1:], strict=False)]
    ends = [round(x) for x in (0, *middles, box.width)]
    wide, high = ends[-1], round(box.height)
    plain = 'BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0"'
    cells = "".join(
        f'<TD PORT="p{i}" {_fixed(b - a, 1)}></TD>'
        for i, (a, b) in enumerate(zip(ends, ends[1:], strict=False))
    )
    rest = f'<TD COLSPAN="{len(box.ports)}" {_fixed(wide, high - 1)}></TD>'
    return f"<TABLE {plain} {_fixed(wide, high)}><TR>{cells}</TR><TR>{rest}</TR></TABLE>"


def _fixed(width, height):
    return f'FIXEDSIZE="TRUE" WIDTH="{width}" HEIGHT="{height}"'


def _link(link, names):
    head = names[link.target] + (f":p{link.port}:n" if link.port is not None else "")
    return f"{names[link.source]} -> {head} [weight={link.weight}];"


def _read(answer, boxes, links):
    """Sizes, centres and curves out of dot's plain form; y grows downwards here."""
    names = {f"n{index}": box for index, box in enumerate(boxes)}
    width = height = 0.0
    centres, curves = {}, {}
    for line in answer.splitlines():
        word, *rest = line.split()
        if word == "graph":
            width, height = float(rest[1]) * _INCH, float(rest[2]) * _INCH
        elif word == "node":
            centres[names[rest[0]].id] = (float(rest[1]) * _INCH, height - float(rest[2]) * _INCH)
        elif word == "edge":
            ends = tuple(names[end.partition(":")[0]].id for end in rest[:2])
            numbers = [float(n) * _INCH for n in rest[3 : 3 + 2 * int(rest[2])]]
            curves[ends] = [
                (x, height - y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)
            ]
    boxes = {box.id: box for box in boxes}
    routes = [_ended(curves[link[:2]], link, boxes, centres) for link in links]
    return width, height, centres, routes, "dot"


def _ended(curve, link, boxes, centres):
    """The curve, moved to end exactly on its port."""
    if link.port is None:
        return curve
    box, (x, y) = boxes[link.target], centres[link.target]
    end = (x - box.width / 2 + box.ports[link.port], y - box.height / 2)
    return [*curve[:-2], (end[0], min(curve[-2][1], end[1] - 12)), end]
