"""``func_type="jit"``: texts in C, C++, Cython and Python become ops at their first call."""

import inspect

import numpy as np
import pytest
from custom_libraries import CXX, MUL, needs_compiler, needs_cxx, own_cache
from custom_ops import F32, X, Y, mul_bprop, policy, value

from ms_ext import Tensor, grad, jit, ops
from ms_ext.engine import toolchain
from ms_ext.engine.custom.loading import language

pytestmark = pytest.mark.usefixtures(own_cache.__name__)
PRODUCT = (X * Y).tolist()


def op_of(text, **more):
    return ops.Custom(text, lambda x, *_: x, lambda x, *_: x, func_type="jit", **more)


@needs_compiler
@pytest.mark.usefixtures(policy.__name__)
def test_a_text_in_c():
    op = op_of(MUL, bprop=mul_bprop)
    assert value(op(Tensor(X), Tensor(Y))) == PRODUCT
    assert value(jit(lambda x, y: op(x, y))(Tensor(X), Tensor(Y))) == PRODUCT
    assert value(grad(lambda x, y: op(x, y))(Tensor(X), Tensor(Y))) == Y.tolist()


@needs_compiler
def test_transposed_inputs_are_made_contiguous():
    assert value(op_of(MUL)(Tensor(X).T, Tensor(Y))) == (X.T * Y).tolist()


@needs_compiler
def test_the_white_list_is_for_files_not_for_texts(monkeypatch, tmp_path):
    monkeypatch.setenv("MS_CUSTOM_AOT_WHITE_LIST", str(tmp_path))
    monkeypatch.setenv("MS_COMPILER_CACHE_PATH", str(tmp_path / "with:colon"))
    assert value(op_of(MUL)(Tensor(X), Tensor(Y))) == PRODUCT


@needs_cxx
def test_a_text_in_c_plus_plus():
    assert value(op_of(CXX)(Tensor(X), Tensor(Y))) == PRODUCT


@needs_compiler
def test_nothing_is_compiled_before_the_first_call():
    op = op_of(MUL.replace("return 0", "retun 0"))
    with pytest.raises(RuntimeError, match="compiling the source text:\nthe source text: In"):
        value(op(Tensor(X), Tensor(Y)))


@needs_compiler
def test_an_error_is_at_the_learners_line_of_the_text():
    op = op_of("""
        #include <stdint.h>
        int my_mul(int nparam, void **params) {
            retun 0;
        }
    """)
    line = inspect.currentframe().f_lineno - 3
    with pytest.raises(RuntimeError) as caught:
        value(op(Tensor(X)))
    assert f"{__file__}:{line}:13: error: " in str(caught.value)
    assert str(caught.value.where) == f"{__file__}:{line}"
    assert caught.value.where.picture().splitlines()[1].strip() == "retun 0;"


@needs_compiler
def test_two_kernels_in_one_text_are_refused():
    other = MUL.replace("my_mul", "other").partition("\n")[2]
    with pytest.raises(RuntimeError, match="the source text exports several(.|\n)*`static`"):
        value(op_of(MUL + other)(Tensor(X), Tensor(Y)))


def test_a_python_text_is_compiled_to_a_graph():
    op = op_of("def f(x, y):\n    return x * y\n")
    assert value(op(Tensor(X), Tensor(Y))) == PRODUCT


@pytest.mark.parametrize("text, words", [
    ("def f(x):\n    return x\ndef g(x):\n    return x\n", "defines 2 functions"),
    ("def f(x):\n    return x\n1 / 0\n", "ZeroDivisionError"),
])  # fmt: skip
def test_a_python_text_that_cannot_be_an_op(text, words):
    with pytest.raises(RuntimeError, match=words):
        op_of(text)


@pytest.mark.parametrize("func, kind", [(lambda x: x, TypeError), ("my_mul", ValueError),
                                        ("./my_ops.cc:my_mul", ValueError)])  # fmt: skip
def test_what_is_no_source_text_is_refused(func, kind):
    with pytest.raises(kind, match="hint|func_type='"):
        op_of(func)


def test_describe_says_the_language():
    assert "language   c" in str(op_of(MUL).describe())


# Cython ------------------------------------------------------------------------------------------

CYTHON = """
import numpy as np

def my_mul(x, y):
    cdef Py_ssize_t i
    out = np.empty_like(x)
    for i in range(x.size):
        out.flat[i] = x.flat[i] * y.flat[i]
    return out
"""
needs_cython = pytest.mark.skipif(
    toolchain.c_compiler() is None or toolchain.python_headers() is None, reason="no compiler"
)


@needs_cython
@pytest.mark.long
def test_a_text_in_cython():
    pytest.importorskip("Cython")
    op = op_of(CYTHON, bprop=mul_bprop)
    assert value(op(Tensor(X), Tensor(Y))) == PRODUCT
    assert value(grad(lambda x, y: op(x, y))(Tensor(X), Tensor(Y))) == Y.tolist()
    views = op_of("def twice(float[:, :] x):\n    cdef Py_ssize_t i\n"
                  "    for i in range(x.shape[0]): x[i, 0] *= 2\n    return x\n")  # fmt: skip
    assert value(views(Tensor(X))) == (X * [2, 1]).tolist()


@needs_cython
@pytest.mark.long
def test_cythons_message_is_at_the_learners_line():
    pytest.importorskip("Cython")
    op = op_of("""
cdef int unused = 0
def f(x):
    return undefined_name
""")
    line = inspect.currentframe().f_lineno - 2
    with pytest.raises(RuntimeError) as caught:
        value(op(Tensor(X)))
    assert f"{__file__}:{line}:11: undeclared name" in str(caught.value)
    assert caught.value.where.line == line


@needs_cython
@pytest.mark.long
def test_a_cython_text_has_one_public_function():
    pytest.importorskip("Cython")
    with pytest.raises(RuntimeError, match="The Cython text defines 2 public functions"):
        value(op_of("cdef int a = 1\ndef f(x): return x\ndef g(x): return x\n")(Tensor(X)))


def test_without_cython_one_sentence_says_so(monkeypatch):
    from ms_ext.engine.custom.loading import cython

    find = cython.importlib.util.find_spec
    monkeypatch.setattr(
        cython.importlib.util, "find_spec", lambda n, *r: None if n == "Cython" else find(n, *r)
    )
    with pytest.raises(RuntimeError, match="Cython is not installed"):
        value(op_of(CYTHON)(Tensor(X), Tensor(Y)))


# languages ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("text, wanted", [
    (MUL, "c"),
    (CXX, "c++"),
    ("#ifdef __cplusplus\nextern \"C\"\n#endif\nint f(void) { return 0; }", "c"),
    ("#include <vector>\nint f() { return 0; }", "c++"),
    ("extern \"C\" __global__ __aicore__ void k(GM_ADDR x) {}", "c++"),
    (CYTHON, "cython"),
    ("def f(x):\n    return x\n", "python"),
    ("# cython: boundscheck=False\ndef f(x):\n    return x\n", "cython"),
    ("cce code string", None),
    ("", None),
])  # fmt: skip
def test_the_language_of_a_text(text, wanted):
    assert language.language(text) == wanted


def test_the_results_type_is_what_was_promised():
    assert op_of("def f(x):\n    return x + 1\n")(Tensor(X)).dtype is F32
    assert np.allclose(value(op_of("def f(x):\n    return x + 1\n")(Tensor(X))), X + 1)
