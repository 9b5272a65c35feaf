"""Which values of a turn are not kept, and why not? Told from the body and from who goes back."""

from typing import NamedTuple

from ...engine.ir import FOR, IF, MAKE_TUPLE, TUPLE_GET_ITEM, WHILE
from . import python_words
from .loop_again import again
from .loop_finding import LOOPS, makers, place_of

INVARIANT = "the same in every turn: it stands outside, once"
CONSTANT = "a number of the program: the way back has it too"
COUNTED = "the way back counts down by itself"
WHOLE = "an integer or a truth: no gradient goes through it"
UNREAD = "no bprop reads it"
AGAIN = "calculated again on the way back, from what is kept"


class Unkept(NamedTuple):
    """A value of a turn that is not kept."""

    code: str
    line: int
    kind: str
    why: str


def unkept(way, backs, columns, derived):
    """The Unkept values of a loop that is read by the loops ``backs``, each once."""
    return tuple(dict.fromkeys(_all_unkept(way, backs, columns, derived)))


def _all_unkept(way, backs, columns, derived):
    body, kept = way.body, set()
    for column in columns:
        kept.update(makers(body.outputs[column.place]))
    twice = again(way, backs)
    for place, parameter in enumerate(body.parameters):
        if counts(way, parameter):
            yield Unkept("the number of the turn", 0, str(parameter.abstract), COUNTED)
        elif parameter not in kept and (why := _why_parameter(way, place, parameter)):
            yield _said(parameter, why, derived)
    yield from _constants(body)
    for node in _calls(body):
        if node not in kept and not _is_wiring(node) and place_of(node) != way.key:
            yield _said(node, _why_call(node, twice), derived)


def counts(way, parameter):
    """Whether this is the number of the turn, which a While carries for its way back."""
    weak = getattr(parameter.abstract, "weak", False)
    return way.node.primitive is WHILE and weak and parameter.name == "turns"


def _why_parameter(way, place, parameter):
    first = int(way.node.primitive is FOR)
    if place < first:
        return COUNTED
    if place >= first + way.node.attrs["carried"] + way.node.attrs.get("scanned", 0):
        return INVARIANT
    if place >= first + way.node.attrs["carried"]:
        return ""  # an element of a stack of another loop, which has its own table
    return UNREAD if _is_real(parameter.abstract) else WHOLE


def _why_call(node, twice):
    if node in twice:
        return AGAIN
    return UNREAD if _is_real(node.abstract) else WHOLE


def _is_real(abstract):
    items = getattr(abstract, "items", (abstract,))
    return any(getattr(getattr(i, "dtype", None), "kind", "") == "float" for i in items)


def _constants(body):
    found = {}
    for node in _calls(body):
        for used in node.inputs:
            if used.kind == "constant" and _is_real(used.abstract):
                code = python_words.said(used)
                line = python_words.number(node)
                found.setdefault(code, Unkept(code, line, str(used.abstract), CONSTANT))
    yield from found.values()


def _calls(graph):
    """The calls of a body and its branches; a loop inside tells of its own turns."""
    for node in graph.order():
        yield node
        for inner in node.graphs if node.primitive is IF else ():
            yield from _calls(inner)


def _is_wiring(node):
    """Whether a call only passes values on, or counts turns."""
    counts = getattr(node.abstract, "weak", False) and not node.name
    return counts or node.primitive in (TUPLE_GET_ITEM, MAKE_TUPLE, IF, *LOOPS)


def _said(node, why, derived):
    code, line = python_words.said(node, derived), python_words.number(node)
    return Unkept(code, line, str(node.abstract), why)
