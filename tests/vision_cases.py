"""Calls of convolution, pooling, normalization, padding and resizing, for MindSpore and for us.

Each is the text of a function or a Cell, and the shapes of its inputs; ``record_vision.py`` keeps
what MindSpore 2.10 answers, ``test_vision_mindspore.py`` compares. ``[...]`` after a shape: how the
numbers are drawn.
"""

import numpy as np

CONV = {
    "conv2d valid": ("lambda x, w: ops.conv2d(x, w)", (2, 3, 5, 4), (4, 3, 3, 2)),
    "conv2d same": ("lambda x, w: ops.conv2d(x, w, pad_mode='same')", (1, 2, 5, 4), (3, 2, 3, 2)),
    "conv2d same stride": (
        "lambda x, w: ops.conv2d(x, w, stride=2, pad_mode='same')", (1, 2, 5, 6), (3, 2, 3, 3)),
    "conv2d same dilation": (
        "lambda x, w: ops.conv2d(x, w, dilation=2, pad_mode='same')", (1, 2, 6, 7), (3, 2, 3, 2)),
    "conv2d pad": (
        "lambda x, w: ops.conv2d(x, w, pad_mode='pad', padding=1, stride=(2, 1))",
        (1, 2, 5, 6), (3, 2, 3, 3)),
    "conv2d four pads": (
        "lambda x, w: ops.conv2d(x, w, pad_mode='pad', padding=(1, 2, 0, 1))",
        (1, 2, 5, 6), (3, 2, 3, 3)),
    "conv2d two pads": (
        "lambda x, w: ops.conv2d(x, w, pad_mode='pad', padding=(1, 2))",
        (1, 2, 5, 6), (3, 2, 3, 3)),
    "conv2d groups": (
        "lambda x, w, b: ops.conv2d(x, w, b, groups=2)", (2, 4, 4, 4), (6, 2, 2, 2), (6,)),
    "conv2d depthwise": ("lambda x, w: ops.conv2d(x, w, groups=3)", (1, 3, 4, 4), (3, 1, 2, 2)),
    "conv1d": (
        "lambda x, w, b: ops.conv1d(x, w, b, stride=2, pad_mode='pad', padding=1)",
        (2, 3, 7), (4, 3, 3), (4,)),
    "conv1d same": ("lambda x, w: ops.conv1d(x, w, pad_mode='same')", (2, 3, 7), (4, 3, 4)),
    "conv3d": ("lambda x, w: ops.conv3d(x, w, stride=2)", (1, 2, 5, 4, 4), (3, 2, 2, 2, 2)),
    "conv3d pad": (
        "lambda x, w: ops.conv3d(x, w, pad_mode='pad', padding=1)",
        (1, 2, 3, 4, 3), (3, 2, 2, 2, 2)),
    "conv3d same": (
        "lambda x, w: ops.conv3d(x, w, pad_mode='same')", (1, 2, 3, 4, 3), (3, 2, 2, 2, 2)),
    "Conv2D primitive": (
        "ops.Conv2D(out_channel=3, kernel_size=3, pad_mode='pad', pad=1, stride=2)",
        (1, 2, 5, 6), (3, 2, 3, 3)),
    "Conv2DTranspose": (
        "lambda x, w: ops.Conv2DTranspose(out_channel=3, kernel_size=3, stride=2)"
        "(x, w, (1, 2, 7, 9))", (1, 3, 3, 4), (3, 2, 3, 3)),
    "conv_transpose2d": (
        "lambda x, w: ops.conv_transpose2d(x, w, stride=2, padding=1, output_padding=1)",
        (1, 3, 3, 4), (3, 2, 3, 3)),
    "bias_add": ("lambda x, b: ops.bias_add(x, b)", (2, 3, 4, 2), (3,)),
}  # fmt: skip

