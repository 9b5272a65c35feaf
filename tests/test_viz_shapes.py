"""What is promised stands beside what is returned, and the table never says more than was asked."""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Tensor, ops, viz
from ms_ext.engine import errors


def custom(body, shape, dtype=lambda x, *more: x):
    return ops.Custom(body, shape, dtype, "pyfunc")


def larger(x, y):
    return np.maximum(x, y)


def broadcast(x, y):
    return list(np.broadcast_shapes(tuple(x), tuple(y)))


def result_type(x, y):
    return ms.dtype.from_numpy(np.result_type(x.numpy, y.numpy))


#: Shapes as in the check of chapter 02: each with at least one axis, no size 0.
SHAPES = [(3,), (1,), (2, 3), (2, 1), (1, 3), (4, 2, 3), (4, 1, 1), (2, 2), (5,)]
DTYPES = [ms.float32, ms.float16, ms.int32, ms.int8]
PAIRS = [
    ((one, DTYPES[i % 4]), (other, DTYPES[j % 4]))
    for i, one in enumerate(SHAPES)
    for j, other in enumerate(SHAPES)
]


def test_a_right_declaration_agrees_or_refuses_with_its_body():
    right = viz.shapes(custom(larger, broadcast, result_type), *PAIRS)
    assert {case.verdict for case in right.cases} == {"agree", "both refuse"}


def test_a_wrong_declaration_differs_exactly_where_numpy_does():
    for case in viz.shapes(custom(larger, lambda x, y: x), *PAIRS).cases:
        types = [kind for _, kind in case.inputs]
        zeros = [np.zeros(kind.shape, kind.dtype) for kind in types]
        try:
            true = np.maximum(*zeros)
        except ValueError:
            assert case.verdict == "body refuses"
            continue
        (returned,) = case.returned.types
        assert (returned.dtype, returned.shape) == (str(true.dtype), true.shape)
        same = true.dtype == zeros[0].dtype
        ones = [n for n in true.shape if n != 1] == [n for n in zeros[0].shape if n != 1]
        expected = "agree" if same and true.shape == zeros[0].shape else "ones"
        assert case.verdict == (expected if same and ones else "differ")


def test_ops_agree_with_themselves_on_awkward_calls():
    for op in (ops.add, ops.exp, ops.concat, ops.Softmax(-1), ops.maximum):
        shown = viz.shapes(op)
        assert {case.verdict for case in shown.cases} <= {"agree", "both refuse"}, shown


def test_where_a_size_comes_from():
    def origins(op, *case):
        return viz.shapes(op, case).cases[0].origins

    x, y = ((2, 3), ms.float32), ((3, 5), ms.float32)
    assert origins(ops.matmul, x, y) == {(0, 0): "a", (0, 1): "c"}
    assert origins(custom(np.ravel, lambda x: [x[0] * x[1]]), x) == {(0, 0): "a·b"}
    joined = custom(lambda x: np.zeros(5, np.float32), lambda x: [x[0] + x[1]])
    assert origins(joined, x) == {(0, 0): "a+b"}
    later = custom(lambda x: np.zeros(1, np.float32), lambda x: [x[0] - 1])
    assert origins(later, x) == {(0, 0): "from a"}
    fixed = custom(lambda x: np.zeros(3, np.float32), (3,), ms.float32)
    assert origins(fixed, x) == {}  # it has the size of an axis of x, but not from there


def test_asking_leaves_the_op_as_it_is():
    asked, ran = [], []

    def body(x):
        ran.append(x.shape)
        return x

    op = custom(body, lambda x: asked.append(list(x)) or x)
    viz.shapes(op, Tensor([1.0, 2.0]))
    assert ran == [(2,)] and asked[0] == [2]
    before = len(asked)
    op(Tensor([1.0, 2.0])).asnumpy()
    assert len(asked) == before + 1  # it did not know the answer yet


def test_what_is_printed_while_probing_is_not_shown(capsys):
    viz.shapes(custom(np.abs, lambda x: print("asked", x) or x), ((2, 3), ms.float32))
    printed = set(capsys.readouterr().out.splitlines())
    assert printed == {"asked [2, 3]"}  # the probes have other sizes


def test_what_the_learner_raises_is_the_answer():
    def refuse(x):
        raise KeyError("<b>no</b>")

    both = viz.shapes(custom(refuse, refuse), Tensor(1.0))
    assert both.cases[0].verdict == "both refuse"
    assert "&lt;b&gt;no" in both.html() and "<b>no" not in both.html()
    only = viz.shapes(custom(np.abs, refuse), Tensor(1.0))
    assert only.cases[0].verdict == "infer refuses"
    assert only.cases[0].returned.types[0].shape == ()


def test_what_is_no_case_is_refused():
    with pytest.raises(errors.InvalidType, match="A case holds tensors"):
        viz.shapes(ops.add, ("x", 1.0))
    with pytest.raises(errors.InvalidType, match="an op or a function"):
        viz.shapes(3)


def test_the_page_and_the_text_say_the_same(golden):
    def spread(x):
        return x.max(-1) - x.min(-1)

    def lowest(x):
        return x.min(-1), x.argmin(-1)

    def kept(x):
        return x.max(-1, keepdims=True)

    def settle(x):
        if x.sum() > 1.0:
            return x * 2, 1
        return x, 0

    f32 = ms.float32
    views = [
        viz.shapes(custom(spread, lambda x: x[:-1]), ((4, 6), f32), ((2, 3, 5), ms.float16)),
        viz.shapes(custom(larger, lambda x, y: x)),
        viz.shapes(
            custom(lowest, lambda x: (x[:-1], x[:-1]), lambda x: (x, ms.int32)), ((2, 3), f32)
        ),
        viz.shapes(custom(kept, lambda x: x[:-1]), ((4, 6), f32), ((1, 1), f32)),
        viz.shapes(ops.add, (Tensor([1.0, 2.0]), 3)),
        viz.shapes(settle, ((2, 3), f32)),
    ]
    golden("viz/shapes.txt", "\n".join(view.text() for view in views))
    for view in views:
        for case in view.cases:
            assert case.heading in view.html()
        assert " id=" not in view.html()


def test_it_is_saved(tmp_path):
    shown = viz.shapes(ops.exp)
    assert shown.save(tmp_path / "a.txt").read_text() == shown.text() == repr(shown)
    assert "<html" in shown.save(tmp_path / "a.html").read_text()
    with pytest.raises(errors.InvalidValue):
        shown.save(tmp_path / "a.png")
