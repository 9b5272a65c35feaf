"""How does the tangent of an op follow from its ``bprop``? As the transpose of it.

The gradients are linear in ``dout``: ``bprop(x, out, dout) = transposed(J) dout``. Taking the
gradient of that with respect to ``dout`` transposes it once more, and the operands' tangents come
out as ``J tangents``, whatever ``dout`` is. The small graph that says so is kept, per op, types,
attributes and which operands move.

>>> from ms_ext import ops
>>> from ms_ext.dtype import float32
>>> from ms_ext.engine.infer import AbstractTensor
>>> x = AbstractTensor(float32, (2,))
>>> rule = rule_of(ops.Sin, (x,), {}, (True,))
>>> [call.primitive.name for call in rule.graph.order()]
['Cos', 'Mul']
"""

from .. import errors, primitive
from ..dims import dims_in
from ..infer import AbstractTuple, remembered
from ..ir import CALL, DEPEND, TUPLE_GET_ITEM, FuncGraph, clone
from .linearize import linearize
from .values import differentiable, spread_like
from .vjp import vjp


class Rule:
    """One op's tangents: ``graph(*operands, out, *douts, *tangents) -> *tangents of results``.

    ``moves`` says for each result of the op whether it has a tangent.
    """

    __slots__ = ("constants", "douts", "graph", "moves", "placed")

    def __init__(self, graph, first, last, moves):
        graph.order()  # walked once, here: threads that share it only read
        parameters = graph.parameters
        self.graph, self.moves = graph, moves
        self.placed = [*parameters[:first], *parameters[last:]]
        self.douts = [dout for dout in parameters[first:last] if dout.users]
        self.constants = [node for node in graph.constants.values() if node.users]

    def write(self, target, node, given, tangents):
        """The calls of the tangents of ``node``, in ``target``: one or None for each result.

        ``given``: the operands and what the op gives.
        """
        new = dict(zip(self.placed, (*given, *tangents), strict=True))
        for dout in self.douts:
            new[dout] = spread_like(target, dout.abstract, 0, node.where)
        for constant in self.constants:
            new[constant] = target.constant(constant.value, constant.abstract)
        for call in self.graph.order():
            graphs = call.graphs if call.primitive is CALL else map(clone, call.graphs)
            new[call] = target.add(
                call.primitive, tuple([new[used] for used in call.inputs]), call.attrs,
                tuple(graphs), where=call.where or node.where, origin=node.id,
            )  # fmt: skip
        found = iter(self.graph.outputs)
        return [new[next(found)] if moves else None for moves in self.moves]


def rule_of(op, abstracts, attributes, moving):
    """The Rule of ``op`` on operands of these types, of which those that are ``moving`` have a
    tangent; None if no result has one."""
    if op.bprop is None:
        return None
    typed, generation = tuple(map(_typed, attributes.items())), primitive.generation()
    key = op, abstracts, typed, moving, generation  # a bprop uses ops, which may be others by now
    try:
        return _RULES[key]
    except KeyError:
        known = _memory(abstracts, attributes)
    except TypeError:  # an attribute that cannot be hashed: not remembered
        return _derived(op, abstracts, attributes, moving)
    key = ("tangent", *key) if known is not _RULES else key
    if key in known:
        return known[key]
    return remembered(known, key, _derived(op, abstracts, attributes, moving))


def _memory(abstracts, attributes):
    """Where a rule is remembered: open sizes mean something in their compilation only."""
    dim = next(dims_in((abstracts, attributes)), None)
    return _RULES if dim is None else dim.sizes.abstracts


def _typed(value):
    """An attribute as a key, in which 1, 1.0 and True differ, and -0.0 is not 0.0."""
    if isinstance(value, tuple | list):
        return (type(value), *map(_typed, value))
    if isinstance(value, slice):
        return (slice, _typed((value.start, value.stop, value.step)))
    return (type(value), repr(value) if isinstance(value, float) else value)


_RULES: dict = {}


