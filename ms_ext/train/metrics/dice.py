"""How much do two areas overlap?"""

import numpy as np

from ...engine import errors
from .metric import Metric, need_samples, pair_of, rearrange_inputs


class Dice(Metric):
    """2 * (shared area) / (area of the answer + area of the truth), over the number of rows.

    >>> round(Dice()([[1.0, 0.0]], [[1.0, 1.0]]), 3)
    0.667
    """

    def __init__(self, smooth=1e-5):
        if type(smooth) is not float:
            raise errors.InvalidType("smooth must be a float.", given=repr(smooth))
        if smooth <= 0:
            raise errors.InvalidValue("smooth must be above 0.", given=repr(smooth))
        self.smooth = smooth
        self.clear()

    def clear(self):
        """Forget all batches."""
        self._dice_sum, self._count = 0.0, 0

    @rearrange_inputs
    def update(self, *inputs):
        """Count a batch of two areas of one shape."""
        y_pred, y = pair_of(self, inputs)
        if y_pred.shape != y.shape:
            raise errors.InvalidValue(
                "For 'Dice.update', the shapes must be equal.",
                given=f"{list(y_pred.shape)} and {list(y.shape)}",
            )
        shared, whole = np.sum(y_pred * y), np.sum(y_pred * y_pred) + np.sum(y * y)
        self._dice_sum += float(2 * shared / (whole + self.smooth))
        self._count += y.shape[0]

    def eval(self):
        """The overlaps of the batches, over all rows."""
        need_samples(self, self._count)
        return self._dice_sum / self._count
