"""Random small graphs with regions and calls, and a walker that computes them with NumPy.

The walker is the meaning the tests compare with: it knows nothing of passes or backends.
"""

import numpy as np

from ms_ext import ops
from ms_ext.dtype import bool_, float32, float64, int8, int32, int64
from ms_ext.engine import primitive
from ms_ext.engine.infer import KEPT, AbstractStack, AbstractTensor
from ms_ext.engine.ir import (
    CALL,
    FOR,
    IF,
    MAKE_TUPLE,
    TUPLE_GET_ITEM,
    WHILE,
    ControlPrimitive,
    FuncGraph,
    unpacked,
)

MATRIX, ROW = AbstractTensor(float32, (2, 3)), AbstractTensor(float32, (3,))
WHOLE, SMALL = AbstractTensor(int32, (2, 3)), AbstractTensor(int8, (3,))
TRUTH = AbstractTensor(bool_, ())
NUMBER, COUNT = AbstractTensor(float64, (), True), AbstractTensor(int64, (), True)
TYPES = [MATRIX, ROW, WHOLE, SMALL, NUMBER, COUNT]
CONSTANTS = [0, 1, -1, 2, 1.0, 0.0, -0.0, 2.5]
BINARY = [ops.Add, ops.Sub, ops.Mul, ops.Maximum, ops.Minimum]
UNARY = [ops.Neg, ops.Abs, ops.ReLU, ops.Floor]
NEUTRAL = [(ops.Add, 0), (ops.Mul, 1), (ops.Add, -0.0), (ops.Sub, 0), (ops.Div, 1), (ops.Pow, 1)]


# a generator --------------------------------------------------------------------------------------


def random_graph(seed, size=14, regions=True):
    """A verified graph with about ``size`` calls in its outermost scope, and arguments for it."""
    rng = np.random.default_rng(seed)
    graph = FuncGraph(f"random_{seed}")
    kinds = [MATRIX, MATRIX, WHOLE, TRUTH, *_some(rng, TYPES, 3)]
    known = [graph.add_parameter(kind, f"p{i}") for i, kind in enumerate(kinds)]
    _Scope(graph, rng, known, 2 if regions else 0).fill(size)
    return graph, [argument(rng, kind) for kind in kinds]


def argument(rng, kind):
    """A value of a type."""
    if kind.weak:
        return {"int": int, "float": float}[kind.dtype.kind](rng.integers(-3, 4))
    values = rng.integers(-3, 4, kind.shape) * (0.5 if kind.dtype.kind == "float" else 1)
    return np.asarray(values).astype(kind.dtype.numpy)


