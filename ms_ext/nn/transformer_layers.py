"""A layer of a transformer: attention, then two Dense layers, each added to what came in."""

from .. import dtype as dtypes
from .. import ops
from ..engine import errors
from .activations import GELU, ReLU
from .attention import MultiheadAttention
from .cell import Cell
from .dropout import Dropout
from .layers import Dense, LayerNorm


class _Layer(Cell):
    """What the encoder's and the decoder's layers share: attention to itself, and Dense layers."""

    attentions = ("self_attn",)

    def __init__(
        self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation="relu",
        layer_norm_eps=1e-5, batch_first=False, norm_first=False, dtype=dtypes.float32,
    ):  # fmt: skip
        super().__init__()
        for name in self.attentions:
            attention = MultiheadAttention(
                d_model, nhead, dropout=dropout, batch_first=batch_first, dtype=dtype
            )
            setattr(self, name, attention)
        self.dense1 = Dense(d_model, dim_feedforward, dtype=dtype)
        self.dropout = Dropout(p=dropout)
        self.dense2 = Dense(dim_feedforward, d_model, dtype=dtype)
        numbers = range(1, len(self.attentions) + 2)
        for number in numbers:
            norm = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
            setattr(self, f"norm{number}", norm)
        for number in numbers:
            setattr(self, f"dropout{number}", Dropout(p=dropout))
        self.activation1 = activation
        self.activation = _activation(activation)
        self.norm_first = norm_first
        self.options = (
            d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first,
            norm_first, dtype,
        )  # fmt: skip

    def forward(self, x):
        """The two Dense layers with the activation between."""
        return self.dense2(self.dropout(self.activation(self.dense1(x))))

    def look(self, x, mask, padding):
        """Attention of x to itself."""
        found = self.self_attn(
            x, x, x, attn_mask=mask, key_padding_mask=padding, need_weights=False
        )
        return self.dropout1(found[0])


class TransformerEncoderLayer(_Layer):
    """norm(x + attention(x)), then norm(x + dense(x)); ``norm_first``: x + attention(norm(x)), ...

    x is [length, batch, d_model], or with ``batch_first`` the batch first; so is the result. Masks
    as in ``nn.MultiheadAttention``. The activation is "relu", "gelu" or a Cell or function of them.

    >>> from ms_ext import ops
    >>> TransformerEncoderLayer(8, 2, 16)(ops.ones((5, 3, 8))).shape
    (5, 3, 8)
    """

    def construct(self, src, src_mask=None, src_key_padding_mask=None):
        """The layer's result."""
        _check_padding(src_key_padding_mask)
        x = src
        if self.norm_first:
            x = x + self.look(self.norm1(x), src_mask, src_key_padding_mask)
            return x + self.dropout2(self.forward(self.norm2(x)))
        x = self.norm1(x + self.look(x, src_mask, src_key_padding_mask))
        return self.norm2(x + self.dropout2(self.forward(x)))


class TransformerDecoderLayer(_Layer):
    """As the encoder's layer, with attention to ``memory``, the encoder's result, in between.

    >>> from ms_ext import ops
    >>> layer = TransformerDecoderLayer(8, 2, 16)
    >>> layer(ops.ones((4, 3, 8)), ops.ones((5, 3, 8))).shape
    (4, 3, 8)
    """

    attentions = ("self_attn", "multihead_attn")

    def construct(
        self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
    ):  # fmt: skip
        """The layer's result."""
        x, of_memory = tgt, (memory_mask, memory_key_padding_mask)
        if self.norm_first:
            x = x + self.look(self.norm1(x), tgt_mask, tgt_key_padding_mask)
            x = x + self.look_at(self.norm2(x), memory, *of_memory)
            return x + self.dropout3(self.forward(self.norm3(x)))
        x = self.norm1(x + self.look(x, tgt_mask, tgt_key_padding_mask))
        x = self.norm2(x + self.look_at(x, memory, *of_memory))
        return self.norm3(x + self.dropout3(self.forward(x)))

    def look_at(self, x, memory, mask, padding):
        """Attention of x to the encoder's result."""
        found = self.multihead_attn(
            x, memory, memory, attn_mask=mask, key_padding_mask=padding, need_weights=False
        )
        return self.dropout2(found[0])


def _check_padding(mask):
    if mask is not None and mask.dtype.kind not in ("bool", "float"):
        raise errors.InvalidValue(
            "only bool and floating types of key_padding_mask are supported",
            given=mask.dtype.name,
        )


def _activation(given):
    """relu or gelu, from a word, a Cell or the function itself."""
    known = {"relu": ops.relu, "gelu": ops.gelu}
    if isinstance(given, str):
        if given not in known:
            raise errors.InvalidValue(
                f"The activation must be relu/gelu, but get {given}",
                hint=errors.did_you_mean(given, known),
            )
        return known[given]
    if isinstance(given, ReLU | GELU) or given in known.values():
        return given
    raise errors.InvalidValue(
        "The argument 'activation' must be 'relu', 'gelu', or ops.relu, ops.gelu, nn.ReLU(), "
        f"nn.GELU(), but get {given}."
    )
