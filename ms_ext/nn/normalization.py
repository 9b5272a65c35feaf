"""Normalization over batches, groups and instances as Cells, with what they learn and remember.

>>> from ms_ext import Tensor
>>> layer = BatchNorm1d(3).set_train()
>>> _ = layer(Tensor([[1.0, 2.0, 3.0], [4.0, 8.0, 6.0]]))
>>> print(layer.moving_mean.asnumpy().round(2), layer.moving_variance.asnumpy().round(2))
[0.25 0.5  0.45] [1.35 2.7  1.35]
"""

from .. import dtype as dtypes
from .. import ops
from ..common.initializer import Initializer, initializer
from ..common.parameter import Parameter
from ..engine import errors
from ..engine.tensor import Tensor
from ..ops.normalize_batches import follow
from ..ops.normalize_groups import statistics
from .arguments import check_flag, check_positive, check_type
from .cell import Cell
from .convolutions import check_format


def _per_channel(cell, count, affine, inits, dtype):
    """The four Parameters: what is remembered has no gradient; what is learned only if affine."""
    mean, variance, gamma, beta = (initializer(init, (count,), dtype) for init in inits)
    cell.moving_mean = Parameter(mean, name="mean", requires_grad=False)
    cell.moving_variance = Parameter(variance, name="variance", requires_grad=False)
    cell.gamma = Parameter(gamma, name="gamma", requires_grad=affine)
    cell.beta = Parameter(beta, name="beta", requires_grad=affine)


def _shown(cell, momentum):
    return (
        f"num_features={cell.num_features}, eps={cell.eps}, momentum={momentum}, "
        f"gamma={cell.gamma!r}, beta={cell.beta!r}, moving_mean={cell.moving_mean!r}, "
        f"moving_variance={cell.moving_variance!r}"
    )


def _check_features(layer, count, momentum):
    check_type(layer, "num_features", count, int)
    if count < 1:
        raise errors.InvalidValue(
            f"For '{layer}', the 'num_features' must be at least 1, but got {count}."
        )
    if not 0 <= momentum <= 1:
        raise errors.InvalidValue(
            f"For '{layer}', the 'momentum' must be a number in range [0, 1], but got {momentum}."
        )


def _check_rank(layer, x, *ranks):
    if x.ndim not in ranks:
        wanted = " or ".join(map(str, ranks))
        raise errors.InvalidValue(
            f"For '{layer}', the in_shape must have {wanted} dims, but got {x.ndim}."
        )


class BatchNorm(Cell):
    """What BatchNorm1d, 2d and 3d have in common.

    While it is trained (or with ``use_batch_statistics=True``) each channel is normalized by the
    mean and variance of the batch, and the moving ones follow: of the old there stays ``momentum``,
    0.9. Else the moving ones are taken.
    """

    ranks = (4,)

    def __init__(
        self, num_features, eps=1e-5, momentum=0.9, affine=True, gamma_init="ones",
        beta_init="zeros", moving_mean_init="zeros", moving_var_init="ones",
        use_batch_statistics=None, data_format="NCHW", dtype=dtypes.float32,
    ):  # fmt: skip
        super().__init__()
        _check_features(self.cls_name, num_features, momentum)
        check_format(self.cls_name, data_format)
        if use_batch_statistics is not None and not isinstance(use_batch_statistics, bool):
            raise errors.InvalidValue(
                f"For '{self.cls_name}', the 'use_batch_statistics' must be a boolean value or "
                f"None, but got {use_batch_statistics}."
            )
        self.use_batch_statistics, self.num_features = use_batch_statistics, num_features
        self.eps, self.momentum = eps, 1.0 - momentum
        inits = (moving_mean_init, moving_var_init, gamma_init, beta_init)
        _per_channel(self, num_features, affine, inits, dtype)

    def construct(self, x):
        """The normalized x."""
        _check_rank(self.cls_name, x, *self.ranks)
        known = self.use_batch_statistics
        of_batch = self.training if known is None else known
        return ops.batch_norm(
            x, self.moving_mean, self.moving_variance, self.gamma, self.beta, of_batch,
            self.momentum, self.eps,
        )  # fmt: skip

    def extend_repr(self):
        """The numbers and the Parameters."""
        return _shown(self, 1.0 - self.momentum)


