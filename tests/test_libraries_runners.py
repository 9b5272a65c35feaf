"""Runners from Python: values, order of calls in the stages, caches, errors, what is kept."""

import gc
import threading
import weakref

import numpy as np
import pytest
from stage_calls import custom, fresh

import ms_ext as ms
from ms_ext import Tensor, jit, ops
from ms_ext.engine import errors, events, stages
from ms_ext.engine.libraries import (
    LAUNCH_ACLNN_FUNC,
    AclnnOpRunner,
    AsdSipFFTOpRunner,
    AtbOpRunner,
    PyboostRunner,
    RunAsdSipFFTOp,
    RunAtbOp,
    aclnn,
    asdsip,
    atb,
)

pytestmark = pytest.mark.usefixtures(fresh.__name__)
POLICIES = ("auto", "stages", "blocking")
SWIGLU = atb.ActivationParam(atb.ActivationType.ACTIVATION_SWIGLU_FORWARD)


@pytest.fixture(autouse=True)
def empty_libraries():
    """Caches are empty, and ActivationParam has a hash."""

    @atb.HashOpParam(atb.ActivationParam)
    def of_activation(param):
        atb.add_param_to_buf("activationType", param.activationType)
        atb.add_param_to_buf("dim", param.dim)

    aclnn.CACHE.clear()
    asdsip.CACHE.clear()
    atb.MANAGER.Release()
    yield
    asdsip.CACHE.set_size(64)
    atb.forget_hash(atb.ActivationParam)


@pytest.fixture(params=POLICIES)
def policy(request):
    """Each policy of dispatch."""
    stages.use(request.param)


def empty(*shape, dtype=np.float32):
    """A tensor whose elements are to be written."""
    return Tensor(np.full(shape, 77, dtype))


def tensor(*shape, seed=0, dtype=np.float32):
    """Numbers of a normal distribution."""
    return Tensor(np.random.default_rng(seed).standard_normal(shape).astype(dtype))


def matmul(x, y, out=None):
    """x @ y by the library."""
    out = empty(x.shape[0], y.shape[1], dtype=x.asnumpy().dtype) if out is None else out
    runner = AclnnOpRunner("Matmul")
    runner.SetLaunchFunc(LAUNCH_ACLNN_FUNC("aclnnMatmul", x, y, out, 0))
    runner.Run([x, y], [out])
    return out


