"""``ms.save_checkpoint``, ``ms.load_checkpoint``: the values of a network in a file, and back.

>>> import os, tempfile
>>> import ms_ext as ms
>>> file = os.path.join(tempfile.mkdtemp(), "net.ckpt")
>>> net, other = ms.nn.Dense(2, 1), ms.nn.Dense(2, 1)
>>> ms.save_checkpoint(net, file)
>>> ms.load_param_into_net(other, ms.load_checkpoint(file))
([], [])
>>> bool((other.weight == net.weight).all())
True

Files are MindSpore's own, in both directions. A file takes the place of an older one only when it
is whole on the disk (``engine.checkpoints.whole_file``); one that is damaged or made up is refused.
"""

from .converting import ckpt_to_safetensors, safetensors_to_ckpt
from .filling import load_param_into_net
from .loading import load_checkpoint, load_checkpoint_async
from .saving import async_ckpt_thread_status, save_checkpoint

__all__ = [
    "async_ckpt_thread_status",
    "ckpt_to_safetensors",
    "load_checkpoint",
    "load_checkpoint_async",
    "load_param_into_net",
    "safetensors_to_ckpt",
    "save_checkpoint",
]
