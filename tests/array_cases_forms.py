"""Cases of ``array_cases``: primitives in other words, and older methods."""

import numpy as np

LONG, INT, BOOL = np.int64, np.int32, np.bool_

FORMS = {
    "ops.Split(0, 2)(x)": {"x": (4, 3)},
    "ops.Split(1, 3)(x)": {"x": (2, 3)},
    "ops.Padding(4)(x)": {"x": (2, 1)},
    "ops.MaskedScatter()(x, m, y)": {"x": (3,), "m": BOOL([True, False, True]), "y": (2,)},
    "ops.MatrixBandPart()(x, 0, 1)": {"x": (3, 3)},
    "ops.Bucketize([1.0, 2.0])(x)": {"x": (2, 3)},
    "ops.LogSpace(3)(x, y)": {"x": (), "y": ()},
    "ops.EmbeddingLookup()(x, i, 1)": {"x": (3, 2), "i": INT([1, 3])},
    "ops.InplaceAdd((0, 2))(x, y)": {"x": (3, 2), "y": (2, 2)},
    "ops.InplaceSub((0, 2))(x, y)": {"x": (3, 2), "y": (2, 2)},
    "ops.InplaceUpdate((0, 2))(x, y)": {"x": (3, 2), "y": (2, 2)},
    "ops.IndexPut()(x, y, (i,))": {"x": (3,), "y": (2,), "i": LONG([2, 0])},
    "ops.IndexPut(1)(x, y, (i,))": {"x": (3,), "y": (2,), "i": LONG([2, 2])},
    "ops.IndexFill()(x, 0, i, y)": {"x": (3, 2), "i": INT([0]), "y": ()},
    "ops.FillV2()((2, 3), x)": {"x": ()},
    "ops.SpaceToBatchND([2, 2], [[0, 0], [1, 1]])(x)": {"x": (1, 1, 2, 2)},
    "ops.BatchToSpaceND([2, 2], [[0, 0], [1, 0]])(x)": {"x": (4, 1, 1, 2)},
    "x.argmax_with_value(1)": {"x": [[1.0, 3, 2], [5, 4, 0]]},
    "x.argmin_with_value(0, True)": {"x": [[1.0, 3, 2], [5, 4, 0]]},
    "x.byte()": {"x": [1.0, 2]},
    "x.short()": {"x": [1.0, -2]},
    "x.bfloat16().dtype": {"x": [1.0]},
    "x.ptp()": {"x": [[1.0, 3, 2], [5, 4, 0]]},
    "x.ptp(1, True)": {"x": [[1.0, 3, 2], [5, 4, 0]]},
    "x.itemset(1, 7.0)": {"x": (2, 2)},
    "x.itemset((1, 0), 7.0)": {"x": (2, 2)},
    "x.resize(2, 2)": {"x": (2, 3)},
    "x.resize((3, 3))": {"x": (2, 3)},
    "x.sum_to_size((1, 3))": {"x": (2, 3)},
    "x.sum_to_size(1, 1)": {"x": (2, 3)},
    "x.fill_diagonal(9.0)": {"x": (2, 3)},
    "x.fill_diagonal(9.0, True)": {"x": (7, 2)},
    "x.fill_diagonal(9.0)  # tall": {"x": (7, 2)},
    "x.fill_diagonal(9.0)  # cube": {"x": (2, 2, 2)},
    "x.type()": {"x": (2,)},
    "x.type(ms.int32)": {"x": (2,)},
    "x.is_signed()": {"x": (2,)},
    "x.nelement()": {"x": (2, 3)},
    "x.dim()": {"x": (2, 3)},
}

#: Random: dtype and shape only.
DRAWN_FORMS = {
    "ops.RandpermV2()(3)": {},
    "ops.RandomShuffle()(x)": {"x": (4, 2)},
    "ops.Multinomial()(x, 2)": {"x": [[0.0, 1, 0.5]]},
    "ops.Bernoulli()(x, y)": {"x": (2, 3), "y": [0.5]},
    "ops.StandardLaplace()((2,))": {},
    "ops.RandomCategorical()(x, 2, 0)": {"x": (2, 3)},
    "ops.RandomChoiceWithMask(2)(m)": {"m": BOOL([True, False, True])},
}
