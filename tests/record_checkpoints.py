"""Write tests/golden/checkpoints anew: python tests/record_checkpoints.py, with MindSpore 2.10.

The files are MindSpore's own; tests/checkpoint_cases.py says what is in them.
"""

import os
from pathlib import Path

import mindspore as ms
import numpy as np
from mindspore import nn
from mindspore.train import serialization

HERE = Path(__file__).parent / "golden" / "checkpoints"
DTYPES = ("bool_", "int8", "int16", "int32", "int64", "uint8")
DTYPES += ("float16", "float32", "float64", "bfloat16")


def dense():
    """Dense(2, 1) with known weights."""
    net = nn.Dense(2, 1)
    net.weight.set_data(ms.Tensor([[0.5, -2.0]], ms.float32))
    net.bias.set_data(ms.Tensor([0.25], ms.float32))
    return net


def of_each_dtype():
    """A number, a vector and a matrix of each dtype."""
    shapes = {"number": (), "vector": (1,), "matrix": (2, 3)}
    return [
        {"name": f"{name}.{form}", "data": ms.Tensor(np.ones(shape) * 3, getattr(ms, name))}
        for name in DTYPES
        for form, shape in shapes.items()
    ]


def write(name, what, **options):
    """One file; MindSpore leaves it without the right to write."""
    path = HERE / name
    path.unlink(missing_ok=True)
    ms.save_checkpoint(what, str(path), format=path.suffix[1:], **options)
    os.chmod(path, 0o644)


def main():
    """All files."""
    HERE.mkdir(exist_ok=True)
    numbers = {"epoch": 3, "rate": 2.5, "done": True, "big": 2**40}
    extra = {**numbers, "said": "héllo 世界", "nothing": "", "pair": ms.Tensor([1, 2])}
    write("dense.ckpt", dense())
    write("crc.ckpt", dense(), crc_check=True)
    write("appended.ckpt", dense(), append_dict=extra)
    write("dtypes.ckpt", of_each_dtype())
    write("unicode.ckpt", [{"name": "层.权重", "data": ms.Tensor([1.0])}])
    serialization.SLICE_SIZE = 1  # KB
    write("sliced.ckpt", [{"name": "w", "data": ms.Tensor(np.arange(600, dtype=np.float32))}])
    serialization.SLICE_SIZE = 512 * 1024
    net = dense()
    momentum = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    trained = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), momentum)
    trained(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[1.0]]))
    write("momentum.ckpt", trained)
    write("dense.safetensors", dense())
    write("crc.safetensors", dense(), crc_check=True, append_dict={"epoch": 3, "big": 2**20})
    empty = {"name": "empty", "data": ms.Tensor(np.ones((0, 2)))}
    write("dtypes.safetensors", [*of_each_dtype(), empty])


if __name__ == "__main__":
    main()
