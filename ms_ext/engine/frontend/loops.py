"""Which loop is it: one that Python values decide and that is written out, or a While or For?"""

import ast
import functools
import operator as python

from .. import errors
from ..dims import Dim, is_open, sampled
from ..ir import Node
from .asking import ask, ask_number, is_object
from .assigning import assign
from .bodies import has_exit
from .expressions import truth
from .frame import BREAK, CODE, THROUGH, Exit
from .indexing import item
from .operators import as_node, has_axes, operator, python_items
from .reading import evaluate, reads
from .regions import for_region, read_body, while_region, without
from .statements import rest_if_through
from .unsupported import is_for_turns, loop_else, only_inside
from .values import Range, Unusable
from .words import no_attribute

UNROLL = 16  # a counted loop of at most so many turns is written out
MOST = 10_000  # and of so many if its body cannot be a region's


# which loop it is ---------------------------------------------------------------------------------


def while_loop(frame, statement):
    """``while``: turns decided by Python values are written out, up to UNROLL or MOST of them."""
    _without_else(statement)
    most = MOST if statement in frame.reader.by_turns else UNROLL
    for _ in range(most):
        before = frame.snapshot()
        test = truth(frame, statement.test)
        if type(test) is not bool:
            frame.restore(before)
            break
        if not test:
            return None
        code = read_body(frame, statement.body)
        if type(code) is Exit:
            frame.restore(before)  # a tensor decides: build the loop from this turn on
            break
        if code != THROUGH:
            frame.names[CODE] = THROUGH if code == BREAK else code
            return None
    before = frame.snapshot()
    try:
        built = while_region(
            frame,
            statement,
            lambda inner: truth(inner, statement.test),
            lambda inner: read_body(inner, statement.body),
        )
    except errors.MsExtError as error:
        if most == MOST or not is_for_turns(error):
            raise
        frame.restore(before)
        frame.reader.by_turns.add(statement)
        return while_loop(frame, statement)
    return None if built else while_loop(frame, _tested_inside(statement))


def _tested_inside(loop):
    """``while True: if test: ... else: break``, for a test that has an effect."""
    inner = ast.copy_location(ast.If(loop.test, loop.body, [ast.Break()]), loop)
    always = ast.copy_location(ast.Constant(True), loop.test)
    return ast.copy_location(ast.While(always, [inner], []), loop)


def _without_else(loop):
    if loop.orelse:
        raise loop_else(loop)


@reads(ast.For, ast.While)
def loop(frame, statement):
    """Either loop; what only its body defines cannot be read behind it."""
    module = getattr(frame.function, "__globals__", {})
    for name in _added_to(statement):
        if name in module and name not in frame.names:  # a global before it (not so in Python)
            frame.names[name] = frame.find(name)
    before = {*frame.names, *module}
    (for_loop if isinstance(statement, ast.For) else while_loop)(frame, statement)
    for name in frame.names:
        if name not in before and name[0] != "<":
            frame.names[name] = Unusable(only_inside(statement, name))