class _Scope:
    """One graph being filled: known nodes, and how deep regions may still go."""

    def __init__(self, graph, rng, known, depth):
        self.graph, self.rng, self.known, self.depth = graph, rng, list(known), depth

    def fill(self, size):
        for _ in range(size):
            self.known.extend(self.grow())
        found = [n for n in self.known if n.kind == "call"] or self.known
        self.graph.returns(*_some(self.rng, found, 3), self.rng.choice(self.known))

    def grow(self):
        makers = [self.calls] * 6 + [self.idiom] * 4 + [self.shapes, self.chosen]
        if self.depth:
            makers += [self.branch, self.loop, self.turns, self.called]
        return makers[self.rng.integers(len(makers))]()

    def node(self, kind=None):
        """A known node, one of a type if it is given; constants among them."""
        found = [
            n for n in self.known if kind in (None, n.abstract) and hasattr(n.abstract, "dtype")
        ]
        if kind is None and self.rng.random() < 0.25:
            return self.graph.constant(CONSTANTS[self.rng.integers(len(CONSTANTS))])
        if kind is None and self.rng.random() < 0.1:
            return self.graph.constant(np.full((2, 3), self.rng.integers(2), np.float32))
        return found[self.rng.integers(len(found))]

    def numbers(self):
        node = self.node()
        return node if node.dtype.kind != "bool" else self.node(MATRIX)

    def calls(self):
        op = (BINARY + UNARY)[self.rng.integers(len(BINARY + UNARY))]
        return [self.graph.add(op, [self.numbers() for _ in range(op.arity)])]

    def idiom(self):
        """What passes look for."""
        x, y, add = self.numbers(), self.numbers(), self.graph.add
        made = [
            lambda: add(ops.Add, [x, add(ops.Neg, [y])]),
            lambda: add(ops.Add, [add(ops.Neg, [x]), y]),
            lambda: add(ops.Neg, [add(ops.Neg, [x])]),
            lambda: add(ops.Add, [add(ops.Mul, [x, y]), add(ops.Mul, [x, y])]),
            lambda: add(ops.Maximum, [x, x]),
            *[lambda op=op, k=k: add(op, [x, self.graph.constant(k)]) for op, k in NEUTRAL],
            *[lambda op=op, k=k: add(op, [self.graph.constant(k), x]) for op, k in NEUTRAL[:3]],
        ]
        return [made[self.rng.integers(len(made))]()]

    def shapes(self):
        made, x = self.graph, self.node(MATRIX)
        first = made.add(ops.Transpose, [x], {"perm": (1, 0)})
        flat = made.add(ops.Reshape, [first], {"shape": (-1,)})
        same = made.add(ops.Cast, [x], {"dtype": float32})
        return [
            same,
            made.add(ops.Transpose, [first], {"perm": None}),
            made.add(ops.Reshape, [flat], {"shape": (2, 3)}),
        ]

    def chosen(self):
        x, y = self.node(MATRIX), self.node(MATRIX)
        return [self.graph.add(ops.Select, [self.graph.add(ops.Less, [x, y]), x, y])]

    def same(self, kind):
        """A new or known node of this type."""
        node = self.node(kind)
        if kind.dtype.kind == "bool" or self.rng.random() < 0.3:
            return node
        op = (BINARY + [ops.Neg])[self.rng.integers(len(BINARY) + 1)]
        return self.graph.add(op, [node, *[self.node(kind)] * (op.arity - 1)])

    def operands(self):
        nodes = [self.numbers() for _ in range(3)]
        return [self.node(MATRIX), self.node(WHOLE), self.node(TRUTH), *nodes]

    def region(self, name, kinds, results, size=4):
        """A graph with these parameters that returns these types."""
        graph = FuncGraph(name)
        known = [graph.add_parameter(kind, f"{name}{i}") for i, kind in enumerate(kinds)]
        inner = _Scope(graph, self.rng, known, self.depth - 1)
        for _ in range(int(self.rng.integers(size)) if MATRIX in kinds else 0):
            inner.known.extend(inner.grow())
        graph.returns(*[inner.same(kind) for kind in results])
        return graph

    def branch(self):
        test = (
            self.node(TRUTH)
            if self.rng.random() < 0.7
            else self.graph.constant(bool(self.rng.integers(2)))
        )
        operands = self.operands()
        kinds = [n.abstract for n in operands]
        results = _some(self.rng, kinds, int(self.rng.integers(1, 4)))
        arms = [self.region(name, kinds, results) for name in ("yes", "no")]
        return unpacked(self.graph, self.graph.add(IF, [test, *operands], None, arms))

    def loop(self):
        """A While that counts down from a small number."""
        operands = [self.graph.constant(int(self.rng.integers(3))), *self.operands()]
        operands[0] = self.graph.add(ops.Cast, operands[:1], {"dtype": int64})
        kinds, carried = [n.abstract for n in operands], int(self.rng.integers(1, 4))
        test, body = self.region("test", kinds, []), self.region("body", kinds, kinds[1:carried])
        test.returns(test.add(ops.Greater, [test.parameters[0], test.constant(0)]))
        left = body.add(ops.Sub, [body.parameters[0], body.constant(1)])
        body.returns(left, *body.outputs)
        node = self.graph.add(WHILE, operands, {"carried": carried}, (test, body))
        return unpacked(self.graph, node)

    def turns(self):
        """A For that stacks a value, and one that scans the stack, perhaps backwards."""
        times = self.graph.constant(int(self.rng.integers(1, 4)))
        operands = [times, *self.operands()]
        kinds = [n.abstract for n in operands]
        body = self.region("body", kinds, [MATRIX, WHOLE, MATRIX])
        first = self.graph.add(FOR, operands, {"carried": 2, "scanned": 0}, (body,))
        x, y, stack = unpacked(self.graph, first)
        kinds = [COUNT, MATRIX, MATRIX, WHOLE, TRUTH]
        second = self.region("scan", kinds, [MATRIX])
        attrs = {"carried": 1, "scanned": 1, "reverse": bool(self.rng.integers(2))}
        return [x, y, self.graph.add(FOR, [times, x, stack, y, self.node(TRUTH)], attrs, (second,))]

    def called(self):
        """Two calls of one graph."""
        operands = self.operands()
        kinds = [n.abstract for n in operands]
        callee = self.region("callee", kinds, _some(self.rng, kinds, 2))
        made = [self.graph.add(CALL, operands, None, (callee,)) for _ in range(2)]
        return [n for call in made for n in unpacked(self.graph, call)]


