"""What compiled code changes of the program around it: attributes, lists and dicts.

The expected values are what MindSpore 2.10 gave for the same functions under ``jit``.
"""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Tensor, nn, ops

BACKENDS = ("reference", "cython")
ABC = [1.0, 2.0, 3.0]


@pytest.fixture(params=BACKENDS)
def compiled(request):
    """``jit`` with one of the backends."""
    return lambda function: ms.jit(function, backend=request.param)


def numbers(value):
    if isinstance(value, Tensor):
        return value.asnumpy().tolist()
    return type(value)(map(numbers, value)) if isinstance(value, tuple | list) else value


class Net(nn.Cell):
    """Has a counter, a buffer and a mode."""

    def __init__(self):
        super().__init__()
        self.count, self.rate, self.mode = 0, 1.5, "fast"
        self.buffer, self.rows = Tensor(np.zeros(3, np.float32)), []


def called(compiled, construct, *calls):
    """A Net with this ``construct``, and its results for the calls."""
    net = Net()
    g = compiled(construct)
    return net, [numbers(g(net, Tensor(np.float32(x)))) for x in calls]


def test_a_counter_counts_at_every_call(compiled):
    def construct(self, x):
        self.count = self.count + 1
        return x * self.count

    net, found = called(compiled, construct, ABC, ABC, ABC)
    assert found == [ABC, [2, 4, 6], [3, 6, 9]] and net.count == 3


def test_it_is_read_before_and_after(compiled):
    def construct(self, x):
        before = self.count
        self.count += 2
        return before, self.count, self.rate

    net, found = called(compiled, construct, ABC, ABC)
    assert found == [(0, 2, 1.5), (2, 4, 1.5)] and net.count == 4


def test_a_buffer_keeps_its_sum(compiled):
    def construct(self, x):
        self.buffer = self.buffer + x
        return self.buffer * 1

    net, found = called(compiled, construct, ABC, ABC)
    assert found == [ABC, [2, 4, 6]] and numbers(net.buffer) == [2, 4, 6]


def test_in_a_branch(compiled):
    def construct(self, x):
        if x.sum() > 0:
            self.count = 5
        return x + self.count

    net, found = called(compiled, construct, [-1.0], [1.0], [-1.0])
    assert found == [[-1], [6], [4]] and net.count == 5


@pytest.mark.parametrize("turns", [3, 20])
def test_in_a_loop(compiled, turns):
    def construct(self, x):
        for _ in range(turns):
            self.count = self.count + 1
        return x * self.count

    net, found = called(compiled, construct, [1.0], [1.0])
    assert found == [[turns], [2 * turns]] and net.count == 2 * turns


def test_in_a_function_behind_what_reads_it(compiled):
    def count(net):
        net.count = net.count + 1

    def construct(self, x):
        x = x + self.count
        count(self)
        return x * self.count

    _, found = called(compiled, construct, [1.0], [1.0])
    assert found == [[1], [4]]


def test_a_new_attribute(compiled):
    def construct(self, x):
        self.last = x * 2
        return self.last + 1

    net, found = called(compiled, construct, ABC, [1.0, 1.0, 1.0])
    assert found == [[3, 5, 7], [3, 3, 3]] and numbers(net.last) == [2, 2, 2]


def test_what_is_not_written_stays_a_constant(compiled):
    net = Net()
    g = compiled(lambda x: x * net.rate)
    assert numbers(g(Tensor(2.0))) == 3
    net.rate = 10.0
    assert numbers(g(Tensor(2.0))) == 3


def test_a_gradient_writes_once(compiled):
    net = Net()

    def f(x):
        net.count = net.count + 1
        return x * x * net.count

    assert numbers(ms.grad(compiled(f))(Tensor(ABC))) == [2, 4, 6] and net.count == 1
    assert numbers(compiled(ms.grad(f))(Tensor(ABC))) == [4, 8, 12] and net.count == 2


# tensors of the program ---------------------------------------------------------------------------


def accumulated(buffer, x):
    buffer.add_(x)
    return buffer * 1


def assigned(buffer, x):
    ops.assign(buffer, buffer + x)
    return buffer.sum() * 1 + buffer * 1 - buffer.sum()


