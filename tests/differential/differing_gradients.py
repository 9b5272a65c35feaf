"""Take a program's gradients in every way they can be taken, and against differences.

A program's text is followed by ``first``, its value and gradient by three arguments and two
Parameters, and ``second``, the value and gradient of a weighed sum of all those gradients.
"""

import re

import numpy as np
from differing import BACKENDS, answer, compiled_text, difference, differs, leaves
from smooth_writer import SmoothWriter, structure

import ms_ext as ms
from ms_ext.engine import pipeline
from ms_ext.engine.backends.reference import evaluate
from ms_ext.engine.ir import verify
from ms_ext.engine.jit import parse
from ms_ext.engine.quiet import quietly

NAMES = ", ".join([*SmoothWriter.profile.arguments, *SmoothWriter.profile.numbers])
SHAPES = {**SmoothWriter.profile.arguments, **SmoothWriter.profile.weights}
SHAPES = {n: SmoothWriter.profile.kinds[k] for n, k in SHAPES.items() if k in "FRX"}
HEAD = "".join(
    f'{name} = ms.Parameter(ops.ones({SmoothWriter.profile.kinds[kind]}, FLOAT), name="{name}")\n'
    for name, kind in SmoothWriter.profile.weights.items()
)
TAIL = f"""
weights = ms.ParameterTuple([w, u])
def first({NAMES}):
    return ms.value_and_grad(program, POSITIONS, weights, HAS_AUX)({NAMES})
def along({NAMES}, da, db, ds, dw, du):
    found = ms.grad(program, (0, 1, 2), weights, HAS_AUX)({NAMES})
    if HAS_AUX:
        found = found[0]
    (ga, gb, gs), (gw, gu) = found
    return (ga * da).sum() + (gb * db).sum() + gs * ds + (gw * dw).sum() + (gu * du).sum()
def second({NAMES}, da, db, ds, dw, du):
    return ms.value_and_grad(along, (0, 1, 2), weights)({NAMES}, da, db, ds, dw, du)
def floats({NAMES}):
    RESULTS = program({NAMES})
    return FLOATS
def pushed({NAMES}, da, db, ds):
    return ms.jvp(lambda a, b, s: floats({NAMES}), (a, b, s), (da, db, ds))
def pulled({NAMES}, *douts):
    pull = ms.vjp(lambda a, b, s: floats({NAMES}), a, b, s)[1]
    return pull(*douts)
"""
#: Nodes of a gradient's graph, at most, for each node of the program's, and besides.
NODES_PER_NODE, NODES_BESIDES = 8, 30


class Program:
    """One program: its text, how its gradient is asked for, and the points to take it at."""

    def __init__(self, seed, text=None):
        writer = SmoothWriter(seed)
        self.seed, self.text, self.has_aux = seed, text or writer.text, writer.has_aux
        self.results = writer.results
        self.positions = (0, 1, 2, 3, 5) if seed % 4 == 0 else (0, 1, 2)

    def module(self, precision="float64", framework=ms):
        """What the text defines, by name."""
        kinds = [kind for kind in self.results if kind not in "()"]
        names = [f"r{k}" for k in range(len(kinds))]
        floats = ", ".join([n for n, kind in zip(names, kinds, strict=True) if kind != "I"])
        whole = HEAD + self.text + TAIL.replace("HAS_AUX", str(self.has_aux))
        whole = whole.replace("POSITIONS", str(self.positions))
        whole = whole.replace("FLOATS", floats).replace("RESULTS", structure(self.results, names))
        whole = whole.replace("FLOAT", f"ms.{precision}")
        return compiled_text(whole, f"<gradient {self.seed}>", framework).__globals__

    def point(self, index=0, dtype=np.float64):
        """(values of the arguments, values of the Parameters)."""
        rng = np.random.default_rng([self.seed, index, 2])
        numbers = np.random.default_rng(self.seed).integers((0, -2), (4, 4)).tolist()
        whole = rng.integers(-4, 5, (2, 3)).astype(np.int32), np.int32(rng.integers(-3, 4))
        a, b, s, w, u = (np.asarray(rng.normal(0, 0.9, shape), dtype) for shape in SHAPES.values())
        return [a, b, s, *whole, rng.random((2, 3)) < 0.5, *numbers], [w, u]


