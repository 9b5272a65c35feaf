"""Runners from Python: values, and the order of calls in the stages; caches and what is busy."""

import threading

import numpy as np
import pytest
from library_calls import empty, empty_libraries, matmul, silu_of_halves, swiglu, tensor
from stage_calls import custom, fresh

import ms_ext as ms
from ms_ext import ops
from ms_ext.engine import events, stages
from ms_ext.engine.libraries import (
    LAUNCH_ACLNN_FUNC,
    AclnnOpRunner,
    AsdSipFFTOpRunner,
    PyboostRunner,
    RunAsdSipFFTOp,
    aclnn,
    asdsip,
    atb,
)

pytestmark = pytest.mark.usefixtures(fresh.__name__, empty_libraries.__name__)
POLICIES = ("auto", "stages", "blocking")


@pytest.fixture(params=POLICIES)
def policy(request):
    """Each policy of dispatch."""
    stages.use(request.param)


# values ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures(policy.__name__)
def test_values_of_all_three():
    x, y = tensor(3, 4), tensor(4, 5, seed=1)
    np.testing.assert_allclose(matmul(x, y).asnumpy(), x.asnumpy() @ y.asnumpy(), rtol=1e-5)
    np.testing.assert_allclose(swiglu(x).asnumpy(), silu_of_halves(x.asnumpy()), rtol=1e-5)
    pairs, out = tensor(2, 8, 2), empty(2, 8, 2)
    RunAsdSipFFTOp("asdFftExecC2C", asdsip.FFTParam(8, batchSize=2), pairs, out)
    wanted = np.fft.fft(asdsip.as_complex(pairs.asnumpy()))
    np.testing.assert_allclose(asdsip.as_complex(out.asnumpy()), wanted, atol=1e-5)


@pytest.mark.usefixtures(policy.__name__)
def test_a_chain_of_runners_and_built_in_ops_keeps_the_order_of_the_program():
    x = tensor(4, 4)
    wanted = np.float64(x.asnumpy())
    for _ in range(20):
        x = ops.mul(matmul(x, x), 0.25) + swiglu(ops.concat((x, x), 1)) * 0.1
        wanted = wanted @ wanted * 0.25 + 0.1 * silu_of_halves(np.concatenate((wanted, wanted), 1))
    np.testing.assert_allclose(x.asnumpy(), wanted, rtol=1e-3, atol=1e-5)


@pytest.mark.usefixtures(policy.__name__)
def test_views_and_halves():
    x = tensor(4, 6, dtype=np.float16)
    found = matmul(x[:, 1:5], x.T[1:5])
    assert found.dtype == ms.float16
    wanted = np.float64(x.asnumpy()[:, 1:5]) @ np.float64(x.asnumpy().T[1:5])
    np.testing.assert_allclose(found.asnumpy(), wanted, rtol=2e-3, atol=2e-3)


@pytest.mark.usefixtures(policy.__name__)
def test_several_outputs_and_an_output_that_is_an_input():
    x, gamma = tensor(3, 8), tensor(8, seed=3)
    rstd = empty(3, 1)
    runner = AclnnOpRunner("RmsNorm")
    runner.SetLaunchFunc(LAUNCH_ACLNN_FUNC("aclnnRmsNorm", x, gamma, 1e-6, x, rstd))
    before = np.float64(x.asnumpy())
    runner.Run([x, gamma], [x, rstd])
    root = 1 / np.sqrt((before**2).mean(-1, keepdims=True) + 1e-6)
    np.testing.assert_allclose(rstd.asnumpy(), root, rtol=1e-5)
    np.testing.assert_allclose(x.asnumpy(), before * root * gamma.asnumpy(), rtol=1e-5)


def test_a_launch_function_by_hand():
    seen, x = [], tensor(3, 4)
    y, out = tensor(4, 2, seed=1), empty(3, 2)

    def launch(device, stream):
        seen.append(threading.current_thread().name)
        size, executor = aclnn.aclnnMatmulGetWorkspaceSize(*device.inputs(), *device.outputs(), 0)
        workspace = device.allocate(size)

        def second():
            seen.append(threading.current_thread().name)
            aclnn.aclnnMatmul(workspace, size, executor, stream)

        device.dispatch(second)

    runner = AclnnOpRunner("Matmul")
    runner.SetLaunchFunc(launch)
    runner.Run([x, y], [out])
    np.testing.assert_allclose(out.asnumpy(), x.asnumpy() @ y.asnumpy(), rtol=1e-5)
    assert seen == ["ms_ext DeviceTask", "ms_ext LaunchTask"]


