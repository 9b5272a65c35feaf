"""Ops on arrays against recorded answers of MindSpore and torch: values, dtypes, gradients, jit.

Quick: everything eager, and a part in graph mode; long: everything there too.
"""

import json
import linecache

import numpy as np
import pytest
from array_cases import CASES, DRAWING, TORCH, WRITING
from record_arrays import GOLDEN, called, gradients, is_differentiable, tensors_of

import ms_ext as ms

TORCH_GOLDEN = GOLDEN.with_name("arrays_torch.json")
MINDSPORE = json.loads(GOLDEN.read_text())["cases"]
BY_TORCH = json.loads(TORCH_GOLDEN.read_text())["cases"]
RECORD = {text: row for text, row in MINDSPORE.items() if "results" in row} | BY_TORCH
TEXTS = [text for text in RECORD if text not in DRAWING]

#: Calls whose value is another one than MindSpore's, and why.
DIFFERENT = {
    "ops.strided_slice(x, (0, 1), (1, 2), (1, 1), new_axis_mask=1)": (
        "MindSpore's CPU kernel reads a column where the shape that it gives is a row's"
    ),
    "ops.strided_slice(x, (0, 1), (1, 2), (1, 1), ellipsis_mask=1)": (
        "MindSpore's CPU kernel counts the axes after ... from the front"
    ),
    "ops.full((2,), True)": "MindSpore's CPU gives Int64 for a bool; the primitive says Bool",
}
#: Calls whose gradient is another one than MindSpore's, and why.
DIFFERENT_GRADIENT = {
    "ops.strided_slice(x, (0, 1), (1, 2), (1, 1), new_axis_mask=1)": "as its value",
    "ops.strided_slice(x, (0, 1), (1, 2), (1, 1), ellipsis_mask=1)": "as its value",
    "ops.cumprod(x, 0)": "MindSpore divides by x: NaN where x is 0",
    "ops.cumprod(x, 1)": "MindSpore divides by x: NaN where x is 0",
    "ops.strided_slice(x, (1, 0), (2, 3), (1, 1), begin_mask=1)": "MindSpore forgets the mask",
    "ops.strided_slice(x, (1, 0), (2, 1), (1, 1), end_mask=2)": "MindSpore forgets the mask",
    "ops.tensor_scatter_mul(x, i, y)": "MindSpore leaves out the other factors of a place",
    "x.scatter_mul(i, y)": "MindSpore leaves out the other factors of a place",
    "ops.tensor_scatter_div(x, i, y)": "MindSpore leaves out the other divisors of a place",
    "x.scatter_div(i, y)": "MindSpore leaves out the other divisors of a place",
    "ops.index_fill(x, 0, i, y)": "MindSpore gives 0 for the value",
    "ops.inplace_add(x, y, (0, 2))": "MindSpore gives zeros",
    "ops.inplace_sub(x, y, 1)": "MindSpore gives zeros",
    "ops.inplace_update(x, y, (2, 0))": "MindSpore gives zeros",
    "ops.InplaceAdd((0, 2))(x, y)": "MindSpore gives zeros",
    "ops.InplaceSub((0, 2))(x, y)": "MindSpore gives zeros",
    "ops.InplaceUpdate((0, 2))(x, y)": "MindSpore gives zeros",
    "ops.IndexFill()(x, 0, i, y)": "MindSpore gives 0 for the value",
    "ops.EmbeddingLookup()(x, i, 1)": "MindSpore gives only the rows that were read",
}


def compare(have, want):
    if isinstance(want, str):
        assert str(have) == want.split(":", 1)[1]
    elif is_leaf(want):
        assert [str(have.dtype), list(have.shape)] == want[:2]
        values = np.array(want[2], np.float64).reshape(want[1])
        np.testing.assert_allclose(have.asnumpy().astype(np.float64), values, 3e-5, 2e-6)
    else:
        for one, other in zip(have, want, strict=True):
            compare(one, other)


def is_leaf(want):
    return len(want) == 3 and isinstance(want[0], str) and isinstance(want[2], list)


def same(have, want):
    """Whether ``compare`` is content."""
    try:
        compare(have, want)
    except AssertionError:
        return False
    return True


def test_every_case_was_recorded():
    assert list(MINDSPORE) == list(CASES), "run tests/record_arrays.py with MindSpore"
    assert list(BY_TORCH) == list(TORCH), "run tests/record_arrays_torch.py with torch"
    assert len(TEXTS) > 420


