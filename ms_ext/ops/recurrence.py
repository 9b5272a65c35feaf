"""What does a recurrent network calculate? A step, and a layer of one step after the other.

A step takes what the input gives to the gates, and the state before it; it returns the state after
it, a tuple whose first part is the output. The inputs of all steps are multiplied at once.

>>> step(Tensor([[0.0]]), (Tensor([[1.0]]),), Tensor([[0.0]]), None, "RNN_RELU")
(Tensor(shape=[1, 1], dtype=Float32, value=
[[ 0.00000000e+00]]),)
"""

from .. import ops
from ..engine import errors
from ..engine.symbol import Symbol
from ..engine.tensor import Tensor

#: How many times ``hidden_size`` rows the weights of each kind have.
GATES = {"RNN_TANH": 1, "RNN_RELU": 1, "LSTM": 4, "GRU": 3}


def step(from_input, state, w_hh, b_hh, kind):
    """The state after one step: ``from_input`` is [batch, gates], the state [batch, hidden]."""
    gates = ops.linear(state[0], w_hh, b_hh)
    if kind == "LSTM":
        return _lstm(from_input + gates, state[1])
    if kind == "GRU":
        return (_gru(from_input, gates, state[0]),)
    activation = ops.tanh if kind == "RNN_TANH" else ops.relu
    return (activation(from_input + gates),)


