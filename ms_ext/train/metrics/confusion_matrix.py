"""Which class is taken for which?"""

import numpy as np

from ...engine import errors
from .metric import Metric, pair_of, rearrange_inputs

_AXES = {"target": 1, "prediction": 0, "all": None}


class ConfusionMatrix(Metric):
    """A table: row i, column j counts the samples of class i that were called class j.

    ``normalize``: the counts as shares of the "target" (the row), the "prediction" (the column), of
    "all", or "no_norm". Answers that are floats are compared with ``threshold``.

    >>> ConfusionMatrix(2)([1, 0, 1], [1, 0, 0]).tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    """

    def __init__(self, num_classes, normalize="no_norm", threshold=0.5):
        if type(num_classes) is not int:
            raise errors.InvalidType("num_classes must be an int.", given=repr(num_classes))
        if normalize not in (*_AXES, "no_norm"):
            raise errors.InvalidValue(
                f"normalize must be one of {', '.join(_AXES)}, no_norm.", given=repr(normalize)
            )
        if type(threshold) is not float:
            raise errors.InvalidType("threshold must be a float.", given=repr(threshold))
        self.num_classes, self.normalize, self.threshold = num_classes, normalize, threshold
        self.clear()

    def clear(self):
        """Forget all batches."""
        self.confusion_matrix = np.zeros((self.num_classes, self.num_classes))
        self._is_update = False

    @rearrange_inputs
    def update(self, *inputs):
        """Count a batch: class numbers, scores, or probabilities of class 1; and class numbers."""
        y_pred, y = pair_of(self, inputs)
        if y_pred.ndim - y.ndim not in (0, 1):
            raise errors.InvalidValue(
                "For 'ConfusionMatrix.update', the predicted value must have the axes of the true "
                "value, or one more.",
                given=f"{list(y_pred.shape)} and {list(y.shape)}",
            )
        if y_pred.ndim == y.ndim + 1:
            y_pred = y_pred.argmax(axis=1)
        if y_pred.dtype.kind == "f":
            y_pred = y_pred >= self.threshold
        places = (y.reshape(-1) * self.num_classes + y_pred.reshape(-1)).astype(int)
        counts = np.bincount(places, minlength=self.num_classes**2)
        self.confusion_matrix = self.confusion_matrix + counts.reshape(self.confusion_matrix.shape)
        self._is_update = True

    def eval(self):
        """The table."""
        if not self._is_update:
            raise errors.NotRunnable("Please call the 'update' method before calling 'eval'.")
        if self.normalize == "no_norm":
            return self.confusion_matrix
        whole = self.confusion_matrix.sum(axis=_AXES[self.normalize], keepdims=True)
        return self.confusion_matrix / np.where(whole == 0, 1, whole)
