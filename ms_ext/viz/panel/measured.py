"""How long did each block take? One run of the compiled graph, block by block.

A panel may not surprise anybody: what has an effect, draws random numbers or would take long is not
run, and the pane says so.
"""

from ...engine import events, pipeline
from ...engine.backends import at_most
from .amounts import flops, size
from .links import Line, Pane, counted, cut, first_line, kind

SECONDS = 1.0  # one run may take
SHORT = 0.1  # seconds of a first run after which a second one is measured
HEAVY = 2_000_000_000  # FLOPs or bytes of one run that is not begun
_KINDS = ("op", "fallback", "control")
SEPARATE = 60  # launches that are shown one by one


def time(graph, executable, inputs):
    """The pane of one measured run of ``graph``; ``inputs`` as for ``links.panes``."""
    why = _why_not(graph, inputs)
    if why:
        return _nothing(why)
    try:
        recording = _run(executable, inputs)
    except Exception as error:  # whatever a learner's op may do
        return _nothing(f"the run failed: {first_line(error)}")
    ran = [e for e in recording if e.kind in _KINDS and e.end > e.start]
    blocks = [each for each in executable.listing() if each.kind]
    if not ran or recording.dropped:
        told = "too much happened to keep" if ran else "the backend tells no times"
        return _nothing(f"{told} ({executable.backend}).")
    lines, about = cut(_lines(ran, blocks), "a recording"), _about(ran, blocks, executable)
    return Pane("time", lines, about, _time(_whole(ran)).strip())


def _nothing(why):
    return Pane("time", [], f"Not measured: {why}", "not measured")


def _why_not(graph, inputs):
    if inputs is None:
        return "there are no arguments to run it on."
    if any(each is None for each in inputs):
        return "of an argument only the type is known."
    nodes = [node.primitive for each in graph.all_graphs() for node in each.order()]
    for op in nodes:
        if op.effect or op.nondeterministic:
            return f"{op.name} has an effect beyond its result, so a panel does not run it."
    cost = pipeline.measure(graph)
    if max(cost.flops, cost.bytes) > HEAVY:
        return f"one run takes {flops(cost.flops)} and moves {size(cost.bytes)}: viz.run does it."
    return ""


def _run(executable, inputs):
    """A recording of one run: of the second, if the first was short."""
    with at_most(SECONDS):
        for _ in range(2):
            start = events.now()
            with events.record() as recording:
                executable(*inputs)
            if events.now() - start > SHORT * 1e9:
                break
    return recording


def _lines(ran, blocks):
    """A line for every launch, or for every block where they are many; then what did not run."""
    by_first, reached, found = {block.nodes[0]: block for block in blocks}, set(), []
    begin, whole = min(e.start for e in ran), max(_whole(ran), 1)
    for several in sorted(_together(ran), key=lambda each: (each[0].start, -each[-1].end)):
        first, last = several[0], several[-1]
        node = first.numbers[1]
        reached.add(node)
        block = by_first.get(node)
        spent = _time(sum(e.duration for e in several))
        bar = (several[0].start - begin) / whole, (last.end - begin) / whole
        text = f"{spent}  {_what(first, block)}{_turns(several)}"
        found.append(Line(text, block.nodes if block else (node,), "", *bar))
    rest = [block for block in blocks if block.nodes[0] not in reached]
    return found + [Line(f"{'not run':>11}  {b.text.strip()}", b.nodes) for b in rest]


def _whole(ran):
    return max(e.end for e in ran) - min(e.start for e in ran)


def _together(ran):
    """The events of each line."""
    if len(ran) <= SEPARATE:
        return [[event] for event in ran]
    by_node = {}
    for event in ran:
        by_node.setdefault(event.numbers[1], []).append(event)
    return list(by_node.values())


def _what(event, block):
    outside = " in Python" if block and block.kind == "python" else " in NumPy"
    where = {"fallback": outside, "control": ", with what is inside"}.get(event.kind, "")
    fused = " fused" if block and kind(block) == "fused kernel" else ""
    return f"{event.name.replace('+', ' + ')}{fused}{where}"


def _turns(several):
    return f", {len(several)} launches" if len(several) > 1 else ""


def _time(nanoseconds):
    """Microseconds, aligned.

    >>> _time(12345)
    '    12.3 µs'
    """
    return f"{nanoseconds / 1000:8.1f} µs"


def _about(ran, blocks, executable):
    spent, many = _time(_whole(ran)).strip(), sum(e.kind != "control" for e in ran)
    each = "" if len(ran) <= SEPARATE else " A bar reaches from a block's first launch to its last."
    return (
        f"One run on the backend {executable.backend}: {spent}, {many} launch{'es' * (many != 1)}"
        f" of {counted(blocks)}. Times are measured, and differ from run to run.{each}"
    )
