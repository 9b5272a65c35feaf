"""Rows of a table, one for each id; and an output for each matrix between two rows."""

from .. import ops
from ..engine import errors
from .composite import composite


@composite("embedding", "mint.nn.functional.embedding")
def embedding(
    input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False
):
    """The row of ``weight`` for each id.

    ``padding_idx``: a row that gets no gradient. ``max_norm``: rows that are asked for and longer
    are first made as long, in ``weight`` itself. ``scale_grad_by_freq``: the gradient of a row is
    divided by how often its id occurs.

    >>> ops.embedding(Tensor([1, 0]), Tensor([[1.0], [2.0]])).shape
    (2, 1)
    """
    if max_norm is not None:
        ops.assign(weight, _shortened(weight, input, max_norm, norm_type))
    rows = ops.gather(weight, input, 0)
    if scale_grad_by_freq:
        same = ops.reshape(input, (-1, 1)) == ops.reshape(input, (1, -1))
        often = ops.reshape(ops.sum(ops.cast(same, rows.dtype), 1), (*input.shape, 1))
        rows = rows / often + ops.stop_gradient(rows - rows / often)
    if padding_idx is not None:
        count = weight.shape[0]
        if not -count <= padding_idx < count:
            raise errors.InvalidValue(
                f"the 'padding_idx' must be in range of [{-count}, {count}), but got {padding_idx}."
            )
        padding = ops.expand_dims(input == padding_idx % count, -1)
        rows = ops.where(padding, ops.stop_gradient(rows), rows)
    return rows


def _shortened(weight, ids, longest, power):
    lengths = ops.pow(ops.sum(ops.pow(ops.abs(weight), power), 1, True), 1 / power)
    numbers = ops.reshape(ops.arange(weight.shape[0]), (-1, 1))
    asked = ops.any(numbers == ops.reshape(ids, (1, -1)), 1, True)
    too_long = ops.logical_and(asked, lengths > longest)
    return ops.where(too_long, weight * (longest / (lengths + 1e-7)), weight)


@composite("bidense")
def bidense(input1, input2, weight, bias=None):
    """x1 W x2 + b for each matrix W of ``weight`` [outputs, inputs of x1, inputs of x2].

    >>> ops.bidense(Tensor([[1.0, 2.0]]), Tensor([[3.0]]), Tensor([[[1.0], [1.0]]]), Tensor([0.5]))
    Tensor(shape=[1, 1], dtype=Float32, value=
    [[ 9.50000000e+00]])
    """
    outputs, first, second = weight.shape
    for name, x, size in (("input1", input1, first), ("input2", input2, second)):
        if x.shape[-1] != size:
            raise errors.InvalidValue(
                f"the last dimension of '{name}' must be same as the weight's, "
                f"but got {x.shape[-1]} of '{name}' and {size} of the weight."
            )
    if input1.shape[:-1] != input2.shape[:-1]:
        raise errors.InvalidValue(
            "the dimensions except the last of 'input1' must be same as 'input2', "
            f"but got {input1.shape} of 'input1' and {input2.shape} of 'input2'"
        )
    columns = ops.reshape(ops.transpose(weight, (1, 0, 2)), (first, outputs * second))
    between = ops.matmul(input1, columns)
    between = ops.reshape(between, (*input1.shape[:-1], outputs, second))
    found = ops.sum(between * ops.expand_dims(input2, -2), -1)
    return found if bias is None else found + bias
