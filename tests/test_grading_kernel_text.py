"""A kernel in C is read and run by the checker: right ones compute, wrong ones are found out."""

import numpy as np
import pytest

from ms_ext.grading import kernel_text
from ms_ext.grading.drawing import Question
from ms_ext.grading.kernel_text import Fault, Memory, NotRead, pointers, read, word
from ms_ext.grading.layers import kernels

HEAD = """#include <cstdint>
extern "C" int f(int nparam, void **params, int *ndims, int64_t **shapes,
                 const char **dtypes, void *stream, void *extra) {
"""
START = """const float *x = static_cast<float *>(params[0]);
float *out = static_cast<float *>(params[1]);
int64_t n = 1;
for (int k = 0; k < ndims[0]; ++k) n *= shapes[0][k];
"""


def kernel(body, start=START):
    return f"{HEAD}{start}{body}}}"


def judged(text, *operands, reference=lambda x: x + x):
    judge = kernels.computes("f", reference)
    return judge(Question(operands=operands, known={}), text)


def floats(*shape):
    return np.arange(1, 1 + np.prod(shape, dtype=int), dtype=np.float32).reshape(shape)


def value(expression, **given):
    """What a function returns that is this expression of whole numbers."""
    parameters = ", ".join(f"int {name}" for name in given)
    text = f"double g({parameters}) {{ return {expression}; }}"
    return read(text).call("g", *given.values())


# what is computed -----------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0, 4), (2, 1, 3)])
@pytest.mark.parametrize(
    "body",
    [
        "for (int64_t i = 0; i < n; ++i) out[i] = x[i] + x[i]; return 0;",
        "while (n--) { *out = 2 * *x; out++; x += 1; } return 0;",
        "int i = 0; for (;;) { if (i >= n) break; *(out + i) = x[i] * 2.0f; i++; } return 0;",
        "size_t m = n, i = 0; while (i != m) { out[i] = x[i]; out[i] += x[i]; ++i; } return 0;",
        "auto end = out + n; for (; out < end; ++out, ++x) *out = (float)(*x / 0.5); return 0;",
    ],
)
def test_right_kernels_of_many_shapes(body, shape):
    assert judged(kernel(body), floats(*shape)) is None


@pytest.mark.parametrize(
    "expression, given, wanted",
    [
        ("a / b", {"a": -7, "b": 2}, -3),
        ("a % b", {"a": -7, "b": 2}, -1),
        ("1 / 2 * a", {"a": 8}, 0),
        ("1.0 / 2 * a", {"a": 8}, 4),
        ("a + b * 2 - (a - b) / 2", {"a": 9, "b": 3}, 12),
        ("a > b && b || !a", {"a": 9, "b": 3}, 1),
        ("a ? b : -b", {"a": 0, "b": 3}, -3),
        ("a << 2 | 1 & b", {"a": 1, "b": 3}, 5),
        ("std::max(a, b) + fabs(a - b) + sqrtf(b)", {"a": 2, "b": 9}, 19),
        ("sizeof(float) * a + 0x1F + 'A'", {"a": 2}, 104),
        ("static_cast<int8_t>(a) + int(2.9)", {"a": 200}, -54),
        ("(size_t)a - 1 > 5", {"a": 0}, 1),
        ("a - 1 > 5", {"a": 0}, 0),
    ],
)
def test_whole_numbers_are_those_of_c(expression, given, wanted):
    assert value(expression, **given) == wanted


def test_functions_constants_and_blocks():
    text = """
    using namespace std;
    static const double k = 2.5, unused = 1;
    namespace_free: ;
    """
    with pytest.raises(NotRead):
        read(text)
    text = text.replace("namespace_free: ;", "inline int twice(int a) { return a * 2; }")
    text += 'extern "C" { double g(int a) { do { a += 1; } while (a < 5); return twice(a) * k; } }'
    program = read(text)
    assert program.call("g", 0) == 25.0
    assert [f.exported for f in program.functions.values()] == [True, True]
    assert [f.plain for f in program.functions.values()] == [False, True]


def test_floats_are_kept_in_their_own_precision():
    memory = Memory("out", "float32", [None])
    text = "void g(float *p) { p[0] = 0.1; p[0] *= 1e38; p[0] *= 1e38; }"
    assert read(text).call("g", memory.start("float32")) is None
    assert memory.data == [float("inf")]


# what is found out ----------------------------------------------------------------------------