def swiglu(x):
    """SwiGLU by ATB."""
    out = empty(x.shape[0], x.shape[1] // 2)
    RunAtbOp("SwiGLU", SWIGLU, [x], [out])
    return out


def silu_of_halves(x):
    """In float64."""
    gate, up = np.split(np.float64(x), 2, -1)
    return gate / (1 + np.exp(-gate)) * up


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


# errors ---------------------------------------------------------------------------------------


def test_what_device_task_refuses_arrives_with_the_value():
    out = empty(3, 3)
    runner = AtbOpRunner("SwiGLU")
    runner.Init(SWIGLU)
    runner.Run([tensor(3, 4)], [out])  # it gives [3, 2]
    assert out.shape == (3, 3)
    with pytest.raises(
        RuntimeError, match=r"ATB function \[Setup\] result error. st=8, op is SwiGLU"
    ):
        out.asnumpy()
    runner.Init(SWIGLU)  # the operation was given back
    assert atb.MANAGER.counters().operations == 1


def test_errors_of_a_transform():
    pairs, out = tensor(1, 4, 2), empty(1, 4, 2)
    RunAsdSipFFTOp("asdFftExecR2C", asdsip.FFTParam(4, batchSize=1), pairs, out)
    with pytest.raises(RuntimeError, match="Execute asdFftExecR2C failed, ret: 3"):
        out.asnumpy()
    out = empty(1, 4, 2)
    RunAsdSipFFTOp("asdFftExecZ2Z", asdsip.FFTParam(4, batchSize=1), pairs, out)
    with pytest.raises(RuntimeError, match="Get api asdFftExecZ2Z"):
        out.asnumpy()


def test_where_launches_block_errors_are_raised_at_the_call():
    stages.use("blocking")
    with pytest.raises(RuntimeError, match="Setup"):
        RunAtbOp("SwiGLU", SWIGLU, [tensor(3, 4)], [empty(3, 3)])
    assert atb.MANAGER.GetOperation(SWIGLU, "SwiGLU") and atb.MANAGER.counters().hits == 1


def test_unknown_names_are_refused_where_they_are_written():
    with pytest.raises(AttributeError, match="Did you mean 'aclnnMatmul'"):
        LAUNCH_ACLNN_FUNC("aclnnMatMul", tensor(2, 2))


MISUSE = {
    "no launch function": (lambda: AclnnOpRunner("A").Run([tensor(2)], [empty(2)]), "is not set"),
    "no operation": (lambda: AtbOpRunner("A").Run([tensor(2)], [empty(2)]), "has no operation"),
    "no plan": (lambda: AsdSipFFTOpRunner("A").Run([tensor(2)], [empty(2)]), "has no plan"),
    "no list": (lambda: PyboostRunner("A").Run(tensor(2), [empty(2)]), "a list of inputs"),
    "nothing": (lambda: PyboostRunner("A").Run([tensor(2)], []), "a list of outputs"),
    "an array": (lambda: PyboostRunner("A").Run([np.ones(2)], [empty(2)]), "takes tensors"),
}


@pytest.mark.parametrize("case", MISUSE)
def test_misuse(case):
    run, words = MISUSE[case]
    with pytest.raises(errors.MsExtError, match=words):
        run()


def failing(launch, inputs=(), words=""):
    """The launch function makes the value fail with these words."""
    x, out = tensor(2), empty(2)
    runner = AclnnOpRunner("Failing")
    runner.SetLaunchFunc(launch)
    runner.Run([x], [out])
    with pytest.raises(errors.MsExtError, match=words):
        out.asnumpy()


def test_mistakes_in_a_launch_function():
    stranger = tensor(2)
    failing(lambda device, stream: None, words="launched nothing")
    failing(lambda device, stream: device.inputs()[0].array, words="not there before LaunchTask")
    failing(LAUNCH_ACLNN_FUNC("aclnnExp", stranger, stranger), words="is not in Run")


def test_a_runner_without_a_kernel():
    out = empty(2)
    PyboostRunner("Nothing").Run([tensor(2)], [out])
    with pytest.raises(NotImplementedError, match="has no LaunchKernel"):
        out.asnumpy()


def test_a_gradient_through_a_runner_is_refused():
    with pytest.raises(errors.NotRunnable, match="'Matmul' has no gradient"):
        ms.grad(lambda x: matmul(x, x).sum())(tensor(2, 2))


def test_a_runner_is_no_part_of_a_graph():
    with pytest.raises(errors.MsExtError):
        jit(lambda x: swiglu(x))(tensor(2, 4))


# what is kept ---------------------------------------------------------------------------------


def test_nothing_of_a_finished_call_is_kept():
    kept = []

    class Noting(PyboostRunner):
        def LaunchKernel(self):
            self.outputs()[0].array[...] = 1
            kept.append(weakref.ref(self))

    x, y = tensor(2), empty(2)
    Noting("Noting").Run([x], [y])
    assert y.tolist() == [1, 1]
    names = [weakref.ref(x), weakref.ref(y)]
    del x, y
    gc.collect()
    assert [ref() for ref in (*kept, *names)] == [None, None, None]


def test_operations_are_given_back_where_init_is_not_followed_by_run():
    runner = AtbOpRunner("SwiGLU")
    runner.Init(SWIGLU)
    runner.Init(SWIGLU)
    assert atb.MANAGER.counters().operations == 1
    del runner
    gc.collect()
    AtbOpRunner("SwiGLU").Init(SWIGLU)
    assert atb.MANAGER.counters().operations == 1


def test_a_runner_inside_a_stage_runs_there():
    def inside(a):
        return matmul(Tensor(a), Tensor(a)).asnumpy()

    x = np.float32([[1, 2], [3, 4]])
    assert custom(inside)(Tensor(x)).tolist() == (x @ x).tolist()


def test_a_cell_with_a_bprop_has_the_gradient_of_its_runners():
    class Product(ms.nn.Cell):
        def construct(self, x, y):
            return matmul(x, y)

        def bprop(self, x, y, out, dout):
            return matmul(dout, y.T), matmul(x.T, dout)

    x, y = tensor(2, 3), tensor(3, 4, seed=1)
    dx, dy = ms.grad(lambda x, y: Product()(x, y).sum(), (0, 1))(x, y)
    np.testing.assert_allclose(dx.asnumpy(), np.ones((2, 4)) @ y.asnumpy().T, rtol=1e-5)
    np.testing.assert_allclose(dy.asnumpy(), x.asnumpy().T @ np.ones((2, 4)), rtol=1e-5)
