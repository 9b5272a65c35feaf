"""Layers with Parameters: Dense, LayerNorm, Embedding; and Flatten."""

import math

from .. import dtype as dtypes
from .. import ops
from ..common.initializer import Uniform, initializer
from ..common.parameter import Parameter
from ..engine import errors
from .activations import activation_named
from .cell import Cell


def _positive(layer, name, value):
    if type(value) is not int:
        raise errors.InvalidType(
            f"For '{layer}', the '{name}' must be int, but got '{type(value).__name__}'"
        )
    if value <= 0:
        raise errors.InvalidValue(
            f"For '{layer}', the '{name}' must be int and must > 0, "
            f"but got '{value}' with type 'int'."
        )
    return value


def _flag(layer, name, value):
    if not isinstance(value, bool):
        raise errors.InvalidType(
            f"For '{layer}', the '{name}' must be a bool, but got {type(value).__name__}."
        )
    return value


class Dense(Cell):
    """x @ weight.T + bias; weight has one row per output.

    >>> from ms_ext import Tensor
    >>> layer = Dense(3, 2, weight_init=Tensor([[1.0, 2, 3], [4, 5, 6]]), bias_init="zeros")
    >>> layer(Tensor([[1.0, 1, 1]]))
    Tensor(shape=[1, 2], dtype=Float32, value=
    [[ 6.00000000e+00,  1.50000000e+01]])
    """

    def __init__(
        self, in_channels, out_channels, weight_init=None, bias_init=None, has_bias=True,
        activation=None, dtype=dtypes.float32,
    ):  # fmt: skip
        super().__init__()
        self.in_channels = _positive("Dense", "in_channels", in_channels)
        self.out_channels = _positive("Dense", "out_channels", out_channels)
        self.has_bias = _flag("Dense", "has_bias", has_bias)
        spread = Uniform(1 / math.sqrt(in_channels))
        weight = initializer(
            spread if weight_init is None else weight_init, (out_channels, in_channels), dtype
        )
        self.weight = Parameter(weight, name="weight")
        self.bias = None
        if has_bias:
            bias = initializer(spread if bias_init is None else bias_init, (out_channels,), dtype)
            self.bias = Parameter(bias, name="bias")
        self.activation = activation_named(activation)

    def construct(self, x):
        """The outputs for each row of x."""
        x = ops.linear(x, self.weight, self.bias)
        return x if self.activation is None else self.activation(x)

    def extend_repr(self):
        """The sizes."""
        sizes = f"input_channels={self.in_channels}, output_channels={self.out_channels}"
        shown = f"{sizes}, has_bias={self.has_bias}"
        return shown if self.activation is None else f"{shown}, activation={self.activation!r}"


class LayerNorm(Cell):
    """Each row shifted to mean 0 and scaled to variance 1; then times gamma, plus beta.

    >>> from ms_ext import Tensor
    >>> LayerNorm((2,), epsilon=0.0)(Tensor([[1.0, 3.0]]))
    Tensor(shape=[1, 2], dtype=Float32, value=
    [[-1.00000000e+00,  1.00000000e+00]])
    """

    def __init__(
        self, normalized_shape, begin_norm_axis=-1, begin_params_axis=-1, gamma_init="ones",
        beta_init="zeros", epsilon=1e-7, dtype=dtypes.float32,
    ):  # fmt: skip
        super().__init__()
        if not isinstance(normalized_shape, tuple | list):
            raise errors.InvalidType(
                "For 'LayerNorm', the type of 'normalized_shape' must be tuple[int] or list[int], "
                f"but got {normalized_shape} and the type is {type(normalized_shape)}."
            )
        self.normalized_shape = tuple(normalized_shape)
        self.begin_norm_axis, self.begin_params_axis = begin_norm_axis, begin_params_axis
        self.epsilon = epsilon
        self.gamma = Parameter(initializer(gamma_init, self.normalized_shape, dtype), name="gamma")
        self.beta = Parameter(initializer(beta_init, self.normalized_shape, dtype), name="beta")

    def construct(self, x):
        """The normalized rows."""
        return ops.LayerNorm(
            x, self.gamma, self.beta, begin_norm_axis=self.begin_norm_axis,
            begin_params_axis=self.begin_params_axis, epsilon=self.epsilon,
        )[0]  # fmt: skip

    def extend_repr(self):
        """The shape, the axes, the Parameters."""
        return (
            f"normalized_shape={self.normalized_shape}, begin_norm_axis={self.begin_norm_axis}, "
            f"begin_params_axis={self.begin_params_axis}, gamma={self.gamma!r}, beta={self.beta!r}"
        )


class Embedding(Cell):
    """A table with a row of numbers per id.

    >>> from ms_ext import Tensor
    >>> Embedding(4, 2)(Tensor([1, 3])).shape
    (2, 2)
    """

    def __init__(
        self, vocab_size, embedding_size, use_one_hot=False, embedding_table="normal",
        dtype=dtypes.float32, padding_idx=None,
    ):  # fmt: skip
        super().__init__()
        self.vocab_size = _positive("Embedding", "vocab_size", vocab_size)
        self.embedding_size = _positive("Embedding", "embedding_size", embedding_size)
        self.use_one_hot, self.padding_idx, self.dtype = use_one_hot, padding_idx, dtype
        table = initializer(embedding_table, (vocab_size, embedding_size), dtype)
        if padding_idx is not None:
            self._check_padding(padding_idx)
            table[padding_idx] = 0
        self.embedding_table = Parameter(table, name="embedding_table")

    def _check_padding(self, index):
        if not 0 <= index < self.vocab_size:
            raise errors.InvalidValue(
                f"For 'Embedding', the 'padding_idx' must be in range of [0, {self.vocab_size}), "
                f"but got {index} with type '{type(index).__name__}'."
            )

    def construct(self, ids):
        """The row of each id."""
        return ops.gather(self.embedding_table, ids, 0)

    def extend_repr(self):
        """The sizes."""
        return (
            f"vocab_size={self.vocab_size}, embedding_size={self.embedding_size}, "
            f"use_one_hot={self.use_one_hot}, embedding_table={self.embedding_table!r}, "
            f"dtype={self.dtype}, padding_idx={self.padding_idx}"
        )


class Flatten(Cell):
    """The axes from ``start_dim`` to ``end_dim`` made one; by default all but the first.

    >>> from ms_ext import ops
    >>> Flatten()(ops.ones((2, 3, 4))).shape
    (2, 12)
    """

    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def construct(self, x):
        """The flattened x."""
        return ops.flatten(x, start_dim=self.start_dim, end_dim=self.end_dim)
