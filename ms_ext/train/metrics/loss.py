"""Averages of losses: the loss itself, and perplexity."""

import math

import numpy as np

from ...engine import errors
from .metric import Metric, need_samples, pair_of, rearrange_inputs


class Loss(Metric):
    """The average of the losses of batches.

    >>> metric = Loss()
    >>> for loss in ([1.0], [3.0]):
    ...     metric.update(loss)
    >>> metric.eval()
    2.0
    """

    def __init__(self):
        self.clear()

    def clear(self):
        """Forget all batches."""
        self._sum_loss, self._total_num = 0, 0

    @rearrange_inputs
    def update(self, *inputs):
        """Count the loss of a batch: one number, or a row of which the mean is taken."""
        if len(inputs) != 1:
            raise errors.InvalidValue(
                f"For 'Loss.update', it needs 1 input (loss), but got {len(inputs)}"
            )
        loss = self._convert_data(inputs[0])
        if loss.ndim > 1:
            raise errors.InvalidValue(
                f"For 'Loss.update', the dimension of your input (loss) must be 1, "
                f"but got {loss.ndim}."
            )
        self._sum_loss += float(loss.mean())
        self._total_num += 1

    def eval(self):
        """The average."""
        need_samples(self, self._total_num)
        return self._sum_loss / self._total_num


class Perplexity(Metric):
    """exp of the mean of -log(probability of the right word): among how many words one wavers.

    >>> round(Perplexity()([[0.25, 0.75], [0.5, 0.5]], [0, 1]), 6)
    2.828427
    """

    def __init__(self, ignore_label=None):
        if ignore_label is not None and type(ignore_label) is not int:
            raise errors.InvalidType("ignore_label must be an int.", given=repr(ignore_label))
        self.ignore_label = ignore_label
        self.clear()

    def clear(self):
        """Forget all batches."""
        self._sum_metric, self._num_inst = 0.0, 0

    @rearrange_inputs
    def update(self, *inputs):
        """Count a batch of probabilities and class numbers."""
        preds, labels = pair_of(self, inputs)
        if labels.size * preds.shape[-1] != preds.size:
            raise errors.NotRunnable(
                "For 'Perplexity.update', there must be one label for each row.",
                given=f"predicted {list(preds.shape)}, labels {list(labels.shape)}",
            )
        labels = labels.reshape(-1).astype(int)
        picked = preds.reshape(labels.size, -1)[np.arange(labels.size), labels]
        if self.ignore_label is not None:
            picked = picked[labels != self.ignore_label]
        self._sum_metric -= float(np.log(np.maximum(1e-10, picked)).sum())
        self._num_inst += picked.size

    def eval(self):
        """The number of words."""
        need_samples(self, self._num_inst)
        return math.exp(self._sum_metric / self._num_inst)
