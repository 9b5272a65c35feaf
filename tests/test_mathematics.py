"""Mathematics: values, dtypes, shapes and gradients that MindSpore 2.10 or torch gave.

``record_mathematics.py`` wrote them down. Where MindSpore's CPU has no kernel, torch's count.
"""

import contextlib
import importlib.util
import json

import numpy as np
import pytest
from mathematics_cases import CASES, FAMILIES, operands_of
from record_mathematics import GOLDEN, narrowed
from torch_cases import weight

import ms_ext as ms
from ms_ext import Tensor
from ms_ext.engine import errors, tape

MINDSPORE, TORCH = (
    dict(json.loads((GOLDEN / f"mathematics_{who}.json").read_text()))
    for who in ("mindspore", "torch")
)

#: text -> why our values are others than MindSpore's.
OTHER_VALUES = {
    "ops.xlogy(x, y)": "it gives NaN for 0 * log(0), which its documentation calls 0",
    "ops.cross(x, y, 0)": "it takes the wrong elements of an operand that is broadcast",
}
#: text -> why our gradients are others than torch's.
OTHER_GRADIENTS = {
    "ops.xlogy(x, y)": "0 * log(y) is flat in y here, also at y = 0",
    "ops.det(x)  # singular": "the slope is the cofactor, which torch takes for 0",
    "ops.quantile(x, 0.5, 1)  # with NaN": "torch lets the gradient of NaN reach the NaN",
}


def test_everything_was_recorded():
    texts = [case[0] for case in CASES]
    assert len(set(texts)) == len(texts)
    assert list(MINDSPORE) == texts == list(TORCH), "run tests/record_mathematics.py"
    assert [t for t in texts if TORCH[t] is None and not isinstance(MINDSPORE[t], list)] == []


def flat(found):
    return found if isinstance(found, tuple | list) else (found,)


def called(case, operands):
    return flat(eval(case[0], {"ms": ms, "ops": ms.ops, "mint": ms.mint}, operands))


@pytest.fixture(scope="module")
def functions(tmp_path_factory):
    """Each case as a function in a file, which graph mode can read."""
    lines = ["import ms_ext as ms", "from ms_ext import mint, ops"]
    for i, case in enumerate(CASES):
        names = ", ".join(operands_of(case))
        lines.append(f"\n\ndef case_{i}({names}):\n    return {case[0]}")
    path = tmp_path_factory.mktemp("mathematics") / "calls.py"
    path.write_text("\n".join(lines))
    spec = importlib.util.spec_from_file_location("calls", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def same(found, rows):
    for tensor, (dtype, shape, values) in zip(found, rows, strict=True):
        assert (str(tensor.dtype), list(tensor.shape)) == (dtype, shape)
        near(tensor, values, 1e-3 if dtype == "Float16" else 3e-5)


def near(tensor, values, bound):
    have, want = tensor.asnumpy().astype(np.float64).ravel(), np.array(values)
    largest = np.max(np.abs(want[np.isfinite(want)]), initial=1e-3)
    np.testing.assert_allclose(have, want, bound, bound * largest)


def differing(yes):
    """What stands below fails, if ``yes``."""
    return pytest.raises(AssertionError) if yes else contextlib.nullcontext()


def failures(family, check):
    """text -> what went wrong, of the cases of a family."""
    found = {}
    for case in FAMILIES[family]:
        try:
            check(case)
        except (AssertionError, errors.MsExtError) as error:
            found[case[0]] = str(error)
    return found


def against_mindspore(case):
    if isinstance(MINDSPORE[case[0]], list):
        given = {name: Tensor(narrowed(x)) for name, x in operands_of(case).items()}
        with differing(case[0] in OTHER_VALUES):
            same(called(case, given), MINDSPORE[case[0]])


def against_torch(case):
    given, row = {name: Tensor(x) for name, x in operands_of(case).items()}, TORCH[case[0]]
    if row is None:
        return
    for tensor, values in zip(called(case, given), row["value"], strict=True):
        near(tensor, values, 1e-7)
    if row["gradients"] is not None:
        slopes = gradients(case, given)
        with differing(case[0] in OTHER_GRADIENTS):
            for tensor, values in zip(slopes, row["gradients"], strict=True):
                near(tensor, values, 1e-7)


def gradients(case, given):
    """Of the weighed floating results at the floating operands."""
    names = [name for name, x in given.items() if x.dtype.kind == "float"]

    def total(*operands):
        found = called(case, given | dict(zip(names, operands, strict=True)))
        parts = [t for t in found if t.dtype.kind == "float"]
        return sum((t * Tensor(weight(t.shape))).sum() for t in parts)

    operands = tuple(given[name] for name in names)
    return tape.differentiate(total, operands, tuple(range(len(operands))))[1]


@pytest.mark.parametrize("family", FAMILIES)
def test_values_are_those_of_mindspore(family):
    assert failures(family, against_mindspore) == {}


@pytest.mark.parametrize("family", FAMILIES)
def test_values_and_gradients_are_those_of_torch(family):
    assert failures(family, against_torch) == {}


@pytest.mark.parametrize("family", FAMILIES)
def test_graph_mode_gives_the_same(family, functions):
    def check(case):
        given = [Tensor(narrowed(x)) for x in operands_of(case).values()]
        plain = getattr(functions, f"case_{CASES.index(case)}")
        want, have = flat(plain(*given)), flat(ms.jit(plain)(*given))
        for one, other in zip(have, want, strict=True):
            assert (one.dtype, one.shape) == (other.dtype, other.shape)
            near(one, other.asnumpy().astype(np.float64).ravel().tolist(), 1e-5)

    assert failures(family, check) == {}