def _some(rng, items, count):
    return [items[i] for i in rng.integers(len(items), size=count)]


# a walker -----------------------------------------------------------------------------------------


def evaluate(graph, arguments):
    """The results of a graph, by NumPy, node by node."""
    value = {p: fit(a, p.abstract) for p, a in zip(graph.parameters, arguments, strict=True)}
    value |= {c: fit(c.value, c.abstract) for c in graph.constants.values()}
    for node in graph.order():
        found = _CONTROL.get(node.primitive, _call)(node, [value[n] for n in node.inputs])
        value[node] = fit(found, node.abstract)
    return tuple(value[n] for n in graph.outputs)


def fit(value, kind):
    """A value in the representation of its type."""
    if kind is KEPT or value is None:
        return value
    if isinstance(value, tuple):
        return tuple(map(fit, value, kind.items))
    if isinstance(kind, AbstractStack):
        return [fit(v, kind.item) for v in value]
    return np.asarray(value).astype(kind.dtype.numpy).reshape(kind.shape)


def _call(node, values):
    if isinstance(node.primitive, ControlPrimitive):
        return node.primitive.run(node)(*values)
    kinds = [n.abstract for n in node.inputs]
    compute = primitive.compute_cast(node.primitive, kinds, node.abstract, node.attributes)
    with np.errstate(all="ignore"):
        return compute(*values)


def _one(results):
    return results[0] if len(results) == 1 else tuple(results)


def _if(node, values):
    taken = node.graphs[0 if bool(values[0]) else 1]
    return _one(evaluate(taken, values[1:]))


def _while(node, values):
    test, body = node.graphs
    carried = node.attrs["carried"]
    values, stacks = list(values), [[] for _ in body.outputs[carried:]]
    for _ in range(100):
        if not bool(evaluate(test, values)[0]):
            return _one([*values[:carried], *stacks])
        results = evaluate(body, values)
        values[:carried] = results[:carried]
        for stack, result in zip(stacks, results[carried:], strict=True):
            stack.append(result)
    raise AssertionError("a loop of a random graph does not end")


def _for(node, values):
    (body,), times = node.graphs, int(values[0])
    carried, scanned = node.attrs["carried"], node.attrs["scanned"]
    state, rest = values[1 : 1 + carried], values[1 + carried :]
    turns = range(times)
    stacks = [[None for _ in turns] for _ in body.outputs[carried:]]
    for i in reversed(turns) if node.attrs.get("reverse") else turns:
        results = evaluate(body, [i, *state, *[s[i] for s in rest[:scanned]], *rest[scanned:]])
        state = results[:carried]
        for stack, result in zip(stacks, results[carried:], strict=True):
            stack[i] = result
    return _one([*state, *stacks])


_CONTROL = {
    IF: _if,
    WHILE: _while,
    FOR: _for,
    CALL: lambda node, values: _one(evaluate(node.graphs[0], values)),
    MAKE_TUPLE: lambda node, values: tuple(values),
    TUPLE_GET_ITEM: lambda node, values: values[0][node.attrs["index"]],
}


def same_bits(one, other):
    """Whether results are equal, NaN for NaN and -0.0 for -0.0."""
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same_bits, one, other))
    if one.dtype != other.dtype or not np.array_equal(one, other, equal_nan=one.dtype.kind == "f"):
        return False
    signs = np.signbit(one) == np.signbit(other) if one.dtype.kind == "f" else np.True_
    return bool(np.all(signs | (one != one)))
