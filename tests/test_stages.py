"""The four stages: threads and program order, waiting without spinning, gradients, the policy."""

import threading
import time

import numpy as np
import pytest
from stage_calls import X, custom, fresh, pending

from ms_ext import Tensor, grad, ops, runtime
from ms_ext import dtype as dtypes
from ms_ext.engine import errors, events, stages
from ms_ext.engine.stages import delivery, pipeline, policy
from ms_ext.engine.tensor import core

pytestmark = pytest.mark.usefixtures(fresh.__name__)


@pytest.fixture
def small_queues(monkeypatch):
    """A new pipeline whose queues hold two calls each."""
    monkeypatch.setattr(delivery, "pipeline", pipeline.Pipeline(capacity=2))
    yield delivery.pipeline
    delivery.pipeline.wait()
    delivery.pipeline.close(1)


def stage_events(recording):
    return recording.of("stage")


# threads and order ---------------------------------------------------------------------------


def test_a_call_touches_four_threads_and_the_tasks_follow_each_other():
    with events.record() as recording:
        custom(lambda a: a + 1)(Tensor(X)).asnumpy()
    found = sorted(stage_events(recording), key=lambda event: event.start)
    assert [event.name for event in found] == list(stages.STAGES)
    assert len({event.thread for event in found}) == 4
    names = [recording.threads[event.thread] for event in found[1:]]
    assert names == ["ms_ext FrontendTask", "ms_ext DeviceTask", "ms_ext LaunchTask"]


def test_every_stage_keeps_program_order():
    stages.use("stages")
    x = Tensor(X)
    with events.record() as recording:
        for _ in range(40):
            x = x * 1.0 + 1.0
        x.asnumpy()
    for stage in stages.STAGES:
        numbers = [e.numbers[0] for e in recording.of("stage") if e.name == stage]
        assert len(numbers) == 80
        assert numbers == sorted(numbers)


def test_a_chain_of_calls_gives_what_one_thread_gives():
    stages.use("stages")
    add3 = custom(lambda a, b, c: a + b + c)
    r = a = Tensor(np.array([[1, 2], [1, 2]], np.float32))
    for _ in range(100):
        r = add3(r, a * 0, a)
    assert r.asnumpy().tolist() == [[101, 202], [101, 202]]


def test_blocking_runs_the_stages_on_the_callers_thread_in_order():
    order, name = [], threading.current_thread().name

    def shape(_x):
        order.append(("FrontendTask", threading.current_thread().name))
        return (2, 2)

    def func(a):
        order.append(("LaunchTask", threading.current_thread().name))
        return a

    op = ops.Custom(func, shape, dtypes.float32)
    runtime.launch_blocking()
    with events.record() as recording:
        op(Tensor(X))
    assert order == [("FrontendTask", name), ("LaunchTask", name)]
    by_start = sorted(stage_events(recording), key=lambda event: event.start)
    by_end = sorted(stage_events(recording), key=lambda event: event.end)
    assert [event.name for event in by_start] == list(stages.STAGES)
    assert [event.name for event in by_end] == [
        "DeviceTask",
        "LaunchTask",
        "FrontendTask",
        "PyTask",
    ]
    assert {event.thread for event in by_start} == {threading.get_ident()}


def test_three_slow_calls_return_at_once_and_are_ready_together():
    slow = custom(lambda a: (time.sleep(0.02), a)[1])
    begin = time.perf_counter()
    results = [slow(Tensor(X)) for _ in range(3)]
    returned = time.perf_counter() - begin
    [r.asnumpy() for r in results]
    assert returned < 0.02 < 0.06 <= time.perf_counter() - begin


def test_only_the_shape_is_waited_for_where_only_the_shape_is_asked_for():
    x, gate = pending(X)
    assert (x.shape, x.dtype, x.ndim, x.size) == ((2, 2), dtypes.float32, 2, 4)
    assert stages.is_pending(x)
    gate.set()
    assert x.asnumpy().tolist() == X.tolist()
    assert not stages.is_pending(x)


# waiting -------------------------------------------------------------------------------------


def test_a_full_queue_holds_the_caller_back(small_queues):
    gate = threading.Event()
    wait = custom(lambda a: (gate.wait(10), a)[1])
    made = []

    def call_twenty_times():
        for _ in range(20):
            made.append(wait(Tensor(X)))

    caller = threading.Thread(target=call_twenty_times)
    with events.record() as recording:
        caller.start()
        caller.join(0.2)
        held = len(made)
        gate.set()
        caller.join(10)
        made[-1].asnumpy()
    assert held <= 3 * 2 + 4  # three queues of two, one call in each stage, one with the caller
    assert len(made) == 20
    assert any(event.kind == "stall" for event in recording)


