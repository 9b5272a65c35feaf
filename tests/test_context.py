"""What ``set_context`` takes, keeps and refuses; texts as MindSpore 2.10 on a CPU says them."""

import os

import pytest

import ms_ext as ms
from ms_ext import context
from ms_ext.engine import errors, strict


@pytest.fixture(autouse=True)
def settings_as_they_were():
    before = dict(context._settings)
    yield
    context._settings.update(before)


REFUSED = [
    ("mode", 3, ValueError, "For 'context.set_context', the argument 'mode' should be "
     "context.GRAPH_MODE (0) or context.PYNATIVE_MODE (1), but got 3."),
    ("mode", None, ValueError, "For 'context.set_context', the argument 'mode' should be "
     "context.GRAPH_MODE (0) or context.PYNATIVE_MODE (1), but got None."),
    ("mode", "0", TypeError,
     "The parameter 'mode' must be <class 'int'>, but got <class 'str'>"),
    ("mode", 1.0, TypeError,
     "The parameter 'mode' must be <class 'int'>, but got <class 'float'>"),
    ("nosuch", 1, ValueError,
     "For 'context.set_context', the keyword argument nosuch is not recognized!"),
    ("device_target", "GPU", RuntimeError, "Unsupported device target GPU. This process "
     "only supports one of the ['CPU']."),
    ("device_target", "TPU", ValueError, "For 'context.set_context', the argument "
     "'device_target' must be one of ['CPU', 'GPU', 'Ascend', 'Davinci'], but got TPU."),
    ("device_target", 3, TypeError,
     "The parameter 'device_target' must be <class 'str'>, but got <class 'int'>"),
    ("device_id", 5000, ValueError, "For 'context.set_context', the argument 'device_id' must be "
     "in range [0, 4095], but got 5000."),
    ("device_id", "0", TypeError,
     "The parameter 'device_id' must be <class 'int'>, but got <class 'str'>"),
    ("device_id", 3, RuntimeError, "There is one device here, number 0, not 3."),
    ("save_graphs", 4, ValueError, "value for save_graphs should be 0-3 but got '4'"),
    ("save_graphs", "1", TypeError, "The parameter 'save_graphs' must be (<class 'bool'>, "
     "<class 'int'>), but got <class 'str'>"),
    ("save_graphs_path", 3, TypeError,
     "The parameter 'save_graphs_path' must be <class 'str'>, but got <class 'int'>"),
    ("jit_syntax_level", 3, ValueError, "For 'jit_syntax_level', the value should be "
     "context.STRICT or context.LAX, but got 3."),
    ("jit_config", {"jit_level": "O9"}, ValueError, "For 'jit_config', the value of argument "
     "jit_level must be one of ['O0', 'O1', 'O2'], but got O9."),
    ("jit_config", 3, TypeError,
     "The parameter 'jit_config' must be <class 'dict'>, but got <class 'int'>"),
    ("max_call_depth", 0, ValueError, "For 'context.set_context', the argument 'max_call_depth' "
     "must be greater than 0, but got 0."),
    ("pynative_synchronize", 1, TypeError,
     "The parameter 'pynative_synchronize' must be <class 'bool'>, but got <class 'int'>"),
    ("check_bprop", 1, TypeError,
     "The parameter 'check_bprop' must be <class 'bool'>, but got <class 'int'>"),
    ("strict", "3", ValueError, "For 'set_context', 'strict' must be a version of MindSpore whose "
     "answers are known."),
    ("deterministic", "x", ValueError, "For 'context.set_context', the argument 'deterministic' "
     "must be one of ['ON', 'OFF'], but got x."),
]  # fmt: skip


@pytest.mark.parametrize(("key", "value", "kind", "text"), REFUSED)
def test_what_is_refused(key, value, kind, text):
    before = dict(context._settings)
    with pytest.raises(kind) as caught:
        ms.set_context(**{"mode": ms.GRAPH_MODE, key: value})
    assert caught.value.message == text
    assert context._settings == before  # the mode that was right is not kept either


@pytest.mark.parametrize("target", ["Ascend", "Davinci"])
def test_ascend_is_simulated_and_strict_refuses_it(target):
    with pytest.warns(errors.MsExtWarning, match="Ascend is simulated: everything runs"):
        ms.set_context(device_target=target)
    assert ms.get_context("device_target") == "Ascend"
    ms.set_context(device_target="CPU")
    with strict.as_mindspore(), pytest.raises(RuntimeError) as caught:
        ms.set_context(device_target=target)
    said = "Unsupported device target Ascend. This process only supports one of the ['CPU']."
    assert caught.value.message == said


