"""Cases of ``array_cases``: scattered, gathered and chosen elements, and what is written."""

import numpy as np

LONG, INT, BOOL = np.int64, np.int32, np.bool_

_XI = {"x": (3, 4), "i": LONG([[0, 3], [1, 1]]), "y": (2, 2)}
_ND = {"x": (3, 4), "i": INT([[0], [2], [0]]), "y": (3, 4)}
_ND2 = {"x": (3, 4), "i": LONG([[0, 1], [2, 3], [0, 1]]), "y": (3,)}
SCATTERING = {
    "ops.scatter(x, 1, i, y)": {"x": (3, 4), "i": LONG([[0, 3], [1, 2]]), "y": (2, 2)},
    "ops.scatter(x, 0, i, y)": {"x": (3, 4), "i": LONG([[0, 2], [1, 0]]), "y": (2, 2)},
    "mint.scatter(x, 1, i, y)": {"x": (3, 4), "i": LONG([[0, 3], [1, 2]]), "y": (2, 2)},
    "mint.scatter(x, 1, i, 5.0)": {"x": (3, 4), "i": LONG([[0, 3], [1, 2]])},
    "x.scatter(1, i, y)": {"x": (3, 4), "i": LONG([[0, 3], [1, 2]]), "y": (2, 2)},
    "x.scatter_add(1, i, y)": _XI,
    "mint.scatter_add(x, 1, i, y)": _XI,
    "ops.tensor_scatter_elements(x, i, y, 1)": {
        "x": (3, 4), "i": LONG([[0, 3], [1, 2]]), "y": (2, 2),
    },
    "ops.tensor_scatter_elements(x, i, y, 1, 'add')": _XI,
    "ops.TensorScatterElements(0, 'add')(x, i, y)": {
        "x": (3, 4), "i": INT([[0, 2], [2, 1]]), "y": (2, 2),
    },
    "ops.scatter_nd(i, y, (3, 4))": _ND | {"x": ()},
    "ops.scatter_nd(i, y, (3, 4))  # elements": _ND2 | {"x": ()},
    "ops.ScatterNd()(i, y, (3, 4))": _ND | {"x": ()},
    "ops.tensor_scatter_update(x, i, y)": _ND | {"i": INT([[0], [2], [1]])},
    "ops.TensorScatterUpdate()(x, i, y)": _ND2 | {"i": LONG([[0, 1], [2, 3], [1, 1]])},
    "ops.tensor_scatter_add(x, i, y)": _ND,
    "ops.tensor_scatter_add(x, i, y)  # elements": _ND2,
    "ops.TensorScatterAdd()(x, i, y)": _ND2,
    "ops.tensor_scatter_sub(x, i, y)": _ND,
    "ops.tensor_scatter_max(x, i, y)": _ND,
    "ops.tensor_scatter_min(x, i, y)": _ND2,
    "ops.tensor_scatter_mul(x, i, y)": _ND2,
    "ops.tensor_scatter_mul(x, i, y)  # once": _ND2 | {"i": LONG([[0, 1], [2, 3], [1, 1]])},
    "ops.tensor_scatter_div(x, i, y)": _ND2 | {"y": [2.0, -1, 4]},
    "x.scatter_sub(i, y)": _ND,
    "x.scatter_max(i, y)": _ND2,
    "x.scatter_min(i, y)": _ND2,
    "x.scatter_mul(i, y)": _ND2,
    "x.scatter_div(i, y)": _ND2 | {"y": [2.0, -1, 4]},
    "ops.gather_nd(x, i)": {"x": (3, 4), "i": LONG([[0, 1], [2, 3], [0, 1]])},
    "ops.gather_nd(x, i)  # rows": {"x": (3, 4), "i": INT([[[0], [2]], [[0], [1]]])},
    "ops.GatherNd()(x, i)": {"x": (3, 4), "i": INT([[1], [1]])},
    "x.gather_nd(i)": {"x": (3, 4), "i": INT([[1], [1]])},
    "ops.index_fill(x, 1, i, 9.0)": {"x": (3, 4), "i": INT([0, 2])},
    "ops.index_fill(x, 0, i, y)": {"x": (3, 4), "i": INT([0, 2]), "y": ()},
    "x.index_fill(0, i, 1.5)": {"x": (3, 4), "i": INT([1])},
    "mint.index_add(x, 0, i, y)": {"x": (3, 4), "i": LONG([0, 2, 0]), "y": (3, 4)},
    "mint.index_add(x, 1, i, y, alpha=2)": {"x": (2, 3), "i": LONG([2, 2]), "y": (2, 2)},
    "x.index_add(0, i, y)": {"x": (3, 4), "i": LONG([0, 2, 0]), "y": (3, 4)},
    "x.index_put((i,), y)": {"x": (3, 4), "i": LONG([0, 2]), "y": (2, 4)},
    "x.index_put((i, j), y)": {
        "x": (3, 4), "i": LONG([0, 2]), "j": LONG([3, 1]), "y": (2,),
    },
    "x.index_put((i,), y, True)": {"x": (3, 4), "i": LONG([0, 0]), "y": (2, 4)},
    "ops.take(x, i)": {"x": (3, 4), "i": LONG([[0, 11], [5, 5]])},
    "mint.take(x, i)": {"x": (3, 4), "i": LONG([[0, 11], [5, 5]])},
    "x.take(i)": {"x": (3, 4), "i": LONG([0, 11])},
    "x.take(i, 1)": {"x": (3, 4), "i": INT([0, 3, 3])},
    "ops.select_scatter(x, y, 0, 1)": {"x": (3, 4), "y": (4,)},
    "ops.select_scatter(x, y, -1, 0)": {"x": (3, 4), "y": (3,)},
    "ops.slice_scatter(x, y, 1, 0, 4, 2)": {"x": (3, 4), "y": (3, 2)},
    "ops.slice_scatter(x, y, 0, 1)": {"x": (3, 4), "y": (2, 4)},
    "x.slice_scatter(y, 0, 0, 2)": {"x": (3, 4), "y": (2, 4)},
    "x.masked_scatter(m, y)": {"x": (4,), "m": BOOL([True, False, True, False]), "y": (3,)},
    "ops.inplace_add(x, y, (0, 2))": {"x": (3, 4), "y": (2, 4)},
    "ops.inplace_sub(x, y, 1)": {"x": (3, 4), "y": (1, 4)},
    "ops.inplace_update(x, y, (2, 0))": {"x": (3, 4), "y": (2, 4)},
    "ops.gather(x, i, 1, 1)": {"x": (3, 4), "i": LONG([[0, 0], [3, 1], [2, 2]])},
    "ops.unsorted_segment_sum(x, i, 3)": {"x": (4, 2), "i": INT([0, 2, 0, 2])},
    "ops.unsorted_segment_sum(x, i, 2)  # dropped": {"x": (4,), "i": INT([0, 1, -1, 0])},
    "ops.unsorted_segment_sum(x, i, 3)  # 2-d": {"x": (2, 2, 2), "i": INT([[0, 2], [0, 1]])},
    "ops.UnsortedSegmentSum()(x, i, 3)": {"x": (4, 2), "i": INT([0, 2, 0, 2])},
    "ops.unsorted_segment_max(x, i, 3)": {"x": (4, 2), "i": INT([0, 2, 0, 2])},
    "ops.unsorted_segment_min(x, i, 3)": {"x": (4, 2), "i": INT([0, 2, 0, 2])},
    "ops.unsorted_segment_prod(x, i, 3)": {"x": [1.0, 2, 3, 4], "i": INT([0, 2, 0, 2])},
}  # fmt: skip

