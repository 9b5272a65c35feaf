"""What a function writes to is written also where its gradient is taken, as MindSpore does it."""

import pytest

import ms_ext as ms
from ms_ext import Parameter, Tensor, nn, ops

BACKENDS = ("reference", "cython")
ABC = [1.0, 2.0, 3.0]


@pytest.fixture(params=BACKENDS)
def compiled(request):
    """``jit`` with one of the backends."""
    return lambda function: ms.jit(function, backend=request.param)


def augmented(a):
    a += 1
    return a * a


def added(a):
    a.add_(1)
    return a * a


def set_first(a):
    a[0] = 5.0
    return a * a


def in_a_function(a):
    def write(b):
        b += 1

    write(a)
    return a * a


#: function, its value and gradient at ABC, what the argument is then
CASES = [
    (augmented, [4, 9, 16], [4, 6, 8], [2, 3, 4]),
    (added, [4, 9, 16], [4, 6, 8], [2, 3, 4]),
    (set_first, [25, 4, 9], [0, 4, 6], ABC),
    (in_a_function, [4, 9, 16], [4, 6, 8], [2, 3, 4]),
]


def numbers(tensor):
    return tensor.asnumpy().tolist()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_the_argument_is_written(compiled, case):
    function, result, gradient, after = case
    for taken in (ms.grad(compiled(function)), compiled(ms.grad(function))):
        x = Tensor(ABC)
        assert numbers(taken(x)) == gradient and numbers(x) == after
        value, found = ms.value_and_grad(compiled(function))(y := Tensor(ABC))
        assert numbers(found) == gradient and numbers(y) == after
        assert numbers(value) == result


def scaled(a, q):
    q += 1.0
    return a * q


@pytest.mark.parametrize("position", [0, 1, (0, 1)])
def test_an_argument_that_may_not_be_asked_about(compiled, position):
    for taken in (ms.grad(compiled(scaled), position), compiled(ms.grad(scaled, position))):
        x, q = Tensor(ABC), Tensor(ABC)
        found = taken(x, q)
        by_position = found if isinstance(position, tuple) else (found,)
        want = {0: [2, 3, 4], 1: ABC}
        places = position if isinstance(position, tuple) else (position,)
        assert list(map(numbers, by_position)) == [want[place] for place in places]
        assert numbers(x) == ABC and numbers(q) == [2, 3, 4]


def test_it_is_seen_behind_the_gradient(compiled):
    def f(x):
        y = x * 2
        found = ms.grad(augmented)(y)
        return found, y

    assert list(map(numbers, compiled(f)(Tensor(ABC)))) == [[6, 10, 14], [3, 5, 7]]


def test_it_is_seen_by_what_follows_in_eager_mode(compiled):
    write = compiled(augmented)

    def f(x):
        y = x * 2
        return write(y) * y  # (2x + 1) cubed

    assert numbers(ms.grad(f)(Tensor(ABC))) == [54, 150, 294]


def test_higher_derivatives(compiled):
    def cubed(a):
        a *= a * a
        return a

    f = compiled(cubed)
    assert float(ms.grad(ms.grad(lambda x: f(x * 1)))(Tensor(2.0))) == 12
    assert float(compiled(ms.grad(ms.grad(lambda x: cubed(x * 1))))(Tensor(2.0))) == 12


def test_parameters(compiled):
    p = Parameter(Tensor(2.0), name="p")

    def f(a):
        ops.assign_add(p, Tensor(1.0))
        return a * p

    for count, taken in enumerate((ms.grad(compiled(f)), compiled(ms.grad(f))), 3):
        assert numbers(taken(Tensor(ABC))) == [count] * 3 and float(p) == count


def test_weights_of_a_cell(compiled):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(Tensor(2.0), name="w")

        def construct(self, x):
            self.w += 1.0
            return x * self.w

    net = Net()
    (dw,) = ms.grad(compiled(net), None, net.trainable_params())(Tensor(ABC))
    assert float(dw) == 6 and float(net.w) == 3


def test_a_write_after_the_call_does_not_reach_what_its_loop_keeps():
    """The first value that a loop stacks is its input, in the caller's memory."""

    @ms.jit
    def looped(x):
        for _ in range(100):
            x = ops.sin(x)
        return x

    def f(x):
        y = x * 1
        z = looped(y)
        y[0] = 5.0
        return z

    assert numbers(ms.grad(f)(Tensor(ABC))) == numbers(ms.grad(looped)(Tensor(ABC)))
