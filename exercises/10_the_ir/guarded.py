"""10.guarded: repair an edit that puts Minimum(..., limit) behind every Exp."""

import re
from dataclasses import replace

from ms_ext import ops
from ms_ext.engine import frontend, ir
from ms_ext.engine.infer import AbstractTensor
from ms_ext.grading.drawing import Question, drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.failure import Failure
from ms_ext.grading.layers import structure


def with_guard(text, limit):
    """The right graph: every user of an Exp but its guard uses the guard."""
    graph = ir.load(text)
    for each in graph.all_graphs():
        for node in exps(each):
            users = list(node.users)
            guard = each.add(ops.Minimum, (node, each.constant(limit)))
            for user in users:
                each.set_inputs(user, tuple(guard if n is node else n for n in user.inputs))
    return graph


def exps(graph):
    """The Exp calls of one graph."""
    return [node for node in graph.order() if node.primitive.name == "Exp"]


# the graphs ----------------------------------------------------------------------------------


def alone(x):
    """exp(x) + x"""
    return ops.exp(x) + x


def several(x):
    """e = exp(x); e * e + x and e are returned"""
    e = ops.exp(x)
    return e * e + x, e


def nested(x):
    """exp(exp(x) - 1)"""
    return ops.exp(ops.exp(x) - 1.0)


def branch(x):
    """exp in both branches of an If"""
    if x.sum() > 0.0:
        y = ops.exp(x) + x
    else:
        y = x * ops.exp(-x)
    return y


def loop(x):
    """exp before a loop and in its body"""
    y, turns = ops.exp(x), 0.0
    while turns < ops.minimum(ops.abs(x).max() + 1.0, 4.0):
        y = ops.exp(y - 1.0) + x
        turns = turns + 1.0
    return y


def deep(x):
    """exp in an If inside a loop"""
    turns = 0.0
    while turns < ops.minimum(ops.abs(x).min() + 2.0, 4.0):
        if x.sum() > turns:
            x = ops.exp(x) - 1.0
        turns = turns + 1.0
    return x


def straight(draw, n, program=(alone, several, nested)):
    """Exp in one graph"""
    kind, numbers = AbstractTensor(draw.dtype, (n,)), {}
    text = ir.dump(frontend.parse(program, [kind], {}).graph)
    text = re.sub(r"[%@]\d+", lambda m: numbers.setdefault(m[0], f"{m[0][0]}{len(numbers)}"), text)
    limit = draw.choice([0.3, 0.4, 0.6, 0.7])  # none of them is the same number in float32
    title = f"{program.__doc__}   (x: {kind}, limit {limit})"
    return Question(title, (text, limit), {}, with_guard(text, limit))


def boxed(draw, n, program=(branch, loop, deep)):
    """Exp in regions"""
    return straight(draw, n, program)


# the judge, and what typical mistakes leave behind ----------------------------------------------


def guards(question, answer):
    """A sound graph of the same types and the right values, with one guard for each Exp."""
    right, yours = question.graph, structure.graph_in(answer)
    if isinstance(yours, Failure):
        return replace(yours, got=answer)
    failure = structure.other_interface(right, yours) or structure.other_values(right, yours)
    if failure or structure.size(yours) <= structure.size(right):
        return failure
    return Failure("too-many", "", wanted=right, yours=yours)


def _graphs(failure):
    return failure.yours.all_graphs() if failure.yours is not None else []


def _bare(graph):
    """The Exp calls of a graph that somebody uses unguarded."""
    guards = {"Minimum", "Maximum"}
    return [e for e in exps(graph) if not guards.issuperset(u.primitive.name for u in e.users)]


def _number(failure):
    return failure.code == "raises" and "is not a node of the graph" in failure.words


def _cycle(failure):
    unsound = failure.code in ("invalid", "raises")
    return unsound and ("not defined before" in failure.words or "rule 3" in failure.words)


def _typed(failure):
    constants = [c for graph in _graphs(failure) for c in graph.constants.values()]
    refused = "has the type" in failure.words or "rule 5" in failure.words
    return refused or not all(getattr(each.abstract, "weak", True) for each in constants)


def _in_regions_only(failure):
    bare = [bool(_bare(graph)) for graph in _graphs(failure)]
    return any(bare) and not bare[0]


def _returned(failure):
    return any(graph.result in e.users for graph in _graphs(failure) for e in _bare(graph))


def _untouched(failure):
    return any(map(_bare, _graphs(failure)))


