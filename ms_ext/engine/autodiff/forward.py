"""Forward mode as graphs: values and tangents go through the program together, in one pass.

``pushforward(target, graph, arguments, tangents)`` writes both into ``target``; ``jvp(graph)`` is a
graph of its own. An op's tangent follows from its ``bprop`` (see ``tangent_rule``). If gives back
If, a loop a loop that carries the tangents too, Call a Call: nothing is kept for later, so a loop
needs as much memory for 10,000 turns as for one. None stands for a tangent that is zero.
"""

from ..infer import AbstractTuple
from ..ir import MAKE_TUPLE, TUPLE_GET_ITEM, ControlPrimitive, FuncGraph, copy_node
from .moving import Moving
from .tangent_rule import placed_rule
from .values import differentiable, spread_like

RULES: dict = {}  # control primitive -> rule(walk, node, inputs, tangents)


def pushes(*primitives):
    """Declare how tangents go through control nodes: a decorator of ``rule(walk, node, inputs,
    tangents)``, which enters ``walk.new[node]`` and ``walk.tangents[node]``.

    ``tangents``: one per operand, None where it does not move; they are not all None.
    """

    def declare(rule):
        RULES.update(dict.fromkeys(primitives, rule))
        return rule

    return declare


def pushforward(target, graph, arguments, tangents, moving=None):
    """Write ``graph``'s calls and those of the tangents into ``target``: (results, tangents).

    ``tangents``: a node per parameter of its argument's type, or None. One tangent or None comes
    back per result. ``moving``: what is known of the graphs already, where one is inside another.
    """
    walk = Forward(target, moving or Moving())
    walk.begin(graph, arguments, tangents)
    for node in graph.order():
        walk.through(node)
    results = tuple([walk.value(node) for node in graph.outputs])
    return results, [walk.tangents.get(node) for node in graph.outputs]


def jvp(graph, moving=None):
    """``(*parameters, *tangents) -> (*results, *their tangents)``.

    ``moving`` says for which parameters a tangent is passed (default: all that can have one). There
    is a tangent for each result that can have one.

    >>> import ms_ext.ops
    >>> from ms_ext.engine.ir import load
    >>> square = load(
    ...     "ms_ext graph 1\\n"
    ...     "graph square@1(%1 x: f32[]) {\\n  %2 = Mul(%1, %1) : f32[]\\n  return %2\\n}\\n"
    ... )
    >>> [node.primitive.name for node in jvp(square).order()]
    ['Mul', 'Mul', 'Mul', 'Add']
    """
    if moving is None:
        moving = [differentiable(p.abstract) for p in graph.parameters]
    region = Region((len(moving),), (len(graph.outputs),), Moving())
    return region.pushed(graph, moving, [differentiable(n.abstract) for n in graph.outputs])