CHOOSING = {
    "ops.masked_select(x, m)": {"x": [1.0, 2, 3], "m": BOOL([True, False, True])},
    "ops.masked_select(x, m)  # stretched": {"x": (2, 3), "m": BOOL([True, False, True])},
    "x.masked_select(m)": {"x": (2, 3), "m": BOOL([[True], [False]])},
    "mint.masked_select(x, x > 0)": {"x": (3, 3)},
    "ops.MaskedSelect()(x, m)": {"x": [1.0, 2, 3], "m": BOOL([True, False, True])},
    "ops.nonzero(x)": {"x": (3, 3)},
    "ops.nonzero(x, as_tuple=True)": {"x": (3, 3)},
    "ops.nonzero(m)": {"m": BOOL([False, False])},
    "x.nonzero()": {"x": (3, 3)},
    "mint.nonzero(x)": {"x": (3, 3)},
    "mint.nonzero(x, as_tuple=True)": {"x": (3, 3)},
    "ops.NonZero()(x)": {"x": (3, 3)},
    "ops.argwhere(x)": {"x": (3, 3)},
    "ops.unique(x)": {"x": [3.0, 1, 3, 2]},
    "ops.unique(x)  # matrix": {"x": [[3.0, 1], [3, 2]]},
    "ops.unique(i)": {"i": INT([4, 4, -1])},
    "ops.Unique()(x)": {"x": [3.0, 1, 3, 2]},
    "x.unique()": {"x": [3.0, 1, 3, 2]},
    "mint.unique(x)": {"x": [3.0, 1, 3, 2]},
    "mint.unique(x, return_inverse=True, return_counts=True)": {"x": [[3.0, 1], [3, 2]]},
    "mint.unique(x, dim=0)": {"x": [[3.0, 1], [0, 2], [3, 1]]},
    "ops.unique_consecutive(x)": {"x": [1.0, 1, 2, 1]},
    "ops.unique_consecutive(x, True, True)": {"x": [1.0, 1, 2, 1]},
    "ops.unique_consecutive(x, True, False)": {"x": [[1.0, 1], [2, 1]]},
    "ops.unique_consecutive(x, True, True, 0)": {"x": [[1.0, 1], [1, 1], [2, 1]]},
    "mint.unique_consecutive(x, True, True)": {"x": [1.0, 1, 2, 1]},
    "x.unique_consecutive(True)": {"x": [1.0, 1, 2, 1]},
    "ops.unique_with_pad(i, 9)": {"i": INT([1, 1, 2, 1])},
    "ops.UniqueWithPad()(i, 9)": {"i": INT([1, 1, 2, 1])},
    "mint.where(x > 0)": {"x": (3, 3)},
}

