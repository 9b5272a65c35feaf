"""09.average: a number that changes from call to call becomes an input of one graph."""

import itertools

import numpy as np

import ms_ext.ops  # noqa: F401  the graphs that come back hold them
from ms_ext.grading.drawing import Question, drawn, kind_of
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.failure import Counted, Failure
from ms_ext.grading.layers import evaluation, structure, values

WEIGHTS = (0.1, 0.25, 0.4, 0.55, 0.7)  # of none is 1 - weight among them
NEAR = 1e-5  # a weight in float32 is as good as one in float64


def average(x, mean, weight):
    """The right answer."""
    return mean * weight + x * (1.0 - weight)


def vectors(draw, n):
    """five weights"""
    return _calls(draw, n)


def matrices(draw, m, n):
    """five weights, matrices"""
    return _calls(draw, m, n)


def _calls(draw, *shape):
    weights = [WEIGHTS[at] for at in draw.rng.permutation(len(WEIGHTS))]
    calls = tuple((draw(*shape), draw(*shape), weight) for weight in weights)
    return Question(f"five calls, x and mean of type {kind_of(calls[0][0])}", calls)


# the judge ------------------------------------------------------------------------------------


def once(question, answer):
    """Right values, of the dtype of x; one graph for all calls, which gives the values too."""
    if not isinstance(answer, dict) or not isinstance(answer.get("graphs"), list):
        return Failure("kind", "No answers came back.", got=answer)
    for number, call in enumerate(question.operands):
        wanted = average(*call).astype(call[0].dtype)
        if failure := values.compare(wanted, wanted, answer["answers"][number], NEAR):
            return failure
    graphs = [structure.graph_in(text) for text in answer["graphs"]]
    if broken := [each for each in graphs if isinstance(each, Failure)]:
        return broken[0]
    if len(graphs) != 1:
        words = f"{len(WEIGHTS)} calls were compiled to {len(graphs)} graphs."
        return Failure("compiled-again" if graphs else "not-compiled", words, *_counts(graphs))
    return None if _gives(graphs[0], question.operands) else _stranger(graphs[0])


def _gives(graph, calls):
    """Whether the graph gives the values of two calls, in whichever order it takes operands."""
    orders = itertools.permutations(range(3)) if len(graph.parameters) == 3 else ()
    return any(all(_gives_one(graph, call, order) for call in calls[:2]) for order in orders)


def _gives_one(graph, call, order):
    pairs = zip(graph.parameters, order, strict=True)
    operands = [_as_input(parameter, call[at]) for parameter, at in pairs]
    if any(each is None for each in operands):
        return False
    results = evaluation.run(graph, tuple(operands))
    wanted = average(*call)
    return not isinstance(results, Failure) and not values.compare(wanted, wanted, results[0], NEAR)


def _as_input(parameter, value):
    """A value as an array of the parameter's type; None if it cannot be one."""
    kind, value = parameter.abstract, np.asarray(value)
    same = kind.shape == value.shape or (value.ndim == 0 and kind.size == 1)
    return value.astype(kind.dtype.numpy).reshape(kind.shape) if same else None


def _stranger(graph):
    words = f"It takes {', '.join(str(p.abstract) for p in graph.parameters) or 'nothing'}."
    return Failure("interface", words, yours=graph)


def _frozen(failure):
    """The weight of another call, of an earlier question even."""
    if failure.code != "values" or not isinstance(failure.got, np.ndarray):
        return False
    wrong = [
        average(x, m, other) for x, m, own in failure.operands for other in WEIGHTS if own != other
    ]
    return any(w.shape == failure.got.shape and np.allclose(w, failure.got) for w in wrong)


def _counts(graphs):
    return Counted(1, "graph"), Counted(len(graphs), "graph")


def _said(code):
    return lambda failure: failure.code == code


