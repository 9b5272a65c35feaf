"""What does attention calculate? Every place mixes the values of all places, by how keys fit it.

softmax(q @ k.T / sqrt(d) + mask) @ v, in several heads at once, each on its own part of the
features. The tensors here are [length, batch, features] as ``nn.MultiheadAttention`` has them.
"""

import math

from .. import ops
from ..engine import errors


def multi_head_attention(inputs, heads, project, added, out, masks, dropout, average):
    """(output [length, batch, features], weights): ``inputs`` are query, key, value.

    ``project``: the weights of each and the bias; ``added``: a key and a value that everything
    sees, and whether zeros are seen too; ``out``: weight and bias behind it; ``masks``: of places
    and of padding; ``dropout``: the share of weights that is dropped.
    """
    batched = _check_axes(*inputs)
    attn_mask, padding = masks
    if not batched:
        inputs = [x.expand_dims(1) for x in inputs]
        padding = None if padding is None else padding.expand_dims(0)
    (length, batch, features), count = inputs[0].shape, inputs[1].shape[0]
    masks = _checked_masks(attn_mask, padding, (length, batch, count), heads)
    q, k, v = _projected(inputs, *project)
    k, v, extra = _with_added(k, v, added)
    mask = _merged([_padded(mask, extra, q.dtype) for mask in masks], batch, heads)
    q, k, v = [_in_heads(x, heads) for x in (q, k, v)]
    found, weights = attend(q, k, v, mask, dropout)
    found = ops.transpose(found, (2, 0, 1, 3)).reshape((length, batch, features))
    found = ops.linear(found, *out)
    weights = ops.mean(weights, 1) if average else weights
    return (found, weights) if batched else (ops.squeeze(found, 1), ops.squeeze(weights, 0))


def attend(q, k, v, mask, dropout):
    """(softmax(q @ k.T / sqrt(d) + mask) @ v, the softmax); each [..., length, d].

    >>> one = ops.ones((1, 2))
    >>> attend(one, one, one, None, 0.0)[1]
    Tensor(shape=[1, 1], dtype=Float32, value=
    [[ 1.00000000e+00]])
    """
    scores = ops.matmul(q * (1 / math.sqrt(q.shape[-1])), ops.swapaxes(k, -2, -1))
    weights = ops.softmax(scores if mask is None else scores + mask, -1)
    weights = ops.dropout(weights, dropout) if dropout else weights
    return ops.matmul(weights, v), weights


def _check_axes(query, key, value):
    if query.ndim not in (2, 3):
        raise errors.InvalidValue(
            "The `query` should be unbatched 2D or batched 3D tensor, but got `query` with "
            f"{query.ndim}D."
        )
    if key.ndim != query.ndim or value.ndim != query.ndim:
        kind = "batched" if query.ndim == 3 else "unbatched"
        raise errors.InvalidValue(
            f"For {kind} `query`, the `key` and `value` must be {query.ndim}D tensor, but got "
            f"`key` with {key.ndim}D and `value` with {value.ndim}D."
        )
    if key.shape[:-1] != value.shape[:-1]:
        raise errors.InvalidValue(
            f"The shape of `key` {key.shape} does not match `value` {value.shape}."
        )
    return query.ndim == 3


def _checked_masks(attn_mask, padding, sizes, heads):
    """The masks, as [batch * heads or 1, length, count] and [batch, count]."""
    length, batch, count = sizes
    if attn_mask is not None:
        _check_mask_dtype("attn_mask", attn_mask)
        shapes = {2: (length, count), 3: (batch * heads, length, count)}
        if attn_mask.shape != shapes.get(attn_mask.ndim):
            raise errors.InvalidValue(
                f"The shape of the `attn_mask` should be {shapes[2]} or {shapes[3]}, "
                f"but got {attn_mask.shape}."
            )
    if padding is not None:
        _check_mask_dtype("key_padding_mask", padding)
        if padding.shape != (batch, count):
            raise errors.InvalidValue(
                f"The shape of `key_padding_mask` should be {(batch, count)}, "
                f"but got {padding.shape}."
            )
    return attn_mask, padding


def _check_mask_dtype(name, mask):
    if mask.dtype.kind not in ("bool", "float") and mask.dtype.name != "UInt8":
        raise errors.InvalidValue(
            f"The `{name}` only supports bool and floating dtypes.",
            given=mask.dtype.name,
            hint="True where nothing is to be seen: mask.astype(ms.bool_).",
        )


def _projected(inputs, weights, bias):
    """Query, key and value times their weights: three, or one of three times as many rows."""
    if len(weights) == 1:
        rows = weights[0].shape[0] // 3
        weights = ops.split(weights[0], rows, axis=0)
    biases = (None, None, None) if bias is None else ops.split(bias, bias.shape[0] // 3, axis=0)
    return [ops.linear(*parts) for parts in zip(inputs, weights, biases, strict=True)]


def _with_added(k, v, added):
    """Keys and values behind which stand those that are learned, and zeros; how many they are."""
    bias_k, bias_v, zero = added
    batch, extra = k.shape[1], 0
    if bias_k is not None:
        k = ops.concat((k, ops.tile(bias_k, (1, batch, 1))), axis=0)
        v = ops.concat((v, ops.tile(bias_v, (1, batch, 1))), axis=0)
        extra += 1
    if zero:
        k = ops.concat((k, ops.zeros((1, *k.shape[1:]), k.dtype)), axis=0)
        v = ops.concat((v, ops.zeros((1, *v.shape[1:]), v.dtype)), axis=0)
        extra += 1
    return k, v, extra


def _padded(mask, extra, dtype):
    """A mask as numbers to be added: minus infinity hides; what was added is seen."""
    if mask is None:
        return None
    if mask.dtype.kind != "float":
        hidden = ops.cast(mask, "bool_")
        mask = ops.where(hidden, ops.full(mask.shape, -math.inf, dtype=dtype), 0.0)
    if extra:
        mask = ops.concat((mask, ops.zeros((*mask.shape[:-1], extra), mask.dtype)), axis=-1)
    return ops.cast(mask, dtype)


def _merged(masks, batch, heads):
    """Both masks in one, as [batch, heads, length, count], or sizes of 1."""
    attn_mask, padding = masks
    if attn_mask is not None and attn_mask.ndim == 3:
        attn_mask = attn_mask.reshape((batch, heads, *attn_mask.shape[1:]))
    if padding is None:
        return attn_mask
    padding = padding.reshape((batch, 1, 1, padding.shape[-1]))
    return padding if attn_mask is None else attn_mask + padding


def _in_heads(x, heads):
    """[length, batch, features] as [batch, heads, length, features of a head]."""
    length, batch, features = x.shape
    return ops.transpose(x.reshape((length, batch, heads, features // heads)), (1, 2, 0, 3))
