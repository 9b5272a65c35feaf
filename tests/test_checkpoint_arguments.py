"""What save_checkpoint and its kin refuse, with MindSpore's kind of error and one clear text."""

import os

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import nn
from ms_ext.engine import errors


def parameter(values, name="x"):
    return ms.Parameter(ms.Tensor(values), name=name)


def refused_when_saving(net):
    return [
        (TypeError, "must be nn.Cell, list or dict", (3, "x.ckpt"), {}),
        (TypeError, "must be string", (net, 3), {}),
        (ValueError, "'safetensors' or 'ckpt'", (net, "x"), {"format": "npz"}),
        (TypeError, "must be a bool", (net, "x"), {"integrated_save": 1}),
        (TypeError, "must be bool or str", (net, "x"), {"async_save": 3}),
        (ValueError, "'process' or 'thread'", (net, "x"), {"async_save": "x"}),
        (TypeError, "must be dict", (net, "x"), {"append_dict": [1]}),
        (TypeError, "must be key: string", (net, "x"), {"append_dict": {"a": [1]}}),
        (TypeError, "must be key: string", (net, "x"), {"append_dict": {1: 1}}),
        (ValueError, "must be bytes or None", (net, "x"), {"enc_key": "abc"}),
        (RuntimeError, "cannot encrypt", (net, "x"), {"enc_key": b"0" * 16}),
        (ValueError, "crc_check", (net, "x"), {"crc_check": 1}),
        (TypeError, "list of Parameter", ([3], "x"), {}),
        (TypeError, "key values 'name' and 'data'", ([{"name": "a"}], "x"), {}),
        (TypeError, "data in dict", ([{"name": "a", "data": 3}], "x"), {}),
        (TypeError, "name in dict", ([{"name": 3, "data": ms.Tensor(1)}], "x"), {}),
        (TypeError, "key should be str", ({1: ms.Tensor(1)}, "x"), {}),
        (TypeError, "key should be str", ({"a": 3}, "x"), {}),
        (ValueError, "no text", ({"\ud800": ms.Tensor(1)}, "x"), {}),
        (ValueError, "no text", ({"\ud800": ms.Tensor(1)}, "x"), {"format": "safetensors"}),
        (ValueError, "holds no text", ({"a": "b"}, "x"), {"format": "safetensors"}),
        (RuntimeError, "MapParameter", (net, "x"), {"incremental": True}),
    ]


@pytest.mark.parametrize("number", range(len(refused_when_saving(None))))
def test_what_is_refused_when_saving(number, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    kind, words, arguments, options = refused_when_saving(nn.Dense(2, 1))[number]
    with pytest.raises(kind, match=words) as caught:
        ms.save_checkpoint(*arguments, **options)
    assert isinstance(caught.value, errors.MsExtError) and os.listdir() == []


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(IsADirectoryError, match="is a directory"):
        ms.save_checkpoint(nn.Dense(2, 1), str(tmp_path))


def test_an_unknown_option_is_told(tmp_path):
    with pytest.warns(errors.MsExtWarning, match="apend_dict"):
        ms.save_checkpoint(nn.Dense(2, 1), str(tmp_path / "x"), apend_dict={})


REFUSED_WHEN_LOADING = [
    (ValueError, "does not exist", "y.ckpt", {}),
    (ValueError, "must same with 'format'", "x.txt", {}),
    (ValueError, "must same with 'format'", "x.safetensors", {}),
    (ValueError, "should end with", "x.ckpt", {"format": "npz"}),
    (TypeError, "must be string", 3, {}),
    (TypeError, "must be string, list", "x.ckpt", {"filter_prefix": 3}),
    (ValueError, "can't be empty", "x.ckpt", {"filter_prefix": []}),
    (ValueError, "include ''", "x.ckpt", {"filter_prefix": ""}),
    (TypeError, "at index 1", "x.ckpt", {"specify_prefix": ["a", 3]}),
    (ValueError, "must be bytes or None", "x.ckpt", {"dec_key": "abc"}),
    (RuntimeError, "decrypt", "x.ckpt", {"dec_key": b"0" * 16}),
    (ValueError, "remove_redundancy", "x.ckpt", {"remove_redundancy": 1}),
    (TypeError, "should be a Cell", "x.ckpt", {"net": 3}),
]


@pytest.mark.parametrize("kind, words, name, options", REFUSED_WHEN_LOADING)
def test_what_is_refused_when_loading(kind, words, name, options, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ms.save_checkpoint(nn.Dense(2, 1), "x.ckpt")
    with pytest.raises(kind, match=words) as caught:
        ms.load_checkpoint(name, **options)
    assert isinstance(caught.value, errors.MsExtError)


def test_what_is_refused_when_filling():
    net = nn.Dense(2, 1)
    for arguments, options in [
        ((3, {}), {}),
        ((net, []), {}),
        ((net, {"bias": ms.Tensor(1)}), {}),
        ((net, {1: parameter([1.0])}), {}),
        ((net, {}), {"strict_load": 1}),
        ((net, {"bias": parameter(np.ones(1, np.float32))}), {"remove_redundancy": True}),
    ]:
        with pytest.raises(TypeError) as caught:
            ms.load_param_into_net(*arguments, **options)
        assert isinstance(caught.value, errors.MsExtError)
