"""How is an operation of ATB run? Found in Init, set up in DeviceTask, executed in LaunchTask."""

import weakref

from ... import errors
from .. import atb
from .runner import PyboostRunner


class AtbOpRunner(PyboostRunner):
    """``Init`` with a Param, then ``Run``; both again for the next call."""

    def __init__(self, op_name):
        super().__init__(op_name)
        self._held, self._pack, self._free, self._size = None, None, None, 0

    def Init(self, param, hashed=None):
        """Find an Operation for this Param that no other call uses, or have one made.

        ``hashed``: the hash of the Param, where C++ made it.
        """
        self._give_back()
        self._held = atb.MANAGER.GetOperation(param, self._op_name, hashed)
        self._free = weakref.finalize(self, self._held.Free)
        self._free.atexit = False

    def Run(self, inputs, outputs):
        """Send the call on its way, with the Operation that Init found."""
        if self._held is None:
            raise errors.NotRunnable(
                f"'{self._op_name}' has no operation.",
                hint="Init(param) comes before each Run: an operation serves one call at a time.",
            )
        super().Run(inputs, outputs)

    def CalcWorkspace(self):
        """Setup: what the operation needs for these tensors."""
        context = atb.MANAGER.GetContext(self._stream)
        self._pack = atb.VariantPack(self._inputs, self._outputs)
        operation = self._held.operation
        status, self._size = operation.Setup(self._pack, context)
        atb.check(status, "Setup", self._op_name, operation.why)
        return self._size

    def LaunchKernel(self):
        """Execute, then Free."""
        operation, context = self._held.operation, atb.MANAGER.GetContext(self._stream)
        status = operation.Execute(self._pack, self._workspace, self._size, context)
        why = operation.why
        self._give_back()
        atb.check(status, "Execute", self._op_name, why)

    def finish(self):
        """The call is over: let go of everything."""
        super().finish()
        self._pack = None
        self._give_back()

    def _this_call(self):
        """The call holds the operation from now on, and gives it back in any case."""
        call, held = super()._this_call(), self._held
        self._free.detach()
        self._held = self._free = None
        call._free = weakref.finalize(call, held.Free)
        call._free.atexit = False
        return call

    def _give_back(self):
        free, self._free, self._held = self._free, None, None
        if free is not None:
            free()


def RunAtbOp(op_name, param, inputs, outputs):
    """``Init`` and ``Run`` of an AtbOpRunner.

    >>> from ms_ext import Tensor
    >>> @atb.HashOpParam(atb.ActivationParam)
    ... def of_activation(param):
    ...     atb.add_param_to_buf("activationType", int(param.activationType))
    ...     atb.add_param_to_buf("dim", param.dim)
    >>> swiglu = atb.ActivationParam(atb.ActivationType.ACTIVATION_SWIGLU_FORWARD, dim=-1)
    >>> x, y = Tensor([[1.0, 2.0]]), Tensor([[0.0]])
    >>> RunAtbOp("SwiGLU", swiglu, [x], [y])
    >>> y
    Tensor(shape=[1, 1], dtype=Float32, value=
    [[ 1.46211720e+00]])
    >>> atb.forget_hash(atb.ActivationParam)
    True
    """
    runner = AtbOpRunner(op_name)
    runner.Init(param)
    runner.Run(inputs, outputs)
