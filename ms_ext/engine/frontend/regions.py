"""While and For: a loop's body as a region, and what it carries from turn to turn.

Carried: names that the body assigns and that exist before it. Their types are found by reading the
body until they stop changing. A While whose body may break or return carries its exit code too.
"""

from .. import errors
from ..infer import STATE, abstract_of, join
from ..ir import FOR, WHILE, unpacked
from .bodies import assigned, has_exit
from .branches import call_it
from .frame import BREAK, CODE, CONTINUE, THROUGH, VALUE, Exit
from .joining import as_type, zeros
from .names import touched
from .operators import operator, truth_value
from .scope import align
from .statements import block
from .unsupported import needs_turns
from .values import Unusable, cannot_join, put_together, same_constant, take_apart, type_of

EXIT_CODE = "<exit>"  # the carried exit code; among the names, as CODE and VALUE are


def read_body(frame, body):
    """Read a loop's body once; continue has run through. The code, also in the frame."""
    frame.names[CODE] = THROUGH
    frame.reader.count_turn(frame)
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


def refilled(frame, inner):
    """Names of lists and dicts that the body changed (a region has copies of its own)."""
    for name in touched(inner.names):
        value = frame.names.get(name)
        if type(value) in (list, dict, tuple) and not _same(value, inner.names[name]):
            yield name


def _same(one, other):
    leaves = [], []
    trees = [take_apart(value, into) for value, into in zip((one, other), leaves, strict=True)]
    return trees[0] == trees[1] and all(map(same_constant, *leaves))


class Carried:
    """The names a loop carries, as types of leaves; grown and widened until the body keeps them."""

    def __init__(self, frame, names, written=()):
        self.frame, self.names, self.starts, self.written = frame, {}, {}, written
        for name in names:
            value = frame.recall(name)
            if not isinstance(value, Unusable):
                self.include(name, value)

    def include_written(self, *inner):
        """Carry what the regions wrote to, and names that got a new tensor; whether that is new."""
        names = self.frame.names
        keys = [n for n in self.written if any(f.names[n] is not names[n] for f in inner)]
        keys += [name for frame in inner for name in refilled(self.frame, frame)]
        keys += self.frame.written_inside(*inner)
        keys = [key for key in keys if key not in self.names]
        for key in keys:
            self.include(key, self.frame.recall(key))
        return bool(keys)

    def include(self, name, value):
        """Carry ``name`` (or what is written to), starting as ``value``."""
        leaves = []
        tree = take_apart(value, leaves)
        self.names[name], self.starts[name] = [tree, [type_of(v) for v in leaves]], leaves

    def parameters(self, frame):
        """Make a region's parameters and give the names their values in it; how many they are."""
        for name, (tree, kinds) in self.names.items():
            word = name if type(name) is str else getattr(name, "name", None) or "state"
            made = [frame.scope.graph.add_parameter(k, word) for k in kinds]
            frame.store(name)[name] = put_together(tree, iter(made))
        return sum(len(kinds) for _, kinds in self.names.values())

    def start_nodes(self):
        """The values before the first turn, as nodes of the carried types."""
        made = {
            name: self._of_types(self.frame, self.starts[name], self.names[name][1])
            for name in self.names
            if name is not STATE
        }
        if STATE in self.names:  # last: what was made before may have asked Python
            made[STATE] = [self.frame.recall(STATE)]
        return [node for name in self.names for node in made[name]]

    def agree(self, inner):
        """Whether the body's results have the carried types; widens what can be widened."""
        stable = True
        for name, entry in self.names.items():
            after = self._leaves_after(name, entry[0], inner)
            for index, value in enumerate(after):
                before, kind = entry[1][index], type_of(value)
                wide = join(before, kind)
                if wide is None:
                    raise cannot_join(before, kind, f"'{name}' in a loop: ")
                stable &= wide is before
                entry[1][index] = wide
        return stable

    def _leaves_after(self, name, tree, inner):
        value = inner.recall(name)
        if isinstance(value, Unusable):
            raise value.error
        leaves = []
        if take_apart(value, leaves) != tree:
            raise needs_turns(
                errors.InvalidType(
                    f"'{name}' is built differently after a turn of the loop.",
                    hint="Keep tuples and lists the same length, "
                    "and give a value other than None first.",
                )
            )
        return leaves

    def results(self, inner):
        """The body's results as nodes of the carried types; None if making them wrote to more."""
        made = {}
        for name, (tree, kinds) in self.names.items():
            if name is not STATE:
                made[name] = self._of_types(inner, self._leaves_after(name, tree, inner), kinds)
        if self.include_written(inner):
            return None
        made[STATE] = [inner.recall(STATE)] if STATE in self.names else []
        return [node for name in self.names for node in made[name]]

    def _of_types(self, frame, values, kinds):
        return [as_type(frame, value, kind) for value, kind in zip(values, kinds, strict=True)]

    def finish(self, results):
        """Give the names their values behind the loop."""
        results = iter(results)
        for name, (tree, _) in self.names.items():
            value = self.frame.store(name)[name] = put_together(tree, results)
            call_it(name, value)


