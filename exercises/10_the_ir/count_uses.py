"""10.count_uses: how often is each parameter of a graph used?"""

import re

from ms_ext import ops
from ms_ext.dtype import bool_
from ms_ext.engine import ir
from ms_ext.engine.infer import AbstractTensor
from ms_ext.grading.drawing import Question, drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.failure import Failure

BINARY = (ops.Add, ops.Sub, ops.Mul, ops.Maximum)
UNARY = (ops.Neg, ops.Tanh, ops.Abs)


def uses(graph):
    """The right answer."""
    counts = {p.name: 0 for p in graph.parameters}
    for node in (*graph.order(), graph.result):
        for used in node.inputs:
            if used.kind == "parameter":
                counts[used.name] += 1
    return counts


# the graphs ----------------------------------------------------------------------------------


def straight(draw, calls):
    """calls one after the other"""
    return _question(f"a graph of {_counted(calls, 'call')}", ir.dump(_grown(draw, calls)))


def again(draw, calls):
    """a parameter is returned twice"""
    graph = _grown(draw, calls)
    graph.returns(*graph.outputs, graph.outputs[-1])
    return _question(
        f"a graph of {_counted(calls, 'call')} that returns a value twice", ir.dump(graph)
    )


def lost(draw, calls):
    """calls that Return does not reach"""
    graph = _grown(draw, 1)
    head, first, *rest = ir.dump(graph).split("\n")
    x, y, _ = graph.parameters
    number, dead = graph.result.id, []
    for at in range(calls):
        kind, operands = draw.choice([("Tanh", x), ("Add", f"{x}, {y}"), ("Mul", f"{y}, {y}")])
        number = max(number, *map(int, re.findall(r"%(\d+)", first))) + 1000 + at
        dead.append(f"  %{number} = {kind}({operands}) : {x.abstract}")
    title = f"{_counted(calls, 'call')} that Return does not reach"
    return _question(title, "\n".join([head, first, *dead, *rest]))


def boxed(draw, calls):
    """an If is one call, whatever happens in its branches"""
    graph, kind = ir.FuncGraph("choose"), AbstractTensor(draw.dtype, (2,))
    test = graph.add_parameter(AbstractTensor(bool_, ()), "test")
    x, y = (graph.add_parameter(kind, name) for name in draw.rng.permutation(["x", "y"]))
    arms = [_arm("true_branch", kind, calls), _arm("false_branch", kind, 1)]
    graph.returns(graph.add(ir.IF, (test, x, y, x), None, arms), y)
    return _question(f"an If with {_counted(calls, 'call')} in a branch", ir.dump(graph))


def _grown(draw, calls):
    graph, kind = ir.FuncGraph("f"), AbstractTensor(draw.dtype, (2,))
    x, y, _ = [graph.add_parameter(kind, name) for name in draw.rng.permutation(["x", "y", "z"])]
    nodes = [x, y, graph.add(ops.Mul, (x, x))]
    for _ in range(calls - 1):
        if draw.integer(0, 2):
            nodes.append(graph.add(draw.choice(BINARY), (draw.choice(nodes), draw.choice(nodes))))
        else:
            nodes.append(graph.add(draw.choice(UNARY), (draw.choice(nodes),)))
    graph.returns(*[node for node in nodes if node.kind == "call" and not node.users], y)
    return graph


def _arm(name, kind, calls):
    graph = ir.FuncGraph(name)
    x, y, _ = [graph.add_parameter(kind, each) for each in ("x", "y", "test")]
    last = x
    for _ in range(calls):
        last = graph.add(ops.Mul, (last, y))
    graph.returns(last)
    return graph


def _question(title, text):
    numbers = {}  # small ones, so that a learner can follow them
    text = re.sub(r"[%@]\d+", lambda m: numbers.setdefault(m[0], f"{m[0][0]}{len(numbers)}"), text)
    return Question(title, (text,), {}, ir.load(text))


def _counted(number, word):
    return f"{number} {word}{'s' * (number != 1)}"


# the judge, and what typical mistakes count ---------------------------------------------------


def right_counts(question, answer):
    """The dictionary that ``uses`` gives."""
    wanted = uses(question.graph)
    if not isinstance(answer, dict):
        return Failure("kind", "A dictionary was expected.", wanted, answer)
    for name in [*wanted, *answer]:
        if name not in answer or name not in wanted or wanted[name] != answer[name]:
            words = _difference(name, wanted.get(name), answer.get(name))
            return Failure("values", words, wanted, answer, f"at {name!r}")
    return None


def _difference(name, wanted, got):
    if wanted is None:
        return f"{name!r} is no parameter of the outermost graph."
    said = "you do not name it" if got is None else f"you say {got}"
    return f"The parameter {name!r} is used {_counted(wanted, 'time')}; {said}."


def _once_per_call(graph):
    return {p.name: sum(user in _alive(graph) for user in p.users) for p in graph.parameters}


def _without_return(graph):
    return {p.name: uses(graph)[p.name] - graph.outputs.count(p) for p in graph.parameters}


def _returned_once(graph):
    return {
        p.name: uses(graph)[p.name] - max(graph.outputs.count(p) - 1, 0) for p in graph.parameters
    }


def _with_the_lost(graph):
    return {p.name: sum(p.users.values()) for p in graph.parameters}


def _used_only(graph):
    return {name: count for name, count in uses(graph).items() if count}


