"""``ms.nn``: Cells, the building blocks of networks.

>>> net = SequentialCell(Dense(2, 3), ReLU(), Dense(3, 1))
>>> [p.name for p in net.get_parameters()]
['0.weight', '0.bias', '2.weight', '2.bias']

Each file of this folder is imported at the first use of one of its names.
"""

from ..engine.later import showing
from . import optim

_FILES = {
    **{f"optim.{file}": names for file, names in optim.FILES.items()},
    "activations": (
        "GELU", "HSwish", "Identity", "LogSoftmax", "ReLU", "SiLU", "Sigmoid", "Softmax", "Tanh",
        "get_activation",
    ),
    "cell": ("Cell",),
    "attention": ("MultiheadAttention",),
    "cell_dict": ("CellDict",),
    "containers": ("CellList", "SequentialCell"),
    "recurrent": ("GRU", "LSTM", "RNN"),
    "recurrent_cells": ("GRUCell", "LSTMCell", "RNNCell"),
    "shaping": (
        "Flatten", "L1Regularizer", "Norm", "OneHot", "Roll", "Tril", "Triu", "Unflatten",
    ),
    "transformer": ("Transformer", "TransformerDecoder", "TransformerEncoder"),
    "transformer_layers": ("TransformerDecoderLayer", "TransformerEncoderLayer"),
    "dropout": (
        "Dropout", "Dropout1d", "Dropout2d", "Dropout2dExt", "Dropout3d", "DropoutExt",
    ),
    "embeddings": ("Embedding", "EmbeddingExt", "EmbeddingLookup"),
    "layers": ("BiDense", "Dense", "LayerNorm", "Linear"),
    "class_losses": (
        "BCELoss", "BCEWithLogitsLoss", "CTCLoss", "CrossEntropyLoss", "DiceLoss", "FocalLoss",
        "KLDivLoss", "NLLLoss", "SoftmaxCrossEntropyWithLogits",
    ),
    "losses": (
        "GaussianNLLLoss", "HuberLoss", "L1Loss", "LossBase", "MAELoss", "MSELoss",
        "PoissonNLLLoss", "RMSELoss", "SmoothL1Loss", "SoftMarginLoss",
    ),
    "margin_losses": (
        "CosineEmbeddingLoss", "HingeEmbeddingLoss", "MarginRankingLoss",
        "MultiLabelSoftMarginLoss", "MultiMarginLoss", "MultilabelMarginLoss", "TripletMarginLoss",
    ),
    "dynamic_lr": (
        "cosine_decay_lr", "exponential_decay_lr", "inverse_decay_lr", "natural_exp_decay_lr",
        "piecewise_constant_lr", "polynomial_decay_lr", "warmup_lr",
    ),
    "rectifiers": (
        "CELU", "ELU", "HShrink", "HSigmoid", "Hardtanh", "LeakyReLU", "PReLU", "RReLU", "ReLU6",
        "SeLU", "SoftShrink", "Threshold",
    ),
    "learning_rate_schedule": (
        "CosineDecayLR", "ExponentialDecayLR", "InverseDecayLR", "NaturalExpDecayLR",
        "PolynomialDecayLR", "WarmUpLR",
    ),
    "smooth": (
        "FastGelu", "GLU", "LogSigmoid", "Mish", "Softmax2d", "Softmin", "Softsign", "Tanhshrink",
    ),
    "loss_scaling": (
        "DynamicLossScaleUpdateCell", "FixedLossScaleUpdateCell", "TrainOneStepWithLossScaleCell",
    ),
    "training": (
        "ForwardValueAndGrad", "TrainOneStepCell", "WithEvalCell", "WithGradCell", "WithLossCell",
    ),
    "clipping": ("ClipByNorm",),
    "convolutions": ("Conv1d", "Conv2d", "Conv3d"),
    "normalization": (
        "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "GroupNorm", "InstanceNorm1d",
        "InstanceNorm2d", "InstanceNorm3d", "LRN",
    ),
    "padding": (
        "ConstantPad1d", "ConstantPad2d", "ConstantPad3d", "Pad", "ReflectionPad1d",
        "ReflectionPad2d", "ReflectionPad3d", "ReplicationPad1d", "ReplicationPad2d",
        "ReplicationPad3d", "ZeroPad2d",
    ),
    "pooling": ("AvgPool1d", "AvgPool2d", "AvgPool3d", "MaxPool1d", "MaxPool2d", "MaxPool3d"),
    "pooling_to_size": (
        "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d",
        "AdaptiveMaxPool2d", "AdaptiveMaxPool3d", "LPPool1d", "LPPool2d", "MaxUnpool1d",
        "MaxUnpool2d", "MaxUnpool3d",
    ),
    "resizing": ("ChannelShuffle", "PixelShuffle", "PixelUnshuffle", "Unfold", "Upsample"),
    "transposed": ("Conv1dTranspose", "Conv2dTranspose", "Conv3dTranspose"),
}  # fmt: skip
#: What MindSpore shows here too, of train.metrics.
_METRICS = (
    "Accuracy", "ConfusionMatrix", "ConfusionMatrixMetric", "CosineSimilarity", "Dice", "F1",
    "Fbeta", "Loss", "MAE", "MSE", "Metric", "Perplexity", "Precision", "ROC", "Recall",
    "Top1CategoricalAccuracy", "Top5CategoricalAccuracy", "TopKCategoricalAccuracy", "auc",
    "get_metric_fn", "names", "rearrange_inputs",
)  # fmt: skip
_ELSEWHERE = {name: ("ms_ext.train.metrics", name) for name in _METRICS}

__all__, __getattr__, __dir__ = showing(globals(), _FILES, _ELSEWHERE)
