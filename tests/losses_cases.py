"""Calls of activations and losses that MindSpore or torch answered: texts, and their operands.

``record_losses.py`` asks; test_activations.py and test_losses.py compare. A call has torch's text
beside it where MindSpore's CPU has no kernel, or where its own answer is wrong.
"""

import zlib

import numpy as np

POINTS = [-8.0, -3.5, -2.0, -1.0, -0.4, -0.1, 0.1, 0.4, 0.9, 2.0, 3.5, 7.0]
LONG = np.int64
KINDS = LONG([0, 3, 2])
SIGNS = np.float32([1, -1, 1])
SEVERAL = LONG([[0, 3, -1, 1], [2, 1, -1, 0], [-1, 0, 1, 2]])
X, XY = {"x": (3, 4)}, {"x": (3, 4), "y": (3, 4)}
PQ = {"p": (3, 4), "q": (3, 4)}
XQ = {"x": (3, 4), "q": (3, 4)}
PQW, XQWV = {**PQ, "w": (4,)}, {**XQ, "w": (4,), "v": (4,)}
XI = {"x": (3, 4), "i": KINDS}
XIW = {**XI, "w": (4,)}

TIMED = {"x": (6, 3, 4), "k": LONG([[1, 2, 2], [2, 1, 1], [1, 1, 0]]), "m": LONG([6, 5, 4]),
         "n": LONG([3, 2, 2])}  # fmt: skip

ACTIVATIONS = """elu celu selu relu6 leaky_relu softplus mish hardsigmoid hardtanh hardshrink
softshrink softsign logsigmoid tanhshrink glu softmin silu gelu hardswish sigmoid relu"""
LAYERS = """ELU() CELU(2.0) SeLU() ReLU6() LeakyReLU(0.3) PReLU() Mish() HSigmoid()
Hardtanh(-1.5,2.5) HShrink(0.7) SoftShrink(0.7) Softsign() LogSigmoid() Tanhshrink()
Threshold(0.2,5.0) GLU()
Softmin() FastGelu() GELU() GELU(False) SiLU() HSwish() LogSoftmax()"""

