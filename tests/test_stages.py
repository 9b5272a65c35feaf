"""The four stages: order, threads, errors at the next sync, memory that cannot be seen half-done."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

from ms_ext import Tensor, grad, ops, runtime
from ms_ext import dtype as dtypes
from ms_ext.engine import errors, events, stages
from ms_ext.engine.stages import delivery, pipeline, policy

X = np.array([[1, 2], [3, 4]], np.float32)


@pytest.fixture(autouse=True)
def fresh():
    """Every test begins and ends with the default policy and nothing in flight."""
    yield
    stages.use("auto")
    delivery.pipeline.unseen.clear()
    delivery.settle()


@pytest.fixture
def small_queues(monkeypatch):
    """A new pipeline whose queues hold two calls each."""
    monkeypatch.setattr(delivery, "pipeline", pipeline.Pipeline(capacity=2))
    yield delivery.pipeline
    delivery.pipeline.wait()
    delivery.pipeline.close(1)


def custom(func, shape=(2, 2), dtype=dtypes.float32):
    return ops.Custom(func, shape, dtype)


def raising(error):
    def func(*_inputs):
        raise error

    return func


def pending(value):
    """A tensor that is on its way until the event is set."""
    gate = threading.Event()

    def func(a):
        gate.wait(10)
        return a

    return custom(func)(Tensor(value)), gate


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


# errors --------------------------------------------------------------------------------------


def test_an_error_of_pytask_is_raised_by_the_call():
    with pytest.raises(errors.NotRunnable, match="Tuple/List inputs are not supported"):
        custom(lambda a: a)([Tensor(X)])


def frontend_boom():
    return ops.Custom(lambda a: a, raising(ValueError("front boom")), dtypes.float32)


def test_an_error_of_frontendtask_is_raised_by_shape_and_by_every_read():
    y = frontend_boom()(Tensor(X))
    for read in (lambda: y.shape, lambda: y.dtype, y.asnumpy, y.asnumpy, lambda: float(y)):
        with pytest.raises(ValueError, match="front boom"):
            read()


def test_an_error_of_launchtask_leaves_the_shape_and_is_raised_by_every_read():
    y = custom(raising(ValueError("launch boom")))(Tensor(X))
    assert y.shape == (2, 2)
    for _ in range(2):  # MindSpore raises once and then shows memory nobody wrote
        with pytest.raises(ValueError, match="launch boom"):
            y.asnumpy()


@pytest.mark.parametrize("op", [frontend_boom(), custom(raising(ValueError("boom")))])
def test_an_error_nobody_saw_is_raised_once_by_an_unrelated_read(op):
    op(Tensor(X))
    good = custom(lambda a: a + 1)(Tensor(X))
    with pytest.raises(ValueError, match="boom"):
        good.asnumpy()
    assert good.asnumpy().tolist() == (X + 1).tolist()
    runtime.synchronize()


def test_synchronize_raises_an_error_nobody_saw_and_is_quiet_afterwards():
    y = custom(raising(ValueError("launch boom")))(Tensor(X))
    with pytest.raises(ValueError, match="launch boom"):
        runtime.synchronize()
    runtime.synchronize()
    with pytest.raises(ValueError, match="launch boom"):
        y.asnumpy()


def test_after_it_was_seen_synchronize_is_quiet():
    with pytest.raises(ValueError):
        custom(raising(ValueError("launch boom")))(Tensor(X)).asnumpy()
    runtime.synchronize()


def test_of_many_errors_the_first_is_raised_and_the_others_are_counted():
    for number in range(3):
        custom(raising(KeyError(f"number {number}")))(Tensor(X))
    with pytest.raises(KeyError, match="number 0") as caught:
        runtime.synchronize()
    assert "2 later call(s) failed as well" in "".join(caught.value.__notes__)
    runtime.synchronize()


def test_what_depends_on_a_failed_call_fails_with_its_error():
    y = custom(raising(ValueError("first")))(Tensor(X))
    z = custom(lambda a: a)(y * 2.0)
    assert z.shape == (2, 2)
    with pytest.raises(ValueError, match="first"):
        z.asnumpy()


def test_in_blocking_mode_every_error_is_raised_by_the_call():
    runtime.launch_blocking()
    for op in (frontend_boom(), custom(raising(ValueError("launch boom")))):
        with pytest.raises(ValueError, match="boom"):
            op(Tensor(X))


def test_an_error_names_the_op_the_stage_and_the_learners_line():
    def my_mul(a):
        raise ZeroDivisionError("mine")

    y = custom(my_mul)(Tensor(X))  # the line that is meant
    with pytest.raises(ZeroDivisionError, match="mine") as caught:
        y.asnumpy()
    (note,) = caught.value.__notes__
    assert "'Custom.my_mul' did not get through its LaunchTask" in note
    assert "test_stages.py:" in note and "the line that is meant" in note
    assert caught.traceback[-1].name == "my_mul"


def test_our_own_errors_show_the_line_in_their_text():
    y = custom(lambda a: a[0])(Tensor(X))
    with pytest.raises(errors.NotRunnable, match=r"out_shape promises[\s\S]*test_stages\.py:\d+"):
        y.asnumpy()


def test_even_sys_exit_in_a_stage_comes_back_to_the_caller():
    y = custom(raising(SystemExit(3)))(Tensor(X))
    with pytest.raises(SystemExit):
        y.asnumpy()
    assert custom(lambda a: a)(Tensor(X)).asnumpy().tolist() == X.tolist()


# memory --------------------------------------------------------------------------------------


def test_a_write_after_the_call_does_not_reach_an_operand_of_it():
    x, gate = Tensor(X), threading.Event()
    y = custom(lambda a: (gate.wait(10), a)[1])(x)
    x[0, 0] = 99.0
    gate.set()
    assert y.asnumpy().tolist() == X.tolist()


def test_a_write_to_shared_numpy_memory_does_not_either():
    array, gate = X.copy(), threading.Event()
    y = custom(lambda a: (gate.wait(10), a)[1])(Tensor.from_numpy(array))
    array[0, 0] = 99.0
    gate.set()
    assert y.asnumpy().tolist() == X.tolist()


def test_a_write_to_a_pending_tensor_waits_for_those_who_read_it():
    x, gate = pending(X)
    late = custom(lambda a: a * 10)(x)
    threading.Timer(0.02, gate.set).start()
    x[0, 0] = 99.0
    assert late.asnumpy().tolist() == (X * 10).tolist()
    assert x.asnumpy().tolist() == [[99, 2], [3, 4]]


def test_an_alias_taken_from_a_result_is_not_read_by_stages():
    x, gate = pending(X)
    late = custom(lambda a: a * 10)(x)
    threading.Timer(0.02, gate.set).start()
    x.asnumpy()[:] = 0
    assert late.asnumpy().tolist() == (X * 10).tolist()
    assert x.asnumpy().tolist() == [[0, 0], [0, 0]]


def test_a_view_of_a_pending_tensor_stays_a_view():
    x, gate = pending(X)
    flat = ops.reshape(x, (4,))
    gate.set()
    x[0, 0] = 99.0
    assert flat.asnumpy().tolist() == [99, 2, 3, 4]


def test_the_transpose_of_a_pending_tensor_is_the_transpose():
    x, gate = pending(X)
    turned = x.T
    gate.set()
    assert turned.asnumpy().tolist() == X.T.tolist()


def test_results_nobody_holds_are_released():
    add, before = custom(lambda a: a + 1), len(delivery._pending)
    x = Tensor(X)
    for _ in range(300):
        x = add(x)
    x.asnumpy()
    assert len(delivery._pending) == before


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
    x, big = Tensor(X), Tensor(np.ones((600, 600), np.float32))
    assert reason(ops.Add, x, x) == "small"
    assert reason(ops.Add, big, big) == "small"
    assert reason(custom(lambda a: a).op, x) == "custom"
    later, gate = pending(X)
    assert reason(ops.Add, later, x) == "pending"
    gate.set()


def test_small_work_starts_nothing_and_large_work_says_why():
    code = """
        import threading
        from ms_ext import Tensor, ops
        x = Tensor([1.0, 2.0])
        (x + x * 2).asnumpy()
        print(threading.active_count())
    """
    assert run(code).stdout == "1\n"


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


# beginnings and ends -------------------------------------------------------------------------

PRELUDE = """
import sys, time, threading
import numpy as np
from ms_ext import Tensor, ops, dtype
X = np.ones((2, 2), np.float32)
def custom(func): return ops.Custom(func, (2, 2), dtype.float32)
"""


def start(code):
    text = PRELUDE + textwrap.dedent(code)
    return subprocess.Popen(
        [sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def run(code, seconds=30):
    child = start(code)
    child.stdout_text, child.stderr_text = child.communicate(timeout=seconds)
    return subprocess.CompletedProcess([], child.returncode, child.stdout_text, child.stderr_text)


def test_importing_starts_no_thread():
    shown = run("import ms_ext.runtime, ms_ext.engine.stages; print(threading.active_count())")
    assert (shown.stdout, shown.stderr) == ("1\n", "")


def test_pending_work_is_finished_at_exit():
    shown = run("""
        op = custom(lambda a: (time.sleep(0.05), print("done", flush=True), a)[2])
        keep = [op(Tensor(X)) for _ in range(3)]
    """)
    assert (shown.returncode, shown.stdout, shown.stderr) == (0, "done\n" * 3, "")


def test_an_error_nobody_saw_is_told_at_exit_without_a_traceback():
    shown = run("""
        def func(a): raise ValueError("never asked for")
        custom(func)(Tensor(X))
    """)
    assert shown.returncode == 0
    assert "ms_ext: an error that nobody has seen: ValueError: never asked for" in shown.stderr
    assert "'Custom.func' did not get through its LaunchTask" in shown.stderr
    assert "Traceback" not in shown.stderr


def test_an_endless_function_does_not_keep_the_interpreter_alive():
    begin = time.perf_counter()
    shown = run("""
        from ms_ext.engine.stages import ending
        ending.PATIENCE = 0.2
        def endless(a):
            while True: time.sleep(0.01)
        custom(endless)(Tensor(X))
    """)
    assert time.perf_counter() - begin < 10
    assert shown.returncode == 0
    assert shown.stderr == (
        "ms_ext: 1 call(s) were still running at exit and were left behind: 'Custom.endless'\n"
    )


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT for a child there")
def test_ctrl_c_ends_a_waiting_script_with_keyboard_interrupt_and_nothing_else():
    child = start("""
        def endless(a):
            print("started", flush=True)
            while True: time.sleep(0.01)
        custom(endless)(Tensor(X)).asnumpy()
    """)
    assert child.stdout.readline() == "started\n"
    child.send_signal(signal.SIGINT)
    _, shown = child.communicate(timeout=20)
    assert shown.rstrip().endswith("KeyboardInterrupt")
    assert (
        "ms_ext:" not in shown
        and "Exception ignored" not in shown
        and "Exception in thread" not in shown
    )


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT for a child there")
def test_after_ctrl_c_the_same_process_can_go_on():
    child = start("""
        def endless(a):
            print("started", flush=True)
            while True: time.sleep(0.01)
        y = custom(endless)(Tensor(X))
        late = custom(lambda a: a)(Tensor(X))
        try: y.asnumpy()
        except KeyboardInterrupt: print("interrupted")
        for lost in (y, late):
            try: lost.asnumpy()
            except RuntimeError as error: print(error.message)
        print(custom(lambda a: a + 1)(Tensor(X)).asnumpy().tolist())
        time.sleep(0.2)
        print([t.name for t in threading.enumerate()].count("ms_ext LaunchTask"))
    """)
    child.stdout.readline()
    child.send_signal(signal.SIGINT)
    shown, noise = child.communicate(timeout=20)
    assert shown.splitlines() == [
        "interrupted",
        "'Custom.endless' was interrupted before it was finished.",
        "'Custom.<lambda>' was interrupted before it was finished.",
        "[[2.0, 2.0], [2.0, 2.0]]",
        "1",
    ]
    assert noise == ""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this platform")
def test_a_forked_child_has_its_values_and_can_start_its_own_threads():
    shown = run("""
        import os, warnings
        warnings.simplefilter("ignore", DeprecationWarning)
        y = custom(lambda a: (time.sleep(0.05), a + 1)[1])(Tensor(X))
        child = os.fork()
        if child == 0:
            print("child", y.asnumpy()[0, 0], custom(lambda a: a * 7)(Tensor(X)).asnumpy()[0, 0])
            sys.stdout.flush()
            os._exit(0)
        os.waitpid(child, 0)
        print("parent", custom(lambda a: a * 5)(y).asnumpy()[0, 0])
    """)
    assert (shown.stdout, shown.stderr) == ("child 2.0 7.0\nparent 10.0\n", "")
