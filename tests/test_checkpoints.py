"""save_checkpoint, load_checkpoint and load_param_into_net, as MindSpore has them."""

import importlib.util
import os
import subprocess
import sys

import checkpoint_cases as cases
import numpy as np
import pytest

import ms_ext as ms
from ms_ext import nn
from ms_ext.engine import errors
from ms_ext.engine.checkpoints import background


def parameter(values, name="x"):
    return ms.Parameter(ms.Tensor(values), name=name)


def two_layers():
    return nn.SequentialCell(nn.Dense(2, 3), nn.Dense(3, 1))


def values_for(net, prefix="", dtype=np.float32):
    names = [p.name for p in net.get_parameters()]
    shapes = [p.shape for p in net.get_parameters()]
    return {
        f"{prefix}{n}": parameter(np.ones(s, dtype)) for n, s in zip(names, shapes, strict=True)
    }


def arrays(loaded):
    return {k: v if isinstance(v, str) else v.asnumpy() for k, v in loaded.items()}


# there and back -----------------------------------------------------------------------------------


def test_n35_a_round_trip(tmp_path):
    """A3.3 N35: keys weight and bias, ([], []), 62 bytes for Dense(2, 1)."""
    file, net, other = str(tmp_path / "dense.ckpt"), nn.Dense(2, 1), nn.Dense(2, 1)
    ms.save_checkpoint(net, file)
    loaded = ms.load_checkpoint(file)
    assert list(loaded) == ["weight", "bias"] and os.path.getsize(file) == 62
    assert ms.load_param_into_net(other, loaded) == ([], [])
    np.testing.assert_array_equal(other.weight.asnumpy(), net.weight.asnumpy())
    np.testing.assert_array_equal(other.bias.asnumpy(), net.bias.asnumpy())


@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
def test_what_comes_back_are_parameters_with_their_names(format, tmp_path):
    file = str(tmp_path / f"x.{format}")
    kept = {name: ms.Tensor(v) for name, v in cases.of_each_dtype().items()}
    ms.save_checkpoint([{"name": n, "data": t} for n, t in kept.items()], file, format=format)
    loaded = ms.load_checkpoint(file, format=format)
    assert cases.same(arrays(loaded), cases.of_each_dtype())
    assert all(type(v) is ms.Parameter and v.requires_grad for v in loaded.values())
    assert [value.name for value in loaded.values()] == list(loaded)


def test_numbers_and_texts_beside_the_parameters(tmp_path):
    file = str(tmp_path / "x.ckpt")
    extra = {"epoch": 3, "rate": 2.5, "done": True, "big": 2**40}
    extra |= {"said": "héllo 世界", "nothing": "", "pair": ms.Tensor([1, 2])}
    ms.save_checkpoint(nn.Dense(2, 1), file, append_dict=extra)
    loaded = arrays(ms.load_checkpoint(file))
    assert cases.same({name: loaded[name] for name in extra}, cases.EXTRA)


def test_lists_dicts_and_what_was_loaded_can_be_saved(tmp_path):
    file, net = str(tmp_path / "x.ckpt"), nn.Dense(2, 1)
    ms.save_checkpoint(net.trainable_params(), file)
    loaded = ms.load_checkpoint(file)
    more = {"said": "hi", "array": np.ones(2), "tensor": ms.Tensor([1, 2])}
    ms.save_checkpoint({**loaded, **more}, file)
    assert list(ms.load_checkpoint(file)) == ["weight", "bias", *more]


def test_a_choice_when_saving_and_when_loading(tmp_path):
    file = str(tmp_path / "x.ckpt")
    ms.save_checkpoint(two_layers(), file, choice_func=lambda name: name.startswith("1."))
    assert list(ms.load_checkpoint(file)) == ["1.weight", "1.bias"]
    assert list(ms.load_checkpoint(file, choice_func=lambda name: "bias" in name)) == ["1.bias"]
    assert list(ms.load_checkpoint(file, filter_prefix="1.w")) == ["1.bias"]
    assert list(ms.load_checkpoint(file, specify_prefix=["1.w", "z"])) == ["1.weight"]
    with pytest.raises(ValueError, match="empty after filter"):
        ms.load_checkpoint(file, choice_func=lambda name: False)