LAYERS = {
    f"{name} {i}": (text, shape)
    for i, (name, text, shape) in enumerate((
        ("Conv2d", "nn.Conv2d(2, 3, 3, weight_init=0.1)", (1, 2, 5, 4)),
        ("Conv2d", "nn.Conv2d(2, 4, (3, 2), 2, 'valid', 0, 1, 2, True, 0.2, 0.3)", (1, 2, 5, 4)),
        ("Conv2d", "nn.Conv2d(1, 1, 3, 2, 'pad', 1, weight_init=1)", (1, 1, 4, 4)),
        ("Conv1d", "nn.Conv1d(2, 3, 3, weight_init=0.1)", (2, 2, 6)),
        ("Conv1d", "nn.Conv1d(2, 3, 4, 2, 'pad', 1, has_bias=True, weight_init=0.1, bias_init=1)",
         (2, 2, 6)),
        ("Conv3d", "nn.Conv3d(2, 3, 2, weight_init=0.1)", (1, 2, 3, 4, 3)),
        ("Conv3d", "nn.Conv3d(2, 4, 2, 1, 'valid', 0, 1, 2, True, 0.1, 0.5)", (1, 2, 3, 4, 3)),
        ("Conv2dTranspose", "nn.Conv2dTranspose(2, 3, 3, weight_init=0.1)", (1, 2, 3, 4)),
        ("Conv2dTranspose", "nn.Conv2dTranspose(2, 3, 3, 2, weight_init=0.1)", (1, 2, 3, 4)),
        ("Conv2dTranspose", "nn.Conv2dTranspose(2, 3, 3, 2, 'valid', weight_init=0.1)",
         (1, 2, 3, 4)),
        ("Conv2dTranspose",
         "nn.Conv2dTranspose(2, 3, 3, 2, 'pad', 1, 1, has_bias=True, weight_init=0.1, bias_init=1)",
         (1, 2, 3, 4)),
        ("Conv1dTranspose", "nn.Conv1dTranspose(2, 3, 3, 2, 'pad', 1, weight_init=0.1)", (2, 2, 5)),
        ("Conv1dTranspose", "nn.Conv1dTranspose(2, 3, 3, weight_init=0.1)", (2, 2, 5)),
        ("Conv3dTranspose", "nn.Conv3dTranspose(2, 3, 2, 2, 'valid', weight_init=0.1)",
         (1, 2, 2, 3, 2)),
        ("Conv3dTranspose",
         "nn.Conv3dTranspose(2, 3, 3, 2, 'pad', 1, output_padding=1, weight_init=0.1)",
         (1, 2, 2, 3, 2)),
        ("Conv3dTranspose", "nn.Conv3dTranspose(2, 3, 3, 2, 'same', weight_init=0.1)",
         (1, 2, 2, 3, 2)),
        ("MaxPool2d", "nn.MaxPool2d(2)", (1, 2, 4, 5)),
        ("MaxPool2d", "nn.MaxPool2d(2, 2)", (1, 2, 4, 5)),
        ("MaxPool2d", "nn.MaxPool2d((3, 2), 2, 'same')", (1, 2, 4, 5)),
        ("MaxPool2d", "nn.MaxPool2d(2, 2, 'pad', 1, 2, False, True)", (1, 2, 5, 6)),
        ("MaxPool2d", "nn.MaxPool2d(3, 2, 'pad', 1, 1, True)", (1, 2, 5, 6)),
        ("MaxPool2d", "nn.MaxPool2d(2, 2)", (2, 4, 5)),
        ("MaxPool1d", "nn.MaxPool1d(3, 2)", (1, 2, 7)),
        ("MaxPool1d", "nn.MaxPool1d(3, 2, 'pad', 1, return_indices=True)", (1, 2, 7)),
        ("MaxPool3d", "nn.MaxPool3d(2, 2)", (1, 2, 4, 4, 3)),
        ("MaxPool3d", "nn.MaxPool3d(2, 1, 'same')", (1, 2, 4, 4, 3)),
        ("MaxPool3d", "nn.MaxPool3d(2, 2, 'pad', 1)", (1, 2, 4, 4, 3)),
        ("MaxPool3d", "nn.MaxPool3d(2, 2, 'pad', 1, 1, True, True)", (1, 2, 4, 4, 3)),
        ("AvgPool2d", "nn.AvgPool2d(2)", (1, 2, 4, 5)),
        ("AvgPool2d", "nn.AvgPool2d(2, 2)", (1, 2, 4, 5)),
        ("AvgPool2d", "nn.AvgPool2d((3, 2), 2, 'same')", (1, 2, 4, 5)),
        ("AvgPool2d", "nn.AvgPool2d(3, 2, 'pad', 1)", (1, 2, 4, 5)),
        ("AvgPool2d", "nn.AvgPool2d(3, 2, 'pad', 1, True)", (1, 2, 4, 6)),
        ("AvgPool2d", "nn.AvgPool2d(3, 2, 'pad', 1, True, False)", (1, 2, 4, 6)),
        ("AvgPool2d", "nn.AvgPool2d(3, 2, 'pad', 1, False, True, 4)", (1, 2, 4, 6)),
        ("AvgPool1d", "nn.AvgPool1d(3, 2)", (1, 2, 7)),
        ("AvgPool1d", "nn.AvgPool1d(3, 2, 'pad', 1)", (1, 2, 7)),
        ("AvgPool1d", "nn.AvgPool1d(6, 1)", (1, 2, 6)),
        ("AvgPool3d", "nn.AvgPool3d(2, 2)", (1, 2, 4, 4, 3)),
        ("AvgPool3d", "nn.AvgPool3d(2, 2, 'same')", (1, 2, 4, 4, 3)),
        ("AdaptiveAvgPool1d", "nn.AdaptiveAvgPool1d(3)", (1, 2, 6)),
        ("AdaptiveAvgPool2d", "nn.AdaptiveAvgPool2d((2, 3))", (1, 2, 5, 4)),
        ("AdaptiveAvgPool3d", "nn.AdaptiveAvgPool3d((2, 3, None))", (1, 2, 3, 5, 4)),
        ("AdaptiveMaxPool1d", "nn.AdaptiveMaxPool1d(3)", (1, 2, 6)),
        ("AdaptiveMaxPool2d", "nn.AdaptiveMaxPool2d((2, None))", (1, 2, 5, 4)),
        ("AdaptiveMaxPool2d", "nn.AdaptiveMaxPool2d(2, True)", (1, 2, 5, 4)),
        ("AdaptiveMaxPool3d", "nn.AdaptiveMaxPool3d(2, True)", (1, 2, 4, 5, 4)),
        ("LPPool1d", "nn.LPPool1d(2, 3)", (1, 2, 7)),
        ("LPPool2d", "nn.LPPool2d(3, 2, 1)", (1, 2, 4, 5)),
        ("BatchNorm1d", "nn.BatchNorm1d(3)", (4, 3)),
        ("BatchNorm1d", "nn.BatchNorm1d(3).set_train()", (4, 3)),
        ("BatchNorm1d", "nn.BatchNorm1d(3, use_batch_statistics=True)", (4, 3)),
        ("BatchNorm2d", "nn.BatchNorm2d(2, 0.01, 0.5, True, 2, 1, 0.5, 4)", (2, 2, 3, 2)),
        ("BatchNorm2d", "nn.BatchNorm2d(2, 0.01, 0.5, True, 2, 1).set_train()", (2, 2, 3, 2)),
        ("BatchNorm3d", "nn.BatchNorm3d(2).set_train()", (2, 2, 3, 2, 2)),
        ("GroupNorm", "nn.GroupNorm(2, 4)", (2, 4, 3, 2)),
        ("LRN", "nn.LRN(1, 2.0, 0.5, 0.75)", (1, 4, 2, 2)),
        ("ZeroPad2d", "nn.ZeroPad2d((1, 2, 0, -1))", (1, 2, 3, 2)),
        ("ConstantPad1d", "nn.ConstantPad1d(1, 0.5)", (1, 2, 3)),
        ("ConstantPad3d", "nn.ConstantPad3d((1, 0, 0, 1, 1, 1), 0.5)", (1, 2, 2, 3, 2)),
        ("ReflectionPad1d", "nn.ReflectionPad1d((1, 2))", (1, 2, 4)),
        ("ReflectionPad2d", "nn.ReflectionPad2d((1, 2, 0, 1))", (1, 2, 3, 4)),
        ("ReplicationPad1d", "nn.ReplicationPad1d(2)", (1, 2, 3)),
        ("ReplicationPad2d", "nn.ReplicationPad2d((1, 2, 0, 1))", (1, 2, 3, 2)),
        ("ReplicationPad3d", "nn.ReplicationPad3d(1)", (1, 2, 2, 3, 2)),
        ("Pad", "nn.Pad(((1, 2), (0, 1)))", (2, 3)),
        ("Pad", "nn.Pad(((1, 2), (0, 1)), 'REFLECT')", (3, 3)),
        ("Pad", "nn.Pad(((1, 2), (0, 1)), 'SYMMETRIC')", (3, 3)),
        ("Unfold", "nn.Unfold([1, 2, 3, 1], [1, 1, 2, 1], [1, 1, 1, 1])", (1, 2, 4, 5)),
        ("Unfold", "nn.Unfold([1, 2, 2, 1], [1, 2, 1, 1], [1, 1, 2, 1], 'same')", (1, 2, 4, 5)),
        ("Upsample", "nn.Upsample(size=(5, 7))", (1, 2, 3, 4)),
        ("Upsample", "nn.Upsample(scale_factor=2.0)", (1, 2, 3, 4)),
        ("Upsample", "nn.Upsample((5, 7), mode='bilinear', align_corners=True)", (1, 2, 3, 4)),
        ("PixelShuffle", "nn.PixelShuffle(2)", (1, 8, 2, 3)),
        ("PixelUnshuffle", "nn.PixelUnshuffle(2)", (1, 2, 4, 6)),
        ("ChannelShuffle", "nn.ChannelShuffle(2)", (1, 6, 2, 2)),
    ))
}  # fmt: skip

