"""Tables with a row of numbers for each id: Embedding, EmbeddingExt, EmbeddingLookup."""

from .. import dtype as dtypes
from .. import ops
from ..common.initializer import Normal, initializer
from ..common.parameter import Parameter
from ..engine import errors
from .arguments import check_flag, check_int, check_positive, check_type
from .cell import Cell


class Embedding(Cell):
    """A table with a row of numbers for each id.

    The row of ``padding_idx`` begins as zeros (and is trained as the others; not so in
    ``mint.nn.Embedding``). ``use_one_hot``: by a matrix product. ``dtype`` is that of the product;
    the table is float32 unless it is given, as in MindSpore.

    >>> from ms_ext import Tensor
    >>> Embedding(4, 2)(Tensor([1, 3])).shape
    (2, 2)
    """

    def __init__(
        self, vocab_size, embedding_size, use_one_hot=False, embedding_table="normal",
        dtype=dtypes.float32, padding_idx=None,
    ):  # fmt: skip
        super().__init__()
        self.vocab_size = check_int("Embedding", "vocab_size", vocab_size)
        self.embedding_size = check_int("Embedding", "embedding_size", embedding_size)
        self.use_one_hot = check_flag("Embedding", "use_one_hot", use_one_hot)
        self.padding_idx, self.dtype = padding_idx, dtype
        table = initializer(embedding_table, (vocab_size, embedding_size))
        if padding_idx is not None:
            check_padding("Embedding", padding_idx, 0, vocab_size)
            table = table.copy()
            table[padding_idx] = 0
        self.embedding_table = Parameter(table, name="embedding_table")

    def construct(self, ids):
        """The row of each id."""
        if not self.use_one_hot:
            return ops.gather(self.embedding_table, ids, 0)
        chosen = ops.one_hot(ids, self.vocab_size)
        return ops.matmul(ops.cast(chosen, self.dtype), self.embedding_table)

    def extend_repr(self):
        """The sizes."""
        return (
            f"vocab_size={self.vocab_size}, embedding_size={self.embedding_size}, "
            f"use_one_hot={self.use_one_hot}, embedding_table={self.embedding_table!r}, "
            f"dtype={self.dtype}, padding_idx={self.padding_idx}"
        )


class EmbeddingExt(Cell):
    """A table with a row of numbers for each id; its Parameter is ``weight``: mint.nn.Embedding.

    The row of ``padding_idx`` begins as zeros and gets no gradient; ``ops.embedding`` tells of
    ``max_norm`` and ``scale_grad_by_freq``. ``_weight`` is a table, which ``_freeze`` leaves alone.

    >>> from ms_ext import Tensor
    >>> EmbeddingExt(4, 2, padding_idx=0)(Tensor([0]))
    Tensor(shape=[1, 2], dtype=Float32, value=
    [[ 0.00000000e+00,  0.00000000e+00]])
    """

    def __init__(
        self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0,
        scale_grad_by_freq=False, sparse=False, _weight=None, _freeze=False, dtype=None,
    ):  # fmt: skip
        super().__init__()
        if check_flag("Embedding", "sparse", sparse):
            raise errors.InvalidValue(
                "For Embedding, the scenario, where `sparse` is True, has not be supported."
            )
        self.num_embeddings = check_int("Embedding", "num_embeddings", num_embeddings)
        self.embedding_dim = check_int("Embedding", "embedding_dim", embedding_dim)
        self.dtype = dtypes.float32 if dtype is None else dtype
        self.padding_idx, self.max_norm, self.norm_type = padding_idx, max_norm, norm_type
        if max_norm is not None:
            check_type("Embedding", "max_norm", max_norm, float)
        check_type("Embedding", "norm_type", norm_type, float)
        self.scale_grad_by_freq = check_flag("Embedding", "scale_grad_by_freq", scale_grad_by_freq)
        table = self._drawn() if _weight is None else self._given(_weight)
        self.weight = Parameter(table, name="weight", requires_grad=not _freeze)

    def _drawn(self):
        table = initializer(Normal(1, 0), (self.num_embeddings, self.embedding_dim), self.dtype)
        if self.padding_idx is not None:
            count = self.num_embeddings
            check_padding("Embedding", self.padding_idx, -count, count)
            table[self.padding_idx] = 0
        return table

    def _given(self, weight):
        shape = (self.num_embeddings, self.embedding_dim)
        if weight.shape != shape:
            raise errors.InvalidValue(
                "For Embedding, shape of weight should be match with num_embeddings and "
                f"embedding_dim, but got weight.shape: {weight.shape}, and "
                f"(num_embeddings, embedding_dim): {shape}"
            )
        return weight

    def construct(self, input):
        """The row of each id."""
        return ops.embedding(
            input, self.weight, self.padding_idx, self.max_norm, self.norm_type,
            self.scale_grad_by_freq,
        )  # fmt: skip

    def extend_repr(self):
        """The sizes and options."""
        return (
            f"num_embeddings={self.num_embeddings}, embedding_dim={self.embedding_dim}, "
            f"padding_idx={self.padding_idx}, max_norm={self.max_norm}, "
            f"norm_type={self.norm_type}, scale_grad_by_freq={self.scale_grad_by_freq}, "
            f"dtype={self.dtype}"
        )


