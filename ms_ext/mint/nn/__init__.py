"""``ms.mint.nn``: the layers with PyTorch's names and options, and ``functional``.

>>> from ms_ext import mint
>>> mint.nn.GELU().approximate, mint.nn.SmoothL1Loss().reduction
('none', 'mean')

Each file of this folder is imported at the first use of one of its names.
"""

from ...engine.later import showing

#: Layers that are those of ``nn``, and their names there.
_SAME_NAMES = {
    "Cell": "Cell", "CosineEmbeddingLoss": "CosineEmbeddingLoss", "Dropout": "DropoutExt",
    "Dropout2d": "Dropout2dExt", "Embedding": "EmbeddingExt", "Hardsigmoid": "HSigmoid",
    "Hardswish": "HSwish", "Identity": "Identity", "Linear": "Linear", "LogSigmoid": "LogSigmoid",
    "Mish": "Mish", "ReLU": "ReLU", "SELU": "SeLU", "Sigmoid": "Sigmoid",
    "SoftMarginLoss": "SoftMarginLoss", "Tanh": "Tanh",
    **{
        name: name
        for name in (
            "ConstantPad1d", "ConstantPad2d", "ConstantPad3d", "Flatten", "MaxUnpool2d",
            "PixelShuffle", "ReflectionPad1d", "ReflectionPad2d", "ReflectionPad3d",
            "ReplicationPad1d", "ReplicationPad2d", "ReplicationPad3d", "ZeroPad2d",
        )
    },
}  # fmt: skip
_FILES = {
    "activations": (
        "ELU", "GELU", "GLU", "Hardshrink", "Hardtanh", "LogSoftmax", "PReLU", "ReLU6", "SiLU",
        "Softmax", "Softshrink", "Threshold",
    ),
    "losses": (
        "BCELoss", "BCEWithLogitsLoss", "CrossEntropyLoss", "KLDivLoss", "L1Loss", "MSELoss",
        "NLLLoss", "SmoothL1Loss",
    ),
    "convolutions": ("Conv1d", "Conv2d", "Conv3d", "ConvTranspose2d"),
    "normalization": ("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "GroupNorm", "LayerNorm"),
    "pooling": (
        "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d",
        "AdaptiveMaxPool2d", "AvgPool1d", "AvgPool2d", "AvgPool3d", "MaxPool2d",
    ),
    "resizing": (
        "Fold", "Unfold", "Upsample", "UpsamplingBilinear2d", "UpsamplingNearest2d", "ZeroPad1d",
        "ZeroPad3d",
    ),
}  # fmt: skip
_SAME = {name: ("ms_ext.nn", there) for name, there in _SAME_NAMES.items()}

__all__, __getattr__, __dir__ = showing(globals(), _FILES, _SAME, modules=("functional",))
