"""How far are answers from the right values, sample by sample?"""

import numpy as np

from .metric import Metric, need_samples, pair_of, rearrange_inputs


class _Distance(Metric):
    """The sum over a sample's elements, averaged over samples."""

    def __init__(self):
        self.clear()

    def clear(self):
        """Forget all batches."""
        self._sum, self._samples_num = 0, 0

    @rearrange_inputs
    def update(self, *inputs):
        """Count a batch of answers and right values."""
        y_pred, y = pair_of(self, inputs)
        self._sum += self._of(y.reshape(y_pred.shape) - y_pred).sum()
        self._samples_num += y.shape[0]

    def eval(self):
        """The average over samples."""
        need_samples(self, self._samples_num)
        return float(self._sum / self._samples_num)


class MAE(_Distance):
    """The differences without sign, summed in each sample, averaged over samples.

    >>> MAE()([[1.0], [2.0]], [[1.0], [4.0]])
    1.0
    """

    _of = staticmethod(np.abs)


class MSE(_Distance):
    """The squared differences, summed in each sample, averaged over samples.

    >>> MSE()([[1.0], [2.0]], [[1.0], [4.0]])
    2.0
    """

    _of = staticmethod(np.square)