OF_MINDSPORE = {
    **{f"ops.{name}(x)": {"x": POINTS} for name in ACTIVATIONS.split()},
    **{f"nn.{name}(x)": {"x": POINTS} for name in LAYERS.split()},
    "ops.celu(x, 2.0)": {"x": POINTS},
    "ops.leaky_relu(x, 2.0)": {"x": POINTS},
    "ops.softplus(x, 2, 1)": {"x": POINTS},
    "ops.hardtanh(x, -2, 3)": {"x": POINTS},
    "x.hardshrink(1.5)": {"x": POINTS},
    "ops.threshold(x, 0.5, 7)": {"x": POINTS},
    "ops.prelu(x, w)": {"x": (3, 4), "w": (4,)},
    "ops.prelu(x, v)": {"x": (2, 3, 2), "v": (1,)},
    "ops.softmax(x, 0)": X,
    "ops.softmin(x, 0)": X,
    "nn.Softmax2d()(x)": {"x": (2, 3, 2)},
    "ops.FastGeLU()(x)": {"x": POINTS},
    # element by element
    "ops.l1_loss(x, y)": XY,
    "ops.l1_loss(x, y[0], 'sum')": XY,
    "ops.smooth_l1_loss(x, y)": XY,
    "ops.smooth_l1_loss(x, y, 0.5, 'mean')": XY,
    "ops.SmoothL1Loss(2.0, 'sum')(x, y)": XY,
    "ops.huber_loss(x, y)": XY,
    "ops.huber_loss(x, y, 'none', 0.5)": XY,
    "ops.mse_loss(x, y[0])": XY,
    "ops.binary_cross_entropy(p, q)": PQ,
    "ops.binary_cross_entropy(p, q, p * 0 + 2.0, 'none')": PQ,
    "ops.binary_cross_entropy_with_logits(x, q)": XQ,
    "ops.binary_cross_entropy_with_logits(x, q, w, v)": XQWV,
    "ops.BCEWithLogitsLoss('sum')(x, q, w, v)": XQWV,
    "ops.SigmoidCrossEntropyWithLogits()(x, q)": XQ,
    "ops.L2Loss()(x)": X,
    **{f"ops.kl_div(x, q, {how!r})": XQ for how in ("mean", "sum", "none", "batchmean")},
    "ops.gaussian_nll_loss(x, y, p)": {**XY, "p": (3, 4)},
    "ops.gaussian_nll_loss(x, y, p, True, 1e-6, 'none')": {**XY, "p": (3, 4)},
    "nn.PoissonNLLLoss()(x, y)": XY,
    "nn.PoissonNLLLoss(False, True, 1e-8, 'none')(p, q * 5)": PQ,
    # classes
    "ops.nll_loss(x, i)": XI,
    "ops.nll_loss(x, i, w, 3, 'none')": XIW,
    "ops.nll_loss(x, i, w, -100, 'mean', 0.2)": XIW,
    "ops.NLLLoss()(x, j, w)[0]": {"x": (3, 4), "j": np.int32(KINDS), "w": (4,)},
    "ops.cross_entropy(x, i)": XI,
    "ops.cross_entropy(x, i, None, 3, 'none')": XI,
    "ops.cross_entropy(x, i, w, 3, 'mean', 0.2)": XIW,
    "ops.cross_entropy(x, i, None, -100, 'sum')": XI,
    "ops.cross_entropy(x, q, w, -100, 'mean', 0.1)": {**XQ, "w": (4,)},
    "ops.cross_entropy(x, q, w, -100, 'none', 0.1)": {**XQ, "w": (4,)},
    "ops.cross_entropy(x, k, w, 1, 'mean', 0.1)": {"x": (1, 4, 3), "k": LONG([[0, 1, 2]]),
                                                   "w": (4,)},
    "ops.cross_entropy(x, k)": {"x": (4,), "k": np.int32(1)},
    "ops.SoftmaxCrossEntropyWithLogits()(x, q / q.sum(1, keepdims=True))[0]": XQ,
    "nn.SoftmaxCrossEntropyWithLogits()(x, q / q.sum(1, keepdims=True))": XQ,
    "nn.SoftmaxCrossEntropyWithLogits(True)(x, i)": XI,
    "nn.SoftmaxCrossEntropyWithLogits(True, 'mean')(x, i)": XI,
    "nn.SoftmaxCrossEntropyWithLogits(True, 'sum')(x, i)": XI,
    "nn.CrossEntropyLoss(label_smoothing=0.1)(x, j)": {"x": (3, 4), "j": np.int32(KINDS)},
    "nn.FocalLoss()(x, k)": {"x": (3, 4), "k": np.int32(KINDS[:, None])},
    "nn.FocalLoss(gamma=1.5, reduction='none')(x, q)": XQ,
    "nn.FocalLoss()(x, k) # image": {"x": (1, 3, 2, 2), "k": np.int32([[[[0, 1], [2, 1]]]])},
    "nn.DiceLoss()(p, q)": PQ,
    # distances
    "ops.cosine_embedding_loss(x, y, s)": {**XY, "s": SIGNS},
    "nn.CosineEmbeddingLoss(0.3, 'none')(x, y, s)": {**XY, "s": SIGNS},
    "ops.cosine_similarity(x, y)": XY,
    "ops.cosine_similarity(x, y, 0)": XY,
    "ops.margin_ranking_loss(x, y, x * 0 + 1.0, 0.3, 'none')": XY,
    "nn.MarginRankingLoss(0.3)(x, y, y * 0 - 1.0)": XY,
    "ops.hinge_embedding_loss(x, y * 0 - 1.0, 0.5, 'none')": XY,
    "nn.HingeEmbeddingLoss()(x, y * 0 + 1.0)": XY,
    "ops.multi_margin_loss(x, i)": XI,
    "nn.MultiMarginLoss(2, 0.5)(x, i)": XI,
    "nn.MultiMarginLoss(1, 1.0, 'none')(x, i, w)": XIW,
    "ops.multilabel_soft_margin_loss(x, q)": XQ,
    "ops.multilabel_soft_margin_loss(x, q, w, 'none')": {**XQ, "w": (4,)},
    "nn.L1Loss('sum')(x, y)": XY,
    "nn.MAELoss()(x, y)": XY,
    "nn.RMSELoss()(x, y)": XY,
    "nn.SmoothL1Loss()(x, y)": XY,
    "nn.BCELoss()(p, q)": PQ,
    "nn.BCEWithLogitsLoss('none')(x, q)": XQ,
    "nn.LossBase('mean').get_loss(x, y)": XY,
    "ops.clip_by_global_norm((x, y), 1.0)": XY,
    "ops.clip_by_norm((x, y), 0.7)": XY,
    "ops.clip_by_norm(x, 1.0, float('inf'))": X,
    "nn.ClipByNorm()(x, ms.Tensor(1.0, ms.float32))": X,
}  # fmt: skip

