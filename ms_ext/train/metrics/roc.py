"""How do hits and false alarms trade, as the threshold moves? And the area below a curve."""

import numpy as np

from ...engine import errors
from .metric import Metric, pair_of, rearrange_inputs


def auc(x, y, reorder=False):
    """The area below a curve, by trapezoids; x must rise or fall, or is sorted with ``reorder``.

    >>> float(auc(np.array([0.0, 1.0]), np.array([0.0, 1.0])))
    0.5
    """
    if not isinstance(x, np.ndarray) or not isinstance(y, np.ndarray):
        raise errors.InvalidType(
            "For 'auc', the argument 'x' and 'y' must all be np.ndarray, "
            f"but got {type(x)}, {type(y)}"
        )
    if len(x) != len(y):
        raise errors.InvalidValue(
            f"Found input variables with inconsistent numbers of samples: {[len(x), len(y)]}."
        )
    x, y = _column("x", x), _column("y", y)
    if len(x) < 2:
        raise errors.InvalidValue("For 'auc', x needs two points or more.", given=f"{len(x)}")
    if reorder:
        order = np.lexsort((y, x))
        x, y = x[order], y[order]
    steps = np.diff(x)
    if np.any(steps < 0) and np.any(steps > 0):
        raise errors.InvalidValue(
            "For 'auc', x must rise or fall all the way.", given=str(x), hint="Say reorder=True."
        )
    return np.sum(np.abs(steps) * (y[1:] + y[:-1]) / 2)


def _column(name, values):
    if values.ndim == 1 or (values.ndim == 2 and values.shape[1] == 1):
        return values.reshape(-1)
    raise errors.InvalidValue(
        f"For 'auc', {name} must be a row of numbers.", given=f"shape {list(values.shape)}"
    )


class ROC(Metric):
    """(false positive rates, true positive rates, thresholds) of a batch; lists of them by class.

    >>> fpr, tpr, thresholds = ROC(pos_label=1)([0.9, 0.4, 0.6], [1, 0, 1])
    >>> fpr.tolist(), tpr.tolist()
    ([0.0, 0.0, 0.0, 1.0], [0.0, 0.5, 1.0, 1.0])
    """

    def __init__(self, class_num=None, pos_label=None):
        for name, value in (("class_num", class_num), ("pos_label", pos_label)):
            if value is not None and type(value) is not int:
                raise errors.InvalidType(f"{name} must be an int.", given=repr(value))
        self.class_num, self.pos_label = class_num, pos_label
        self.clear()

    def clear(self):
        """Forget the batch."""
        self._pair = None

    @rearrange_inputs
    def update(self, *inputs):
        """Look at scores and class numbers; they take the place of the last."""
        y_pred, y = pair_of(self, inputs)
        if y_pred.ndim == y.ndim and self.class_num in (None, 1):
            y_pred, y = y_pred.reshape(-1), y.reshape(-1)
        elif y_pred.ndim == y.ndim + 1 and self.pos_label is None:
            self._check_classes(y_pred.shape[1])
            y_pred, y = np.moveaxis(y_pred, 1, -1).reshape(-1, y_pred.shape[1]), y.reshape(-1)
        else:
            raise errors.InvalidValue(
                "For 'ROC', scores and class numbers have the same axes (with class_num None or "
                "1), or the scores one more (with class_num theirs, and no pos_label).",
                given=f"{list(y_pred.shape)} and {list(y.shape)}, class_num {self.class_num}, "
                f"pos_label {self.pos_label}",
            )
        self._pair = y_pred, y

    def _check_classes(self, count):
        if self.class_num != count:
            raise errors.InvalidValue(
                "For 'ROC', the 'class_num' must equal the number of classes from predicted value "
                f"(input[0]), but got 'class_num' {self.class_num}, the number of classes from "
                f"predicted value {count}."
            )

    def eval(self):
        """The curve, or one for each class."""
        if self._pair is None:
            raise errors.NotRunnable("Please call the 'update' method before calling 'eval'.")
        scores, y = self._pair
        if scores.ndim == 1:
            return _curve(scores, y == (1 if self.pos_label is None else self.pos_label))
        curves = [_curve(scores[:, c], y == c) for c in range(scores.shape[1])]
        return tuple(map(list, zip(*curves, strict=True)))


def _curve(scores, positive):
    """Rates above each threshold, from the highest score down."""
    order = np.argsort(-scores, kind="stable")
    scores, positive = scores[order], positive[order]
    ends = np.append(np.flatnonzero(np.diff(scores)), len(scores) - 1)
    hits = np.append(0, np.cumsum(positive)[ends])
    alarms = np.append(0, np.cumsum(~positive)[ends])
    for name, counts in (("negative", alarms), ("positive", hits)):
        if counts[-1] == 0:
            raise errors.InvalidValue(
                f"For 'ROC.eval', there is no {name} samples in true value, so that its rate means "
                "nothing."
            )
    thresholds = np.append(scores[ends[0]] + 1, scores[ends])
    return alarms / alarms[-1], hits / hits[-1], thresholds
