"""When a network gets no better, training stops."""

import numpy as np

from ...common.parameter import Parameter
from ...nn.arguments import check_from_zero, check_type
from ..arguments import check_bool
from ..filling import load_param_into_net
from .calling import Callback
from .monitored import Monitored


class EarlyStopping(Callback):
    """Stops when ``monitor`` has got no better for ``patience`` epochs.

    ``monitor`` is "loss", or what evaluation brings: "eval_loss" or the name of a metric. Better
    means by more than ``min_delta``, and with a ``baseline`` also better than that.
    ``restore_best_weights`` puts the parameters of the best epoch back.

    >>> from ms_ext import Tensor
    >>> from ms_ext.train.callback import InternalCallbackParam, RunContext
    >>> stopping = EarlyStopping("loss", patience=1)
    >>> for epoch, loss in enumerate([3.0, 2.0, 2.5], start=1):
    ...     run = RunContext(InternalCallbackParam(cur_epoch_num=epoch, net_outputs=Tensor(loss)))
    ...     stopping.on_train_epoch_end(run)
    ...     print(loss, run.get_stop_requested())
    3.0 False
    2.0 False
    2.5 True
    """

    def __init__(
        self,
        monitor="eval_loss",
        min_delta=0,
        patience=0,
        verbose=False,
        mode="auto",
        baseline=None,
        restore_best_weights=False,
    ):
        self._watched = Monitored("EarlyStopping", monitor, mode, min_delta)
        self.patience = check_from_zero("EarlyStopping", "patience", patience)
        self.verbose = check_bool(verbose)
        self.baseline = baseline
        if baseline is not None:
            check_type("EarlyStopping", "baseline", baseline, float, int)
        self.restore_best_weights = check_bool(restore_best_weights)
        self.wait, self.stopped_epoch, self._kept = 0, 0, None

    def on_train_begin(self, run_context):
        """Begin anew."""
        self._watched.forget()
        self.wait, self.stopped_epoch, self._kept = 0, 0, None

    def on_train_epoch_end(self, run_context):
        """Look, and stop or go on."""
        asked = run_context.original_args()
        value = self._watched.value(asked)
        if value is None:
            return
        better = self._watched.better(value)
        if self.restore_best_weights and (better or self._kept is None):
            self._kept = _copied(asked.train_network)
        self.wait += 1
        if better and (self.baseline is None or self._watched.improves(value, self.baseline)):
            self.wait = 0
        if self.wait >= self.patience:
            self._stop(run_context, asked)

    def _stop(self, run_context, asked):
        self.stopped_epoch = asked.get("cur_epoch_num")
        run_context.request_stop()
        if self._kept is not None:
            if self.verbose:
                print("Restoring model weights from the end of the best epoch.")
            load_param_into_net(asked.train_network, self._kept)

    def on_train_end(self, run_context):
        """Say when it stopped."""
        if self.stopped_epoch > 0 and self.verbose:
            print(f"Epoch {self.stopped_epoch:05d}: early stopping")


def _copied(network):
    parameters = network.parameters_dict().items()
    return {name: Parameter(np.array(p.asnumpy()), name=name) for name, p in parameters}
