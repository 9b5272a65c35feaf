"""Runners from Python: errors, gradients and graphs, and what is kept of a finished call."""

import gc
import weakref

import numpy as np
import pytest
from library_calls import SWIGLU, empty, empty_libraries, matmul, swiglu, tensor
from stage_calls import custom, fresh

import ms_ext as ms
from ms_ext import Tensor, jit
from ms_ext.engine import errors, stages
from ms_ext.engine.libraries import (
    LAUNCH_ACLNN_FUNC,
    AclnnOpRunner,
    AsdSipFFTOpRunner,
    AtbOpRunner,
    PyboostRunner,
    RunAsdSipFFTOp,
    RunAtbOp,
    asdsip,
    atb,
)

pytestmark = pytest.mark.usefixtures(fresh.__name__, empty_libraries.__name__)


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