def _added_to(statement):
    """Names that a loop stores in ``x += y`` only."""
    nodes = list(ast.walk(statement))
    added = {n.target for n in nodes if isinstance(n, ast.AugAssign)}
    stored = [n for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    return sorted({n.id for n in stored if n in added} - {n.id for n in stored if n not in added})


def for_loop(frame, statement):
    """``for``: over Python values and short ranges written out, else a For, with exits a While."""
    _without_else(statement)
    items = as_node(frame, evaluate(frame, statement.iter))
    if isinstance(items, range) and len(items) > UNROLL:
        items = Range(items.start, items.stop, items.step)
    if isinstance(items, Node):
        items = rows(frame, items)
    if isinstance(items, Range):
        return range_loop(frame, statement, items)
    if frame.reader.strict and isinstance(items, str):
        raise no_attribute(frame, items, "__len__")
    if hasattr(type(items), "__iter__"):
        items = list(items)  # a dict, a CellList, ...
    if not isinstance(items, tuple | list | range | str):
        raise errors.InvalidType(
            f"'{type(items).__name__}{'64' * (type(items) is int)}' object is not iterable",
            given=ast.unparse(statement.iter),
            hint="Loop over range(...), a tensor, a tuple, a list or a dict.",
        )
    return unrolled(frame, statement, list(items), functools.partial(_named, statement.target))


def _named(target, frame, item):
    assign(frame, target, item)


def rows(frame, node):
    """What a loop over a node takes: a list of nodes if there are few, else one a turn."""
    if is_object(node):
        items = ask(frame, list, [node], pure=True)
        count = ask_number(frame, len, [items], int)
        return _Each(count, functools.partial(_taken, items))
    if has_axes(node) and (type(node.shape[0]) is Dim or node.shape[0] > UNROLL):
        return _Each(node.shape[0], lambda inner, turn: item(inner, node, turn))
    return python_items(frame, node)


def _taken(items, frame, turn):
    return ask(frame, python.getitem, [items, turn], pure=True)


class _Each(Range):
    """As many turns as there are items; ``take(frame, turn)`` gives a turn its item."""

    __slots__ = ("take",)

    def __init__(self, count, take):
        super().__init__(0, count, 1)
        self.take = take


def unrolled(frame, statement, items, bind):
    """Write the turns out one after the other; ``bind(frame, item)`` begins each."""
    write_turns(frame, ast.copy_location(Turns(statement, items, 0, bind), statement))
    frame.names[CODE] = without(frame, frame.code, BREAK)


class Turns(ast.stmt):
    """The turns of an unrolled loop from ``index`` on, as a statement."""

    _fields = ()

    def __init__(self, loop, items, index, bind):
        super().__init__()
        self.loop, self.items, self.index, self.bind = loop, items, index, bind


@reads(Turns)
def write_turns(frame, turns):
    """Read turn after turn; an exit that a tensor decides puts the remaining ones into an If."""
    for index in range(turns.index, len(turns.items)):
        turns.bind(frame, turns.items[index])
        code = read_body(frame, turns.loop.body)
        if type(code) is Exit:
            rest = Turns(turns.loop, turns.items, index + 1, turns.bind)
            rest_if_through(frame, code, [ast.copy_location(rest, turns.loop)], 0)
            return
        if code != THROUGH:
            return


def range_loop(frame, statement, items):
    """A loop on the graph, over numbers or rows: For, or While with a counter if the body exits."""
    start, stop, step = items.start, items.stop, items.step
    check_bounds(start, stop, step)

    def bind(inner, i):
        if isinstance(items, _Each):
            assign(inner, statement.target, items.take(inner, i))
            return
        scaled = i if step == 1 else operator(inner, "*", (i, step))
        assign(
            inner, statement.target, scaled if start == 0 else operator(inner, "+", (scaled, start))
        )

    count, by_turns = turns(frame, start, stop, step), frame.reader.by_turns
    can_unroll = type(count) is int and count <= MOST
    if statement in by_turns and can_unroll:  # inside another loop that is written out
        return unrolled(frame, statement, range(count), bind)
    before = frame.snapshot()
    build = _counted_while if has_exit(statement.body) else _for
    try:
        return build(frame, statement, count, bind)
    except errors.MsExtError:
        if not can_unroll:
            raise
    by_turns.add(statement)
    frame.restore(before)
    return unrolled(frame, statement, range(count), bind)


def _for(frame, statement, count, bind):
    """A For; where the first turn changes a type (``out = 0``, then a tensor) that turn is written
    out before it."""
    before = frame.snapshot()
    try:
        return for_region(frame, statement, count, bind)
    except errors.InvalidType as error:
        if is_for_turns(error) or not isinstance(count, int | Dim) or not count:
            raise
    frame.restore(before)
    bind(frame, 0)
    read_body(frame, statement.body)
    return for_region(
        frame, statement, count - 1, lambda inner, i: bind(inner, operator(inner, "+", (i, 1)))
    )


def check_bounds(*bounds):
    """MindSpore's error for range(tensor), which counts the arguments that were given."""
    given = bounds[1:] if bounds[0] == 0 and isinstance(bounds[0], int) else bounds
    for position, bound in enumerate(given):
        weak_int = isinstance(bound, Node) and getattr(bound.abstract, "weak", False)
        if not (isinstance(bound, int | Dim) or weak_int):
            shown = bound.abstract if isinstance(bound, Node) else repr(bound)
            raise errors.InvalidType(
                f"For 'make_range', the {position}th input should be a int scalar but got {shown}.",
                hint="Use `while` with a tensor counter, or pass the number as a Python int.",
            )


def turns(frame, start, stop, step):
    """How often a range runs: a number, or a node; below 1 is no turn."""
    if not any(isinstance(b, Node) for b in (start, stop, step)):
        if is_open((start, stop, step)):
            return sampled(lambda *bounds: len(range(*bounds)), start, stop, step, text=f"{stop}")
        return len(range(start, stop, step))
    if step == 1:
        return stop if start == 0 else operator(frame, "-", (stop, start))
    steps = operator(frame, "//", (operator(frame, "-", (start, stop)), step))
    return operator(frame, "*", (steps, -1))  # rounded away from 0, for either sign of the step


def _counted_while(frame, statement, count, bind):
    counter = "<turn>"
    outer = frame.names.get(counter)
    frame.names[counter] = 0

    def test(inner):
        return operator(inner, "<", (inner.names[counter], count))

    def body(inner):
        turn = inner.names[counter]
        bind(inner, turn)
        read_body(inner, statement.body)
        inner.names[counter] = operator(inner, "+", (turn, 1))

    while_region(frame, statement, test, body, (counter,))
    frame.names[counter] = outer
