"""What a kernel gets of its ``reg_info`` and of ``add_prim_attr``: attributes, cast inputs."""

import json

import numpy as np
import pytest
from custom_kernels import make
from custom_ops import X, value
from custom_rows import MODES, said

from ms_ext import Tensor, ops
from ms_ext import dtype as dtypes
from ms_ext.ops import CustomRegOp, DataType

FIXTURES = (make,)

#: A kernel that writes down every attribute it is given, as numbers, and how long the text is.
TELLING = """
#include <vector>
#include "custom_aot_extra.h"
extern "C" int tell(ABI) {
  auto *e = static_cast<AotExtra *>(extra);
  float *out = static_cast<float *>(params[nparam - 1]), *at = out;
  *at++ = e->HasAttr("absent");
  *at++ = e->Attr<bool>("yes");
  *at++ = e->Attr<int64_t>("three");
  *at++ = e->Attr<float>("half");
  *at++ = e->Attr<std::string>("word").size();
  for (auto v : e->Attr<std::vector<int64_t>>("whole")) *at++ = v;
  for (auto v : e->Attr<std::vector<float>>("parts")) *at++ = v;
  for (auto &row : e->Attr<std::vector<std::vector<int64_t>>>("table"))
    for (auto v : row) *at++ = v;
  for (auto &row : e->Attr<std::vector<std::vector<float>>>("parted"))
    for (auto v : row) *at++ = v;
  return 0;
}
"""
GIVEN = {
    "yes": ("bool", True),
    "three": ("int", 3),
    "half": ("float", 0.5),
    "word": ("str", "seven77"),
    "whole": ("listInt", [1, 2]),
    "parts": ("listFloat", [1.5, 2]),
    "table": ("listListInt", [[1, 2], [3]]),
    "parted": ("listListFloat", [[0.5], [2, 3]]),
}
TOLD = [0, 1, 3, 0.5, 7, 1, 2, 1.5, 2, 1, 2, 3, 0.5, 2, 3]


def registered(**types):
    made = CustomRegOp("tell").input(0, "x").output(0, "y").target("CPU")
    for name, (word, given) in GIVEN.items():
        made = made.attr(name, "required", types.get(name, word), value=given)
    return made.get_op_info()


def telling(make, reg_info):
    path = make(TELLING, "telling")
    return ops.Custom(f"{path}:tell", (len(TOLD),), dtypes.float32, "aot", reg_info=reg_info)


@pytest.mark.parametrize("mode", ["eager", "jit"])
@pytest.mark.parametrize("form", ["dict", "text", "all", "attributes"])
def test_a_kernel_reads_every_kind_of_attribute(form, mode, make):
    info = registered(**dict.fromkeys(GIVEN, "all")) if form == "all" else registered()
    if form == "attributes":
        op = telling(make, None)
        for name, (_, given) in GIVEN.items():
            op.add_prim_attr(name, given)
    else:
        op = telling(make, json.dumps(info) if form == "text" else info)
    assert value(MODES[mode](lambda x: op(x), Tensor(X))) == TOLD


def test_a_whole_number_is_a_float_where_it_is_registered_as_one(make):
    info = registered()
    next(a for a in info["attr"] if a["name"] == "half")["value"] = 2
    next(a for a in info["attr"] if a["name"] == "parts")["value"] = [4, 5]
    told = value(telling(make, info)(Tensor(X)))
    assert [told[3], *told[7:9]] == [2, 4, 5]


WRONG = {
    "a text for a number": ("three", "int", "3", "is registered as 'int'"),
    "a float for a whole number": ("three", "int", 0.5, "is registered as 'int'"),
    "an object": ("three", "all", object(), "has a type that no kernel can read"),
    "texts in a list": ("whole", "listInt", ["a"], "has a type that no kernel can read"),
}


