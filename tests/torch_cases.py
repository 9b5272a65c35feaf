"""Calls that MindSpore 2.10 has no CPU kernel for, beside the call of torch that means the same.

A case is our text, torch's text and the operands, as in gradient_cases.py: shapes are drawn.
"""

import zlib

import numpy as np

LONG, BOOL = np.int64, np.bool_
CLASSES, HALF = LONG([0, 3, 2]), [-0.9, -0.5, 0.0, 0.3, 0.8]
SCORES = {"x": (3, 4), "i": CLASSES}
WEIGHED = {**SCORES, "y": [0.5, 1.0, 2.0, 0.25]}
ROWS = {"x": (3, 4), "y": (4,), "z": (4,)}
#: The three results of LayerNorm, in torch's words; the variance is the one that it divides by.
NORMALIZED = "(F.layer_norm(x, (4,), y, z, 1e-5), x.mean(1, True), x.var(1, correction=0))"
LOSS = "mint.nn.functional.cross_entropy"
#: torch takes no gradient of the classes' weights: their part is written out.
PICKED, W = "-F.log_softmax(x, 1)[range(3), i]", [0.5, 1.0, 2.0, 0.25]

CASES = [
    ("mint.asin(x)", "torch.asin(x)", {"x": HALF}),
    ("mint.arcsin(x)", "torch.arcsin(x)", {"x": HALF}),
    ("mint.acos(x)", "torch.acos(x)", {"x": HALF}),
    ("mint.arccos(x)", "torch.arccos(x)", {"x": HALF}),
    ("mint.atan(x)", "torch.atan(x)", {"x": (7,)}),
    ("mint.arctan(x)", "torch.arctan(x)", {"x": (7,)}),
    ("mint.atan2(x, y)", "torch.atan2(x, y)", {"x": (3, 4), "y": (3, 1)}),
    ("mint.nn.functional.gelu(x)", "F.gelu(x)", {"x": (9,)}),
    ("mint.nn.functional.gelu(x, 'tanh')", "F.gelu(x, approximate='tanh')", {"x": (9,)}),
    ("mint.nn.functional.log_softmax(x, 0)", "F.log_softmax(x, 0)", {"x": (3, 4)}),
    ("mint.logsumexp(x, 1)", "torch.logsumexp(x, 1)", {"x": (3, 4)}),
    ("mint.logsumexp(x, 0, True)", "torch.logsumexp(x, 0, True)", {"x": (3, 4)}),
    ("mint.cumsum(x, 1)", "torch.cumsum(x, 1)", {"x": (3, 4)}),
    ("mint.var(x)", "torch.var(x)", {"x": (3, 4)}),
    ("mint.var(x, 1)", "torch.var(x, 1)", {"x": (3, 4)}),
    ("mint.var(x, (0, 2), correction=0, keepdim=True)",
     "torch.var(x, (0, 2), correction=0, keepdim=True)", {"x": (2, 3, 2)}),
    ("mint.std(x)", "torch.std(x)", {"x": (3, 4)}),
    ("mint.std(x, 1)", "torch.std(x, 1)", {"x": (3, 4)}),
    ("mint.std(x, 0, correction=0)", "torch.std(x, 0, correction=0)", {"x": (3, 4)}),
    # networks -------------------------------------------------------------------------------------
    ("ops.layer_norm(x, (4,), y, z)", "F.layer_norm(x, (4,), y, z)", ROWS),
    ("mint.nn.functional.layer_norm(x, (4,), y, z, 1e-3)", "F.layer_norm(x, (4,), y, z, 1e-3)",
     ROWS),
    ("mint.nn.functional.layer_norm(x, (2, 3))", "F.layer_norm(x, (2, 3))", {"x": (2, 2, 3)}),
    ("ops.LayerNorm(1, 1, 1e-5)(x, y, z)", NORMALIZED, ROWS),
    ("mint.nn.functional.embedding(i, x)", "F.embedding(i, x)",
     {"x": (4, 2), "i": LONG([[0, 0], [3, 1]])}),
    ("mint.nn.functional.mse_loss(x, y)", "F.mse_loss(x, y)", {"x": (3, 4), "y": (3, 4)}),
    ("mint.nn.functional.mse_loss(x, y, 'none')", "F.mse_loss(x, y, reduction='none')",
     {"x": (3, 4), "y": (3, 4)}),
    (f"{LOSS}(x, i)", "F.cross_entropy(x, i)", SCORES),
    (f"{LOSS}(x, i, ms.Tensor({W}, x.dtype), 3, 'mean', 0.2)",
     f"F.cross_entropy(x, i, torch.tensor({W}).to(x), ignore_index=3, label_smoothing=0.2)",
     SCORES),
    (f"{LOSS}(x, i, y)", f"({PICKED} * y[i]).sum() / y[i].sum()", WEIGHED),
    (f"{LOSS}(x, i, y, 3, 'sum')", f"({PICKED} * y[i])[::2].sum()", WEIGHED),
    (f"{LOSS}(x, i, y, 3, 'mean', 0.2)",
     f"(0.8 * ({PICKED} * y[i])[::2].sum() - 0.05 * (F.log_softmax(x, 1)[::2] * y).sum())"
     " / y[i][::2].sum()", WEIGHED),
    (f"{LOSS}(x, y)", "F.cross_entropy(x, y)", {"x": (2, 3), "y": [[0.2, 0.5, 0.3], [0, 1, 0]]}),
    (f"{LOSS}(x, i, reduction='none')  # images", "F.cross_entropy(x, i, reduction='none')",
     {"x": (2, 3, 2), "i": LONG([[0, 2], [1, 1]])}),
    ("mint.nn.functional.nll_loss(x, i)", "F.nll_loss(x, i)", SCORES),
    # places ---------------------------------------------------------------------------------------
    ("mint.select(x, 1, 1)", "torch.select(x, 1, 1)", {"x": (3, 4)}),
    ("x.select(0, 1)", "x.select(0, 1)", {"x": (3, 4)}),
    ("x[ms.Tensor([0, 0, -1])]", "x[[0, 0, -1]]", {"x": (3, 2)}),
    ("x[..., ::-2]", "x.flip(1)[..., ::2]", {"x": (2, 5)}),
    ("mint.index_select(x, 1, i)", "torch.index_select(x, 1, i)",
     {"x": (2, 4), "i": LONG([0, 0, 3])}),
    ("mint.masked_fill(x, m, y)", "torch.masked_fill(x, m, y)",
     {"x": (2, 3), "m": BOOL([True, False, True]), "y": ()}),
    ("mint.nn.functional.pad(x, (1, 2, 0, 1), value=2.0)", "F.pad(x, (1, 2, 0, 1), value=2.0)",
     {"x": (2, 3)}),
    ("mint.nn.functional.pad(x, (-1, 2))", "F.pad(x, (-1, 2))", {"x": (2, 3)}),
    ("mint.stack((x, y), 1)", "torch.stack((x, y), 1)", {"x": (2, 3), "y": (2, 3)}),
    ("mint.unbind(x, 1)", "torch.unbind(x, 1)", {"x": (2, 3)}),
    ("mint.tril(x, 1)", "torch.tril(x, 1)", {"x": (3, 3)}),
    ("mint.triu(x, -1)", "torch.triu(x, -1)", {"x": (3, 4)}),
]  # fmt: skip