def test_waiting_costs_no_processor_time():
    x, gate = pending(X)
    threading.Timer(0.3, gate.set).start()
    begin = time.process_time()
    x.asnumpy()
    assert time.process_time() - begin < 0.1


def test_idle_threads_cost_no_processor_time():
    custom(lambda a: a)(Tensor(X)).asnumpy()
    begin = time.process_time()
    time.sleep(0.3)
    assert time.process_time() - begin < 0.1


def test_a_function_in_a_stage_may_use_ops_and_earlier_results():
    earlier = custom(lambda a: a + 1)(Tensor(X))
    y = custom(lambda a: Tensor(a) + earlier)(Tensor(X))
    assert y.asnumpy().tolist() == (2 * X + 1).tolist()


def test_a_function_in_a_stage_cannot_wait_for_what_comes_after_it():
    box, gate = [], threading.Event()

    def func(a):
        gate.wait(10)
        return box[0].asnumpy()

    y = custom(func)(Tensor(X))
    box.append(custom(lambda a: a)(Tensor(X)))
    gate.set()
    with pytest.raises(errors.NotRunnable, match="computed after it"):
        y.asnumpy()


# gradients -----------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", policy.POLICIES)
def test_gradients_are_the_same_in_every_policy(mode):
    stages.use(mode)
    square = ops.Custom(
        lambda a: a * a, (2, 2), dtypes.float32, bprop=lambda x, out, dout: (2 * x * dout,)
    )

    def loss(x):
        return (square(x) * x + ops.exp(x) @ x).sum()

    dx = grad(loss)(Tensor(X)).asnumpy()
    d2 = grad(lambda x: grad(lambda x: square(x).sum())(x).sum())(Tensor(X)).asnumpy()
    e, ones = np.exp(X), np.ones_like(X)
    np.testing.assert_allclose(dx, 3 * X * X + e * (ones @ X.T) + e.T @ ones, rtol=1e-5)
    np.testing.assert_allclose(d2, 2 * ones)


# the policy ----------------------------------------------------------------------------------


def reason(op, *operands, **attributes):
    return stages.decide(op, operands, attributes).reason


def test_auto_keeps_small_work_here_and_sends_what_gains():
    x, big = Tensor(X), np.broadcast_to(np.float32(1), (30_000, 30_000))
    assert reason(ops.Add, x, x) == "small"
    assert reason(ops.MatMul, big[:1000], big, transpose_a=False, transpose_b=False) == "large"
    assert reason(ops.MatMul, big, big[:, :1], transpose_a=False, transpose_b=False) == "copies"
    assert reason(custom(lambda a: a).op, x) == "custom"
    later, gate = pending(X)
    assert reason(ops.Add, later, x) == "pending"
    gate.set()


def test_every_decision_is_recorded():
    with events.record() as recording:
        _ = Tensor(X) + 1.0
    (event,) = recording.of("dispatch")
    assert (event.name, list(policy.REASONS)[event.numbers[0]]) == ("Add", "small")
    assert not core.asynchronous(False)


def test_the_policy_can_be_set_for_a_block_and_is_seen():
    assert runtime.dispatch_policy() == "auto"
    with runtime.dispatch("stages"), events.record() as recording:
        assert runtime.dispatch_policy() == "stages"
        (Tensor(X) + 1.0).asnumpy()
    assert runtime.dispatch_policy() == "auto"
    (event,) = recording.of("dispatch")
    assert event.name == "Add"
    assert list(policy.REASONS)[event.numbers[0]] == "policy"


@pytest.mark.parametrize(
    "mode, words",
    [
        ("auto", "'Add' runs here at once: 4 FLOPs are less work than handing it over"),
        ("stages", "'Add' goes through the stages: the policy is 'stages'"),
        ("blocking", "'Add' goes through the stages on the caller's thread"),
    ],
)
def test_a_decision_can_be_had_as_a_sentence(mode, words):
    stages.use(mode)
    assert runtime.explain_dispatch(ops.Add, Tensor(X), Tensor(X)).startswith(words)


def test_an_unknown_policy_is_refused_with_the_nearest_one():
    with pytest.raises(errors.InvalidValue, match="Did you mean 'blocking'"):
        runtime.dispatch("bloking")


def test_a_large_built_in_op_goes_through_the_stages_and_a_small_one_does_not():
    large, small = Tensor(np.ones((900, 900), np.float32)), Tensor(np.ones((9, 9), np.float32))
    product, sums = large @ large, small @ small
    assert delivery.is_pending(product)
    assert product.asnumpy()[0, 0] == 900.0
    assert (small @ small).asnumpy()[0, 0] == sums.asnumpy()[0, 0] == 9.0
    assert not delivery.is_pending(small @ small)
    assert "worth more" in runtime.explain_dispatch(ops.matmul, large, large)
    assert "less work" in runtime.explain_dispatch(ops.matmul, small, small)
