"""A lowered graph as a drawing for Graphviz: what ``save_graphs=3`` puts beside each text.

Every subgraph is a cluster. A call is a table with a cell for each operand; cell 0 is its
primitive. Parameters are octagons, and a subgraph that is used as a value is an oval with a line to
its cluster. ``dot -Tsvg file.dot`` draws it.

>>> from ms_ext import Tensor
>>> from ms_ext.engine.jit import trace
>>> text = dot(trace(lambda x: x + x, Tensor(1.0)))
>>> text.splitlines()[0], text.count("->")
('digraph mindspore {', 5)
"""

import html

from .closure import Call, Constant, Parameter, Subgraph
from .lower import lower
from .wording import constant, named, title

_FONT = 'fontname="Courier New"'


def dot(graph):
    """The Graphviz text of a FuncGraph."""
    program = lower(graph)
    drawing = _Drawing(program)
    lines = ["digraph mindspore {", "compound=true"]
    for each in program.subgraphs:
        lines += drawing.cluster(each)
    return "\n".join([*lines, *drawing.edges, "}"]) + "\n"


class _Drawing:
    """Names the nodes; edges between them are written behind all clusters."""

    def __init__(self, program):
        self.edges, self.count = [], 0
        self.ends = {each: f"return{n}" for n, each in enumerate(program.subgraphs)}
        self.numbers = {each: n for n, each in enumerate(program.subgraphs)}
        calls = [call for each in program.subgraphs for call in each.calls]
        self.names = {call: f"node{n}" for n, call in enumerate(calls)}

    def cluster(self, each):
        """The lines of a subgraph."""
        number = self.numbers[each]
        yield f"subgraph cluster_{number}{{"
        yield from [f"id=cluster_{number}", f"label={_quoted(each.name)}", _FONT]
        for call in each.calls:
            yield from self.table(self.names[call], title(call), self.operands(call))
        yield from self.table(self.ends[each], "Return", [_word("Return"), each.result])
        cells = "".join(f"<tr><td>{html.escape(p.name)}</td></tr>" for p in each.parameters)
        head = "<tr><td>parameters</td></tr>"
        yield f"parameters_{number}[shape=plaintext label=<<table bgcolor='paleturquoise' " + (
            f"cellspacing='0' cellborder='1' border='0'>{head}{cells}</table>>,];}}"
        )

    def operands(self, call):
        """The primitive, or the function that is called, and the operands."""
        return call.inputs if call.op == "call" else [_word(named(call)), *call.inputs]

    def table(self, name, title, operands):
        """A call; its operands get their nodes and edges."""
        for port, operand in enumerate(operands):
            yield from self.operand(name, port, operand)
        ports = "".join(f"<td port='{i}'>{i}</td>" for i in range(len(operands)))
        title = f"<tr><td colspan='{len(operands)}' bgcolor='cornsilk'>{html.escape(title)}</td>"
        yield f"{name}[{_FONT},shape=plaintext,label=<<table port='core'>"
        yield f"<tr>{ports}</tr>{title}</tr></table>>,]"

    def operand(self, name, port, operand):
        """The node of an operand that is none yet, and the edge to the cell."""
        style = ",style=dashed" if port == 0 else ""
        if isinstance(operand, Call):
            self.edges.append(f"{self.names[operand]}:core->{name}:{port}[arrowhead=vee{style}]")
            return
        self.count += 1
        made = f"operand{self.count}"
        self.edges.append(f"{made}->{name}:{port}[arrowhead=vee{style}]")
        if isinstance(operand, Subgraph):
            cluster = f"lhead=cluster_{self.numbers[operand]},dir=both,arrowhead=dot,color=blue"
            self.edges.append(f"{made}->{self.ends[operand]}[{cluster}]")
        yield f"{made}[{_FONT},{_look(operand)}]"


def _word(text):
    """The name of a primitive, as an operand."""
    return Constant(_Name(text), None)


class _Name(str):
    """A word that is no string of the program."""


def _look(operand):
    if isinstance(operand, Parameter):
        look = "shape=octagon,style=filled,fillcolor=paleturquoise"
        return f"{look},label={_quoted(operand.name)}"
    if isinstance(operand, Subgraph):
        return f"shape=oval,style=filled,fillcolor=palegreen,label={_quoted(operand.name)}"
    if isinstance(operand.value, _Name):
        return f"shape=box,style=filled,fillcolor=lavender,label={_quoted(operand.value)}"
    return f"shape=box,label={_quoted(constant(operand.value, operand.abstract))}"


def _quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