LOOP = "for (int64_t i = 0; i < n; ++i) out[i] = x[i] + x[i]; return 0;"


@pytest.mark.parametrize(
    "text, code, says",
    [
        (kernel(LOOP.replace("<", "<=")), "outside", "reads element 6 of the first input, which"),
        (kernel("out[-1] = 0; return 0;"), "outside", "writes element -1 of the output"),
        (kernel("out = static_cast<float *>(params[7]); return 0;"), "outside", "7 of params"),
        (kernel(LOOP.replace("i = 0", "i = 1")), "left-out", "1 of 6 elements"),
        (kernel(LOOP.replace("return 0;", "")), "no-return", "without `return`"),
        (kernel(LOOP.replace("return 0", "return 3")), "returned", "returns 3"),
        (kernel("out[0] += 1; return 0;"), "unwritten", "is read before anything"),
        (kernel("float s; out[0] = s; return 0;"), "unwritten", "s is read before"),
        (kernel("for (;;) n = 1; return 0;"), "endless", "200000 steps"),
        (kernel("n = n / (n - n); return 0;"), "divided-by-zero", "divided by 0"),
        (kernel("float *q = (float *)stream; q[0] = 1; return 0;"), "null", "to nothing"),
        (kernel("float *q = params[0]; return 0;"), "no-cast", "a void * is used as a float32 *"),
        (kernel("((float *)x)[0] = 1; return 0;"), "input-written", "writes into the first input"),
        (kernel("double *d = (double *)params[0]; d[0]; return 0;"), "other-type", "as float64"),
        (kernel("int *d = (int *)shapes[0]; return d[0];"), "other-type", "which holds int64"),
        (kernel("return *n;"), "no-pointer", "a number is used as an address"),
        (kernel(LOOP).replace('extern "C" ', ""), "mangled", 'not declared extern "C"'),
        (kernel(LOOP).replace("int f(", "static int f("), "no-symbol", "static"),
        (kernel(LOOP).replace("int f(", "int g("), "no-symbol", "there is: g"),
        ('extern "C" int f(void **params) { return 0; }', "other-arguments", "takes 1 arguments"),
        (kernel("std::vector<float> v; return 0;"), "not-read", "vector has not been declared"),
        (kernel("float v[4]; return 0;"), "not-read", "arrays and objects of your own"),
        (kernel("out[0] = 1 return 0;"), "not-read", "here should stand ';', not 'return'"),
        (kernel("return helper(n);"), "not-read", "the function helper is not known"),
        ("#define N 3\n" + kernel(LOOP), "not-read", "Line 1: #define is not read"),
        (kernel(LOOP)[:-1], "not-read", "a { is not closed"),
        ("int f() { return @; }", "not-read", "'@' cannot stand here"),
        (7, "kind", "no text of a kernel"),
    ],
)
def test_wrong_kernels(text, code, says):
    failure = judged(text, floats(2, 3))
    assert failure.code == code and says in failure.words


def test_a_fault_names_its_line():
    text = kernel("\n\nout[9] = 1;\nreturn 0;")
    assert "Line 10: it writes element 9" in judged(text, floats(2)).words


def test_wrong_values_are_compared_as_ever():
    failure = judged(kernel(LOOP.replace("+ x[i]", "+ 1")), floats(3))
    assert failure.code == "values" and failure.place == "at [1]"


def test_another_dtype_has_to_be_refused():
    judge = kernels.refuses("f", lambda x: x)
    question = Question(operands=(np.zeros(2),), known={})
    assert judge(question, kernel("return 1;", start="")) is None
    for body in (LOOP, "return 0;"):
        assert judge(question, kernel(body)).code == "any-dtype"
    asks = kernel('if (strcmp(dtypes[0], "float32") != 0) return 1;' + LOOP)
    assert judge(question, asks) is None and judged(asks, floats(2)) is None


def test_a_call_that_calls_itself_for_ever_ends():
    with pytest.raises(Fault, match="calls itself") as found:
        read("int g(int a) { return g(a); }").call("g", 1)
    assert found.value.code == "endless" and found.value.line == 1


def test_pointers_of_pointers_and_words():
    text = "char g(const char **names, int at) { return names[at][1]; }"
    names = pointers("names", [word("ab"), word("cd")])
    assert read(text).call("g", names, 1) == ord("d")
    assert kernel_text.Pointer(None, 0, "void").moved(2).at == 2
