"""In which words is a failure told? A typical mistake if one is recognised, else its code's own."""

import functools
import itertools
from typing import NamedTuple

from . import codes
from .drawing import has_arrays, kind_of
from .failure import listed
from .layers.structure import form, size
from .verdict import Picture, Witness

LINES = 60  # of a graph's text in a verdict
DRAWN = 500  # calls of a graph that is drawn


class Told(NamedTuple):
    """A diagnosis: its code, and what a learner reads."""

    code: str
    headline: str
    detail: str = ""
    next: str = ""


def of_failure(failure, exercise):
    """What to say about a case that failed."""
    for known in exercise.mistakes:
        if _sees(known, failure):
            detail = "\n".join(filter(None, [known.detail, _said(failure)]))
            return Told(known.code, known.headline, detail, known.next)
    if failure.reply:
        return of_error(failure.reply)
    plain = codes.of(failure.code)
    return Told(failure.code, plain.headline, failure.words, plain.next)


def _sees(mistake, failure):
    try:
        return mistake.sees(failure)
    except Exception:  # a recogniser meets answers that nobody thought of: it is not this mistake
        return False


def _said(failure):
    """Besides a recognised mistake: what the learner's own pass said, or the error and its line."""
    told = failure.reply or failure.words.startswith("Your pass says")
    return failure.words if told else ""


STOPPED = {"time": "too-long", "memory": "memory", "output": "output", "nonsense": "garbled"}
NO_LINE = "Read the error above: which value, which call?"
RAISED = {"SystemExit": "ended", "MemoryError": "memory", "NotAllowed": "forbidden"}


def of_error(reply):
    """What to say if the learner's code raised an error, or its process is gone."""
    if why := reply.get("stopped"):
        code = STOPPED.get(str(why), "ended")
        return Told(code, codes.CODES[code].headline, "", codes.CODES[code].next)
    error = reply.get("error")
    if not isinstance(error, dict):
        return Told("garbled", codes.CODES["garbled"].headline, "", codes.CODES["garbled"].next)
    kinds, words, place = _texts(error)
    code = next((code for kind, code in RAISED.items() if kind in kinds), "raises")
    if "never ends: " in words:
        code = "endless"
    elif code == "raises" and "GraphError" in kinds and not place:
        code = "invalid"  # no line of the learner's raised it: the graph they made is not sound
    detail = place if code in ("ended", "memory") else "\n".join(filter(None, [place, words]))
    plain = codes.CODES[code]
    step = plain.next if place or code != "raises" else NO_LINE
    return Told(code, plain.headline.replace("{kind}", _kind(error)), detail, step)


def _texts(error):
    kinds = error.get("kinds")
    kinds = list(map(str, kinds)) if isinstance(kinds, list) else []
    return kinds, str(error.get("words", "")), str(error.get("place", ""))


def _kind(error):
    return str(error.get("kind", "an error"))[:80]


# what a learner is shown of the smallest case -----------------------------------------------------


def shown(failure):
    """The witness and the picture of a failure, as arguments of a Verdict."""
    return {"witness": witness(failure), "picture": _picture(failure)}


def witness(failure):
    """The smallest case in words: inputs, expected, got, where they part."""
    question, names = failure.question, failure.check.inputs.split()
    inputs = tuple(
        (names[at] if at < len(names) else f"{at + 1}", _kind_of(value), listed(value))
        for at, value in enumerate(question.operands)
    )
    before, after, more = _graphs(failure)
    expected, got = _both(failure)
    inputs = failure.inputs or inputs
    place = "" if failure.place == "at []" else failure.place  # a number has one place only
    return Witness(question.title, before, after, inputs, expected, got, place, more)


def _kind_of(value):
    """The type of an operand that holds arrays; plain data speaks for itself."""
    return kind_of(value) if has_arrays(value) else ""


def _both(failure):
    """Expected and got, for the element where they part if there is one."""
    expected, got = failure.expected, failure.got
    if failure.reply or (expected is None and got is None):
        return "", ""
    if failure.place.startswith("at [") and failure.place[4] != "]":
        index = tuple(map(int, failure.place[4:].partition("]")[0].split(",")))
        return str(expected[index]), str(got[index])
    if failure.code in ("shape", "gradient-shape", "dtype", "gradient-dtype"):
        return kind_of(expected), kind_of(got)
    return "" if expected is None else listed(expected), listed(got)


def _graphs(failure):
    """(before, after, further rows): a pass's graphs, or the wanted one and the learner's."""
    if failure.check.ask == "rewrite":
        after = text_of(failure.yours) if failure.yours is not None else ""
        return text_of(failure.question.graph), after, ()
    pairs = (("the wanted graph", failure.wanted), ("your graph", failure.yours))
    return "", "", tuple((label, text_of(graph)) for label, graph in pairs if graph is not None)


def _picture(failure):
    draw = failure.picture or _drawing(failure)
    if draw is None:
        return None
    try:
        return Picture.of(draw())
    except Exception as error:  # a drawing must never stand between a learner and a verdict
        return Picture("", f"The picture could not be drawn: {error}"[:300], "")


def _drawing(failure):
    """What draws the two graphs of a failure; None if there are not two, or they are alike."""
    rewrite = failure.check.ask == "rewrite"
    wanted, yours = failure.question.graph if rewrite else failure.wanted, failure.yours
    if wanted is None or yours is None or size(yours) > DRAWN or form(wanted) == form(yours):
        return None
    from ms_ext import viz  # only a failing graph is drawn

    return functools.partial(viz.rewritten if rewrite else viz.compare, wanted, yours)


def text_of(graph):
    """A graph's lines with its node count, in small numbers."""
    count = sum(len(each.order()) for each in graph.all_graphs())
    lines = list(itertools.islice(_lines(graph, {}, itertools.count()), LINES + 1))
    if len(lines) > LINES:
        lines[LINES:] = ["..."]
    return "\n".join([*lines, f"{count} node{'s' * (count != 1)}"])


def _lines(graph, names, numbers, depth=0):
    """The lines of a graph, each region indented below the call that holds it."""
    indent = "  " * depth
    names.update({each: each.name for each in graph.parameters})
    for node in graph.order():
        names[node] = f"%{next(numbers)}"
        operands = ", ".join(_operand(each, names) for each in node.inputs)
        yield f"{indent}{names[node]} = {node.primitive.name}({operands})"
        for region in () if depth > 5 else node.graphs:
            taken = ", ".join(each.name for each in region.parameters)
            yield f"{indent}  {region.name}({taken}):"
            yield from _lines(region, names, numbers, depth + 2)
    yield f"{indent}return {', '.join(_operand(each, names) for each in graph.outputs)}"


def _operand(node, names):
    return names.get(node) or str(getattr(node, "value", node))
