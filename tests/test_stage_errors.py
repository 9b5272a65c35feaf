"""Errors of the stages: at the next sync, with the op and the line, never lost, never twice.

| raised in | the call | .shape | a read | an unrelated read, if nobody saw it |
|---|---|---|---|---|
| PyTask | raises | | | |
| FrontendTask | fine | raises | raises, always | raises once |
| DeviceTask, LaunchTask | fine | fine | raises, always (MindSpore: once, then junk) | raises once |
"""

import pytest
from stage_calls import X, custom, fresh, raising

from ms_ext import Tensor, ops, runtime
from ms_ext import dtype as dtypes
from ms_ext.engine import errors

pytestmark = pytest.mark.usefixtures(fresh.__name__)


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
    assert "test_stage_errors.py:" in note and "the line that is meant" in note
    assert caught.traceback[-1].name == "my_mul"


def test_our_own_errors_show_the_line_in_their_text():
    y = custom(lambda a: a[0])(Tensor(X))
    with pytest.raises(
        errors.NotRunnable, match=r"out_shape promises[\s\S]*test_stage_errors\.py:\d+"
    ):
        y.asnumpy()


def test_even_sys_exit_in_a_stage_comes_back_to_the_caller():
    y = custom(raising(SystemExit(3)))(Tensor(X))
    with pytest.raises(SystemExit):
        y.asnumpy()
    assert custom(lambda a: a)(Tensor(X)).asnumpy().tolist() == X.tolist()