def augmented(buffer, x):
    kept = buffer
    kept += x
    return kept * 1


def in_a_loop(buffer, x):
    for _ in range(20):
        buffer.add_(x / 20)
    return buffer * 1


@pytest.mark.parametrize("write", [accumulated, assigned, augmented, in_a_loop])
def test_a_tensor_from_outside_keeps_what_is_written(compiled, write):
    buffer = Tensor([0.0, 0.0, 0.0])
    g = compiled(lambda x: write(buffer, x))
    assert numbers(g(Tensor(ABC))) == pytest.approx(ABC, abs=1e-5)
    assert numbers(g(Tensor(ABC))) == pytest.approx([2, 4, 6], abs=1e-5)
    assert numbers(buffer) == pytest.approx([2, 4, 6], abs=1e-5)
    buffer.fill_(10.0)
    assert numbers(g(Tensor(ABC))) == pytest.approx([11, 12, 13], abs=1e-5)


@pytest.mark.parametrize("write", [accumulated, assigned, augmented, in_a_loop])
def test_a_tensor_made_inside_begins_anew(compiled, write):
    g = compiled(lambda x: write(Tensor([0.0, 0.0, 0.0]), x))
    for _ in range(2):
        assert numbers(g(Tensor(ABC))) == pytest.approx(ABC, abs=1e-5)


def test_two_equal_tensors_made_inside_are_two(compiled):
    def f(x):
        one, other = Tensor([0.0]), Tensor([0.0])
        one.add_(x)
        return one, other

    assert numbers(compiled(f)(Tensor([3.0]))) == ([3], [0])


def test_a_branch_on_a_tensor_that_is_written(compiled):
    total = Tensor(0.0)

    def f(x):
        total.add_(x)
        return x if total > 3 else -x

    g = compiled(f)
    assert [numbers(g(Tensor(2.0))) for _ in range(3)] == [-2, 2, 2] and float(total) == 6


def test_a_gradient_through_a_tensor_that_is_written(compiled):
    total = Tensor(0.0)

    def f(x):
        total.add_(x * x)
        return total * x

    for n, gradient in enumerate((ms.grad(compiled(f)), compiled(ms.grad(f)))):
        assert float(gradient(Tensor(2.0))) == 3 * 4 + 4 * n and float(total) == 4 * (n + 1)


# lists and dicts ----------------------------------------------------------------------------------

seen, table = [], {"a": 1}


def test_a_list_of_the_program_stays_as_it_is(compiled):
    inside, net = [1], Net()

    def f(x):
        seen.append(1)
        inside.append(2)
        net.rows.append(x)
        return len(seen), inside, len(net.rows)

    assert compiled(f)(Tensor(ABC)) == (1, [1, 2], 1)
    assert (seen, inside, net.rows) == ([], [1], [])


def test_a_dict_of_the_program_is_written_when_the_graph_runs(compiled):
    def f(x):
        table["a"] = 5
        table["x"] = x.sum()
        return x * table["a"]

    g = compiled(f)
    assert numbers(g(Tensor(ABC))) == [5, 10, 15]
    assert table["a"] == 5 and numbers(table["x"]) == 6
    table.update(a=1)
    assert numbers(g(Tensor([1.0, 1.0, 1.0]))) == [5, 5, 5]
    assert table["a"] == 5 and numbers(table["x"]) == 3


# mutable ------------------------------------------------------------------------------------------


def test_mutable_in_compiled_code(compiled):
    def f(x, n):
        rate, pair = ms.mutable(2.5), ms.mutable((n, x))
        for i in range(ms.mutable(3)):
            x = x + i
        return x * rate, rate, pair[0]

    found = compiled(f)(Tensor(1.0), 4)
    assert numbers(found) == (10, 2.5, 4) and list(map(type, found[1:])) == [float, int]


def test_a_recursion_that_returns_several(compiled):
    def down(n):
        if n < 1:
            return 0, n
        steps, last = down(n - 1)
        return steps + 1, last

    assert numbers(compiled(lambda n: down(n))(Tensor(3))) == (3, 0)
