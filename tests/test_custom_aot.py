"""func_type="aot": what a kernel gets of inputs that are no tensors, and what its library infers.

The rows of the specification are in test_custom_rows, every dtype and form in test_custom_matrix.
"""

import gc
import threading

import numpy as np
import pytest
from custom_kernels import library, make
from custom_ops import F32, X, Y, value

from ms_ext import Tensor, grad, graph, jit, kernels, ops
from ms_ext import dtype as dtypes
from ms_ext.engine import errors

MODES = {"eager": lambda function: function, "graph": jit}
FIXTURES = library, make
needs_border = pytest.mark.skipif(kernels.get("border") is None, reason="border is not compiled")


@pytest.fixture(params=MODES)
def mode(request):
    """Run a function as it is, or compiled."""
    return MODES[request.param]


def same(x, *_others):
    return x


def described(library):
    """An op that gives the text of what its kernel got."""
    return ops.Custom(f"{library}:describe", (96,), dtypes.uint8, "aot")


INPUTS = {
    "text": (("axis",), "string 0"),
    "whole numbers": (((1, 2, 3),), "int64 1"),
    "a list of floats": (([1.5, 2.5],), "float32 1"),
    "mixed numbers": (((1, 2.5),), "float32 1"),
    "truths": (((True, False),), "bool 1"),
    "no numbers": (((),), "int64 1"),
    "None": ((None,), "none 0"),
    "a float": ((2.5,), "float32 0"),
    "a truth": ((True,), "bool 0"),
    "a tuple of a tensor and a number": (((Tensor([1.0]), 3),), "float32 1; int64 0"),
}


@pytest.mark.parametrize("case", INPUTS)
def test_what_a_kernel_gets_of_an_input_that_is_no_tensor(case, mode, library):
    given, words = INPUTS[case]
    op = described(library)
    text = mode(lambda: op(Tensor(X), *given))().asnumpy().tobytes().decode()
    assert text.partition("; no stream")[0] == f"float32 2; {words}"


@pytest.mark.parametrize("given", [{}, dtypes.float16], ids=["dict", "dtype"])
def test_an_input_that_no_kernel_can_get_is_refused(given, library):
    with pytest.raises((RuntimeError, TypeError)):
        described(library)(Tensor(X), given)


def test_one_and_true_and_one_point_are_different_constants(library):
    op = described(library)
    texts = [op((number,)).asnumpy().tobytes()[:6] for number in (1, 1.0, True)]
    assert texts == [b"int64 ", b"float3", b"bool 1"]


def test_infer_functions_and_bprop_see_inputs_in_their_form(mode, library):
    seen = []

    def shape(pair):
        seen.append(pair)
        return pair[0]

    def bprop(pair, out, dout):
        return ((dout * pair[1], dout * pair[0]),)

    op = ops.Custom(f"{library}:my_mul", shape, lambda pair: pair[0], "aot", bprop=bprop)
    dx, dy = mode(grad(lambda x, y: op((x, y)), (0, 1)))(Tensor(X), Tensor(Y))
    assert (value(dx), value(dy)) == (Y.tolist(), X.tolist())
    assert seen[0] == ([2, 2], [2, 2])


def test_infer_functions_of_texts_and_numbers(mode, library):
    seen = []

    def shape(x, word, numbers):
        seen.append((x, word, numbers))
        return [96]

    def bprop(x, word, numbers, out, dout):
        seen.append((word, numbers))
        return x * 0, None, None

    op = ops.Custom(f"{library}:describe", shape, dtypes.uint8, "aot", bprop=bprop)
    mode(lambda x: op(x, "word", (1, 2)))(Tensor(X)).asnumpy()
    assert seen[0] == ([2, 2], [], ([], []))


SCALE = """
#include "custom_aot_extra.h"
extern "C" int scaleInit(int *, int64_t **, const char **, AotExtra *extra) {
  extra->Attr<float>("by");
  extra->SetWorkSpace({8, 0, 24});
  return 0;
}
extern "C" int scale(ABI) {
  if (nparam != 5 || params[3] || size_t(params[4]) % 64) return 3;
  float by = static_cast<AotExtra *>(extra)->Attr<float>("by");
  for (int64_t i = 0; i < count(0, ndims, shapes); ++i)
    static_cast<float *>(params[1])[i] = static_cast<float *>(params[0])[i] * by;
  return 0;
}
extern "C" std::vector<std::vector<int64_t>> severalInferShape(int *n, int64_t **s, AotExtra *) {
  return {{s[0], s[0] + n[0]}, {}, {n[0], n[0], n[0]}};
}
extern "C" std::vector<TypeId> severalInferType(std::vector<TypeId> types, AotExtra *) {
  return {types[0], kNumberTypeInt64, kNumberTypeFloat16};
}
extern "C" int several(ABI) {
  if (nparam != 4 || ndims[2] != 0 || ndims[3] != 3 || strcmp(dtypes[3], "float16")) return 9;
  *static_cast<int64_t *>(params[2]) = 42;
  return 0;
}
"""


@needs_border
def test_an_attribute_without_a_value_takes_the_number_after_the_inputs(mode, make):
    info = ops.CustomRegOp("scale").input(0, "x").output(0, "y").attr("by", "required", "float")
    op = ops.Custom(
        f"{make(SCALE, 'scale')}:scale", same, same, "aot",
        reg_info=info.target("CPU").get_op_info(),
        bprop=lambda x, by, out, dout: (dout * by, 0.0),
    )  # fmt: skip
    assert value(mode(lambda x: op(x, 0.5))(Tensor(X))) == (X / 2).tolist()
    assert value(mode(lambda x: op(x, 4.0))(Tensor(X))) == (X * 4).tolist()
    assert value(mode(grad(lambda x: op(x, 4.0)))(Tensor(X))) == [[4, 4], [4, 4]]


