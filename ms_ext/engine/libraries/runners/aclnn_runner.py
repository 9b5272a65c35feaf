"""How is a function of aclnn run? In DeviceTask its first phase, in LaunchTask its second."""

from ... import errors
from ...tensor import Tensor
from .. import aclnn
from .runner import PyboostRunner


class AclnnOpRunner(PyboostRunner):
    """Runs what its launch function sends to LaunchTask; the function itself runs in DeviceTask.

    >>> x, out = Tensor([[3.0, 1.0, 2.0]]), Tensor([0])
    >>> runner = AclnnOpRunner("ArgMin")
    >>> runner.SetLaunchFunc(LAUNCH_ACLNN_FUNC("aclnnArgMin", x, 1, False, out))
    >>> runner.Run([x], [out])
    >>> out
    Tensor(shape=[1], dtype=Int64, value= [1])
    """

    def __init__(self, op_name):
        super().__init__(op_name)
        self._function, self._context = None, None

    def SetLaunchFunc(self, function):
        """``function(device, stream)``: see ``DeviceContext`` for what it may do."""
        self._function = function

    def Run(self, inputs, outputs):
        """Send the call on its way, with the launch function that was set."""
        if self._function is None:
            raise errors.NotRunnable(
                f"The launch function of '{self._op_name}' is not set.",
                hint="SetLaunchFunc(LAUNCH_ACLNN_FUNC('aclnnAdd', x, y, 1, out)) comes before Run.",
            )
        super().Run(inputs, outputs)

    def device_task(self):
        """In DeviceTask: call the launch function; bytes of the workspaces that it allocated."""
        self._context = DeviceContext(self)
        self._function(self._context, self._stream)
        if not self._context.launches:
            raise errors.NotRunnable(
                f"The launch function of '{self._op_name}' launched nothing.",
                hint="It calls device.dispatch(f): f() runs in LaunchTask.",
            )
        return self._context.bytes

    def LaunchKernel(self):
        """What the launch function dispatched."""
        for launch in self._context.launches:
            launch()

    def finish(self):
        """The call is over: let go of everything."""
        super().finish()
        self._function = self._context = None


class DeviceContext:
    """What a launch function may do in DeviceTask: find tensors, allocate, dispatch a launch."""

    def __init__(self, runner):
        self._runner, self.bytes, self.launches = runner, 0, []

    def inputs(self):
        """The call's inputs, as the library takes them."""
        return self._runner.inputs()

    def outputs(self):
        """The call's outputs, as the library takes them."""
        return self._runner.outputs()

    def tensor(self, tensor, output=False):
        """What the library takes for a tensor that Run was given; ``output``: to write to."""
        known, key = self._runner._tensors, id(tensor)
        found = known.get((key, output)) or known.get((key, not output))
        if found is None:
            raise errors.InvalidValue(
                f"A tensor of the launch function of '{self._runner.op_name()}' is not in Run.",
                given=f"shape {tuple(tensor.shape)}",
                hint="Name each of them in Run(inputs, outputs): the stages look after those only.",
            )
        return found

    def allocate(self, size):
        """A workspace of so many bytes; None for 0."""
        self.bytes += size
        return self._runner._allocate(size)

    def dispatch(self, launch):
        """Have ``launch()`` called in LaunchTask."""
        self.launches.append(launch)


def LAUNCH_ACLNN(name, device, stream, *arguments):
    """In DeviceTask: ask for the workspace, allocate it, and send the launch to LaunchTask."""
    first, second = aclnn.function(f"{name}GetWorkspaceSize"), aclnn.function(name)
    kernel = aclnn.KERNELS[name.removeprefix("aclnn")]
    written = [parameter in kernel.outputs for parameter in kernel.parameters]
    written += [False] * len(arguments)  # too many are refused below
    places = [
        device.tensor(a, output) if isinstance(a, Tensor) else a
        for a, output in zip(arguments, written, strict=False)
    ]
    size, executor = first(*places)
    workspace = device.allocate(size)
    device.dispatch(lambda: second(workspace, size, executor, stream))


def LAUNCH_ACLNN_FUNC(name, *arguments):
    """A launch function: ``LAUNCH_ACLNN`` with these arguments, tensors and values."""
    aclnn.function(name)  # an unknown name is refused here, where it is written

    def launch(device, stream):
        LAUNCH_ACLNN(name, device, stream, *arguments)

    return launch
