"""Ops on arrays where they are refused, on ties, NaN, no elements, and on NumPy's word for it."""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Parameter, Tensor, mint, ops
from ms_ext.engine.errors import MsExtError

X = np.float32([[3, 1, 2], [0, 5, 4]])
GIVEN = {"ms": ms, "ops": ops, "mint": mint, "Parameter": Parameter}


def given():
    return GIVEN | {
        "x": Tensor(X), "i": Tensor(np.int32([0, 1])), "L": Tensor(np.int64([0, 1])),
        "n": Tensor(1.0), "m": Tensor([True, False]), "w": Parameter(Tensor(X), name="w"),
    }  # fmt: skip


#: What MindSpore 2.10 refuses, and the exceptions that it raises.
REFUSED = {
    TypeError: """ops.sort([1, 2]) | ops.sort(m) | ops.topk(x, 1.5) | ops.cummax(x, 1.0)
        ops.flip(x, 0) | x.flip(0) | ops.rot90(x, 1.0, (0, 1)) | ops.hstack(x)
        ops.tensor_split(x, 1.5) | ops.tril_indices(1.5, 2) | ops.index_fill(x, 0, i, 'a')
        ops.tensor_scatter_add(x, i.reshape(2, 1), x.astype(ms.int32)) | ops.linspace(0, 1, 2.5)
        ops.fill(ms.float32, (2,), 'a') | ops.sequence_mask(x) | ops.randint(0.5, 5, (2,))
        ops.standard_normal(2) | ops.scalar_to_tensor('a') | ops.scalar_to_tensor(n)
        ops.atleast_1d([x, 1]) | ops.uniform((2,), 0.0, 1.0) | ops.rand_like([1])
        ops.nonzero([1]) | ops.unsorted_segment_sum(m, i, 2)""",
    ValueError: """ops.sort(x, 5) | ops.sort(n) | ops.topk(x, 9) | ops.topk(x, 0)
        ops.cummax(x, 3) | ops.cumprod(x, 3) | ops.flip(x, (0, 0)) | ops.flip(x, (5,))
        ops.repeat_interleave(x, -1) | ops.repeat_interleave(x, [1, 2], 1)
        ops.repeat_elements(x, 0) | ops.meshgrid(x, x) | ops.meshgrid(L, L, indexing='a')
        ops.hstack(()) | ops.vstack((x, x[:, :2])) | ops.tensor_split(x, 0)
        ops.movedim(x, 0, 5) | ops.movedim(x, (0, 0), (0, 1)) | ops.movedim(x, (0, 1), 0)
        ops.diag(n) | ops.tril_indices(-1, 2) | ops.block_diag(ops.ones((2, 2, 2)))
        ops.combinations(x) | ops.gather_nd(x, ops.zeros((1, 3), ms.int32))
        ops.scatter_nd(L, x[0], (3,)) | ops.scatter_nd(L.reshape(2, 1), x[0], (3,))
        ops.tensor_scatter_add(x, i, x) | ops.tensor_scatter_add(x, i.reshape(2, 1), x[0])
        ops.tensor_scatter_elements(x, i, x) | ops.scatter_add(w, i.reshape(2, 1), x)
        ops.tensor_scatter_elements(x, i.reshape(1, 2), x[:1, :2], 1, 'mul')
        ops.index_add(w, i, x[:1], 0) | ops.select_scatter(x, x, 0, 0)
        ops.select_scatter(x, x[0], 0, 7) | ops.diagonal_scatter(x, x[0])
        ops.masked_select(x, ops.ones((4,), ms.bool_)) | ops.searchsorted(x, L)
        ops.searchsorted(x[0], x[0], right=True, side='left') | ops.bincount(x)
        ops.histc(x, 0) | ops.histc(x, 2, 5.0, 1.0) | ops.count_nonzero(x, 5)
        ops.slice(x, (0, 0), (5, 5)) | ops.slice(x, (0,), (1,)) | ops.linspace(0, 1, 0)
        ops.strided_slice(x, (0, 0), (2, 2), (0, 1)) | ops.range(0, 10, -1)
        ops.range(0, 10, 0) | ops.unsorted_segment_sum(x, i, 0) | ops.diagonal(x[0])
        ops.unsorted_segment_sum(x, ms.Tensor([0, 1, 2]), 3) | ops.diagonal(x, 0, 0, 0)
        ops.reverse_sequence(x, i, 0) | ops.randint(0, 5, (2,), dtype=ms.float32)
        ops.randperm(-1) | ops.multinomial(x, 5, False) | ops.bernoulli(x, 1.5)
        ops.standard_normal((2, -1)) | ops.diag_embed(x, 0, 0, 0) | ops.is_nonzero(x)
        ops.padding(x, 4) | ops.rand(2, dtype=ms.int32) | ops.inplace_add(x, x[:1], (0, 5))
        ops.inplace_update(x, x, 0) | ops.randint_like(x, 0, 5)""",
    RuntimeError: """ops.topk(n, 1) | ops.rot90(x, 1, (0, 0)) | ops.rot90(x[0], 1, (0, 1))
        ops.trace(x[0]) | ops.trace(ops.ones((2, 2, 2))) | ops.block_diag()
        ops.gather_nd(x, L.reshape(1, 2) + 5) | ops.index_fill(x, 0, i + 7, 1.0)
        ops.scatter_nd(L.reshape(2, 1) + 5, x[0, :2], (3,)) | ops.scatter_add(w, i + 7, x)
        ops.tensor_scatter_add(x, i.reshape(2, 1) + 7, x)
        ops.tensor_scatter_update(x, i.reshape(2, 1) - 3, x) | ops.index_add(w, i + 7, x, 0)
        ops.unsorted_segment_sum(x, i, 1) | ops.randint(5, 0, (2,))
        ops.gather(x, L.reshape(1, 2), 1, 1)""",
    IndexError: "ops.tuple_to_array(())",
}
CALLS = [
    (text.strip(), kind)
    for kind, block in REFUSED.items()
    for line in block.splitlines()
    for text in line.split(" | ")
]


