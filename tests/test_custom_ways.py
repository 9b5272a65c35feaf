"""Ways into ``ops.Custom`` that are saved graphs or refused, and what an op says of itself."""

import numpy as np
import pytest
from custom_ops import X, Y, value

from ms_ext import Tensor, graph, jit, ops
from ms_ext import grad as grad_of
from ms_ext.engine import strict

MODES = {"eager": lambda function: function, "graph": jit}


@pytest.fixture(params=MODES)
def mode(request):
    """Run a function as it is, or compiled."""
    return MODES[request.param]


def tbe(func, **more):
    return ops.Custom(func, func_type="tbe", **more)


def names_of(func_graph):
    return [node.primitive.name for node in func_graph.order()]


# mindir ---------------------------------------------------------------------------------------


def scaled(x, y):
    z = ops.exp(-x) * y
    return z * 2 if z.sum() > 0 else z


@pytest.fixture
def saved(tmp_path, monkeypatch):
    """A folder with scaled.mindir in it, as the current one."""
    monkeypatch.chdir(tmp_path)
    text = graph.dump(jit(scaled).graph(Tensor(X), Tensor(Y)))
    (tmp_path / "scaled.mindir").write_text(text)
    return tmp_path


def mindir(func, **more):
    return ops.Custom(func, func_type="mindir", **more)


def test_a_saved_graph_is_an_op_with_the_gradient_of_its_ops(saved, mode):
    for func in ("scaled.mindir", "./scaled.mindir:scaled", (saved / "scaled.mindir").read_text()):
        op = mindir(func)
        assert np.allclose(mode(op)(Tensor(X), Tensor(Y)).asnumpy(), 2 * np.exp(-X) * Y)
    dx, dy = mode(lambda x, y: grad_of(op, (0, 1))(x, y))(Tensor(X), Tensor(Y))
    assert np.allclose(dx.asnumpy(), -2 * np.exp(-X) * Y)
    assert np.allclose(dy.asnumpy(), 2 * np.exp(-X))


def test_passes_see_into_a_saved_graph(saved):
    op = mindir("scaled.mindir")
    found = jit(lambda x, y: op(x, y) - 0).graph(Tensor(X), Tensor(Y))
    assert names_of(found)[:3] == ["Neg", "Exp", "Mul"] and "If" in names_of(found)
    rule = (lambda x: ops.Exp(ops.Neg(x))), (lambda x: ops.Cos(x))
    changed = jit(lambda x, y: op(x, y), passes=[rule]).graph(Tensor(X), Tensor(Y))
    assert names_of(changed)[:2] == ["Cos", "Mul"]


def test_a_saved_graph_with_a_bprop_stays_a_graph_that_passes_work_in(saved):
    op = mindir("scaled.mindir", bprop=lambda x, y, out, dout: (dout * 7, dout * 8))
    assert value(grad_of(op)(Tensor(X), Tensor(Y))) == [[7, 7], [7, 7]]
    function = jit(lambda x, y: grad_of(op, 1)(x, y))
    assert value(function(Tensor(X), Tensor(Y))) == [[8, 8], [8, 8]]
    called = jit(lambda x, y: op(x, y)).graph(Tensor(X), Tensor(Y)).order()[0].graphs[0]
    assert names_of(called)[:3] == ["Neg", "Exp", "Mul"]


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ((Tensor([1.0, 2.0]), Tensor(Y)), r"f32\[2\] for x: f32\[2,2\]"),
        ((Tensor(X), Tensor([[1, 2], [3, 4]])), r"i64\[2,2\] for y: f32\[2,2\]"),
        ((1.0, Tensor(Y)), r"float for x: f32\[2,2\]"),
        ((Tensor(X),), "cannot be called with 1 input"),
    ],
)
def test_inputs_of_another_type_than_saved_are_refused(saved, mode, inputs, said):
    op = mindir("scaled.mindir")
    with pytest.raises(RuntimeError, match=said):
        mode(lambda *inputs: op(*inputs))(*inputs)


