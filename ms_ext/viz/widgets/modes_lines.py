"""What became of each line? Goes through the statements of all functions that were read."""

import ast
import types

from ...engine.frontend.frame import has_node
from ...engine.frontend.values import Closure
from ...engine.ir import Node
from ..panel.sources import is_library
from . import modes_rows as rows
from .modes_reading import is_data
from .modes_rows import Item
from .modes_values import CAUSES, Cause, baked, because, causes_in, parts, several, shown


class Lines:
    """The items of every line, (file, line) -> list of Item, and all causes of baked values."""

    def __init__(self, watch, graph=None, error=None):
        self.watch, self.error = watch, error
        self.items, self.left, self.causes = {}, set(), {}
        self.loops = rows.loops(graph) if graph is not None else set()
        self.sources = [each for each in watch.sources.values() if not is_library(each.file)]
        for source in self.sources if watch.told else ():
            body = source.node.body
            self._block(source, body if isinstance(body, list) else [body], "")
        for at, item in rows.of_graph(graph) if graph is not None else ():
            self.add(*at, item)
        self._arguments()
        if error is not None and error.where is not None:
            words = "\n".join(filter(None, [str(error).partition("\n")[0], error.hint]))
            self.add(error.where.file, error.where.line, Item("refused", "", words))

    def add(self, file, line, item):
        """One more thing that a line became; equal ones are told once."""
        items = self.items.setdefault((file, line), [])
        if item not in items:
            items.append(item)

    def blocks(self):
        """The Blocks, the outermost function first."""
        spans = {id(each): (each.file, *_span(each)) for each in self.sources}
        outer = [each for each in self.sources if not _is_inside(spans[id(each)], spans.values())]
        return [rows.block(each, *_span(each), self.items, self.left) for each in outer]

    def _arguments(self):
        """The outermost function's own line: its inputs and its constants."""
        source = self.watch.outermost
        for name, value in self.watch.arguments.items() if source else ():
            line = source.start + source.node.lineno - 1
            if isinstance(value, Node):
                self.add(source.file, line, Item("input", rows.typed(name, value), "an input"))
            elif is_data(value):
                self.add(
                    source.file, line, Item("constant", f"{name} = {shown(value)}", "baked in")
                )

    # statements -----------------------------------------------------------------------------------

    def _block(self, source, statements, why):
        """Items of a block; ``why`` one that is not reached was left out."""
        for statement in statements:
            if self._reached(source, statement):
                self._statement(source, statement)
                why = "the function has returned" if self._leaves(source, statement) else why
            elif not _is_text(statement):
                self._leave_out(source, statement, why)

    def _reached(self, source, node):
        within = (each for each in ast.walk(node) if hasattr(each, "lineno"))
        return any(self.watch.at(source, each) for each in within)

    def _leaves(self, source, statement):
        within = (each for each in ast.walk(statement) if isinstance(each, ast.Return | ast.Raise))
        return any(self.watch.at(source, each) for each in within)

    def _leave_out(self, source, statement, why):
        first, last = _lines(source, statement)
        stopped = self.error.where.line if self.error is not None and self.error.where else None
        if stopped is not None and first <= stopped <= last:
            return
        self.left.update((source.file, line) for line in range(first, last + 1))
        if not why and stopped is not None:
            why = f"reading stopped at line {stopped}"
        self.add(source.file, first, Item("left", "", f"not read: {why or 'nobody calls it'}"))

    def _statement(self, source, statement):
        if isinstance(statement, ast.If | ast.While):
            self._tested(source, statement)
        elif isinstance(statement, ast.For):
            self._loop(source, statement)
        elif isinstance(statement, ast.FunctionDef):
            self._block(source, statement.body, "")
        else:
            self._expressions(source, statement)
            if isinstance(statement, ast.With):
                self._block(source, statement.body, "")

    def _tested(self, source, statement):
        truths = self._known(source, statement.test)
        if truths is None:
            self._expressions(source, statement.test)
            self._block(source, statement.body, "")
            return self._block(source, statement.orelse, "")
        test, turns = ast.unparse(statement.test), f"{_counted(sum(truths), 'turn')} written out"
        is_loop = isinstance(statement, ast.While)
        self._decided(source, statement.test, turns if is_loop else "decided once")
        self._block(source, statement.body, f"{test} is {shown(truths[-1])}")
        self._block(source, statement.orelse, f"{test} is {shown(truths[-1])}")
        return self._else(source, statement)

    def _else(self, source, statement):
        """The line of an ``else`` that is left out goes with its branch."""
        if statement.orelse and not self._reached(source, statement.orelse[0]):
            last = _lines(source, statement.body[-1])[1]
            first = _lines(source, statement.orelse[0])[0]
            self.left.update((source.file, line) for line in range(last + 1, first))

    def _loop(self, source, statement):
        self._expressions(source, statement.iter)
        self._block(source, statement.body, "the loop has no turn")
        self._block(source, statement.orelse, "the loop was left by break")
        read, line = self.watch.at(source, statement.iter), _lines(source, statement)[0]
        values = read.values[0] if read and read.values else None
        if hasattr(values, "__len__") and (source.file, line) not in self.loops:
            words = f"{_counted(len(values), 'turn')} written out, one after the other"
            self.add(source.file, line, Item("decided", "", words))

    # expressions ----------------------------------------------------------------------------------

    def _expressions(self, source, node):
        """What was baked into an expression, which sides were chosen, what was read in place."""
        choices = [e for e in _inside(node) if isinstance(e, ast.IfExp)]
        known = [e.test for e in choices if self._known(source, e.test) is not None]
        for test in known:
            self._decided(source, test, "one side only is read")
        whole = None if isinstance(node, ast.Return) else _whole(node)
        for each in baked(self.watch, source, node):
            if each.node not in known and not isinstance(node, ast.AugAssign):
                self._baked(source, each, "worked" if each.node is whole else "baked")
        if isinstance(node, ast.AugAssign):
            self._augmented(source, node)
        for each in _inside(node):
            if isinstance(each, ast.Call):
                self._read_in_place(source, each)
                self._called(source, each)

    def _baked(self, source, found, kind):
        self._keep(found.causes)
        self.add(source.file, _lines(source, found.node)[0], Item(kind, found.code, found.words))

    def _augmented(self, source, node):
        """``n += 1``: what n is from here on, if Python knows; else what was baked into it."""
        made = self.watch.at(source, ast.copy_location(ast.BinOp(), node))
        if made is None or not made.folded:
            for each in baked(self.watch, source, ast.Expr(node.value)):
                self._baked(source, each, "baked")
            return
        causes = causes_in(self.watch, source, node)
        self._keep(causes)
        code = f"{ast.unparse(node.target)} = {several(made.values)}"
        self.add(source.file, _lines(source, node)[0], Item("worked", code, because(causes, "")))

    def _called(self, source, call):
        """A call for its effect on something from outside, as seen.append(1)."""
        read = self.watch.at(source, call)
        effect = read is not None and read.cause == "called" and read.values[0] is None
        if effect and any(CAUSES[c.kind][1] for c in causes_in(self.watch, source, call.func)):
            cause = Cause("called", ast.unparse(call), "None")
            self._keep([cause])
            words = CAUSES[cause.kind][0]
            self.add(source.file, _lines(source, call)[0], Item("worked", cause.code, words))

    def _read_in_place(self, source, call):
        read = self.watch.at(source, call.func)
        function = read.values[-1] if read and read.values else None
        function = getattr(function, "__func__", getattr(function, "function", function))
        if isinstance(function, Closure):
            name = function.source.name
        elif isinstance(function, types.FunctionType) and not is_library(
            function.__code__.co_filename
        ):
            name = function.__name__
        else:
            return
        words = f"{name} is read in place"
        self.add(source.file, _lines(source, call)[0], Item("read", "", words))

    def _known(self, source, test):
        """The truths of a test that Python knew; None if the graph decides."""
        read = self.watch.at(source, test)
        if read is None or not read.values or has_node(read.values):
            return None
        try:
            return [bool(each) for each in read.values]
        except Exception:  # an object that is neither true nor false
            return None

    def _decided(self, source, test, words):
        causes, whole = causes_in(self.watch, source, test), ast.unparse(test)
        self._keep(causes)
        code = f"{whole} is {several(self.watch.at(source, test).values)}"
        said = ", ".join(filter(None, [because(causes, whole), words]))
        self.add(source.file, _lines(source, test)[0], Item("decided", code, said))

    def _keep(self, causes):
        for cause in causes:
            if CAUSES[cause.kind][1]:
                self.causes.setdefault(cause.kind, {})[cause.code] = cause.values


def _lines(source, node):
    return node.lineno + source.start - 1, node.end_lineno + source.start - 1


def _span(source):
    """The first and the last line of a function, decorators included."""
    first, last = _lines(source, source.node)
    return (source.start if isinstance(source.node, ast.FunctionDef) else first), last


def _is_inside(span, others):
    file, first, last = span
    return any(
        (file, first, last) != other and other[0] == file and other[1] <= first <= last <= other[2]
        for other in others
    )


def _inside(node):
    """A piece of syntax and the expressions in it."""
    yield node
    for each in parts(node):
        yield from _inside(each)


def _whole(statement):
    """The expression that is all that a statement works out."""
    return getattr(statement, "test", None) or getattr(statement, "value", None)


def _is_text(statement):
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _counted(number, noun):
    return f"{number} {noun}{'s' * (number != 1)}"