@pytest.mark.parametrize("text, kind", CALLS)
def test_refused_with_the_exception_that_mindspore_raises(text, kind):
    with pytest.raises(kind) as caught:
        eval(text, given())
    assert isinstance(caught.value, MsExtError)


NAN = float("nan")
LINE = np.float32([2, NAN, 1, NAN, 0])
REFERENCES = {
    "NaN comes last": (lambda: ops.sort(Tensor(LINE))[1], [4, 2, 0, 1, 3]),
    "descending, NaN comes first": (lambda: ops.sort(Tensor(LINE), 0, True)[1], [1, 3, 0, 2, 4]),
    "the largest is NaN": (lambda: ops.topk(Tensor(LINE), 3)[1], [1, 3, 0]),
    "of equal ones the first": (lambda: ops.topk(Tensor([1, 5, 5, 5]), 2)[1], [1, 2]),
    "of equal ones the first, smallest": (
        lambda: ops.topk(Tensor([5, 1, 1, 1]), 2, 0, False)[1], [1, 2],
    ),
    "the median of NaN alone": (
        lambda: ops.isnan(ops.nanmedian(Tensor([NAN, NAN]))[0]), True,
    ),
    "sort of nothing": (lambda: ops.sort(ops.zeros((2, 0)))[0].shape, (2, 0)),
    "sort of an empty stack": (lambda: ops.sort(ops.zeros((0, 3)))[1].shape, (0, 3)),
    "topk of none": (lambda: mint.topk(ops.zeros((2, 3)), 0)[0].shape, (2, 0)),
    "cumprod of nothing": (lambda: ops.cumprod(ops.zeros((0, 3)), 0).shape, (0, 3)),
    "cummax of nothing": (lambda: ops.cummax(ops.zeros((2, 0)), 1)[1].shape, (2, 0)),
    "flip of nothing": (lambda: ops.flip(ops.zeros((0, 3)), (0,)).shape, (0, 3)),
    "roll of nothing": (lambda: ops.roll(ops.zeros((0, 3)), 1).shape, (0, 3)),
    "diagonal of nothing": (lambda: ops.diagonal(ops.zeros((0, 3))).shape, (0,)),
    "diagonal out of reach": (lambda: ops.diagonal(ops.ones((2, 3)), 5).shape, (0,)),
    "trace of nothing": (lambda: ops.trace(ops.zeros((0, 3))), 0.0),
    "nonzero of a number": (lambda: ops.nonzero(Tensor(3)).shape, (1, 0)),
    "unique of nothing": (lambda: mint.unique(ops.zeros((0,))).shape, (0,)),
    "unique_consecutive of nothing": (
        lambda: ops.unique_consecutive(ops.zeros((0,))).shape, (0,),
    ),
    "bincount of nothing": (lambda: mint.bincount(ops.zeros((0,), ms.int64)).shape, (0,)),
    "masked_select of nothing": (
        lambda: ops.masked_select(Tensor([1.0]), Tensor([False])).shape, (0,),
    ),
    "gather_nd of nothing": (
        lambda: ops.gather_nd(ops.ones((2, 3)), ops.zeros((0, 1), ms.int32)).shape, (0, 3),
    ),
    "repeat none": (lambda: ops.repeat_interleave(Tensor([1, 2]), [0, 0], 0).shape, (0,)),
    "combinations of too many": (lambda: ops.combinations(Tensor([1, 2]), 5).shape, (0,)),
    "histc of one number": (lambda: ops.histc(Tensor([2.0]), 3), [0, 1, 0]),
    "searchsorted with sorter": (
        lambda: ops.searchsorted(Tensor([3, 1, 2]), Tensor([2, 9]), sorter=Tensor([1, 2, 0])),
        [1, 3],
    ),
    "bucketize from the right": (
        lambda: ops.bucketize(Tensor([-1.0, 0, 2]), [0.0, 1.0, 2.0], right=True), [0, 1, 3],
    ),
    "logspace": (lambda: ops.logspace(0, 2, 3), [1, 10, 100]),
    "logspace of whole numbers": (
        lambda: ops.logspace(1, 3, 3, 2, dtype=ms.int32), [2, 4, 8],
    ),
    "gamma's shape": (
        lambda: ops.gamma((2, 3), Tensor([1.0, 2.0]), Tensor([[1.0], [2.0]])).shape,
        (2, 3, 2, 2),
    ),
    "poisson's shape": (lambda: ops.poisson((2,), Tensor([1.0, 2.0])).shape, (2, 2)),
    "fills": (lambda: ops.fills(Tensor([1.0, 2.0]), 2), [2, 2]),
    "linspace of lines": (
        lambda: ops.linspace(Tensor([0.0, 1.0]), Tensor([1.0, 3.0]), 3), [[0, 0.5, 1], [1, 2, 3]],
    ),
    "logcumsumexp beyond a float's range": (
        lambda: ops.logcumsumexp(Tensor(np.float32([-1000, 1000, 1000])), 0),
        [-1000, 1000, 1000 + np.log(2)],
    ),
    "a sum of halves is rounded once": (
        lambda: ops.unsorted_segment_sum(ops.ones(3000, ms.float16), ops.zeros(3000, ms.int32), 1),
        [3000],
    ),
    "strided_slice, new axis": (
        lambda: ops.strided_slice(Tensor(X), (0, 1), (1, 2), (1, 1), new_axis_mask=1),
        X[None, 1:2],
    ),
    "strided_slice, ellipsis": (
        lambda: ops.strided_slice(Tensor(X), (0, 1), (1, 2), (1, 1), ellipsis_mask=1),
        X[..., 1:2],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFERENCES)
def test_edge(name):
    call, wanted = REFERENCES[name]
    found = call()
    if isinstance(found, Tensor):
        np.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-6)
    else:
        assert found == wanted