@pytest.mark.parametrize("case", WRONG)
def test_an_attribute_of_another_type_is_refused_when_the_op_is_made(case):
    name, word, given, words = WRONG[case]
    made = CustomRegOp("f").input(0, "x").output(0, "y").target("CPU")
    info = made.attr(name, "required", word, value=given).get_op_info()
    text = said(TypeError, lambda: ops.Custom("f.so:f", (1,), dtypes.float32, "aot", reg_info=info))
    assert words in text and name in text


def test_two_ops_of_one_kernel_have_each_their_own_attributes(make):
    made = []
    for half in (0.25, 0.75):
        info = registered()
        next(a for a in info["attr"] if a["name"] == "half")["value"] = half
        made.append(telling(make, info))
    assert [value(op(Tensor(X)))[3] for op in made * 2] == [0.25, 0.75, 0.25, 0.75]


def test_an_attribute_that_the_kernel_misses_is_told(make):
    op = telling(make, {**registered(), "attr": registered()["attr"][:3]})
    assert "word" in said(RuntimeError, lambda: op(Tensor(X)))


# casts --------------------------------------------------------------------------------------------

#: Adds 1 to float32 and 2 to int32, and knows no other dtype.
ADDING = """
extern "C" int add_some(ABI) {
  int64_t n = count(0, ndims, shapes);
  for (int64_t i = 0; i < n; ++i) {
    if (!strcmp(dtypes[0], "float32") && !strcmp(dtypes[1], "float32"))
      static_cast<float *>(params[1])[i] = static_cast<float *>(params[0])[i] + 1;
    else if (!strcmp(dtypes[0], "int32") && !strcmp(dtypes[1], "int32"))
      static_cast<int32_t *>(params[1])[i] = static_cast<int32_t *>(params[0])[i] + 2;
    else return 1;
  }
  return 0;
}
"""
CASTS = {"float32": 1, "float64": 1, "float16": 1, "int32": 2, "int64": 2, "int16": 2}


def like(x):
    return x


def adding(make):
    info = CustomRegOp("add_some").input(0, "x").output(0, "y").target("CPU")
    info = info.dtype_format(DataType.F32_Default, DataType.F32_Default)
    info = info.dtype_format(DataType.I32_Default, DataType.I32_Default).get_op_info()
    return ops.Custom(f"{make(ADDING, 'adding')}:add_some", like, like, "aot", reg_info=info)


@pytest.mark.parametrize("mode", ["eager", "jit"])
@pytest.mark.parametrize("dtype", CASTS)
def test_a_kernel_gets_the_nearest_dtype_that_it_is_registered_for(dtype, mode, make):
    op, x = adding(make), Tensor(np.array([[1, 2], [3, 4]], dtype))
    found = MODES[mode](lambda x: op(x), x)
    assert str(found.dtype).lower() == dtype
    assert value(found) == (np.array([[1, 2], [3, 4]]) + CASTS[dtype]).tolist()


@pytest.mark.parametrize("dtype", ["int8", "uint8", "bool", "bfloat16"])
def test_other_dtypes_are_refused_with_those_that_there_are(dtype, make):
    x = Tensor(X).astype(dtypes.named(dtype))
    text = said(TypeError, lambda: adding(make)(x).asnumpy())
    assert "Kernel select failed" in text and "Unsupported data type!" in text
    assert "input[Float32], output[Float32], input[Int32], output[Int32]" in text


def test_a_library_in_a_folder_below_the_white_list_is_taken(make, monkeypatch, tmp_path):
    path = make(ADDING, "adding")
    monkeypatch.setenv("MS_CUSTOM_AOT_WHITE_LIST", str(tmp_path))
    refused = ops.Custom(f"{path}:add_some", like, like, "aot")
    assert "the legal path for the file is" in said(TypeError, lambda: refused(Tensor(X)).asnumpy())
    below = tmp_path / "below" / "adding.so"
    below.parent.mkdir()
    with open(path, "rb") as library:
        below.write_bytes(library.read())
    op = ops.Custom(f"{below}:add_some", like, like, "aot")
    assert value(op(Tensor(X))) == (X + 1).tolist()
