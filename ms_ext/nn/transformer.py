"""Transformers: layers one after another, and an encoder with a decoder that reads its result."""

import copy

from .. import dtype as dtypes
from ..common.initializer import initializer
from ..engine import errors
from .cell import Cell
from .containers import CellList
from .layers import LayerNorm
from .transformer_layers import TransformerDecoderLayer, TransformerEncoderLayer


def _copies(kind, layer, count):
    """``count`` layers as ``layer``, which all begin with the same numbers."""
    first = kind(*layer.options)
    return CellList([copy.deepcopy(first) for _ in range(count)])


class TransformerEncoder(Cell):
    """``num_layers`` layers as ``encoder_layer`` one after another, then ``norm``.

    >>> from ms_ext import ops
    >>> net = TransformerEncoder(TransformerEncoderLayer(8, 2, 16), 2)
    >>> net(ops.ones((5, 3, 8))).shape
    (5, 3, 8)
    """

    def __init__(self, encoder_layer, num_layers, norm=None):
        super().__init__()
        self.layers = _copies(TransformerEncoderLayer, encoder_layer, num_layers)
        self.num_layers, self.norm = num_layers, norm

    def construct(self, src, src_mask=None, src_key_padding_mask=None):
        """The result of the last layer."""
        for layer in self.layers:
            src = layer(src, src_mask=src_mask, src_key_padding_mask=src_key_padding_mask)
        return src if self.norm is None else self.norm(src)


class TransformerDecoder(Cell):
    """``num_layers`` layers as ``decoder_layer`` one after another, then ``norm``.

    >>> from ms_ext import ops
    >>> net = TransformerDecoder(TransformerDecoderLayer(8, 2, 16), 2)
    >>> net(ops.ones((4, 3, 8)), ops.ones((5, 3, 8))).shape
    (4, 3, 8)
    """

    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__()
        self.layers = _copies(TransformerDecoderLayer, decoder_layer, num_layers)
        self.num_layers, self.norm = num_layers, norm

    def construct(
        self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
    ):  # fmt: skip
        """The result of the last layer."""
        for layer in self.layers:
            tgt = layer(
                tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask,
            )  # fmt: skip
        return tgt if self.norm is None else self.norm(tgt)


class Transformer(Cell):
    """An encoder that reads ``src``, and a decoder that writes on ``tgt`` what it finds there.

    src is [length, batch, d_model], tgt and the result [another length, batch, d_model]; with
    ``batch_first`` the batch is first. Parameters of two axes begin with "xavier_uniform".

    >>> from ms_ext import ops
    >>> net = Transformer(8, 2, 1, 1, 16)
    >>> net(ops.ones((5, 3, 8)), ops.ones((4, 3, 8))).shape
    (4, 3, 8)
    """

    def __init__(
        self, d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6,
        dim_feedforward=2048, dropout=0.1, activation="relu", custom_encoder=None,
        custom_decoder=None, layer_norm_eps=1e-5, batch_first=False, norm_first=False,
        dtype=dtypes.float32,
    ):  # fmt: skip
        super().__init__()
        options = (
            d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first,
            norm_first, dtype,
        )  # fmt: skip
        if custom_encoder is None:
            layer = TransformerEncoderLayer(*options)
            norm = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
            custom_encoder = TransformerEncoder(layer, num_encoder_layers, norm)
        self.encoder = custom_encoder
        if custom_decoder is None:
            layer = TransformerDecoderLayer(*options)
            norm = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
            custom_decoder = TransformerDecoder(layer, num_decoder_layers, norm)
        self.decoder = custom_decoder
        for parameter in self.get_parameters():
            if parameter.ndim > 1:
                start = initializer("xavier_uniform", parameter.shape, parameter.dtype)
                parameter.set_data(start)
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    def construct(
        self, src, tgt, src_mask=None, tgt_mask=None, memory_mask=None, src_key_padding_mask=None,
        tgt_key_padding_mask=None, memory_key_padding_mask=None,
    ):  # fmt: skip
        """The decoder's result."""
        _check_inputs(src, tgt, self.d_model, self.batch_first)
        memory = self.encoder(src, src_mask=src_mask, src_key_padding_mask=src_key_padding_mask)
        return self.decoder(
            tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
        )  # fmt: skip


def _check_inputs(src, tgt, d_model, batch_first):
    axis = 0 if batch_first else 1
    if src.ndim == 3 and src.shape[axis] != tgt.shape[axis]:
        raise errors.InvalidValue(
            "The number of batch size for 'src' and 'tgt' must be equal.",
            given=f"src {list(src.shape)}, tgt {list(tgt.shape)}",
        )
    if src.shape[-1] != d_model or tgt.shape[-1] != d_model:
        raise errors.InvalidValue(
            "The number of features for 'src' and 'tgt' must be equal to `d_model`.",
            given=f"src {list(src.shape)}, tgt {list(tgt.shape)}, d_model={d_model}",
        )