#: Gradients where MindSpore's are others: the slope, worked out by hand or by NumPy.
SLOPES = {
    "product with one zero": (lambda x: ops.cumprod(x, 0)[2], [2.0, 0.0, 3.0], [0, 6, 0]),
    "product with two zeros": (lambda x: ops.cumprod(x, 0)[2], [0.0, 0.0, 3.0], [0, 0, 0]),
    "two factors at a place": (
        lambda y: ops.tensor_scatter_mul(Tensor([5.0]), Tensor([[0], [0]]), y)[0],
        [2.0, 3.0], [15, 10],
    ),
    "two divisors at a place": (
        lambda y: ops.tensor_scatter_div(Tensor([12.0]), Tensor([[0], [0]]), y)[0],
        [2.0, 3.0], [-1, -2 / 3],
    ),
    "a factor of zero": (
        lambda y: ops.tensor_scatter_mul(Tensor([5.0]), Tensor([[0], [0]]), y)[0],
        [0.0, 3.0], [15, 0],
    ),
    "a segment's product with a zero": (
        lambda x: ops.unsorted_segment_prod(x, Tensor([0, 0]), 1)[0], [0.0, 3.0], [3, 0],
    ),
    "the value that fills": (
        lambda v: ops.sum(ops.index_fill(ops.zeros(4), 0, Tensor([1, 3]), v)), 7.0, 2,
    ),
    "rows that are added": (
        lambda v: ops.sum(ops.inplace_add(ops.zeros((3, 1)), v, (0, 2)) ** 2),
        [[1.0], [2.0]], [[2], [4]],
    ),
    "a mask that moves begin": (
        lambda x: ops.sum(ops.strided_slice(x, (1,), (2,), (1,), begin_mask=1) ** 2),
        [1.0, 2.0, 3.0], [2, 4, 0],
    ),
    "ties share a segment's maximum": (
        lambda x: ops.unsorted_segment_max(x, Tensor([0, 0, 0]), 1)[0], [3.0, 3.0, 1.0],
        [0.5, 0.5, 0],
    ),
    "the running maximum, of equal ones the latest": (
        lambda x: ops.cummax(x, 0)[0][2], [3.0, 3.0, 1.0], [0, 1, 0],
    ),
    "the mean of a far tail": (
        lambda x: ops.logcumsumexp(x, 0)[1], [-500.0, 500.0], [0, 1],
    ),
    "weights that are counted": (
        lambda w: ops.bincount(Tensor([1, 1]), w)[1] * 3, [1.0, 2.0], [3, 3],
    ),
}  # fmt: skip


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("name", SLOPES)
def test_slope(name, jit):
    f, at, wanted = SLOPES[name]
    take = ms.grad(f)
    found = (ms.jit(take) if jit else take)(Tensor(np.float32(at)))
    np.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-5, atol=1e-6)
