"""One step of a recurrent network as a Cell: RNNCell, LSTMCell, GRUCell."""

import math

from .. import dtype as dtypes
from .. import ops
from ..common.initializer import Uniform, initializer
from ..common.parameter import Parameter
from ..ops.recurrence import GATES, check_float_input, check_state_of_two, step
from .arguments import check_flag, check_positive, check_word
from .cell import Cell


class _OneStep(Cell):
    """The Parameters of a step: weight_ih, weight_hh, bias_ih, bias_hh."""

    def __init__(self, kind, input_size, hidden_size, has_bias, dtype):
        super().__init__()
        name = type(self).__name__
        self.has_bias = check_flag(name, "has_bias", has_bias)
        self.hidden_size = check_positive(name, "hidden_size", hidden_size)
        self.input_size = check_positive(name, "input_size", input_size)
        self.kind, rows = kind, GATES[kind] * hidden_size
        start = Uniform(1 / math.sqrt(hidden_size))
        self.weight_ih = Parameter(initializer(start, (rows, input_size), dtype))
        self.weight_hh = Parameter(initializer(start, (rows, hidden_size), dtype))
        self.bias_ih = self.bias_hh = None
        if has_bias:
            self.bias_ih = Parameter(initializer(start, (rows,), dtype))
            self.bias_hh = Parameter(initializer(start, (rows,), dtype))

    def after(self, x, state):
        """The state after a step."""
        given = ops.linear(x, self.weight_ih, self.bias_ih)
        return step(given, state, self.weight_hh, self.bias_hh, self.kind)


class RNNCell(_OneStep):
    """h' = tanh(x @ w_ih.T + b_ih + h @ w_hh.T + b_hh), or with relu.

    x is [batch, input_size], h and the result [batch, hidden_size]. Parameters: weight_ih,
    weight_hh, bias_ih, bias_hh, drawn evenly between plus and minus 1 / sqrt(hidden_size).

    >>> from ms_ext import ops
    >>> cell, h = RNNCell(10, 16), ops.zeros((3, 16))
    >>> for x in ops.ones((5, 3, 10)):
    ...     h = cell(x, h)
    >>> h.shape
    (3, 16)
    """

    def __init__(
        self, input_size, hidden_size, has_bias=True, nonlinearity="tanh", dtype=dtypes.float32
    ):
        kind = "RNN_RELU" if nonlinearity == "relu" else "RNN_TANH"
        super().__init__(kind, input_size, hidden_size, has_bias, dtype)
        self.nonlinearity = check_word("RNNCell", "nonlinearity", nonlinearity, ("tanh", "relu"))

    def construct(self, x, hx):
        """The state after a step."""
        check_float_input("RNNCell", "x", x)
        check_float_input("RNNCell", "hx", hx)
        return self.after(x, (hx,))[0]


class LSTMCell(_OneStep):
    """(h', c'): c' = forget * c + enter * new, h' = show * tanh(c'); three gates between 0 and 1.

    x is [batch, input_size], the state (h, c) two of [batch, hidden_size]. The Parameters have four
    times hidden_size rows, in the order enter, forget, new, show.

    >>> from ms_ext import ops
    >>> state = ops.zeros((3, 16)), ops.zeros((3, 16))
    >>> h, c = LSTMCell(10, 16)(ops.ones((3, 10)), state)
    >>> h.shape, c.shape
    ((3, 16), (3, 16))
    """

    def __init__(self, input_size, hidden_size, has_bias=True, dtype=dtypes.float32):
        super().__init__("LSTM", input_size, hidden_size, has_bias, dtype)

    def construct(self, x, hx):
        """The state after a step."""
        check_float_input("LSTMCell", "x", x)
        check_state_of_two("LSTMCell", hx)
        return self.after(x, (hx[0], hx[1]))


class GRUCell(_OneStep):
    """h' = (1 - update) * new + update * h, where ``new`` sees as much of h as ``reset`` lets in.

    x is [batch, input_size], h and the result [batch, hidden_size]. The Parameters have three times
    hidden_size rows, in the order reset, update, new.

    >>> from ms_ext import ops
    >>> GRUCell(10, 16)(ops.ones((3, 10)), ops.zeros((3, 16))).shape
    (3, 16)
    """

    def __init__(self, input_size, hidden_size, has_bias=True, dtype=dtypes.float32):
        super().__init__("GRU", input_size, hidden_size, has_bias, dtype)

    def construct(self, x, hx):
        """The state after a step."""
        check_float_input("GRUCell", "x", x)
        check_float_input("GRUCell", "hx", hx)
        return self.after(x, (hx,))[0]
