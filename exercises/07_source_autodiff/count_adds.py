"""07.count_adds: how many Adds does the walk back write to bring gradients together?"""

from ms_ext import ops
from ms_ext.engine.autodiff import differentiable, vjp
from ms_ext.grading.drawing import drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.failure import Counted, Failure
from ms_ext.grading.layers import adjoints

BINARY, UNARY = (ops.Add, ops.Sub, ops.Mul, ops.Div), (ops.Neg, ops.Exp, ops.Tanh)


class _Sums:
    """Looks on while the engine walks back, and counts the Adds of its slots."""

    def __init__(self):
        self.count = 0

    def begins(self, new):
        pass

    def step(self, node, dout):
        pass

    def gives(self, node, dout, total):
        self.count += total is not dout


def adds(graph):
    """The right answer: those that the engine writes."""
    sums = _Sums()
    vjp(graph, watch=sums)
    return sums.count


# the graphs ----------------------------------------------------------------------------------


def straight(draw, calls):
    """one result"""
    graph, nodes = _grown(draw, calls)
    return adjoints.question("one result", graph, _joined(graph, nodes))


def several(draw, calls):
    """several results, one of them twice"""
    graph, nodes = _grown(draw, calls)
    last = _joined(graph, nodes)
    results = last, nodes[-1], last, nodes[0]
    return adjoints.question("several results, one of them twice", graph, *results)


