"""How many answers are right?"""

import numpy as np

from .metric import ClassMetric, need_samples, rearrange_inputs


class Accuracy(ClassMetric):
    """The share of samples whose likeliest class is right; for labels, of rows right in all labels.

    >>> Accuracy()([[0.1, 0.9], [0.8, 0.2]], [1, 1])
    0.5
    """

    def clear(self):
        """Forget all batches."""
        self._correct_num = self._total_num = self._class_num = 0

    @rearrange_inputs
    def update(self, *inputs):
        """Count a batch: scores and class numbers (or one-hot rows), or labels of 0 and 1."""
        y_pred, y = self._batch(inputs)
        if self._type == "classification":
            right = np.equal(y_pred.argmax(axis=1), y).reshape(-1)
        else:
            right = np.equal(self._rows(y_pred), self._rows(y)).all(axis=1)
        self._correct_num += int(right.sum())
        self._total_num += right.size

    def eval(self):
        """The share."""
        need_samples(self, self._total_num)
        return self._correct_num / self._total_num

    def _rows(self, labels):
        return labels.swapaxes(1, -1).reshape(-1, self._class_num)