mistakes = (
    Mistake(
        "compiled-again", _said("compiled-again"), "Each weight is compiled anew.",
        "A Python number is a part of the signature: another number is another graph. A function "
        "that jit makes anew at each call knows no graph at all.",
        "Which of the three arguments is no tensor? What would make an input of it?",
    ),
    Mistake(
        "not-compiled", _said("not-compiled"), "Nothing is compiled.",
        "The values are right, but they come from PyNative mode, op by op.",
        "Give the arithmetic to a function with @ms.jit, and call that one.",
    ),
    Mistake(
        "frozen-weight", _frozen, "Every call uses the first weight.",
        "It is baked in: a global or an attribute is looked at once, while the graph is made.",
        "What changes from call to call has to come in as an argument.",
    ),
    Mistake(
        "other-graph", _said("interface"), "The compiled graph is not the whole average.",
        "It should take x, mean and weight, and do all the arithmetic.",
        "Hand all three on to the compiled function, and calculate nothing before.",
    ),
)  # fmt: skip

hints = (
    "A graph is looked up by the types of its inputs and the values of everything else. Which "
    "value differs between the five calls?",
    "`ms.mutable(number)` is an input, and so is a Tensor. It has to be one before the compiled "
    "function is called: let `average` be a plain function that calls a compiled one.",
    "A sibling, a power that changes:\n\n"
    "    @ms.jit\n"
    "    def raised(x, power):\n"
    "        return x ** power\n\n"
    "    def to_the(x, power):\n"
    "        return raised(x, ms.mutable(power))",
)

_HAND, _ARITHMETIC = "mutable(weight))", "mean * weight + x * (1.0 - weight)"
_INNER = "@ms.jit\ndef blended"
_OUTER = "def average(x, mean, weight):\n    return blended(x, mean, mutable(weight))"
_AGAIN = """def average(x, mean, weight):
    def calculate(x, mean, weight):
        return mean * weight + x * (1.0 - weight)
    return ms.jit(calculate)(x, mean, mutable(weight))"""
_GLOBAL = """WEIGHT = 0.0

@ms.jit
def with_global(x, mean):
    return mean * WEIGHT + x * (1.0 - WEIGHT)

def average(x, mean, weight):
    global WEIGHT
    if not WEIGHT:
        WEIGHT = weight
    return with_global(x, mean)"""

mutants = (
    Mutant("compiled-again", _HAND, "weight)"),
    Mutant("compiled-again", _OUTER, _AGAIN),
    Mutant("compiled-again", _OUTER, "average = blended"),
    Mutant("not-compiled", _INNER, "def blended"),
    Mutant("frozen-weight", _OUTER, _GLOBAL),
    Mutant("other-graph", "    return blended(x, mean, mutable(weight))",
           "    return blended(x, mean * weight, mutable(weight))",
           more=((_ARITHMETIC, "mean + x * (1.0 - weight)"),)),
    Mutant("values", _ARITHMETIC, "mean * (1.0 - weight) + x * weight"),
    Mutant("dtype", _HAND, "Tensor(weight, ms.float64))"),
)  # fmt: skip

variants = {
    "a Tensor of the dtype of x": """
def average(x, mean, weight):
    return blended(x, mean, Tensor(weight, x.dtype))
""",
    "other names, another order, another formula": """
from ms_ext import jit, mutable as changing

def _mix(share, new, old):
    return new + share * (old - new)

_mix = jit(_mix)

def average(x, mean, weight):
    return _mix(changing(float(weight)), x, mean)
""",
    "an object": """
class Average(nn.Cell):
    @ms.jit
    def construct(self, x, mean, weight):
        return mean * weight + x * (1.0 - weight)

_cell = Average()

def average(x, mean, weight):
    return _cell(x, mean, mutable(weight))
""",
    "one element in a vector": """
def average(x, mean, weight):
    return blended(x, mean, Tensor([weight], x.dtype))
""",
}

exercise = Exercise(
    target="average",
    contract="average(x, mean, weight) gives mean * weight + x * (1 - weight), in the dtype of x, "
    "from one graph of three inputs that is compiled once for all weights.",
    checks=(
        Check(
            "once", "five weights, one graph", points=1, ask="compiled",
            cases=drawn(vectors, dtypes="f32 f64"), judge=once, inputs="1 2 3 4 5",
        ),
        Check(
            "shapes", "of matrices too", points=1, ask="compiled",
            cases=drawn(matrices, dtypes="f32"), judge=once, inputs="1 2 3 4 5",
        ),
    ),
    mistakes=mistakes,
    hints=hints,
    mutants=mutants,
    variants=variants,
)  # fmt: skip
