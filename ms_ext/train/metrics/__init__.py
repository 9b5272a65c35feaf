"""``ms.train.metrics``: how good answers are, counted batch after batch.

>>> from ms_ext.train import metrics
>>> metric = metrics.Accuracy()
>>> metric.update([[0.1, 0.9], [0.8, 0.2]], [1, 1])
>>> metric.eval()
0.5

A metric has ``clear()``, ``update(*inputs)`` and ``eval()``. Each file of this folder is imported
at the first use of one of its names.
"""

from ...engine.later import showing

_FILES = {
    "accuracy": ("Accuracy",),
    "confusion_matrix": ("ConfusionMatrix",),
    "confusion_rates": ("ConfusionMatrixMetric",),
    "cosine_similarity": ("CosineSimilarity",),
    "dice": ("Dice",),
    "distance": ("MAE", "MSE"),
    "fbeta": ("F1", "Fbeta"),
    "loss": ("Loss", "Perplexity"),
    "metric": ("Metric", "rearrange_inputs"),
    "named": ("get_metric_fn", "get_metrics", "names"),
    "precision_recall": ("Precision", "Recall"),
    "roc": ("ROC", "auc"),
    "topk": ("Top1CategoricalAccuracy", "Top5CategoricalAccuracy", "TopKCategoricalAccuracy"),
}

__all__, __getattr__, __dir__ = showing(globals(), _FILES)
