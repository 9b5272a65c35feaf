"""10.graph_of: from lines of a program to its graph."""

from ms_ext import ops
from ms_ext.engine import ir
from ms_ext.engine.infer import AbstractTensor
from ms_ext.grading import no_node
from ms_ext.grading.drawing import Question, drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.layers import structure

BINARY, UNARY = ("Sub", "Add", "Mul", "Div", "Maximum"), ("Neg", "Abs", "Tanh")
NAMES = "parameters lines results"
SHORT = {"dtypes": "f32 f64 f16 i32", "tile": 6}  # making calls anew for each use comes to an end
SAME = structure.same_graph()


def wanted(parameters, lines, results, turned=False):
    """The graph that these lines describe; ``turned``: with the operands the wrong way round."""
    graph = ir.FuncGraph("wanted")
    nodes = {name: graph.add_parameter(kind, name) for name, kind in parameters}
    for name, op, *operands in lines:
        inputs = [nodes[o] if isinstance(o, str) else graph.constant(o) for o in operands]
        nodes[name] = graph.add(getattr(ops, op), inputs[::-1] if turned else inputs)
    graph.returns(*[nodes[name] for name in results])
    return graph


# the programs --------------------------------------------------------------------------------


def formula(draw, lines, m, n):
    """every line has a name of its own, and the third repeats the second"""
    return _program(draw, lines, m, n, [f"v{at}" for at in range(lines)], twin=2)


def renamed(draw, lines, m, n):
    """names are given again, the parameters' too"""
    names = ["d", "x", *[draw.choice("xyd") for _ in range(lines - 1)]]
    return _program(draw, lines + 1, m, n, names)


def _program(draw, count, m, n, names, twin=None):
    """``count`` lines, an int in the second and a float in the fifth; z is never named."""
    shapes = {"x": (m, n), "y": (n,), "z": (m,)}
    order = draw.rng.permutation([*shapes]).tolist()
    parameters = [(name, AbstractTensor(draw.dtype, shapes[name])) for name in order]
    known, lines = ["x", "y"], [(names[0], "Sub", "x", "y")]
    for at, name in enumerate(names[1:count], 1):
        known.append(lines[-1][0])
        number = draw.integer(1, 9) if at % 2 else draw.integer(1, 9) + 0.5
        call = _call(draw, known, number, must=at in (1, 4))
        lines.append((name, *(lines[-1][1:] if at == twin else call)))
    results = [name for name, *_ in (lines[-1], *lines[: min(count - 1, 2)])] + ["y"]
    given = [(name, kind.dtype.name.lower(), kind.shape) for name, kind in parameters]
    types = ", ".join(f"{name}: {kind}" for name, kind in parameters)
    title = f"{count} line{'s' * (count != 1)}   ({types})"
    return Question(title, (given, lines, results), {}, wanted(parameters, lines, results))


def _call(draw, known, number, must):
    """An op and its operands: the newest name is one of them, so that lines depend on lines."""
    if not must and not draw.integer(0, 3):
        return draw.choice(UNARY), known[-1]
    other = number if must else draw.choice([*known, number])
    pair = [known[-1], other] if draw.integer(0, 1) else [other, known[-1]]
    return draw.choice(BINARY), *pair


# the judges, and what typical mistakes build ---------------------------------------------------


def right_values(question, answer):
    """A sound graph of the right types that computes the right values."""
    right, yours = question.graph, structure.graph_in(answer)
    if isinstance(yours, structure.Failure):
        return yours
    return structure.other(right, yours, question.seed)


def _both(failure, *codes):
    """The wanted graph and the learner's, if the failure has one of these codes."""
    known = failure.yours is not None and failure.code in codes
    return (failure.wanted, failure.yours) if known else (None, None)


def _fewer(failure):
    right, mine = _both(failure, "interface")
    return bool(mine) and len(mine.parameters) < len(right.parameters)


def _int_as_float(failure):
    graphs = _both(failure, "interface", "other-values", "other-graph")
    ints = [[type(c.value) is int for c in graph.constants.values()] for graph in graphs if graph]
    return bool(ints) and len(ints[0]) == len(ints[1]) and sum(ints[0]) > sum(ints[1])


def _other_order(failure):
    right, mine = _both(failure, "interface", "other-values")
    names = [[p.name for p in graph.parameters] for graph in (right, mine) if graph]
    return bool(names) and names[0] != names[1] and sorted(names[0]) == sorted(names[1])


