"""MindSpore's tutorial pages about C++ operators: their sources as they are, what they print.

op_customopbuilder: row 1 of test_extension_rows. op_customopbuilder_function: here, built for
backend="Ascend" as on the page; aclnnMul is the one of the device library that stands for it.
"""

import subprocess

import pytest
from extension_modules import KEPT, SOURCES, needs_compiler, needs_pybind11

import ms_ext as ms
from ms_ext import Parameter, Tensor, engine, nn
from ms_ext.engine.custom.builder import flags, headers
from ms_ext.ops import CustomOpBuilder

pytestmark = [pytest.mark.long, needs_compiler, needs_pybind11]

OLDER = """
#include "ms_extension/all.h"
#include "include/pynative/backward/function.h"
namespace mindspore {
namespace autograd {
class Same : public Function<Same> {
 public:
  static BaseTensorPtr Forward(AutogradContext *ctx, const BaseTensorPtr &x) {
    if (x->DataSize() == 0) MS_EXCEPTION(ValueError) << "empty " << x->shape() << x->data_type();
    return std::make_shared<BaseTensor>(x->data_type(), ShapeVector(x->shape()));
  }
  static BaseTensorPtrList Backward(AutogradContext *ctx, BaseTensorPtrList g) { return g; }
};
BaseTensorPtr run(const tensor::BaseTensorPtr &x) { return Same::Apply(x); }
}  // namespace autograd
}  // namespace mindspore
"""


class MyNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.p = Parameter(2.0, requires_grad=True)
        self.my_ops = CustomOpBuilder(
            "my_ops",
            [str(SOURCES / "tutorial_function.cpp")],
            backend="Ascend",
            build_dir=str(KEPT / "tutorial_function"),
        ).load()

    def construct(self, x, y):
        z = self.my_ops.mul(x, y)
        return self.my_ops.mul(z, self.p)


@pytest.mark.filterwarnings("ignore:backend='Ascend'")
def test_forward_and_backward_operators_with_the_function_interface(capsys):
    x = Tensor(1.0, ms.float32) * 2
    y = Tensor(1.0, ms.float32) * 3
    net = MyNet()
    grad_op = ms.value_and_grad(net, grad_position=(0, 1), weights=net.trainable_params())
    out, grads = grad_op(x, y)
    capsys.readouterr()
    print("out:", out)
    print("grads[0]:", grads[0])
    print("grads[1]:", grads[1])
    assert capsys.readouterr().out == (
        "out: 12.0\n"
        "grads[0]: (Tensor(shape=[], dtype=Float32, value= 6), "
        "Tensor(shape=[], dtype=Float32, value= 4))\n"
        "grads[1]: (Tensor(shape=[], dtype=Float32, value= 6),)\n"
    )


def test_names_of_older_releases():
    folders = [flags.INCLUDE, headers.pybind11(), engine.toolchain.python_headers()]
    command = [engine.toolchain.cxx_compiler().path, "-std=c++17", "-Wall", "-Werror"]
    command += [*(f"-I{folder}" for folder in folders), "-fsyntax-only", "-x", "c++", "-"]
    subprocess.run(command, input=OLDER, text=True, check=True)
