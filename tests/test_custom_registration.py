"""CustomRegOp, DataType, custom_info_register, and what an op does with them."""

import json

import numpy as np
import pytest
from custom_kernels import library
from custom_ops import F32, X, Y, value

from ms_ext import Tensor, ops
from ms_ext import dtype as dtypes
from ms_ext.engine.custom.registered import Registered, kinded

FIXTURES = (library,)


def test_what_is_written_down():
    info = ops.CustomRegOp("t").input(0, "x").input(1, "y", "dynamic").output(0, "z")
    info = info.attr("axis", "required", "int", value=0)
    info = info.attr("k", "optional", "bool", default_value="false")
    pair = ops.DataType.F32_Default
    info = info.dtype_format(pair, ("float32", "NCHW"), ops.DataType.None_None).target("CPU")
    assert info.get_op_info() == {
        "op_name": "t",
        "inputs": [
            {"index": 0, "name": "x", "paramType": "required"},
            {"index": 1, "name": "y", "paramType": "dynamic"},
        ],
        "outputs": [{"index": 0, "name": "z", "paramType": "required"}],
        "attr": [
            {"name": "axis", "paramType": "required", "type": "int", "value": 0},
            {"name": "k", "paramType": "optional", "type": "bool", "defaultValue": "false"},
        ],
        "fusion_type": "",
        "dtype_format": [(("float32", "DefaultFormat"), ("float32", "NCHW"), ("", ""))],
        "target": "CPU",
    }
    bare = ops.CustomRegOp().get_op_info()
    assert (bare["op_name"], bare["target"]) == ("Custom", "UnKnown")


REFUSED = {
    "name": (lambda: ops.CustomRegOp(3), ValueError, "op name value must be string"),
    "index": (lambda: ops.CustomRegOp("a").input("0", "x"), TypeError, "0 value must be int"),
    "input": (lambda: ops.CustomRegOp("a").input(0, 3), TypeError, "3 value must be str"),
    "attr": (lambda: ops.CustomRegOp("a").attr(3), TypeError, "3 value must be str"),
    "default": (lambda: ops.CustomRegOp("a").attr("b", default_value=False), TypeError,
                "False value must be str"),
    "count": (lambda: ops.CustomRegOp("a").dtype_format("x"), ValueError,
              "The size of 'args' must be equal to the sum of input tensors and output tensors, "
              "but got 1 vs 0"),
    "pair": (lambda: ops.CustomRegOp("a").input(0, "x").dtype_format("x"), ValueError,
             "dtype and format value must be tuple of two or three elements"),
    "target": (lambda: ops.CustomRegOp("a").target(3), TypeError, "3 value must be str"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_mindspore_refuses_is_refused_in_its_words(case):
    wrong, kind, words = REFUSED[case]
    with pytest.raises(kind) as error:
        wrong()
    assert words in str(error.value)


def registered(*rows, inputs=1):
    info = ops.CustomRegOp("f")
    for place in range(inputs):
        info = info.input(place, f"x{place}")
    info = info.output(0, "y")
    for row in rows:
        info = info.dtype_format(*[(dtype, "DefaultFormat") for dtype in row])
    return info.target("CPU").get_op_info()


def test_a_target_is_needed():
    info = ops.CustomRegOp("f").input(0, "x").output(0, "y").get_op_info()
    with pytest.raises(
        ValueError, match=r"must be one of \['Ascend', 'GPU', 'CPU'\], but got None"
    ):
        ops.Custom("./f.so:f", (2,), F32, "aot", reg_info=info)


#: (registered, given) -> what MindSpore's kernel gets; every other pair of two dtypes is refused.
CAST = {
    ("int32", "int16"), ("int32", "int64"), ("float32", "float16"), ("float32", "float64"),
}  # fmt: skip


@pytest.mark.parametrize("known", [t.public.removesuffix("_") for t in dtypes.DTYPES])
def test_which_dtypes_are_cast(known):
    info = Registered(registered((known, known)), "f.so:f")
    for given in [t.public.removesuffix("_") for t in dtypes.DTYPES]:
        if given == known or (known, given) in CAST:
            assert info.row((given,)) == ((known,), (known,))
        else:
            with pytest.raises(TypeError, match="Kernel select failed"):
                info.row((given,))


ROWS = ("float32",) * 3, ("float64",) * 3, ("int64", "float32", "float32")
CHOSEN = {
    ("float16", "float16"): ("float32", "float32"),
    ("float64", "float64"): ("float64", "float64"),
    ("float32", "float64"): ("float32", "float32"),
    ("float64", "float32"): ("float32", "float32"),
    ("int64", "float16"): ("int64", "float32"),
}


@pytest.mark.parametrize("given", CHOSEN)
def test_which_row_is_chosen(given):
    info = Registered(registered(*ROWS, inputs=2), "f.so:f")
    assert info.row(given)[0] == CHOSEN[given]


def test_no_row_fits():
    info = Registered(registered(*ROWS, inputs=2), "f.so:f")
    words = r"supported data types are input\[Float32 Float32\], output\[Float32\]"
    with pytest.raises(TypeError, match=words):
        info.row(("int32", "float32"))


@pytest.mark.parametrize("form", [dict, json.dumps], ids=["dict", "json"])
def test_reg_info_is_a_dict_or_its_json(form, library):
    info = form(registered(("float32",) * 3, inputs=2))
    op = ops.Custom(f"{library}:my_mul", lambda x, y: x, lambda x, y: x, "aot", reg_info=info)
    for _ in range(2):
        product = op(Tensor(X, dtypes.float64), Tensor(Y, dtypes.float64))
        assert (product.dtype, value(product)) == (dtypes.float64, (X * Y).tolist())


def test_reg_info_that_is_neither():
    with pytest.raises(ValueError, match="'reg_info' is no JSON"):
        ops.Custom("./f.so:f", (2,), F32, "aot", reg_info="{")
    with pytest.raises(TypeError, match="'reg_info' must be a dict or a JSON text"):
        ops.Custom("./f.so:f", (2,), F32, "aot", reg_info=3)


def test_kinds_of_attributes():
    assert kinded("s") == (3, "s")
    assert kinded([[1.0], [2]]) == (7, [[1.0], [2]])
    with pytest.raises(TypeError, match="'z' has a type that no kernel can read"):
        kinded(np.zeros(2), "z")
    info = ops.CustomRegOp("f").attr("f", "required", "float", value=2)
    info = info.attr("d", "optional", "listInt", default_value="[1, 2]").target("CPU")
    found = Registered(info.get_op_info(), "f.so:f").attributes
    assert found == {"f": (2, 2.0), "d": (4, [1, 2])}
    info = ops.CustomRegOp("f").attr("f", "required", "int", value="x").target("CPU")
    with pytest.raises(TypeError, match="the attribute 'f' is registered as 'int'"):
        Registered(info.get_op_info(), "f.so:f")


def test_a_function_gets_its_registration():
    info = registered(("float32",) * 2)

    @ops.custom_info_register(info)
    def f(x):
        return x

    assert f.reg_info == (info,) and f(3) == 3
