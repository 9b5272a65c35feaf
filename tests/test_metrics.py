"""Metrics: what they count over batches, as MindSpore's; and what they refuse."""

import json

import numpy as np
import pytest
from losses_cases import CLASSES, METRICS, SCORES

import ms_ext as ms
from ms_ext import Tensor, nn, train
from ms_ext.train import metrics


@pytest.fixture(scope="module")
def record(request):
    return json.loads((request.path.parent / "golden/losses.json").read_text())["metrics"]


def close(have, want):
    if isinstance(have, list | tuple):
        assert len(have) == len(want)
        return all(close(h, w) for h, w in zip(have, want, strict=True))
    np.testing.assert_allclose(np.float64(have), np.float64(want), 1e-9, 1e-12)
    return True


@pytest.mark.parametrize("text", METRICS)
def test_values(text, record):
    metric = eval(text, {name: getattr(metrics, name) for name in metrics.__all__})
    for inputs in METRICS[text]:
        metric.update(*map(np.array, inputs))
    assert close(metric.eval(), record[text])
    metric.clear()
    for inputs in METRICS[text]:
        given = [np.array(each, np.float32 if np.array(each).dtype.kind == "f" else np.int32)
                 for each in inputs]  # fmt: skip
        metric.update(*map(Tensor, given))
    np.testing.assert_allclose(
        np.float64(np.ravel(flat(metric.eval()))), np.float64(np.ravel(flat(record[text]))),
        1e-5, 1e-6,
    )  # fmt: skip


def flat(value):
    if isinstance(value, list | tuple):
        return [each for part in value for each in flat(part)]
    return np.ravel(value).tolist()


def test_every_metric_was_recorded(record):
    assert set(record) == set(METRICS), "run record_losses.py metrics"


def test_auc_is_the_area():
    x, y = np.array([0.0, 0.25, 1.0]), np.array([0.0, 1.0, 1.0])
    assert metrics.auc(x, y) == metrics.auc(x[::-1], y[::-1]) == 0.875
    assert metrics.auc(x[[1, 0, 2]], y[[1, 0, 2]], reorder=True) == 0.875


def test_indexes_choose_inputs():
    metric = metrics.Accuracy().set_indexes([2, 0])
    assert metric.indexes == [2, 0]
    assert metric(Tensor(CLASSES), None, Tensor(SCORES)) == 0.5


def test_names_and_their_metrics():
    assert {"accuracy", "loss", "mae", "recall", "F1"} <= set(metrics.names())
    assert type(metrics.get_metric_fn("top_1_accuracy")) is metrics.Top1CategoricalAccuracy
    found = metrics.get_metrics({"acc", "mse"})
    assert {k: type(v).__name__ for k, v in found.items()} == {"acc": "Accuracy", "mse": "MSE"}
    assert metrics.get_metrics(None) is None


def test_they_are_shown_in_train_and_nn():
    assert nn.Accuracy is train.Accuracy is ms.train.metrics.Accuracy


BAD = {
    "eval before update": (RuntimeError, lambda: metrics.Accuracy().eval()),
    "eval of loss before update": (RuntimeError, lambda: metrics.Loss().eval()),
    "eval of a table before update": (RuntimeError, lambda: metrics.ConfusionMatrix(2).eval()),
    "one input": (ValueError, lambda: metrics.Recall().update([1])),
    "inputs that are no arrays": (TypeError, lambda: metrics.MAE().update(1.0, 2.0)),
    "an unknown type": (TypeError, lambda: metrics.Accuracy("regression")),
    "shapes that do not fit": (ValueError, lambda: metrics.Accuracy()(SCORES, [1, 2])),
    "labels that are not 0 and 1": (
        ValueError, lambda: metrics.Accuracy("multilabel")([[0, 2]], [[0, 1]])),
    "another number of classes": (ValueError, lambda: twice(metrics.Precision())),
    "a class beyond": (ValueError, lambda: metrics.Recall()(SCORES, [1, 0, 0, 3])),
    "beta 0": (ValueError, lambda: metrics.Fbeta(0)),
    "k that is no int": (TypeError, lambda: metrics.TopKCategoricalAccuracy("a")),
    "k 0": (ValueError, lambda: metrics.TopKCategoricalAccuracy(0)),
    "two losses": (ValueError, lambda: metrics.Loss().update([1.0], [2.0])),
    "a matrix of losses": (ValueError, lambda: metrics.Loss().update([[1.0]])),
    "indexes that are no list": (ValueError, lambda: metrics.MSE().set_indexes((0, 1))),
    "an unknown name": (KeyError, lambda: metrics.get_metric_fn("acurracy")),
    "metrics that are a list": (TypeError, lambda: metrics.get_metrics(["acc"])),
    "an unknown way to normalize": (ValueError, lambda: metrics.ConfusionMatrix(2, "rows")),
    "auc of lists": (TypeError, lambda: metrics.auc([0.0, 1.0], [0.0, 1.0])),
    "auc back and forth": (
        ValueError, lambda: metrics.auc(np.array([0.0, 2.0, 1.0]), np.array([0.0, 1.0, 2.0]))),
    "roc without positives": (
        ValueError, lambda: metrics.ROC(pos_label=1)([0.1, 0.9], [0, 0])),
    "an abstract metric": (TypeError, lambda: metrics.Metric()),
}  # fmt: skip


def twice(metric):
    metric.update(SCORES, CLASSES)
    metric.update([[0.5, 0.5]], [1])


@pytest.mark.parametrize("name", BAD)
def test_refused(name):
    kind, action = BAD[name]
    with pytest.raises(kind):
        action()
