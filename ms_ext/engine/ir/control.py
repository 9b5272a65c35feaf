"""The primitives that only graphs have: Return, tuples, and the four that own or name sub-graphs.

| node | operands | regions | results |
|---|---|---|---|
| If | cond, *operands | then(*operands), else(*operands) | what both return |
| While | *carried, *invariant | cond(same), body(same) -> *carried, *stacked | last, Stacks |
| For | n, *carried, *scanned, *invariant | body(i, *carried, *elements, *invariant) | as While |
| Call | *arguments | one FuncGraph, shared, possibly the caller itself | its results |
"""

from .. import errors
from ..infer import STATE, UNKNOWN, AbstractStack, AbstractTensor, AbstractTuple, join


class ControlPrimitive:
    """A primitive known to the graph itself rather than declared as an op.

    ``run(node)`` makes the function that is called when the graph runs, ``effect`` says whether it
    does more than give results (see ``effects``).
    """

    __slots__ = ("effect", "infer_node", "name", "run")

    arity = None
    attributes = ()
    bprop = None
    elementwise = False
    nondeterministic = False
    expr = None
    doc = ""

    def __init__(self, name, infer_node, run=None, effect=False):
        self.name, self.infer_node, self.run, self.effect = name, infer_node, run, effect

    def __repr__(self):
        return self.name

    def __reduce__(self):
        return _named, (self.name,)


def results(graph):
    """The types a graph returns, as a tuple of abstracts."""
    return tuple(node.abstract for node in graph.result.inputs)


def packed(abstracts):
    """Several results are one tuple; one result is the value itself."""
    return abstracts[0] if len(abstracts) == 1 else AbstractTuple(abstracts)


def _infer_tuple(inputs, attrs, graphs):
    return AbstractTuple(node.abstract for node in inputs)


def _infer_item(inputs, attrs, graphs):
    kind, index = inputs[0].abstract, attrs["index"]
    if not isinstance(kind, AbstractTuple):
        raise errors.GraphError("TupleGetItem needs a tuple.", given=str(kind))
    if not 0 <= index < len(kind.items):
        raise errors.InvalidIndex(f"The tuple has {len(kind.items)} items.", given=f"index {index}")
    return kind.items[index]


def _expect(graph, abstracts, role):
    have = [p.abstract for p in graph.parameters]
    if len(have) != len(abstracts):
        raise errors.GraphError(
            f"{role} takes {len(have)} values but the node passes {len(abstracts)}."
        )
    for parameter, abstract in zip(graph.parameters, abstracts, strict=True):
        if join(parameter.abstract, abstract) is None:
            raise errors.GraphError(
                f"{role}: '{parameter.name}' is {parameter.abstract} but is passed {abstract}."
            )


def _infer_if(inputs, attrs, graphs):
    if not _is_truth(inputs[0].abstract):
        raise errors.InvalidValue(
            "Only tensor which shape is () or (1,) can be converted to bool, but got tensor shape "
            f"is {inputs[0].abstract}",
            given=f"a condition of type {inputs[0].abstract}",
            hint="Reduce it first: `x.all()` or `x.any()`.",
        )
    operands = [node.abstract for node in inputs[1:]]
    then, other = graphs
    _expect(then, operands, "The true branch of If")
    _expect(other, operands, "The false branch of If")
    yes, no = results(then), results(other)
    if len(yes) != len(no):
        raise errors.GraphError(f"The branches of If return {len(yes)} and {len(no)} values.")
    joined = [join(a, b) for a, b in zip(yes, no, strict=True)]
    if None in joined:
        index = joined.index(None)
        raise errors.InvalidType(
            "Cannot join the return values of different branches, perhaps you need to make them "
            "equal.",
            given=f"{yes[index]} in the true branch, {no[index]} in the false branch",
            hint="Make both branches give the same shape and dtype.",
        )
    return packed(tuple(joined))


def _infer_while(inputs, attrs, graphs):
    cond, body = graphs
    types = [node.abstract for node in inputs]
    _expect(cond, types, "The test of While")
    _expect(body, types, "The body of While")
    test = results(cond)
    if len(test) != 1 or not _is_truth(test[0]):
        raise errors.GraphError("The test of While must give one bool.", given=str(packed(test)))
    return _loop_results("While", types[: attrs["carried"]], results(body))


def _is_truth(abstract):
    return abstract is UNKNOWN or (isinstance(abstract, AbstractTensor) and abstract.size == 1)


def _infer_for(inputs, attrs, graphs):
    carried, scanned = attrs["carried"], attrs["scanned"]
    types = [node.abstract for node in inputs]
    stacks = types[1 + carried : 1 + carried + scanned]
    for stack in stacks:
        if not isinstance(stack, AbstractStack):
            raise errors.GraphError("For scans stacks only.", given=str(stack))
    turn = types[0:1] + types[1 : 1 + carried] + [s.item for s in stacks]
    _expect(graphs[0], turn + types[1 + carried + scanned :], "The body of For")
    return _loop_results("For", types[1 : 1 + carried], results(graphs[0]))


def _loop_results(word, carried, returned):
    if len(returned) < len(carried):
        raise errors.GraphError(
            f"The body of {word} returns {len(returned)} values but carries {len(carried)}."
        )
    for index, (before, after) in enumerate(zip(carried, returned, strict=False)):
        if before is not STATE and join(before, after) is not before:
            raise errors.InvalidType(
                f"Value {index} carried by {word} changes its type in a turn.",
                given=f"{before} before, {after} after the body",
                hint="Start the loop with the shape and dtype that the body gives.",
            )
    return packed((*carried, *(AbstractStack([kind]) for kind in returned[len(carried) :])))


def _infer_call(inputs, attrs, graphs):
    if graphs[0].result.abstract is None:
        return UNKNOWN  # a recursive graph that is still being read
    _expect(graphs[0], [node.abstract for node in inputs], f"The graph '{graphs[0].name}'")
    return packed(results(graphs[0]))


def _infer_return(inputs, attrs, graphs):
    return packed(tuple(node.abstract for node in inputs))


RETURN = ControlPrimitive("Return", _infer_return)
MAKE_TUPLE = ControlPrimitive("MakeTuple", _infer_tuple)
TUPLE_GET_ITEM = ControlPrimitive("TupleGetItem", _infer_item)
IF = ControlPrimitive("If", _infer_if)
WHILE = ControlPrimitive("While", _infer_while)
FOR = ControlPrimitive("For", _infer_for)
CALL = ControlPrimitive("Call", _infer_call)

CONTROL = {p.name: p for p in (RETURN, MAKE_TUPLE, TUPLE_GET_ITEM, IF, WHILE, FOR, CALL)}
WITH_REGIONS = frozenset((IF, WHILE, FOR))


def _named(name):
    return CONTROL[name]


def runs(name, infer_node, effect=False):
    """Declare a primitive that is a function of its operands: a decorator of its ``run(node)``."""

    def declare(run):
        CONTROL[name] = ControlPrimitive(name, infer_node, run, effect)
        return CONTROL[name]

    return declare


def effect(name, infer_node):
    """Declare a primitive with an effect: a decorator of its ``run(node)``."""
    return runs(name, infer_node, effect=True)
