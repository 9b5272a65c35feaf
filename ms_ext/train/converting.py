"""From one checkpoint format to the other, file by file."""

import os
import re

from ..engine import checkpoints, errors


def ckpt_to_safetensors(
    file_path, save_path=None, name_map=None, file_name_regex=None, processes_num=1
):
    """Write the entries of a ``.ckpt``, or of all in the folders ``rank*`` below, as safetensors.

    ``name_map`` gives entries other names; ``file_name_regex`` says which files.

    >>> import os, tempfile
    >>> from ms_ext import nn, save_checkpoint
    >>> file = os.path.join(tempfile.mkdtemp(), "net.ckpt")
    >>> save_checkpoint(nn.Dense(2, 1), file)
    >>> ckpt_to_safetensors(file)
    >>> sorted(os.listdir(os.path.dirname(file)))
    ['net.ckpt', 'net.safetensors']
    """
    _convert("ckpt_to_safetensors", file_path, save_path, name_map, file_name_regex)


def safetensors_to_ckpt(
    file_path, save_path=None, name_map=None, file_name_regex=None, processes_num=1
):
    """Write the entries of a ``.safetensors``, or of all in the folders ``rank*``, as checkpoints.

    >>> import os, tempfile
    >>> from ms_ext import nn, save_checkpoint
    >>> file = os.path.join(tempfile.mkdtemp(), "net.safetensors")
    >>> save_checkpoint(nn.Dense(2, 1), file, format="safetensors")
    >>> safetensors_to_ckpt(file)
    >>> sorted(os.listdir(os.path.dirname(file)))
    ['net.ckpt', 'net.safetensors']
    """
    _convert("safetensors_to_ckpt", file_path, save_path, name_map, file_name_regex)


def _convert(function, path, folder, name_map, pattern):
    source, _, target = function.partition("_to_")
    _check(function, path, folder, name_map, source)
    for file, place in _tasks(function, path, folder, source):
        if pattern is None or re.search(pattern, file):
            name = os.path.basename(file).removesuffix(source) + target
            os.makedirs(place, exist_ok=True)
            found = checkpoints.read(file, source)
            renamed = {(name_map or {}).get(key, key): value for key, value in found.items()}
            checkpoints.write(os.path.join(place, name), renamed, target)
        elif os.path.isfile(path):
            raise errors.InvalidValue(
                f"For {function}, the input file does not match the regular expression."
            )


def _check(function, path, folder, name_map, source):
    if not os.path.exists(path):
        raise errors.InvalidValue(
            f"For {function}, the input path must be a valid path or file, but got {path}"
        )
    if folder and os.path.splitext(folder)[1]:
        raise errors.InvalidValue(
            f"For {function}, the save_path must be a directory, but got '{folder}'"
        )
    if name_map is not None and not isinstance(name_map, dict):
        raise errors.InvalidValue(
            f"For {function}, the type of 'name_map' must be a dict, but got '{type(name_map)}'"
        )
    if os.path.isfile(path) and not path.endswith(f".{source}"):
        raise errors.InvalidValue(
            f"For {function}, the input file must be a .{source} file, but got {path}"
        )


def _tasks(function, path, folder, source):
    """Which files there are, each with the folder for what becomes of it."""
    if os.path.isfile(path):
        return [(path, folder or os.path.dirname(path) or ".")]
    ranks = [name for name in sorted(os.listdir(path)) if name.startswith("rank")]
    ranks = [name for name in ranks if os.path.isdir(os.path.join(path, name))]
    if not ranks:
        raise errors.InvalidValue(
            f"For '{function}', no directories starting with 'rank' found in {path}."
        )
    return [
        (os.path.join(path, rank, file), os.path.join(folder or path, rank))
        for rank in ranks
        for file in sorted(os.listdir(os.path.join(path, rank)))
        if file.endswith(f".{source}")
    ]
