"""How is a Fourier transform run? With a plan found in Init, and a function looked up by name."""

from ... import errors
from .. import asdsip
from ..announcing import announced
from ..places import form_of
from .runner import PyboostRunner


class AsdSipFFTOpRunner(PyboostRunner):
    """``Init`` with an FFTParam, then ``Run``; the op's name is that of the library's function."""

    def __init__(self, op_name):
        super().__init__(op_name)
        self._plan = None

    def Init(self, param):
        """Find the plan for this param, or have it made."""
        self._plan = asdsip.CACHE.plan(param)

    def Run(self, inputs, outputs):
        """Send the call on its way, with the plan that Init found."""
        if self._plan is None:
            raise errors.NotRunnable(
                f"'{self._op_name}' has no plan.", hint="Init(FFTParam(...)) comes before Run."
            )
        super().Run(inputs, outputs)

    @staticmethod
    def SetCacheSize(capacity):
        """How many plans are kept; the one not used for longest goes first."""
        asdsip.CACHE.set_size(capacity)

    def CalcWorkspace(self):
        """What the plan asks for."""
        with announced("asdFftGetWorkspaceSize", "workspace") as told:
            told.bytes = self._plan.workspace
        return self._plan.workspace

    def ProcessWithWorkspace(self):
        """The plan is told its workspace and its stream."""
        with announced("asdFftSetWorkspace", "bind") as told:
            told.bytes = self._plan.workspace

    def LaunchKernel(self):
        """Look the function up, and run it."""
        execute = asdsip.symbol(self._op_name)
        given, made = self._inputs[0], self._outputs[0]
        status = execute(self._plan, given, made, self._workspace)
        if status != 0:
            raise errors.NotRunnable(
                f"Execute {self._op_name} failed, ret: {status}",
                given=f"{form_of(given)} to {form_of(made)}, {self._plan}",
                hint=f"{asdsip.why(status)}.",
            )


def RunAsdSipFFTOp(op_name, param, input, output):
    """``Init`` and ``Run`` of an AsdSipFFTOpRunner.

    >>> from ms_ext import Tensor
    >>> x, y = Tensor([[1.0, 2.0, 3.0, 4.0]]), Tensor([[[0.0, 0.0]] * 3])
    >>> param = asdsip.FFTParam(4, 0, asdsip.ASCEND_FFT_R2C, batchSize=1)
    >>> RunAsdSipFFTOp("asdFftExecR2C", param, x, y)
    >>> y.tolist()
    [[[10.0, 0.0], [-2.0, 2.0], [-2.0, 0.0]]]
    """
    runner = AsdSipFFTOpRunner(op_name)
    runner.Init(param)
    runner.Run([input], [output])
