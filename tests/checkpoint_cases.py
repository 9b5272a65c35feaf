"""What the files in golden/checkpoints hold, and hostile ones made of their parts."""

import json
from pathlib import Path

import numpy as np

from ms_ext.engine.checkpoints import message

FOLDER = Path(__file__).parent / "golden" / "checkpoints"
DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "float16", "float32", "float64")
DENSE = {
    "weight": np.array([[0.5, -2.0]], np.float32),
    "bias": np.array([0.25], np.float32),
}
NUMBERS = {
    "epoch": np.array(3),
    "rate": np.array(2.5, np.float32),
    "done": np.array(True),
    "big": np.array(2**40),
}
EXTRA = {**NUMBERS, "said": "héllo 世界", "nothing": "", "pair": np.array([1, 2])}


def of_each_dtype():
    """What dtypes.ckpt holds; bfloat16 where ml_dtypes is installed, as it is in the tests."""
    import ml_dtypes

    types = {**{name: name for name in DTYPES}, "bfloat16": ml_dtypes.bfloat16}
    shapes = {"number": (), "vector": (1,), "matrix": (2, 3)}
    return {
        f"{'bool_' if name == 'bool' else name}.{form}": (np.ones(shape) * 3).astype(kind)
        for name, kind in types.items()
        for form, shape in shapes.items()
    }


def contents():
    """file name -> its entries."""
    dtypes = of_each_dtype()
    return {
        "dense.ckpt": DENSE,
        "crc.ckpt": DENSE,
        "appended.ckpt": {**DENSE, **EXTRA},
        "dtypes.ckpt": dtypes,
        "unicode.ckpt": {"层.权重": np.array([1.0], np.float32)},
        "sliced.ckpt": {"w": np.arange(600, dtype=np.float32)},
        "dense.safetensors": DENSE,
        "crc.safetensors": {**DENSE, "epoch": np.array(3), "big": np.array(2**20)},
        "dtypes.safetensors": {**dtypes, "empty": np.ones((0, 2))},
    }


def same(one, other):
    """Whether entries are the same, types and shapes included."""
    return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)


def _same(one, other):
    if isinstance(one, str) or isinstance(other, str):
        return type(one) is type(other) and one == other
    return (
        one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    )


# hostile files ------------------------------------------------------------------------------------

FOUR = np.arange(4, dtype=np.float32).tobytes()


def value(tag="a", kind="Float32", dims=(4,), content=FOUR):
    """One value of a checkpoint, whatever it says, as bytes of the file."""
    Checkpoint, _ = message.classes()
    made = Checkpoint()
    one = made.value.add(tag=tag)
    one.tensor.tensor_type, one.tensor.tensor_content = kind, content
    one.tensor.dims.extend(dims)
    return made.SerializeToString()


def hostile_checkpoints():
    """name -> bytes that are no good checkpoint."""
    good = value()
    return {
        "cut off": good[:-3],
        "cut off in a length": b"\x0a\x80",
        "a length without an end": b"\x0a" + b"\xff" * 12,
        "a length beyond the file": b"\x0a\xff\xff\xff\xff\x07" + good,
        "a length of 2 to the 62": b"\x0a" + b"\xff" * 8 + b"\x3f" + good,
        "a zip file": b"PK\x03\x04" + bytes(50),
        "a pickle": b"\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00\x8c\x05posix\x94.",
        "an old torch file": b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.",
        "text": b"weight: 1.0\n",
        "zeros": bytes(64),
        "an unknown field": good + b"\x50\x01",
        "no tensor": b"\x0a\x03\x0a\x01a",
        "no tag": b"\x0a\x04\x12\x02\x12\x00",
        "a tag that is no text": b"\x0a\x10\x0a\x02\xff\xfe\x12\x0a\x12\x07Float32\x1a\x00",
        "an unknown type": value(kind="Complex64"),
        "a type that is not here": value(kind="UInt16", dims=(8,)),
        "no type": value(kind=""),
        "too few bytes": value(dims=(5,)),
        "too many bytes": value(dims=(3,)),
        "a negative size": value(dims=(-4,)),
        "two negative sizes": value(dims=(-2, -2)),
        "a huge size": value(dims=(2**40,)),
        "sizes that overflow": value(dims=(2**62, 8)),
        "sizes that overflow to 4": value(dims=(2**62, 4, 2**62, 4)),
        "nine axes": value(dims=(1,) * 8 + (4,)),
        "very many axes": value(dims=(1,) * 100_000),
        "the same name twice": good + value("b") + good,
        "slices with too much": good + good,
        "slices of two shapes": value(content=FOUR[:8]) + value(dims=(2, 2), content=FOUR[8:]),
        "slices of two types": value(content=FOUR[:8]) + value(kind="Int32", content=FOUR[8:]),
        "half a letter": value(kind="str", dims=(0,), content=b"abc"),
        "a letter beyond all": value(kind="str", dims=(0,), content=b"\xff\xff\xff\xff"),
    }


def safetensors(header, data=b"", length=None):
    """A file with a header, whatever it says."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return (len(text) if length is None else length).to_bytes(8, "little") + text + data


def _one(**changed):
    return {"a": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16], **changed}}


def hostile_safetensors():
    """name -> bytes that are no good safetensors file."""
    twice = json.dumps(_one())[:-1] + ", " + json.dumps(_one())[1:]
    return {
        "nothing": b"",
        "three bytes": b"abc",
        "a length beyond the file": safetensors({}, length=2**40),
        "the greatest length": safetensors({}, length=2**64 - 1),
        "a header that is no JSON": safetensors(b"hello"),
        "a header that is no text": safetensors(b"\xff\xfe{}"),
        "a header of brackets": safetensors(b"[" * 100_000),
        "a list": safetensors([1]),
        "a number with many digits": safetensors(b'{"a": ' + b"9" * 10_000 + b"}"),
        "bytes that are not there": safetensors(_one(data_offsets=[0, 20]), FOUR),
        "bytes that nobody has": safetensors(_one(shape=[2], data_offsets=[0, 8]), FOUR),
        "a gap": safetensors(_one(shape=[2], data_offsets=[8, 16]), FOUR),
        "an end before its begin": safetensors(_one(data_offsets=[16, 0]), FOUR),
        "a negative offset": safetensors(_one(data_offsets=[-16, 0]), FOUR),
        "offsets that are no numbers": safetensors(_one(data_offsets=[0.0, 16.0]), FOUR),
        "three offsets": safetensors(_one(data_offsets=[0, 8, 16]), FOUR),
        "another shape": safetensors(_one(shape=[5]), FOUR),
        "a negative size": safetensors(_one(shape=[-4]), FOUR),
        "a size that is True": safetensors(_one(shape=[True, 4]), FOUR),
        "a huge size": safetensors(_one(shape=[2**62, 2**62]), FOUR),
        "nine axes": safetensors(_one(shape=[1] * 8 + [4]), FOUR),
        "an unknown type": safetensors(_one(dtype="Q"), FOUR),
        "a type that is a list": safetensors(_one(dtype=["F32"]), FOUR),
        "a type that is not here": safetensors(_one(dtype="F8_E4M3", shape=[16]), FOUR),
        "no shape": safetensors({"a": {"dtype": "F32", "data_offsets": [0, 16]}}, FOUR),
        "the same name twice": safetensors(twice.encode(), FOUR),
        "two in one place": safetensors({**_one(), "b": _one()["a"]}, FOUR),
    }
