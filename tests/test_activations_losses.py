"""Activations and losses: values and gradients as MindSpore's or torch's, eagerly and compiled."""

import json

import numpy as np
import pytest
from losses_cases import OF_MINDSPORE, OF_TORCH, operands_of, weight

import ms_ext as ms
from ms_ext import Tensor

GOLDEN = "golden/losses.json"
#: MindSpore's own arithmetic is coarser there.
COARSE = {"ops.logsigmoid(x)": 2e-4, "nn.LogSigmoid()(x)": 2e-4}
#: Its gradient is not the slope there.
WRONG = {"ops.selu(x)", "nn.SeLU()(x)"}
#: Operands that it gives zeros for, whatever the slope: labels and weights.
NO_GRADIENT = {
    "ops.binary_cross_entropy_with_logits(x, q, w, v)": "wv",
    "ops.BCEWithLogitsLoss('sum')(x, q, w, v)": "wv",
    "ops.SigmoidCrossEntropyWithLogits()(x, q)": "q",
    **{f"ops.kl_div(x, q, {how!r})": "q" for how in ("mean", "sum", "none", "batchmean")},
    "ops.NLLLoss()(x, j, w)[0]": "w",
    "ops.SoftmaxCrossEntropyWithLogits()(x, q / q.sum(1, keepdims=True))[0]": "q",
    "nn.SoftmaxCrossEntropyWithLogits()(x, q / q.sum(1, keepdims=True))": "q",
    "nn.MultiMarginLoss(1, 1.0, 'none')(x, i, w)": "w",
}


@pytest.fixture(scope="module")
def record(request):
    return json.loads((request.path.parent / GOLDEN).read_text())


class Asked:
    """One call: its operands, its results, and the sum that gradients are taken of."""

    def __init__(self, text, operands, dtype):
        arrays = operands_of(text, operands)
        self.given = {
            k: Tensor(a if a.dtype.kind == "i" else a.astype(dtype)) for k, a in arrays.items()
        }
        self.names = [k for k, a in arrays.items() if a.dtype.kind == "f"]
        self.floats = [self.given[k] for k in self.names]
        scope = {"ms": ms, "ops": ms.ops, "nn": ms.nn, "mint": ms.mint}
        layer, _, call = text.partition(")(") if text.startswith("nn.") else ("", "", "")
        if call and ".get_loss" not in text:  # a Cell is made once
            scope["layer"] = eval(f"{layer})", scope, self.given)
            text = f"layer({call}"
        self.code, self.scope = compile(text, text, "eval"), scope

    def results(self, *floats):
        named = self.given | dict(zip(self.names, floats, strict=True))
        out = eval(self.code, self.scope, named)
        return out if isinstance(out, tuple | list) else (out,)

    def total(self, *floats):
        parts = [(r * Tensor(weight(r.shape)).astype(r.dtype)).sum() for r in self.results(*floats)]
        return sum(parts[1:], parts[0])

    def gradients(self):
        found = ms.grad(self.total, tuple(range(len(self.names))))(*self.floats)
        return found if isinstance(found, tuple) else (found,)


def compare(tensors, rows, near):
    for tensor, row in zip(tensors, rows, strict=True):
        have = tensor.asnumpy().astype(np.float64).ravel()
        row = np.array([np.nan if v is None else v for v in row], np.float64)
        largest = np.max(np.abs(row[np.isfinite(row)]), initial=1e-2)
        np.testing.assert_allclose(have, row, near, near * largest)


def test_everything_was_recorded(record):
    assert set(record["mindspore"]) == set(OF_MINDSPORE), "run record_losses.py mindspore"
    assert set(record["torch"]) == set(OF_TORCH), "run record_losses.py torch"


@pytest.mark.parametrize("text", OF_MINDSPORE)
def test_mindspore(text, record):
    asked, row = Asked(text, OF_MINDSPORE[text], np.float32), record["mindspore"][text]
    near = COARSE.get(text, 2e-5)
    compare(asked.results(*asked.floats), row["value"], near)
    if row["gradients"] and text not in WRONG:
        left = NO_GRADIENT.get(text, "")
        kept = [i for i, name in enumerate(asked.names) if name not in left]
        found = asked.gradients()
        compare([found[i] for i in kept], [row["gradients"][i] for i in kept], near)


@pytest.mark.parametrize("text", OF_TORCH)
def test_torch(text, record):
    asked, row = Asked(text, OF_TORCH[text][1], np.float64), record["torch"][text]
    compare(asked.results(*asked.floats), row["value"], 1e-7)
    fixed = [k for k in asked.names if k in "ws"]  # torch takes no gradient of weights and signs
    found = [g for k, g in zip(asked.names, asked.gradients(), strict=True) if k not in fixed]
    compare(found, row["gradients"], 1e-7)


# compiled -----------------------------------------------------------------------------------------

EVERY = {**OF_MINDSPORE, **{text: operands for text, (_, operands) in OF_TORCH.items()}}


@pytest.mark.parametrize("text", list(EVERY)[::4])
def test_compiled_as_eagerly(text, tmp_path):
    """The same values and gradients under jit."""
    check_compiled(text, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("text", EVERY)
def test_every_call_compiled_as_eagerly(text, tmp_path):
    check_compiled(text, tmp_path)


def check_compiled(text, tmp_path):
    asked = Asked(text, EVERY[text], np.float32)
    names = ", ".join([*asked.names, *(k for k in asked.given if k not in asked.names)])
    results, slopes = compiled(asked, names, tmp_path)
    given = [asked.given[k] for k in names.split(", ")]
    found = results(*given)
    found = found if isinstance(found, tuple | list) else (found,)
    same(found, asked.results(*asked.floats))
    same(
        slopes(*given), ms.grad(lambda *f: summed(asked.results(*f)), all_of(asked))(*asked.floats)
    )


def all_of(asked):
    return tuple(range(len(asked.names)))


def summed(results):
    return sum((r.sum() for r in results[1:]), results[0].sum())


def compiled(asked, names, folder):
    """Two compiled functions: the results, and the gradients of their sum."""
    text = asked.code.co_filename
    path = folder / "called.py"
    path.write_text(
        f"def results({names}):\n    return {text}\n\n\n"
        f"def total({names}):\n    out = {text}\n"
        "    if isinstance(out, tuple):\n        return sum([each.sum() for each in out])\n"
        "    return out.sum()\n"
    )
    scope = dict(asked.scope)
    exec(compile(path.read_text(), str(path), "exec"), scope)
    return ms.jit(scope["results"]), ms.jit(ms.grad(scope["total"], all_of(asked)))


def same(found, wanted):
    found = found if isinstance(found, tuple | list) else (found,)
    wanted = wanted if isinstance(wanted, tuple | list) else (wanted,)
    for have, want in zip(found, wanted, strict=True):
        assert (have.shape, have.dtype) == (want.shape, want.dtype)
        np.testing.assert_allclose(have.asnumpy(), want.asnumpy(), 2e-6, 2e-6)
