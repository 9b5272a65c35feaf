"""Metrics by name, as ``Model(metrics={"accuracy"})`` takes them."""

import importlib

from ...engine import errors
from .metric import Metric

_NAMES = {
    "F1": "F1", "acc": "Accuracy", "accuracy": "Accuracy", "auc": "auc",
    "confusion_matrix": "ConfusionMatrix", "confusion_matrix_metric": "ConfusionMatrixMetric",
    "cosine_similarity": "CosineSimilarity", "dice": "Dice", "loss": "Loss", "mae": "MAE",
    "mse": "MSE", "perplexity": "Perplexity", "precision": "Precision", "recall": "Recall",
    "roc": "ROC", "top_1_accuracy": "Top1CategoricalAccuracy",
    "top_5_accuracy": "Top5CategoricalAccuracy", "topk": "TopKCategoricalAccuracy",
}  # fmt: skip


def names():
    """The names that ``get_metric_fn`` knows.

    >>> names()[:3]
    ['F1', 'acc', 'accuracy']
    """
    return sorted(_NAMES)


def get_metric_fn(name, *args, **kwargs):
    """The metric of a name, made with these arguments. KeyError for an unknown name.

    >>> type(get_metric_fn("topk", 3)).__name__
    'TopKCategoricalAccuracy'
    """
    if name not in _NAMES:
        raise errors.MissingKey(
            f"Unsupported metric name, please input a metric in {names()}, but got '{name}'.",
            hint=errors.did_you_mean(name, _NAMES),
        )
    return getattr(importlib.import_module(__package__), _NAMES[name])(*args, **kwargs)


def get_metrics(metrics):
    """Metrics by name, of a dict of metrics or a set of names; None stays None.

    >>> type(get_metrics({"loss"})["loss"]).__name__
    'Loss'
    """
    if metrics is None:
        return None
    if isinstance(metrics, set):
        return {name: get_metric_fn(name) for name in sorted(metrics)}
    named = isinstance(metrics, dict) and all(
        isinstance(k, str) and isinstance(v, Metric) for k, v in metrics.items()
    )
    if not named:
        raise errors.InvalidType(
            "For 'get_metrics', the argument 'metrics' must be None, a dict of metrics by name, "
            f"or a set of names, but got {metrics}"
        )
    return metrics
