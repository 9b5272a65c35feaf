"""viz.training really trains, says what each step did, and puts everything back."""

import re

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Tensor, nn, ops, viz
from ms_ext.dataset import NumpySlicesDataset
from ms_ext.engine import errors
from ms_ext.viz.widgets import training_drawing, training_seen, training_words

DRAW = np.random.default_rng(3)
ROWS = DRAW.normal(size=(48, 2)).astype(np.float32)
CLASSES = (ROWS[:, 0] * ROWS[:, 1] > 0).astype(np.int32)
BATCHES = [(Tensor(ROWS[at : at + 16]), Tensor(CLASSES[at : at + 16])) for at in (0, 16, 32)]


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.hidden, self.relu, self.out = nn.Dense(2, 8), nn.ReLU(), nn.Dense(8, 2)

    def construct(self, points):
        return self.out(self.relu(self.hidden(points)))


class Pictures(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4)
        self.flat, self.drop, self.out = nn.Flatten(), nn.Dropout(p=0.3), nn.Dense(400, 3)

    @ms.jit
    def front(self, x):
        return ops.relu(self.norm(self.conv(x)))

    def construct(self, x):
        return self.out(self.drop(self.flat(self.front(x))))


def made(rate=0.5):
    net = Net()
    return net, nn.CrossEntropyLoss(), nn.Momentum(net.trainable_params(), rate, 0.9)


def values(*cells):
    return [each.asnumpy().copy() for cell in cells for each in cell.get_parameters()]


# what each step did -----------------------------------------------------------------------------


def test_the_steps_are_those_of_a_loop_written_by_hand():
    net, loss_fn, optimizer = made()
    shown = viz.training(net, loss_fn, optimizer, BATCHES, steps=3)
    step = ms.value_and_grad(lambda x, y: loss_fn(net(x), y), None, optimizer.parameters)
    for told, (x, y) in zip(shown.steps, BATCHES, strict=True):
        loss, gradients = step(x, y)
        before = [each.asnumpy().copy() for each in optimizer.parameters]
        optimizer(gradients)
        assert told.loss == float(loss)
        for one, gradient in zip(told.gradients, gradients, strict=True):
            assert one.norm == pytest.approx(np.linalg.norm(gradient.asnumpy()), rel=1e-6)
        moved = zip(told.updates, before, optimizer.parameters, gradients, strict=True)
        for one, old, new, slope in moved:
            assert one.slope == slope.asnumpy()[one.place]
            change = new.asnumpy().astype(np.float64) - old
            assert abs(one.new - one.old) == np.abs(change).max()
            assert (one.old, one.new) == (old[one.place], new.asnumpy()[one.place])
    assert [each.name for each in told.gradients] == [
        "hidden.weight", "hidden.bias", "out.weight", "out.bias",
    ]  # fmt: skip


def test_the_stations_name_what_they_show():
    told = viz.training(*made(), BATCHES, steps=1).steps[0]
    assert [(each.name, each.kind) for each in told.batch] == [
        ("points", "float32[16, 2]"), ("labels", "int32[16]"),
    ]  # fmt: skip
    assert told.batch[1].numbers == tuple(CLASSES[:8].tolist())
    assert [(each.name, each.owner) for each in told.layers] == [
        ("hidden", "Dense"), ("relu", "ReLU"), ("out", "Dense"),
    ]  # fmt: skip
    relu = told.layers[1]
    assert relu.low == 0.0 and relu.mean > 0 and relu.kind == "float32[16, 8]"


def test_a_compiled_part_is_trained_and_what_stands_outside_is_seen():
    net = Pictures()
    x = np.abs(DRAW.normal(size=(6, 1, 10, 10))).astype(np.float32)
    labels = np.int32([0, 1, 2, 0, 1, 2])
    loop = net, nn.CrossEntropyLoss(), nn.Adam(net.trainable_params(), 0.01)
    before = values(net, loop[2])
    [told] = viz.training(*loop, [(x, labels)], steps=1).steps
    assert [each.name for each in told.layers] == ["flat", "drop", "out"]
    assert [grid.shape for grid in told.batch[0].grids] == [(10, 10)] * 3
    assert [each.before.kind for each in told.updates][0] == "float32[4, 1, 3, 3]"
    for one, other in zip(before, values(net, loop[2]), strict=True):
        np.testing.assert_array_equal(one, other)  # the moving means of the norm, too


def test_a_net_that_is_compiled_as_a_whole_shows_its_output():
    class Whole(Net):
        @ms.jit
        def construct(self, points):
            return self.out(self.relu(self.hidden(points)))

    net = Whole()
    loop = net, nn.CrossEntropyLoss(), nn.SGD(net.trainable_params(), 0.1)
    [told] = viz.training(*loop, BATCHES, steps=1).steps
    assert [(each.name, each.owner) for each in told.layers] == [("output", "Whole")]


def test_a_dataset_begins_anew_when_it_ends():
    data = NumpySlicesDataset((ROWS, CLASSES), column_names=["x", "y"], shuffle=False).batch(32)
    shown = viz.training(*made(), data, steps=5)
    sizes = [each.batch[0].kind for each in shown.steps]
    assert sizes == ["float32[32, 2]", "float32[16, 2]"] * 2 + ["float32[32, 2]"]
    assert len(viz.training(*made(), iter(BATCHES[:2]), steps=5).steps) == 2  # can't begin anew
    named = [{"x": ROWS, "y": CLASSES}]
    assert viz.training(*made(), named, steps=1).steps[0].batch[1].kind == "int32[48]"


# everything is put back ---------------------------------------------------------------------------


