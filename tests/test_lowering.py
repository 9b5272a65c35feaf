"""The closure form of a graph means what the graph means, and looks as MindSpore writes it."""

import numpy as np
import pytest
from closure_interpreter import run
from programs import PROGRAMS, name_of

from ms_ext import Parameter, Tensor, nn
from ms_ext.engine import pipeline
from ms_ext.engine.autodiff import vjp
from ms_ext.engine.backends.reference import evaluate
from ms_ext.engine.jit import parse
from ms_ext.engine.lowering import lower
from ms_ext.engine.quiet import quietly

ORDERS = range(3)


def read(function, *values):
    """The graph of a function on values, and what its inputs are given."""
    made = [Tensor(v) if isinstance(v, float | list) else v for v in values]
    parsed = parse(function, made)
    tensors = [*[v for v in made if isinstance(v, Tensor)], *parsed.parameters]
    return parsed.graph, [tensor.asnumpy() for tensor in tensors]


def lowered(graph, arrays, seed=0):
    """What the closure form returns, as a list, and what its inputs hold then."""
    found, boxes = quietly(run, graph, arrays, seed)
    return [] if found is None else [*found] if isinstance(found, tuple) else [found], boxes


def ops(function, *values):
    """The names of the calls of each subgraph."""
    program = lower(read(function, *values)[0])
    return {each.label: [call.op for call in each.calls] for each in program.subgraphs}


# the meaning --------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", PROGRAMS, ids=name_of)
def test_programs_mean_the_same(case):
    graph, arrays = read(case[0], *case[1])
    for _ in range(2):  # as it is read, and after the passes
        expected = quietly(evaluate, graph, arrays)
        found, _ = lowered(graph, arrays)
        for one, other in zip(expected, found, strict=True):
            np.testing.assert_array_equal(one, other)
        pipeline.run(graph)


@pytest.mark.parametrize("case", PROGRAMS, ids=name_of)
def test_gradients_mean_the_same(case):
    graph, arrays = read(case[0], *case[1])
    backward = vjp(graph)
    given = backward.parameters[len(arrays) :]
    inputs = [*arrays, *[np.ones(p.abstract.shape, p.abstract.dtype.numpy) for p in given]]
    expected = quietly(evaluate, backward, inputs)
    found, _ = lowered(backward, inputs)
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_array_equal(one, other)


def effects(x, w):
    print("first", x)
    if x > 0:
        print("positive")
        x = x + 1
    print("then", x)
    for i in range(20):
        if i % 9 == 0:
            print("turn", i)
            x = x + w
    while x < 40:
        x = x * 2
        print("doubled", x)
    host = x.asnumpy()
    print("last", host)
    return x


@pytest.mark.parametrize("x", [1.0, -1.0])
def test_effects_happen_in_their_order_whatever_is_ready_first(x, capsys):
    graph, arrays = read(effects, x, 2.0)
    expected = evaluate(graph, arrays)[0], capsys.readouterr().out
    for seed in ORDERS:
        found, _ = lowered(graph, arrays, seed)
        assert (found[0], capsys.readouterr().out) == expected


def test_only_the_state_orders_effects_that_share_no_value(capsys):
    def f(x):
        if x > 0:
            print("branch")
        for i in range(20):
            if i > 17:
                print("turn")
        print("end")
        return x

    graph, arrays = read(f, 1.0)
    for seed in range(10):
        lowered(graph, arrays, seed)
        assert capsys.readouterr().out.split() == ["branch", "turn", "turn", "end"]


def test_a_raise_comes_after_what_was_printed_before(capsys):
    def f(x):
        print("before")
        if x > 0:
            raise ValueError("no")
        return x

    graph, arrays = read(f, 1.0)
    for seed in ORDERS:
        with pytest.raises(ValueError, match="no"):
            lowered(graph, arrays, seed)
        assert capsys.readouterr().out == "before\n"


class Counting(nn.Cell):
    """Reads a Parameter, writes it, and reads it again."""

    def __init__(self):
        super().__init__()
        self.count = Parameter(Tensor([1.0, 2.0]), name="count")

    def construct(self, x):
        """What was counted before, times what is now."""
        before = self.count * 1
        self.count = self.count + x
        if x.sum() > 2:
            self.count = self.count * 2
        return before * self.count


