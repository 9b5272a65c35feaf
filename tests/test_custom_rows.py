"""Custom ops as MindSpore 2.10 was seen to run them, row by row: forwards, and every refusal.

The rows are those of the specification of custom operators, section 7. Where an article asks for
more than MindSpore gives, the article's form works, and with strict MindSpore's answer is given.

| row | what | test |
|---|---|---|
| 25 | my_mul of tensors, of a transposed view | here |
| 26 - 29 | an unknown symbol, no library, a return value, an exception | here |
| 30, 31 | func_type "julia", out_shape 4 | here; all others: test_strict, test_custom_pyfunc |
| 32, 33 | what a kernel is told; two results | here |
| 34, 35 | attributes, workspace, InferShape, InferType; an Init that fails | here |
| 36 - 38 | one symbol in two libraries, white list, path_from_env | here |
| 39 - 50, 56 | gradients | test_custom_rows_gradients; every form: test_strict |
| 51 | pyfunc | here; what it gets and may give: test_custom_pyfunc |
| 52 | hybrid | here |
| 53, 54 | gradients of C++ functions | none: they belong to the builder of C++ plugins |
| 55 | a kernel that knows one dtype | here |
"""

import sys

import numpy as np
import pytest
from custom_kernels import elementwise, library, make
from custom_ops import F32, X, Y, value
from custom_rows import aot, engine, of, run, said, there

from ms_ext import Tensor, jit, ops
from ms_ext import dtype as dtypes

FIXTURES = library, make, run, engine, there


def test_row_25_a_product_also_of_a_transposed_view(run, engine, library):
    op = aot(library, "my_mul")
    assert value(run(lambda x, y: op(x, y), of(X), of(Y))) == [[5, 12], [21, 32]]
    assert value(run(lambda x, y: op(x.T, y), of(X), of(Y))) == [[5, 18], [14, 32]]
    assert value(op(of(X).T, of(Y))) == [[5, 18], [14, 32]]


WRONG = {
    "26 symbol": ("{}:my_mulx", "error occurs when fetching function 'my_mulx'. Error info: {}: "
                  "undefined symbol: my_mulx"),
    "27 library": ("./nope.so:f", "couldn't find the AOT binary file: ./nope.so"),
    "28 return 7": ("{}:ret7", "Return value from CPU AOT kernel({})'s function(ret7) is 7."),
    "29 boom": ("{}:boom", "operator failed when executing user defined file {}! Error message is "
                "boom"),
}  # fmt: skip


@pytest.mark.parametrize("row", WRONG)
def test_rows_26_to_29_what_goes_wrong_in_a_library(row, run, engine, library):
    func, words = WRONG[row]
    op = ops.Custom(func.format(library), lambda x, y: x, lambda x, y: x, "aot")
    text = said(RuntimeError, lambda: run(lambda x, y: op(x, y), of(), of()).asnumpy())
    assert words.format(library) in text
    assert text.startswith(("For 'Custom' on CPU, ", "Return value from CPU AOT kernel("))


@pytest.mark.parametrize("func_type", ["julia", "mindir", "jit"])
def test_row_30_a_func_type_that_is_not_known(func_type, there):
    text = said(ValueError, lambda: ops.Custom("f.jl:f", (2, 2), F32, func_type))
    assert text.startswith(
        f"For 'Custom', 'func_type': {func_type}, 'func': f.jl:f, 'func_type' must be one of "
        f"['hybrid', 'akg', 'tbe', 'aicpu', 'aot', 'pyfunc'], but got {func_type}"
    )


def test_row_30_julia_is_refused_without_strict_too():
    text = said(ValueError, lambda: ops.Custom("f.jl:f", (2, 2), F32, "julia"))
    assert "'func_type' must be one of ['hybrid', 'akg', 'tbe', " in text


@pytest.mark.parametrize("func_type", ["pyfunc", "aot"])
def test_row_31_a_shape_that_is_a_number(func_type, run, engine, library):
    func = {"pyfunc": lambda x, y: x, "aot": f"{library}:my_mul"}[func_type]
    op = ops.Custom(func, 4, F32, func_type)
    text = said(TypeError, lambda: run(lambda x, y: op(x, y), of(), of()))
    assert "'out_shape' must be one of [tuple, list, function], but got <class 'int'>" in text


def test_row_32_what_a_kernel_is_told(library):
    op = ops.Custom(f"{library}:describe", (64,), dtypes.uint8, "aot")
    inputs = of(), Tensor([1.0], dtypes.bfloat16), 3, Tensor(2.5, dtypes.float64)
    told = op(*inputs).asnumpy().tobytes().decode()
    words = "float32 2; bfloat16 1; int64 0; float64 0; no stream extra"
    assert told.strip() == words
    graph = jit(lambda x, y: op(x, y, 3, Tensor(2.5, dtypes.float64)))
    assert graph(*inputs[:2]).asnumpy().tobytes().decode().strip() == words