def compared(draw, calls):
    """a comparison decides, and numbers stand in between"""
    graph, nodes = _grown(draw, calls)
    for _ in range(1 + calls // 3):
        one, other = draw.choice(nodes), draw.choice(nodes)
        test = graph.add(ops.Greater, (one, other))
        scaled = graph.add(ops.Mul, (nodes[-1], graph.constant(draw.integer(2, 9) + 0.5)))
        nodes.append(graph.add(ops.Select, (test, scaled, other)))
        nodes.append(graph.add(ops.Add, (nodes[-1], graph.constant(0.5))))
    return adjoints.question("a comparison and numbers", graph, _joined(graph, nodes))


def _grown(draw, calls):
    names = draw.rng.permutation(["x", "y"])
    graph, (x, y) = adjoints.begun(draw, **dict.fromkeys(names, (2,)))
    m = graph.add(ops.Mul, (x, x))
    product = graph.add(ops.Mul, (graph.add(ops.Add, (m, x)), x))
    nodes = [x, y, m, graph.add(ops.Sub, (product, m))]  # so that every mistake counts otherwise
    for _ in range(calls - 1):
        if draw.integer(0, 2):
            operands = draw.choice(nodes), draw.choice(nodes[-2:])
            nodes.append(graph.add(draw.choice(BINARY), operands))
        else:
            nodes.append(graph.add(draw.choice(UNARY), (draw.choice(nodes),)))
    return graph, nodes


def _joined(graph, nodes):
    """One node that all others lead to, and not by comparisons alone."""
    loose = [n for n in nodes if all(user.primitive is ops.Greater for user in n.users)]
    last = loose[0]
    for node in loose[1:]:
        last = graph.add(ops.Sub, (last, node))
    return last


# the judge, and what typical mistakes count ---------------------------------------------------


def right_count(question, answer):
    """The number of Adds that the engine writes."""
    wanted = question.once("adds", lambda: adds(question.graph))
    if isinstance(answer, bool) or not isinstance(answer, int):
        return Failure("kind", "A whole number was expected.", wanted, answer)
    if answer == wanted:
        return None
    words = f"The walk back writes {Counted(wanted, 'Add')!r}; you say {answer}."
    return Failure("values", words, wanted, answer)


def _arriving(graph, calls=None, compared=False, constants=False, once=False):
    """How often something comes back to each value, or what a mistake takes for that."""
    counts = {}
    for call in (*graph.order(), graph.result) if calls is None else calls:
        if compared or call.primitive.name != "Greater":
            for used in dict.fromkeys(call.inputs) if once else call.inputs:
                if constants or used.kind != "constant":
                    counts[used] = counts.get(used, 0) + 1
    return counts


def _fewer(counts):
    return sum(count - 1 for count in counts.values())


def _says(mistaken):
    """The answer is what ``mistaken(graph)`` gives, and not by chance the right one."""
    return lambda failure: (
        failure.code == "values" and failure.got == mistaken(failure.question.graph)
    )


def _values_with_several(graph):
    return sum(count > 1 for count in _arriving(graph).values())


def _written_in_the_graph(graph):
    return sum(node.primitive.name == "Add" for node in graph.order())


def _with_booleans(graph):
    """As if a value without a gradient had a slot."""
    counts = _arriving(graph, compared=True)
    return _fewer({used: n for used, n in counts.items() if differentiable(used.abstract)})


mistakes = (
    Mistake(
        "adds-of-the-way-there", _says(_written_in_the_graph),
        "You count the Adds of the way there.",
        "The walk back writes an Add where gradients meet, whatever the ops of the way there are.",
        "Ask of each value: how often is it used?",
    ),
    Mistake(
        "one-too-many", _says(lambda graph: sum(_arriving(graph).values())),
        "You count all gradients that come back.",
        "The first one that comes back to a value is put into its slot, not added.",
        "How many Adds bring three numbers together?",
    ),
    Mistake(
        "return-forgotten", _says(lambda graph: _fewer(_arriving(graph, graph.order()))),
        "You leave Return out.",
        "The caller gives a dout for each result: to be returned is a use.",
        "`order()` does not list Return. Where does a graph keep it?",
    ),
    Mistake(
        "values-not-adds", _says(_values_with_several),
        "You count values to which several gradients come back, not Adds.",
        "Three gradients need two Adds.",
        "How many Adds bring three numbers together?",
    ),
    Mistake(
        "once-per-call", _says(lambda graph: _fewer(_arriving(graph, once=True))),
        "You count calls, not uses.",
        "x * x uses x twice: its rule gives two gradients, and both go to x.",
        "Look at `inputs` of such a call.",
    ),
    Mistake(
        "comparison-counted", _says(_with_booleans),
        "You count what a comparison uses.",
        "`x > y` is true or false: it has no slope, so nothing goes back through it.",
        "Which calls give nothing back to their operands?",
    ),
    Mistake(
        "constant-counted", _says(lambda graph: _fewer(_arriving(graph, constants=True))),
        "You count gradients of constants.",
        "A number in the program has no slot: nobody asks how the loss moves with it.",
        "Which of the `inputs` are constants?",
    ),
    Mistake(
        "nothing-counted", lambda failure: failure.got == 0, "You count nothing yet.",
        "In this graph some value is used more than once.",
        "Which value is used twice? Two gradients come back to it, and have to be added.",
    ),
)  # fmt: skip

hints = (
    "Two gradients that come back to one value need one Add, three need two. When does a gradient "
    "come back to a value?",
    "Go through the inputs of all calls and of `graph.result`, and count for each value how often "
    "it is named. Then subtract one per value. Leave out what brings nothing back.",
    "A sibling, which values are used only once:\n\n"
    "    uses = {}\n"
    "    for node in graph.order():\n"
    "        for used in node.inputs:\n"
    "            uses[used] = uses.get(used, 0) + 1\n"
    "    single = [used for used, count in uses.items() if count == 1]",
)

_TEST = 'if operand.kind != "constant" and call.primitive.name != "Greater":'
_SUM, _ALL = "sum(count - 1 for count", "[*graph.order(), graph.result]"

mutants = (
    Mutant("one-too-many", _SUM, "sum(count for count"),
    Mutant("values-not-adds", _SUM, "sum(count > 1 for count"),
    Mutant("return-forgotten", _ALL, "graph.order()"),
    Mutant("once-per-call", "in call.inputs:", "in set(call.inputs):"),
    Mutant("comparison-counted", ' and call.primitive.name != "Greater"', ""),
    Mutant("constant-counted", 'operand.kind != "constant" and ', ""),
    Mutant("values", "return adds", "return adds + 1"),
    Mutant("nothing-counted", "return adds", "return 0"),
    Mutant("adds-of-the-way-there", "return adds",
           'return sum(node.primitive.name == "Add" for node in graph.order())'),
    Mutant("kind", "return adds", "return arriving"),
)  # fmt: skip

variants = {
    "from the users": """
def count_adds(text):
    graph = ms.graph.load(text)
    alive = {*graph.order(), graph.result}
    total = 0
    for value in [*graph.parameters, *graph.order()]:
        uses = sum(
            times for user, times in value.users.items()
            if user in alive and user.primitive.name != "Greater"
        )
        total += max(uses - 1, 0)
    return total
""",
    "a Counter": """
from collections import Counter
import ms_ext

def given_back(graph):
    for call in graph.order():
        if "bool" not in str(call.abstract):
            yield from call.inputs
    yield from graph.outputs

def count_adds(text):
    graph = ms_ext.graph.load(text)
    many = Counter(v for v in given_back(graph) if v.kind in ("parameter", "call"))
    return many.total() - len(many)
""",
    "the walk of the chapter, counted": """
def count_adds(text):
    graph, slots, adds = ms.graph.load(text), set(), 0
    for call in [graph.result, *reversed(graph.order())]:
        for value in () if call.primitive is ops.Greater else call.inputs:
            if value.kind != "constant":
                adds += value in slots
                slots.add(value)
    return adds
""",
}

exercise = Exercise(
    target="count_adds",
    contract="How many Adds the walk back writes to bring gradients together: for every value one "
    "fewer than come back to it. Being returned brings one too, each time.",
    checks=(
        Check(
            "uses", "every use, by a call or by Return", points=1, ask="call plain",
            cases=drawn(straight, several), judge=right_count, inputs="text",
        ),
        Check(
            "nothing back", "not from comparisons, not to constants", points=1, ask="call plain",
            cases=drawn(compared), judge=right_count, inputs="text",
        ),
    ),
    mistakes=mistakes,
    hints=hints,
    mutants=mutants,
    variants=variants,
)  # fmt: skip
