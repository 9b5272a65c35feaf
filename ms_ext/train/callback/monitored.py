"""What some callbacks watch: the loss or a metric, and whether it got better."""

import warnings

import numpy as np

from ...engine import errors
from ...nn.arguments import check_type
from .calling import number_of

#: Of these a smaller value is better; of all others a larger one.
_SMALLER_IS_BETTER = {
    "hausdorff_distance", "mae", "mse", "loss", "perplexity", "mean_surface_distance",
    "root_mean_square_distance", "eval_loss",
}  # fmt: skip


class Monitored:
    """A value that is watched from epoch to epoch, and the best one so far.

    >>> watched = Monitored("EarlyStopping", "loss", "auto", 0.1)
    >>> watched.better(5.0), watched.better(4.95), watched.better(4.0), watched.best
    (True, False, True, 4.0)
    """

    def __init__(self, owner, name, mode, least):
        self.owner, self.name = owner, check_type(owner, "monitor", name, str)
        self.least = abs(check_type(owner, "min_delta", least, float, int))
        check_type(owner, "mode", mode, str)
        if mode not in ("auto", "min", "max"):
            raise errors.InvalidValue(f"mode should be 'auto', 'min' or 'max', but got {mode}.")
        falls = mode == "min" or (mode == "auto" and name in _SMALLER_IS_BETTER)
        self.sign = -1 if falls else 1
        self.forget()

    def forget(self):
        """Begin anew."""
        self.best = -self.sign * np.inf

    def improves(self, value, on):
        """Whether a value is better than another by more than the least difference."""
        return self.sign * (value - on) > self.least

    def better(self, value):
        """Whether a value is better than the best; then it is the best."""
        found = bool(self.improves(value, self.best))
        if found:
            self.best = value
        return found

    def value(self, asked):
        """What it is now; None, with a warning, if the run does not have it."""
        brought = {} if self.name == "loss" else asked.get("eval_results", {})
        found = (
            number_of(asked.get("net_outputs")) if self.name == "loss" else brought.get(self.name)
        )
        if found is None:
            warnings.warn(
                f"{self.owner} watches {self.name!r}, which is not available. There is: "
                f"{', '.join(sorted({'loss', *brought}))}.",
                errors.MsExtWarning,
                stacklevel=2,
            )
            return None
        found = np.array(found.asnumpy() if hasattr(found, "asnumpy") else found)
        if found.shape != ():
            raise errors.InvalidValue(f"{self.owner} only supports scalar monitor now.")
        return found[()] or None  # MindSpore watches no 0, either