def test_a_runner_of_ones_own():
    told = []

    class Twice(PyboostRunner):
        def CalcWorkspace(self):
            told.append(("workspace", self.workspace_ptr()))
            return 24

        def ProcessWithWorkspace(self):
            told.append(("process", self.workspace_ptr().nbytes))

        def LaunchKernel(self):
            told.append(("launch", self.workspace_ptr().nbytes, self.stream(), self.stream_id()))
            np.multiply(self.inputs()[0].array, 2, out=self.outputs()[0].array)

    x, y = tensor(3), empty(3)
    runner = Twice("Twice")
    assert runner.op_name() == "Twice"
    runner.Run([x], [y])
    runner.Run([y], [x])
    assert x.tolist() == [2 * v for v in y.tolist()]
    once = [("workspace", None), ("process", 24), ("launch", 24, None, 0)]
    assert sorted(told, key=str) == sorted(2 * once, key=str) and told[0] == once[0]


# the order of calls ---------------------------------------------------------------------------


def library(recording):
    """(name, stage thread) of each function of the library that was called."""
    return [(e.name, recording.threads.get(e.thread, "?")) for e in recording.of("library")]


def test_the_first_phase_is_in_device_task_and_the_second_in_launch_task():
    x = tensor(3, 3)
    with events.record() as recording:
        matmul(x, x)
        stages.synchronize()
    assert library(recording) == [
        ("aclnnMatmulGetWorkspaceSize", "ms_ext DeviceTask"),
        ("aclnnMatmul", "ms_ext LaunchTask"),
    ]


def test_the_order_of_atb_and_of_a_transform():
    with events.record() as recording:
        swiglu(tensor(2, 4))
        stages.synchronize()
        RunAsdSipFFTOp(
            "asdFftExecC2C", asdsip.FFTParam(4, batchSize=1), tensor(1, 4, 2), empty(1, 4, 2)
        )
        stages.synchronize()
    device, launch, here = "ms_ext DeviceTask", "ms_ext LaunchTask", "MainThread"
    assert library(recording) == [
        ("CreateOperation(ActivationParam)", here),
        ("Activation.Setup", device), ("Activation.Execute", launch), ("Activation.Free", launch),
        ("asdFftMakePlan1D", here), ("asdFftGetWorkspaceSize", device),
        ("asdFftSetWorkspace", device), ("asdFftExecC2C", launch),
    ]  # fmt: skip


def test_all_stages_on_one_thread_where_launches_block():
    stages.use("blocking")
    x = tensor(3, 3)
    with events.record() as recording:
        matmul(x, x)
    assert [name for name, thread in library(recording) if thread == "MainThread"] == [
        "aclnnMatmulGetWorkspaceSize", "aclnnMatmul"
    ]  # fmt: skip


def test_the_cache_is_hit_by_the_second_call_of_one_kind():
    x = tensor(3, 3)
    for _ in range(4):
        matmul(x, x).asnumpy()
    matmul(tensor(2, 3), x).asnumpy()
    assert aclnn.CACHE.counters() == (3, 2, 2)


def gated(op_name="gate"):
    """A tensor that is still to come, and the event that lets it."""
    gate = threading.Event()

    def wait(x):
        gate.wait(10)
        return x

    return custom(wait, (2, 4))(tensor(2, 4)), gate


def test_operations_that_are_busy_are_not_shared():
    x, gate = gated()
    first = swiglu(x)
    second = swiglu(x)  # while the first waits for x
    assert atb.MANAGER.counters() == (0, 1, 1, 2)
    gate.set()
    np.testing.assert_array_equal(first.asnumpy(), second.asnumpy())
    swiglu(x).asnumpy()  # both are free again
    assert atb.MANAGER.counters() == (1, 1, 1, 2)


def test_plans_are_kept_as_many_as_was_said():
    AsdSipFFTOpRunner.SetCacheSize(2)
    for size in (4, 8, 4, 16, 4, 8):
        x, out = tensor(1, size, 2), empty(1, size, 2)
        RunAsdSipFFTOp("asdFftExecC2C", asdsip.FFTParam(size, batchSize=1), x, out)
        np.testing.assert_allclose(
            asdsip.as_complex(out.asnumpy()), np.fft.fft(asdsip.as_complex(x.asnumpy())), atol=1e-5
        )
    assert asdsip.CACHE.counters() == (2, 4, 2, 2)