FUNCTIONS = {
    text: (f"lambda x: ops.{text}", shape)
    for text, shape in (
        ("max_pool2d(x, 2)", (1, 2, 4, 5)),
        ("max_pool2d(x, 3, 2, 1, 1, True)", (1, 2, 4, 5)),
        ("max_pool2d(x, 2, 2, 0, 1, False, True)", (1, 2, 5, 5)),
        ("max_pool2d(x, (2, 3), 1, (1, 0), 2)", (1, 2, 5, 6)),
        ("max_pool3d(x, 2)", (1, 2, 4, 4, 3)),
        ("avg_pool1d(x, 2)", (1, 2, 5)),
        ("avg_pool1d(x, 3, 2, 1, True, False)", (1, 2, 6)),
        ("avg_pool2d(x, 2, 2)", (1, 2, 4, 5)),
        ("avg_pool2d(x, 3, 2, 1, True, True)", (1, 2, 4, 6)),
        ("avg_pool2d(x, 3, 2, 1, True, False)", (1, 2, 4, 6)),
        ("avg_pool2d(x, 2, 1, 0, False, True, 3)", (1, 2, 4, 5)),
        ("avg_pool3d(x, 2, 2)", (1, 2, 4, 4, 3)),
        ("adaptive_avg_pool1d(x, 3)", (1, 2, 6)),
        ("adaptive_avg_pool2d(x, (2, None))", (1, 2, 5, 4)),
        ("adaptive_avg_pool3d(x, 2)", (1, 2, 3, 5, 4)),
        ("adaptive_max_pool1d(x, 3)", (1, 2, 6)),
        ("adaptive_max_pool2d(x, (3, 2))", (1, 2, 5, 4)),
        ("lp_pool1d(x, 2, 3, 1)", (1, 2, 6)),
        ("lp_pool2d(x, 2, 2)", (1, 2, 4, 5)),
        ("lrn(x, 1, 2.0, 0.5, 0.75)", (1, 4, 2, 2)),
        ("group_norm(x, 2)", (2, 4, 3, 2)),
        ("pad(x, (1, 2))", (2, 3)),
        ("pad(x, (1, 2, -1, 1), value=2.5)", (3, 3)),
        ("pad(x, (1, 2), 'reflect')", (1, 2, 4)),
        ("pad(x, (1, 2, 1, 0), 'reflect')", (1, 2, 3, 4)),
        ("pad(x, (1, 2, 1, 0), 'replicate')", (1, 2, 3, 4)),
        ("pad(x, (1, 2), 'circular')", (1, 2, 4)),
        ("pad(x, (1, 2, 1, 0), 'circular')", (1, 2, 3, 4)),
        ("unfold(x, 2)", (1, 2, 3, 4)),
        ("unfold(x, (2, 3), 1, 1, (2, 1))", (1, 2, 4, 5)),
        ("fold(x, ms.Tensor([4, 5], ms.int32), 2)", (1, 8, 12)),
        ("interpolate(x, 7)", (1, 2, 3)),
        ("interpolate(x, (5, 7))", (1, 2, 3, 4)),
        ("interpolate(x, scale_factor=(2.0, 1.5))", (1, 2, 3, 4)),
        ("interpolate(x, scale_factor=(2.0, 1.6), recompute_scale_factor=True)", (1, 2, 3, 4)),
        ("interpolate(x, 7, mode='linear')", (1, 2, 3)),
        ("interpolate(x, 7, mode='linear', align_corners=True)", (1, 2, 3)),
        ("interpolate(x, (5, 7), mode='bilinear')", (1, 2, 3, 4)),
        ("interpolate(x, (2, 3), mode='bilinear')", (1, 2, 5, 4)),
        ("interpolate(x, (5, 7), mode='bilinear', align_corners=True)", (1, 2, 3, 4)),
        ("interpolate(x, (5, 7), mode='bicubic')", (1, 2, 3, 4)),
        ("interpolate(x, (5, 7), mode='bicubic', align_corners=True)", (1, 2, 3, 4)),
        ("interpolate(x, (2, 7), mode='area')", (1, 2, 3, 4)),
        ("interpolate(x, (2, 5, 3), mode='trilinear')", (1, 2, 3, 4, 2)),
        ("interpolate(x, (5, 7), mode='nearest-exact')", (1, 2, 3, 4)),
        ("interpolate(x, scale_factor=2.5, mode='linear', recompute_scale_factor=True)",
         (1, 2, 3)),
        ("pixel_shuffle(x, 2)", (1, 8, 2, 3)),
        ("pixel_unshuffle(x, 2)", (2, 4, 6)),
        ("channel_shuffle(x, 3)", (1, 6, 2, 2)),
        ("rms_norm(x, x[0])", (2, 3)),
    )
}  # fmt: skip

