"""MultiheadAttention: every place looks at all places, in several heads."""

import math

from .. import dtype as dtypes
from ..common.initializer import HeUniform, Uniform, XavierNormal, XavierUniform, initializer
from ..common.parameter import Parameter
from ..engine import errors
from ..ops.attention import multi_head_attention
from .cell import Cell
from .layers import Dense


class MultiheadAttention(Cell):
    """(output, weights) of softmax(q @ k.T / sqrt(d) + mask) @ v in ``num_heads`` heads.

    query [length, batch, embed_dim], key and value [count, batch, kdim or vdim], with
    ``batch_first`` the batch before the length, or all without a batch. The output is like the
    query; the weights are [batch, length, count], the mean of the heads, or with
    ``average_attn_weights=False`` [batch, heads, length, count]; ``need_weights=False``: a tuple
    of the output alone. Masks: True (or minus infinity, which is added) where nothing is to be
    seen; ``attn_mask`` [length, count] or one for each head [batch * heads, length, count],
    ``key_padding_mask`` [batch, count].

    Parameters: in_proj_weight [3 embed_dim, embed_dim], or with other kdim, vdim q_proj_weight,
    k_proj_weight, v_proj_weight; in_proj_bias, out_proj.weight, out_proj.bias, bias_k, bias_v.

    >>> from ms_ext import ops
    >>> x = ops.ones((5, 3, 8))
    >>> output, weights = MultiheadAttention(8, 2)(x, x, x)
    >>> output.shape, weights.shape
    ((5, 3, 8), (3, 5, 5))
    """

    def __init__(
        self, embed_dim, num_heads, dropout=0.0, has_bias=True, add_bias_kv=False,
        add_zero_attn=False, kdim=None, vdim=None, batch_first=False, dtype=dtypes.float32,
    ):  # fmt: skip
        super().__init__()
        if embed_dim % num_heads:
            raise errors.InvalidValue(
                "The init argument 'embed_dim' must be divisible by 'num_heads'.",
                given=f"embed_dim={embed_dim}, num_heads={num_heads}",
            )
        self.embed_dim, self.num_heads = embed_dim, num_heads
        self.head_dim = embed_dim // num_heads
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self.dropout, self.batch_first, self.add_zero_attn = dropout, batch_first, add_zero_attn
        self.dtype = dtypes.float32 if dtype is None else dtype
        self._make_projections()
        self.in_proj_bias = None
        if has_bias:
            self.in_proj_bias = Parameter(
                initializer("zeros", 3 * embed_dim, self.dtype), "in_proj_bias"
            )
        self.out_proj = Dense(
            embed_dim, embed_dim, has_bias=has_bias, weight_init=HeUniform(math.sqrt(5)),
            bias_init=Uniform(1 / math.sqrt(embed_dim)), dtype=self.dtype,
        )  # fmt: skip
        self.bias_k = self._seen_by_all("bias_k") if add_bias_kv else None
        self.bias_v = self._seen_by_all("bias_v") if add_bias_kv else None

    def _make_projections(self):
        features = self.embed_dim
        self.together = self.kdim == features and self.vdim == features
        sizes = {"in_proj": (3 * features, features)} if self.together else {
            "q_proj": (features, features), "k_proj": (features, self.kdim),
            "v_proj": (features, self.vdim),
        }  # fmt: skip
        for name in ("in_proj", "q_proj", "k_proj", "v_proj"):
            weight = None
            if name in sizes:
                start = initializer(XavierUniform(), sizes[name], self.dtype)
                weight = Parameter(start, f"{name}_weight")
            setattr(self, f"{name}_weight", weight)

    def _seen_by_all(self, name):
        return Parameter(initializer(XavierNormal(), (1, 1, self.embed_dim), self.dtype), name)

    def construct(
        self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None,
        average_attn_weights=True,
    ):  # fmt: skip
        """The output, and unless ``need_weights`` is False the weights."""
        swap = self.batch_first and query.ndim == 3
        if swap:
            query, key, value = [x.swapaxes(0, 1) for x in (query, key, value)]
        if self.together:
            weights = (self.in_proj_weight,)
        else:
            weights = (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)
        output, seen = multi_head_attention(
            (query, key, value), self.num_heads, (weights, self.in_proj_bias),
            (self.bias_k, self.bias_v, self.add_zero_attn),
            (self.out_proj.weight, self.out_proj.bias), (attn_mask, key_padding_mask),
            self.dropout if self.training else 0.0, average_attn_weights,
        )  # fmt: skip
        output = output.swapaxes(0, 1) if swap else output
        return (output, seen) if need_weights else (output,)