@pytest.mark.parametrize(
    "given, made",
    [("x", "x.ckpt"), ("x.ckpt", "x.ckpt"), ("xckpt", "xckpt"), ("x.CKPT", "x.CKPT.ckpt")],
)
def test_the_suffix(given, made, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ms.save_checkpoint(nn.Dense(2, 1), given)
    assert os.listdir() == [made]


def test_two_parameters_of_one_name_are_told(tmp_path):
    file = str(tmp_path / "x.ckpt")
    with pytest.warns(errors.MsExtWarning, match="only the last of them is saved"):
        ms.save_checkpoint([parameter([1.0], "a"), parameter([2.0], "a")], file)
    assert ms.load_checkpoint(file)["a"].asnumpy() == 2


@pytest.mark.parametrize("way", [True, "thread", "process"])
def test_what_is_saved_in_the_background_are_the_values_of_now(way, tmp_path):
    file, net = str(tmp_path / "x.ckpt"), nn.Dense(2, 1)
    before = np.array(net.weight.asnumpy())
    ms.save_checkpoint(net, file, async_save=way)
    net.weight.set_data(ms.Tensor([[7.0, 7.0]]))
    background.wait()
    assert not ms.async_ckpt_thread_status()
    np.testing.assert_array_equal(ms.load_checkpoint(file)["weight"].asnumpy(), before)


def test_it_is_loaded_in_the_background(tmp_path):
    file, net = str(tmp_path / "x.ckpt"), nn.Dense(2, 1)
    ms.save_checkpoint(net, file)
    assert sorted(ms.load_checkpoint_async(file, nn.Dense(2, 1)).result()) == ["bias", "weight"]
    with pytest.raises(ValueError, match="does not exist"):
        ms.load_checkpoint_async(str(tmp_path / "y.ckpt")).result()


def test_from_one_format_to_the_other(tmp_path):
    file, net = str(tmp_path / "x.ckpt"), nn.Dense(2, 1)
    ms.save_checkpoint(net, file)
    ms.ckpt_to_safetensors(file, name_map={"bias": "b"})
    ms.safetensors_to_ckpt(str(tmp_path / "x.safetensors"), str(tmp_path / "out"))
    assert sorted(ms.load_checkpoint(str(tmp_path / "out" / "x.ckpt"))) == ["b", "weight"]
    with pytest.raises(ValueError, match="must be a .ckpt file"):
        ms.ckpt_to_safetensors(str(tmp_path / "x.safetensors"))


# into a network -----------------------------------------------------------------------------------


def test_names_without_a_value_and_values_without_a_name():
    net = two_layers()
    full = values_for(net)
    assert ms.load_param_into_net(net, full) == ([], [])
    assert ms.load_param_into_net(net, {}) == ([*full], [])
    some = {"0.weight": full["0.weight"], "zz": full["0.bias"]}
    assert ms.load_param_into_net(net, some) == (["0.bias", "1.weight", "1.bias"], ["zz"])
    assert ms.load_param_into_net(net, {"0.weight": "text"}) == ([*full][1:], ["0.weight"])


def test_a_prefix_is_taken_away_unless_strict():
    net = two_layers()
    full = values_for(net)
    behind = values_for(net, "net.")
    assert ms.load_param_into_net(net, behind) == ([], [*behind])
    assert (net[0].weight.asnumpy() == 1).all()
    assert ms.load_param_into_net(net, behind, strict_load=True) == ([*full], [*behind])
    mixed = {("a." if name[0] == "0" else "b.") + name: value for name, value in full.items()}
    assert ms.load_param_into_net(net, mixed) == ([], [*mixed])


def test_another_width_of_type_is_cast_unless_strict():
    net = two_layers()
    halves = values_for(net, dtype=np.float16)
    assert ms.load_param_into_net(net, halves) == ([], [])
    assert net[0].weight.dtype == ms.float32 and (net[0].weight.asnumpy() == 1).all()
    with pytest.raises(RuntimeError, match="should have the same type"):
        ms.load_param_into_net(net, halves, strict_load=True)
    with pytest.raises(RuntimeError, match="should have the same type"):
        ms.load_param_into_net(net, values_for(net, dtype=np.int32))


def test_another_shape_is_refused_but_for_ones_at_the_end():
    net = two_layers()
    with pytest.raises(
        RuntimeError, match=r"shape \(3, 2\) in the argument 'net' and shape \(3, 3\)"
    ):
        ms.load_param_into_net(net, {"0.weight": parameter(np.ones((3, 3), np.float32))})
    longer = {"0.weight": parameter(np.full((3, 2, 1, 1), 5, np.float32))}
    ms.load_param_into_net(net, longer)
    assert net[0].weight.shape == (3, 2) and (net[0].weight.asnumpy() == 5).all()


def test_the_network_does_not_share_memory_with_what_was_loaded():
    net = nn.Dense(2, 1)
    given = {"bias": parameter(np.ones(1, np.float32))}
    ms.load_param_into_net(net, given)
    given["bias"][0] = 5
    assert net.bias.asnumpy() == 1


def test_a_network_is_filled_while_loading(tmp_path):
    file, net = str(tmp_path / "x.ckpt"), nn.Dense(2, 1)
    ms.save_checkpoint({"bias": parameter(np.full(1, 5, np.float32))}, file)
    with pytest.warns(
        errors.MsExtWarning, match="1 parameters in the 'net' are not loaded.*weight"
    ):
        ms.load_checkpoint(file, net)
    assert net.bias.asnumpy() == 5


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_a_network_that_ran_already_takes_the_new_values(mode, tmp_path):
    file, net, x = str(tmp_path / "x.ckpt"), nn.Dense(2, 1), ms.Tensor([[1.0, 1.0]])
    values = {
        "weight": parameter(np.ones((1, 2), np.float32)),
        "bias": parameter(np.ones(1, np.float32)),
    }
    ms.save_checkpoint(values, file)
    ms.set_context(mode=mode)
    try:
        net(x)
        ms.load_checkpoint(file, net)
        assert net(x).asnumpy() == 3
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


# MindSpore itself ---------------------------------------------------------------------------------

THERE = """
import sys
import mindspore as ms, numpy as np
kept = dict(np.load(sys.argv[2]))
for format in ("ckpt", "safetensors"):
    loaded = ms.load_checkpoint(sys.argv[1] + "." + format, format=format)
    for name, value in kept.items():
        found = loaded[name]
        assert str(found.dtype) == str(ms.Tensor(value).dtype), (name, found.dtype)
        assert found.shape == value.shape and (found.asnumpy() == value).all(), name
    if format == "ckpt":
        assert loaded["said"] == "héllo 世界"
print("same")
"""


@pytest.mark.long
@pytest.mark.skipif(not importlib.util.find_spec("mindspore"), reason="MindSpore is not installed")
def test_mindspore_loads_what_was_written_here(tmp_path):
    kept = {name: v for name, v in cases.of_each_dtype().items() if "bfloat16" not in name}
    np.savez(tmp_path / "kept.npz", **kept)
    tensors = {name: ms.Tensor(value) for name, value in cases.of_each_dtype().items()}
    for format in ("ckpt", "safetensors"):
        file = str(tmp_path / f"x.{format}")
        extra = {"said": "héllo 世界"} if format == "ckpt" else None
        ms.save_checkpoint(tensors, file, append_dict=extra, format=format, crc_check=True)
    command = [sys.executable, "-c", THERE, str(tmp_path / "x"), str(tmp_path / "kept.npz")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout.strip() == "same", done.stderr
