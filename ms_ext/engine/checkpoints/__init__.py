"""Arrays by name in a file, and back: MindSpore's checkpoint format, and safetensors.

Entries are what a file holds: a dict of names, each with an array or a text.

>>> import numpy as np, os, tempfile
>>> file = os.path.join(tempfile.mkdtemp(), "w.ckpt")
>>> write(file, {"w": np.ones(2, np.float32), "note": "first"})
>>> read(file)
{'w': array([1., 1.], dtype=float32), 'note': 'first'}

| module | what it is |
|---|---|
| ``message`` | the protobuf message of MindSpore's checkpoints |
| ``ckpt`` | that format, one message after another |
| ``safetensors`` | the other format: a JSON header and the bytes |
| ``contents`` | whether shape, type and bytes of an entry fit together |
| ``whole_file`` | a file is replaced whole or not at all |
| ``background`` | the same while training goes on |
"""

from . import ckpt, safetensors, whole_file

__all__ = ["FORMATS", "read", "write"]

#: What each format is, by the name that is also the suffix of its files.
FORMATS = {"ckpt": ckpt, "safetensors": safetensors}


def write(path, entries, format="ckpt", crc_check=False, remove_redundancy=None):
    """Put entries into a file; an older one of that name stays until the new one is whole."""
    module = FORMATS[format]
    with whole_file.replacing(path) as file:
        module.write(file, entries, crc_check, remove_redundancy)


def read(source, format="ckpt", wanted=None, crc_check=False):
    """The entries of a file, or of those names for which ``wanted`` answers True."""
    return FORMATS[format].read(source, wanted, crc_check)
