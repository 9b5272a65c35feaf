"""From a graph to a plan: which function runs each node, where its operands lie, when they die.

The graph becomes one flat list of steps; branches, loops and calls are steps that hold plans. Rows
of the backend come first, ``compute`` where there is none. Looked at afterwards: what was launched
and why.
"""

import functools
import operator

import numpy as np

from ..ir import CALL, MAKE_TUPLE, TUPLE_GET_ITEM
from ..ir.control import ControlPrimitive
from ..ir.journal import nbytes
from ._account import described, label, peak, workspace
from ._computing import around, cast, computing
from ._control import MAKERS
from ._executable import Executable, Fallback, Kernel, root
from ._frames import CONTROL, MANY, ONE, SEVERAL, TWO, Plan, deep_graphs
from ._launch import Launch, launcher
from ._rows import ROWS, no_kernel_for


class Group:
    """Nodes that run as one kernel: ``function(*inputs)`` gives the values of ``outputs``."""

    __slots__ = ("function", "inputs", "nodes", "outputs")

    primitive = None

    def __init__(self, nodes, inputs, outputs, function):
        self.nodes, self.inputs, self.outputs, self.function = nodes, inputs, outputs, function


class Planner:
    """Plans for a graph and everything in it.

    ``rows`` names the backend whose rows are used; ``units(graph)`` gives nodes and Groups in an
    order that can be run; ``reason(node)`` says why a node without a row falls back, as a phrase;
    ``inside(group)`` lists what a Group runs, as (text, ids of nodes).
    """

    def __init__(self, graph, rows=None, units=None, reason=None, notes=(), inside=None):
        self.graph, self.notes = graph, notes
        self.rows = ROWS.of(rows) if rows else {}
        self.units = units or (lambda each: each.order())
        self.no_row = reason or (lambda node: "no compiled kernel for this op")
        self.inside = inside or (lambda group: ())
        self.written, self.waiting, self.by_row = {}, [], set()
        self.planned = []  # the graph of each plan that was written
        self.constants, self.fresh = set(), set()
        self.called, self.deep = {}, deep_graphs(graph)

    def executable(self):
        """The Executable of the graph."""
        plan = Plan()
        writer = self.write(self.graph, plan)
        while self.waiting:
            self.write(*self.waiting.pop())
        quiet = all(type(unit) is Group for units in self.written.values() for unit in units)
        constants = frozenset(self.constants)
        launch = Launch(self.graph, plan, self.fresh, constants, quiet, lambda: self.labels)
        account = lambda: self.account(plan, writer.sizes())  # noqa: E731
        return Executable(self.graph, launcher(launch), account, self.notes, self.listing)

    def account(self, plan, sizes):
        """(kernels, fallbacks, peak) of everything that was planned."""
        kernels = [Kernel(kind, *described(nodes)) for kind, nodes in self.launches()]
        alone = [nodes[0] for kind, nodes in self.launches() if kind == "compute"]
        fallbacks = [Fallback(n.id, n.primitive.name, self.reason(n)) for n in alone]
        asked = [Fallback(n.id, n.primitive.name, _asked(n)) for n in self.units_of("PyExecute")]
        beside = [workspace(unit) for unit in self.written[plan]]
        return kernels, fallbacks + asked, peak(plan, sizes, beside)

    def units_of(self, name):
        """Every node of a control primitive, by its name."""
        units = (unit for units in self.written.values() for unit in units)
        return [u for u in units if getattr(u.primitive, "name", None) == name]

    def launches(self):
        """(kind, nodes) of everything that runs."""
        for unit in (unit for units in self.written.values() for unit in units):
            if type(unit.primitive) is not ControlPrimitive:
                yield self.kind(unit)

    def kind(self, unit):
        """How a unit runs, and its nodes."""
        if type(unit) is Group:
            return "fused", unit.nodes
        if type(unit.primitive) is ControlPrimitive:
            return ("control" if unit.graphs or unit.primitive.effect else "tuple"), (unit,)
        return ("row" if unit in self.by_row else "compute"), (unit,)

    def reason(self, node):
        """Why NumPy, or a learner's own function, computes a node."""
        if not node.primitive.module.startswith("ms_ext."):
            return getattr(node.primitive, "reason", "its body is a Python function")
        if node.primitive.name not in self.rows:
            return self.no_row(node)
        return no_kernel_for([used.abstract for used in node.inputs])

    @functools.cached_property
    def labels(self):
        """By plan: (event kind, name, bytes, first node) of each step, None of a tuple."""
        return {p: [label(*self.kind(u)) for u in units] for p, units in self.written.items()}

    def listing(self):
        """What runs, line by line; asked when somebody looks."""
        from ._listing import listed, of_unit

        units = dict(zip(self.planned, self.written.values(), strict=True))
        return listed(self.graph, units.get, functools.partial(of_unit, self))

    def plan(self, graph):
        """The Plan of a graph inside another one, to be filled in later; nesting costs no stack."""
        plan = Plan()
        self.waiting.append((graph, plan))
        return plan

    def plan_called(self, graph):
        """The Plan of a graph that is called; there is one, also where it calls itself."""
        if graph not in self.called:
            self.called[graph] = self.plan(graph)
        return self.called[graph]

    def write(self, graph, plan):
        """Fill in the plan of one graph."""
        plan.deep = graph in self.deep
        writer, units = _Writer(self, graph), self.units(graph)
        self.written[plan] = units
        self.planned.append(graph)
        writer.write(units)
        plan.results = [writer.slot(node) for node in graph.outputs]
        writer.mark_deaths(plan.results)
        plan.code, plan.template = writer.code, writer.template
        return writer