class BatchNorm1d(BatchNorm):
    """Each column of x (N, C), or each channel of x (N, C, L), normalized over the batch.

    >>> from ms_ext import Tensor
    >>> layer = BatchNorm1d(1, eps=0.0).set_train()
    >>> layer(Tensor([[1.0], [3.0]])).asnumpy().tolist(), [p.name for p in layer.get_parameters()]
    ([[-1.0], [1.0]], ['mean', 'variance', 'gamma', 'beta'])
    """

    ranks = (2, 3)


class BatchNorm2d(BatchNorm):
    """Each channel of x (N, C, H, W) normalized over the batch.

    >>> from ms_ext import ops
    >>> BatchNorm2d(3)(ops.ones((2, 3, 4, 4))).shape
    (2, 3, 4, 4)
    """


class BatchNorm3d(Cell):
    """Each channel of x (N, C, D, H, W) normalized over the batch, by a BatchNorm2d inside.

    >>> [p.name for p in BatchNorm3d(3).get_parameters()][:2]
    ['bn2d.moving_mean', 'bn2d.moving_variance']
    """

    def __init__(
        self, num_features, eps=1e-5, momentum=0.9, affine=True, gamma_init="ones",
        beta_init="zeros", moving_mean_init="zeros", moving_var_init="ones",
        use_batch_statistics=None, dtype=dtypes.float32,
    ):  # fmt: skip
        super().__init__()
        self.bn2d = BatchNorm2d(
            num_features, eps, momentum, affine, gamma_init, beta_init, moving_mean_init,
            moving_var_init, use_batch_statistics, dtype=dtype,
        )  # fmt: skip

    def construct(self, x):
        """The normalized x."""
        _check_rank("BatchNorm3d", x, 5)
        n, c, d, h, w = x.shape
        return ops.reshape(self.bn2d(ops.reshape(x, (n, c, d * h, w))), x.shape)


class InstanceNorm(Cell):
    """What InstanceNorm1d, 2d and 3d have in common: each channel of each sample by itself.

    While it is trained, the moving mean and variance follow those of the samples, on average, by a
    share of ``momentum``, 0.1; they are never read.
    """

    ranks = (4,)

    def __init__(
        self, num_features, eps=1e-5, momentum=0.1, affine=True, gamma_init="ones",
        beta_init="zeros", dtype=dtypes.float32,
    ):  # fmt: skip
        super().__init__()
        _check_features(self.cls_name, num_features, momentum)
        check_flag(self.cls_name, "affine", affine)
        for name, init in (("gamma_init", gamma_init), ("beta_init", beta_init)):
            if not isinstance(init, Tensor | int | float | str | Initializer):
                raise errors.InvalidType(
                    f"For '{self.cls_name}', the type of '{name}' must be in [Tensor, "
                    f"numbers.Number, str, Initializer], but got type {type(init).__name__}."
                )
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        _per_channel(self, num_features, affine, ("zeros", "ones", gamma_init, beta_init), dtype)

    def construct(self, x):
        """The normalized x."""
        _check_rank(self.cls_name, x, *self.ranks)
        y, mean, variance = statistics(x, self.num_features, self.eps)
        if self.training:
            follow(self.moving_mean, ops.mean(mean, 0), self.momentum)
            follow(self.moving_variance, ops.mean(variance, 0), self.momentum)
        shape = (1, self.num_features, *(1,) * (len(x.shape) - 2))
        return y * ops.reshape(self.gamma, shape) + ops.reshape(self.beta, shape)

    def extend_repr(self):
        """The numbers and the Parameters."""
        return _shown(self, self.momentum)


