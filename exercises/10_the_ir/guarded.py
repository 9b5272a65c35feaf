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
    """exp(-exp(x))"""
    return ops.exp(-ops.exp(x))


def two(x):
    """exp(x) + exp(-x)"""
    return ops.exp(x) + ops.exp(-x)


def twice(x):
    """exp(exp(x))"""
    return ops.exp(ops.exp(x))


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


def straight(draw, n, program=(alone, several, two, nested, twice)):
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
    """A sound graph of the same types and values, with one guard behind each Exp."""
    right, yours = question.graph, structure.graph_in(answer)
    if isinstance(yours, Failure):
        return replace(yours, got=answer)
    failure = structure.other(right, yours, question.seed)
    if failure is None and any(_bare(each, {"Minimum"}) for each in yours.all_graphs()):
        words = "An Exp is used by another call than a Minimum."
        failure = Failure("other-graph", words, wanted=right, yours=yours)
    if failure is None and structure.size(yours) > structure.size(right):
        words = f"Your graph makes {structure.size(yours)} calls; {structure.size(right)} do."
        failure = Failure("too-many", words, wanted=right, yours=yours)
    return failure


def _graphs(failure):
    return failure.yours.all_graphs() if failure.yours is not None else []


def _bare(graph, guards=frozenset({"Minimum", "Maximum"})):
    """The Exp calls of a graph that somebody uses unguarded; a wrong guard is another mistake."""
    return [e for e in exps(graph) if not guards.issuperset(u.primitive.name for u in e.users)]


def _guarded_twice(failure):
    users = [e.users for graph in _graphs(failure) for e in exps(graph)]
    return failure.code == "too-many" and any(len(each) > 1 for each in users)


def _says(*words):
    """The learner's graph or code was refused with one of these words."""
    refused = ("invalid", "raises")
    return lambda failure: failure.code in refused and any(w in failure.words for w in words)


def _typed(failure):
    constants = [c for graph in _graphs(failure) for c in graph.constants.values()]
    refused = "has the type" in failure.words or "rule 5" in failure.words
    return refused or not all(getattr(each.abstract, "weak", True) for each in constants)


def _in_regions_only(failure):
    bare = [bool(_bare(graph)) for graph in _graphs(failure)]
    return any(bare) and not bare[0]


def _returned(failure):
    return any(graph.result in e.users for graph in _graphs(failure) for e in _bare(graph))


mistakes = (
    Mistake(
        "number-as-node", _says("makes one of a number"), "A number is no node.",
        "`add` takes nodes only; a constant is a node too, of the graph that it is used in.",
        "Which method of a graph makes the node of a number?",
    ),
    Mistake(
        "uses-itself", _says("rule 3", "not defined before"), "Your guard uses itself.",
        "`replace(node, safe)` makes every user of the Exp use `safe` instead, and `safe` is one "
        "of them: now it waits for its own result.",
        "Print the graph: what is the first operand of Minimum, and what should it be? "
        "`set_inputs` changes a single node.",
    ),
    Mistake(
        "foreign-constant", _says("is not one of its nodes"),
        "A region uses a node of another graph.",
        "A branch or a loop's body is a graph of its own: its calls take its own nodes only.",
        "Each graph has constants of its own: which graph's `constant` do you call?",
    ),
    Mistake(
        "too-many", _guarded_twice, "An Exp has more than one guard.",
        "All users of an Exp can share one Minimum.",
        "Make it once, before you go through the users.",
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
        "unguarded", lambda failure: any(map(_bare, _graphs(failure))),
        "An Exp is still used unguarded.",
        "In the graph that came back, a call takes the result of an Exp directly.",
        "Compare the graphs: which user was left out?",
    ),
    Mistake(
        "constant-typed", _typed, "Your limit has a dtype of its own.",
        "A NumPy number or a tensor has a dtype of its own: beside a narrower float it makes the "
        "wider one, which the users were not typed for; and np.float32(0.6) is not quite 0.6. A "
        "Python number takes the dtype of what it meets.",
        "What does `graph.constant` make of `limit` itself?",
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
_REPLACES, _LIMIT = "            each.replace(node, safe)", "each.constant(limit)"
_REWIRES = """            for user in [USERS]:
                one = GUARD
                each.set_inputs(user, [one if n is node else n for n in user.inputs])"""


def _rewiring(users, guard="safe"):
    return _REWIRES.replace("USERS", users).replace("GUARD", guard)


mutants = (
    Mutant("uses-itself", _GIVES_BACK, ""),
    Mutant("constant-typed", _LIMIT, "each.constant(np.float32(limit))"),
    Mutant("constant-typed", _LIMIT, "each.constant(ms.Tensor(limit, ms.float32))"),
    Mutant("regions-missed", "graph.all_graphs()", "[graph]"),
    Mutant("return-missed", _REPLACES, _rewiring("u for u in each.order() if u is not safe")),
    Mutant("unguarded", _REPLACES, ""),
    Mutant("unguarded", "in exps(each)", "in exps(each)[-1:]"),
    Mutant("unguarded", _REPLACES, _rewiring("u for u in node.users if u not in exps(each)")),
    Mutant("foreign-constant", _LIMIT, "graph.constant(limit)"),
    Mutant("too-many", _REPLACES, _rewiring("*node.users", "each.add(ops.Minimum, safe.inputs)")),
    Mutant("other-values", "ops.Minimum", "ops.Maximum"),
    Mutant("uses-itself", _GIVES_BACK, "            each.erase(node)"),
    Mutant("number-as-node", _LIMIT, "limit"),
)

variants = {
    "the users there were before, a limit with the dtype of the Exp": """
def guarded(text, limit):
    graph = ms.graph.load(text)
    for each in graph.all_graphs():
        for exp in exps(each):
            users, most = [*exp.users], each.constant(ms.Tensor(limit, exp.dtype))
            guard = each.add(ops.Minimum, (most, exp))
            for user in users:
                each.set_inputs(user, tuple(guard if n is exp else n for n in user.inputs))
    return graph
""",
    "into the regions by recursion": """
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
    "a second Exp, and the old one goes": """
def guarded(text, limit):
    whole = ms.graph.load(text)
    for graph in whole.all_graphs():
        for old in exps(graph):
            copy = graph.add(ops.Exp, old.inputs)
            graph.replace(old, graph.add(ops.Minimum, [copy, graph.constant(limit)]))
            graph.erase(old)
    return whole
""",
}

_BUILT = {"points": 1, "ask": "build", "judge": guards, "inputs": "text limit"}
exercise = Exercise(
    target="guarded",
    contract="Return a sound graph of the same types, with one guard Minimum(Exp, limit) behind "
    "each Exp, which every user of it sees, in regions too.",
    checks=(
        Check("sound", "a sound graph with the guarded values", cases=drawn(straight), **_BUILT),
        Check("types", "in float16 and float64", cases=drawn(straight, dtypes="f16 f64"), **_BUILT),
        Check("regions", "in branches and loops too", cases=drawn(boxed), **_BUILT),
    ),
    mistakes=mistakes,
    hints=hints,
    mutants=mutants,
    variants=variants,
)