#: Writes to a Parameter ``w``; the result, and what is in ``w`` afterwards.
WRITING = (
    {
        f"(ops.{name}(w, i, y), w)": {"w": (3, 2), "i": INT([0, 2]), "y": [[2.0, 4], [1, -2]]}
        for name in (
            "scatter_update scatter_add scatter_mul scatter_div scatter_max scatter_min"
        ).split()
    }
    | {
        f"(ops.{name}(w, i, y), w)": {"w": (4,), "i": INT([[0], [2]]), "y": [2.0, 4]}
        for name in (
            "scatter_nd_update scatter_nd_add scatter_nd_sub scatter_nd_mul scatter_nd_div"
            " scatter_nd_max scatter_nd_min"
        ).split()
    }
    | {
        "(ops.ScatterAdd()(w, i, y), w)": {"w": (3, 2), "i": INT([0, 0]), "y": (2, 2)},
        "(ops.ScatterSub()(w, i, y), w)": {"w": (3, 2), "i": INT([0, 0]), "y": (2, 2)},
        "(ops.ScatterUpdate()(w, i, y), w)": {"w": (3, 2), "i": INT([0, 2]), "y": (2, 2)},
        "(ops.ScatterNdAdd()(w, i, y), w)": {"w": (4,), "i": INT([[0], [0]]), "y": (2,)},
        "(ops.ScatterNdUpdate()(w, i, y), w)": {"w": (4,), "i": INT([[0], [2]]), "y": (2,)},
        "(ops.index_add(w, i, y, 0), w)": {"w": (3, 2), "i": INT([0, 0]), "y": (2, 2)},
        "(ops.index_add(w, i, y, 1), w)": {"w": (2, 3), "i": INT([2, 0]), "y": (2, 2)},
        "(ops.IndexAdd(0)(w, i, y), w)": {"w": (3, 2), "i": INT([0, 0]), "y": (2, 2)},
        "(ops.inplace_index_add(w, i, y, 0), w)": {"w": (3, 2), "i": INT([0, 0]), "y": (2, 2)},
    }
)