def test_row_33_two_results(run, engine, library):
    op = ops.Custom(f"{library}:two_out", ((2, 2), (2, 2)), (F32, F32), "aot")
    double, square = run(lambda x: op(x), of())
    assert (value(double), value(square)) == ([[2, 4], [6, 8]], [[1, 4], [9, 16]])


def reduce_info(axis, keep):
    """What is registered of a kernel with two attributes."""
    info = ops.CustomRegOp(f"add_reduce_{axis}_{keep}")
    info = info.input(0, "x").input(1, "y").output(0, "z")
    info = info.dtype_format(*[ops.DataType.None_None] * 3)
    info = info.attr("axis", "required", "all", value=axis)
    info = info.attr("keep_dim", "required", "all", value=keep)
    return info.target("CPU").get_op_info()


def test_row_34_attributes_workspace_and_inference_in_c(run, engine, library):
    func = f"{library}:add_reduce"
    counts = ops.Custom(f"{library}:calls_of_add_reduce", (4,), F32, "aot")
    before = counts(Tensor([0.0])).asnumpy()
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    columns = ops.Custom(func, None, None, "aot", reg_info=reduce_info(0, False))
    rows = ops.Custom(func, None, None, "aot", reg_info=reduce_info(1, True))
    assert value(run(lambda x, y: columns(x, y), x, x * 10)) == [33, 55, 77]
    assert value(run(lambda x, y: rows(x, y), x, x * 10)) == [[33], [132]]
    init, shape, dtype, nparam = counts(Tensor([0.0])).asnumpy() - before * [1, 1, 1, 0]
    assert init == 2 and shape >= 2 and dtype >= 2 and nparam == 4


@pytest.mark.parametrize("given", ["shape", "dtype"])
def test_row_34_one_of_the_two_is_inferred_in_c(given, run, engine, library):
    shape, dtype = ((2, 1), None) if given == "shape" else (None, F32)
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    func, info = f"{library}:add_reduce", reduce_info(1, True)
    rows = ops.Custom(func, shape, dtype, "aot", reg_info=info)
    assert value(run(lambda x, y: rows(x, y), x, x * 10)) == [[33], [132]]


def test_row_35_an_init_that_fails(run, engine, library):
    op = aot(library, "Bad")
    text = said(RuntimeError, lambda: run(lambda x, y: op(x, y), of(), of()).asnumpy())
    assert "function(Bad) is 5" in text


def test_row_36_two_libraries_have_one_symbol(library, make):
    other = make(elementwise("my_mul", "a + b"), "other")
    one, two = aot(library, "my_mul"), aot(other, "my_mul")
    for _ in range(2):
        assert value(one(of(X), of(Y))) == (X * Y).tolist()
        assert value(two(of(X), of(Y))) == (X + Y).tolist()


def test_row_37_a_library_outside_the_white_list(engine, library, monkeypatch, tmp_path):
    monkeypatch.setenv("MS_CUSTOM_AOT_WHITE_LIST", str(tmp_path))
    text = said(TypeError, lambda: aot(library, "my_mul")(of(), of()).asnumpy())
    assert f"the legal path for the file is {tmp_path}, but the file is {library}" in text


def test_row_38_the_path_is_in_the_environment(run, engine, library, monkeypatch):
    monkeypatch.setenv("WHERE_MY_OPS_ARE", library)
    info = ops.CustomRegOp("from_env").attr("path_from_env", "required", "all", value=True)
    op = aot("WHERE_MY_OPS_ARE", "my_mul", reg_info=info.target("CPU").get_op_info())
    assert value(run(lambda x, y: op(x, y), of(X), of(Y))) == [[5, 12], [21, 32]]


# other ways --------------------------------------------------------------------------------------


def test_row_51_a_python_function(run, engine):
    sine = ops.Custom(lambda x: np.sin(x), (2, 2), F32)
    np.testing.assert_allclose(run(lambda x: sine(x), of()).asnumpy(), np.sin(X), rtol=1e-6)
    shapes, types = ((2, 2), (2, 2)), (F32, F32)
    two = ops.Custom(lambda x: (x + x, x * x), shapes, types)
    assert [value(each) for each in run(lambda x: two(x), of())] == [
        (X + X).tolist(),
        (X * X).tolist(),
    ]
    listed = ops.Custom(lambda x: [x, x], shapes, types)
    text = said(RuntimeError, lambda: value(run(lambda x: listed(x), of())[0]))
    assert "The output num is 1, with 2 expect." in text

    def boom(x):
        raise ValueError("py boom")

    op = ops.Custom(boom, (2, 2), F32)
    assert "py boom" in said(ValueError, lambda: value(run(lambda x: op(x), of())))