class Forward:
    """The walk through one graph: for each of its nodes the value and the tangent in ``target``.

    Several results of a control node are a list, and so are the tangents of several results.
    """

    def __init__(self, target, moving):
        self.target, self.moving = target, moving
        self.new, self.tangents = {}, {}

    def begin(self, graph, arguments, tangents):
        """Enter the parameters and constants."""
        self.new.update(zip(graph.parameters, arguments, strict=True))
        self.tangents.update(zip(graph.parameters, tangents, strict=True))
        for constant in graph.constants.values():
            if constant.users:
                self.new[constant] = self.target.constant(constant.value, constant.abstract)

    def value(self, node):
        """The node's value; several together are a tuple where they are not taken one by one."""
        found = self.new[node]
        if isinstance(found, list):
            found = self.new[node] = self.target.add(MAKE_TUPLE, tuple(found), where=node.where)
        return found

    def through(self, node):
        """Write one call and its tangent."""
        tangents = [self.tangents.get(used) for used in node.inputs]
        rule = RULES.get(node.primitive)
        if node.primitive is TUPLE_GET_ITEM:
            self._item(node, tangents[0])
        elif rule is not None and any(t is not None for t in tangents):
            rule(self, node, [self.value(used) for used in node.inputs], tangents)
        else:
            self._call(node, tangents)

    def _item(self, node, parts):
        whole, index = self.new[node.inputs[0]], node.attrs["index"]
        listed = isinstance(whole, list)
        self.new[node] = whole[index] if listed else copy_node(node, self.target, (whole,))
        self.tangents[node] = parts and parts[index]

    def _call(self, node, tangents):
        """An op, or what has no tangent."""
        inputs = tuple([self.value(used) for used in node.inputs])
        out = self.new[node] = copy_node(node, self.target, inputs)
        moving = tuple([t is not None for t in tangents])
        if not any(moving) or isinstance(node.primitive, ControlPrimitive):
            return
        rule = placed_rule(node, moving)
        if rule is not None:
            given = [t for t in tangents if t is not None]
            found = rule.write(self.target, node, (*inputs, out), given)
            self.tangents[node] = found[0] if len(found) == 1 else found

    def again(self, node, inputs):
        """The call itself, written again; with no tangent yet."""
        self.new[node] = copy_node(node, self.target, tuple(inputs))
        return self.new[node]

    def add(self, node, primitive, operands, attrs, graphs):
        """A control node in place of ``node``."""
        return self.target.add(
            primitive, tuple(operands), attrs, graphs, where=node.where, origin=node.id
        )

    def zeros(self, node, abstract):
        """A tangent that is zero, where one has to be passed."""
        return spread_like(self.target, abstract, 0, node.where)

    def finish(self, node, made, wanted, counts):
        """Take the results of ``made`` apart: values, and the tangents that are ``wanted``."""
        parts = iter(self.items(made))
        values, found, wanted = [], [], list(wanted)
        for count in counts:
            values += [next(parts) for _ in range(count)]
            group = wanted[len(found) : len(found) + count]
            found += [next(parts) if moves else None for moves in group]
        self.new[node] = values[0] if len(values) == 1 else values
        self.tangents[node] = found[0] if len(found) == 1 else found

    def items(self, made):
        """The results of a control node one by one."""
        if not isinstance(made.abstract, AbstractTuple):
            return [made]
        count, where = len(made.abstract.items), made.where
        add = self.target.add
        return [add(TUPLE_GET_ITEM, (made,), {"index": i}, where=where) for i in range(count)]


class Region:
    """How values and tangents stand side by side: after each group of values their tangents.

    ``taken`` and ``given`` count the values in each group that a graph takes and gives.
    """

    def __init__(self, taken, given, moving):
        self.taken, self.given, self.moving = taken, given, moving

    def operands(self, values, tangents):
        """The values, and those tangents that there are."""
        return _side_by_side(self.taken, values, tangents)

    def pushed(self, graph, moving, wanted, into=None):
        """``graph`` with tangents: of the parameters that are ``moving``, of the results that are
        ``wanted``; ``into`` is the empty graph to write, where it has to be known before."""
        body = into or FuncGraph(f"{graph.name}_jvp", graph.where)
        arguments, tangents = [], []
        for count in self.taken:
            group = slice(len(arguments), len(arguments) + count)
            arguments += [
                body.add_parameter(p.abstract, p.name, p.where) for p in graph.parameters[group]
            ]
            tangents += [
                body.add_parameter(p.abstract, f"d_{p.name}") if moves else None
                for p, moves in zip(graph.parameters[group], moving[group], strict=True)
            ]
        known = tangents if any(wanted) else [None] * len(tangents)
        results, found = pushforward(body, graph, arguments, known, self.moving)
        found = [
            (t or spread_like(body, node.abstract, 0, node.where or graph.where)) if want else None
            for node, t, want in zip(results, found, wanted, strict=True)
        ]
        body.returns(*_side_by_side(self.given, results, found))
        return body


def _side_by_side(counts, values, tangents):
    found, start = [], 0
    for count in counts:
        group = slice(start, start + count)
        found += [*values[group], *[t for t in tangents[group] if t is not None]]
        start += count
    return found