class _Writer:
    """Writes the steps of one graph. ``template`` is what its slots hold before the first step."""

    __slots__ = ("code", "constants", "planner", "slots", "template")

    def __init__(self, planner, graph):
        self.planner, self.code, self.constants = planner, [], {}
        self.slots = {p: i for i, p in enumerate(graph.parameters)}
        self.template = [None] * len(self.slots)

    def write(self, units):
        """Append the steps of nodes and Groups."""
        slots, template, code, rows = self.slots, self.template, self.code, self.planner.rows
        for unit in units:
            primitive = unit.primitive
            if primitive is None:
                self.group(unit)
                continue
            if type(primitive) is ControlPrimitive:
                self.control(unit)
                continue
            places = [slots.get(used) for used in unit.inputs]
            constants = None in places
            fits = rows and primitive.name in rows and self.row(unit, rows)
            function, kinds = fits or computing(unit, constants)
            if constants:
                self.place_constants(places, unit.inputs, kinds)
            slot = slots[unit] = len(template)
            template.append(None)
            count = len(places)
            if count == 2:
                code.append((TWO, function, places, slot, []))
            elif count == 1:
                code.append((ONE, function, places[0], slot, []))
            else:
                code.append((MANY, function, places, slot, []))

    def place_constants(self, places, inputs, kinds):
        for index, place in enumerate(places):
            if place is None:
                places[index] = self.constant(inputs[index], kinds[index])

    def constant(self, node, kind=None):
        """The slot of a constant, cast to ``kind``."""
        found = self.constants.get((node, kind))
        if found is None:
            value = node.value if kind is None else cast(node.value, kind)
            if isinstance(value, np.ndarray):
                self.planner.constants.add(id(root(value)))
            found = self.constants[node, kind] = len(self.template)
            self.template.append(value)
        return found

    def slot(self, node):
        """Where a value lies; a constant gets its slot when it is first needed."""
        found = self.slots.get(node)
        return self.constant(node) if found is None else found

    def new(self, node):
        """A slot for a result."""
        slot = self.slots[node] = len(self.template)
        self.template.append(None)
        return slot

    def row(self, node, rows):
        """A node's row, as ``computing`` would give it; None where it does not fit."""
        found = rows[node.primitive.name](node)
        if found is None:
            return None
        self.planner.by_row.add(node)
        return around(found, node)

    def group(self, unit):
        places = [self.slot(n) for n in unit.inputs]
        self.code.append((SEVERAL, unit.function, places, [self.new(n) for n in unit.outputs], []))
        self.planner.fresh.update(unit.outputs)

    def control(self, node):
        places = [self.slot(n) for n in node.inputs]
        if node.primitive is TUPLE_GET_ITEM:
            step = ONE, operator.itemgetter(node.attrs["index"]), places[0]
        elif node.primitive is MAKE_TUPLE:
            step = MANY, _together, places
        elif node.primitive.run:
            step = MANY, node.primitive.run(node), places
        elif node.primitive is CALL:
            step = CONTROL, MAKERS[CALL](node, self.planner.plan_called(node.graphs[0])), places
        else:
            plans = [self.planner.plan(graph) for graph in node.graphs]
            step = CONTROL, MAKERS[node.primitive](node, *plans), places
        self.code.append((*step, self.new(node), []))

    def mark_deaths(self, results):
        """Enter each slot at the step that needs it for the last time."""
        last = {}
        for step in self.code:
            operands, dead = step[2], step[4]
            if step[0] == ONE:
                last[operands] = dead
            else:
                for slot in operands:
                    last[slot] = dead
        for slot in (*results, *self.constants.values()):
            last.pop(slot, None)
        for slot, dead in last.items():
            dead.append(slot)

    def sizes(self):
        """Slot -> bytes; the parts of a tuple are counted once, as the tuple."""
        parts = {n for n in self.slots if n.kind == "call" and n.primitive is TUPLE_GET_ITEM}
        sizes = {slot: 0 if n in parts else nbytes(n.abstract) for n, slot in self.slots.items()}
        return sizes | {slot: nbytes(n.abstract) for (n, _), slot in self.constants.items()}


def _asked(node):
    """Why Python is asked when the graph runs."""
    asked = node.attrs["asked"]
    return f"{asked.text}: {asked.reason or 'Python calculates it when the graph runs'}"


def _together(*items):
    return items
