"""How the rows of the specification of custom ops run: each mode, our answer and MindSpore's."""

import pytest
from custom_ops import X

import ms_ext as ms
from ms_ext import Tensor, jit, nn, ops
from ms_ext.engine import strict


class Around(nn.Cell):
    """A Cell that calls a function of two tensors."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def construct(self, x, y):
        return self.function(x, y)


class AroundOne(Around):
    """The same for a function of one tensor."""

    def construct(self, x):
        return self.function(x)


def _cell(function, *inputs):
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        return (Around if len(inputs) == 2 else AroundOne)(function)(*inputs)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


MODES = {
    "eager": lambda function, *inputs: function(*inputs),
    "jit": lambda function, *inputs: jit(function)(*inputs),
    "cell": _cell,
}
ENGINES = {"ours": None, "mindspore": "2.10"}


@pytest.fixture(params=["eager", "jit", pytest.param("cell", marks=pytest.mark.long)])
def run(request):
    """``run(function, *tensors)``: as it is, compiled, and as a Cell in graph mode."""
    return MODES[request.param]


@pytest.fixture(params=ENGINES)
def engine(request):
    """Our answer, then MindSpore's: its own error where an article's form would work."""
    before = strict.use(ENGINES[request.param])
    yield request.param
    strict.use(before)


@pytest.fixture
def there():
    """MindSpore's answer."""
    with strict.as_mindspore():
        yield


def aot(library, symbol, bprop=None, reg_info=None):
    """A kernel of two inputs, whose result is like the first."""
    return ops.Custom(f"{library}:{symbol}", _first, _first, "aot", bprop, reg_info)


def _first(x, y):
    return x


def of(array=X):
    """A tensor."""
    return Tensor(array)


def said(kind, call):
    """What an error says, which is of this built-in class."""
    with pytest.raises(kind) as caught:
        call()
    return str(caught.value)
