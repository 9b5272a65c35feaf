"""How long did an epoch take, and a step on average?"""

import time

from ...nn.arguments import check_positive
from ..arguments import check_bool
from .calling import Callback


class TimeMonitor(Callback):
    """Prints the time of every epoch; with ``data_time`` also how long a step waited for data.

    >>> from ms_ext.train.callback import InternalCallbackParam, RunContext
    >>> clock, run = TimeMonitor(), RunContext(InternalCallbackParam(batch_num=2, mode="train"))
    >>> clock.epoch_begin(run)
    >>> clock.epoch_end(run)  # doctest: +ELLIPSIS
    Train epoch time: ... ms, per step time: ... ms
    """

    def __init__(self, data_size=None, data_time=False):
        self.data_size, self.data_time = data_size, check_bool(data_time, "data_time")
        self.epoch_time = self._waiting = time.time()
        self._waited = 0.0

    def epoch_begin(self, run_context):
        """Start the clocks."""
        self.epoch_time = self._waiting = time.time()
        self._waited = 0.0

    def on_train_step_begin(self, run_context):
        """The data has come."""
        self._waited += time.time() - self._waiting

    def on_train_step_end(self, run_context):
        """From here on the next data is waited for."""
        self._waiting = time.time()

    def epoch_end(self, run_context):
        """Print what the clocks say."""
        took = (time.time() - self.epoch_time) * 1000
        asked = run_context.original_args()
        steps = asked.get("batch_num")
        if not isinstance(steps, int) or steps <= 0:
            steps = check_positive("TimeMonitor", "data_size", self.data_size)
        said = (
            f"{asked.get('mode', '').title()} epoch time: {took:5.3f} ms, "
            f"per step time: {took / steps:5.3f} ms"
        )
        if self.data_time:
            said += f" (data time: {self._waited * 1000 / steps:5.3f} ms)"
        print(said, flush=True)
