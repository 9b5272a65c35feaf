"""Rates that are made of true and false positives and negatives: sensitivity, specificity, ...

>>> rate("F1 score", np.array([2.0, 1.0, 4.0, 1.0]))
array([0.66666667])
"""

import numpy as np

from ...engine import errors
from .metric import Metric, need_samples, pair_of, rearrange_inputs

_WORDS = {
    "tpr": "sensitivity recall hit_rate true_positive_rate",
    "tnr": "specificity selectivity true_negative_rate",
    "ppv": "precision positive_predictive_value",
    "npv": "negative_predictive_value",
    "fnr": "miss_rate false_negative_rate",
    "fpr": "fall_out false_positive_rate",
    "fdr": "false_discovery_rate",
    "for": "false_omission_rate",
    "pt": "prevalence_threshold",
    "ts": "threat_score critical_success_index csi",
    "acc": "accuracy",
    "ba": "balanced_accuracy",
    "f1": "f1_score",
    "mcc": "matthews_correlation_coefficient",
    "fm": "fowlkes_mallows_index",
    "bm": "informedness bookmaker_informedness",
    "mk": "markedness deltap",
}
_SHORT = {word: short for short, words in _WORDS.items() for word in (short, *words.split())}


def _share(part, whole):
    """part / whole, NaN where the whole is 0."""
    whole = np.asarray(whole, float)
    return np.where(whole != 0, part / np.where(whole == 0, 1, whole), np.nan)


def _threshold(tp, fp, tn, fn):
    hit, kept = _share(tp, tp + fn), _share(tn, fp + tn)
    return _share(np.sqrt(hit * (1 - kept)) + kept - 1, hit + kept - 1)


_RATES = {
    "tpr": lambda tp, fp, tn, fn: _share(tp, tp + fn),
    "tnr": lambda tp, fp, tn, fn: _share(tn, fp + tn),
    "ppv": lambda tp, fp, tn, fn: _share(tp, tp + fp),
    "npv": lambda tp, fp, tn, fn: _share(tn, tn + fn),
    "fnr": lambda tp, fp, tn, fn: _share(fn, tp + fn),
    "fpr": lambda tp, fp, tn, fn: _share(fp, fp + tn),
    "fdr": lambda tp, fp, tn, fn: _share(fp, tp + fp),
    "for": lambda tp, fp, tn, fn: _share(fn, tn + fn),
    "pt": _threshold,
    "ts": lambda tp, fp, tn, fn: _share(tp, tp + fn + fp),
    "acc": lambda tp, fp, tn, fn: _share(tp + tn, tp + fp + tn + fn),
    "ba": lambda tp, fp, tn, fn: (_share(tp, tp + fn) + _share(tn, fp + tn)) / 2,
    "f1": lambda tp, fp, tn, fn: _share(2 * tp, 2 * tp + fn + fp),
    "mcc": lambda tp, fp, tn, fn: _share(
        tp * tn - fp * fn, np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    ),
    "fm": lambda tp, fp, tn, fn: np.sqrt(_share(tp, tp + fp) * _share(tp, tp + fn)),
    "bm": lambda tp, fp, tn, fn: _share(tp, tp + fn) + _share(tn, fp + tn) - 1,
    "mk": lambda tp, fp, tn, fn: _share(tp, tp + fp) + _share(tn, tn + fn) - 1,
}


def rate(name, counts):
    """The rate of a name, of counts (true positives, false ones, true negatives, false ones).

    >>> rate("recall", np.array([[3.0, 0.0, 0.0, 1.0]]))
    array([0.75])
    """
    return _RATES[short_name(name)](*np.moveaxis(np.atleast_2d(counts), -1, 0))


def short_name(name):
    """The short name of a rate.

    >>> short_name("Hit rate")
    'tpr'
    """
    if not isinstance(name, str):
        raise errors.InvalidType("metric_name must be a string.", given=repr(name))
    key = name.replace(" ", "_").lower()
    if key not in _SHORT:
        raise errors.InvalidValue(
            f"There is no rate {name!r}.", hint=errors.did_you_mean(key, _SHORT)
        )
    return _SHORT[key]


