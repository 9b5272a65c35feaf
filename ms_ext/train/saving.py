"""``ms.save_checkpoint``: a network's values into a file, at once or while training goes on."""

import functools
import os
import warnings

import numpy as np

from ..engine import checkpoints, errors
from ..engine.checkpoints import background
from .arguments import check_bool, check_key, check_type
from .entries import entries

_KNOWN = {"incremental", "global_step_num", "remove_redundancy"}


def save_checkpoint(
    save_obj,
    ckpt_file_name,
    integrated_save=True,
    async_save=False,
    append_dict=None,
    enc_key=None,
    enc_mode="AES-GCM",
    choice_func=None,
    crc_check=False,
    format="ckpt",
    **kwargs,
):
    """Write a Cell's parameters, or those of a list or dict, into a file.

    ``choice_func`` says of a name whether it is saved; ``append_dict`` holds numbers and texts to
    be saved beside them; ``async_save``, True, "thread" or "process", goes on at once and writes
    the values of now. ``integrated_save`` joins what parallel training split: here all is whole.

    >>> import os, tempfile
    >>> from ms_ext import load_checkpoint, nn
    >>> file = os.path.join(tempfile.mkdtemp(), "net.ckpt")
    >>> save_checkpoint(nn.Dense(2, 1), file, append_dict={"epoch": 3})
    >>> os.path.getsize(file), sorted(load_checkpoint(file))
    (90, ['bias', 'epoch', 'weight'])
    """
    file = _file_to_write(ckpt_file_name, format)
    check_bool(integrated_save)
    way = check_way(async_save)
    check_key("save_checkpoint", "enc_key", enc_key, enc_mode)
    check_type("crc_check", crc_check, bool)
    _check_options(kwargs)
    found = entries(save_obj, choice_func, append_dict)
    if way:
        found = {name: np.array(v) if isinstance(v, np.ndarray) else v for name, v in found.items()}
    write = functools.partial(
        checkpoints.write, file, found, format, crc_check, kwargs.get("remove_redundancy")
    )
    background.start(way, write) if way else write()


def _file_to_write(name, format):
    if format not in checkpoints.FORMATS:
        raise errors.InvalidValue(
            f"For 'save_checkpoint', the format must be 'safetensors' or 'ckpt', but got {format}."
        )
    if not isinstance(name, str):
        raise errors.InvalidType(
            f"For 'save_checkpoint', the parameter {name} for checkpoint file name is invalid, "
            f"'ckpt_file_name' must be string, but got {type(name)}."
        )
    file = os.path.realpath(name)
    if os.path.isdir(file):
        raise errors.IsFolder(
            f"For 'save_checkpoint', the parameter `ckpt_file_name`: {file} is a directory, "
            "it must be a file name."
        )
    return file if file.endswith(format) else f"{file}.{format}"


def check_way(async_save):
    """None, "thread" or "process"."""
    if not isinstance(async_save, bool | str):
        raise errors.InvalidType(
            "For 'save_checkpoint', the parameter 'async_save' must be bool or str, "
            f"but got {type(async_save)}."
        )
    if isinstance(async_save, str) and async_save not in ("process", "thread"):
        raise errors.InvalidValue(
            "For 'save_checkpoint', the argument 'async_save' can only be 'process' or 'thread', "
            f"but got {async_save}."
        )
    return "thread" if async_save is True else async_save or None


def _check_options(options):
    if options.get("incremental"):
        raise errors.NotRunnable(
            "For 'save_checkpoint', incremental=True saves a MapParameter, which ms_ext has not."
        )
    if options.get("remove_redundancy") is not None:
        check_type("remove_redundancy", options["remove_redundancy"], bool)
    if unknown := options.keys() - _KNOWN:
        warnings.warn(
            f"save_checkpoint knows no {', '.join(sorted(unknown))}; it is left out.",
            errors.MsExtWarning,
            stacklevel=3,
        )


def async_ckpt_thread_status():
    """Whether a checkpoint is still being written by ``async_save``.

    >>> async_ckpt_thread_status()
    False
    """
    return background.running()
