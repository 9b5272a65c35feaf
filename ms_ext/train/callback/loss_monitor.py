"""The loss while a network learns: as text, and in a notebook as a curve that grows."""

import math
import sys

from ...common.tensor import Tensor
from ...engine import errors
from ...nn.arguments import check_from_zero
from .calling import Callback, number_of


class LossMonitor(Callback):
    """Prints the loss of every ``per_print_times``-th step; of none if that is 0.

    In a notebook it also draws the losses of all steps, anew while training goes on;
    ``LossMonitor.live_plot = False`` leaves that out. A loss that is no number ends training.

    >>> from ms_ext import Tensor
    >>> from ms_ext.train.callback import InternalCallbackParam, RunContext
    >>> step = dict(cur_epoch_num=1, cur_step_num=1, batch_num=2, net_outputs=Tensor(0.25))
    >>> LossMonitor().step_end(RunContext(InternalCallbackParam(step, dataset_sink_mode=False)))
    epoch: 1 step: 1, loss is 0.25
    """

    live_plot = True

    def __init__(self, per_print_times=1):
        self._per_print_times = check_from_zero("LossMonitor", "per_print_times", per_print_times)
        self._last_print_time, self._plot = 0, None

    def on_train_begin(self, run_context):
        """Begin a curve, where one can be shown."""
        if self.live_plot and _in_notebook():
            from ...viz.loss_plot import LossPlot

            self._plot = LossPlot()

    def step_end(self, run_context):
        """Look at the loss."""
        asked = run_context.original_args()
        epoch, loss = asked.get("cur_epoch_num", 1), number_of(asked.net_outputs)
        step = (asked.cur_step_num - 1) % asked.batch_num + 1
        if isinstance(loss, float) and not math.isfinite(loss):
            self.on_train_end(run_context)
            raise errors.InvalidValue(
                f"In epoch: {epoch} step: {step}, loss is NAN or INF, training process cannot "
                "continue, terminating training.",
                hint="A smaller learning rate often helps.",
            )
        if self._plot is not None and isinstance(loss, float | Tensor):  # a Tensor: of several
            self._plot.add(epoch, loss if isinstance(loss, float) else float(loss.asnumpy().mean()))
        if self._is_due(asked):
            self._last_print_time = asked.cur_step_num
            print(f"epoch: {epoch} step: {step}, loss is {loss}", flush=True)

    def _is_due(self, asked):
        every, now = self._per_print_times, asked.cur_step_num
        if every == 0:
            return False
        if now <= self._last_print_time:  # another training has begun
            back = max(every, asked.batch_num if asked.dataset_sink_mode else 1)
            self._last_print_time -= back * (-(-(self._last_print_time - now + 1) // back))
        return now - self._last_print_time >= every

    def on_train_epoch_end(self, run_context):
        """Print what evaluation brought, if there was one."""
        asked = run_context.original_args()
        if asked.get("metrics"):
            print(f"Eval result: epoch {asked.cur_epoch_num}, metrics: {asked.metrics}")

    def on_train_end(self, run_context):
        """Draw the whole curve."""
        if self._plot is not None:
            self._plot.finish()
            self._plot = None


def _in_notebook():
    """Whether a notebook's kernel runs this; a terminal shows text only."""
    ipython = sys.modules.get("IPython")
    return hasattr(ipython and ipython.get_ipython(), "kernel")