@pytest.mark.parametrize(
    ("key", "value", "kept"),
    [
        ("mode", ms.GRAPH_MODE, 0),
        ("mode", True, 1),
        ("device_target", "CPU", "CPU"),
        ("device_id", 0, 0),
        *[("save_graphs", level, level) for level in (-1, 0, 1, 2, 3)],
        ("save_graphs", True, 2),
        ("save_graphs", False, 0),
        ("save_graphs_path", "graphs", os.path.realpath("graphs")),
        ("jit_syntax_level", context.STRICT, 0),
        ("jit_config", {"jit_level": "O1"}, {"jit_level": "O1"}),
        ("max_call_depth", 3, 3),
        ("pynative_synchronize", True, True),
        ("deterministic", "ON", "ON"),
    ],
)
def test_what_is_kept(key, value, kept):
    ms.set_context(**{key: value})
    found = ms.get_context(key)
    assert (found, type(found)) == (kept, type(kept))


def test_pynative_is_the_default():
    assert ms.get_context("mode") == ms.PYNATIVE_MODE == 1


def test_strict_syntax_refuses_what_python_would_calculate():
    ms.set_context(jit_syntax_level=context.STRICT)
    with pytest.raises(AttributeError, match="In JIT strict mode, cannot get attributes asnumpy"):
        ms.jit(lambda x: x.asnumpy())(ms.Tensor(1.0))


def test_an_unknown_setting_has_no_value():
    with pytest.raises(ValueError, match="the argument nosuch is not recognized"):
        ms.get_context("nosuch")


@pytest.mark.parametrize(
    ("args", "kind", "text"),
    [
        (("TPU",), ValueError, "must be one of ['CPU', 'GPU', 'Ascend'], but got TPU."),
        (("GPU",), RuntimeError, "Unsupported device target GPU."),
        ((3,), TypeError, "'device_target' must be <class 'str'>, but got <class 'int'>"),
        (("CPU", "1"), TypeError, "'device_id' must be <class 'int'>, but got <class 'str'>"),
        (("CPU", -1), ValueError, "The device id must bigger than or equal to 0."),
    ],
)
def test_devices(args, kind, text):
    with pytest.raises(kind) as caught:
        context.set_device(*args)
    assert text in str(caught.value)
    context.set_device("CPU")


def test_graph_mode_compiles_cells_and_leaves_functions_alone():
    class Net(ms.nn.Cell):
        def construct(self, x):
            met.append(type(x))
            return x

    met = []
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net()
    net(ms.Tensor(1.0))
    assert net._compiled.compiled == 1
    (lambda x: met.append(type(x)))(ms.Tensor(1.0))
    assert met[-1] is ms.Tensor


ARITY = [
    ((), {}, "requires 2 positional argument, but got 0. When using set_inputs, please make sure"),
    ((1.0,), {}, "requires 2 positional argument, but got 1. When using set_inputs, please"),
    ((1.0, 1.0, 1.0, 1.0), {},
     "requires 2 positional argument and 1 default argument, total 3, but got 4."),
    ((1.0,), {"w": 1.0}, "missing a required argument: 'y'"),
    ((1.0, 1.0), {"x": 1.0}, "multiple values for argument 'x'"),
]  # fmt: skip


@pytest.mark.parametrize(("args", "kwargs", "text"), ARITY)
def test_a_cell_in_graph_mode_does_not_count_itself(args, kwargs, text):
    class Net(ms.nn.Cell):
        def construct(self, x, y, z=1):
            return x + y + z

    ms.set_context(mode=ms.GRAPH_MODE)
    args, kwargs = [ms.Tensor(x) for x in args], {k: ms.Tensor(v) for k, v in kwargs.items()}
    with pytest.raises(TypeError) as caught:
        Net()(*args, **kwargs)
    start = "" if kwargs else "For 'Cell', the function construct "
    assert caught.value.message.startswith(start + text)
    assert caught.value.hint == "Its parameters are: x, y, z." and caught.value.where


def test_a_cell_called_in_a_cell_does_not_count_itself():
    class Outer(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.inner = ms.nn.ReLU()

        def construct(self, x):
            return self.inner(x, x)

    with pytest.raises(TypeError, match="of the function is 1, but the number .* arguments is 2"):
        ms.jit(Outer())(ms.Tensor(1.0))


def test_levels_of_syntax_have_names():
    assert (ms.STRICT, ms.COMPATIBLE, ms.LAX) == (0, 1, 2)
    assert context.STRICT == ms.STRICT and ms.get_context("jit_syntax_level") == ms.LAX