def _dtype_ignored(failure):
    right, mine = _both(failure, "interface")
    shapes = [[p.shape for p in graph.parameters] for graph in (right, mine) if graph]
    if not shapes or shapes[0] != shapes[1]:
        return False
    return {p.dtype for p in mine.parameters} != {p.dtype for p in right.parameters}


def _result_missing(failure):
    right, mine = _both(failure, "interface")
    return bool(mine) and len(mine.outputs) < len(right.outputs)


def _turned(failure):
    right, mine = _both(failure, "interface", "other-values", "other-graph")
    if not mine:
        return False
    _, lines, results = failure.operands
    kinds = [(p.name, p.abstract) for p in right.parameters]
    return structure.form(wanted(kinds, lines, results, turned=True)) == structure.form(mine)


def _typed_constant(failure):
    _, mine = _both(failure, "interface", "other-values", "other-graph")
    return bool(mine) and not all(c.abstract.weak for c in mine.constants.values())


def _more_calls(failure):
    right, mine = _both(failure, "other-graph")
    return structure.size(mine) - structure.size(right) if mine else 0


def _old_value(failure):
    return failure.case.family is renamed and failure.code in ("interface", "other-values")


mistakes = (
    Mistake(
        "nothing-returned", no_node.refused("rule 4"), "Your graph returns nothing yet.",
        "A graph is what its Return reaches.",
        "Four steps: parameters, constants, calls, and `graph.returns`.",
    ),
    *no_node.MISTAKES,
    Mistake(
        "parameter-missing", _fewer, "Your graph takes fewer values than the program.",
        "Each parameter is an input of the graph, also one that no line names.",
        "Begin with `graph.add_parameter`, once for each of `parameters`.",
    ),
    Mistake(
        "parameter-order", _other_order, "Your parameters are in another order.",
        "Whoever runs the graph gives the inputs in the order of `parameters`, not by name.",
        "Add them in the order in which they come.",
    ),
    Mistake(
        "dtype-ignored", _dtype_ignored,
        "Your parameters have another dtype than the program says.",
        "A type is dtype and shape; every type further down follows from those of the parameters.",
        "Each parameter comes as name, dtype, shape: follow the dtype through your code.",
    ),
    Mistake(
        "result-missing", _result_missing, "Your graph returns fewer values than the program.",
        "A graph may return several values; `results` names all of them, in order.",
        "`graph.returns` takes any number of nodes.",
    ),
    Mistake(
        "operand-order", _turned, "The operands of your calls are the wrong way round.",
        "Sub and Div tell the difference: x - y is not y - x.",
        "Follow the first line by hand: which node is `inputs[0]`?",
    ),
    Mistake(
        "constant-typed", _typed_constant, "Your constants have a dtype of their own.",
        "A Python number takes the dtype of what it meets; a NumPy number or a tensor does not, "
        "and then the result may get another dtype.",
        "Give `graph.constant` the number as it comes.",
    ),
    Mistake(
        "int-as-float", _int_as_float, "An int of the program became another constant.",
        "2 and 2.0 are two constants: beside an int tensor the second makes a float.",
        "Give `graph.constant` the number as it comes.",
    ),
    Mistake(
        "merged", lambda failure: _more_calls(failure) < 0,
        "Two lines of the program became one call.",
        "Each line is a call, even if an equal one stands above it; merging them is a pass's work.",
        "Add a node for every line.",
    ),
    Mistake(
        "call-twice", lambda failure: _more_calls(failure) > 0,
        "Your graph makes the same call twice.",
        "A line is one node. Who needs its value uses that node; a second one would compute it "
        "again.",
        "Make the node when you meet its line, and remember it by name.",
    ),
    Mistake(
        "old-value", _old_value, "A name that is given again keeps its old value.",
        "After `x = x * x` the word x means the new value, in the lines that follow.",
        "What does your table of names hold for x after such a line?",
    ),
)  # fmt: skip

hints = (
    "You need one table: from a name to the node that it means now.",
    "Fill it with the parameters. Then, line by line: look the operands up, make constants of "
    "numbers, add the call, and enter it under the line's name. At the end, look up the results.",
    "A sibling, a chain of unary calls on one parameter:\n\n"
    "    node = graph.add_parameter(typed(dtype, shape), 'x')\n"
    "    for op in ('Neg', 'Exp'):\n"
    "        node = graph.add(getattr(ops, op), [node])\n"
    "    graph.returns(node)",
)

