"""What does ``grad`` do, edge by edge? The walk of the engine's own tape, written down.

While the function runs, an identity stands on every edge and behind every call; its bprop notes the
dout that passes by. What is noted is the engine's: nothing here computes a gradient.
"""

from dataclasses import dataclass, field

from ...engine import primitive, stages, tape
from ...engine.custom.gradient import CheckedBprop
from ...engine.tensor import Tensor, core


@dataclass(eq=False)
class Node:
    """A value: an input, a constant, or a result of a call."""

    number: int
    kind: str  # input, weight, constant, call, unseen
    label: str
    value: object  # a NumPy array or a Python number
    dtype: str = ""
    where: str = ""
    source: str = ""
    op: object = None
    attributes: dict = field(default_factory=dict)
    edges: list = field(default_factory=list)  # of a call: its operands
    call: object = None  # of a further result: the node of the first one
    result: int = 0  # which result of the call
    dout: object = None  # the array that came back in all; None: nothing did
    step: int = 0  # when the walk reached the call, from 1; 0: never

    @property
    def custom(self):
        """Whether the gradient is the learner's own bprop."""
        return isinstance(getattr(self.op, "bprop", None), CheckedBprop)


@dataclass(eq=False)
class Edge:
    """One use of a value by a call."""

    source: Node
    target: Node
    operand: int
    asked: bool  # whether the tape follows the value
    dout: object = None  # the array that went back along this edge
    raw: object = None  # what the op's bprop gave, where it was summed or cast before


@dataclass(eq=False)
class Walk:
    """The whole: nodes in the order they were made, what is returned, calls in walking order."""

    nodes: list
    end: Node  # a call of nothing: its edges are what the function returned
    steps: list
    gradients: list  # (Node, array): what grad gives

    def uses(self, node):
        """The edges that leave ``node``, what is returned last."""
        return [e for each in (*self.nodes, self.end) for e in each.edges if e.source is node]


def walk(function, arguments, weights=(), dout=None):
    """Run ``function`` and take its gradient, with everything noted.

    >>> import ms_ext.ops
    >>> noted = walk(lambda x: x * x, [Tensor(3.0)])
    >>> [(node.label, float(node.dout)) for node in noted.nodes]
    [('x0', 6.0), ('Mul', 1.0)]
    """
    notes = _Notes()
    wanted = [i for i, value in enumerate(arguments) if isinstance(value, Tensor)]
    with primitive.interpreting(notes):
        _, by_input, by_weight = tape.differentiate(
            lambda *given: notes.run(function, given, weights), arguments, wanted, weights, dout
        )
    found = zip(notes.leaves, (*by_input, *by_weight), strict=True)
    gradients = [(node, _array(gradient)) for node, gradient in found]
    for node, gradient in gradients:
        node.dout = gradient
    notes.fit_back()
    return Walk(notes.nodes, notes.end, notes.steps, gradients)


