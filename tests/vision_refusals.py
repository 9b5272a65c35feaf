"""Calls of layers and functions of windows that are wrong, and layers whose texts are compared.

``record_vision.py`` keeps what MindSpore 2.10 says; ``test_vision_mindspore.py`` compares.
"""

import numpy as np

ERRORS = (
    "nn.Conv2d(2, 3, 0)", "nn.Conv2d(2, 3, 3, 0)", "nn.Conv2d(2, 3, 3, pad_mode='none')",
    "nn.Conv2d(2, 3, 3, padding=1)(x4)", "nn.Conv2d(3, 4, 3, group=2)", "nn.Conv2d('a', 3, 3)",
    "nn.Conv2d(2, 3, 3, padding='a')", "nn.Conv2d(2, 3, 3, padding=-1)",
    "nn.Conv2d(2, 3, 'a')", "nn.Conv2d(2, 3, 3, has_bias=1)", "nn.Conv2d(2, 3, (3, 3, 3))",
    "nn.Conv2d(2, 3, 3, data_format='NHWC')", "nn.Conv2d(2, 3, 3)(x2)",
    "nn.Conv2d(3, 3, 3)(x4)", "nn.Conv2d(2, 3, 3)(i4)", "nn.Conv2d(2, 3, 9, pad_mode='valid')(x4)",
    "nn.Conv1d(2, 3, (3,))", "nn.Conv1d(2, 3, 3)(x4)", "nn.Conv3d(2, 3, 3)(x4)",
    "nn.Conv2d(0, 3, 3)", "nn.Conv2d(2, 3, 3, dilation=0)", "nn.Conv2d(2, 3, 3, group=0)",
    "nn.Conv2dTranspose(2, 3, 3, pad_mode='a')", "nn.Conv2dTranspose(2, 3, 3, padding='a')",
    "nn.Conv2dTranspose(2, 3, 3, output_padding=1)(x4)",
    "nn.Conv2dTranspose(2, 3, 3, 2, 'pad', output_padding=5)(x4)",
    "ops.conv2d(x4, x4)", "ops.conv2d(x4, w4, stride='a')", "ops.conv2d(x4, w4, pad_mode='a')",
    "ops.conv2d(x4, w4, groups=3)", "ops.conv2d(x4, i4)", "ops.conv2d(x4, w4, padding=1)",
    "ops.conv2d(x2, w4)", "ops.conv2d(1, w4)",
    "nn.MaxPool2d(0)", "nn.MaxPool2d('a')", "nn.MaxPool2d(2, 0)", "nn.MaxPool2d(2, 2, 'a')",
    "nn.MaxPool2d(2, 2, 1)", "nn.MaxPool2d(2, padding=1)", "nn.MaxPool2d(2, return_indices=True)",
    "nn.MaxPool2d(2, 2, 'pad', (1, 1, 1))", "nn.MaxPool2d(2)(x2)", "nn.MaxPool2d(2)(i4)",
    "nn.MaxPool2d(2, data_format='NHWC')", "nn.MaxPool1d(2)(x4)", "nn.MaxPool1d((2, 2))",
    "nn.MaxPool2d(2, 2, 'pad', 1, 'a')", "nn.MaxPool2d(9)(x4)", "nn.MaxPool2d((2, -1))",
    "nn.AvgPool2d(2.0)", "nn.AvgPool2d(2)(x2)", "nn.AvgPool2d(2, 2, 'pad', 1, divisor_override=0)",
    "nn.AvgPool2d(2, 2, 'pad', 'a')", "nn.AvgPool2d(9)(x4)", "nn.AvgPool1d(2)(x4)",
    "nn.AdaptiveAvgPool1d('a')", "nn.AdaptiveAvgPool1d(0)", "nn.AdaptiveAvgPool1d(4)(x3)",
    "nn.AdaptiveAvgPool2d('a')", "nn.AdaptiveAvgPool2d((1, 2, 3))(x4)",
    "nn.AdaptiveMaxPool1d(2)(x4)", "nn.AdaptiveMaxPool1d(9)(x3)",
    "nn.BatchNorm1d(0)", "nn.BatchNorm1d('a')", "nn.BatchNorm2d(2, momentum=2)",
    "nn.BatchNorm2d(2, use_batch_statistics='a')", "nn.BatchNorm2d(2)(x2)", "nn.BatchNorm1d(2)(x4)",
    "nn.BatchNorm2d(3)(x4)", "nn.BatchNorm2d(2, data_format='NHWC')", "nn.BatchNorm3d(2)(x4)",
    "nn.GroupNorm(2, 3)", "nn.GroupNorm(0, 3)", "nn.GroupNorm(1, 2, eps=1)",
    "nn.GroupNorm(1, 2, affine=1)", "nn.GroupNorm(1, 3)(x4)",
    "nn.ZeroPad2d('a')", "nn.ZeroPad2d((1, 1, 1))", "nn.ConstantPad1d((1, 1, 1, 1), 0)",
    "nn.ConstantPad2d(1, 'a')", "nn.ConstantPad2d((1,) * 6, 0)", "nn.ReflectionPad1d('a')",
    "nn.ReflectionPad1d((1, -1))", "nn.ReflectionPad1d((1, 1, 1))",
    "nn.ReflectionPad1d((9, 9))(x3)",
    "nn.ReflectionPad1d((1.0, 1))", "nn.ReplicationPad1d((1, 1, 1))", "nn.ReplicationPad1d('a')",
    "nn.Pad((1, 2))(x2)", "nn.Pad(((1, 2), (0, 0)), 'a')", "nn.Pad([[1, 2]])",
    "nn.Unfold(1, 2, 3)", "nn.Unfold([1, 2, 2], [1, 1, 1, 1], [1, 1, 1, 1])",
    "nn.Unfold([1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], 'a')",
    "nn.LRN('a')(x4)", "nn.LRN(-1)(x4)", "nn.LRN(1, norm_region='a')(x4)", "nn.LRN(1)(x2)",
    "nn.PixelShuffle(2)(x4)", "nn.PixelShuffle('a')(x4)", "nn.PixelShuffle(0)(x4)",
    "nn.PixelUnshuffle(3)(x4)", "nn.ChannelShuffle(3)(x4)", "nn.ChannelShuffle('a')",
    "nn.ChannelShuffle(0)",
    "ops.pad(x3, (1,))", "ops.pad(x3, (1, 1), 'a')", "ops.pad(x3, (9, 9), 'reflect')",
    "ops.pad(x3, (1, 1), 'reflect', 1)", "ops.pad(x3, (1, 1) * 4)", "ops.pad(x3, 'a')",
    "ops.pad(x3, (1.5, 1))", "ops.pad(x3, (-9, 0))", "ops.pad(x2, (1, 1, 1, 1), 'reflect')",
    "ops.interpolate(x4)", "ops.interpolate(x4, 2, 2.0)", "ops.interpolate(x4, mode='a', size=2)",
    "ops.interpolate(x4, (2, 2), mode='linear')", "ops.interpolate(x4, (2, 2), align_corners=True)",
    "ops.interpolate(x4, 'a')", "ops.interpolate(x4, (2, 2, 2))",
    "ops.interpolate(x4, scale_factor=-1.0)", "ops.interpolate(x4, scale_factor='a')",
    "ops.interpolate(i4, (2, 2), mode='bilinear')", "ops.interpolate(x2, 2)",
    "ops.group_norm(x4, 3)", "ops.group_norm(x4, 'a')", "ops.group_norm(i4, 2)",
    "ops.group_norm(x4, 0)", "ops.max_pool2d(x4, 'a')", "ops.max_pool2d(x4, 0)",
    "ops.max_pool2d(x2, 2)", "ops.avg_pool2d(x4, 0)", "ops.avg_pool2d(x4, 2, 0)",
    "ops.avg_pool2d(x4, 2, 1, -1)", "ops.avg_pool2d(x4, 2, 1, 2)", "ops.avg_pool1d(x4, 2)",
    "ops.avg_pool2d(x2, 2)", "ops.avg_pool2d(i4, 2)", "ops.max_pool2d(x4, 2, 2, 2)",
    "ops.unfold(x4, 'a')", "ops.unfold(x2, 2)", "ops.lrn(x2)", "ops.pixel_shuffle(x2, 2)",
    "ops.adaptive_avg_pool2d(x4, (1, 2, 3))", "ops.adaptive_avg_pool2d(x2, 2)",
    "ops.adaptive_avg_pool2d(x4, -1)", "ops.adaptive_max_pool2d(x4, 0)",
    "ops.bias_add(x4, x2)", "ops.channel_shuffle(x4, 3)", "ops.lp_pool2d(x4, 2, 0)",
    "ops.batch_norm(x4, o3, o3, o3, o3)", "ops.batch_norm(x4, o2, o2, o2, 1)",
)  # fmt: skip

