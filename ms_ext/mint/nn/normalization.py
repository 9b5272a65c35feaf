"""Normalization with PyTorch's names and options, as Cells.

>>> from ms_ext import Tensor
>>> layer = BatchNorm1d(1).set_train()
>>> _ = layer(Tensor([[1.0], [3.0]]))
>>> print(layer.running_mean.asnumpy(), int(layer.num_batches_tracked))
[0.2] 1
"""

from ... import dtype as dtypes
from ... import nn, ops
from ...common.initializer import initializer
from ...common.parameter import Parameter
from ...engine import errors
from ...engine.tensor import Tensor
from ...nn.arguments import check_positive
from ...nn.normalization import check_groups
from . import functional


class BatchNorm(nn.Cell):
    """What BatchNorm1d, 2d and 3d have in common.

    While it is trained each channel is normalized by the mean and variance of the batch, and the
    running ones move towards them by a share of ``momentum``; else the running ones are taken, or
    those of the batch if there are none.
    """

    ranks = (4,)

    def __init__(
        self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True,
        dtype=None,
    ):  # fmt: skip
        super().__init__()
        self.num_features = check_positive(self.cls_name, "num_features", num_features)
        self.eps, self.momentum, self.affine = eps, momentum, affine
        self.track_running_stats, dtype = track_running_stats, dtype or dtypes.float32
        self.weight = self.bias = None
        self.running_mean = self.running_var = self.num_batches_tracked = None
        if affine:
            self.weight = self._parameter("weight", "ones", dtype, True)
            self.bias = self._parameter("bias", "zeros", dtype, True)
        if track_running_stats:
            self.running_mean = self._parameter("running_mean", "zeros", dtype, False)
            self.running_var = self._parameter("running_var", "ones", dtype, False)
            count = Tensor(0, dtypes.int64)
            self.num_batches_tracked = Parameter(
                count, name="num_batches_tracked", requires_grad=False
            )

    def _parameter(self, name, init, dtype, learned):
        first = initializer(init, (self.num_features,), dtype)
        return Parameter(first, name=name, requires_grad=learned)

    def construct(self, input):
        """The normalized x."""
        if input.ndim not in self.ranks:
            wanted = " or ".join(f"{n}D" for n in self.ranks)
            raise errors.InvalidValue(
                f"For '{self.cls_name}', expected {wanted} input, but got {input.ndim}D input."
            )
        if self.training and self.track_running_stats:
            ops.assign_add(self.num_batches_tracked, 1)
        return functional.batch_norm(
            input, self.running_mean, self.running_var, self.weight, self.bias,
            self.training or not self.track_running_stats, self._share(), self.eps,
        )  # fmt: skip

    def _share(self):
        if self.momentum is not None:
            return self.momentum
        count = self.num_batches_tracked
        return 0.0 if count is None or not self.training else 1 / ops.cast(count, dtypes.float32)

    def extend_repr(self):
        """The options."""
        return (
            f"num_features={self.num_features}, eps={self.eps}, momentum={self.momentum}, "
            f"affine={self.affine}, track_running_stats={self.track_running_stats}"
        )


class BatchNorm1d(BatchNorm):
    """Each column of x (N, C), or each channel of x (N, C, L), normalized over the batch.

    >>> from ms_ext import Tensor
    >>> BatchNorm1d(1, eps=0.0).set_train()(Tensor([[1.0], [3.0]])).asnumpy().tolist()
    [[-1.0], [1.0]]
    """

    ranks = (2, 3)


class BatchNorm2d(BatchNorm):
    """Each channel of x (N, C, H, W) normalized over the batch.

    >>> from ms_ext import ops
    >>> BatchNorm2d(3)(ops.ones((2, 3, 4, 4))).shape
    (2, 3, 4, 4)
    """


class BatchNorm3d(BatchNorm):
    """Each channel of x (N, C, D, H, W) normalized over the batch.

    >>> from ms_ext import ops
    >>> BatchNorm3d(3)(ops.ones((2, 3, 4, 4, 2))).shape
    (2, 3, 4, 4, 2)
    """

    ranks = (5,)


class GroupNorm(nn.Cell):
    """Each group of channels of each sample normalized by itself; then times weight, plus bias.

    >>> from ms_ext import Tensor
    >>> GroupNorm(2, 4, eps=0.0)(Tensor([[1.0, 3.0, 10.0, 30.0]])).asnumpy().tolist()
    [[-1.0, 1.0, -1.0, 1.0]]
    """

    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, dtype=None):
        super().__init__()
        check_groups(num_groups, num_channels, eps, affine)
        self.num_groups, self.num_channels = num_groups, num_channels
        self.eps, self.affine, dtype = eps, affine, dtype or dtypes.float32
        weight, bias = (initializer(i, (num_channels,), dtype) for i in ("ones", "zeros"))
        self.weight = Parameter(weight, name="weight", requires_grad=affine)
        self.bias = Parameter(bias, name="bias", requires_grad=affine)

    def construct(self, input):
        """The normalized x."""
        return functional.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extend_repr(self):
        """The options."""
        return (
            f"num_groups={self.num_groups}, num_channels={self.num_channels}, eps={self.eps}, "
            f"affine={self.affine}"
        )


class LayerNorm(nn.Cell):
    """The last axes shifted to mean 0 and scaled to variance 1; then times weight, plus bias.

    >>> from ms_ext import Tensor
    >>> LayerNorm(2, eps=0.0)(Tensor([[1.0, 3.0]])).asnumpy().tolist()
    [[-1.0, 1.0]]
    """

    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, dtype=None):
        super().__init__()
        shape = (normalized_shape,) if type(normalized_shape) is int else normalized_shape
        if not isinstance(shape, tuple | list):
            raise errors.InvalidType(
                "For 'LayerNorm', the type of 'normalized_shape' must be int, tuple[int] or "
                f"list[int], but got {shape} and the type is {type(shape)}."
            )
        if not shape:
            raise errors.InvalidValue("For 'LayerNorm', the 'normalized_shape' must not be empty.")
        self.normalized_shape, self.eps = tuple(shape), eps
        self.elementwise_affine, dtype = elementwise_affine, dtype or dtypes.float32
        self.weight = self.bias = None
        if elementwise_affine:
            self.weight = Parameter(initializer("ones", self.normalized_shape, dtype), "weight")
            if bias:
                self.bias = Parameter(initializer("zeros", self.normalized_shape, dtype), "bias")

    def construct(self, input):
        """The normalized rows."""
        return functional.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extend_repr(self):
        """The options."""
        return (
            f"normalized_shape={self.normalized_shape}, eps={self.eps}, "
            f"elementwise_affine={self.elementwise_affine}"
        )
