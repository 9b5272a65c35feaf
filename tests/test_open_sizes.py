"""Open sizes: a function that is compiled once gives for every size what eager mode gives."""

import numpy as np
import pytest
from agreeing import rows, same

import ms_ext as ms
from ms_ext import Tensor, nn, ops
from ms_ext.engine import events, resizing

# a function is compiled once ----------------------------------------------------------------------

weight = Tensor(np.random.default_rng(1).standard_normal((3, 4)).astype(np.float32))


def elementwise(x):
    return ops.tanh(x) * x + 1


def product(x):
    return ops.relu(x @ weight)


def reductions(x):
    return x.sum(), x.sum(0), x.mean(), x.mean(1), x.max(), ops.softmax(x, 0)


def movement(x):
    return x.T, x.reshape(-1), x.reshape(x.shape[0] * 3), x.reshape((-1, 1, 3)), x[:, ::-1]


def joined(x):
    return ops.concat((x, x), 0), ops.stack((x, x)), ops.concat([x, ops.ones((2, 3))])


def cut(x):
    return x[:2], x[-2:], x[1:], x[:-1], x[0], x[-1], x[x.shape[0] - 1], x[: x.shape[0] // 2 + 1]


def made(x):
    return ops.zeros((x.shape[0], 2)), ops.ones_like(x), ops.full((x.shape[0],), 3.0) + x[:, 0]


def numbers(x):
    return x.shape, x.shape[0] + 1, x.size, len(x), x.shape[0] / 2, x * x.shape[0], f"{x.shape[0]}"


def branch_on_size(x):
    if x.shape[0] > 4:
        return x * 2
    return x + x.shape[0]


def counted(x):
    total = x[0] * 0
    for i in range(x.shape[0]):
        total = total + x[i] * i
    return total


def over_rows(x):
    total = x[0] * 0
    for row in x:
        total = total + ops.square(row)
    return total


def backwards(x):
    total = x[0] * 0
    for i in range(x.shape[0] - 1, -1, -1):
        total = total * 0.5 + x[i]
    return total


def returns_inside(x):
    for i in range(x.shape[0]):
        if x[i].sum() > 1.5:
            return x * i
    return x


def recursive(x):
    def halves(value, n):
        if n < 1:
            return value
        return halves(value * 0.5, n - 1)

    return halves(x, x.sum() * 0 + 3)


def written(x):
    y = x + 0
    y[1] = 5.0
    y[0, 1] = x.shape[0]
    y += 1
    return y


def normalised(x):
    centred = x - x.mean(0)
    return centred / ops.sqrt((centred * centred).mean(0) + 1e-5)


FUNCTIONS = [
    elementwise, product, reductions, movement, joined, cut, made, numbers, branch_on_size, counted,
    over_rows, backwards, returns_inside, recursive, written, normalised,
]  # fmt: skip
BACKENDS = ("reference", "cython")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_two_compilations_serve_every_size(function, backend):
    compiled = ms.jit(function, dynamic=1, backend=backend)
    for count in (5, 3, 2, 8, 21, 4):
        same(function(rows(count)), compiled(rows(count)))
    assert compiled.compiled == 2


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_declared_sizes_need_one(function):
    compiled = ms.enable_dynamic(x=Tensor(shape=[None, 3], dtype=ms.float32))(ms.jit(function))
    for count in (3, 7, 2):
        same(function(rows(count)), compiled(rows(count)))
    assert compiled.compiled == 1


LOSSES = [f for f in FUNCTIONS if f is not numbers]


def floats(value):
    if isinstance(value, tuple):
        return [each for item in value for each in floats(item)]
    return [value] if isinstance(value, Tensor) else []


@pytest.mark.parametrize("function", LOSSES, ids=lambda f: f.__name__)
def test_gradients_are_those_of_every_size(function):
    compiled = ms.jit(function, dynamic=1)

    def loss(f):
        return lambda x: sum([ops.sin(each).sum() for each in floats(f(x))])

    for count in (5, 3, 2, 6):
        same(ms.grad(loss(function))(rows(count)), ms.grad(loss(compiled))(rows(count)))
    assert compiled.compiled == 2


def test_a_gradient_inside_compiled_code_is_compiled_once_too():
    slope = ms.jit(ms.grad(lambda x: (ops.softmax(x @ weight, 1) * x[:, :1]).mean()), dynamic=1)
    for count in (5, 3, 2, 9):
        loss = lambda x: (ops.softmax(x @ weight, 1) * x[:, :1]).mean()  # noqa: E731
        same(ms.grad(loss)(rows(count)), slope(rows(count)))
    assert slope.compiled == 2


def test_a_network_takes_batches_of_every_size():
    net = nn.SequentialCell(nn.Dense(3, 8), nn.ReLU(), nn.Dense(8, 2))
    compiled = ms.jit(net, dynamic=1)
    for count in (4, 2, 16):
        same(net(rows(count)), compiled(rows(count)))
    assert compiled.compiled == 2


def test_sizes_in_tuples_dicts_and_keywords():
    compiled = ms.jit(lambda pair, *, named: pair[0].sum() + named["x"].mean(), dynamic=1)
    for count in (2, 5, 7):
        compiled((rows(count), 1), named={"x": rows(count + 1)})
    assert compiled.compiled == 2
    assert "pair.shape[0]" in compiled.compilations[1].text


# what is closed, and why --------------------------------------------------------------------------


def test_equal_sizes_that_must_be_equal_are_one():
    add = ms.jit(lambda x, y: x + y, dynamic=1)
    for count in (3, 4, 6):
        add(rows(count), rows(count))
    assert add.compiled == 2
    text = "2. x was f32[3,3] and is f32[a,3]; y was f32[3,3] and is f32[a,3], for any "
    assert str(add.compilations[1]) == text + "a = x.shape[0] = y.shape[0]"
    with pytest.raises(ValueError, match="do not broadcast"):
        add(rows(3), rows(4))


def if_equal(x, y):
    if x.shape[0] == y.shape[0]:
        return x * 2
    return x.sum()


def if_same_shape(x, y):
    return x * 2 if x.shape == y.shape else x.sum()


def from_a_table(x, y):
    return x * {3: 2.0, 4: 5.0}.get(x.shape[0], 7.0) + [1.0][x.shape[0] - x.shape[0]] * y.sum()


def from_a_list(x, y):
    return x * [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0][x.shape[0]]


@pytest.mark.parametrize("function", [if_equal, if_same_shape, from_a_table, from_a_list])
def test_sizes_that_are_sometimes_equal(function):
    compiled = ms.jit(function, dynamic=1)
    for one, other in ((3, 4), (5, 6), (7, 7), (4, 4), (3, 3), (4, 3), (6, 8)):
        same(function(rows(one), rows(other)), compiled(rows(one), rows(other)))


def test_one_row_is_compiled_for_itself():
    add = ms.jit(lambda x, y: x + y, dynamic=1)
    for one, other in ((3, 3), (4, 4), (1, 4), (1, 5), (1, 6)):
        same(rows(one) + rows(other), add(rows(one), rows(other)))
    assert add.compiled == 3  # [3] and [3], [a] and [a], [1] and [a]


def test_a_size_that_a_rule_needs_is_closed_and_says_so():
    halves = ms.jit(lambda x: ops.split(x, 2)[0], dynamic=1)
    for count in (4, 6, 8):
        same(ops.split(rows(count), 2)[0], halves(rows(count)))
    assert halves.compiled == 3
    assert "(not open: what SplitTensor gives is not known)" in halves.compilations[2].text


def test_only_the_axis_that_is_needed_is_closed():
    halves = ms.jit(lambda x: ops.split(x, 2)[0], dynamic=1)
    for columns in (3, 4, 5, 6):
        halves(rows(4, columns))
    assert halves.compiled == 2


def test_an_index_raises_the_least_size():
    sixth = ms.jit(lambda x: x[5], dynamic=1)
    for count in (9, 8, 6, 7, 30):
        same(rows(count)[5], sixth(rows(count)))
    assert sixth.compiled == 2
    with pytest.raises(IndexError):
        sixth(rows(5))


def test_a_list_of_rows_needs_their_number():
    spread = ms.jit(lambda x: [2 * row for row in list(x)], dynamic=1)
    for count in (2, 3, 4):
        assert len(spread(rows(count))) == count
    assert spread.compiled == 3


def test_without_dynamic_each_size_is_compiled():
    double = ms.jit(lambda x: x * 2)
    for count in (2, 3, 4):
        double(rows(count))
    assert double.compiled == 3


def test_an_error_shows_real_sizes():
    bad = ms.jit(lambda x: x @ weight.T, dynamic=1)
    for count in (2, 3):
        with pytest.raises(ValueError, match=rf"\[{count}, 3\]"):
            bad(rows(count))


# what is kept -------------------------------------------------------------------------------------


def test_new_sizes_are_an_event_and_old_ones_are_forgotten():
    double = ms.jit(lambda x: x * 2, dynamic=1)
    for count in (2, 3):
        double(rows(count))
    with events.record() as recording:
        double(rows(4))
        double(rows(4))
    told = [event.name for event in recording if event.kind == "resize"]
    assert told == ["<lambda>: a = 4"]
    for count in range(2, resizing.KEPT + 9):
        double(rows(count))
    launcher = next(iter(double._known.values())) and list(double._known.values())[-1]
    assert len(launcher.compiled.run.ready) == resizing.KEPT and double.compiled == 2


def test_the_graph_shows_letters():
    double = ms.jit(lambda x: x * 2, dynamic=1)
    double(rows(2))
    double(rows(3))
    graph = list(double._known.values())[-1].compiled.graph
    assert "f32[a,3]" in repr(graph)