def _lstm(gates, before):
    """Rows of the weights: the gates input, forget, cell, output."""
    enter, forget, new, show = ops.split(gates, gates.shape[1] // 4, axis=1)
    c = ops.sigmoid(forget) * before + ops.sigmoid(enter) * ops.tanh(new)
    return ops.sigmoid(show) * ops.tanh(c), c


def _gru(from_input, gates, before):
    """Rows of the weights: the gates reset, update, new; h = (1 - update) new + update before."""
    size = before.shape[1]
    x_reset, x_update, x_new = ops.split(from_input, size, axis=1)
    h_reset, h_update, h_new = ops.split(gates, size, axis=1)
    new = ops.tanh(x_new + ops.sigmoid(x_reset + h_reset) * h_new)
    return new + ops.sigmoid(x_update + h_update) * (before - new)


def layer(x, state, weights, lengths, kind, backwards=False):
    """(outputs [time, batch, hidden], last state) of one direction over x [time, batch, features].

    ``weights``: w_ih, w_hh, b_ih, b_hh. Behind the length of its sequence an output is 0 and the
    state stays. ``backwards``: from the last step to the first.

    >>> zeros = ops.zeros((1, 1)), ops.ones((1, 1)), None, None
    >>> outputs, _ = layer(ops.ones((3, 1, 1)), (ops.ones((1, 1)),), zeros, None, "RNN_RELU")
    >>> outputs.shape
    (3, 1, 1)
    """
    w_ih, w_hh, b_ih, b_hh = [w if w is None else ops.cast(w, x.dtype) for w in weights]
    given = ops.unstack(ops.linear(x, w_ih, b_ih), axis=0)
    outputs = [None] * len(given)
    for t in range(len(given))[:: -1 if backwards else 1]:
        after = step(given[t], state, w_hh, b_hh, kind)
        if lengths is None:
            state, outputs[t] = after, after[0]
        else:
            inside = ops.expand_dims(lengths > t, 1)
            state = tuple(ops.where(inside, a, b) for a, b in zip(after, state, strict=True))
            outputs[t] = ops.where(inside, after[0], ops.zeros_like(after[0]))
    return ops.stack(outputs, axis=0), state


def check_float_input(layer, name, value):
    """The input of a layer is a tensor of float32 or float16 (float64 and bfloat16 are here too).

    >>> check_float_input("RNN", "x", ops.ones(1))
    """
    if not isinstance(value, Tensor | Symbol):
        raise errors.InvalidType(
            f"For '{layer}', the '{name}' must be 'Tensor', but got '{type(value).__name__}'"
        )
    if value.dtype.kind != "float":
        raise errors.InvalidType(
            f"For '{layer}', the type of '{name}' should be one of Float32, Float16, "
            f"but got {value.dtype.name}.",
            hint="Cast it first: x.astype(ms.float32).",
        )


def check_state_of_two(layer, hx):
    """The state of an LSTM is a tuple (h, c).

    >>> check_state_of_two("LSTM", (ops.ones(1), ops.ones(1)))
    """
    if not isinstance(hx, tuple):
        raise errors.InvalidType(
            f"For '{layer}', the 'hx' must be a tuple, but got '{type(hx).__name__}'",
            hint="Give (h, c).",
        )
    if len(hx) != 2:
        raise errors.InvalidType(
            f"For '{layer}', the length of 'hx' must be '2', but got '{len(hx)}'"
        )
    check_float_input(layer, "hx[0]", hx[0])
    check_float_input(layer, "hx[1]", hx[1])


def begin(layer, x, hx, lengths, sizes, batch_first):
    """The state that a sequence begins with, each part [layers, batch, hidden]; checked.

    >>> begin("GRU", ops.ones((5, 3, 10)), None, None, (1, 16), False)[0].shape
    (1, 3, 16)
    """
    check_float_input(layer, "x", x)
    if x.ndim != 3:
        raise errors.InvalidValue(
            f"For '{layer}', the 'x' must have 3 axes: time, batch, features.",
            given=f"x {list(x.shape)}",
            hint="For one sequence write x.expand_dims(1).",
        )
    if x.shape[1 if batch_first else 0] == 0:
        raise errors.InvalidValue(
            f"For '{layer}', there must be one step or more.", given=f"x {list(x.shape)}"
        )
    batch = x.shape[0 if batch_first else 1]
    _check_lengths(layer, lengths, batch)
    parts = 2 if layer == "LSTM" else 1
    if hx is None:
        return tuple(ops.zeros((sizes[0], batch, sizes[1]), x.dtype) for _ in range(parts))
    if parts == 2:
        check_state_of_two(layer, hx)
    else:
        check_float_input(layer, "hx", hx)
    state = hx if parts == 2 else (hx,)
    if any(part.dtype != x.dtype for part in state):
        raise errors.InvalidType(
            f"For '{layer}', all types must be same, but got x of {x.dtype.name} and hx of "
            f"{state[0].dtype.name}.",
            hint="Cast one of them.",
        )
    return state


def _check_lengths(layer, lengths, batch):
    if lengths is None:
        return
    if lengths.dtype.name not in ("Int32", "Int64"):
        raise errors.InvalidType(
            f"For '{layer}', the type of 'seq_length' should be one of Int32, Int64, "
            f"but got {lengths.dtype.name}."
        )
    if lengths.shape[0] != batch:
        raise errors.InvalidValue(
            f"For '{layer}' batch size of x and seq_length must be equal, "
            f"but got {batch} of x and {lengths.shape[0]} of seq_length."
        )


def time_first(x, swap):
    """x with time and batch exchanged, if ``swap``.

    >>> time_first(ops.ones((3, 5, 10)), True).shape
    (5, 3, 10)
    """
    return ops.transpose(x, (1, 0, 2)) if swap else x


def of_layer(state, place):
    """The state of one layer and direction: each part [batch, hidden].

    >>> of_layer((ops.ones((2, 3, 4)),), 0)[0].shape
    (3, 4)
    """
    return tuple(part[place] for part in state)


def joined(outputs):
    """The outputs of one direction, or of two side by side.

    >>> joined([ops.ones((5, 3, 4)), ops.ones((5, 3, 4))]).shape
    (5, 3, 8)
    """
    return outputs[0] if len(outputs) == 1 else ops.concat(tuple(outputs), axis=2)


def stacked(ends, dtype):
    """The last states of all layers: each part [layers, batch, hidden].

    >>> stacked([(ops.ones((3, 4)),), (ops.ones((3, 4)),)], "float32")[0].shape
    (2, 3, 4)
    """
    parts = zip(*ends, strict=True)
    return tuple(ops.cast(ops.stack(part, axis=0), dtype) for part in parts)