def test_everything_is_put_back():
    net, loss_fn, optimizer = made()
    net.relu.set_train(True)
    before = values(net, optimizer)
    first, second = (viz.training(net, loss_fn, optimizer, BATCHES) for _ in range(2))
    assert first.text() == second.text()
    for one, other in zip(before, values(net, optimizer), strict=True):
        np.testing.assert_array_equal(one, other)
    assert (net.training, net.relu.training, net.out.training) == (False, True, False)
    assert int(optimizer.global_step.asnumpy()[0]) == 0


def test_an_error_on_the_way_puts_everything_back_too():
    net, loss_fn, optimizer = made()
    before = values(net, optimizer)
    with pytest.raises(ValueError):
        viz.training(net, loss_fn, optimizer, [BATCHES[0], (Tensor(ROWS), Tensor(CLASSES[:3]))])
    for one, other in zip(before, values(net, optimizer), strict=True):
        np.testing.assert_array_equal(one, other)
    assert not net.training


@pytest.mark.parametrize(("change", "words"), [
    ({"net": len}, "takes a Cell, then a loss"),
    ({"optimizer": len}, "is an optimizer"),
    ({"steps": 0}, "shows 1 to 12 steps"),
    ({"steps": 13}, "shows 1 to 12 steps"),
    ({"batches": []}, "was given no batch"),
    ({"batches": [Tensor(ROWS)]}, "A batch has inputs and labels"),
    ({"loss_fn": nn.CrossEntropyLoss(reduction="none")}, "one number"),
])  # fmt: skip
def test_what_is_refused(change, words):
    net, loss_fn, optimizer = made()
    asked = {"net": net, "loss_fn": loss_fn, "optimizer": optimizer, "batches": BATCHES} | change
    with pytest.raises(errors.MsExtError, match=words) as caught:
        viz.training(**asked)
    assert caught.value.hint


# words and pictures -------------------------------------------------------------------------------


def test_the_text_has_every_station():
    text = viz.training(*made(), BATCHES, steps=2).text()
    assert text.startswith("2 steps of Net with CrossEntropyLoss and Momentum, loss ")
    for word in ("step 2 of 2", *training_words.STATIONS, "hidden (Dense)", "norm", "moved most"):
        assert word in text
    assert repr(viz.training(*made(), BATCHES, steps=1)).startswith("1 step of Net")


def test_a_few_numbers_are_written_as_they_are():
    net = nn.Dense(1, 1, weight_init="zeros", has_bias=False)
    x = np.float32([[1], [2], [3]])
    loop = net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.5)
    text = viz.training(*loop, [(x, 2 * x)], steps=2).text()
    for words in ("x       float32[3, 1], 1 2 3\n", "labels  float32[3, 1], 2 4 6\n",
                  "weight  float32[1, 1], −18.7\n",  # with its sign: no norm of one number
                  "at [0, 0] 0 → 9.33 (by 9.33, its gradient is −18.7)\n"):  # fmt: skip
        assert words in text


def test_the_page_has_a_picture_of_every_station_and_stays_small():
    page = viz.training(*made(), BATCHES, steps=4).html()
    assert page.count('<figure class="station"') == page.count("<img alt=") == 20
    assert len(page) < 200_000 and not re.search(r'<[a-z]+[^>]* id="', page)


def test_large_tensors_are_drawn_as_small_strips():
    net = nn.Dense(3000, 500)
    x, y = np.ones((64, 3000), np.float32), np.ones((64, 500), np.float32)
    loop = net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1)
    shown = viz.training(*loop, [(x, y)], steps=1)
    [told] = shown.steps
    grids = [*told.batch[0].grids, *told.layers[0].grids, *told.gradients[0].grids]
    assert [grid.shape for grid in grids] == [(6, 16), (3, 16), (3, 16)]
    assert len(shown.html()) < 80_000


def test_a_loss_that_is_no_number_is_told():
    shown = viz.training(*made(rate=1e38), BATCHES, steps=3)
    assert "nan" in shown.text() and "nan" in shown.html()


def test_strength_and_sign_of_a_cell():
    grid = np.array([[0.0, 0.2, 1.0, -0.3, -1.0, np.nan, np.inf]])
    assert training_drawing.level(grid, 1.0).tolist() == [[0, 1, 4, -2, -4, -5, 4]]
    drawn = training_drawing.strip(grid, 1.0, 0, 0, 10, 10)
    assert drawn.count('class="mark') == 3 and 'class="cell none"' in drawn
    assert training_drawing.level(np.zeros((1, 2)), 0.0).tolist() == [[0, 0]]


def test_nothing_and_one_number_are_tensors_too():
    empty = training_seen.batched("x", np.zeros((0, 4), np.float32))
    assert (empty.kind, empty.mean, empty.grids[0].shape) == ("float32[0, 4]", 0.0, (0, 0))
    assert training_words.spread(training_seen.parameter("s", np.float32(2.5))) == ("2.5",)


def test_names_from_outside_stay_text():
    class Named(Net):
        pass

    Named.__name__ = "<script>alert(1)</script>"
    net = Named()
    loop = net, nn.CrossEntropyLoss(), nn.SGD(net.trainable_params(), 0.1)
    assert "<script>alert" not in viz.training(*loop, BATCHES, steps=1).html()


def test_no_figure_of_an_update_is_cut_off():
    net = nn.Dense(200, 300)
    x, y = DRAW.normal(size=(4, 200)).astype(np.float32), np.zeros((4, 300), np.float32)
    loop = net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1)
    shown = viz.training(*loop, [(x, y)], steps=1)
    drawing = training_drawing.svg(shown, 0, "update")
    [weight, _] = shown.steps[0].updates
    for figure in (weight.old, weight.new, weight.new - weight.old, weight.slope):
        assert training_words.figure(figure) in drawing
    assert "…" not in drawing