class EmbeddingLookup(Cell):
    """A table with a row of numbers for each id; rows longer than ``max_norm`` come out as long.

    The options for tables that several devices share (``target``, ``slice_mode``,
    ``manual_shapes``, ``sparse``) change nothing on one. (MindSpore 2.10 on CPU shortens only the
    first row by its own length.)

    >>> from ms_ext import Tensor
    >>> EmbeddingLookup(4, 2, param_init="ones", max_norm=1.0)(Tensor([1]))
    Tensor(shape=[1, 2], dtype=Float32, value=
    [[ 7.07106769e-01,  7.07106769e-01]])
    """

    BATCH_SLICE, FIELD_SLICE = "batch_slice", "field_slice"
    TABLE_ROW_SLICE, TABLE_COLUMN_SLICE = "table_row_slice", "table_column_slice"

    def __init__(
        self, vocab_size, embedding_size, param_init="normal", target="CPU",
        slice_mode="batch_slice", manual_shapes=None, max_norm=None, sparse=True,
        dtype=dtypes.float32,
    ):  # fmt: skip
        super().__init__()
        check_flag("EmbeddingLookup", "sparse", sparse)
        self.vocab_size = check_positive("EmbeddingLookup", "vocab_size", vocab_size)
        self.embedding_size = check_positive("EmbeddingLookup", "embedding_size", embedding_size)
        if target not in ("CPU", "DEVICE"):
            raise errors.InvalidValue(
                "For 'EmbeddingLookup', the 'target' must be one of values in "
                f"('CPU', 'DEVICE'), but got {target}."
            )
        self.target, self.slice_mode, self.max_norm = target, slice_mode, max_norm
        table = initializer(param_init, (vocab_size, embedding_size), dtype)
        self.embedding_table = Parameter(table, name="embedding_table")

    def construct(self, indices):
        """The row of each id."""
        rows = ops.gather(self.embedding_table, indices, 0)
        if self.max_norm is None:
            return rows
        lengths = ops.sqrt(ops.ReduceSum(rows * rows, axis=-1, keep_dims=True))
        return rows * (self.max_norm / ops.maximum(lengths, self.max_norm))


def check_padding(layer, index, low, high):
    """The row that stands for nothing is one of the table.

    >>> check_padding("Embedding", 0, 0, 4)
    """
    if type(index) is not int:
        raise errors.InvalidType(
            f"For '{layer}', the type of 'padding_idx' should be int, "
            f"but got {type(index).__name__}."
        )
    if not low <= index < high:
        raise errors.InvalidValue(
            f"For '{layer}', the 'padding_idx' must be in range of [{low}, {high}), "
            f"but got {index} with type 'int'."
        )
