"""03.fused_kernel: a kernel in C for aot, read and run by the checker, every access watched."""

import numpy as np

from ms_ext.grading import recognise
from ms_ext.grading.drawing import drawn
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.layers import kernels
from ms_ext.grading.recognise import on


def fused(x, y):
    return x * y + x / x.dtype.type(2) if x.dtype.kind == "f" else x * y


def vector(draw, n):
    """one axis"""
    return draw(n), draw(n)


def cube(draw, k, m, n):
    """three axes"""
    return draw(k, m, n), draw(k, m, n)


def turned(draw, m, n):
    """x transposed: it arrives as a copy in the order of its new shape"""
    return np.ascontiguousarray(draw(n, m).T), draw(m, n)


def scalar(draw):
    """no axes: one element"""
    return draw(), draw()


def empty(draw, n):
    """a size of 0: no elements"""
    return draw(0, n), draw(0, n)


def other(draw, n):
    """another dtype than float32"""
    return draw(n), draw(n)


def _halved_whole(x, y):
    return x * y


_values = on("values")

mistakes = (
    Mistake("not-read", on("not-read"),
        "The checker cannot read your kernel.",
        "It reads a small part of C: functions, numbers, pointers, if, for, while. A compiler may "
        "read more; the exercise needs no more.",
        "Mend or simplify the line that is named."),
    Mistake("mangled", on("mangled"),
        "The loader will not find `fused`: its name is another one in the library.",
        "C++ writes the types of the arguments into the name of a function: `nm` would show "
        "something like `_Z5fusediPPv...`.",
        "What must stand before the function for its name to stay as it is?"),
    Mistake("no-symbol", on("no-symbol"),
        "The library does not export `fused`.",
        "The loader asks for the name behind the colon in `./fused.cpp:fused`, letter by letter.",
        "Compare the name of your function with it; `static` hides a function."),
    Mistake("other-arguments", on("other-arguments"),
        "Your kernel does not take the seven arguments.",
        "Nobody checks them: the caller passes seven, in this order, whatever you declare.",
        "Bring back the head of the function as the chapter gave it."),
    Mistake("outside", on("outside"),
        "Your kernel goes past the end of a memory.",
        "The real machine does not say so: it reads what stands there, or spoils it. The notebook "
        "may die much later, somewhere else.",
        "How often does the loop run when there are n elements? And when there are none?"),
    Mistake("left-out", on("left-out"),
        "Part of the output is never written.",
        "The memory of an output is not cleared before: what is left out is whatever was there.",
        "How many elements has a tensor of this shape? A tensor without axes has one."),
    Mistake("other-type", on("other-type"),
        "Your kernel takes memory for another type than it holds.",
        "An address says nothing about what lies there: the cast decides how the bytes are read.",
        "`params[i]` holds what `dtypes[i]` says."),
    Mistake("no-cast", on("no-cast"),
        "A pointer is missing its cast.",
        "`params` holds `void *`: addresses of anything. C++ turns none of them into a `float *` "
        "by itself.",
        "Write `static_cast<float *>(params[0])`."),
    Mistake("input-written", on("input-written"),
        "Your kernel writes into an input.",
        "Inputs are the tensors of the caller: there is no copy between.",
        "`params` has the inputs first, then the outputs: which number has the output?"),
    Mistake("no-return", on("no-return"),
        "Your kernel comes to its end without `return`.",
        "The caller takes whatever is left in a register for the answer.",
        "0 means that all went well."),
    Mistake("returned", on("returned"),
        "Your kernel says that it failed.",
        "Any value but 0 stops the program with an error that shows this number.",
        "Which of your conditions is true here?"),
    Mistake("any-dtype", on("any-dtype"),
        "Your kernel takes other dtypes for float32.",
        "Called with float64 it would read each number as two, and nobody would say a word.",
        "`dtypes[i]` is a text: compare it with strcmp, and return an error."),
    Mistake("whole-division", recognise.both(_values, recognise.equals(_halved_whole)),
        "Half of x is missing.",
        "In C, 1 / 2 is a division of whole numbers: 0.",
        "Write 0.5f, or divide x itself."),
)  # fmt: skip

hints = (
    "Three steps: is it float32? how many elements are there? one loop. Which of them is missing?",
    "The number of elements is the product of shapes[0][0] to shapes[0][ndims[0] - 1], begun at "
    "1. Then params[0] and params[1] are the inputs and params[2] is the output, each cast to "
    "`float *`.",
    "A sibling, out = -x, for one axis only:\n\n"
    'extern "C" int negative(\n'
    "    int nparam, void **params, int *ndims, int64_t **shapes,\n"
    "    const char **dtypes, void *stream, void *extra) {\n"
    '    if (strcmp(dtypes[0], "float32") != 0) return 1;\n'
    "    const float *x = static_cast<float *>(params[0]);\n"
    "    float *out = static_cast<float *>(params[1]);\n"
    "    for (int64_t i = 0; i < shapes[0][0]; ++i) out[i] = -x[i];\n"
    "    return 0;\n"
    "}",
)