_AGAIN = "(graph.add(nodes[o].primitive, nodes[o].inputs) if nodes[o].inputs else nodes[o]) if"
_MERGED = """] = next(
            (n for n in inputs[0].users if (n.primitive.name, [*n.inputs]) == (op, inputs)), None
        ) or graph.add(getattr(ops, op), inputs)"""

mutants = (
    Mutant("operand-order", "for o in operands]", "for o in reversed(operands)]"),
    Mutant("dtype-ignored", "typed(dtype, shape)", 'typed("float32", shape)'),
    Mutant("result-missing", "*[nodes[name] for name in results]", "nodes[results[0]]"),
    Mutant("constant-typed", "graph.constant(o)", "graph.constant(np.float32(o))"),
    Mutant("parameter-order", "shape in parameters:", "shape in sorted(parameters):"),
    Mutant("old-value", "] = graph.add(getattr", "] = nodes.get(name) or graph.add(getattr"),
    Mutant("call-twice", "nodes[o] if", _AGAIN),
    Mutant("int-as-float", "graph.constant(o)", "graph.constant(float(o))"),
    Mutant("parameter-missing", "in parameters:", "in [p for p in parameters if p[0] < 'z']:"),
    Mutant("merged", "] = graph.add(getattr(ops, op), inputs)", _MERGED),
    Mutant("nothing-returned", "    graph.returns(*[nodes[name] for name in results])", ""),
    Mutant("list-as-node", "*[nodes[name] for name in results]", "[nodes[n] for n in results]"),
    Mutant("list-as-node", "getattr(ops, op), inputs", "getattr(ops, op), [inputs]"),
    Mutant("name-as-node", "*[nodes[name] for name in results]", "*results"),
    Mutant("operands-unlisted", "getattr(ops, op), inputs", "getattr(ops, op), *inputs"),
    Mutant("number-as-node", "graph.constant(o)", "o"),
    Mutant("invalid", "in results])\n    return graph", "in results])"),
)  # fmt: skip

variants = {
    "with helper functions": """
def operand(graph, table, word):
    return table[word] if word in table else graph.constant(word)

def graph_of(parameters, lines, results):
    graph, table = ms.graph.FuncGraph("mine"), {}
    for name, dtype, shape in parameters:
        table[name] = graph.add_parameter(typed(dtype, shape), name)
    for name, op, *words in lines:
        inputs = tuple(operand(graph, table, word) for word in words)
        table[name] = graph.add(ms.graph.Primitive(op), inputs)
    graph.returns(*map(table.get, results))
    return graph
""",
    "other names, nothing named": """
def graph_of(p, l, r):
    g = ms.graph.FuncGraph("g")
    now = dict((n, g.add_parameter(typed(d, s))) for n, d, s in p)
    for n, op, *w in l:
        now[n] = g.add(vars(ops)[op], [now[x] if type(x) is str else g.constant(x) for x in w])
    g.returns(*[now[n] for n in r])
    return g
""",
    "through the text": """
def graph_of(parameters, lines, results):
    graph = ms.graph.FuncGraph("first")
    nodes = {name: graph.add_parameter(typed(d, s), name) for name, d, s in parameters}
    for name, op, *words in lines:
        inputs = [nodes.get(w) or graph.constant(w) for w in words]
        nodes = {**nodes, name: graph.add(getattr(ops, op), inputs)}
    graph.returns(*[nodes[name] for name in results])
    return ms.graph.verify(ms.graph.load(ms.graph.dump(graph)))
""",
}

exercise = Exercise(
    target="graph_of",
    contract="Build the graph of the program: an input for each parameter, one call a line, also "
    "where two lines are equal, every number as it comes, as many results as are named.",
    checks=(
        Check(
            "values", "a sound graph of the right types and values", points=2, ask="build",
            cases=drawn(formula, **SHORT), judge=right_values, inputs=NAMES,
        ),
        Check(
            "lines", "one call a line, shared by all who use it", points=1, ask="build",
            cases=drawn(formula, **SHORT), judge=SAME, needs=("values",), inputs=NAMES,
        ),
        Check(
            "renamed", "a name that is given again means the new value", points=1, ask="build",
            cases=drawn(renamed, **SHORT), judge=SAME, needs=("values",), inputs=NAMES,
        ),
    ),
    mistakes=mistakes,
    hints=hints,
    mutants=mutants,
    variants=variants,
)  # fmt: skip
