"""While and For: a loop's body as a region, and what it carries from turn to turn.

Carried: names that the body assigns and that exist before it. Their types are found by reading the
body until they stop changing. A While whose body may break or return carries its exit code too.
"""

import ast

from .. import errors
from ..infer import abstract_of, join
from ..ir import FOR, WHILE, unpacked
from .branches import as_type, call_it, zeros
from .frame import BREAK, CODE, CONTINUE, THROUGH, VALUE, Exit
from .operators import operator, truth_value
from .scope import align
from .statements import block
from .values import Unusable, cannot_join, put_together, take_apart, type_of

EXIT_CODE = "<exit>"  # the carried exit code; among the names, as CODE and VALUE are


def read_body(frame, body):
    """Read a loop's body once; continue has run through. The code, also in the frame."""
    frame.names[CODE] = THROUGH
    block(frame, body)
    code = frame.names[CODE] = without(frame, frame.code, CONTINUE)
    return code


def without(frame, code, gone):
    """The exit code where ``gone`` counts as having run through."""
    if type(code) is not Exit:
        return THROUGH if code == gone else code
    if gone not in code.possible:
        return code
    left = (code.possible - {gone}) | {THROUGH}
    if left == {THROUGH}:
        return THROUGH
    stays = operator(frame, "!=", (code.node, gone))
    return Exit(operator(frame, "*", (code.node, stays)), left)


def run_else(frame, statement):
    """The ``else`` of a loop that was not left by break."""
    if statement.orelse:
        block(frame, statement.orelse)


def has_exit(statements):
    """Whether a loop body contains break or return (not inside a nested function)."""
    waiting = list(statements)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Break | ast.Return):
            return True
        if isinstance(node, ast.For | ast.While):
            waiting.extend(n for n in node.body if has_return([n]))
        elif not isinstance(node, ast.FunctionDef | ast.Lambda):
            waiting.extend(c for c in ast.iter_child_nodes(node) if isinstance(c, ast.stmt))
    return False


def has_return(statements):
    """Whether a block contains return."""
    return any(isinstance(n, ast.Return) for s in statements for n in ast.walk(s))


def assigned(statements):
    """Names that a block may assign, in order of appearance."""
    found = {}
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found[node.id] = None
    return list(found)


class Carried:
    """The names a loop carries, as types of leaves; grown and widened until the body keeps them."""

    def __init__(self, frame, names):
        self.frame, self.names, self.starts = frame, {}, {}
        for name in names:
            if name in frame.names and not isinstance(frame.names[name], Unusable):
                self.include(name, frame.names[name])

    def include(self, name, value):
        """Carry ``name``, starting as ``value``."""
        leaves = []
        tree = take_apart(value, leaves)
        self.names[name], self.starts[name] = [tree, [type_of(v) for v in leaves]], leaves

    def parameters(self, frame):
        """Make a region's parameters and give the names their values in it; how many they are."""
        for name, (tree, kinds) in self.names.items():
            made = [frame.scope.graph.add_parameter(k, name) for k in kinds]
            frame.names[name] = put_together(tree, iter(made))
        return sum(len(kinds) for _, kinds in self.names.values())

    def start_nodes(self):
        """The values before the first turn."""
        return [
            as_type(self.frame, value, kind)
            for name, (_, kinds) in self.names.items()
            for value, kind in zip(self.starts[name], kinds, strict=True)
        ]

    def agree(self, inner):
        """Whether the body's results have the carried types; widens what can be widened."""
        stable = True
        for name, entry in self.names.items():
            after = self._leaves_after(name, entry[0], inner)
            for index, value in enumerate(after):
                before, kind = entry[1][index], type_of(value)
                wide = join(before, kind)
                if wide is None:
                    raise cannot_join(before, kind, f"'{name}' before and after a turn of the loop")
                stable &= wide is before
                entry[1][index] = wide
        return stable

    def _leaves_after(self, name, tree, inner):
        value = inner.names[name]
        if isinstance(value, Unusable):
            raise value.error
        leaves = []
        if take_apart(value, leaves) != tree:
            raise errors.InvalidType(
                f"'{name}' is built differently after a turn of the loop.",
                hint="Keep tuples and lists the same length, "
                "and give a value other than None first.",
            )
        return leaves

    def results(self, inner):
        """The body's results as nodes of the carried types."""
        nodes = []
        for name, (tree, kinds) in self.names.items():
            after = self._leaves_after(name, tree, inner)
            nodes += [as_type(inner, v, k) for v, k in zip(after, kinds, strict=True)]
        return nodes

    def finish(self, results):
        """Give the names their values behind the loop."""
        results = iter(results)
        for name, (tree, _) in self.names.items():
            self.frame.names[name] = put_together(tree, results)
            call_it(name, self.frame.names[name])


