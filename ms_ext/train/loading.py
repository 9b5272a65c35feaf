"""``ms.load_checkpoint``: the Parameters and texts of a file, at once or from a thread."""

import functools
import io
import os
import threading
import warnings

from ..common.parameter import Parameter
from ..common.tensor import Tensor
from ..engine import checkpoints, errors
from .arguments import check_key, check_type
from .filling import load_param_into_net


def load_checkpoint(
    ckpt_file_name,
    net=None,
    strict_load=False,
    filter_prefix=None,
    dec_key=None,
    dec_mode="AES-GCM",
    specify_prefix=None,
    choice_func=None,
    crc_check=False,
    remove_redundancy=False,
    format="ckpt",
):
    """The Parameters and texts of a file, by name; ``net`` is given them at once.

    ``choice_func`` says of a name whether it is wanted. On one device nothing is redundant, so that
    ``remove_redundancy`` changes nothing without ``net``.

    >>> import os, tempfile
    >>> from ms_ext import nn, save_checkpoint
    >>> file = os.path.join(tempfile.mkdtemp(), "net.ckpt")
    >>> save_checkpoint(nn.Dense(2, 1), file)
    >>> load_checkpoint(file, choice_func=lambda name: name != "weight")
    {'bias': Parameter (name=bias, shape=(1,), dtype=Float32, requires_grad=True)}
    """
    specified, filtered = _prefixes(specify_prefix), _prefixes(filter_prefix)
    check_key("load_checkpoint", "dec_key", dec_key, dec_mode)
    for name, value in (("crc_check", crc_check), ("remove_redundancy", remove_redundancy)):
        check_type(name, value, bool)
    source = _source(ckpt_file_name, format)
    wanted = _wanted(specified, filtered, choice_func)
    loaded = _parameters(source, checkpoints.read(source, format, wanted, crc_check))
    if net is not None:
        _load(net, loaded, strict_load, remove_redundancy)
    return loaded


def _parameters(source, found):
    """What was found, arrays as Parameters."""
    if not found:
        raise errors.InvalidValue(
            "The loaded parameter dict is empty after filter or specify, please check whether "
            "'filter_prefix' or 'specify_prefix' are set correctly.",
            given=f"the file {source}",
        )
    return {
        name: value if isinstance(value, str) else Parameter(Tensor.from_numpy(value), name)
        for name, value in found.items()
    }


def _load(net, loaded, strict_load, remove_redundancy):
    """Fill a network, and say what its parameters are that the file has no values for."""
    missing, _ = load_param_into_net(net, loaded, strict_load, remove_redundancy)
    if missing:
        warnings.warn(
            f"For 'load_checkpoint', {len(missing)} parameters in the 'net' are not loaded, "
            f"because they are not in the file: {', '.join(missing)}.",
            errors.MsExtWarning,
            stacklevel=3,
        )


def _prefixes(given):
    if given is None:
        return None
    if not isinstance(given, str | list | tuple):
        raise errors.InvalidType(
            "For 'load_checkpoint', the type of 'specify_prefix' or 'filter_prefix' must be "
            f"string, list[string] or tuple[string], but got {type(given)}."
        )
    prefixes = (given,) if isinstance(given, str) else tuple(given)
    for index, prefix in enumerate(prefixes):
        if not isinstance(prefix, str):
            raise errors.InvalidType(
                "For 'load_checkpoint', when 'specify_prefix' or 'filter_prefix' is list or tuple, "
                f"the element in it must be string, but got {type(prefix)} at index {index}."
            )
    if not prefixes or "" in prefixes:
        raise errors.InvalidValue(
            "For 'load_checkpoint', the value of 'specify_prefix' or 'filter_prefix' can't be "
            "empty or include ''."
        )
    return prefixes


def _source(name, format):
    if format not in checkpoints.FORMATS:
        raise errors.InvalidValue(
            "For 'load_checkpoint', the checkpoint file should end with '.ckpt' or '.safetensors', "
            "please input the correct 'format'."
        )
    if isinstance(name, io.BytesIO) and format == "safetensors":
        return name
    if not isinstance(name, str):
        raise errors.InvalidType(
            "For 'load_checkpoint', the argument 'ckpt_file_name' must be string, "
            f"but got {type(name)}."
        )
    if not name.endswith(format):
        raise errors.InvalidValue(
            "For 'load_checkpoint', the checkpoint file format must same with 'format', but got "
            f"file_name:'{name}', format:'{format}'"
        )
    return os.path.realpath(name)


def _wanted(specified, filtered, choice_func):
    """Whether a name is wanted; prefixes count more than the function, as in MindSpore."""
    if specified is None and filtered is None:
        return choice_func
    return lambda name: (
        (specified is None or name.startswith(specified))
        and (filtered is None or not name.startswith(filtered))
    )


def load_checkpoint_async(ckpt_file_name, net=None, strict_load=False, **options):
    """The same in a thread: its ``result()`` waits for what ``load_checkpoint`` answers.

    >>> import os, tempfile
    >>> from ms_ext import nn, save_checkpoint
    >>> file = os.path.join(tempfile.mkdtemp(), "net.ckpt")
    >>> save_checkpoint(nn.Dense(2, 1), file)
    >>> sorted(load_checkpoint_async(file).result())
    ['bias', 'weight']
    """
    format = "safetensors" if str(ckpt_file_name).endswith(".safetensors") else "ckpt"
    load = functools.partial(load_checkpoint, format=format, **options)
    return ParamDictFuture(load, ckpt_file_name, net, strict_load)


class ParamDictFuture:
    """What will have been loaded; ``result()`` waits for it, or raises what went wrong."""

    def __init__(self, load, *arguments):
        self._load, self._arguments, self._answer = load, arguments, None
        self._thread = threading.Thread(target=self._run, name="load_checkpoint", daemon=True)
        self._thread.start()

    def _run(self):
        try:
            self._answer = self._load(*self._arguments), None
        except BaseException as error:
            self._answer = None, error

    def result(self):
        """The dict of Parameters."""
        self._thread.join()
        loaded, error = self._answer
        if error is not None:
            raise error
        return loaded
