"""A graph as MindSpore's text: what ``save_graphs`` writes.

Every call is numbered in its subgraph, says its own or its variable's name, its operands' types and
its own, its full name, and the line of Python it comes from. ``CNode_12`` is node ``%12`` of the
graph's own text.

>>> from ms_ext import Tensor
>>> from ms_ext.engine.jit import trace
>>> text = mindspore_text(trace(lambda x: x + x, Tensor([1.0, 2.0])))
>>> print(text[text.index("subgraph @") :])  # doctest: +ELLIPSIS
subgraph @1_<lambda>() {
  %0(CNode_...) = PrimFunc_Add(%para1_x, %para1_x)
      : (<Tensor[Float32], (2)>, <Tensor[Float32], (2)>) -> (<Tensor[Float32], (2)>)
      # Fullname with scope: (Default/Add-op0)
      # In file ...
  Return(%0)
      : (<Tensor[Float32], (2)>)
      # Fullname with scope: (Default/Return-op0)
}
<BLANKLINE>
"""

import collections
import itertools

from .. import primitive
from .closure import Call, Constant, Parameter, Subgraph, functions
from .lower import lower
from .wording import (
    ATTRIBUTES,
    constant,
    constant_type,
    is_newer,
    kind,
    named,
    shape,
    sizes,
    title,
    written,
)


def mindspore_text(graph, settings=None):
    """The text of a FuncGraph, lowered; ``settings`` are what it was compiled with, name -> value.

    >>> from ms_ext.engine.ir import FuncGraph
    >>> graph = FuncGraph("none")
    >>> graph.returns()
    >>> mindspore_text(graph).splitlines()[0]
    '# IR entry: @1_none'
    """
    return "\n".join(_Printer(lower(graph)).lines(settings)) + "\n"