def place(module, weights, tensor=ms.Tensor):
    """Give the Parameters their values."""
    for parameter, value in zip(module["weights"], weights, strict=True):
        parameter.set_data(tensor(value))


def direction(seed):
    """A direction through all that the gradient is taken by."""
    rng = np.random.default_rng([seed, 3])
    return [rng.normal(size=shape) for shape in SHAPES.values()]


# one way and another --------------------------------------------------------------------------


def first_order(program, dtype=np.float64, some=slice(None)):
    """How gradients taken in several ways differ, in words; None if they agree.

    ``some``: which of the ways to take them in graph mode, all by default.
    """
    module = program.module(dtype.__name__)
    ways = dict([*ways_to_first_order(module, program)][some])
    for index in range(2):
        values, weights = program.point(index, dtype)
        place(module, weights)
        base = placing(module, eager_or_graph(module, "first", values))
        values = [*values, *weights]
        one = answer(base, values)
        if isinstance(one, tuple):
            return f"not run: {one[1]!r}"
        for name, way in ways.items():
            found = answer(placing(module, way), values)
            if not refused(found) and (told := differs(base, values, one, found)):
                return f"{name}: {told}"
    return None


def placing(module, function):
    """A function whose last arguments are the values of the Parameters."""

    def placed(*given):
        place(module, given[-len(module["weights"]) :])
        return function(*given[: -len(module["weights"])])

    return placed


def refused(found):
    """Whether the tape does not know any more what was written over; graphs do."""
    return isinstance(found, tuple) and "The gradient of" in str(found[1])


def eager_or_graph(module, name, values):
    """A function of a module, run by the tape, or compiled where the tape refuses."""
    function = module[name]
    return ms.jit(function) if refused(answer(function, values)) else function


def ways_to_first_order(module, program):
    """(name, function like ``first``): grad inside jit, and jit inside grad.

    The gradient by whole numbers is rounded at each use, and passes change how often one is used:
    there grad inside jit only.
    """
    asked = program.positions, module["weights"], program.has_aux
    for backend in BACKENDS:
        yield f"grad in jit, {backend}", ms.jit(module["first"], backend=backend)
        if program.positions == (0, 1, 2):
            compiled = ms.jit(module["program"], backend=backend)
            yield f"jit in grad, {backend}", ms.value_and_grad(compiled, *asked)


def second_order(program, backends=BACKENDS):
    """The same for second derivatives."""
    module = program.module()
    values, weights = program.point()
    place(module, weights)
    values = [*values, *direction(program.seed)]
    base = placing(module, eager_or_graph(module, "second", values))
    values = [*values, *weights]
    one = answer(base, values)
    for backend in backends:
        found = answer(placing(module, ms.jit(module["second"], backend=backend)), values)
        if told := differs(base, values, one, found):
            return f"second order, {backend}: {told}"
    return None


#: An argument is written to: MindSpore refuses that, and afterwards it refuses x[0] as well.
WRITES = re.compile(r"^ *[ab](\[[^=]*\])? [-+*]?= ", re.MULTILINE)
#: Of gradients through these MindSpore's graph mode refuses half, and compiles some for hours.
STEEP = re.compile(r"while |break|continue|append|^ +def |^def r", re.MULTILINE)


