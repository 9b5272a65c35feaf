"""Layers with Parameters: Dense, Linear, BiDense; LayerNorm."""

import math

from .. import dtype as dtypes
from .. import ops
from ..common.initializer import HeUniform, Uniform, initializer
from ..common.parameter import Parameter
from ..engine import errors
from ..engine.tensor import Tensor
from .activations import activation_named
from .arguments import check_flag, check_positive
from .cell import Cell


def _first(layer, given, rule, shape, dtype):
    """First numbers: those that were given, else the rule's; the shape is checked."""
    if isinstance(given, Tensor) and given.shape != shape:
        what = "weight" if len(shape) > 1 else "bias"
        raise errors.InvalidValue(
            f"For '{layer}', {what} init shape error. The shape of '{what}_init' must be {shape}, "
            f"but got {given.shape}.",
            hint="Reshape it, or change the sizes of the layer.",
        )
    return initializer(rule if given is None else given, shape, dtype)


def _weight_and_bias(layer, shape, inits, rule, has_bias, dtype):
    """Both Parameters; the bias, or None, begins between plus and minus 1 / sqrt(inputs)."""
    weight = Parameter(_first(layer, inits[0], rule, shape, dtype), name="weight")
    if not has_bias:
        return weight, None
    even = Uniform(1 / math.sqrt(shape[1]))
    return weight, Parameter(_first(layer, inits[1], even, shape[:1], dtype), name="bias")


def _activation(given):
    if given is None or isinstance(given, str | Cell):
        return activation_named(given)
    if not isinstance(given, type(ops.relu)):
        raise errors.InvalidType(
            "For 'Dense', the 'activation' must be str or Cell or Primitive, but got "
            f"{type(given).__name__}."
        )
    return given


class Dense(Cell):
    """x @ weight.T + bias; weight has one row per output.

    Both begin evenly between plus and minus 1 / sqrt(in_channels). ``activation``: a name, a Cell,
    or an op that is called on the result.

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
        self.in_channels = check_positive("Dense", "in_channels", in_channels)
        self.out_channels = check_positive("Dense", "out_channels", out_channels)
        self.has_bias = check_flag("Dense", "has_bias", has_bias)
        self.weight, self.bias = _weight_and_bias(
            "Dense", (out_channels, in_channels), (weight_init, bias_init),
            HeUniform(math.sqrt(5)), has_bias, dtype,
        )  # fmt: skip
        self.activation = _activation(activation)

    def construct(self, x):
        """The outputs for each row of x."""
        x = ops.linear(x, self.weight, self.bias)
        return x if self.activation is None else self.activation(x)

    def extend_repr(self):
        """The sizes."""
        shown = f"input_channels={self.in_channels}, output_channels={self.out_channels}"
        shown += f", has_bias={self.has_bias}" if self.has_bias else ""
        if self.activation is None:
            return shown
        cell = isinstance(self.activation, Cell)
        activation = repr(self.activation) if cell else f"Prim[{self.activation.name}]"
        return f"{shown}, activation={activation}"


class Linear(Cell):
    """As ``Dense``, with other names of its arguments: ``mint.nn.Linear``.

    >>> from ms_ext import ops
    >>> Linear(3, 2, bias=False)(ops.ones((4, 3))).shape
    (4, 2)
    """

    def __init__(
        self, in_features, out_features, bias=True, weight_init=None, bias_init=None, dtype=None
    ):
        super().__init__()
        self.in_features = check_positive("Linear", "in_features", in_features)
        self.out_features = check_positive("Linear", "out_features", out_features)
        self.has_bias = check_flag("Linear", "has_bias", bias)
        dtype = dtypes.float32 if dtype is None else dtype
        self.weight, self.bias = _weight_and_bias(
            "Linear", (out_features, in_features), (weight_init, bias_init),
            HeUniform(math.sqrt(5)), bias, dtype,
        )  # fmt: skip

    def construct(self, x):
        """The outputs for each row of x."""
        return ops.linear(x, self.weight, self.bias)

    def extend_repr(self):
        """The sizes."""
        shown = f"input_features={self.in_features}, output_features={self.out_features}"
        return f"{shown}, has_bias={self.has_bias}" if self.has_bias else shown


class BiDense(Cell):
    """One output for each matrix in ``weight`` [outputs, inputs of x1, inputs of x2]: x1 W x2 + b.

    >>> from ms_ext import ops
    >>> BiDense(2, 3, 4)(ops.ones((5, 2)), ops.ones((5, 3))).shape
    (5, 4)
    """

    def __init__(
        self, in1_channels, in2_channels, out_channels, weight_init=None, bias_init=None,
        has_bias=True, dtype=dtypes.float32,
    ):  # fmt: skip
        super().__init__()
        self.in1_channels = check_positive("BiDense", "in1_channels", in1_channels)
        self.in2_channels = check_positive("BiDense", "in2_channels", in2_channels)
        self.out_channels = check_positive("BiDense", "out_channels", out_channels)
        self.has_bias = check_flag("BiDense", "has_bias", has_bias)
        self.weight, self.bias = _weight_and_bias(
            "BiDense", (out_channels, in1_channels, in2_channels), (weight_init, bias_init),
            Uniform(1 / math.sqrt(in1_channels)), has_bias, dtype,
        )  # fmt: skip

    def construct(self, input1, input2):
        """The outputs for each pair of rows."""
        return ops.bidense(input1, input2, self.weight, self.bias)

    def extend_repr(self):
        """The sizes."""
        shown = (
            f"in1_channels={self.in1_channels}, in2_channels={self.in2_channels}, "
            f"output_channels={self.out_channels}"
        )
        return f"{shown}, has_bias={self.has_bias}" if self.has_bias else shown


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
