"""Graphs are text that anybody may have written: whatever stands there, the judge lives on."""

import pytest

from ms_ext import Tensor
from ms_ext.engine import jit
from ms_ext.grading import judging
from ms_ext.grading.drawing import Question, listed
from ms_ext.grading.exercise import Check, Exercise
from ms_ext.grading.graph_cases import built
from ms_ext.grading.layers import structure
from ms_ext.grading.sandbox import Limits, Nursery

WANTED = Question("x * x + x", (), {}, built(lambda x: x * x + x, ["f32[2]"]))
TWICE = Exercise(
    "twice",
    "The graph of x * x + x, two times.",
    tuple(
        Check(f"same{k}", "the same graph", 1, "build", listed(WANTED, WANTED), judge)
        for k, judge in enumerate((structure.same_graph(), structure.rewritten(gain=False)))
    ),
)
HEAD = "ms_ext graph 1\ngraph g@1(%1 x: f32[2]) {\n"


def graph(*lines):
    return HEAD + "".join(f"  {line}\n" for line in lines) + "}\n"


def endless(x):
    while x.sum() < 1e30:
        x = x * 0.0
    return x


LOOP = structure.ir.dump(jit.trace(endless, Tensor([1.0, 2.0])))
ARRAY = '{"tensor":"Float32","shape":[2,1],"data":[1.0,2.0]}'
CASTS = [
    line
    for k in range(3, 43, 2)
    for line in (
        f"%{k} = Cast(%{k - 1}; dtype={{'dtype':'Float64'}}) : f64[8000000]",
        f"%{k + 1} = Cast(%{k}; dtype={{'dtype':'Float32'}}) : f32[8000000]",
    )
]
CALLS = "".join(
    f"graph g{k}@{k}(%{2 * k + 1} x: f32[2]) {{\n"
    f"  %{2 * k + 2} = Call@{k + 1}(%{2 * k + 1}) : f32[2]\n  return %{2 * k + 2}\n}}\n"
    for k in range(2, 400)
)
TEXTS = {
    "a result of another type": graph("return 2.0: f32[2]"),
    "an infinity": graph("return Infinity: f32[2]"),
    "a size without end": HEAD.replace("[2]", f"[{'9' * 5000}]") + "  return %1\n}\n",
    "a constant that is not what it says": graph(
        f"%2 = Add(%1, {ARRAY}: f32[2]) : f32[2]", "return %2"
    ),
    "nothing as an operand": graph("%2 = Sub(null: f32[2], %1) : f32[2]", "return %2"),
    "a loop without end": LOOP,
    "much memory": graph("%2 = BroadcastTo(%1; shape=[4000000,2]) : f32[8000000]", *CASTS),
    "calls of calls": HEAD + "  %2 = Call@2(%1) : f32[2]\n  return %2\n}\n" + CALLS,
    "a very long chain": graph(
        *(f"%{k} = Neg(%{k - 1}) : f32[2]" for k in range(2, 4900)), "return %4899"
    ),
    "too long a text": graph(*(f"%{k} = Neg(%{k - 1}) : f32[2]" for k in range(2, 9000))),
    "no graph at all": "graph",
    "half a graph": HEAD,
    "other letters": "\x00\ud7ff\U0010ffff" * 100,
}


@pytest.fixture(scope="module")
def nursery():
    with Nursery() as made:
        yield made


@pytest.mark.parametrize("what", TEXTS)
def test_a_verdict_and_no_point(nursery, what):
    limits = Limits(wall=4.0, processor=1)
    child, text = nursery.child(limits=limits), f"def twice():\n    return {TEXTS[what]!r}\n"
    made = []

    def clean():
        made.append(nursery.child(limits=limits))
        return made[-1]

    try:
        verdict = judging.judge(TWICE, [("a", text)], child, clean)
    finally:
        child.close()
    assert (verdict.status, verdict.points) == ("failed", 0), verdict
    assert verdict.code and verdict.headline and len(str(verdict)) < 20_000
    assert what != "a loop without end" or verdict.code == "endless-graph"
    assert len(made) <= 1  # a graph that does not end costs its limit once, not for every case


def test_a_right_graph_passes_all_the_same(nursery):
    child, text = nursery.child(), f"def twice():\n    return {structure.ir.dump(WANTED.graph)!r}\n"
    try:
        assert judging.judge(TWICE, [("a", text)], child, nursery.child)
    finally:
        child.close()