def with_mindspore(program):
    """How the gradient differs from MindSpore's, where it takes the program and its modes agree."""
    import mindspore

    if WRITES.search(program.text):
        return None
    program = Program(program.seed, _forwards(program.text))
    values, weights = program.point(dtype=np.float32)
    ours, theirs = program.module("float32"), program.module("float32", mindspore)
    found = []
    for way in (lambda f: f, mindspore.jit)[: 1 if STEEP.search(program.text) else 2]:
        place(theirs, weights, mindspore.Tensor)
        found.append(answer(way(theirs["first"]), values, mindspore.Tensor))
    place(ours, weights)
    one, eager, graph = answer(ours["first"], values), found[0], found[-1]
    if refused(one) and len(found) == 1:
        return None
    if refused(one):  # there it takes what was written for what was read
        one, eager = answer(ms.jit(ours["first"]), values), graph
    if isinstance(graph, tuple) or (not isinstance(eager, tuple) and _unlike(eager, graph)):
        graph = eager
    return None if isinstance(graph, tuple) else _unlike(one, graph)


def _unlike(one, other):
    """How two answers differ by more than what MindSpore's Float32 tanh is wrong by; or None."""
    wide = [1e-3 * (1 + np.max(abs(x), initial=0)) if x.dtype.kind == "f" else 0 for x in one]
    return difference(one, other, wide)


def _forwards(text):
    """Without negative steps, through which MindSpore's gradient is zero."""
    return text.replace("[::-2]", "[:2]").replace("[:, ::-1]", "").replace("[::-1]", "")


def graphs(program):
    """What is wrong with the gradient's graph: as it is written, or after the passes."""
    module = program.module()
    values, weights = program.point()
    place(module, weights)
    made = [ms.Tensor(v) if isinstance(v, np.ndarray | np.generic) else v for v in values]
    parsed = parse(module["first"], made)
    graph = verify(parsed.graph)
    count, plain = nodes(graph), nodes(parse(module["program"], made).graph)
    if count > NODES_PER_NODE * plain + NODES_BESIDES:
        return f"{count} nodes in the gradient's graph, {plain} in the program's"
    arrays = [v.asnumpy() for v in made if isinstance(v, ms.Tensor)]
    arrays += [v.asnumpy() for v in parsed.parameters]
    before = quietly(evaluate, graph, arrays)
    pipeline.run(graph)
    after = quietly(evaluate, verify(graph), arrays)
    told = difference([*leaves(before)], [*leaves(after)])
    return told and f"after the passes: {told}"


def nodes(graph):
    """How many nodes it has, with all its regions."""
    return sum(len(inner.order()) for inner in graph.all_graphs())


def duality(program, backends=BACKENDS):
    """How forward mode and reverse mode differ, in words; None if they weigh the same.

    J pushes a direction forward, its transpose pulls weights back: <weights, J direction>.
    """
    module = program.module()
    values, weights = program.point()
    place(module, weights)
    way = direction(program.seed)[:3]
    results = answer(module["floats"], values)
    rng = np.random.default_rng([program.seed, 4])
    douts = [np.asarray(rng.normal(size=result.shape)) for result in results]
    pushed, pulled = (
        answer(module["pushed"], values + way),
        answer(module["pulled"], values + douts),
    )
    if refused(pulled):
        return None
    if isinstance(pushed, tuple) or isinstance(pulled, tuple):
        return f"not run: {pushed!r:.300} and {pulled!r:.300}"
    one, other = product(pushed[len(results) :], douts), product(pulled, way)
    if not (abs(one[0] - other[0]) <= 1e-9 * (1 + one[1] + other[1]) or np.isnan(one[0])):
        return f"duality: {one[0]:.15g} forwards and {other[0]:.15g} backwards"
    for backend in backends:
        for name, extra, found in (("pushed", way, pushed), ("pulled", douts, pulled)):
            compiled = answer(ms.jit(module[name], backend=backend), values + extra)
            if told := differs(module[name], values + extra, found, compiled):
                return f"{name}, {backend}: {told}"
    return None


def product(some, others):
    """(the sum of products of elements, the sum of their magnitudes)."""
    parts = np.concatenate([np.ravel(a * b) for a, b in zip(some, others, strict=True)])
    return float(parts.sum()), float(np.abs(parts).sum())