_LOOP = "for (int64_t i = 0; i < size; ++i)"
_BODY = "made[i] = a[i] * b[i] + 0.5f * a[i];"
_COUNT = "for (int k = 0; k < ndims[0]; ++k) size *= shapes[0][k];"
_FLOATS = '    if (strcmp(dtypes[0], "float32") || strcmp(dtypes[1], "float32")) return 1;\n'
_END = f"{_LOOP} {_BODY}\n"

mutants = (
    Mutant("mangled", 'extern "C" int fused', "int fused"),
    Mutant("no-symbol", 'extern "C" int fused', 'extern "C" int fused_kernel'),
    Mutant("outside", "i < size", "i <= size"),
    Mutant("outside", "params[2]", "params[3]"),
    Mutant("outside", _COUNT, "size = shapes[0][0] * shapes[0][1];"),
    Mutant("outside", f"{_LOOP} {_BODY}",
           f"int64_t i = 0;\n    do {{ {_BODY} }} while (++i < size);"),
    Mutant("outside", _LOOP, "for (size_t i = 0, last = size - 1; i <= last; ++i)"),
    Mutant("left-out", _COUNT, "if (ndims[0]) size = shapes[0][0];"),
    Mutant("left-out", "int64_t size = 1;", "int64_t size = 0;"),
    Mutant("other-type", "const float *b = static_cast<float *>",
           "const double *b = static_cast<double *>"),
    Mutant("no-cast", "static_cast<float *>(params[2])", "params[2]"),
    Mutant("input-written", "params[2]", "params[1]"),
    Mutant("no-return", f"{_END}    return 0;\n", _END),
    Mutant("returned", f"{_END}    return 0;\n", f"{_END}    return size;\n"),
    Mutant("any-dtype", _FLOATS, ""),
    Mutant("whole-division", "0.5f * a[i]", "1 / 2 * a[i]"),
    Mutant("values", "0.5f * a[i]", "0.5f * b[i]"),
    Mutant("not-read", "const float *a", "std::vector<float> *a"),
)  # fmt: skip

_HEAD = """
#include <cstring>
#include <cstdint>
"""
_ARGUMENTS = """(int nparam, void **params, int *ndims, int64_t **shapes,
                     const char **dtypes, void *stream, void *extra)"""

variants = {
    "a function for the size, and C's own casts": f'''
fused_source = """{_HEAD}
static size_t size_of(int axes, const int64_t *shape) {{
    size_t size = 1;
    while (axes-- > 0) {{ size *= *shape++; }}
    return size;
}}

extern "C" int fused{_ARGUMENTS} {{
    for (int i = 0; i < nparam; i++) {{
        if (strcmp(dtypes[i], "float32") != 0) {{ return 7; }}
    }}
    float *x = (float *)params[0], *y = (float *)params[1], *out = (float *)params[2];
    float *end = out + size_of(ndims[2], shapes[2]);
    while (out != end) {{ *out++ = *x * (*y++ + 0.5f); x++; }}
    return 0;
}}
"""
''',
    "a block, auto and std": f'''
fused_source = """{_HEAD}
using namespace std;

extern "C" {{
int fused{_ARGUMENTS} {{
    const bool right = std::strcmp(dtypes[0], "float32") == 0 && !strcmp(dtypes[1], "float32");
    if (!right) return -1;
    auto x = static_cast<const float *>(params[0]);
    auto y = static_cast<const float *>(params[1]);
    auto out = static_cast<float *>(params[2]);
    auto count = static_cast<std::int64_t>(1);
    for (auto k = 0; k != ndims[0]; k += 1) count = count * shapes[0][k];
    for (auto i = 0; i < count; i += 1) {{
        const float half = x[i] / 2;
        out[i] = x[i] * y[i] + half;
    }}
    return 0;
}}
}}
"""
''',
}

exercise = Exercise(
    target="fused_source",
    contract='A text in C with the kernel `fused`, extern "C": x * y + x / 2 of float32 tensors of '
    "one shape, any shape; any other dtype makes it return an error.",
    checks=(
        Check("values", "the kernel computes x * y + x / 2", 1, "value",
            drawn(vector, cube, turned, dtypes="f32", tile=8), kernels.computes("fused", fused),
            inputs="x y"),
        Check("sizes", "also of one element without axes, and of none", 1, "value",
            drawn(scalar, empty, dtypes="f32"), kernels.computes("fused", fused), inputs="x y"),
        Check("dtypes", "and it refuses what is not float32", 1, "value",
            drawn(other, dtypes="f64 i32"), kernels.refuses("fused", fused), inputs="x y",
            needs=("values",)),
    ),
    mistakes=mistakes, hints=hints, mutants=mutants, variants=variants,
)  # fmt: skip