mistakes = (
    Mistake(
        "number-as-node", _number, "A number is no node.",
        "`add` takes nodes only; a constant is a node too, of the graph that it is used in.",
        "Which method of a graph makes the node of a number?",
    ),
    Mistake(
        "uses-itself", _cycle, "Your guard uses itself.",
        "`replace(node, safe)` makes every user of the Exp use `safe` instead, and `safe` is one "
        "of them: now it waits for its own result.",
        "Print the graph: what is the first operand of Minimum, and what should it be? "
        "`set_inputs` changes a single node.",
    ),
    Mistake(
        "constant-typed", _typed, "Your limit has a dtype of its own.",
        "A NumPy number is a tensor with a dtype of its own: beside a narrower float it makes the "
        "wider one, which the users were not typed for; and np.float32(0.6) is not quite 0.6. A "
        "Python number takes the dtype of what it meets.",
        "What does `graph.constant` make of `limit` itself?",
    ),
    Mistake(
        "regions-missed", _in_regions_only, "An Exp inside a region is not guarded.",
        "`order()` lists the calls of one graph. A branch or a loop's body is a graph of its own, "
        "with an order and constants of its own.",
        "Which method of a graph gives it and all its regions?",
    ),
    Mistake(
        "return-missed", _returned, "An Exp is returned unguarded.",
        "Return is a user too, though `order()` does not list it.",
        "Go through the users of the Exp rather than through the calls.",
    ),
    Mistake(
        "unguarded", _untouched, "An Exp is still used unguarded.",
        "In the graph that came back, a call takes the result of an Exp directly.",
        "Compare the graphs: which user was left out?",
    ),
)  # fmt: skip

hints = (
    "There are three mistakes. Let `ms.graph.verify` find the first: call it on what `guarded` "
    "returns, and read the line of Minimum.",
    "One: when every user has been rewired, the guard itself must get the Exp back. Two: beside "
    "float16, which dtype has np.float32(limit)? Three: a branch is a graph of its own, and needs "
    "a constant of its own.",
    "A sibling that puts a Neg behind every parameter of one graph:\n\n"
    "    for node in graph.parameters:\n"
    "        turned = graph.add(ops.Neg, [node])\n"
    "        graph.replace(node, turned)       # Neg uses itself now\n"
    "        graph.set_inputs(turned, [node])  # and here it gets the parameter back",
)

_GIVES_BACK = "            each.set_inputs(safe, [node, ceiling])"

mutants = (
    Mutant("uses-itself", _GIVES_BACK, ""),
    Mutant("constant-typed", "each.constant(limit)", "each.constant(np.float32(limit))"),
    Mutant("regions-missed", "graph.all_graphs()", "[graph]"),
    Mutant(
        "return-missed", "            each.replace(node, safe)",
        "            for user in set(each.order()) - {safe}:\n"
        "                inputs = [safe if n is node else n for n in user.inputs]\n"
        "                each.set_inputs(user, inputs)",
    ),
    Mutant("unguarded", "            each.replace(node, safe)", ""),
    Mutant("other-values", "ops.Minimum", "ops.Maximum"),
    Mutant("uses-itself", _GIVES_BACK, "            each.erase(node)"),
    Mutant("number-as-node", "each.constant(limit)", "limit"),
)  # fmt: skip

_EXPS = """
import ms_ext as ms
from ms_ext import ops

def exps(graph):
    return [node for node in graph.order() if node.primitive.name == "Exp"]
"""

variants = {
    "only the users there were before": _EXPS
    + """
def guarded(text, limit):
    graph = ms.graph.load(text)
    for each in graph.all_graphs():
        for exp in exps(each):
            users, guard = [*exp.users], each.add(ops.Minimum, (exp, each.constant(limit)))
            for user in users:
                each.set_inputs(user, tuple(guard if n is exp else n for n in user.inputs))
    return graph
""",
    "into the regions by recursion": _EXPS
    + """
def guard_all(graph, limit):
    for node in graph.order():
        for region in node.graphs:
            guard_all(region, limit)
    for node in exps(graph):
        safe = graph.add(ops.Minimum, [node, graph.constant(limit)])
        graph.replace(node, safe)
        graph.set_inputs(safe, [node, graph.constant(limit)])

def guarded(text, limit):
    graph = ms.graph.load(text)
    guard_all(graph, limit)
    return ms.graph.verify(graph)
""",
    "a second Exp, and the old one goes": _EXPS
    + """
def guarded(text, limit):
    whole = ms.graph.load(text)
    for graph in whole.all_graphs():
        for old in exps(graph):
            copy = graph.add(ops.Exp, old.inputs)
            graph.replace(old, graph.add(ops.Minimum, [copy, graph.constant(limit)]))
            graph.erase(old)
    return whole
""",
    "with an editor": """
import ms_ext as ms
from ms_ext import ops
from ms_ext.engine.patterns import Editor

def guarded(text, limit):
    graph = ms.graph.load(text)
    for editor in map(Editor, graph.all_graphs()):
        for node in editor.graph.order():
            if node.primitive.name == "Exp":
                inputs = [editor.add(ops.Exp, node.inputs, of=node), editor.constant(limit)]
                editor.replace(node, editor.add(ops.Minimum, inputs, of=node))
    return graph
""",
}

exercise = Exercise(
    target="guarded",
    contract="Return a sound graph of the same types in which every user of an Exp sees "
    "Minimum(Exp, limit), in regions too.",
    checks=(
        Check(
            "sound", "a sound graph with the guarded values", points=1, ask="build",
            cases=drawn(straight), judge=guards, inputs="text limit",
        ),
        Check(
            "types", "in float16 and float64 too", points=1, ask="build",
            cases=drawn(straight, dtypes="f16 f64"), judge=guards, inputs="text limit",
        ),
        Check(
            "regions", "in branches and loops too", points=1, ask="build",
            cases=drawn(boxed), judge=guards, inputs="text limit",
        ),
    ),
    mistakes=mistakes,
    hints=hints,
    mutants=mutants,
    variants=variants,
)  # fmt: skip
