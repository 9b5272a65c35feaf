"""What is a metric? Something that is cleared, fed batch after batch, and asked for its value.

>>> class Largest(Metric):
...     def clear(self):
...         self.most = 0.0
...     @rearrange_inputs
...     def update(self, *inputs):
...         self.most = max(self.most, self._convert_data(inputs[0]).max())
...     def eval(self):
...         return float(self.most)
>>> Largest()([1.0, 3.0])
3.0
"""

import abc
import functools

import numpy as np

from ...engine import errors
from ...engine.tensor import Tensor

TYPES = ("classification", "multilabel")


def rearrange_inputs(func):
    """A decorator of ``update``: it gets the inputs that ``set_indexes`` chose, in that order.

    >>> rearrange_inputs(lambda self, *inputs: inputs).__name__
    '<lambda>'
    """

    @functools.wraps(func)
    def chosen(self, *inputs):
        return func(self, *[inputs[i] for i in self.indexes] if self.indexes else inputs)

    return chosen


class Metric(abc.ABC):
    """The parent of metrics, which define ``clear``, ``update`` and ``eval``.

    >>> from ms_ext.train import metrics
    >>> metric = metrics.MAE().set_indexes([0, 2])
    >>> metric.update([1.0], "not looked at", [3.0])
    >>> metric.eval()
    2.0
    """

    _indexes = None

    @property
    def indexes(self):
        """Which of the inputs ``update`` looks at; None: all."""
        return self._indexes

    def set_indexes(self, indexes):
        """Say which of the inputs ``update`` looks at, in which order; returns the metric.

        >>> from ms_ext.train import metrics
        >>> metrics.MSE().set_indexes([1, 0]).indexes
        [1, 0]
        """
        if not isinstance(indexes, list) or not all(isinstance(i, int) for i in indexes):
            raise errors.InvalidValue(
                "For 'set_indexes', the argument 'indexes' must be a list and all its elements "
                "must be int.",
                given=repr(indexes),
            )
        self._indexes = indexes
        return self

    def __call__(self, *inputs):
        self.clear()
        self.update(*inputs)
        return self.eval()

    @abc.abstractmethod
    def clear(self):
        """Forget all batches."""
        raise self._not_offered("clear(self)")

    @abc.abstractmethod
    def update(self, *inputs):
        """Count one batch."""
        raise self._not_offered("update(self, *inputs)")

    @abc.abstractmethod
    def eval(self):
        """The value over all batches since the last ``clear``."""
        raise self._not_offered("eval(self)")

    def _not_offered(self, method):
        return errors.NotOffered(
            f"The parent of {type(self).__name__} has no {method}.",
            hint="Write all of it in your own metric.",
        )

    def _convert_data(self, data):
        """A Tensor, list or array as an array."""
        if isinstance(data, Tensor):
            return data.asnumpy()
        if isinstance(data, list):
            return np.array(data)
        if isinstance(data, np.ndarray):
            return data
        raise errors.InvalidType(
            "For 'Metric' and its derived classes, the input data type must be tensor, list or "
            f"numpy.ndarray, but got {type(data)}."
        )


class ClassMetric(Metric):
    """The parent of metrics of classes ("classification") or of labels of 0 and 1 ("multilabel").

    A subclass counts in ``update`` what ``_batch`` gives it.
    """

    def __init__(self, eval_type="classification"):
        self._type = known_type(eval_type)
        self.clear()

    def _batch(self, inputs):
        """Answers and truth as arrays that fit; ``_class_num`` becomes their number of classes."""
        y_pred, y = pair_of(self, inputs)
        y = truth(self, self._type, y_pred, y)
        self._class_num = classes_of(self, y_pred, self._class_num)
        return y_pred, y


def pair_of(metric, inputs):
    """The two inputs of ``update``, answers and truth, as arrays."""
    name = type(metric).__name__
    if len(inputs) != 2:
        raise errors.InvalidValue(
            f"For '{name}.update', it needs 2 inputs (predicted value, true value), "
            f"but got {len(inputs)}."
        )
    return metric._convert_data(inputs[0]), metric._convert_data(inputs[1])


def need_samples(metric, count):
    """Refuse ``eval`` before anything was counted."""
    if not count:
        raise errors.NotRunnable(
            f"The '{type(metric).__name__}' can not be calculated, because the number of samples "
            "is 0.",
            hint="Call update with a batch first.",
        )


def known_type(eval_type):
    """``eval_type``, if it is a known one."""
    if eval_type not in TYPES:
        raise errors.InvalidType(
            f"The argument 'eval_type' must be one of {', '.join(TYPES)}, but got {eval_type}"
        )
    return eval_type


def is_one_hot(y):
    """Whether each row holds one 1 and otherwise 0."""
    binary = y.ndim > 1 and np.equal(y**2, y).all()
    return bool(binary and np.equal(y.sum(axis=1), 1).all())


def truth(metric, kind, y_pred, y):
    """The right classes, one-hot rows as class numbers; answers and truth checked to fit."""
    if kind == "classification" and y_pred.ndim == y.ndim and is_one_hot(y):
        y = y.argmax(axis=1)
    wanted = y_pred.shape[:1] + y_pred.shape[2:] if kind == "classification" else y_pred.shape
    if y.shape != wanted or y_pred.ndim < 2:
        raise errors.InvalidValue(
            f"For '{type(metric).__name__}.update', the shapes do not fit for {kind}.",
            given=f"predicted {list(y_pred.shape)}, true {list(y.shape)}",
            hint="Class numbers have the shape of the scores without axis 1; labels have theirs.",
        )
    if kind == "multilabel" and not (np.equal(y_pred**2, y_pred).all() and np.equal(y**2, y).all()):
        raise errors.InvalidValue(
            "In multilabel case, all elements in y_pred (predicted value) and y (true value) "
            "should be 0 or 1."
        )
    return y


def classes_of(metric, y_pred, before):
    """The number of classes, which must be that of the batches before."""
    if before not in (0, y_pred.shape[1]):
        raise errors.InvalidValue(
            f"For '{type(metric).__name__}.update', class number not match, last input predicted "
            f"data contain {before} classes, but current predicted data contain "
            f"{y_pred.shape[1]} classes."
        )
    return y_pred.shape[1]


def one_hot_pair(metric, y_pred, y, classes):
    """The likeliest class and the right one of each row, as one-hot rows."""
    if y.size and y.max() + 1 > classes:
        raise errors.InvalidValue(
            f"For '{type(metric).__name__}.update', predicted value (inputs[0]) and true value "
            f"(inputs[1]) should contain same classes, but got {classes} and {y.max() + 1}."
        )
    identity = np.eye(classes)
    return identity[y_pred.argmax(axis=1).reshape(-1)], identity[y.reshape(-1)]
