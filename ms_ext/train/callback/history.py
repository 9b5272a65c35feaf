"""What came out of every epoch, kept in lists."""

import numpy as np

from ...common.tensor import Tensor
from .calling import Callback


class History(Callback):
    """Keeps the last output and the metrics of every epoch in ``history``.

    >>> from ms_ext import Tensor
    >>> from ms_ext.train.callback import InternalCallbackParam, RunContext
    >>> run = RunContext(InternalCallbackParam(cur_epoch_num=1, net_outputs=Tensor(0.5)))
    >>> kept = History()
    >>> kept.begin(run)
    >>> kept.epoch_end(run)
    >>> kept.epoch, [float(value) for value in kept.history["net_output"]]
    ({'epoch': [1]}, [0.5])
    """

    def __init__(self):
        self.history, self.epoch = {}, None

    def begin(self, run_context):
        """Start counting epochs."""
        self.epoch = {"epoch": []}

    def epoch_end(self, run_context):
        """Keep what the epoch brought."""
        asked = run_context.original_args()
        self.epoch["epoch"].append(asked.get("cur_epoch_num", 1))
        brought = {"net_output": _mean(asked.net_outputs), **(asked.get("metrics") or {})}
        for name, value in brought.items():
            self.history.setdefault(name, []).append(value)


def _mean(output):
    if isinstance(output, tuple | list) and isinstance(output[0], Tensor):
        output = output[0]
    return np.mean(output.asnumpy()) if isinstance(output, Tensor) else output
