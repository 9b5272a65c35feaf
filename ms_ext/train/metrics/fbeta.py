"""Precision and recall in one number for each class."""

import sys

from ...engine import errors
from .metric import (
    Metric,
    classes_of,
    is_one_hot,
    need_samples,
    one_hot_pair,
    pair_of,
    rearrange_inputs,
)  # fmt: skip


class Fbeta(Metric):
    """(1 + beta^2) * precision * recall / (beta^2 * precision + recall), for each class.

    >>> Fbeta(1.0)([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]], [0, 0, 0]).tolist()
    [0.8, 0.0]
    """

    def __init__(self, beta):
        if not beta > 0:
            raise errors.InvalidValue(
                f"For 'Fbeta', the argument 'beta' must be greater than 0, but got {beta}."
            )
        self.beta = beta
        self.clear()

    def clear(self):
        """Forget all batches."""
        self._right = self._actual = self._called = self._class_num = 0

    @rearrange_inputs
    def update(self, *inputs):
        """Count a batch of scores and class numbers, or one-hot rows."""
        y_pred, y = pair_of(self, inputs)
        if y_pred.ndim == y.ndim and is_one_hot(y):
            y = y.argmax(axis=1)
        self._class_num = classes_of(self, y_pred, self._class_num)
        y_pred, y = one_hot_pair(self, y_pred, y, self._class_num)
        self._right = self._right + (y * y_pred).sum(axis=0)
        self._actual = self._actual + y.sum(axis=0)
        self._called = self._called + y_pred.sum(axis=0)

    def eval(self, average=False):
        """One number per class, or their average."""
        if not isinstance(average, bool):
            raise errors.InvalidType("average must be a bool.", given=repr(average))
        need_samples(self, self._class_num)
        square = self.beta**2
        whole = square * self._actual + self._called + sys.float_info.min
        shares = (1 + square) * self._right / whole
        return shares.mean() if average else shares


class F1(Fbeta):
    """Fbeta with beta 1: the harmonic mean of precision and recall.

    >>> F1()([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]], [0, 0, 0]).tolist()
    [0.8, 0.0]
    """

    def __init__(self):
        super().__init__(1.0)