def counted(y_pred, y, skip_channel):
    """[batch, class, 4]: true positives, false ones, true negatives, false ones.

    >>> counted(np.array([[1, 0]]), np.array([[1, 1]]), True).tolist()
    [[[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]]]
    """
    if not skip_channel:
        y_pred, y = (each[:, 1:] if each.shape[1] > 1 else each for each in (y_pred, y))
    y_pred, y = (each.astype(float).reshape(*each.shape[:2], -1) for each in (y_pred, y))
    right, wrong = (y_pred + y == 2).sum(axis=2), (y_pred + y == 0).sum(axis=2)
    positive, every = y.sum(axis=2), y.shape[-1]
    parts = [right, every - positive - wrong, wrong, positive - right]
    return np.stack(parts, axis=-1).astype(float)


_ALONG = {
    "mean": (1, 0), "sum": (0, 1), "mean_batch": (0,), "sum_batch": (0,), "mean_channel": (1,),
    "sum_channel": (1,), "none": (),
}  # fmt: skip


def combined(table, decrease):
    """The numbers of a [batch, class] table as ``decrease`` says; NaN counts for nothing.

    >>> value, number = combined(np.array([[1.0, np.nan], [0.5, 0.0]]), "mean")
    >>> float(value), float(number)
    (0.625, 2.0)
    """
    known = (~np.isnan(table)).astype(float)
    table = np.nan_to_num(table)
    if decrease.startswith("sum"):
        axes = _ALONG[decrease]
        return np.asarray(table.sum(axis=axes)), known.sum(axis=axes)
    for axis in _ALONG[decrease]:
        whole = known.sum(axis=axis)
        table = np.where(whole > 0, table.sum(axis=axis) / np.where(whole > 0, whole, 1), 0.0)
        more = decrease == "mean" and axis == 1
        known = (whole > 0).astype(float) if more else whole
    return table, known.sum() if decrease == "mean" and known.ndim else known


class ConfusionMatrixMetric(Metric):
    """One rate that is made of true and false positives and negatives of one-hot answers.

    ``calculation_method``: the rate of each batch, combined as ``decrease`` says and averaged;
    else the counts of all batches are added up first. ``skip_channel=False`` leaves out class 0.

    >>> metric = ConfusionMatrixMetric(metric_name="recall")
    >>> metric.update(np.array([[1, 0], [1, 0]]), np.array([[1, 0], [0, 1]]))
    >>> metric.eval()
    array([0.5])
    """

    def __init__(
        self, skip_channel=True, metric_name="sensitivity", calculation_method=False,
        decrease="mean",
    ):  # fmt: skip
        for name, value in (
            ("skip_channel", skip_channel), ("calculation_method", calculation_method)
        ):  # fmt: skip
            if not isinstance(value, bool):
                raise errors.InvalidType(f"{name} must be a bool.", given=repr(value))
        if not isinstance(decrease, str) or decrease not in _ALONG:
            kind = errors.InvalidValue if isinstance(decrease, str) else errors.InvalidType
            raise kind(f"decrease must be one of {', '.join(_ALONG)}.", given=repr(decrease))
        self.metric_name = short_name(metric_name)
        self.skip_channel, self.calculation_method = skip_channel, calculation_method
        self.decrease = decrease
        self.clear()

    def clear(self):
        """Forget all batches."""
        self._counts, self._sum, self._number = np.zeros(4), 0.0, 0

    @rearrange_inputs
    def update(self, *inputs):
        """Count a batch: answers and truth, of 0 and 1, with the classes on axis 1."""
        y_pred, y = pair_of(self, inputs)
        if y_pred.ndim < 2 or y_pred.shape != y.shape or not np.isin(y, (0, 1)).all():
            raise errors.InvalidValue(
                "For 'ConfusionMatrixMetric.update', both must hold 0 and 1 in one shape, with the "
                "classes on axis 1.",
                given=f"{list(y_pred.shape)} and {list(y.shape)}",
            )
        table = counted(y_pred, y, self.skip_channel)
        image = y_pred.ndim > 2 and not (y_pred.ndim == 3 and y_pred.shape[-1] == 1)
        if self.calculation_method and image:
            value, number = combined(rate(self.metric_name, table), self.decrease)
            self._sum += float(np.sum(value)) * float(np.sum(number))
            self._number += int(np.sum(number))
        else:
            self._counts = self._counts + table.sum(axis=(0, 1))

    def eval(self):
        """The rate."""
        if not self.calculation_method:
            return rate(self.metric_name, self._counts)
        need_samples(self, self._number)
        return self._sum / self._number
