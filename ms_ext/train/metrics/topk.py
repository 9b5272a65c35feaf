"""Is the right class among the likeliest few?"""

import numpy as np

from ...engine import errors
from .metric import Metric, is_one_hot, need_samples, pair_of, rearrange_inputs


class TopKCategoricalAccuracy(Metric):
    """The share of samples whose class is among the k likeliest.

    >>> TopKCategoricalAccuracy(2)([[0.1, 0.5, 0.4], [0.6, 0.3, 0.1]], [2, 2])
    0.5
    """

    def __init__(self, k):
        if not isinstance(k, int) or isinstance(k, bool):
            raise errors.InvalidType(
                "For 'TopKCategoricalAccuracy', the type of the argument 'k' should be int, "
                f"but got 'k' type: {type(k)}."
            )
        if k < 1:
            raise errors.InvalidValue(
                "For 'TopKCategoricalAccuracy', the argument 'k' must be at least 1, "
                f"but got 'k' value: {k}."
            )
        self.k = k
        self.clear()

    def clear(self):
        """Forget all batches."""
        self._correct_num = self._samples_num = 0

    @rearrange_inputs
    def update(self, *inputs):
        """Count a batch of scores and class numbers, or one-hot rows."""
        y_pred, y = pair_of(self, inputs)
        if y_pred.ndim == y.ndim and is_one_hot(y):
            y = y.argmax(axis=1)
        likeliest = np.argsort(-y_pred, axis=1)[:, : self.k]
        self._correct_num += int(np.equal(likeliest, y.reshape(-1, 1)).sum())
        self._samples_num += y.size

    def eval(self):
        """The share."""
        need_samples(self, self._samples_num)
        return self._correct_num / self._samples_num


class Top1CategoricalAccuracy(TopKCategoricalAccuracy):
    """The share of samples whose likeliest class is right.

    >>> Top1CategoricalAccuracy()([[0.1, 0.9], [0.8, 0.2]], [1, 1])
    0.5
    """

    def __init__(self):
        super().__init__(1)


class Top5CategoricalAccuracy(TopKCategoricalAccuracy):
    """The share of samples whose class is among the five likeliest.

    >>> Top5CategoricalAccuracy()([[0.1, 0.9], [0.8, 0.2]], [1, 1])
    1.0
    """

    def __init__(self):
        super().__init__(5)
