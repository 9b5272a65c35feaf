"""Gradients at ties, zeros, bounds and beyond: what MindSpore 2.10 gives, as record_gradients.py
wrote it down; where we give another, why, and which; and the same in graph mode.
"""

import importlib.util
import json

import numpy as np
import pytest
from gradient_cases import CASES, gradients, operands_of, tensor_of
from record_gradients import GOLDEN

import ms_ext as ms

RECORD = json.loads(GOLDEN.read_text())["cases"]
DTYPES = ("float32", "float16")
NAN = float("nan")

#: call -> (why we differ, {place among all gradients laid end to end: ours, or the sign of it}).
DIFFERENT = {
    "ops.abs(x)": ("the slope at NaN is 0 there, though the value is NaN", {13: NAN}),
    "ops.tanh(x)": ("tanh(5) is so near 1 there that 1 - tanh**2 is off", {10: -1.5886128e-4}),
    "ops.div(x, y)": ("the slope of 0 / 0 by the divisor is infinite there", {49 + 24: NAN}),
    "x[..., ::-2]": (
        "the gradient through a slice that goes backwards is lost",
        {0: 1.125, 2: 0.125, 4: -0.875, 5: -0.875, 7: 0.625, 9: -0.375},
    ),
    "x[ms.Tensor([0, 0, -1])]": (
        "the gradient of a row counted from the end is lost", {4: 0.625, 5: -0.875},
    ),
}  # fmt: skip
DIFFERENT |= {
    text: ("NaN, which is not clamped, has a slope of 0 there", {13: -0.375})
    for text in CASES
    if "clamp(x" in text and "y" not in CASES[text]
}


def refused(text, dtype="float32"):
    return isinstance(RECORD[text][dtype], dict)


def wanted(text, dtype):
    """The recorded gradients; where we differ, ours."""
    rows = [[kind, shape, list(values)] for kind, shape, values in RECORD[text][dtype]]
    _, changes = DIFFERENT.get(text, ("", {}))
    for place, value in changes.items():
        at = 0
        while place >= len(rows[at][2]):
            place, at = place - len(rows[at][2]), at + 1
        rows[at][2][place] = value
    return rows


def test_every_case_was_recorded():
    assert list(RECORD) == list(CASES), "run tests/record_gradients.py with MindSpore"
    assert not any(refused(text) for text in DIFFERENT)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("text", [text for text in CASES if not refused(text)])
def test_gradients(text, dtype):
    """Value, shape and dtype of the gradient at every operand, Bool ones but for the value."""
    if refused(text, dtype):
        pytest.skip("MindSpore has no kernel for it")
    found = gradients(text, ms, dtype)
    for gradient, (kind, shape, values) in zip(found, wanted(text, dtype), strict=True):
        assert (str(gradient.dtype), list(gradient.shape)) == (kind, shape)
        if kind != "Bool":  # it has no gradient here, as test_tensor_gradients.py says
            compare(gradient, values, 2e-2 if dtype == "float16" else 2e-5)


def compare(gradient, values, near):
    have = gradient.asnumpy().astype(np.float64).ravel()
    largest = np.max(np.abs(have[np.isfinite(have)]), initial=0)
    np.testing.assert_allclose(have, values, near, near / 10 * largest)


@pytest.mark.parametrize("text", DIFFERENT)
def test_we_still_differ(text):
    """A row of the list goes when there is no difference any more."""
    theirs = [v for _, _, values in RECORD[text]["float32"] for v in values]
    ours = [v for g in gradients(text, ms) for v in g.asnumpy().ravel().tolist()]
    differing = ~np.isclose(ours, theirs, 2e-5, 2e-6, equal_nan=True)
    assert set(np.flatnonzero(differing)) == set(DIFFERENT[text][1])


# graph mode -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """text -> the function that calculates it, from a file, which graph mode can read."""
    lines = ["import ms_ext as ms", "from ms_ext import mint, ops", "", ""]
    for place, (text, operands) in enumerate(CASES.items()):
        lines += [f"def case_{place}({', '.join(operands)}):", f"    return {text}", "", ""]
    path = tmp_path_factory.mktemp("cases") / "written_cases.py"
    path.write_text("\n".join(lines))
    spec = importlib.util.spec_from_file_location("written_cases", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {text: getattr(module, f"case_{place}") for place, text in enumerate(CASES)}


@pytest.mark.parametrize("backend", ["cython", pytest.param("reference", marks=pytest.mark.long)])
@pytest.mark.parametrize("text", CASES)
def test_graph_mode_gives_the_same(text, backend, written):
    operands = [tensor_of(x, ms, "float32") for x in operands_of(text).values()]
    gradient = ms.grad(written[text], tuple(range(len(operands))))
    eager, compiled = gradient(*operands), ms.jit(gradient, backend=backend)(*operands)
    eager, compiled = (g if isinstance(g, tuple) else (g,) for g in (eager, compiled))
    for want, have in zip(eager, compiled, strict=True):
        assert (have.dtype, have.shape) == (want.dtype, want.shape)
        np.testing.assert_allclose(have.asnumpy(), want.asnumpy(), 1e-5, 1e-6)