F = "mint.nn.functional"
#: No kernel on MindSpore's CPU, or a wrong one: what torch gives.
OF_TORCH = {
    f"{F}.elu(x, 2.0)": ("F.elu(x, 2.0)", {"x": POINTS}),
    f"{F}.leaky_relu(x, 0.3)": ("F.leaky_relu(x, 0.3)", {"x": POINTS}),
    f"{F}.relu6(x)": ("F.relu6(x)", {"x": POINTS}),
    f"{F}.selu(x)": ("F.selu(x)", {"x": POINTS}),
    f"{F}.mish(x)": ("F.mish(x)", {"x": POINTS}),
    f"{F}.hardtanh(x, -2, 3)": ("F.hardtanh(x, -2, 3)", {"x": POINTS}),
    f"{F}.threshold(x, 0.5, 7)": ("F.threshold(x, 0.5, 7)", {"x": POINTS}),
    f"{F}.softplus(x, 2, 1)": ("F.softplus(x, 2, 1)", {"x": POINTS}),
    f"{F}.logsigmoid(x)": ("F.logsigmoid(x)", {"x": [-100.0, -1.0, 0.0, 100.0]}),
    f"{F}.glu(x, 0)": ("F.glu(x, 0)", {"x": (4, 3)}),
    f"{F}.softmax(x)": ("F.softmax(x, 0)", {"x": (2, 3, 2)}),
    f"{F}.log_softmax(x)": ("F.log_softmax(x, 1)", {"x": (3, 4)}),
    f"{F}.smooth_l1_loss(x, y)": ("F.smooth_l1_loss(x, y)", XY),
    "ops.smooth_l1_loss(x, y, 0.0, 'mean')": ("F.l1_loss(x, y)", XY),
    f"{F}.kl_div(x, q, 'sum', True)": ("F.kl_div(x, q, reduction='sum', log_target=True)", XQ),
    "nn.BCELoss(w, 'none')(p, q)": ("F.binary_cross_entropy(p, q, w, reduction='none')", PQW),
    "ops.triplet_margin_loss(x, y, z)": (
        "F.triplet_margin_loss(x, y, z)", {**XY, "z": (3, 4)}),
    "ops.triplet_margin_loss(x, y, z, 1.5, 3, swap=True, reduction='none')": (
        "F.triplet_margin_loss(x, y, z, 1.5, 3, swap=True, reduction='none')",
        {**XY, "z": (3, 4)}),
    "nn.TripletMarginLoss(1)(x, y, z)": (
        "F.triplet_margin_loss(x, y, z, p=1)", {**XY, "z": (3, 4)}),
    "ops.multilabel_margin_loss(x, k, 'none')": (
        "F.multilabel_margin_loss(x, k, reduction='none')", {"x": (3, 4), "k": SEVERAL}),
    "nn.MultilabelMarginLoss()(x, k)": (
        "F.multilabel_margin_loss(x, k)", {"x": (3, 4), "k": SEVERAL}),
    "ops.multi_margin_loss(x, i, 2, 0.5, w, 'none')": (
        "F.multi_margin_loss(x, i, 2, 0.5, w, reduction='none')", XIW),
    "ops.soft_margin_loss(x, s)": (
        "F.soft_margin_loss(x, s)", {"x": (3,), "s": SIGNS}),
    "ops.clip_by_norm(x, 1.0, 3.0)": (
        "x * (1 / (x.abs().pow(3).sum().pow(1 / 3) + 1e-6)).clamp(max=1)", X),
    "ops.ctc_loss(ops.log_softmax(x, 2), k, m, n, reduction='none')[0]": (
        "F.ctc_loss(F.log_softmax(x, 2), k, m, n, reduction='none')", TIMED),
    "nn.CTCLoss()(ops.log_softmax(x, 2), k, m, n)": (
        "F.ctc_loss(F.log_softmax(x, 2), k, m, n)", TIMED),
    "ops.ctc_loss(ops.log_softmax(x, 2), k, m, n, 3, 'sum', True)[0]": (
        "F.ctc_loss(F.log_softmax(x, 2), k, m, n, 3, 'sum', True)",
        {**TIMED, "m": LONG([6, 2, 1])}),
    "ops.cross_entropy(x, i)": ("F.cross_entropy(x, i)", XI),
    "ops.cross_entropy(x, k, None, 1)": (
        "F.cross_entropy(x, k, ignore_index=1)", {"x": (2, 3, 2), "k": LONG([[0, 1], [2, 1]])}),
    "ops.SparseSoftmaxCrossEntropyWithLogits()(x, i)": ("F.cross_entropy(x, i)", XI),
}  # fmt: skip


