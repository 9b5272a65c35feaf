"""Calls of mint's layers and functions of windows, with what PyTorch calls the same.

``record_mint_vision.py`` keeps PyTorch's answers; MindSpore has no CPU kernels for most of them.
"""

import numpy as np

#: name -> (ours, torch's, shapes of the operands)
CASES = {
    text: (text.replace("F.", "mint.nn.functional."), text, shapes)
    for text, *shapes in (
        ("F.conv1d(x, w, stride=2, padding=1)", (2, 3, 7), (4, 3, 3)),
        ("F.conv2d(x, w, padding='same', dilation=2)", (1, 2, 5, 6), (3, 2, 3, 2)),
        ("F.conv2d(x, w, padding=(1, 2), stride=(2, 1), groups=2)", (1, 4, 5, 6), (6, 2, 3, 2)),
        ("F.conv2d(x, w)", (2, 5, 6), (3, 2, 3, 2)),
        ("F.conv3d(x, w, padding=1)", (1, 2, 3, 4, 3), (3, 2, 2, 2, 2)),
        ("F.conv_transpose2d(x, w, stride=2, padding=1, output_padding=1)",
         (1, 3, 3, 4), (3, 2, 3, 3)),
        ("F.conv_transpose2d(x, w, stride=3, padding=0, output_padding=(2, 1), groups=2)",
         (1, 4, 3, 4), (4, 2, 2, 3)),
        ("F.conv_transpose2d(x, w, dilation=3, output_padding=2)", (1, 2, 3, 3), (2, 2, 2, 2)),
        ("F.max_pool2d(x, 3, 2, 1)", (1, 2, 5, 6)),
        ("F.max_pool2d(x, (2, 3), 1, (1, 0), 2)", (1, 2, 5, 6)),
        ("F.max_pool2d(x, 3, 2, 1, ceil_mode=True)", (1, 2, 6, 6)),
        ("F.max_pool2d(x, 2, return_indices=True)", (2, 5, 6)),
        ("F.avg_pool1d(x, 3, 2, 1)", (1, 2, 7)),
        ("F.avg_pool2d(x, 3, 2, 1, True, False)", (1, 2, 6, 6)),
        ("F.avg_pool2d(x, 3, 2, 1, True, True)", (1, 2, 6, 6)),
        ("F.avg_pool2d(x, 2, divisor_override=3)", (1, 2, 5, 4)),
        ("F.avg_pool3d(x, 2, 1, 1)", (1, 2, 3, 3, 3)),
        ("F.adaptive_avg_pool1d(x, 3)", (1, 2, 7)),
        ("F.adaptive_avg_pool2d(x, (3, 2))", (1, 2, 5, 7)),
        ("F.adaptive_avg_pool3d(x, (2, 3, 1))", (1, 2, 3, 5, 4)),
        ("F.adaptive_max_pool1d(x, 3)", (1, 2, 7)),
        ("F.adaptive_max_pool2d(x, (3, 2))", (1, 2, 5, 7)),
        ("F.batch_norm(x, None, None, training=True)", (3, 2, 4)),
        ("F.group_norm(x, 2)", (2, 4, 3, 2)),
        ("F.pad(x, (1, 2, 0, 1), 'reflect')", (1, 2, 3, 4)),
        ("F.pad(x, (2, 1), 'replicate')", (1, 2, 3)),
        ("F.pad(x, (2, 1, 0, 1), 'circular')", (1, 2, 3, 4)),
        ("F.pad(x, (1, -1, 0, 2), value=0.5)", (1, 2, 3, 4)),
        ("F.unfold(x, (2, 3), 1, 1, (2, 1))", (1, 2, 4, 5)),
        ("F.fold(x, (4, 5), (2, 3), 1, 1, (2, 1))", (1, 12, 15)),
        ("F.interpolate(x, scale_factor=1.7)", (1, 2, 3, 4)),
        ("F.interpolate(x, (5, 7), mode='nearest-exact')", (1, 2, 3, 4)),
        ("F.interpolate(x, scale_factor=1.7, mode='bilinear')", (1, 2, 3, 4)),
        ("F.interpolate(x, scale_factor=1.7, mode='bilinear', recompute_scale_factor=True)",
         (1, 2, 3, 4)),
        ("F.interpolate(x, (5, 7), mode='bilinear', align_corners=True)", (1, 2, 3, 4)),
        ("F.interpolate(x, (5, 7), mode='bicubic')", (1, 2, 3, 4)),
        ("F.interpolate(x, (2, 9), mode='bicubic', align_corners=True)", (1, 2, 3, 4)),
        ("F.interpolate(x, 7, mode='linear')", (1, 2, 3)),
        ("F.interpolate(x, (2, 5, 3), mode='trilinear', align_corners=True)", (1, 2, 3, 4, 2)),
        ("F.interpolate(x, (2, 7), mode='area')", (1, 2, 3, 4)),
        ("F.pixel_shuffle(x, 2)", (1, 8, 2, 3)),
    )
}  # fmt: skip


def inputs(shapes):
    """Float64 numbers without ties, the same on every machine."""
    for number, shape in enumerate(shapes):
        rng = np.random.default_rng(number)
        yield rng.permutation(np.linspace(-2, 2, int(np.prod(shape)))).reshape(shape)


def weight(shape):
    """What each element of a result counts."""
    return np.linspace(0.5, 1.5, int(np.prod(shape))).reshape(shape)
