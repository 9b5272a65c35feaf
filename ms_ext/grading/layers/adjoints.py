"""Is the graph that came back the adjoint of the case's graph? ``(*inputs, *douts) -> *gradients``.

The engine's own adjoint says what it takes and gives, and which numbers come out.
"""

import re

import numpy as np

from ms_ext.engine import ir
from ms_ext.engine.autodiff import vjp
from ms_ext.engine.backends import reference
from ms_ext.engine.infer import AbstractTensor

from ..drawing import Question, seeded
from ..failure import Counted, Failure, listed
from . import evaluation, gradients, structure


def begun(draw, **shapes):
    """A graph with parameters of these shapes, of the drawn dtype: (graph, parameters)."""
    graph = ir.FuncGraph("f")
    kinds = {name: AbstractTensor(draw.dtype, shape) for name, shape in shapes.items()}
    return graph, [graph.add_parameter(kind, name) for name, kind in kinds.items()]


def question(title, graph, *results):
    """The target is called with the text of a graph that returns these nodes.

    Its numbers are small ones, the same in every run, so that a learner can follow them.
    """
    graph.returns(*results)
    numbers, text = {}, ir.dump(ir.load(ir.dump(graph)))
    text = re.sub(r"[%@]\d+", lambda m: numbers.setdefault(m[0], f"{m[0][0]}{len(numbers)}"), text)
    graph = ir.load(text)
    kinds = ", ".join(f"{p.name} {p.abstract}" for p in graph.parameters)
    return Question(f"{title}   ({kinds})", (text,), {}, graph)


def adjoint(question):
    """The engine's adjoint of the case's graph.

    >>> from ms_ext.grading.graph_cases import built
    >>> graph = built(lambda x: x * x, ["f32[2]"])
    >>> len(adjoint(Question("", (), {}, graph)).order())
    3
    """
    return question.once("adjoint", lambda: vjp(question.graph))


def inputs(question):
    """Numbers for the inputs and douts of the adjoint, the same for the same types."""
    kinds = [p.abstract for p in adjoint(question).parameters]
    rng = np.random.default_rng(seeded(*map(str, kinds)))
    return tuple(
        np.asarray(np.round(rng.uniform(0.25, 1.25, kind.shape), 2), kind.dtype.numpy)
        for kind in kinds
    )


def right(question, answer, tolerance=1e-3):
    """It takes and gives what an adjoint does, and its gradients are right."""
    wanted, yours = adjoint(question), structure.graph_in(answer)
    if isinstance(yours, Failure):
        return yours
    if failure := structure.other_interface(wanted, yours):
        return failure
    given = inputs(question)
    exact = question.once("gradients", lambda: reference.build(wanted)(*given))
    got = evaluation.run(yours, given)
    if isinstance(got, Failure):
        return got
    failure = gradients.check(got, given[: len(got)], exact, tolerance)
    if failure is None:
        return None
    pairs = zip(wanted.parameters, given, strict=True)
    rows = [(p.name, str(p.abstract), listed(value)) for p, value in pairs]
    return Failure(
        failure.code, failure.words, failure.expected, failure.got, failure.place, wanted, yours,
        inputs=(("text", "", listed(question.operands[0])), *rows), name=failure.name,
    )  # fmt: skip


def sparing(allowance):
    """Right, and with at most ``allowance(graph)`` calls more than the engine's adjoint."""

    def judge(question, answer):
        if failure := right(question, answer):
            return failure
        yours, wanted = structure.graph_in(answer), adjoint(question)
        most = structure.size(wanted) + allowance(question.graph)
        if (found := structure.size(yours)) <= most:
            return None
        words = f"Your adjoint makes {found} calls; {most} are enough."
        most, found = Counted(most, "call"), Counted(found, "call")
        return Failure("too-many", words, most, found, wanted=wanted, yours=yours)

    return judge


def gradient_as(wrong):
    """The gradient that is concerned is the one that ``wrong(graph, *inputs)`` gives.

    ``wrong`` gives one gradient for each input, or None where it says nothing of this graph.
    """

    def sees(failure):
        if failure.code != "gradient-values":
            return False
        found = wrong(failure.question.graph, *inputs(failure.question))
        place = ("first", "second", "third").index(failure.name.split()[0])
        if found is None or np.shape(found[place]) != failure.got.shape:
            return False
        return np.allclose(found[place], failure.got, rtol=1e-3)

    return sees
