"""What jit may be told, and how its functions may be called: texts as MindSpore 2.10 says them."""

import warnings

import pytest

import ms_ext as ms
from ms_ext.engine import errors

X = ms.Tensor([1.0, 2.0])


def plus_one(x):
    return x + 1


# options ------------------------------------------------------------------------------------------

MODE = "For 'jit', the 'capture_mode' must be str and must be in '['ast', 'bytecode', 'trace']', "
REFUSED = [
    ({"capture_mode": "AST"}, ValueError, MODE + "but got 'AST'."),
    ({"capture_mode": 3}, ValueError, MODE + "but got '3'."),
    ({"capture_mode": ["ast"]}, ValueError, MODE + "but got '['ast']'."),
    ({"jit_level": "O2"}, ValueError,
     "For 'jit', the 'jit_level' must be str and must be in '['O0', 'O1']', but got 'O2'."),
    ({"jit_level": 0}, ValueError,
     "For 'jit', the 'jit_level' must be str and must be in '['O0', 'O1']', but got '0'."),
    ({"dynamic": True}, TypeError, "For 'jit', the 'dynamic' must be 'int',  but got 'bool'."),
    ({"dynamic": "1"}, TypeError, "For 'jit', the 'dynamic' must be 'int',  but got 'str'."),
    ({"dynamic": 2}, ValueError,
     "For 'jit', the 'dynamic' must be in range of [0, 1], but got 2 with type 'int'."),
    ({"dynamic": -1}, ValueError,
     "For 'jit', the 'dynamic' must be in range of [0, 1], but got -1 with type 'int'."),
    ({"fullgraph": 1}, TypeError, "For 'jit', the 'fullgraph' must be a bool, but got int."),
    ({"fullgraph": None}, TypeError,
     "For 'jit', the 'fullgraph' must be a bool, but got NoneType."),
    ({"exec_order": "x"}, ValueError,
     "For 'exec_order', the value of 'exec_order' must be one of ['bfs', 'dfs'], but got 'x'."),
    ({"exec_order": 3}, TypeError,
     "For 'jit(options)', the type of 'exec_order' must be str, but got <class 'int'>."),
    ({"disable_format_transform": 1}, TypeError, "For 'jit(options)', the type of "
     "'disable_format_transform' must be bool, but got <class 'int'>."),
    ({"auto_offload": "x"}, ValueError, "For 'auto_offload', the value of 'auto_offload' must be "
     "one of ['weight', 'activation', 'all'], but got 'x'."),
    ({"ge_options": 3}, TypeError,
     "For 'jit(options)', the type of 'ge_options' must be dict, but got <class 'int'>."),
    ({"ge_options": {"a": 1}}, ValueError, "For 'ge_options', the key of 'ge_options' must be one "
     "of ['global', 'session'], but got 'a'."),
    ({"ge_options": {"global": 3}}, TypeError, "For 'ge_options', the type of global options must "
     "be dict, but got <class 'int'>. The error options: 3."),
    ({"infer_boost": "x"}, ValueError, "For 'infer_boost', the value of 'infer_boost' must be one "
     "of ['on', 'off'], but got 'x'."),
]  # fmt: skip


@pytest.mark.parametrize(("options", "kind", "text"), REFUSED)
def test_an_option_is_checked_when_the_function_is_decorated(options, kind, text):
    for given in ((), (plus_one,)):
        with pytest.raises(kind) as caught:
            ms.jit(*given, **options)
        assert caught.value.message == text


@pytest.mark.parametrize(
    "options",
    [
        {"jit_level": "O1"}, {"dynamic": 1}, {"fullgraph": True}, {"exec_order": "dfs"},
        {"disable_format_transform": True}, {"auto_offload": "weight"},
        {"ge_options": {"global": {"a": "b"}}}, {"capture_mode": "trace"},
        {"capture_mode": "bytecode"}, {"backend": "reference"}, {"passes": ["cse"]},
    ],
)  # fmt: skip
def test_an_option_that_is_right_says_nothing(options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ms.jit(plus_one, **options)(X).asnumpy().tolist() == [2.0, 3.0]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"jit_levl": "O1"}, "the option argument 'jit_levl' is not recognized.*'jit_level'"),
        ({"infer_boost": "on"}, "the parameter 'infer_boost' is deprecated"),
    ],
)
def test_some_options_are_a_warning_in_the_line_that_gave_them(options, text):
    with pytest.warns(errors.MsExtWarning, match=text) as caught:
        compiled = ms.jit(plus_one, **options)
    assert caught[0].filename == __file__
    assert compiled(X).asnumpy().tolist() == [2.0, 3.0]


# what is compiled ---------------------------------------------------------------------------------


def test_what_cannot_be_called_is_given_back():
    with pytest.warns(errors.MsExtWarning, match="should be function, method or cell") as caught:
        assert ms.jit(3) == 3
    assert caught[0].filename == __file__


def test_a_cell_class_gets_a_compiled_construct():
    class Net(ms.nn.Cell):
        def construct(self, x):
            return x * 2

    assert ms.jit(Net) is Net
    assert Net()(X).asnumpy().tolist() == [2.0, 4.0]
    assert Net.construct.compiled == 1


def add(x, y):
    return x + y


def add_default(x, y=2, *, k=3):
    return x + y + k


class Holder:
    @ms.jit
    def method(self, x):
        return x


def rest(x, *others):
    return x


ARITY = [
    (add, (), {}, "Function add needs 2 positional argument, but got 0."),
    (add, (X,), {}, "Function add needs 2 positional argument, but got 1."),
    (add, (X, X, X), {},
     "Function add needs 2 positional argument and 0 default argument, total 2, but got 3."),
    (add, (X,), {"y": X, "z": X}, "got an unexpected keyword argument 'z'"),
    (add, (X,), {"x": X}, "multiple values for argument 'x'"),
    (add, (), {"z": X}, "missing a required argument: 'x'"),
    (add_default, (), {}, "Function add_default needs 1 positional argument, but got 0."),
    (add_default, (X, X, X), {}, "Function add_default needs 1 positional argument and 1 default "
     "argument, total 2, but got 3."),
    (Holder().method, (), {}, "Function method needs 2 positional argument, but got 1."),
    (Holder().method, (X, X), {},
     "Function method needs 2 positional argument and 0 default argument, total 2, but got 3."),
    (rest, (), {}, "Function rest needs 1 positional argument, but got 0."),
]  # fmt: skip


@pytest.mark.parametrize(("function", "args", "kwargs", "text"), ARITY)
def test_a_call_that_does_not_fit(function, args, kwargs, text):
    compiled = function if hasattr(function, "func") else ms.jit(function)
    with pytest.raises(TypeError) as caught:
        compiled(*args, **kwargs)
    assert caught.value.message == text
    assert __file__ in str(caught.value)


def test_calls_that_fit():
    assert ms.jit(add)(x=X, y=X).asnumpy().tolist() == [2.0, 4.0]
    assert ms.jit(add_default)(X, k=1).asnumpy().tolist() == [4.0, 5.0]
    assert ms.jit(rest)(X, X, X).asnumpy().tolist() == [1.0, 2.0]


@pytest.mark.parametrize("mode", ["trace", "bytecode"])
def test_a_traced_call_that_does_not_fit_is_refused_by_python(mode):
    with pytest.raises(TypeError, match=r"add\(\) missing 1 required positional argument: 'y'"):
        ms.jit(add, capture_mode=mode)(X)
