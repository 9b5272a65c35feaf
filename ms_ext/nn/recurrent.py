"""Recurrent networks over whole sequences: RNN, LSTM, GRU, of several layers and two directions."""

import math
import warnings

import numpy as np

from .. import dtype as dtypes
from ..common.parameter import Parameter, ParameterTuple
from ..engine import errors
from ..engine.tensor import Tensor
from ..ops import recurrence
from .arguments import check_flag, check_positive, check_share
from .cell import Cell
from .dropout import Dropout

_BIASES = ("bias_ih", "bias_hh")


class _Stacked(Cell):
    """Layers of steps; the Parameters are weight_ih_l0, weight_hh_l0, ..., weight_ih_l0_reverse."""

    def __init__(
        self, kind, input_size, hidden_size, num_layers=1, has_bias=True, batch_first=False,
        dropout=0.0, bidirectional=False, dtype=dtypes.float32,
    ):  # fmt: skip
        super().__init__()
        name = type(self).__name__
        self.hidden_size = check_positive(name, "hidden_size", hidden_size)
        self.input_size = check_positive(name, "input_size", input_size)
        self.num_layers = check_positive(name, "num_layers", num_layers)
        self.dropout = check_share(name, "dropout", dropout, last=False)
        self.has_bias = check_flag(name, "has_bias", has_bias)
        self.batch_first = check_flag(name, "batch_first", batch_first)
        self.bidirectional = check_flag(name, "bidirectional", bidirectional)
        if dropout > 0 and num_layers == 1:
            warnings.warn(f"{name}: dropout drops between layers, and there is one.", stacklevel=3)
        self.kind, self.is_lstm = kind, kind == "LSTM"
        self.dropout_op = Dropout(p=dropout)
        made = self._drawn(input_size, dtype)
        self.w_ih_list, self.w_hh_list = made["weight_ih"], made["weight_hh"]
        self.b_ih_list, self.b_hh_list = made["bias_ih"], made["bias_hh"]

    def _drawn(self, inputs, dtype):
        """Each kind of Parameter, for each layer and direction, from NumPy's stream."""
        bound, made = 1 / math.sqrt(self.hidden_size), {}
        directions = ("", "_reverse") if self.bidirectional else ("",)
        rows = recurrence.GATES[self.kind] * self.hidden_size
        columns = {"weight_ih": (inputs,), "weight_hh": (self.hidden_size,)}
        if self.has_bias:
            columns |= {"bias_ih": (), "bias_hh": ()}
        for layer in range(self.num_layers):
            for direction in directions:
                for what, rest in columns.items():
                    start = np.random.uniform(-bound, bound, (rows, *rest)).astype(np.float32)
                    name = f"{what}_l{layer}{direction}"
                    made.setdefault(what, []).append(Parameter(Tensor(start, dtype), name=name))
            columns["weight_ih"] = (self.hidden_size * len(directions),)
        return {w: ParameterTuple(made.get(w, ())) for w in ("weight_ih", "weight_hh", *_BIASES)}

    def _weights(self, place):
        if not self.has_bias:
            return self.w_ih_list[place], self.w_hh_list[place], None, None
        return (
            self.w_ih_list[place], self.w_hh_list[place],
            self.b_ih_list[place], self.b_hh_list[place],
        )  # fmt: skip

    def construct(self, x, hx=None, seq_length=None):
        """(outputs, last state); ``seq_length`` [batch]: how long each sequence is."""
        directions = 2 if self.bidirectional else 1
        sizes = (self.num_layers * directions, self.hidden_size)
        state = recurrence.begin(self.cls_name, x, hx, seq_length, sizes, self.batch_first)
        x_dtype, output, ends = x.dtype, recurrence.time_first(x, self.batch_first), []
        for layer in range(self.num_layers):
            found = []
            for direction in range(directions):
                place = layer * directions + direction
                before = recurrence.of_layer(state, place)
                outputs, end = recurrence.layer(
                    output, before, self._weights(place), seq_length, self.kind, direction == 1
                )
                found.append(outputs)
                ends.append(end)
            output = recurrence.joined(found)
            if self.dropout != 0 and layer < self.num_layers - 1:
                output = self.dropout_op(output)
        ends = recurrence.stacked(ends, x_dtype)
        output = recurrence.time_first(output, self.batch_first).astype(x_dtype)
        return output, ends if self.is_lstm else ends[0]


class RNN(_Stacked):
    """Layers of h' = tanh(x @ w_ih.T + b_ih + h @ w_hh.T + b_hh) over a sequence, or with relu.

    x: [time, batch, input_size], or [batch, time, input_size] with ``batch_first``. The state, from
    which it begins (zeros if None) and at which it ends: [layers * directions, batch, hidden_size].
    Behind ``seq_length`` [batch] outputs are 0 and the state stays. ``dropout``: between layers,
    while being trained.

    >>> from ms_ext import ops
    >>> outputs, h = RNN(10, 16, 2, bidirectional=True)(ops.ones((5, 3, 10)))
    >>> outputs.shape, h.shape
    ((5, 3, 32), (4, 3, 16))
    """

    def __init__(self, *args, **kwargs):
        nonlinearity = kwargs.pop("nonlinearity", "tanh")
        if nonlinearity not in ("tanh", "relu"):
            raise errors.InvalidValue(
                "For 'RNN', the 'nonlinearity' must be in ['tanh', 'relu'], "
                f"but got {nonlinearity}.",
                hint=errors.did_you_mean(nonlinearity, ("tanh", "relu")),
            )
        super().__init__(f"RNN_{nonlinearity.upper()}", *args, **kwargs)


class LSTM(_Stacked):
    """Layers of LSTM steps over a sequence: ``nn.LSTMCell`` tells the formula, ``nn.RNN`` the rest.

    The state is a tuple (h, c).

    >>> from ms_ext import ops
    >>> outputs, (h, c) = LSTM(10, 16, batch_first=True)(ops.ones((3, 5, 10)))
    >>> outputs.shape, h.shape, c.shape
    ((3, 5, 16), (1, 3, 16), (1, 3, 16))
    """

    def __init__(self, *args, **kwargs):
        super().__init__("LSTM", *args, **kwargs)


class GRU(_Stacked):
    """Layers of GRU steps over a sequence: ``nn.GRUCell`` tells the formula, ``nn.RNN`` the rest.

    >>> from ms_ext import Tensor, ops
    >>> outputs, h = GRU(10, 16)(ops.ones((5, 3, 10)), None, Tensor([5, 2, 1]))
    >>> outputs.shape, float(ops.abs(outputs[2:, 1]).sum())
    ((5, 3, 16), 0.0)
    """

    def __init__(self, *args, **kwargs):
        super().__init__("GRU", *args, **kwargs)
