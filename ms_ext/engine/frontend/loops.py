"""Which loop is it: one that Python values decide and that is written out, or a While or For?"""

import ast

from .. import errors
from ..ir import Node
from .assigning import assign
from .expressions import truth
from .frame import BREAK, CODE, THROUGH, Exit
from .operators import has_axes, operator, python_items
from .reading import evaluate, reads
from .regions import for_region, has_exit, read_body, run_else, while_region, without
from .statements import rest_if_through
from .values import Range

UNROLL = 16  # a counted loop of at most so many turns is written out


# which loop it is ---------------------------------------------------------------------------------


@reads(ast.While)
def while_loop(frame, statement):
    """``while``: turns decided by Python values are written out, up to UNROLL of them."""
    for _ in range(UNROLL):
        test = truth(frame, statement.test)
        if type(test) is not bool:
            break
        if not test:
            return run_else(frame, statement)
        before = dict(frame.names)
        code = read_body(frame, statement.body)
        if type(code) is Exit:
            frame.names = before  # a tensor decides: build the loop from this turn on
            break
        if code != THROUGH:
            frame.names[CODE] = THROUGH if code == BREAK else code
            return None
    return while_region(
        frame,
        statement,
        lambda inner: truth(inner, statement.test),
        lambda inner: read_body(inner, statement.body),
    )


@reads(ast.For)
def for_loop(frame, statement):
    """``for``: over Python values and short ranges written out, else a For, with exits a While."""
    items = evaluate(frame, statement.iter)
    if isinstance(items, range) and len(items) > UNROLL:
        items = Range(items.start, items.stop, items.step)
    if isinstance(items, Node):
        items = rows(frame, items)
    if isinstance(items, Range):
        return range_loop(frame, statement, items)
    if hasattr(type(items), "__iter__"):
        items = list(items)  # a dict, a CellList, ...
    if not isinstance(items, tuple | list | range | str):
        raise errors.InvalidType(
            f"Cannot loop over {type(items).__name__}.",
            given=ast.unparse(statement.iter),
            hint="Loop over range(...), a tensor, a tuple, a list or a dict.",
        )
    return unrolled(frame, statement, list(items))


def rows(frame, node):
    """The rows of a tensor: a list of nodes if there are few, else what range_loop indexes."""
    if has_axes(node) and node.shape[0] > UNROLL:
        return _Rows(node)
    return python_items(frame, node)


class _Rows(Range):
    """A tensor's rows, one a turn."""

    __slots__ = ("tensor",)

    def __init__(self, tensor):
        super().__init__(0, tensor.shape[0], 1)
        self.tensor = tensor


def unrolled(frame, statement, items):
    """Write the turns out one after the other, then the ``else``."""
    write_turns(frame, ast.copy_location(Turns(statement, items, 0), statement))
    code = frame.code
    if type(code) is Exit and statement.orelse:
        raise errors.InvalidSyntax("A loop left by break on a tensor cannot have an else.")
    frame.names[CODE] = without(frame, code, BREAK)
    if code == THROUGH:
        run_else(frame, statement)


class Turns(ast.stmt):
    """The turns of an unrolled loop from ``index`` on, as a statement."""

    _fields = ()

    def __init__(self, loop, items, index):
        super().__init__()
        self.loop, self.items, self.index = loop, items, index


@reads(Turns)
def write_turns(frame, turns):
    """Read turn after turn; an exit that a tensor decides puts the remaining ones into an If."""
    for index in range(turns.index, len(turns.items)):
        assign(frame, turns.loop.target, turns.items[index])
        code = read_body(frame, turns.loop.body)
        if type(code) is Exit:
            rest = Turns(turns.loop, turns.items, index + 1)
            rest_if_through(frame, code, [ast.copy_location(rest, turns.loop)], 0)
            return
        if code != THROUGH:
            return


def range_loop(frame, statement, items):
    """A loop on the graph, over numbers or rows: For, or While with a counter if the body exits."""
    if statement.orelse:
        raise errors.InvalidSyntax("A for with else needs a loop that Python can write out.")
    start, stop, step = items.start, items.stop, items.step
    check_bounds(start, stop, step)

    def bind(inner, i):
        if isinstance(items, _Rows):
            assign(inner, statement.target, operator(inner, "getitem", (items.tensor, i)))
            return
        scaled = i if step == 1 else operator(inner, "*", (i, step))
        assign(
            inner, statement.target, scaled if start == 0 else operator(inner, "+", (scaled, start))
        )

    count = turns(frame, start, stop, step)
    if has_exit(statement.body):
        _counted_while(frame, statement, count, bind)
    else:
        for_region(frame, statement, count, bind)


def check_bounds(*bounds):
    """MindSpore's error for range(tensor), which counts the arguments that were given."""
    given = bounds[1:] if bounds[0] == 0 and isinstance(bounds[0], int) else bounds
    for position, bound in enumerate(given):
        weak_int = isinstance(bound, Node) and getattr(bound.abstract, "weak", False)
        if not (isinstance(bound, int) or weak_int):
            shown = bound.abstract if isinstance(bound, Node) else repr(bound)
            raise errors.InvalidType(
                f"For 'make_range', the {position}th input should be a int scalar but got {shown}.",
                hint="Use `while` with a tensor counter, or pass the number as a Python int.",
            )


def turns(frame, start, stop, step):
    """How often a range runs: a number, or the node ``stop - start``; below 1 is no turn."""
    if not any(isinstance(b, Node) for b in (start, stop, step)):
        return len(range(start, stop, step))
    distance = stop if start == 0 else operator(frame, "-", (stop, start))
    if step != 1:
        raise errors.InvalidSyntax("A range with a step needs bounds known to Python.")
    return distance


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
