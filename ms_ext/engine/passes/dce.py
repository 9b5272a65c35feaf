"""What nobody reads is not computed: calls, and operands, results, carried values of regions."""

from ..ir import ERASED, IF, TUPLE_GET_ITEM, WHILE, WITH_REGIONS
from ..ir.layout import layout
from . import graph_pass


@graph_pass
def run(graph, editor):
    """Dead calls first, then narrow what owns regions."""
    _clean(graph, editor)


def _clean(graph, editor):
    """From the outputs to the inputs: a node's users are narrow before it is looked at."""
    editor.prune()
    for node in reversed(graph.order()):
        if node.primitive in WITH_REGIONS and node.mark != ERASED:
            narrow(node, editor)
    editor.finished()


def narrow(node, editor):
    """Take from a control node what nobody reads of it, and what only that needed.

    Until nothing goes: what a narrower region no longer needs may free another carried value.
    """
    changed = True
    while changed:
        for region in node.graphs:
            if not editor.has_finished(region):
                _clean(region, editor.inside(region))
        _pass_through(node, editor)
        changed = node.mark != ERASED and _drop(node, editor)


# results that need no region ----------------------------------------------------------------------


def _pass_through(node, editor):
    """A result that is one of the operands, whatever happens inside, is that operand."""
    plan, values = layout(node), {}
    for index, returned in enumerate(node.graphs[-1].outputs):
        position = _passed(node, plan, index) if returned.kind == "parameter" else None
        if (
            position is not None
            and node.inputs[plan.offset + position].abstract is returned.abstract
        ):
            values[index] = node.inputs[plan.offset + position]
    if values:
        editor.replace_results(node, values)


def _passed(node, plan, index):
    """The parameter that result ``index`` always is, or None."""
    last = node.graphs[-1]
    position = last.parameters.index(last.outputs[index])
    if node.primitive is not IF:
        return position if index < plan.carried and position == plan.first + index else None
    return (
        position if node.graphs[0].outputs[index] is node.graphs[0].parameters[position] else None
    )


# results, carried values and operands that nobody reads -------------------------------------------


def _drop(node, editor):
    """Take away the results and operands that are not needed; whether there were any."""
    plan = layout(node)
    results, read = _needed(node, plan)
    fed = {plan.first + k for k in results if k < plan.carried}
    kept = sorted(read | fed | set(range(plan.first)))
    count, size = len(node.graphs[-1].outputs), len(node.inputs) - plan.offset
    if len(results) == count and len(kept) == size:
        return False
    for region in node.graphs:
        _cut(region, editor.inside(region), results if region is not _test(node) else None, kept)
    _fit(node, plan, editor, results, kept)
    gone = {"results": count - len(results), "operands": size - len(kept)}
    editor.matched(None, node, gone)
    return True


def _test(node):
    return node.graphs[0] if node.primitive is WHILE else None


def _needed(node, plan):
    """Results that are used, or carried and read; and the parameters that these are computed
    from."""
    results, test = set(_used(node)), _test(node)
    while True:
        read = set()
        for region in node.graphs:
            read |= _reads(region, None if region is test else results)
        fed = {p - plan.first for p in read if p in plan.feedback}
        if fed <= results:
            return sorted(results), read
        results |= fed


def _used(node):
    """Which results have a reader."""
    every = range(len(node.graphs[-1].outputs))
    if len(every) == 1 or any(user.primitive is not TUPLE_GET_ITEM for user in node.users):
        return every
    return {user.attrs["index"] for user in node.users}


def _reads(region, results):
    """Positions of the parameters that these results (None: all) are computed from."""
    waiting = [o for k, o in enumerate(region.outputs) if results is None or k in results]
    met = set(waiting)
    while waiting:
        for used in waiting.pop().inputs:
            if used not in met:
                met.add(used)
                waiting.append(used)
    return {position for position, p in enumerate(region.parameters) if p in met}


# making a region and its owner narrower -----------------------------------------------------------


def _cut(region, editor, results, kept):
    """Remove results and parameters from a region, and what only they needed."""
    if results is not None and len(results) < len(region.outputs):
        before = region.outputs
        region.returns(*[before[k] for k in results])
        for node in before:
            editor.sweep(node)
    for position, parameter in reversed(list(enumerate(region.parameters))):
        if position not in kept:
            region.erase(parameter)


def _fit(node, plan, editor, results, kept):
    """Fit the control node, and those who read its results, to its regions."""
    graph, before = editor.graph, node.inputs
    readers = [user for user in node.users if user.primitive is TUPLE_GET_ITEM]
    inputs = (*before[: plan.offset], *[before[plan.offset + p] for p in kept])
    graph.alter(node, inputs, _attributes(node, plan, kept))
    for reader in readers:
        if len(results) == 1:
            graph.replace(reader, node)
            editor.sweep(reader)
        else:
            graph.alter(reader, (node,), {"index": results.index(reader.attrs["index"])})
    for operand in before:
        editor.sweep(operand)


def _attributes(node, plan, kept):
    if node.primitive is IF:
        return node.attrs
    elements = range(plan.first + plan.carried, plan.invariant)
    counts = {
        "carried": sum(p in plan.feedback for p in kept),
        "scanned": sum(p in elements for p in kept),
    }
    return {key: counts.get(key, value) for key, value in node.attrs.items()}
