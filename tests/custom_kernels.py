"""Kernels in C++ that tests of custom ops call, and the library of them, compiled once.

The library is kept in pytest's cache under a name made of its text, so later runs compile nothing.
"""

import hashlib
import os
import subprocess

import pytest

from ms_ext.engine import toolchain

ABI = "int nparam, void **params, int *ndims, int64_t **shapes, const char **dtypes, void *, void *"
TYPES = {
    "bool": "bool", "int8": "int8_t", "int16": "int16_t", "int32": "int32_t", "int64": "int64_t",
    "uint8": "uint8_t", "float16": "Half", "float32": "float", "float64": "double",
    "bfloat16": "Brain",
}  # fmt: skip
#: What every source of tests begins with: 16 bit floats, and how many elements there are.
HEAD = """
#include <cstdint>
#include <cstring>
#ifdef __FLT16_MAX__
typedef _Float16 Half;
#else
typedef __fp16 Half;
#endif
struct Brain {  // the upper half of a float32, rounded to the nearest even one
  uint16_t bits;
  operator float() const {
    uint32_t w = uint32_t(bits) << 16; float f;
    memcpy(&f, &w, 4);
    return f;
  }
  void operator=(float f) {
    uint32_t w; memcpy(&w, &f, 4);
    bits = f != f ? 0x7fc0 : uint16_t((w + 0x7fff + ((w >> 16) & 1)) >> 16);
  }
};
static int64_t count(int i, int *ndims, int64_t **shapes) {
  int64_t n = 1;
  for (int d = 0; d < ndims[i]; ++d) n *= shapes[i][d];
  return n;
}
#define ABI int nparam, void **params, int *ndims, int64_t **shapes, const char **dtypes, \\
  void *stream, void *extra
"""


def elementwise(name, formula, inputs=2):
    """A kernel that calculates ``formula`` of a, b, ... for every dtype; 2 for another one."""
    letters = "abcd"[:inputs]
    take = "".join(f"auto {c} = static_cast<const T *>(p[{i}])[i]; " for i, c in enumerate(letters))
    cases = "".join(
        f'  if (!strcmp(dtypes[0], "{dtype}")) {{ {name}_of<{kind}>(n, params); return 0; }}\n'
        for dtype, kind in TYPES.items()
    )
    return f"""
template <typename T> static void {name}_of(int64_t n, void **p) {{
  T *out = static_cast<T *>(p[{inputs}]);
  for (int64_t i = 0; i < n; ++i) {{ {take}out[i] = {formula}; }}
}}
extern "C" int {name}(ABI) {{
  if (nparam != {inputs + 1}) return 1;
  int64_t n = count({inputs}, ndims, shapes);
{cases}  return 2;
}}
"""


