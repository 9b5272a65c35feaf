"""Frames between the judge and a learner's process: whole in, whole out; garbage is refused."""

import io
import json

import numpy as np
import pytest

from ms_ext import dtype as dtypes
from ms_ext.grading import wire


def sent(data):
    return wire.read(io.BytesIO(wire.encode(data)))


def frame(header, body=b""):
    header = header if isinstance(header, bytes) else json.dumps(header).encode()
    return io.BytesIO(wire.HEAD.pack(len(header), len(body)) + header + body)


def array(kind, shape):
    return {wire.ARRAY: [kind, shape]}


@pytest.mark.parametrize("kind", sorted(wire.KINDS))
@pytest.mark.parametrize("shape", [(), (0, 3), (5,), (2, 3)])
def test_arrays_of_every_kind(kind, shape):
    given = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(wire.numpy_dtype(kind))
    got = sent({"a": given})["a"]
    assert got.dtype == given.dtype and got.shape == given.shape
    assert got.tobytes() == given.tobytes()


def test_every_dtype_of_a_tensor_can_be_sent():
    assert {kind.public for kind in dtypes.DTYPES} <= {*wire.KINDS, "bool_"} | {"bool"}


def test_nested_data():
    given = {"x": [1, (2.5, "words", None, True)], "y": {"z": []}}
    assert sent(given) == given
    assert sent((float("inf"), -0.0)) == (float("inf"), -0.0)


def test_views_are_sent_whole():
    given = np.arange(12).reshape(3, 4)
    np.testing.assert_array_equal(sent({"a": given.T[::2]})["a"], given.T[::2])


def test_bytes_in_another_order_arrive_in_ours():
    got = sent(np.arange(3, dtype=">i4"))
    assert got.dtype == np.dtype("i4") and got.tolist() == [0, 1, 2]


class Reducing:
    """Would run code if it were unpickled."""

    def __reduce__(self):
        return (print, ("unpickled",))


@pytest.mark.parametrize("thing", [Reducing(), object(), {1, 2}, b"bytes", print, 1j])
def test_only_the_kind_of_other_things_crosses(thing):
    got = sent({"a": [thing]})["a"][0]
    assert isinstance(got, wire.Other) and got.kind == type(thing).__name__


@pytest.mark.parametrize("made", [np.array([None]), np.array(["a"]), np.zeros(2, "M8[s]")])
def test_arrays_of_other_kinds_do_not_cross(made):
    assert isinstance(sent(made), wire.Other)


def test_what_is_nested_too_deeply_does_not_cross():
    deep = []
    for _ in range(100):
        deep = [deep]
    assert "deep" in repr(sent(deep))


GARBAGE = {
    "nothing": io.BytesIO(),
    "half a head": io.BytesIO(b"\1\0"),
    "a head alone": io.BytesIO(wire.HEAD.pack(5, 0)),
    "absurd lengths": io.BytesIO(wire.HEAD.pack(2**32 - 1, 2**32 - 1)),
    "no JSON": frame(b"{nope"),
    "no text": frame(b"\xff\xfe"),
    "deep JSON": frame(b"[" * 100_000 + b"]" * 100_000),
    "a huge number": frame(b"1" * 100_000),
    "deep lists": frame(b"[" * 60 + b"]" * 60),
    "an unknown dtype": frame(array("object", [1]), b"12345678"),
    "a dtype that is no word": frame(array(["f4"], [1]), b"1234"),
    "no shape": frame(array("int8", 3), b"123"),
    "a shape of words": frame(array("int8", ["3"]), b"123"),
    "a negative size": frame(array("int8", [-1])),
    "a shape of truths": frame(array("int8", [True]), b"1"),
    "a size that is no whole number": frame(array("int8", [1.0]), b"1"),
    "a size beyond measure": frame(array("int8", [2**39, 2**39]), b"1"),
    "an empty array beyond measure": frame(array("float64", [0, 1 << 39, 1 << 39])),
    "too many dimensions": frame(array("int8", [1] * 40), b"1"),
    "too few bytes": frame(array("int64", [2]), b"12345678"),
    "too many bytes": frame(array("int8", [1]), b"12"),
    "bytes of nothing": frame({}, b"12"),
}


@pytest.mark.parametrize("what", GARBAGE)
def test_garbage_is_refused(what):
    GARBAGE[what].seek(0)
    with pytest.raises(wire.Garbled):
        wire.read(GARBAGE[what])


def test_a_frame_over_the_limit_is_refused_before_it_is_read():
    stream = io.BytesIO(wire.encode(np.zeros(1000)))
    with pytest.raises(wire.Garbled, match="100 are allowed"):
        wire.read(stream, limit=100)
    assert stream.tell() == wire.HEAD.size


def test_random_bytes_never_do_anything_else():
    rng = np.random.default_rng(0)
    whole = wire.encode({"a": [np.arange(3), "words"], "b": (1, 2)})
    for _ in range(2000):
        broken = bytearray(whole)
        for at in rng.integers(len(whole), size=rng.integers(1, 5)):
            broken[at] = rng.integers(256)
        try:
            wire.read(io.BytesIO(bytes(broken)))
        except wire.Garbled:
            pass
