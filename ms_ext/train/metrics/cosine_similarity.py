"""How alike are the samples of a batch?"""

import numpy as np

from ...engine import errors
from .metric import Metric, rearrange_inputs


def _one_of(name, value, known):
    if not isinstance(value, str):
        raise errors.InvalidType(f"{name} must be a string.", given=repr(value))
    if value not in known:
        raise errors.InvalidValue(f"{name} must be one of {', '.join(known)}.", given=repr(value))
    return value


class CosineSimilarity(Metric):
    """The cosine of the angle (or the dot product) of each sample with each.

    >>> CosineSimilarity()([[1.0, 0.0], [1.0, 0.0]]).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """

    def __init__(self, similarity="cosine", reduction="none", zero_diagonal=True):
        self.similarity = _one_of("similarity", similarity, ("dot", "cosine"))
        self.reduction = _one_of("reduction", reduction, ("none", "sum", "mean"))
        if not isinstance(zero_diagonal, bool):
            raise errors.InvalidType("zero_diagonal must be a bool.", given=repr(zero_diagonal))
        self.zero_diagonal = zero_diagonal
        self.clear()

    def clear(self):
        """Forget the batch."""
        self._table = None

    @rearrange_inputs
    def update(self, inputs):
        """Look at a batch, a matrix with a row for each sample; it takes the place of the last."""
        rows = self._convert_data(inputs)
        if self.similarity == "cosine":
            rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        self._table = rows @ rows.T

    def eval(self):
        """The table, or the sum or mean of each of its rows."""
        if self._table is None:
            raise errors.NotRunnable("Please call the 'update' method before calling 'eval'.")
        table = self._table.copy()
        if self.zero_diagonal:
            np.fill_diagonal(table, 0)
        if self.reduction == "none":
            return table
        return (np.sum if self.reduction == "sum" else np.mean)(table, axis=-1)
