"""A graph as versioned text, and back: what grading, export and plugins exchange.

::

    ms_ext graph 1
    graph double(%1 x: f32[2]) {
      %3 = Mul(%1, 2.0: float) : f32[2]
      return %3
    }

Regions are indented under their node; called graphs stand below, each once. Constants and
attributes are JSON. Reading never evaluates anything, checks every line and verifies the graph it
built.
"""

import re

from .. import errors, primitive
from ..making import making
from .control import CALL, CONTROL, RETURN, WITH_REGIONS
from .graph import FuncGraph
from .plain import (
    decode_attributes,
    decode_value,
    encode_attributes,
    encode_value,
    is_of,
    read_abstract,
    show_attributes,
)  # fmt: skip
from .signature import misfit
from .verify import verify

VERSION = 1
LIMIT_BYTES = 64 << 20
LIMIT_NODES = 1_000_000
LIMIT_DEPTH = 200


# writing ------------------------------------------------------------------------------------------


def dump(graph):
    """The text form of ``graph``. ``load(dump(graph))`` is isomorphic to it.

    What Python is asked when the graph runs cannot be exchanged: such a graph is refused.
    """
    return "".join([f"{line}\n" for line, _ in lines(graph, encode_attributes)])


@making()
def lines(graph, attributes=None):
    """The text form line by line: (text, ids of the nodes it writes down).

    A call is written down in one line, parameters at the head of their graph, constants wherever
    they are used. ``attributes(attrs)`` writes attributes; if it is left out, all of them can be
    looked at.

    >>> from ms_ext.engine.infer import AbstractTensor
    >>> graph = FuncGraph("one")
    >>> graph.returns(graph.add_parameter(read_abstract("f32[2]", 0)[0], "x"))
    >>> [len(ids) for _, ids in lines(graph)]
    [0, 1, 1, 0]
    """
    called, found = [graph], [(f"ms_ext graph {VERSION}", ())]
    how = called, attributes or show_attributes
    for each in called:
        _write_graph(each, f"graph {_safe(each.name)}@{each.id}", "", found, how)
    return found


def _safe(name):
    return re.sub(r"[^\w.<>-]", "_", name) or "_"


def _write_graph(graph, head, indent, lines, how):
    parameters = ", ".join(f"{p} {_safe(p.name)}: {p.abstract}" for p in graph.parameters)
    lines.append((f"{indent}{head}({parameters}) {{", tuple([p.id for p in graph.parameters])))
    for node in graph.order():
        _write_node(node, indent + "  ", lines, how)
    returned = f"{indent}  return {', '.join(map(_operand, graph.outputs))}".rstrip()
    lines.append((returned, _written(graph.result)))
    lines.append((f"{indent}}}", ()))


def _written(node):
    """Ids of a call and of the constants that are written in its line."""
    constants = dict.fromkeys([used.id for used in node.inputs if used.kind == "constant"])
    return (node.id, *constants)


def _operand(node):
    if node.kind == "constant":
        return f"{encode_value(node.value)}: {node.abstract}"
    return str(node)


def _write_node(node, indent, lines, how):
    called, attributes = how
    inputs = ", ".join(map(_operand, node.inputs))
    attrs = f" {attributes(node.attrs)}" if node.attrs else ""
    callee = ""
    if node.primitive is CALL:
        called += [target for target in node.graphs if target not in called]
        callee = "".join([f"@{target.id}" for target in node.graphs])
    name = f" {_safe(node.name)}" if node.name else ""
    call = f"{node}{name} = {node.primitive.name}{callee}({inputs}){attrs}"
    lines.append((f"{indent}{call} : {node.abstract}", _written(node)))
    if node.primitive in WITH_REGIONS:
        for region in node.graphs:
            _write_graph(region, _safe(region.name), indent + "  ", lines, how)


# reading ------------------------------------------------------------------------------------------

_HEAD = re.compile(r"(?:graph )?(?P<name>[\w.<>-]+)(?:@(?P<id>\d+))?\(")
_NODE = re.compile(r"%(?P<id>\d+)(?: (?P<name>[\w.<>-]+))? = (?P<op>\w+)(?P<callee>(?:@\d+)*)\(")
_PARAMETER = re.compile(r"%(?P<id>\d+) (?P<name>[\w.<>-]+): ")
_REFERENCE = re.compile(r"%(\d+)")
_REGIONS = {"If": 2, "While": 2, "For": 1}


def load(text, name=None):
    """The graph that ``text`` describes, the first or the one called ``name``; refuses anything
    else.

    >>> graph = load("ms_ext graph 1\\ngraph one@1(%1 x: f32[2]) {\\n  return %1\\n}\\n")
    >>> graph.name, len(graph.parameters)
    ('one', 1)
    """
    if not isinstance(text, str) or len(text) > LIMIT_BYTES:
        raise errors.InvalidValue("A graph's text must be a string of at most 64 MiB.")
    return _Reader(text.split("\n")).read(name)