REPRS = (
    "nn.Conv2d(2, 3, 3, weight_init='ones')", "nn.Conv1d(2, 3, 3, weight_init='ones')",
    "nn.Conv2dTranspose(2, 3, 3, 2, weight_init='ones', has_bias=True, bias_init='zeros')",
    "nn.Conv3d(2, 4, 3, weight_init='ones')", "nn.MaxPool2d(2)", "nn.AvgPool2d((2, 3), 2, 'same')",
    "nn.MaxPool1d(2)", "nn.AvgPool1d(2)", "nn.MaxPool3d(2)",
    "nn.BatchNorm2d(3)", "nn.BatchNorm3d(3)", "nn.GroupNorm(2, 4)", "nn.ZeroPad2d(1)",
    "nn.PixelShuffle(2)", "nn.ChannelShuffle(2)", "nn.Upsample(scale_factor=2.0)",
    "nn.AdaptiveAvgPool2d(2)", "nn.LPPool1d(2, 3)", "nn.ReflectionPad1d(1)",
    "nn.LRN()", "nn.Unfold([1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1])", "nn.Pad(((1, 1),))",
)  # fmt: skip


def operands(make):
    """What the texts of ERRORS name: x4 is (1, 2, 4, 4), and so on."""
    shapes = {"x2": (2, 4), "x3": (1, 2, 6), "x4": (1, 2, 4, 4), "w4": (3, 2, 2, 2),
              "o2": (2,), "o3": (3,)}  # fmt: skip
    made = {name: make(np.ones(shape, np.float32)) for name, shape in shapes.items()}
    return made | {"i4": make(np.ones((1, 2, 4, 4), np.int32))}
