"""The library's aclnn: its two phases, the cache of executors, its refusals."""

import numpy as np
import pytest
from aclnn_calls import X, Y, called, drawn, outputs

from ms_ext.engine import errors
from ms_ext.engine.libraries import aclnn
from ms_ext.engine.libraries.aclnn import ExecutorCache, function, kernel


@pytest.fixture(autouse=True)
def empty_cache():
    """Every test counts from 0."""
    aclnn.CACHE.clear()


def test_the_cache_knows_names_shapes_dtypes_and_attributes():
    (out,) = outputs(("float32", (3, 4)))
    for _ in range(3):
        called("aclnnAdd", X, Y, 1, out)
    assert aclnn.CACHE.counters() == (2, 1, 1)
    called("aclnnSub", X, Y, 1, out)  # another name
    called("aclnnAdd", X, Y, 2, out)  # another attribute
    called("aclnnAdd", X, Y, 1.0, out)  # of another type
    called("aclnnAdd", X[:2], Y[:2], 1, out[:2])  # another shape
    called("aclnnAdd", X.astype(np.float64), Y, 1, out.astype(np.float64))  # another dtype
    assert aclnn.CACHE.counters() == (2, 6, 6)


def test_what_was_not_asked_for_longest_is_forgotten():
    cache, forms = ExecutorCache(capacity=2), []
    for rows in (1, 2, 1, 3, 1, 2):
        bound = {"x": X[:rows].astype(np.float64), "out": np.empty((rows, 4))}
        forms.append(cache.prepared(aclnn.KERNELS["Exp"], aclnn.KERNELS["Exp"].forms(bound))[1])
    assert forms == [False, False, True, False, True, False]


def test_a_key_that_forgets_a_field_gives_the_wrong_plan():
    cache = ExecutorCache(key=lambda kernel, forms: (kernel.name, forms["x"]))
    matmul = aclnn.KERNELS["Matmul"]
    small = {"x": X, "mat2": drawn(4, 2), "out": np.empty((3, 2), np.float32), "cubeMathType": 0}
    large = small | {"mat2": drawn(4, 50), "out": np.empty((3, 50), np.float32)}
    first, _ = cache.prepared(matmul, matmul.forms(small))
    second, known = cache.prepared(matmul, matmul.forms(large))
    assert known and second.bytes == first.bytes  # too few for the large one


def test_an_executor_is_used_up_unless_it_is_repeatable():
    (out,) = outputs(("float32", (3, 4)))
    _, executor = aclnn.aclnnExpGetWorkspaceSize(X, out)
    aclnn.aclnnExp(None, 0, executor, None)
    with pytest.raises(errors.NotRunnable, match="launched already"):
        aclnn.aclnnExp(None, 0, executor, None)
    _, executor = aclnn.aclnnExpGetWorkspaceSize(X, out)
    aclnn.aclSetAclOpExecutorRepeatable(executor)
    for _ in range(3):
        assert aclnn.aclnnExp(None, 0, executor, None) == 0
    aclnn.aclDestroyAclOpExecutor(executor)
    with pytest.raises(errors.NotRunnable, match="launched already"):
        aclnn.aclnnExp(None, 0, executor, None)


def test_a_workspace_that_is_missing_or_small_is_refused():
    (out,) = outputs(("float32", (3, 4)))
    size, executor = aclnn.aclnnSoftmaxGetWorkspaceSize(X, -1, out)
    assert size >= out.nbytes
    for workspace, said in [
        (None, size),
        (np.empty(8, np.uint8), 8),
        (np.empty(size, np.uint8), 0),
    ]:
        with pytest.raises(errors.InvalidValue, match=f"needs a workspace of {size} bytes"):
            aclnn.aclnnSoftmax(workspace, said, executor, None)
    aclnn.aclnnSoftmax(np.empty(size, np.uint8), size, executor, None)  # it was not used up


def test_an_executor_of_another_function_is_refused():
    (out,) = outputs(("float32", (3, 4)))
    _, executor = aclnn.aclnnExpGetWorkspaceSize(X, out)
    with pytest.raises(errors.InvalidValue, match="executor of another function"):
        aclnn.aclnnTanh(None, 0, executor, None)
    with pytest.raises(errors.InvalidType, match="launches an executor"):
        aclnn.aclnnExp(None, 0, "executor", None)


def test_unknown_names_say_which_was_meant():
    with pytest.raises(
        errors.UnknownAttribute, match="(?s)no function 'aclnnMatMull'.*aclnnMatmul"
    ):
        function("aclnnMatMull")
    with pytest.raises(AttributeError, match="aclnnArgMin"):
        aclnn.aclnnArgminGetWorkspaceSize  # noqa: B018
    with pytest.raises(AttributeError):
        aclnn.nothing  # noqa: B018


REFUSED = {
    "shapes": ("aclnnAdd", (X, drawn(5), 1, X), "can be broadcast"),
    "output": ("aclnnAdd", (X, Y, 1, drawn(4, 3)), "writes a float32.3,4. to 'out'"),
    "dtype": ("aclnnAdd", (X, Y, 1, np.empty((3, 4))), "writes a float32.3,4. to 'out'"),
    "matmul": ("aclnnMatmul", (X, Y, X, 0), "matrices that can be multiplied"),
    "mixed": ("aclnnMatmul", (X, Y.T.astype(np.float64), X, 0), "operands of one dtype"),
    "axis": ("aclnnSoftmax", (X, 2, X), "an axis of its input"),
    "halves": ("aclnnSwiGlu", (drawn(3, 5), -1, X), "halves an axis"),
    "too few": ("aclnnAdd", (X,), "takes .x, other, alpha, out."),
    "too many": ("aclnnExp", (X, X, X), "takes .x, out."),
    "whole": ("aclnnExp", (np.zeros(3, np.int32), X), "floating-point numbers"),
    "cast": ("aclnnCast", (X, "float31", X), "a dtype that tensors have"),
    "empty": ("aclnnArgMin", (np.empty((0, 3)), 0, False, X), "elements to choose from"),
    "layout": (
        "aclnnFlashAttentionScore", (X, X, X, None, 1.0, 1, "XYZ", 0, None, None, X), "knows the"
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_phase_one_refuses_what_does_not_fit(case):
    name, arguments, words = REFUSED[case]
    with pytest.raises(errors.MsExtError, match=words) as caught:
        function(f"{name}GetWorkspaceSize")(*arguments)
    assert "161002" in str(caught.value)
    assert aclnn.CACHE.counters().size == 0


def test_every_kernel_says_what_it_does():
    assert len(aclnn.functions()) >= 20
    assert all(entry.doc for entry in aclnn.KERNELS.values())


def test_a_kernel_of_ones_own_is_a_declaration():
    @kernel
    class Hypot:
        """The root of the sum of two squares."""

        def infer(x, y):
            return (aclnn.KERNELS["Mul"].infer(x, y)[0],)

        def body(x, y):
            return np.hypot(x, y)

    try:
        (out,) = outputs(("float32", (3, 4)))
        called("aclnnHypot", X, Y, out)
        np.testing.assert_allclose(out, np.hypot(X, Y))
    finally:
        del aclnn.KERNELS["Hypot"]