def operands_of(text, operands):
    """Arrays by name: drawn, seeded by the text, where a shape is given."""
    rng = np.random.default_rng(zlib.crc32(text.encode()))
    found = {}
    for name, given in operands.items():
        if isinstance(given, tuple):
            low, high = (0.05, 0.95) if name in "pqwv" else (-2, 2)
            given = rng.uniform(low, high, given).round(3)
        array = np.asarray(given)
        found[name] = array if array.dtype.kind == "i" else array.astype(np.float32)
    return found


def weight(shape):
    """What the elements of a result are multiplied by, before they are added up."""
    return (np.arange(1, np.prod(shape, dtype=int) + 1) % 5 / 4 + 0.25).reshape(shape)


SCORES = [[0.2, 0.5, 0.3], [0.3, 0.1, 0.6], [0.9, 0.05, 0.05], [0.2, 0.7, 0.1]]
CLASSES, HOT = [1, 0, 0, 2], [[0, 1, 0], [1, 0, 0], [1, 0, 0], [0, 0, 1]]
LABELS = [[0, 1, 1], [1, 0, 1], [0, 0, 0]], [[0, 1, 1], [1, 1, 1], [0, 1, 0]]
IMAGES = [[[[1, 0], [1, 1]], [[0, 1], [0, 0]]]], [[[[1, 1], [0, 1]], [[0, 0], [1, 0]]]]
RATES = """sensitivity specificity precision npv fnr fpr fdr for pt ts acc ba f1 mcc fm bm
mk""".split()

#: A metric, the inputs of its updates, and arguments of eval.
METRICS = {
    "Accuracy()": [(SCORES, CLASSES), (SCORES, HOT)],
    "Accuracy('multilabel')": [LABELS],
    "MAE()": [([[1.0, 2.0], [3.0, 5.0]], [[0.0, 2.5], [1.0, 1.0]])],
    "MSE()": [([[1.0, 2.0], [3.0, 5.0]], [[0.0, 2.5], [1.0, 1.0]])],
    "Precision()": [(SCORES, CLASSES), (SCORES, HOT)],
    "Recall()": [(SCORES, CLASSES), (SCORES, HOT)],
    "Precision('multilabel')": [LABELS, LABELS[::-1]],
    "Recall('multilabel')": [LABELS, LABELS[::-1]],
    "F1()": [(SCORES, CLASSES)],
    "Fbeta(2.0)": [(SCORES, HOT), (SCORES, CLASSES)],
    "TopKCategoricalAccuracy(2)": [(SCORES, CLASSES)],
    "Top1CategoricalAccuracy()": [(SCORES, HOT)],
    "Top5CategoricalAccuracy()": [([[0.1, 0.3, 0.2, 0.5, 0.4, 0.6]], [0])],
    "Loss()": [([1.5],), ([0.5, 2.5],)],
    "Perplexity()": [(SCORES, CLASSES)],
    "Perplexity(0)": [(SCORES, CLASSES)],
    "CosineSimilarity()": [([[1.0, 2.0], [2.0, 0.5], [0.1, 0.2]],)],
    "CosineSimilarity('dot', 'mean', False)": [([[1.0, 2.0], [2.0, 0.5]],)],
    "CosineSimilarity(reduction='sum')": [([[1.0, 2.0], [2.0, 0.5]],)],
    "Dice()": [([[0.2, 0.9], [0.4, 0.1]], [[0, 1], [1, 0]])],
    "ConfusionMatrix(3)": [([0, 2, 1, 1], CLASSES), (SCORES, CLASSES)],
    "ConfusionMatrix(3, 'target')": [(SCORES, CLASSES)],
    "ConfusionMatrix(3, 'prediction')": [(SCORES, CLASSES)],
    "ConfusionMatrix(3, 'all')": [(SCORES, CLASSES)],
    "ConfusionMatrix(2, threshold=0.4)": [([0.3, 0.5, 0.8], [0, 1, 0])],
    "ROC(pos_label=1)": [([0.1, 0.8, 0.4, 0.6], [0, 1, 1, 0])],
    "ROC(class_num=3)": [(SCORES[:3], [1, 0, 2])],  # of other sizes MindSpore mixes the scores
    **{f"ConfusionMatrixMetric(metric_name={name!r})": [IMAGES, LABELS] for name in RATES},
    **{
        f"ConfusionMatrixMetric(calculation_method=True, decrease={how!r})": [IMAGES, IMAGES]
        for how in ("mean",)
    },
    "ConfusionMatrixMetric(False, 'recall')": [IMAGES],
}