def _derived(op, abstracts, attributes, moving):
    gradients, count = _gradients(op, abstracts, attributes)
    if not count:
        return None
    wanted = [moves for moves, kind in zip(moving, abstracts, strict=True) if differentiable(kind)]
    graph, moved = transposed(gradients, count, wanted, f"{op.name}_tangent")
    first, moved = len(abstracts) + 1, iter(moved)
    kind = gradients.parameters[first - 1].abstract
    kinds = kind.items if isinstance(kind, AbstractTuple) else (kind,)
    moves = [differentiable(kind) and next(moved) for kind in kinds]
    return Rule(graph, first, first + count, moves) if any(moves) else None


def _gradients(op, abstracts, attributes):
    """(the op's gradient as a graph, how many douts it takes): ``(*operands, out, *douts) ->
    *gradients``; what the op itself gives is passed as ``out``."""
    call, attributes = FuncGraph(op.name), attributes or None
    node = call.add(op, tuple([call.add_parameter(kind) for kind in abstracts]), attributes)
    call.returns(*_parts(call, node))
    back, count = vjp(call), len(abstracts)
    operands = tuple(back.parameters[:count])
    out = back.add_parameter(node.abstract, "out")
    back.parameters.insert(count, back.parameters.pop())
    for again in back.order():
        if again.primitive is op and again.inputs == operands and again.attrs is attributes:
            back.replace(again, out)
    return back, len(back.parameters) - count - 1


def _parts(graph, node):
    if not isinstance(node.abstract, AbstractTuple):
        return [node]
    count = range(len(node.abstract.items))
    return [graph.add(TUPLE_GET_ITEM, (node,), {"index": i}) for i in count]


def transposed(gradients, count, wanted, name):
    """(graph, moves): ``(*parameters, *tangents) -> *tangents of results``.

    ``gradients`` is linear in the last ``count`` of its parameters, the douts of the results;
    tangents are given for its ``wanted`` outputs. ``moves``: which douts they reach.
    """
    made = FuncGraph(name, gradients.where)
    arguments = [made.add_parameter(p.abstract, p.name, p.where) for p in gradients.parameters]
    tangents = [
        made.add_parameter(node.abstract, "tangent") if want else None
        for node, want in zip(gradients.outputs, wanted, strict=True)
    ]
    back = linearize(made, gradients, arguments)
    found = back(tangents)[-count:]
    made.returns(*[node for node in found if node is not None])
    reached = _reached(made, [tangent for tangent in tangents if tangent is not None])
    results = [node for node in found if node in reached]
    waits = [node for node in gradients.order() if node.primitive is DEPEND]
    if waits:  # a hook that prints, for one: it is called going forwards, too
        results = _after(made, results, back.at(waits[0].inputs[1]))
    made.returns(*results)
    return clone(made), [node in reached for node in found]


def _after(graph, values, state):
    """The values once the effects have happened: whichever of them is used."""
    found = []
    for value in values:
        both = graph.add(DEPEND, (value, state))
        value, state = _parts(graph, both)
        found.append(value)
    return found


def _reached(graph, parameters):
    """The nodes that depend on some of the parameters."""
    found = set(parameters)
    for node in graph.order():
        if not found.isdisjoint(node.inputs):
            found.add(node)
    return found


def transposed_of(call, moving):
    """As ``transposed`` for a Call that brings its own gradient, of whose operands those that are
    ``moving`` have a tangent."""
    called, own = call.graphs
    version, known = own.derived or (None, None)
    if version != own.version:
        version, known = own.derived = (own.version, {})
    key = "transposed", moving
    if key not in known:
        pairs = zip(called.parameters, moving, strict=True)
        wanted = [moves for p, moves in pairs if differentiable(p.abstract)]
        count = sum(differentiable(node.abstract) for node in called.outputs)
        known[key] = transposed(own, count, wanted, f"{called.name}_tangent")
    return known[key]


def placed_rule(node, moving):
    """As ``rule_of`` for a call; an error in its bprop is placed in the call's line."""
    kinds = tuple([used.abstract for used in node.inputs])
    try:
        return rule_of(node.primitive, kinds, node.attributes, moving)
    except errors.MsExtError as error:
        error.where = error.where or node.where
        raise