class InstanceNorm1d(InstanceNorm):
    """Each channel of each sample of x (N, C, L) normalized by itself.

    >>> from ms_ext import Tensor
    >>> InstanceNorm1d(1, eps=0.0)(Tensor([[[1.0, 3.0]], [[5.0, 9.0]]])).asnumpy().tolist()
    [[[-1.0, 1.0]], [[-1.0, 1.0]]]
    """

    ranks = (3,)


class InstanceNorm2d(InstanceNorm):
    """Each channel of each sample of x (N, C, H, W) normalized by itself.

    >>> from ms_ext import ops
    >>> InstanceNorm2d(3)(ops.ones((2, 3, 4, 4))).shape
    (2, 3, 4, 4)
    """


class InstanceNorm3d(InstanceNorm):
    """Each channel of each sample of x (N, C, D, H, W) normalized by itself.

    >>> from ms_ext import ops
    >>> InstanceNorm3d(3)(ops.ones((2, 3, 4, 4, 2))).shape
    (2, 3, 4, 4, 2)
    """

    ranks = (5,)


def check_groups(num_groups, num_channels, eps, affine):
    """The arguments of a GroupNorm: the channels are so many groups of one size.

    >>> check_groups(2, 4, 1e-5, True)
    """
    check_positive("GroupNorm", "num_groups", num_groups)
    check_positive("GroupNorm", "num_channels", num_channels)
    if num_channels % num_groups:
        raise errors.InvalidValue(
            "For 'GroupNorm', the 'num_channels' must be divided by 'num_groups', but got "
            f"'num_channels': {num_channels}, 'num_groups': {num_groups}."
        )
    check_type("GroupNorm", "eps", eps, float)
    check_flag("GroupNorm", "affine", affine)


class GroupNorm(Cell):
    """Each group of channels of each sample normalized by itself; then times gamma, plus beta.

    >>> from ms_ext import Tensor
    >>> GroupNorm(2, 4, eps=0.0)(Tensor([[1.0, 3.0, 10.0, 30.0]])).asnumpy().tolist()
    [[-1.0, 1.0, -1.0, 1.0]]
    """

    def __init__(
        self, num_groups, num_channels, eps=1e-5, affine=True, gamma_init="ones",
        beta_init="zeros", dtype=dtypes.float32,
    ):  # fmt: skip
        super().__init__()
        check_groups(num_groups, num_channels, eps, affine)
        self.num_groups, self.num_channels = num_groups, num_channels
        self.eps, self.affine = eps, affine
        gamma, beta = (initializer(i, (num_channels,), dtype) for i in (gamma_init, beta_init))
        self.gamma = Parameter(gamma, name="gamma", requires_grad=affine)
        self.beta = Parameter(beta, name="beta", requires_grad=affine)

    def construct(self, x):
        """The normalized x."""
        gamma, beta = ops.cast(self.gamma, x.dtype), ops.cast(self.beta, x.dtype)
        return ops.group_norm(x, self.num_groups, gamma, beta, self.eps)

    def extend_repr(self):
        """The numbers."""
        return f"num_groups={self.num_groups}, num_channels={self.num_channels}"


class LRN(Cell):
    """x divided by a power of the sum of squares of its neighbouring channels.

    >>> from ms_ext import ops
    >>> LRN(bias=3.0)(ops.ones((1, 1, 1, 1))).asnumpy().tolist()
    [[[[0.5]]]]
    """

    def __init__(
        self, depth_radius=5, bias=1.0, alpha=1.0, beta=0.5, norm_region="ACROSS_CHANNELS"
    ):
        super().__init__()
        check_type("LRN", "depth_radius", depth_radius, int)
        self.how = (depth_radius, bias, alpha, beta, norm_region)

    def construct(self, input_x):
        """The divided x."""
        return ops.lrn(input_x, *self.how)
