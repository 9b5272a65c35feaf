"""Is this graph still a graph? Seven rules, checked before the first pass and after every one."""

from .. import errors
from ..infer import STATE, UNKNOWN, AbstractTuple, infer
from .control import CALL, WITH_REGIONS, ControlPrimitive


def verify(graph):
    """Raise GraphError naming the rule and the node, or return ``graph``.

    1 closed: inputs are of this graph. 2 users equal the recount of inputs. 3 acyclic. 4 no Unknown.
    5 a node infers its type again. 6 a region has one owner. 7 a State is used once a path.
    """
    owners = {}
    for each in graph.all_graphs():
        nodes = each.order()
        _check_closed_and_acyclic(each, nodes)
        _check_users(each, nodes)
        for node in (*nodes, each.result):
            _check_type(each, node)
            _check_owner(owners, node)
            _check_state(each, node)
    return graph


def _fail(graph, rule, text):
    raise errors.GraphError(
        f"The graph '{graph.name}' breaks rule {rule}: {text}",
        hint="A pass or plugin left it so; the passes' journal shows which edit did.",
    )


def _check_closed_and_acyclic(graph, nodes):
    seen = {n.id for n in graph.parameters} | {n.id for n in graph.constants.values()}
    for node in (*nodes, graph.result):
        for used in node.inputs:
            if used.graph is not graph:
                _fail(graph, "1 (closed)", f"{node} uses {used}, which is not one of its nodes.")
            if used.id not in seen:
                word = "3 (acyclic)" if used.kind == "call" else "1 (closed)"
                _fail(graph, word, f"{node} uses {used}, which does not come before it.")
        seen.add(node.id)


def _check_users(graph, nodes):
    count = {}
    for node in (*nodes, graph.result):
        for used in node.inputs:
            uses = count.setdefault(used, {})
            uses[node] = uses.get(node, 0) + 1
    reached = {*nodes, graph.result}
    for node in (*graph.parameters, *graph.constants.values(), *nodes):
        recorded = {u: n for u, n in node.users.items() if u in reached}
        if recorded != count.get(node, {}):
            _fail(graph, "2 (users)", f"{node} records {node.users} but is used by {count.get(node)}.")


def _has_unknown(abstract):
    if isinstance(abstract, AbstractTuple):
        return any(map(_has_unknown, abstract.items))
    return abstract is UNKNOWN or abstract is None


def _check_type(graph, node):
    if _has_unknown(node.abstract):
        _fail(graph, "4 (typed)", f"{node} has no type.")
    try:
        again = _infer_again(node)
    except errors.MsExtError as error:
        _fail(graph, "5 (types agree)", f"{node} {node.primitive.name}: {error}")
    if again is not node.abstract:
        _fail(graph, "5 (types agree)", f"{node} {node.primitive.name} is {node.abstract}, now {again}.")


def _infer_again(node):
    if isinstance(node.primitive, ControlPrimitive):
        return node.primitive.infer_node(node.inputs, node.attributes, node.graphs)
    return infer(node.primitive, tuple([n.abstract for n in node.inputs]), node.attributes)


def _check_owner(owners, node):
    if node.primitive not in WITH_REGIONS:
        if node.primitive is not CALL and node.graphs:
            _fail(node.graph, "6 (one owner)", f"{node} {node.primitive} cannot own a region.")
        return
    for region in node.graphs:
        if region in owners:
            _fail(node.graph, "6 (one owner)", f"'{region.name}' belongs to {owners[region]} and {node}.")
        owners[region] = node


def _check_state(graph, node):
    for used in node.inputs:
        if used.abstract is STATE and sum(used.users.values()) > 1:
            _fail(graph, "7 (state once)", f"{used} is used {sum(used.users.values())} times.")
