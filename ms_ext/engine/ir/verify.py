"""Is this graph still a graph? Seven rules, checked before the first pass and after every one."""

from .. import errors
from ..infer import STATE, UNKNOWN, AbstractTensor, AbstractTuple, infer
from .control import CALL, WITH_REGIONS, ControlPrimitive
from .signature import misfit


def verify(graph):
    """Raise GraphError naming the rule and the node, or return ``graph``.

    1 closed: inputs are of this graph. 2 users equal the recount of inputs. 3 acyclic. 4 no
    Unknown. 5 a node infers its type again. 6 a region has one owner. 7 a State is used once a
    path.
    """
    owners = {}
    for each in graph.all_graphs():
        nodes = [*each.order(), each.result]
        _check_edges(each, nodes)
        for node in nodes:
            if not _is_plain_and_typed(node):
                _check_type(each, node)
            if node.graphs:
                _check_owner(owners, node)
    return graph


def _is_plain_and_typed(node):
    """The common case, quickly: a tensor op without attributes whose type is what its rule says."""
    primitive, inputs = node.primitive, node.inputs
    if node.attrs or primitive.arity != len(inputs) or type(node.abstract) is not AbstractTensor:
        return False
    try:
        return infer(primitive, tuple([n.abstract for n in inputs]), _NONE) is node.abstract
    except errors.MsExtError:
        return False


_NONE: dict = {}


def _fail(graph, rule, text):
    raise errors.GraphError(
        f"The graph '{graph.name}' breaks rule {rule}: {text}",
        hint="The last edit left it so: yours, or a pass's, and then the journal shows which.",
    )


def _check_edges(graph, nodes):
    """Rules 1, 2, 3 and 7: every use comes after its definition and is recorded there, as often as
    it is."""
    uses = dict.fromkeys([*graph.parameters, *graph.constants.values()], 0)
    for node in nodes:
        for used in node.inputs:
            if used not in uses:
                _undefined(graph, node, used)
            if node not in used.users:
                _fail(graph, "2 (users)", f"{used} does not know that {node} uses it.")
            uses[used] += 1
        uses[node] = 0
    for node, count in uses.items():
        users = node.users
        if len(users) != count or sum(users.values()) != count:
            _check_records(graph, node, uses)
        if count > 1 and node.abstract is STATE:
            _fail(graph, "7 (state once)", f"{node} is used {count} times.")


def _undefined(graph, node, used):
    if used.graph is not graph:
        _fail(graph, "1 (closed)", f"{node} uses {used}, which is not one of its nodes.")
    word = "3 (acyclic)" if used.kind == "call" else "1 (closed)"
    _fail(graph, word, f"{node} uses {used}, which does not come before it.")


def _check_records(graph, node, reached):
    """A recorded user may be a call that Return does not reach; all others must be as recorded."""
    for user, times in node.users.items():
        if user in reached and user.inputs.count(node) != times:
            found = user.inputs.count(node)
            _fail(graph, "2 (users)", f"{node} records {times} uses by {user}; there are {found}.")


def _check_type(graph, node):
    """Rules 4 and 5."""
    abstract = node.abstract
    if type(abstract) is not AbstractTensor and _has_unknown(abstract):
        _fail(graph, "4 (typed)", f"{node} has no type.")
    if node.attrs or node.primitive.arity != len(node.inputs):
        if text := misfit(node.primitive, node.inputs, node.attributes):
            _fail(graph, "5 (types agree)", f"{node}: {text}.")
    try:
        again = _infer_again(node)
    except errors.MsExtError as error:
        _fail(graph, "5 (types agree)", f"{node} {node.primitive.name}: {error}")
    if again is not abstract:
        _fail(graph, "5 (types agree)", f"{node} {node.primitive.name} is {abstract}, now {again}.")


def _has_unknown(abstract):
    if isinstance(abstract, AbstractTuple):
        return any(map(_has_unknown, abstract.items))
    return abstract is UNKNOWN or abstract is None


def _infer_again(node):
    primitive = node.primitive
    if isinstance(primitive, ControlPrimitive):
        return primitive.infer_node(node.inputs, node.attributes, node.graphs)
    return infer(primitive, tuple([n.abstract for n in node.inputs]), node.attributes)


def _check_owner(owners, node):
    """Rule 6."""
    if node.primitive is CALL:
        return
    if node.primitive not in WITH_REGIONS:
        _fail(node.graph, "6 (one owner)", f"{node} {node.primitive} cannot own a region.")
    for region in node.graphs:
        if region in owners:
            _fail(
                node.graph,
                "6 (one owner)",
                f"'{region.name}' belongs to {owners[region]} and {node}.",
            )
        owners[region] = node
