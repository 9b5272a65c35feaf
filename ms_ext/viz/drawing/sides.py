"""One listing as a graph: which of its nodes exist, the arrows between them, what is inside what.

An arrow is a pair of ids; with it go the operand positions.
"""

import re
from typing import NamedTuple


class Roles(NamedTuple):
    """How operands of a control node become parameters of its regions."""

    names: tuple
    operand: int
    parameter: int
    alone: str  # what an operand before the first that enters is called


ROLES = {
    "If": Roles(("then", "else"), 1, 0, "cond"),
    "While": Roles(("cond", "body"), 0, 0, ""),
    "For": Roles(("body",), 1, 1, "n"),
}


class Region(NamedTuple):
    """A graph drawn inside the box of the control node ``owner``."""

    owner: int
    role: str


class Side(NamedTuple):
    """One listing as a graph: what of it exists, and its arrows (pair of ids -> operands)."""

    rows: dict
    edges: dict
    links: dict
    backs: dict
    regions: dict


def side(rows, root):
    """A listing before it is compared with another.

    >>> side({}, 0).edges
    {}
    """
    rows = live(rows, root)
    return Side(rows, _edges(rows), _links(rows), _backs(rows), _regions(rows))


def live(rows, root):
    """The part of a listing that exists: what Return reaches, and the parameters.

    >>> live({}, 0)
    {}
    """
    returns = {row.graph: row.id for row in rows.values() if row.op == "Return"}
    parameters = _parameters(rows)
    found, graphs, waiting = set(), set(), []

    def enter(graph):
        if graph not in graphs:
            graphs.add(graph)
            waiting.extend(parameters.get(graph, ()))
            if graph in returns:
                waiting.append(returns[graph])

    enter(root)
    while waiting:
        node = waiting.pop()
        if node in rows and node not in found:
            found.add(node)
            waiting.extend(rows[node].inputs)
            for graph in rows[node].graphs:
                enter(graph)
    return {node: row for node, row in rows.items() if node in found}


def _parameters(rows):
    found = {}
    for row in rows.values():
        if row.kind == "parameter":
            found.setdefault(row.graph, []).append(row.id)
    return found


def _edges(rows):
    found = {}
    for row in rows.values():
        for slot, source in enumerate(row.inputs):
            if source in rows:
                pair = (source, row.id)
                found[pair] = (*found.get(pair, ()), slot)
    return found


def _links(rows):
    parameters, found = _parameters(rows), {}
    for row in rows.values():
        roles = ROLES.get(row.op)
        for graph in row.graphs if roles else ():
            inner = parameters.get(graph, [])[roles.parameter :]
            for slot, pair in enumerate(zip(row.inputs[roles.operand :], inner, strict=False)):
                found[pair] = (slot + roles.operand,)
    return found


def _backs(rows):
    parameters, found = _parameters(rows), {}
    returns = {row.graph: row.id for row in rows.values() if row.op == "Return"}
    for row in rows.values():
        inside = row.graphs and row.op in ROLES
        carried = re.search(r"\bcarried=(\d+)", row.attrs) if inside else None
        if carried:
            body = row.graphs[-1]
            inner = parameters.get(body, [])[ROLES[row.op].parameter :][: int(carried[1])]
            for slot, parameter in enumerate(inner):
                found[(returns.get(body), parameter)] = (slot,)
    return found


def _regions(rows):
    found = {}
    for row in rows.values():
        if row.graphs and row.op in ROLES:
            for role, graph in zip(ROLES[row.op].names, row.graphs, strict=False):
                found[graph] = Region(row.id, role)
    return found