class _Notes:
    """The interpreter of the run: every op call becomes a node and is really made."""

    def __init__(self):
        self.nodes, self.steps, self.leaves, self.alive = [], [], [], []
        self.end = Node(0, "end", "returned", None)
        self.by_slot, self.by_id, self.by_memory = {}, {}, {}
        self.given = {}  # call -> (operands, result), for the way back of a broadcast
        self.forward = False

    def run(self, function, given, weights):
        """Call the function on the leaves; from then on the walk is backwards."""
        for index, value in enumerate(given):
            if isinstance(value, Tensor):
                self._leaf(value, "input", f"x{index}")
        for index, weight in enumerate(weights):
            self._leaf(weight, "weight", getattr(weight, "name", "") or f"weight {index}")
        self.forward = True
        try:
            outputs = function(*given)
            returned = [self._operand(self.end, i, t) for i, t in enumerate(_tensors(outputs))]
        finally:
            self.forward = False
        return tuple(returned)

    def _leaf(self, value, kind, label):
        node = Node(0, kind, label, _array(value), _dtype(value))
        self.leaves.append(self._enter(value, node))

    def __call__(self, op, operands, attributes):
        """One op call, made with a probe on every operand and behind every result."""
        if not self.forward:
            return primitive.default(op, operands, attributes)
        place = stages.line_of(stages.calling_place())
        node = Node(0, "call", op.name, None, op=op, attributes=attributes)
        node.where, node.source = str(place or ""), getattr(place, "text", "").strip()
        probed = list(operands)
        for index in reversed(range(len(operands))):  # the walk then meets them in order
            probed[index] = self._operand(node, index, operands[index])
        node.edges.reverse()
        result = primitive.default(op, tuple(probed), attributes)
        self.given[node] = (operands, result)
        if type(result) is not tuple:
            return self._result(node, 0, result)
        return tuple([self._result(node, i, each) for i, each in enumerate(result)])

    def _operand(self, call, index, value):
        source, value = self._node(value)
        edge = Edge(source, call, index, core.slot_of(value) >= 0)
        call.edges.append(edge)
        if not edge.asked:
            return value
        probe = self._probe(value, f"operand {index}", edge)
        self.by_slot[core.slot_of(probe)] = source, value  # who keeps the probe means the value
        return probe

    def _result(self, call, index, value):
        node = call if index == 0 else Node(0, "call", call.label, None, op=call.op, call=call)
        node.value, node.dtype, node.result = _array(value), _dtype(value), index
        slot = core.slot_of(value)
        self.alive.append(value)
        if slot >= 0:
            value = self._probe(value, "result", node)
            self.by_slot[slot] = node, value  # a bprop that keeps its result means the probe
        self._enter(value, node)
        return value

    def _probe(self, value, name, noted):
        """``value`` behind an identity whose bprop writes ``dout`` into ``noted``."""

        def note(dout):
            if not self.forward:  # a grad inside the function walks here, too
                noted.dout = _array(dout)
                self._reached(noted)
            return (dout,)

        return tape.record(name, (value,), (value,), note)[0]

    def _reached(self, noted):
        """The first dout at a result is the step of its call."""
        call = getattr(noted, "call", None) or noted
        if isinstance(call, Node) and call.kind == "call" and not call.step:
            self.steps.append(call)
            call.step = len(self.steps)

    # which node is a value? -----------------------------------------------------------------------

    def _node(self, value):
        """(node, the value to go on with) of an operand."""
        if not isinstance(value, Tensor):
            return self._enter(value, Node(0, "constant", "", value)), value
        slot = core.slot_of(value)
        if slot in self.by_slot:
            return self.by_slot[slot]
        known = self.by_id.get(id(value))
        written = slot >= 0 and known is not None  # the same object has another place on the tape
        if slot >= 0 and not written:
            known = self.by_memory.get(_memory(value))  # what an inner grad calls its input
        if known is not None and not written:
            return known, value
        unseen = "written in place" if written else "code without op calls"
        label = unseen if slot >= 0 else getattr(value, "name", "") or ""
        node = Node(0, "unseen" if slot >= 0 else "constant", label, _array(value), _dtype(value))
        if slot >= 0:
            self.alive.append(value)
            value = self._probe(value, "unseen", node)
            self.by_slot[slot] = node, value
        return self._enter(value, node), value

    def _enter(self, value, node):
        self.nodes.append(node)
        node.number = len(self.nodes)
        self.alive.append(value)  # so that no id and no memory is used again
        if isinstance(value, Tensor):
            slot = core.slot_of(value)
            if slot >= 0:
                self.by_slot[slot] = node, value
                self.by_memory[_memory(value)] = node
            self.by_id[id(value)] = node
        return node

    # the way back of a broadcast ------------------------------------------------------------------

    def fit_back(self):
        """Ask the bprops of broadcasting ops again, to show what was summed or cast after them."""
        for call in self.steps:
            operands, result = self.given[call]
            changed = [e for e in call.edges if e.dout is not None and _differs(e, call)]
            if changed and call.op.elementwise and not call.custom:
                self._ask(call, changed, operands, result)

    def _ask(self, call, changed, operands, result):
        op, dout = call.op, Tensor(call.dout)
        named = {key: call.attributes[key] for key in op.bprop_attributes}
        packed = (tuple(operands),) if op.arity is None else operands
        gradients = op.bprop(*packed, result, dout, **named)
        gradients = gradients if isinstance(gradients, tuple | list) else (gradients,)
        for edge in changed:
            raw = gradients[edge.operand]
            if isinstance(raw, Tensor) and (
                raw.shape != edge.dout.shape or raw.asnumpy().dtype != edge.dout.dtype
            ):
                edge.raw = _array(raw)


def _differs(edge, call):
    dout = call.dout
    return dout is not None and (dout.shape != edge.dout.shape or dout.dtype != edge.dout.dtype)


def _array(value):
    """A copy of the elements; a Python number is itself."""
    return value.asnumpy().copy() if isinstance(value, Tensor) else value


def _dtype(value):
    return value.dtype.short if isinstance(value, Tensor) else ""


def _memory(value):
    array = value.asnumpy()
    return array.__array_interface__["data"][0], array.shape, array.strides, array.dtype


def _tensors(outputs):
    """The tensors of a result in the order in which the tape counts them."""
    if isinstance(outputs, Tensor):
        yield outputs
    elif isinstance(outputs, tuple | list | dict):
        for item in outputs.values() if isinstance(outputs, dict) else outputs:
            yield from _tensors(item)
