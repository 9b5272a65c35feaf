"""How does Python's syntax become the tree? Statement by statement, until every type is settled."""

import ast

from . import kinds
from .scope import Scope
from .tree import (
    Allocate,
    Assign,
    Constant,
    For,
    If,
    Size,
    Store,
    Tensor,
    Tree,
    Variable,
)
from .values import NUMBERS, Values

MOST_READINGS = 8
_ONE = Constant(1, int)


def read(source, inputs):
    """The Tree of a function for ``inputs``: per parameter a kind and how many axes.

    A number of Python's has a weak kind and no axes. NotCompiled, with its reason, where C cannot
    say what Python would do.
    """
    variables = {}
    for _ in range(MOST_READINGS):
        before = dict(variables)
        reading = Reading(source, inputs, variables)
        tree = reading.tree()
        if repr(before) == repr(variables):  # `float` equals float64
            return tree
    raise reading.scope.refused("the types of its variables do not settle", source.node)


class Reading:
    """One reading of the function, with the variables' kinds as the last one left them."""

    def __init__(self, source, inputs, variables):
        self.source, self.scope = source, Scope(source, variables)
        self.values = Values(self.scope)
        if len(source.args.args) != len(inputs):
            raise self.scope.refused("it takes `*args` or parameters by name only", source.node)
        self.inputs = [
            self._input(each.arg, *kind)
            for each, kind in zip(source.args.args, inputs, strict=True)
        ]
        self.results, self.several = None, False

    def _input(self, name, kind, rank):
        self.scope.assigned.add(name)
        if kinds.is_weak(kind):
            self.scope.variables[name] = kinds.joined(self.scope.variables.get(name, kind), kind)
            return Variable(name, kind)
        if not kinds.is_known(kind):
            raise self.scope.refused(f"`{name}` is {kinds.named(kind)}", self.source.node)
        made = self.scope.tensors[name] = Tensor(name, kind, rank, "input")
        return made

    def tree(self):
        """The whole function."""
        *body, last = self.source.body
        if not isinstance(last, ast.Return):
            raise self.scope.refused("it does not end with `return`", last)
        statements = self._block(body)
        names = last.value.elts if isinstance(last.value, ast.Tuple) else [last.value]
        found = [self.values.value(each) for each in names]
        if not all(isinstance(each, Tensor) for each in found):
            raise self.scope.refused("it returns a number", last)
        return Tree(
            self.source.name,
            tuple(self.inputs),
            statements,
            tuple([each.name for each in found]),
            isinstance(last.value, ast.Tuple),
            {n: k for n, k in self.scope.variables.items() if n not in self.scope.counters},
            dict(self.scope.tensors),
        )

    # statements -----------------------------------------------------------------------------------

    def _block(self, nodes):
        return tuple([each for node in nodes for each in self._statement(node)])

    def _statement(self, node):
        rule = getattr(self, f"_{type(node).__name__.lower()}", None)
        if rule is None:
            raise self.scope.refused(
                f"`{ast.unparse(node).splitlines()[0]}` has no counterpart in C", node
            )
        return rule(node)

    def _pass(self, _node):
        return []

    def _expr(self, node):
        if isinstance(node.value, ast.Constant):
            return []
        raise self.scope.refused(f"`{ast.unparse(node)}` does nothing", node)

    def _annassign(self, node):
        if node.value is None:
            raise self.scope.refused(f"`{ast.unparse(node)}` does nothing", node)
        return self._stored(node.target, node.value, node)

    def _assign(self, node):
        return self._stored(node.targets[0], node.value, node)

    def _stored(self, target, value, node):
        if isinstance(target, ast.Subscript):
            element = self.values.number(target)
            return [Store(element, self.values.number(value))]
        if isinstance(target, ast.Tuple):
            return self._unpacked(target, self.values.value(value), node)
        word = value.func.id if isinstance(value, ast.Call) else None
        if word in ("allocate", "output_tensor"):
            return self._allocated(target.id, value)
        return self._named(target.id, self.values.value(value), node)

    def _allocated(self, name, call):
        sizes = self.values.tuple(call.args[0])
        kind = self.values.dtype(call.args[1])
        if kind is None or not kinds.is_known(kind):
            raise self.scope.refused(f"`{ast.unparse(call.args[1])}` is no dtype of C's", call)
        self.scope.tensor(name, kind, sizes, call)
        return [Allocate(name, sizes, self.source.where(call))]

    def _named(self, name, value, node):
        """A name for a number, a tuple or a dtype; the latter two are known while reading."""
        if isinstance(value, Tensor) and value.rank == 0:
            value = self.values.number(node.value)
        if isinstance(value, NUMBERS):
            self.scope.number(name, value.kind, node)
            self.scope.remember(name, value)
            return [Assign(name, value, self.source.where(node))]
        if self.scope.times[name] > 1 or name in self.scope.assigned:
            raise self.scope.refused(f"`{name}` has several meanings", node)
        if not isinstance(value, tuple):
            if isinstance(value, Tensor):
                raise self.scope.refused(f"`{name}` would be a second name of a tensor", node)
            self.scope.dtypes[name] = value
            return []
        made, items = [], []
        for position, item in enumerate(value):
            if not isinstance(item, Constant | Size):  # calculated now, not where it is used
                if not isinstance(item, NUMBERS):
                    raise self.scope.refused(f"`{name}` holds more than numbers", node)
                inner = f"{name}_{position}"
                self.scope.number(inner, item.kind, node)
                made.append(Assign(inner, item, self.source.where(node)))
                item = Variable(inner, self.scope.variables[inner])
            items.append(item)
        self.scope.tuples[name] = tuple(items)
        return made

    def _unpacked(self, target, values, node):
        names = [each.id for each in target.elts if isinstance(each, ast.Name)]
        if not isinstance(values, tuple) or not len(values) == len(names) == len(target.elts):
            raise self.scope.refused(f"`{ast.unparse(node)}` does not fit", node)
        if not all(isinstance(value, Constant | Size) for value in values):
            raise self.scope.refused("only sizes are stored to several names at once", node)
        pairs = zip(names, values, strict=True)
        return [each for name, value in pairs for each in self._named(name, value, node)]

    def _augassign(self, node):
        sign = ast.BinOp(_loaded(node.target), node.op, node.value)
        value = ast.copy_location(sign, node)
        return self._stored(node.target, value, node)

    def _if(self, node):
        test = self.values.truth(node.test)
        before = set(self.scope.assigned)
        self.scope.depth += 1
        body = self._block(node.body)
        after = self.scope.assigned
        self.scope.assigned = set(before)
        orelse = self._block(node.orelse)
        self.scope.assigned &= after
        self.scope.depth -= 1
        return [If(test, body, orelse)]

    def _with(self, node):
        return list(self._block(node.body))

    # loops ----------------------------------------------------------------------------------------

    def _for(self, node):
        word = node.iter.func.id if isinstance(node.iter, ast.Call) else None
        if node.orelse or word is None:
            raise self.scope.refused(f"`{ast.unparse(node).splitlines()[0]}` is no loop of C", node)
        if word == "grid":
            return self._grid(node)
        return [self._counted(node, word)]

    def _counted(self, node, word):
        given = [self.values.integer(each) for each in node.iter.args]
        if word == "grid" or not 1 <= len(given) <= 3 or not isinstance(node.target, ast.Name):
            raise self.scope.refused(f"`{ast.unparse(node).splitlines()[0]}` is no loop of C", node)
        first = Constant(0, int) if len(given) == 1 else given[0]
        stop, step = given[min(len(given) - 1, 1)], given[2] if len(given) == 3 else _ONE
        return self._loop(node.target.id, (first, stop, step), word, node, lambda: self._block(
            node.body))  # fmt: skip

    def _grid(self, node):
        if len(node.iter.args) != 1:
            raise self.scope.refused("`grid` takes one tuple", node)
        extents, target = self.values.tuple(node.iter.args[0]), node.target
        if isinstance(target, ast.Name):
            names = [f"{target.id}_{axis}" for axis in range(len(extents))]
            if self.scope.times[target.id] > 1:
                raise self.scope.refused(f"`{target.id}` has several meanings", node)
            self.scope.tuples[target.id] = tuple([Variable(name, int) for name in names])
        else:
            names = [each.id for each in target.elts if isinstance(each, ast.Name)]
            if len(names) != len(extents):
                raise self.scope.refused(f"`{ast.unparse(target)}` does not fit the grid", node)
        return self._nested(names, extents, node)

    def _nested(self, names, extents, node):
        if not names:
            return list(self._block(node.body))
        bounds = (Constant(0, int), extents[0], _ONE)
        inner = lambda: tuple(self._nested(names[1:], extents[1:], node))  # noqa: E731
        return [self._loop(names[0], bounds, "grid", node, inner)]

    def _loop(self, name, bounds, word, node, body):
        self.scope.counter(name, *bounds, node)
        before = set(self.scope.assigned)
        self.scope.depth += 1
        made = body()
        self.scope.depth -= 1
        self.scope.assigned = before
        self.scope.done(name)
        return For(name, *bounds, word, made, self.source.where(node.iter))


def _loaded(target):
    """The place that is stored to, as a value."""
    text = ast.unparse(target)
    value = ast.parse(text, mode="eval").body
    for each in ast.walk(value):
        ast.copy_location(each, target)
    return value
