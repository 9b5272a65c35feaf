"""A custom op as a node: drawn, costed, folded and merged if pure, matched, planned."""

import pytest
from custom_ops import X, Y, halved, mode, my_mul, names_of, policy, same, value

from ms_ext import Tensor, graph, jit, ops, runtime
from ms_ext import grad as grad_of
from ms_ext.engine.custom.way import Way
from ms_ext.engine.custom.ways import WAYS
from ms_ext.engine.ir import journal

both_policies = pytest.mark.usefixtures(policy.__name__)
FIXTURES = (mode,)


# drawn and costed -----------------------------------------------------------------------------


def test_a_node_is_called_by_its_name_and_shows_its_way():
    op, _ = halved()
    (node,) = jit(lambda x: op(x)).graph(Tensor(X)).order()
    row = journal.row(node)
    assert (row.op, row.label, row.attrs) == ("Custom.half", "Custom.half", "func_type=pyfunc")
    assert "func_type=pyfunc" in graph.build("", node.graph).listing()[0].text


@both_policies
def test_a_declared_cost_is_what_graphs_and_dispatch_say():
    op = my_mul()
    function = jit(lambda x, y: op(x, y))

    def spent():
        return journal.cost(function.graph(Tensor(X), Tensor(Y)).order()[0])

    assert spent() == (0, 48)
    op.costs(flops=lambda x, y: 3 * x.size)
    assert spent() == (12, 48)
    op.costs(flops=7, bytes=lambda x, y: x.nbytes + y.nbytes)
    assert spent() == (7, 32)
    said = runtime.explain_dispatch(op, Tensor(X), Tensor(Y))
    if runtime.dispatch_policy() == "auto":
        assert said.endswith("goes through the stages: a custom op, of 7 FLOPs as it says itself.")
    assert "cost      flops 7, bytes by <lambda> (" in op.describe()


@pytest.mark.parametrize("wrong", [-1, "7", True, float("nan")])
def test_a_cost_is_a_number(wrong):
    with pytest.raises(ValueError, match="A cost is a number that is not negative"):
        my_mul().costs(flops=wrong)
    op = my_mul().costs(bytes=lambda *_types: wrong)
    with pytest.raises(ValueError, match="the declared cost"):
        journal.cost(jit(lambda x, y: op(x, y)).graph(Tensor(X), Tensor(Y)).order()[0])


# pure -----------------------------------------------------------------------------------------


def test_equal_calls_are_one_call_only_if_it_is_pure():
    op, calls = halved()
    function = jit(lambda x: op(x) + op(x))
    assert value(function(Tensor(X))) == X.tolist() and len(calls) == 2
    op.pure()
    assert value(function(Tensor(X))) == X.tolist() and len(calls) == 3
    assert names_of(function.graph(Tensor(X))) == ["Custom.half", "Add"]


def test_a_call_on_constants_is_calculated_once_only_if_it_is_pure():
    op, calls = halved()
    known = Tensor(Y)
    function = jit(lambda x: x + op(known))
    for _ in range(3):
        assert value(function(Tensor(X))) == (X + Y / 2).tolist()
    assert len(calls) == 3
    op.pure()
    for _ in range(3):
        assert value(function(Tensor(X))) == (X + Y / 2).tolist()
    assert len(calls) == 4 and names_of(function.graph(Tensor(X))) == ["Add"]


def test_a_pure_op_that_fails_on_constants_fails_when_the_program_runs():
    def boom(x):
        raise RuntimeError("boom")

    op = ops.Custom(boom, same, same).pure()
    function = jit(lambda x: x + op(Tensor(Y)))
    assert names_of(function.graph(Tensor(X))) == ["Custom.boom", "Add"]
    with pytest.raises(RuntimeError, match="boom"):
        function(Tensor(X))


def test_only_graphs_that_may_hold_the_op_are_compiled_again():
    function = jit(lambda x: x * 2)
    function(Tensor(X))
    op, _ = halved()
    op.pure().costs(flops=3)
    function(Tensor(X))
    assert function.compiled == 1
    jit(lambda x: op(x))(Tensor(X))
    op.costs(flops=4)
    function(Tensor(X))
    assert function.compiled == 2


