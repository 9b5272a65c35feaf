"""The Python snippets of two articles on custom operators, as they are printed.

003 is the one on func_type and bprop, 002 the one on a fused attention. Line breaks that the print
lost are put back; nothing else is changed.
"""

#: 003, 4.3
REGISTER = """
import numpy as np
import mindspore as ms
import mindspore.ops as ops
import mindspore.common.dtype as mstype
from mindspore.ops import Custom

def my_mul_out_shape(x, y):
    return x.shape

def my_mul_out_dtype(x, y):
    return x.dtype

def my_mul_bprop(x, y, out, dout):
    dx = dout * y
    dy = dout * x
    return dx, dy

my_mul_op = Custom(
    func="my_mul",
    out_shape=my_mul_out_shape,
    out_dtype=my_mul_out_dtype,
    func_type="aot",
    bprop=my_mul_bprop
)
"""
#: 003, 4.4
VERIFY = """
import mindspore as ms
import mindspore.ops as ops
import numpy as np

x = ms.Tensor(np.array([[1.0, 2.0], [3.0, 4.0]]), ms.float16)
y = ms.Tensor(np.array([[5.0, 6.0], [7.0, 8.0]]), ms.float16)

# 前向验证
out = my_mul_op(x, y)
print(out)

# 反向验证
grad_fn = ms.grad(my_mul_op, grad_position=(0, 1))
dx, dy = grad_fn(x, y)
print(dx)
print(dy)
"""
#: 003, 3.1
BPROP = """
def my_mul_bprop(x, y, out, dout):
    # x, y: 前向输入
    # out: 前向输出
    # dout: 输出梯度
    dx = dout * y
    dy = dout * x
    return dx, dy
"""
#: 003, 3.3: its own derivation below it says dout2 * 2.0 * x
TWO_RESULTS = """
def multi_out_bprop(x, out1, out2, dout1, dout2):
    dx = dout1 * 2.0 + dout2 * x
    return (dx,)
"""
TWO_RESULTS_AS_DERIVED = TWO_RESULTS.replace("dout2 * x", "dout2 * 2.0 * x")
#: 003, 4.1: for another machine; the first lines and the entry
DEVICE_KERNEL = """
#include "kernel_operator.h"
using namespace AscendC;
constexpr int32_t BUFFER_NUM = 2;
extern "C" __global__ __aicore__ void my_mul(GM_ADDR x, GM_ADDR y, GM_ADDR out) {
    uint32_t totalLength = GetTensorNum();
}
"""
#: 002, 2.1 and 2.2
AHEAD = 'op = Custom("./attention_fused.so", out_shape=..., out_dtype=..., func_type="aot")'
TEXT = 'op = Custom("cce code string", ..., func_type="hybrid") # 实际不推荐用于 Ascend C'
#: 002, 4.1
ATTENTION = """
# attention_op.py
from mindspore.ops import Custom
import mindspore as ms

def fused_attention(x, wq, wk, wv, wo, bq, mask=None):
    B, S, H = x.shape
    head_dim = H // num_heads # 假设全局变量
    op = Custom(
        "./attention_fused.so",
        out_shape=lambda *args: args[0].shape,
        out_dtype=lambda *args: args[0].dtype,
        func_type="aot",
        reg_format="ND"
    )
    if mask is None:
        return op(x, wq, wk, wv, wo, bq, ms.Tensor([], dtype=ms.float16))
    else:
        return op(x, wq, wk, wv, wo, bq, mask)
"""
#: 002, 4.2: the dots of the call are the other operands, and NumPy stands for torch
COMPARE = """
# test_attention.py
import numpy as np

# 构造相同输入
x_np = np.random.randn(1, 128, 512).astype(np.float16)
w_np = np.random.randn(512, 512).astype(np.float16)

# MindSpore
ms.set_context(device_target="Ascend")
x_ms = ms.Tensor(x_np)
y_ms = fused_attention(x_ms, *others).asnumpy()
"""