class _Printer:
    """Numbers what it prints: parameters across all subgraphs, calls in each, names by op."""

    def __init__(self, program):
        self.program, self.names, self.counts = program, {}, collections.Counter()
        number = itertools.count(1)
        for each in program.subgraphs:
            for parameter in each.parameters:
                self.names[parameter] = f"%para{next(number)}_{parameter.name}"
            for at, call in enumerate(each.calls):
                self.names[call] = f"%{at}"

    def lines(self, settings):
        """Line by line; the entry is the last subgraph."""
        entry, *others = self.program.subgraphs
        yield from [f"# IR entry: {entry}", f"# Total subgraphs: {len(others) + 1}", ""]
        if settings:
            yield from ["jit config {", *[f"{k}: {v}" for k, v in settings.items()], "}", ""]
        yield from [f"# Total params: {len(entry.parameters)}", "# Params:"]
        yield from map(self.input, entry.parameters)
        yield from ["", *self.counted(), ""]
        for each in others:
            yield from [*self.subgraph(each, each.parameters), "", ""]
        yield from self.subgraph(entry, ())

    def counted(self):
        """How much there is: calls and a Return in each subgraph; with them their parameters, and
        primitives, subgraphs and constants that are operands."""
        graphs = self.program.subgraphs
        calls = [call for each in graphs for call in each.calls]
        used = [operand for call in calls for operand in call.inputs] + [g.result for g in graphs]
        shared = {named(call) for call in calls if call.op != "call"} | {"Return"}
        shared |= {operand for operand in used if isinstance(operand, Subgraph)}
        constants = sum(isinstance(operand, Constant) for operand in used)
        count = len(calls) + len(graphs)
        nodes = count + sum(len(each.parameters) for each in graphs) + len(shared) + constants
        yield "Node counting information:"
        yield f"Total number of nodes: {nodes}"
        yield f"Total number of cnodes: {count}"

    def input(self, parameter):
        """An input of the entry: its type, its shape, or that it is a Parameter with a value."""
        name = f"{self.names[parameter]}: {self.typed(parameter)}"
        if parameter.reference is not None:
            return f"{name}  :  has_default"
        return f"{name} : [{', '.join(map(str, sizes(parameter.abstract)))}]"

    def subgraph(self, each, parameters):
        """A subgraph: its head, its calls, its Return."""
        yield f"subgraph instance: {each.name} : @{each.source.id}"
        if parameters:
            kinds = ", ".join(map(self.typed, parameters))
            yield f"# Parameters: {len(parameters)}, ({kinds})"
        yield from place(each.source.where, "")
        yield f"subgraph {each}({', '.join(self.names[p] for p in parameters)}) {{"
        for call in each.calls:
            yield from self.call(call)
        end = Call("Return", [each.result], each.result.abstract)
        yield f"  Return({self.word(each.result)})"
        yield f"      : ({self.typed(each.result)})"
        yield f"      # Fullname with scope: ({self.full_name(end)})"
        yield "}"

    def call(self, call):
        """A call: what it is, its types, its full name, its place."""
        yield f"  {self.names[call]}({title(call)}) = {self.called(call)}{attributes(call)}"
        operands = call.inputs[1:] if call.op == "call" else operands_of(call)
        given = ", ".join(map(self.typed, operands))
        yield f"      : ({given}) -> ({written(call.abstract)})"
        yield f"      # Fullname with scope: ({self.full_name(call)})"
        yield from place(call.source.where)

    def called(self, call):
        """The primitive or subgraph with its operands."""
        if call.op != "call":
            return f"{named(call)}({', '.join(map(self.word, operands_of(call)))})"
        function, *operands = call.inputs
        head = f"call {function}"
        if isinstance(function, Call):
            union = ", ".join(map(str, functions(function)))
            head = f"{self.names[function]}[@FuncUnion({union})]"
        return f"{head}({', '.join(map(self.word, operands))})"

    def word(self, operand):
        """An operand as it is written."""
        if isinstance(operand, Constant):
            return constant(operand.value, operand.abstract)
        return str(operand) if isinstance(operand, Subgraph) else self.names[operand]

    def typed(self, operand):
        """The type of an operand, with what is known of it."""
        if isinstance(operand, Constant):
            return constant_type(operand)
        if isinstance(operand, Parameter) and operand.reference is not None:
            about = f"ref_key={operand.reference}, is_parameter"
            return f"<Ref[{kind(operand.abstract)}], {shape(operand.abstract)}, {about}>"
        return written(operand.abstract)

    def full_name(self, call):
        """Where in the network it stands: Default/encoder/Add-op0."""
        plain = call.op == "call" and isinstance(call.inputs[0], Subgraph)
        name = call.inputs[0].name if plain else named(call).removeprefix("PrimFunc_")
        self.counts[name] += 1
        scope = getattr(call.source, "scope", "")
        return "/".join(["Default", *filter(None, [scope]), f"{name}-op{self.counts[name] - 1}"])


def operands_of(call):
    """The operands of a primitive, with attributes that are operands in MindSpore, and with what an
    effect is asked."""
    attrs, op = getattr(call.source, "attrs", None) or {}, primitive.OPS.get(call.op)
    if op is not None and is_newer(op):
        given = [attrs.get(name, default) for name, default in op.attributes]
        return [*call.inputs, *[Constant(value, None) for value in given]]
    if "asked" in attrs and call.op == call.source.primitive.name:
        return [Constant(attrs["asked"].text, None), *call.inputs]
    return call.inputs


def attributes(call):
    """The attributes that are no operands, behind the call."""
    op, found = primitive.OPS.get(call.op), ATTRIBUTES.get(call.op, "")
    if op is not None and not is_newer(op):
        attrs = getattr(call.source, "attrs", None) or {}
        found = ", ".join(f"{name}: {constant(value)}" for name, value in attrs.items())
    return f" primitive_attrs: {{{found}}}" if found else ""


def place(where, indent="      "):
    """The line of Python, as a list of one line or none."""
    if where is None:
        return []
    columns = f", {where.column}~{where.end}" if where.end else ""
    return [f"{indent}# In file {where}{columns}/{where.text}/"]