def _with_regions(graph):
    counts = {}
    for each in graph.all_graphs():
        for name, count in uses(each).items():
            counts[name] = counts.get(name, 0) + count
    return counts


def _alive(graph):
    return {*graph.order(), graph.result}


def _counts(as_in):
    return lambda failure: failure.got == as_in(failure.question.graph)


mistakes = (
    Mistake(
        "nothing-counted", lambda failure: failure.got == {}, "You count nothing yet.",
        "The dictionary that came back is empty.",
        "Start with 0 for every parameter.",
    ),
    Mistake(
        "once-per-call", _counts(_once_per_call), "You count calls, not uses.",
        "A call that takes the same parameter twice, as x * x does, uses it twice.",
        "`users` says how often each user uses the node; `inputs` names a node as often as it is "
        "used.",
    ),
    Mistake(
        "return-forgotten", _counts(_without_return), "You leave Return out.",
        "A parameter that is returned is used by Return, which is a call like any other: without "
        "it nobody could see the value.",
        "`order()` does not list Return. Where does a graph keep it?",
    ),
    Mistake(
        "returned-once", _counts(_returned_once),
        "You count one use where a value is returned twice.",
        "Return is a call like any other: each of its operands is a use.",
        "How often does `graph.outputs` name the parameter?",
    ),
    Mistake(
        "lost-counted", _counts(_with_the_lost), "You count calls that Return does not reach.",
        "Such a call is still on record as a user, but it does not exist: it never runs.",
        "Which list holds only the calls that are reached?",
    ),
    Mistake(
        "regions-counted", _counts(_with_regions), "You look into the branches.",
        "A branch has parameters of its own, even where they have the same names. What it needs "
        "arrives as an operand of the If.",
        "Count in the outermost graph only.",
    ),
    Mistake(
        "unused-missing", _counts(_used_only), "A parameter that nobody uses is missing.",
        "It is still an input of the graph, used 0 times.",
        "Start from the graph's list of parameters.",
    ),
)  # fmt: skip

hints = (
    "What is there to look through? The calls that are reached, and Return. Each has `inputs`.",
    "Start with 0 for each of `graph.parameters`. Go through `graph.order()` and `graph.result`, "
    "and through the inputs of each; `kind` says whether one is a parameter.",
    "A sibling, how often each *op* is called:\n\n"
    "    counts = {}\n"
    "    for node in graph.order():\n"
    "        name = node.primitive.name\n"
    "        counts[name] = counts.get(name, 0) + 1",
)

_ALL = "[*graph.order(), graph.result]"

mutants = (
    Mutant("once-per-call", "in node.inputs:", "in set(node.inputs):"),
    Mutant("return-forgotten", _ALL, "graph.order()"),
    Mutant(
        "returned-once", "in node.inputs:",
        "in node.inputs if node is not graph.result else set(node.inputs):",
    ),
    Mutant("nothing-counted", "return counts", "return {}"),
    Mutant("lost-counted", "0 for p", "sum(p.users.values()) for p", (("+= 1", "+= 0"),)),
    Mutant(
        "regions-counted", _ALL, "[n for g in graph.all_graphs() for n in [*g.order(), g.result]]"
    ),
    Mutant(
        "unused-missing", "{p.name: 0 for p in graph.parameters}", "{}",
        (("counts[used.name] += 1", "counts[used.name] = counts.get(used.name, 0) + 1"),),
    ),
    Mutant("values", "+= 1", "+= 2"),
    Mutant("kind", "return counts", "return list(counts.values())"),
)  # fmt: skip

_HEAD = "import ms_ext as ms\n\ndef count_uses(text):\n    graph = ms.graph.load(text)\n"

variants = {
    "from the users": _HEAD
    + """
    alive = {*graph.order(), graph.result}
    return {
        p.name: sum(times for user, times in p.users.items() if user in alive)
        for p in graph.parameters
    }
""",
    "what is lost does not survive the text": """
from ms_ext.graph import dump, load

def count_uses(text):
    graph = load(dump(load(text)))
    return {p.name: sum(p.users.values()) for p in graph.parameters}
""",
    "a helper and a Counter": """
from collections import Counter
import ms_ext

def used_nodes(graph):
    for node in graph.order():
        yield from node.inputs
    yield from graph.outputs

def count_uses(text):
    graph = ms_ext.graph.load(text)
    seen = Counter(used_nodes(graph))
    return {each.name: seen[each] for each in graph.parameters}
""",
    "one parameter after the other": _HEAD
    + """
    found = dict()
    for parameter in graph.parameters:
        total = graph.outputs.count(parameter)
        for node in graph.order():
            total = total + node.inputs.count(parameter)
        found[parameter.name] = total
    return found
""",
}

exercise = Exercise(
    target="count_uses",
    contract="Return how often each parameter of the graph is used: a dictionary of its names. "
    "Being returned is a use, each time.",
    checks=(
        Check(
            "uses", "every use, by a call or by Return", points=1, ask="call plain",
            cases=drawn(straight, again), judge=right_counts, inputs="text",
        ),
        Check(
            "exists", "only by what is reached, and an If as one call", points=1, ask="call plain",
            cases=drawn(lost, boxed), judge=right_counts, inputs="text",
        ),
    ),
    mistakes=mistakes,
    hints=hints,
    mutants=mutants,
    variants=variants,
)  # fmt: skip