#: In bfloat16, of which MindSpore's CPU kernels know next to nothing.
PAIR = {"x": (3, 4), "y": (4,)}
BRAIN = [
    *((f"ops.{n}(x)", f"torch.{n}(x)", {"x": (3, 4)})
      for n in "abs neg square exp expm1 erf sin cos tan sinh cosh atan tanh sigmoid relu floor "
      "sign sum mean amax amin prod".split()),
    *((f"ops.{n}(ops.abs(x) + 0.5)", f"torch.{n}(torch.abs(x) + 0.5)", {"x": (3, 4)})
      for n in "sqrt rsqrt reciprocal log log1p".split()),
    *((f"ops.{n}(x, y)", f"torch.{n}(x, y)", PAIR)
      for n in "add sub mul div maximum minimum atan2".split()),
    ("ops.pow(ops.abs(x), y)", "torch.pow(torch.abs(x), y)", PAIR),
    ("ops.silu(x)", "F.silu(x)", {"x": (3, 4)}),
    ("ops.gelu(x)", "F.gelu(x)", {"x": (3, 4)}),
    ("ops.hardswish(x)", "F.hardswish(x)", {"x": (3, 4)}),
    ("ops.softmax(x, 1)", "torch.softmax(x, 1)", {"x": (3, 4)}),
    ("ops.log_softmax(x, 0)", "torch.log_softmax(x, 0)", {"x": (3, 4)}),
    ("ops.matmul(x, y)", "torch.matmul(x, y)", {"x": (2, 3), "y": (3, 2)}),
    ("ops.cumsum(x, 0)", "torch.cumsum(x, 0)", {"x": (3, 4)}),
    ("ops.where(x > 0, x, y)", "torch.where(x > 0, x, y)", PAIR),
    ("ops.clamp(x, -1.0, 1.0)", "torch.clamp(x, -1.0, 1.0)", {"x": (3, 4)}),
    ("ops.concat((x, y))", "torch.concat((x, y))", {"x": (2, 3), "y": (1, 3)}),
    ("ops.gather(x, i, 1)", "torch.index_select(x, 1, i)", {"x": (2, 4), "i": LONG([0, 0, 3])}),
    ("ops.layer_norm(x, (4,), y, z)", "F.layer_norm(x, (4,), y, z)", ROWS),
    ("x[1:, ::2]", "x[1:, ::2]", {"x": (3, 4)}),
]  # fmt: skip


def operands_of(case):
    """name -> array: drawn between -2 and 2 where a shape is given, else as it is."""
    ours, _, operands = case
    rng, made = np.random.default_rng(zlib.crc32(ours.encode())), {}
    for name, given in operands.items():
        drawn = rng.uniform(-2, 2, given).round(3) if isinstance(given, tuple) else given
        made[name] = np.asarray(drawn)
    return made


def weight(shape):
    """A number for each element of a result."""
    size = int(np.prod(shape))
    return np.reshape((np.arange(size) * 7 % 5 - 1.75) / 2, shape)