class _Reader:
    """Lines with a position, and the top-level graphs by id, so that Call can name a later one."""

    def __init__(self, lines):
        self.lines, self.at, self.graphs, self.count = lines, 0, {}, 0

    def fail(self, what):
        raise errors.InvalidValue(
            f"This is not the text of an ms_ext graph: line {self.at} has {what}.",
            hint="ms_ext.graph.dump(graph) writes it.",
        )

    def match(self, pattern, line, what, start=0):
        return pattern.match(line, start) or self.fail(f"no {what}: {line:.60}")

    def next(self):
        while self.at < len(self.lines):
            self.at += 1
            line = self.lines[self.at - 1].strip()
            if line:
                return line
        self.at += 1
        return ""

    def read(self, name=None):
        if (head := self.next()) != f"ms_ext graph {VERSION}":
            self.fail(f"{head!r:.60} where 'ms_ext graph {VERSION}' should be")
        for number, line in enumerate(self.lines, 1):
            if line.startswith("graph "):
                self.at = number
                self.declare(line)
        self.at, found = 1, {}
        while line := self.next():
            graph, env = self.graphs.get(self.match(_HEAD, line, "graph")["id"]) or self.fail(
                "no graph"
            )
            self.body(graph, env, 0)
            found.setdefault(graph.name, graph)
        return verify(self.called(name, found))

    def called(self, name, found):
        """The graph of a name, the first one for None."""
        if name is None:
            return next(iter(found.values()), None) or self.fail("no graph")
        if name not in found:
            hint = errors.did_you_mean(name, found)
            raise errors.InvalidValue(f"The text has no graph {name!r}.", hint=hint)
        return found[name]

    def declare(self, line):
        head = self.match(_HEAD, line, "graph")
        if head["id"] is None or head["id"] in self.graphs:
            self.fail("a graph without an id of its own")
        self.graphs[head["id"]] = self.head(line)

    def head(self, line):
        head = self.match(_HEAD, line, "graph")
        graph, env, at = FuncGraph(head["name"]), {}, head.end()
        while not line.startswith(")", at):
            found = self.match(_PARAMETER, line, "parameter", at)
            abstract, at = self.abstract(line, found.end())
            env[found["id"]] = graph.add_parameter(abstract, found["name"])
            at = self.comma(line, at)
        if line[at:] != ") {":
            self.fail("no ') {' at its end")
        return graph, env

    def comma(self, line, at):
        if line.startswith(", ", at):
            return at + 2
        return (
            at if line.startswith(")", at) else self.fail(f"no comma before {line[at : at + 20]!r}")
        )

    def abstract(self, line, at):
        return read_abstract(line, at) or self.fail(f"no type: {line[at : at + 30]!r}")

    def body(self, graph, env, depth):
        if depth > LIMIT_DEPTH:
            self.fail(f"regions nested deeper than {LIMIT_DEPTH}")
        while not (line := self.next()).startswith("return"):
            self.node(graph, env, line, depth)
        outputs, at = [], len("return ")
        while at < len(line):
            node, at = self.operand(graph, env, line, at)
            outputs.append(node)
            at += (
                2
                if line.startswith(", ", at)
                else 0
                if at == len(line)
                else self.fail("a bad return")
            )
        graph.returns(*outputs)
        if self.next() != "}":
            self.fail("no '}' after return")

    def node(self, graph, env, line, depth):
        self.count += 1
        if self.count > LIMIT_NODES:
            self.fail(f"more than {LIMIT_NODES} nodes")
        head = self.match(_NODE, line, "node")
        inputs, at = [], head.end()
        while not line.startswith(")", at):
            node, at = self.operand(graph, env, line, at)
            inputs.append(node)
            at = self.comma(line, at)
        attrs, at = decode_attributes(line, at + 1) or self.fail("bad attributes")
        if not line.startswith(" : ", at):
            self.fail("no type")
        abstract, at = self.abstract(line, at + 3)
        op = (
            CONTROL.get(head["op"])
            or primitive.OPS.get(head["op"])
            or self.fail(f"no op {head['op']!r}")
        )
        graphs = self.regions(head, depth)
        node = self.call(graph, op, inputs, attrs, graphs, head["name"])
        if op is CALL:
            node.abstract = abstract
        if node.abstract is not abstract or at != len(line) or head["id"] in env:
            self.fail(f"the type {abstract}, but {op.name} gives {node.abstract}")
        env[head["id"]] = node

    def call(self, graph, op, inputs, attrs, graphs, name):
        """Add a call; an op's rule may stumble over values that no program would give it."""
        text = misfit(op, inputs, attrs) if op is not RETURN else "Return stands at the end"
        if text:
            self.fail(f"a call that is none: {text}")
        try:
            return graph.add(op, inputs, attrs or None, graphs, name=name)
        except errors.MsExtError:
            raise
        except Exception as error:
            return self.fail(f"a call that {op.name} refuses: {error}")

    def regions(self, head, depth):
        if head["callee"]:
            called = [self.graphs.get(number) for number in head["callee"][1:].split("@")]
            return [each[0] if each else self.fail("a call of no graph") for each in called]
        found = []
        for _ in range(_REGIONS.get(head["op"], 0)):
            graph, env = self.head(self.next())
            self.body(graph, env, depth + 1)
            found.append(graph)
        return tuple(found)

    def operand(self, graph, env, line, at):
        if found := _REFERENCE.match(line, at):
            return env.get(found[1]) or self.fail(
                f"{found[0]}, which is not defined before"
            ), found.end()
        value, at = decode_value(line, at) or self.fail(f"no operand: {line[at : at + 30]!r}")
        if not line.startswith(": ", at):
            self.fail("a constant without a type")
        abstract, at = self.abstract(line, at + 2)
        if not is_of(value, abstract):
            self.fail(f"a constant that is no {abstract}")
        return graph.constant(value, abstract), at
