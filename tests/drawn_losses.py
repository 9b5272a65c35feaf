"""Draws for activations with options, and for losses: scores, classes, shares, weights."""

import numpy as np
from drawn_composites import composite
from drawn_operands import coin, draw, numbers, sizes

from ms_ext import mint, ops
from ms_ext.engine.tensor import Tensor

WAYS = ("mean", "sum", "none")


def way(rng):
    return WAYS[rng.integers(3)]


@draw("Elu")
def _elu(rng):
    return (numbers(rng, sizes(rng)),)


@draw("PReLU")
def _prelu(rng):
    shape = sizes(rng)
    count = shape[1] if len(shape) > 1 and coin(rng) else 1
    return numbers(rng, shape), numbers(rng, (count,), 0.1, 1)


@composite
def bent_lines(rng):
    x = numbers(rng, sizes(rng, least=1))
    functional = mint.nn.functional

    def call(x):
        one = ops.leaky_relu(x) + ops.hardtanh(x, -1.1, 1.3) + ops.threshold(x, 0.3, 0.7)
        other = functional.hardtanh(x, -1.1, 1.3) + functional.leaky_relu(x, 0.3)
        return one + other + ops.tanhshrink(x) + ops.logsigmoid(x) + ops.softplus(x, 2.0, 1.0)

    return call, (x,)


@composite
def gates(rng):
    x = numbers(rng, (2, 4))
    return lambda x: ops.glu(x) * ops.softmin(x, 0)[:, :2] + mint.softmax(x)[:, 1:3], (x,)


def pair(rng, low, high):
    shape = sizes(rng)
    return numbers(rng, shape, low, high), numbers(rng, shape, low, high)


@draw("SmoothL1Loss")
def _smooth_l1(rng):
    return (*pair(rng, -2, 2), {"beta": 0.7, "reduction": way(rng)})


@draw("SoftMarginLoss")
def _soft_margin(rng):
    return (*pair(rng, -2, 2), {"reduction": way(rng)})


@draw("KLDivLoss")
def _divergence(rng):
    x, y = pair(rng, 0.1, 0.9)
    return x, y, {"reduction": (*WAYS, "batchmean")[rng.integers(4)]}


@draw("BinaryCrossEntropy", "BCEWithLogitsLoss")
def _binary(rng):
    x, y = pair(rng, 0.1, 0.9)
    weight = [numbers(rng, x.shape[-1:], 0.5, 2)] if coin(rng) else []
    return x, y, *weight, {"reduction": way(rng)}


@draw("SigmoidCrossEntropyWithLogits")
def _sigmoid(rng):
    return pair(rng, -2, 2)


@composite
def weighed_scores(rng):
    x, y = pair(rng, 0.1, 0.9)
    weight, positive = numbers(rng, x.shape[-1:], 0.5, 2), numbers(rng, x.shape, 0.5, 2)
    return ops.BCEWithLogitsLoss(way(rng)), (x, y, weight, positive)


def classes(rng, shape, count, ignored=None):
    """Class numbers, some of them those that do not count."""
    found = rng.integers(0, count, shape)
    return found if ignored is None else np.where(rng.random(shape) < 0.2, ignored, found)


def scored(rng, flat=False):
    """Scores and class numbers; the classes are on axis 1, or the only one."""
    count, batch, rest = rng.integers(1, 5), rng.integers(1, 4), sizes(rng, most=2, empty=False)
    shape = (batch, count, *(() if flat else rest)) if rng.random() < 0.85 else (count,)
    target = classes(rng, (shape[0], *shape[2:]) if len(shape) > 1 else (), count, -100)
    return numbers(rng, shape), np.asarray(target) if len(shape) > 1 else np.array(0)


@draw("CrossEntropyLoss")
def _cross_entropy(rng):
    return (*scored(rng), {"reduction": ("sum", "none")[rng.integers(2)]})


@draw("CrossEntropyLossGrad")
def _cross_entropy_grad(rng):
    (x, target), how = scored(rng), way(rng)
    return x, target, numbers(rng, target.shape if how == "none" else ()), {"reduction": how}


@draw("NLLLoss")
def _nll(rng):
    x, target = scored(rng, flat=True)
    weight = numbers(rng, x.shape[-1:], 0.5, 2)
    return x, target, weight, {"reduction": ("sum", "none")[rng.integers(2)]}


@draw("SparseSoftmaxCrossEntropyWithLogits")
def _sparse(rng):
    return numbers(rng, (3, 4)), classes(rng, 3, 4), {"is_grad": coin(rng)}


@draw("SoftmaxCrossEntropyWithLogits")
def _softened(rng):
    return numbers(rng, (3, 4)), numbers(rng, (3, 4), 0.1, 1)


@composite
def means_over_classes(rng):
    x, weight, target = numbers(rng, (4, 3)), numbers(rng, (3,), 0.5, 2), np.array([0, 2, -100, 1])
    kind = Tensor(target)

    def call(x, weight):
        return ops.CrossEntropyLoss(x, kind) * ops.NLLLoss()(x, kind, weight)[0]

    return call, (x, weight)


@composite
def distances(rng):
    (x, y), how = pair(rng, -2, 2), way(rng)

    def call(x, y):
        huber = ops.huber_loss(x, y, how, 0.6) + ops.l1_loss(x, y, how)
        return huber + ops.gaussian_nll_loss(x, y, y * y + 0.1, True, reduction=how)

    return call, (x, y)


@composite
def angles(rng):
    x, y, z = (numbers(rng, (3, 4)) for _ in range(3))
    target, how = Tensor(np.array([1, -1, 1])), way(rng)

    def call(x, y, z):
        found = ops.cosine_embedding_loss(x, y, target, 0.1, how) + ops.cosine_similarity(x, y)
        return found + ops.triplet_margin_loss(x, y, z, 3.0, 2, swap=True, reduction=how)

    return call, (x, y, z)


@composite
def margins(rng):
    x, how, target = numbers(rng, (3, 4)), way(rng), Tensor(classes(rng, 3, 4))
    several = Tensor(np.array([[0, 3, -1, 1], [2, 1, -1, 0], [-1, 0, 1, 2]]))

    def call(x, weight):
        one = ops.multi_margin_loss(x, target, 2, 0.7, weight, how)
        return one + ops.multilabel_margin_loss(x, several, how)

    return call, (x, numbers(rng, (4,), 0.5, 2))


@composite
def clipped_together(rng):
    x, y = numbers(rng, (2, 3)), numbers(rng, (4,))

    def call(x, y):
        one, other = ops.clip_by_global_norm((x, y), 0.5)
        return ops.sum(one * one) * ops.clip_by_norm(other, 0.1, 3.0)

    return call, (x, y)