#: The kernels of the library; `rows` says what each is for.
SOURCE = (
    HEAD
    + """
#include <stdexcept>
#include "custom_aot_extra.h"
"""
    + elementwise("my_mul", "a * b")
    + elementwise("my_add", "a + b")
    + """
static const float *f32(void **params, int i) { return static_cast<const float *>(params[i]); }

extern "C" int two_out(ABI) {
  for (int64_t i = 0; i < count(0, ndims, shapes); ++i) {
    float v = f32(params, 0)[i];
    static_cast<float *>(params[1])[i] = 2 * v;
    static_cast<float *>(params[2])[i] = v * v;
  }
  return 0;
}

extern "C" int ret7(ABI) { return 7; }
extern "C" int boom(ABI) { throw std::runtime_error("boom"); }

// "dtype nd" of each input, then whether there is a stream and an extra, into an output of uint8.
extern "C" int describe(ABI) {
  char *text = static_cast<char *>(params[nparam - 1]), *at = text;
  auto say = [&](const char *word) { while (*word) *at++ = *word++; };
  memset(text, ' ', shapes[nparam - 1][0]);
  for (int i = 0; i + 1 < nparam; ++i) {
    const char nd[] = {' ', char('0' + ndims[i]), ';', ' ', 0};
    say(dtypes[i]); say(nd);
  }
  say(stream ? "stream " : "no stream "); say(extra ? "extra" : "no extra");
  return 0;
}

// (x + y).sum(axis): attributes, workspace, and C++ that says what comes out.
struct Reduce : AotKernelData { int64_t axis; bool keep; };
static float calls[4];  // of Init, InferShape, InferType; nparam of the last call

extern "C" int add_reduceInit(int *ndims, int64_t **shapes, const char **, AotExtra *extra) {
  auto *data = new Reduce;
  data->axis = extra->Attr<int64_t>("axis");
  data->keep = extra->Attr<bool>("keep_dim");
  int64_t n = 1;
  for (int d = 0; d < ndims[0]; ++d) n *= shapes[0][d] < 0 ? 0 : shapes[0][d];
  extra->SetWorkSpace({size_t(n) * sizeof(float)});
  extra->SetKernelData(data);
  ++calls[0];
  return 0;
}
extern "C" std::vector<int64_t> add_reduceInferShape(int *, int64_t **shapes, AotExtra *extra) {
  ++calls[1];
  int64_t axis = extra->Attr<int64_t>("axis"), rest = shapes[0][1 - axis];
  if (!extra->Attr<bool>("keep_dim")) return {rest};
  return axis ? std::vector<int64_t>{rest, 1} : std::vector<int64_t>{1, rest};
}
extern "C" TypeId add_reduceInferType(std::vector<TypeId> types, AotExtra *) {
  ++calls[2];
  return types[0];
}
extern "C" int add_reduce(ABI) {
  calls[3] = nparam;
  auto *data = static_cast<Reduce *>(static_cast<AotExtra *>(extra)->KernelData());
  float *out = static_cast<float *>(params[2]), *sums = static_cast<float *>(params[3]);
  int64_t rows = shapes[0][0], columns = shapes[0][1];
  for (int64_t i = 0; i < rows * columns; ++i) sums[i] = f32(params, 0)[i] + f32(params, 1)[i];
  for (int64_t i = 0; i < (data->axis ? rows : columns); ++i) out[i] = 0;
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c) out[data->axis ? r : c] += sums[r * columns + c];
  return 0;
}
extern "C" int calls_of_add_reduce(ABI) { memcpy(params[1], calls, sizeof calls); return 0; }

extern "C" int BadInit(int *, int64_t **, const char **, AotExtra *) { return 5; }
extern "C" int Bad(ABI) { return 0; }
"""
)
INCLUDE = os.path.join(os.path.dirname(toolchain.__file__), os.pardir, "include")


def compiled(source, folder, name="kernels", flags=("-O1",)):
    """The library of a text in C++, in a folder of its own there; made now if it is not there."""
    text = hashlib.sha256(f"{source}{flags}".encode()).hexdigest()[:16]
    path = os.path.join(folder, text, f"lib{name}.so")
    if os.path.exists(path):
        return path
    compiler = toolchain.cxx_compiler()
    if compiler is None:
        pytest.skip("no C++ compiler (sudo apt install g++)")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    written, made = f"{path}.{os.getpid()}.cc", f"{path}.{os.getpid()}"
    with open(written, "w") as file:
        file.write(source)
    command = [compiler.path, "-std=c++17", "-fPIC", "--shared", "-fno-gnu-unique", *flags]
    command += ["-D_GLIBCXX_USE_CXX11_ABI=0", f"-I{INCLUDE}", "-o", made, written]
    subprocess.run(command, check=True)
    os.replace(made, path)
    os.remove(written)
    return path


@pytest.fixture(scope="session")
def library(request):
    """The path of the library of SOURCE."""
    return compiled(SOURCE, str(request.config.cache.mkdir("custom_kernels")))


@pytest.fixture(scope="session")
def make(request):
    """A function ``make(source, name)``: the path of the library of another source."""
    folder = str(request.config.cache.mkdir("custom_kernels"))
    return lambda source, name="kernels": compiled(HEAD + source, folder, name)