STATISTICS = {
    "batch_norm": (
        "lambda x, m, v, w, b: ops.batch_norm(x, m, v, w, b)",
        (4, 3, 2, 2), (3,), (3,), (3,), (3,)),
    "batch_norm training": (
        "lambda x, m, v, w, b: ops.batch_norm(x, m, v, w, b, True, 0.3)",
        (4, 3, 2, 2), (3,), (3,), (3,), (3,)),
    "BatchNorm": (
        "lambda x, w, b, m, v: ops.BatchNorm(epsilon=0.01)(x, w, b, m, v)[0]",
        (4, 3, 2, 2), (3,), (3,), (3,), (3,)),
    "max_unpool2d": (
        "lambda x: ops.max_unpool2d(*ops.max_pool2d(x, 2, 2, return_indices=True), 2)",
        (1, 2, 4, 6)),
    "max_unpool1d": (
        "lambda x: ops.max_unpool1d(x, ms.Tensor([[[1, 2]]], ms.int64), 2)", (1, 1, 2)),
}  # fmt: skip

CASES = CONV | LAYERS | FUNCTIONS | STATISTICS


def inputs(shapes):
    """Float32 arrays without ties, the same on every machine; the first is between -2 and 2."""
    for number, shape in enumerate(shapes):
        size = int(np.prod(shape))
        order = (np.arange(size) * 7919 + 13 * number) % 10007
        ranks = np.argsort(np.argsort(order, kind="stable"), kind="stable")
        low, high = (-2.0, 2.0) if number == 0 else (0.5, 1.5)
        yield (low + (high - low) * (ranks + 0.5) / size).astype(np.float32).reshape(shape)
