"""Dropout of whole channels: what belongs together in an image is dropped, or kept, together.

>>> x = ops.ones((4, 8, 2, 2))
>>> kept = ops.dropout2d(x, 0.5)
>>> bool((kept == kept[:, :, :1, :1]).all())
True
"""

from .. import ops
from ..engine import errors
from .composite import composite
from .randomness import next_draw


@composite("dropout1d")
def dropout1d(input, p=0.5, training=True):
    """Each row of [N, C, L] or [C, L] 0 with probability ``p``, else 1 / (1 - p) times as large.

    Errors: TypeError for a p that is no float, ValueError outside [0, 1] or for other axes.

    >>> ops.dropout1d(ops.ones((2, 3)), 1.0)
    Tensor(shape=[2, 3], dtype=Float32, value=
    [[ 0.00000000e+00,  0.00000000e+00,  0.00000000e+00],
     [ 0.00000000e+00,  0.00000000e+00,  0.00000000e+00]])
    """
    if type(p) is not float:
        raise errors.InvalidType(f"'p' must be float, but got type {type(p)}.")
    return _dropped(input, p, training, (2, 3), 1)


@composite("dropout2d", "mint.nn.functional.dropout2d")
def dropout2d(input, p=0.5, training=True):
    """Each channel of [N, C, H, W] 0 with probability ``p``, else 1 / (1 - p) times as large.

    Errors: ValueError for a p outside [0, 1] or other axes, TypeError for options of another type.

    >>> ops.dropout2d(ops.ones((1, 2, 1, 1)), 0.5, training=False).shape
    (1, 2, 1, 1)
    """
    return _dropped(input, p, training, (4,), 2)


@composite("dropout3d")
def dropout3d(input, p=0.5, training=True):
    """Each channel of [N, C, D, H, W] 0 with probability ``p``, else 1 / (1 - p) times as large.

    >>> ops.dropout3d(ops.ones((1, 2, 1, 1, 1)), 0.0).shape
    (1, 2, 1, 1, 1)
    """
    return _dropped(input, p, training, (5,), 3)


def _dropped(x, p, training, wanted, inside):
    """``inside``: how many of the last axes are dropped together."""
    if not isinstance(training, bool):
        raise errors.InvalidType(
            f"the 'training' must be a bool, but got {type(training).__name__}."
        )
    if isinstance(p, bool) or not isinstance(p, int | float):
        raise errors.InvalidType(f"the 'p' must be a number, but got {type(p).__name__}.")
    if not 0 <= p <= 1:
        raise errors.InvalidValue(f"the 'p' must be a number in range [0, 1], but got {p}.")
    if not training:
        return x
    if x.ndim not in wanted:
        axes = " or ".join(map(str, wanted))
        raise errors.InvalidValue(
            f"the rank of input must be equal to {axes}, but got {x.ndim}.",
            given=f"shape {list(x.shape)}",
        )
    seed, offset = next_draw()
    shape = x.shape[:-inside] + (1,) * inside
    drawn = ops.UniformReal(seed=seed, offset=offset, shape=shape, dtype="float32")
    scale = ops.cast(drawn < 1 - p, "float32") * (1 / (1 - p) if p < 1 else 0.0)
    return x * ops.cast(scale, x.dtype)
