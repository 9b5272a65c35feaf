"""Of what was called a class, how much was right? Of a class, how much was found?"""

import sys

import numpy as np

from ...engine import errors
from .metric import ClassMetric, need_samples, one_hot_pair, rearrange_inputs

_LEAST = sys.float_info.min


class _Share(ClassMetric):
    """The true positives over the positives of the answers, or of the truth."""

    def clear(self):
        """Forget all batches."""
        self._class_num, self._right, self._counted = 0, [], []

    @rearrange_inputs
    def update(self, *inputs):
        """Count a batch: scores and class numbers (or one-hot rows), or labels of 0 and 1."""
        y_pred, y = self._batch(inputs)
        if self._type == "classification":
            y_pred, y = one_hot_pair(self, y_pred, y, self._class_num)
        else:
            y_pred, y = (each.swapaxes(1, 0).reshape(self._class_num, -1) for each in (y_pred, y))
        self._right.append((y * y_pred).sum(axis=0))
        self._counted.append(self._whole(y_pred, y).sum(axis=0))

    def eval(self, average=False):
        """One share per class (for labels: per sample), or their average."""
        need_samples(self, self._class_num)
        if not isinstance(average, bool):
            raise errors.InvalidType("average must be a bool.", given=repr(average))
        gather = np.concatenate if self._type == "multilabel" else sum
        shares = gather(self._right) / (gather(self._counted) + _LEAST)
        return shares.mean() if average else shares


class Precision(_Share):
    """Of the samples that were called a class, the share that belongs to it; one for each class.

    >>> Precision()([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]], [0, 1, 1])
    array([0.5, 1. ])
    """

    def _whole(self, y_pred, y):
        return y_pred


class Recall(_Share):
    """Of the samples of a class, the share that was found; one for each class.

    >>> Recall()([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]], [0, 1, 1])
    array([1. , 0.5])
    """

    def _whole(self, y_pred, y):
        return y
