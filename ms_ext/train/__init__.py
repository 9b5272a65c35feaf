"""``ms.train``: Model, its callbacks and metrics, and checkpoints.

>>> from ms_ext.train import EarlyStopping
>>> EarlyStopping(patience=2).patience
2

Each file of this folder is imported at the first use of one of its names.
"""

from ..engine.later import showing

_FILES = {
    "amp": (
        "DynamicLossScaleManager", "FixedLossScaleManager", "LossScaleManager",
        "build_train_network",
    ),
    "callback": (
        "Callback", "CheckpointConfig", "EarlyStopping", "History", "LambdaCallback",
        "LearningRateScheduler", "LossMonitor", "ModelCheckpoint", "ReduceLROnPlateau",
        "RunContext", "TimeMonitor",
    ),
    "metrics": (
        "Accuracy", "ConfusionMatrix", "ConfusionMatrixMetric", "CosineSimilarity", "Dice", "F1",
        "Fbeta", "Loss", "MAE", "MSE", "Metric", "Perplexity", "Precision", "ROC", "Recall",
        "Top1CategoricalAccuracy", "Top5CategoricalAccuracy", "TopKCategoricalAccuracy", "auc",
        "get_metric_fn", "names", "rearrange_inputs",
    ),
    "model": ("Model",),
    "serialization": (
        "async_ckpt_thread_status", "ckpt_to_safetensors", "load_checkpoint",
        "load_checkpoint_async", "load_param_into_net", "safetensors_to_ckpt", "save_checkpoint",
    ),
}  # fmt: skip

__all__, __getattr__, __dir__ = showing(
    globals(), _FILES, modules=("amp", "callback", "metrics", "model", "serialization")
)