@needs_border
def test_several_results_that_the_library_describes_without_reg_info(mode, make):
    op = mode(ops.Custom(f"{make(SCALE, 'scale')}:several", func_type="aot"))
    first, second, third = op(Tensor(X))
    assert (first.shape, second.shape, third.shape) == ((2, 2), (), (2, 2, 2))
    assert (second.dtype, third.dtype, value(second)) == (dtypes.int64, dtypes.float16, 42)


@needs_border
def test_what_neither_says_is_asked_for(library):
    func = f"{library}:my_mul"
    with pytest.raises(RuntimeError, match="Get infer shape functions failed"):
        ops.Custom(func, func_type="aot")(Tensor(X), Tensor(Y))
    with pytest.raises(RuntimeError, match="Get infer type functions failed.  func name:my_mul"):
        ops.Custom(func, (2, 2), func_type="aot")(Tensor(X), Tensor(Y))


@needs_border
def test_the_library_says_the_shape_and_the_op_the_dtype(mode, library):
    op = ops.Custom(f"{library}:add_reduce", None, F32, "aot")
    op.add_prim_attr("axis", 0).add_prim_attr("keep_dim", True)
    assert value(mode(op)(Tensor(X), Tensor(Y))) == (X + Y).sum(0, keepdims=True).tolist()


def test_a_tuple_of_one_result(mode, library):
    (only,) = mode(ops.Custom(f"{library}:my_mul", ((2, 2),), (F32,), "aot"))(Tensor(X), Tensor(Y))
    assert value(only) == (X * Y).tolist()


def test_an_operand_may_be_replaced_while_a_large_call_runs(library):
    op = ops.Custom(f"{library}:my_mul", same, same, "aot")
    big, end = Tensor(np.ones(1 << 16, np.float32)), threading.Event()

    def replace():
        while not end.is_set():
            big.assign_value(np.ones(1 << 16, np.float32))

    thread = threading.Thread(target=replace)
    thread.start()
    try:
        for _ in range(50):
            assert op(big, big).shape == (1 << 16,)
    finally:
        end.set()
        thread.join()


def test_ctypes_calls_a_kernel_and_says_what_it_cannot(library):
    from ms_ext.engine.custom.calling import through_ctypes
    from ms_ext.engine.custom.loading import open_kernel

    kernel = open_kernel(f"{library}:my_mul", name="my_mul")
    extra = through_ctypes.Extra(kernel, {}, lambda code, text: errors.NotRunnable(f"is {code}"))
    layout = through_ctypes.Layout([(2, 2)] * 3, ["float32"] * 3)
    out = np.zeros((2, 2), np.float32)
    through_ctypes.Call(kernel.address(), layout, extra).run([X, Y, out])
    assert out.tolist() == (X * Y).tolist()
    with pytest.raises(RuntimeError, match="is 7"):
        through_ctypes.Call(kernel.address("ret7"), layout, extra).run([X, Y, out])
    for refused in (extra.init, extra.infer_shape):
        with pytest.raises(RuntimeError, match="needs the compiled module 'border'"):
            refused(0, layout)
    with pytest.raises(RuntimeError, match="needs the compiled module 'border'"):
        through_ctypes.Extra(kernel, {"axis": (1, 0)}, None)


# variants -------------------------------------------------------------------------------------


def living_ops():
    gc.collect()
    return sum(type(each) is type(ops.Add) for each in gc.get_objects())


def test_the_variants_for_constant_inputs_are_as_many_as_were_used_lately(mode, library):
    def called(numbers):
        text = mode(lambda: op(Tensor(X), numbers))().asnumpy().tobytes().decode()
        assert "int64 1" in text

    op = described(library)
    for number in range(op.way.variants.most):
        called((number,))
    before = living_ops()
    for number in range(2 * op.way.variants.most):
        called((0, number))
    assert len(op.way.variants.made) == op.way.variants.most
    assert living_ops() == before


SCALED = """
extern "C" int scaled(ABI) {
  float by = static_cast<float *>(params[1])[0];
  for (int64_t i = 0; i < count(0, ndims, shapes); ++i)
    static_cast<float *>(params[2])[i] = static_cast<float *>(params[0])[i] * by;
  return 0;
}
"""


def test_a_graph_and_a_gradient_keep_a_variant_that_is_let_go(make):
    def bprop(x, by, out, dout):
        return dout * by[0], None

    op = ops.Custom(f"{make(SCALED, 'scaled')}:scaled", same, same, "aot", bprop)
    op.way.variants.most = 1
    function = jit(lambda x: op(x, (2.0,)))
    twice = function.graph(Tensor(X))

    def many(x):
        return sum((op(x, (float(n),)).sum() for n in range(3)), op(x, (5.0,)).sum())

    assert value(grad(many)(Tensor(X))) == [[8, 8], [8, 8]]
    assert value(jit(grad(many))(Tensor(X))) == [[8, 8], [8, 8]]
    for _ in range(2):
        assert value(function(Tensor(X))) == (2 * X).tolist()
        assert value(op(Tensor(X), (7.0,))) == (7 * X).tolist()
    function = op = many = None
    gc.collect()
    (found,) = graph.build("reference", twice)(X)
    assert found.tolist() == (2 * X).tolist()