def while_region(frame, statement, test, body, extra=()):
    """Build While: ``test`` and ``body`` read their part in the frame of a region."""
    exits = has_exit(statement.body)
    before = frame.code
    carried = Carried(frame, [*extra, *assigned(statement.body)])
    if exits:
        carried.include(EXIT_CODE, THROUGH)
    value = None
    while True:
        tester, worker = _regions(frame, ("test", "body"))
        count = carried.parameters(tester)
        carried.parameters(worker)
        go = _go_on(tester, test, exits)
        worker.names[CODE] = THROUGH
        body(worker)
        grown = exits and _carry_exit(carried, worker)
        if carried.agree(worker) and not grown:
            break
    value = _close_while(frame, carried, (tester, worker), go, count)
    _after(frame, statement, value, before, exits)


def _regions(frame, words):
    where = frame.source.where(frame.current)
    return [frame.fork(frame.scope.child(word, where), frame.path.copy()) for word in words]


def _go_on(tester, test, exits):
    where = tester.current
    go = test(tester)
    if not exits and go is True:
        tester.current = where
        raise errors.InvalidSyntax(
            "This while loop never ends.", hint="Change what its test reads."
        )
    if not exits:
        return tester.node(go)
    through = operator(tester, "==", (tester.names[EXIT_CODE], THROUGH))
    return tester.node(truth_value(tester, operator(tester, "&", (through, go))))


def _carry_exit(carried, worker):
    """Put the exit code, and what return gave, among the carried values. True if they are new."""
    code = worker.code
    worker.names[EXIT_CODE] = code.node if isinstance(code, Exit) else code
    value = worker.names.get(VALUE, Unusable(None))
    if VALUE in carried.names or isinstance(value, Unusable):
        return False
    carried.include(VALUE, value)
    carried.starts[VALUE] = [zeros(carried.frame, type_of(v)) for v in carried.starts[VALUE]]
    return True


def _close_while(frame, carried, regions, go, count):
    tester, worker = regions
    tester.scope.graph.returns(go)
    worker.scope.graph.returns(*carried.results(worker))
    captured = align([tester.scope, worker.scope], count)
    operands = [*carried.start_nodes(), *worker.scope.operands(captured)]
    graphs = [tester.scope.graph, worker.scope.graph]
    node = frame.add(WHILE, operands, {"carried": count}, graphs)
    carried.finish(unpacked(frame.scope.graph, node))
    return worker.code


def _after(frame, statement, code, before, exits):
    """The code that the outside sees: break is over; return is handed on."""
    frame.names[CODE] = before
    if not exits:
        return run_else(frame, statement)
    if statement.orelse:
        raise errors.InvalidSyntax("A loop left by break on a tensor cannot have an else.")
    exit_code = frame.names.pop(EXIT_CODE)
    possible = code.possible if isinstance(code, Exit) else {code, THROUGH}
    frame.names[CODE] = without(frame, Exit(exit_code, possible), BREAK)
    return None


def for_region(frame, statement, count, bind):
    """Build For: ``bind`` gives the loop's target its value for turn i."""
    names = assigned([statement])
    before = frame.code
    carried = Carried(frame, names)
    while True:
        (worker,) = _regions(frame, ("body",))
        turn = worker.scope.graph.add_parameter(abstract_of(0), "i")
        number = carried.parameters(worker)
        bind(worker, turn)
        read_body(worker, statement.body)
        if carried.agree(worker):
            break
    worker.scope.graph.returns(*carried.results(worker))
    captured = align([worker.scope], number + 1)
    operands = [count, *carried.start_nodes(), *worker.scope.operands(captured)]
    attrs = {"carried": number, "scanned": 0, "reverse": False}
    if number:
        node = frame.add(FOR, operands, attrs, [worker.scope.graph])
        carried.finish(unpacked(frame.scope.graph, node))
    frame.names[CODE] = before