def test_row_51_the_callers_tensor_is_untouched(run, engine):
    def func(x):
        assert type(x) is np.ndarray
        x[:] = 0
        return x

    op, x = ops.Custom(func, (2, 2), F32), of()
    assert value(run(lambda x: op(x), x)) == [[0, 0], [0, 0]]
    assert value(x) == X.tolist()


def test_row_52_a_hybrid_function_runs_on_arrays_and_as_an_op(run, engine):
    @ops.kernel
    def add(a, b):
        c = output_tensor(a.shape, a.dtype)  # noqa: F821
        for i0 in range(a.shape[0]):
            for i1 in range(a.shape[1]):
                c[i0, i1] = a[i0, i1] + b[i0, i1]
        return c

    ones = np.ones((2, 2), np.float32)
    assert add(ones, ones).tolist() == [[2, 2], [2, 2]]
    op = ops.Custom(add, func_type="hybrid")
    assert value(run(lambda x, y: op(x, y), of(X), of(Y))) == (X + Y).tolist()


REJECTED = {
    "break": ("for i in range(4):\n        break", TypeError,
              "Keyword 'break' not accepted in the function f written in the Hybrid DSL!"),
    "while": ("while True:\n        c[0] = a[0]", TypeError,
              "Keyword 'while' not accepted in the function f written in the Hybrid DSL!"),
    "undeclared": ("c[0] = other", ValueError, "other"),
    "intrinsic": ("c[0] = cosh(a[0])", ValueError, "cosh"),
}  # fmt: skip


@pytest.mark.parametrize("case", REJECTED)
def test_row_52_what_the_language_has_not(case, engine, tmp_path, monkeypatch):
    body, kind, words = REJECTED[case]
    text = (
        "from ms_ext import ops\n\n@ops.kernel\ndef f(a):\n"
        f"    c = output_tensor(a.shape, a.dtype)\n    {body}\n    return c\n"
    )
    (tmp_path / f"rejected_{case}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)

    def made():
        try:
            return ops.Custom(__import__(f"rejected_{case}").f, func_type="hybrid")
        finally:
            sys.modules.pop(f"rejected_{case}", None)

    assert words in said(kind, made)


def test_row_55_a_kernel_that_knows_float32_alone(run, engine, library):
    info = ops.CustomRegOp("f32_only").input(0, "x").input(1, "y").output(0, "z")
    info = info.dtype_format(*[ops.DataType.F32_Default] * 3).target("CPU").get_op_info()
    op = aot(library, "my_mul", reg_info=info)
    for dtype in (dtypes.float64, dtypes.float16):
        product = run(lambda x, y: op(x, y), Tensor(X, dtype), Tensor(Y, dtype))
        assert (product.dtype, value(product)) == (dtype, (X * Y).tolist())
    third = Tensor(np.float64([[1, 1], [1, 1]]) / 3)
    product = run(lambda x, y: op(x, y), third, Tensor(Y, dtypes.float64)).asnumpy()
    assert product[0, 0] == np.float64(np.float32(1 / 3) * np.float32(5))  # float32 in the kernel
    whole = Tensor(X, dtypes.int32)
    text = said(TypeError, lambda: run(lambda x, y: op(x, y), whole, whole).asnumpy())
    assert "Unsupported data type!" in text and "input[Float32" in text and "Int32" in text


# more than MindSpore -----------------------------------------------------------------------------


def test_inference_in_c_needs_no_registration(run, make):
    op = ops.Custom(f"{make(INFERRED, 'inferred')}:twice", func_type="aot")
    assert value(run(lambda x: op(x), Tensor([1.0, 2.0]))) == [2, 4]


INFERRED = """
#include "custom_aot_extra.h"
extern "C" std::vector<int64_t> twiceInferShape(int *, int64_t **shapes, AotExtra *) {
  return {shapes[0][0]};
}
extern "C" TypeId twiceInferType(std::vector<TypeId> types, AotExtra *) { return types[0]; }
extern "C" int twice(ABI) {
  const float *x = static_cast<const float *>(params[0]);
  for (int64_t i = 0; i < shapes[0][0]; ++i) static_cast<float *>(params[1])[i] = 2 * x[i];
  return 0;
}
"""


def test_a_tuple_of_numbers_is_an_operand_of_a_kernel(run, library):
    op = ops.Custom(f"{library}:describe", (64,), dtypes.uint8, "aot")
    told = run(lambda x: op(x, (1, 2)), of()).asnumpy().tobytes().decode()
    assert told.startswith("float32 2; int64 1; ")


def test_a_function_that_returns_nothing_is_no_op(run):
    op = ops.Custom(lambda x: None, (), ())
    assert "'out_dtype' must be one of" in said(
        TypeError, lambda: value(run(lambda x: op(x), of()))
    )