def test_gradients_go_through_what_is_pure():
    op, _ = halved()
    op.pure()
    function = jit(lambda x: (op(x) * op(x)).sum())
    assert value(grad_of(function)(Tensor(X))) == (X / 2).tolist()


# patterns and neighbours ----------------------------------------------------------------------


def test_a_pattern_makes_a_custom_node_and_another_one_matches_it():
    op = my_mul()
    make = (lambda x, y: ops.Exp(ops.Mul(x, y))), (lambda x, y: op(x, y))
    undo = (lambda x, y: ops.Neg(op(x, y))), (lambda x, y: ops.Sub(x, y))
    function = jit(lambda x, y: ops.exp(x * y), passes=[make])
    assert names_of(function.graph(Tensor(X), Tensor(Y))) == ["Custom.<lambda>"]
    assert value(function(Tensor(X), Tensor(Y))) == (X * Y).tolist()
    assert value(grad_of(function, 1)(Tensor(X), Tensor(Y))) == X.tolist()
    both = jit(lambda x, y: -ops.exp(x * y), passes=[make, undo])
    assert names_of(both.graph(Tensor(X), Tensor(Y))) == ["Sub"]


def test_patterns_tell_custom_ops_by_their_names_as_they_do_all_ops():
    def other(x, y):
        return x + y

    def rule_for(op):
        return (lambda x, y: op(x, y)), (lambda x, y: x - y)

    op, other = my_mul(), ops.Custom(other, same, same)
    found = [jit(lambda x, y: op(x, y), passes=[rule_for(each)]) for each in (other, my_mul())]
    found = [names_of(each.graph(Tensor(X), Tensor(Y))) for each in found]
    assert found == [["Custom.<lambda>"], ["Sub"]]


def test_neighbours_are_fused_around_a_custom_node():
    op, _ = halved()
    found = jit(lambda x: ops.exp(op(x * 2 + 1)) * 3).graph(Tensor(X))
    kernels = graph.build("cython", found).kernels
    assert [k.ops for k in kernels if len(k.ops) == 1] == [("Custom.half",)] or len(kernels) == 5
    assert [op for k in kernels for op in k.ops] == ["Mul", "Add", "Custom.half", "Exp", "Mul"]


# memory ---------------------------------------------------------------------------------------


class Scratch(Way):
    """A way that needs a megabyte beside its inputs."""

    func_type, takes, writes_inputs = "scratch", (1, 1), False

    def fill(self, inputs, types, several, storage):
        self.func.append(inputs[0])
        storage[0][...] = inputs[0] + 1

    def workspace(self, types):
        return 1 << 20 if types[0].size else 0


@pytest.fixture
def scratch():
    """The way, as func_type "scratch"."""
    WAYS.add("scratch", Scratch)
    yield "scratch"
    WAYS.discard("scratch")


def test_the_plan_counts_the_workspace_of_a_way(scratch):
    seen = []
    op = ops.Custom(seen.append, same, same, scratch)
    op.way.func = seen
    found = jit(lambda x: op(x * 2) * 3).graph(Tensor(X))
    plain = ops.Custom(lambda x: x + 1, same, same)
    without = jit(lambda x: plain(x * 2) * 3).graph(Tensor(X))
    for backend in ("cython", "reference"):
        assert value(Tensor(graph.build(backend, found)(X)[0])) == ((2 * X + 1) * 3).tolist()
    peaks = [graph.build("cython", each).peak for each in (found, without)]
    assert peaks[0] >= (1 << 20) > peaks[1]


def test_a_way_that_writes_to_no_input_gets_the_arrays_themselves(scratch):
    seen = []
    op = ops.Custom(seen.append, same, same, scratch)
    op.way.func = seen
    array = X.copy()
    op.compute(array)
    op.compute(array.T)
    assert seen[0] is array and seen[1].flags.c_contiguous