def test_files_that_are_no_saved_graph_are_refused(saved):
    (saved / "real.mindir").write_bytes(b"\x08\x01\x12\x09MindSpore\x00\xff")
    good = (saved / "scaled.mindir").read_text()
    (saved / "hostile.mindir").write_text(good.replace("Exp(", "__import__("))
    (saved / "typed.mindir").write_text(good.replace("f32[2,2]", "f32[2,3]", 1))
    (saved / "prints.mindir").write_text("ms_ext graph 1\ngraph f@1() {\n  return 1.0: float\n}\n")
    for func, said in [
        ("real.mindir", "holds no saved graph"),
        ("hostile.mindir", "no op '__import__'"),
        ("typed.mindir", "This is not the text of an ms_ext graph"),
        ("prints.mindir", "no function of tensors"),
        ("scaled.mindir:scale", "no graph 'scale'"),
    ]:
        with pytest.raises(ValueError, match=said):
            mindir(func)
    with pytest.raises(RuntimeError, match="there is no saved graph './none.mindir'") as caught:
        mindir("./none.mindir")
    assert f"looked in {saved}" in str(caught.value)
    with pytest.raises(TypeError, match="must be the path of a saved graph"):
        mindir(scaled)


def test_saved_graphs_are_found_on_the_search_path(saved, tmp_path_factory, monkeypatch):
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    monkeypatch.setenv("MS_EXT_CUSTOM_PATH", str(saved))
    assert mindir("scaled.mindir").way.path == str(saved / "scaled.mindir")


# refused, and formats -------------------------------------------------------------------------


def same(x, *_others):
    return x


REFUSED = [
    ("akg", same, RuntimeError, "Get response before Open() error.", "hybrid"),
    ("akg", "f", TypeError, "'f' is not a callable object", "hybrid"),
    ("aicpu", "f", ValueError, "'func': f, the registration information must be set, but", "aot"),
    ("julia", "f.jl:f", ValueError, "'func_type' must be one of ['hybrid', 'akg', 'tbe',", "jit"),
    ("none", same, ValueError, "'aot', 'pyfunc'], but got none", "Known"),
]


@pytest.mark.parametrize(("kind", "func", "error", "said", "instead"), REFUSED)
def test_other_ways_are_refused_in_mindspores_words_and_say_what_to_use(
    kind, func, error, said, instead
):
    with pytest.raises(error) as caught:
        ops.Custom(func, same, same, kind)
    assert said in str(caught.value) and instead in str(caught.value)


def test_strict_refuses_what_mindspore_has_not():
    with strict.as_mindspore():
        for kind in ("mindir", "jit"):
            with pytest.raises(ValueError, match=f"but got {kind}"):
                ops.Custom("f", same, same, kind)
        with pytest.raises(TypeError, match="unexpected keyword argument 'reg_format'"):
            ops.Custom(same, same, same, reg_format="ND")
        with pytest.raises(TypeError, match="must be of type function, but got <class 'str'"):
            tbe("x + 1")
        with pytest.raises(RuntimeError, match=r"but got \[tbe\] for Custom operator"):
            tbe(same)(Tensor(X))


def test_a_format_is_accepted_and_said_to_change_nothing():
    op = ops.Custom(same, same, same, reg_format="NC1HWC0")
    assert value(op(Tensor(X))) == X.tolist()
    assert "NC1HWC0: changes nothing here" in op.describe()
    with pytest.raises(ValueError, match="must name a format") as caught:
        ops.Custom(same, same, same, reg_format="NCHV")
    assert "Did you mean 'NCHW'?" in str(caught.value)


def test_an_op_describes_itself(saved):
    text = tbe("exp(-x) * y").describe()
    assert text.splitlines()[:2] == ["op        formula, func_type 'tbe'", "given     exp(-x) * y"]
    assert "formula   x, y" in text and "gradient  that of the ops it is made of" in text
    text = mindir("scaled.mindir").describe()
    assert "scaled(x: f32[2,2], y: f32[2,2]) -> f32[2,2]" in text
    text = ops.Custom(same, same, same).describe()
    assert "test_custom_ways.py:" in text and "gradient  none: give bprop=" in text
    assert repr(tbe("x * 2")) == "Custom(formula, func_type=tbe)"


def test_only_ways_that_have_them_run_guarded_and_have_a_source():
    op = ops.Custom(same, same, same)
    with pytest.raises(RuntimeError, match="Only kernels in C or C\\+\\+ run guarded"):
        op.guarded()
    with pytest.raises(RuntimeError, match="This op has no text"):
        op.source()