@pytest.mark.parametrize("text", TEXTS)
def test_value(text):
    found = called(ms, text, tensors_of(ms, text))
    assert same(found, RECORD[text]["results"]) == (text not in DIFFERENT)


def function_of(text, names):
    """The case as a function that graph mode can read."""
    lines = f"def case({', '.join(names)}):\n    return {text}\n"
    file = f"<case {text}>"
    linecache.cache[file] = (len(lines), None, lines.splitlines(True), file)
    space = {"ms": ms, "ops": ms.ops, "mint": ms.mint}
    exec(compile(lines, file, "exec"), space)
    return space["case"]


def in_graph_mode(text):
    operands = tensors_of(ms, text)
    got = ms.jit(function_of(text, list(operands)))(*operands.values())
    wanted = called(ms, text, tensors_of(ms, text)) if text in DIFFERENT else None
    if wanted is None:
        compare(got, RECORD[text]["results"])
    else:
        np.testing.assert_array_equal(got.asnumpy(), wanted.asnumpy())


@pytest.mark.parametrize("text", TEXTS[::8])
def test_value_in_graph_mode(text):
    in_graph_mode(text)


@pytest.mark.long
@pytest.mark.parametrize("text", TEXTS)
def test_every_value_in_graph_mode(text):
    in_graph_mode(text)


DIFFERENTIABLE = [t for t in TEXTS if isinstance(RECORD[t].get("gradients"), list)]


@pytest.mark.parametrize("text", sorted({*DIFFERENTIABLE[::2], *DIFFERENT_GRADIENT}))
def test_gradient(text):
    gradient_is_as_recorded(text)


@pytest.mark.long
@pytest.mark.parametrize("text", DIFFERENTIABLE[1::2])
def test_other_gradients(text):
    gradient_is_as_recorded(text)


def gradient_is_as_recorded(text):
    operands = tensors_of(ms, text)
    names = is_differentiable(text, operands, called(ms, text, tensors_of(ms, text)))
    found = gradients(ms, text, operands, names)
    assert same(found, RECORD[text]["gradients"]) == (text not in DIFFERENT_GRADIENT)


@pytest.mark.long
@pytest.mark.parametrize("text", DIFFERENTIABLE)
def test_gradient_in_graph_mode(text):
    """Forward and backward in one graph: what eager finds."""
    operands = tensors_of(ms, text)
    results = called(ms, text, tensors_of(ms, text))
    names = is_differentiable(text, operands, results)
    case, places = function_of(text, list(operands)), [list(operands).index(n) for n in names]
    weights = [weight(r) for r in flat(results)]

    several = isinstance(results, tuple | list)

    def weighed(*xs):
        return sum_of(case(*xs) if several else (case(*xs),), weights)

    found = ms.jit(ms.grad(weighed, tuple(places)))(*operands.values())
    wanted = ms.grad(weighed, tuple(places))(*tensors_of(ms, text).values())
    for one, other in zip(flat(found), flat(wanted), strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), 1e-5, 1e-6)


def flat(results):
    return results if isinstance(results, tuple | list) else (results,)


def weight(result):
    if "loat" not in str(getattr(result, "dtype", "")):
        return None
    numbers = np.arange(result.size) * 7 % 5 - 1.75
    return ms.Tensor(numbers.reshape(result.shape).astype(np.float32))


def sum_of(results, weights):
    """The sum of the floating results, weighed."""
    total = 0.0
    for k in range(len(weights)):
        if weights[k] is not None:
            total = total + ms.ops.sum(results[k] * weights[k])
    return total


@pytest.mark.parametrize("text", WRITING)
def test_what_is_written_is_the_parameter(text):
    """The function gives the Parameter itself, and in graph mode it is written to as well."""
    operands = tensors_of(ms, text)
    first, second = called(ms, text, operands)
    assert first is second is operands["w"]
    names = [name for name in operands if name != "w"]
    lines = f"def case({', '.join(names)}):\n    {text.split(', w)')[0][1:]}\n    return w + 0\n"
    other = tensors_of(ms, text)
    file = f"<writing {text}>"
    linecache.cache[file] = (len(lines), None, lines.splitlines(True), file)
    space = {"ms": ms, "ops": ms.ops, "w": other["w"]}
    exec(compile(lines, file, "exec"), space)
    got = ms.jit(space["case"])(*[other[name] for name in names])
    np.testing.assert_array_equal(got.asnumpy(), operands["w"].asnumpy())
    np.testing.assert_array_equal(other["w"].asnumpy(), operands["w"].asnumpy())