def while_region(frame, statement, test, body, extra=()):
    """Build While: ``test`` and ``body`` read their part in the frame of a region.

    False, and nothing is built, if the test has an effect: a While's test has none.
    """
    exits = has_exit(statement.body)
    before = frame.code
    names, written = assigned(frame, statement.body)
    carried = Carried(frame, [*extra, *names], written)
    if exits:
        carried.include(EXIT_CODE, THROUGH)
    value = None
    while True:
        tester, worker = _regions(frame, ("test", "body"))
        count = carried.parameters(tester)
        carried.parameters(worker)
        kept = dict(tester.memory)
        go = _go_on(tester, test, exits)
        if any(value is not kept.get(key) for key, value in tester.memory.items()):
            return False
        worker.names[CODE] = THROUGH
        body(worker)
        grown = exits and _carry_exit(carried, worker)
        grown |= carried.include_written(worker)
        results = None if grown or not carried.agree(worker) else carried.results(worker)
        if results is not None:
            break
    value = _close_while(frame, carried, (tester, worker), (go, results), count)
    _after(frame, value, before, exits)
    return True


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


def _close_while(frame, carried, regions, returned, count):
    tester, worker = regions
    tester.scope.graph.returns(returned[0])
    worker.scope.graph.returns(*returned[1])
    captured = align([tester.scope, worker.scope], count)
    operands = [*carried.start_nodes(), *worker.scope.operands(captured)]
    graphs = [tester.scope.graph, worker.scope.graph]
    node = frame.add(WHILE, operands, {"carried": count}, graphs)
    carried.finish(unpacked(frame.scope.graph, node))
    return worker.code


def _after(frame, code, before, exits):
    """The code that the outside sees: break is over; return is handed on."""
    frame.names[CODE] = before
    if not exits:
        return
    exit_code = frame.names.pop(EXIT_CODE)
    possible = code.possible if isinstance(code, Exit) else {code, THROUGH}
    frame.names[CODE] = without(frame, Exit(exit_code, possible), BREAK)


def for_region(frame, statement, count, bind):
    """Build For: ``bind`` gives the loop's target its value for turn i."""
    before = frame.code
    carried = Carried(frame, *assigned(frame, [statement]))
    while True:
        (worker,) = _regions(frame, ("body",))
        turn = worker.scope.graph.add_parameter(abstract_of(0), "i")
        number = carried.parameters(worker)
        bind(worker, turn)
        read_body(worker, statement.body)
        grown = carried.include_written(worker)
        results = None if grown or not carried.agree(worker) else carried.results(worker)
        if results is not None:
            break
    worker.scope.graph.returns(*results)
    captured = align([worker.scope], number + 1)
    operands = [count, *carried.start_nodes(), *worker.scope.operands(captured)]
    attrs = {"carried": number, "scanned": 0, "reverse": False}
    if number:
        node = frame.add(FOR, operands, attrs, [worker.scope.graph])
        carried.finish(unpacked(frame.scope.graph, node))
    frame.names[CODE] = before
