"""What of the libraries does C++ call? ``aclnn.h``, ``atb.h`` and ``asdsip.h`` ask by name.

Arguments are as ``bridge.h`` hands them over: tensors as arrays on their memory, numbers, texts,
lists of integers; what a function answers goes back in as it is.
"""

import ctypes

import numpy as np

from .. import errors
from . import aclnn, asdsip, atb
from .runners import AsdSipFFTOpRunner, AtbOpRunner


def ask(function, *arguments):
    """Call one of the functions below; an error brings its whole text to C++."""
    try:
        return _FUNCTIONS[function](*arguments)
    except errors.MsExtError as error:
        raise type(error)(str(error)) from None


class Prepared:
    """A call of aclnn between its phases, with its workspace."""

    def __init__(self, name, arguments):
        self.launch = aclnn.function(name)
        self.size, self.executor = aclnn.function(f"{name}GetWorkspaceSize")(*arguments)
        self.workspace = np.empty(self.size, np.uint8) if self.size else None


def aclnn_prepare(name, *arguments):
    """In DeviceTask: phase one, and the workspace."""
    return Prepared(name, arguments)


def aclnn_launch(prepared):
    """In LaunchTask: phase two; the workspace is given back."""
    workspace, prepared.workspace = prepared.workspace, None
    return prepared.launch(workspace, prepared.size, prepared.executor, None)


def atb_init(name, param_type, hashed, *fields):
    """In FrontendTask: an operation for a Param; ``fields``: a name, its value, a name..."""
    found = {type_.__name__: type_ for type_ in atb.OPERATIONS}.get(param_type)
    if found is None:
        raise errors.NotOffered(
            f"No operation is made from an atb::infer::{param_type}.",
            hint=errors.did_you_mean(param_type, [t.__name__ for t in atb.OPERATIONS]),
        )
    runner = AtbOpRunner(name)
    runner.Init(_param(found, zip(fields[::2], fields[1::2], strict=True)), hashed)
    return runner


def _param(param_type, fields):
    """A Param; the field "normParam.epsilon" is that of its member."""
    made = param_type()
    for name, value in fields:
        *path, last = name.split(".")
        owner = made
        for each in path:
            owner = getattr(owner, each)
        setattr(owner, last, value)
    return made


def fft_init(name, x, y, kind, direction, batch, dim):
    """In FrontendTask: a plan."""
    runner = AsdSipFFTOpRunner(name)
    runner.Init(asdsip.FFTParam(x, y, kind, direction, batch, dim))
    return runner


def workspace_of(runner, inputs, *tensors):
    """In DeviceTask: bytes of workspace for these tensors, of which so many are inputs."""
    runner.attach(tensors[:inputs], tensors[inputs:])
    return runner.CalcWorkspace()


def use_workspace(runner, place, size):
    """In DeviceTask: the workspace is at this address."""
    memory = (ctypes.c_uint8 * size).from_address(place) if size else None
    runner.use_workspace(None if memory is None else np.frombuffer(memory, np.uint8))


def launch(runner):
    """In LaunchTask: compute the outputs."""
    try:
        runner.LaunchKernel()
    finally:
        runner.finish()


def set_fft_cache_size(capacity):
    """How many plans are kept."""
    AsdSipFFTOpRunner.SetCacheSize(capacity)


_FUNCTIONS = {
    each.__name__: each
    for each in (
        aclnn_prepare, aclnn_launch, atb_init, fft_init, workspace_of, use_workspace, launch,
        set_fft_cache_size,
    )
}  # fmt: skip