def test_parameters_are_written_after_they_were_read():
    graph, arrays = read(Counting(), [3.0, 4.0])
    for seed in ORDERS:
        found, boxes = lowered(graph, arrays, seed)
        np.testing.assert_array_equal(found[0], [8.0, 24.0])
        np.testing.assert_array_equal(boxes[1], [8.0, 12.0])


def test_what_is_written_does_not_reach_an_earlier_read():
    class Swapping(Counting):
        def construct(self, x):
            before = self.count * 1
            self.count = x
            return before

    graph, arrays = read(Swapping(), [3.0, 4.0])
    for seed in range(40):
        found, boxes = lowered(graph, arrays, seed)
        np.testing.assert_array_equal(found[0], [1.0, 2.0])
        np.testing.assert_array_equal(boxes[1], [3.0, 4.0])


def test_a_nest_that_is_deep_needs_no_stack():
    lines = ["def f(x):"]
    for depth in range(90):
        lines.append(f"{' ' * (depth + 1)}if x > {depth}:")
    lines += [f"{' ' * 91}x = x + 1", " return x"]
    space = {}
    text, name = "\n".join(lines) + "\n", "<deep nest>"
    import linecache

    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    exec(compile(text, name, "exec"), space)
    program = lower(read(space["f"], 1.0)[0])
    assert len(program.subgraphs) == 181
    assert max(len(each.calls) for each in program.subgraphs) < 8


# the form -----------------------------------------------------------------------------------------


def test_an_if_is_a_switch_of_two_partials():
    def f(x, y):
        return x * y if x > 0 else y

    assert ops(f, 1.0, 2.0) == {
        "f": ["Greater", "Partial", "Partial", "Switch", "call"],
        "✓f": ["Mul"],
        "✗f": [],
    }


def test_a_while_is_a_header_that_its_body_calls():
    def f(x):
        while x < 10:
            x = x * 2
        return x

    assert ops(f, 1.0) == {
        "f": ["call"],
        "↵f": ["Less", "Partial", "Partial", "Switch", "call"],
        "↻f": ["Mul", "call"],
        "↓f": [],
    }
    program = lower(read(f, 1.0)[0])
    entry, header, body, _ = program.subgraphs
    assert entry.calls[0].inputs[0] is header and body.result.inputs[0] is header


def test_a_for_counts():
    def f(x):
        for i in range(50):
            x = x + i
        return x

    found = ops(f, 1.0)
    assert found["↵f"] == ["ScalarLt", "Partial", "Partial", "Switch", "call"]
    assert found["↻f"] == ["Add", "ScalarAdd", "call"]


def test_a_gradient_reads_its_stacks_backwards():
    def f(x):
        for _ in range(50):
            x = x * x
        return x

    graph, _ = read(f, 0.5)
    calls = [call.op for each in lower(vjp(graph)).subgraphs for call in each.calls]
    stacks = {"StackNew", "StackSet", "StackGet", "ScalarSub", "ScalarGe"}
    assert stacks <= set(calls)


def test_a_graph_that_is_called_is_written_once():
    def f(x):
        return x if x < 1 else f(x - 1) + f(x - 2)

    program = lower(read(f, 3.0)[0])
    called = [
        call.inputs[0] for each in program.subgraphs for call in each.calls if call.op == "call"
    ]
    targets = [each for each in called if type(each).__name__ == "Subgraph"]
    assert len(targets) == 3 and len(set(targets)) == 1


def test_a_branch_without_an_effect_does_not_wait():
    def f(x):
        if x > 0:
            print("yes")
        return x

    found = ops(f, 1.0)
    assert found["✓f"] == ["Print", "UpdateState", "Depend"] and found["✗f"] == []
    assert found["f"][-2:] == ["UpdateState", "Depend"]


def test_a_parameter_is_loaded_and_assigned():
    found = ops(Counting(), [3.0, 4.0])["Counting"]
    assert found[0] == "Load" and found[-3:] == ["Assign", "UpdateState", "Depend"]
    assert found.count("Load") == 1


def test_every_call_knows_the_node_it_comes_from():
    graph, _ = read(effects, 1.0, 2.0)
    known = {node for each in graph.all_graphs() for node in (*each.order(), each.result)}
    calls = [call for each in lower(graph).subgraphs for call in each.calls]
    assert all(call.source in known for call in calls if call.op != "Load")
