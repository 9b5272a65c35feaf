"""Cells: names, texts and values as in MindSpore, and the same results eagerly and compiled."""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Parameter, Tensor, nn, ops
from ms_ext.engine.tape import differentiate


class Net(nn.Cell):
    """Parameters and Cells in every place they can stand."""

    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([1.0]), name="my_w")
        self.v = Parameter(Tensor([1.0]))
        self.seq = nn.SequentialCell(nn.Dense(1, 1), nn.ReLU())
        self.lst = nn.CellList([nn.Dense(1, 1), nn.Dense(1, 1)])

    def construct(self, x):
        for layer in self.lst:
            x = layer(x)
        return self.seq(x) * self.w + self.v


def test_names_of_parameters():
    net = Net()
    inner = [
        "seq.0.weight",
        "seq.0.bias",
        "lst.0.weight",
        "lst.0.bias",
        "lst.1.weight",
        "lst.1.bias",
    ]
    assert [p.name for p in net.get_parameters()] == ["my_w", "v", *inner]
    assert [name for name, _ in net.parameters_and_names()] == ["w", "v", *inner]
    assert list(net.parameters_dict()) == ["my_w", "v", *inner]


def test_names_of_cells():
    net = Net()
    found = [name for name, _ in net.cells_and_names()]
    assert found == ["", "seq", "seq.0", "seq.1", "lst", "lst.0", "lst.1"]
    assert list(net.name_cells()) == ["seq", "lst"]


def test_two_parameters_of_one_name_are_both_kept():
    class Twins(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = Parameter(Tensor([1.0]), name="x")
            self.b = Parameter(Tensor([1.0]), name="x")

    assert [p.name for p in Twins().get_parameters()] == ["x", "x"]


def test_a_shared_cell_counts_once_under_its_last_name():
    class Shared(nn.Cell):
        def __init__(self):
            super().__init__()
            self.d = nn.Dense(1, 1)
            self.e = self.d

    assert [p.name for p in Shared().get_parameters()] == ["e.weight", "e.bias"]


def test_what_a_network_looks_like():
    net = nn.SequentialCell(nn.Dense(2, 3, activation="relu"), nn.Softmax())
    assert str(net) == (
        "SequentialCell(\n"
        "  (0): Dense(\n"
        "    input_channels=2, output_channels=3, has_bias=True, activation=ReLU()\n"
        "    (activation): ReLU()\n"
        "  )\n"
        "  (1): Softmax()\n"
        ")"
    )


def test_replacing_attributes():
    net = Net()
    with pytest.raises(TypeError, match="Parameter 'w' already exists in network"):
        net.w = 3
    with pytest.raises(TypeError, match="Sub cell 'seq' already exists in network"):
        net.seq = 3
    net.w = Tensor([5.0])
    assert isinstance(net.w, Parameter) and net.w.asnumpy() == [5.0]


def test_arity_is_pythons_own_error():
    with pytest.raises(TypeError, match="takes 2 positional arguments but 3 were given"):
        nn.ReLU()(Tensor([1.0]), Tensor([1.0]))


def test_dense_takes_any_number_of_axes(mode):
    layer = nn.Dense(3, 2)
    assert layer(ops.ones((3,))).shape == (2,)
    assert layer(ops.ones((2, 2, 3))).shape == (2, 2, 2)


def test_gelu_has_two_forms(mode):  # N16
    x = Tensor([-1.0])
    assert nn.GELU()(x).asnumpy() == pytest.approx([-0.158808], abs=1e-6)
    assert nn.GELU(approximate=False)(x).asnumpy() == pytest.approx([-0.158655], abs=1e-6)


def test_first_numbers_of_a_dense_layer():
    ops.randomness.set_seed(0)
    layer = nn.Dense(200, 300)
    bound = 1 / np.sqrt(200)
    for parameter in (layer.weight, layer.bias):
        assert 0.95 * bound < np.abs(parameter.asnumpy()).max() <= bound


CROSS_ENTROPY = {  # N09
    "mean": ({}, 0.407605),
    "sum": ({"reduction": "sum"}, 0.815211),
    "smoothing": ({"label_smoothing": 0.1}, 0.507605),
    "ignore": ({"ignore_index": 0}, 0.407605),
}


@pytest.mark.parametrize("name", CROSS_ENTROPY)
def test_cross_entropy(name, mode):
    options, expected = CROSS_ENTROPY[name]
    labels = Tensor([2, 0], ms.int32)
    loss = nn.CrossEntropyLoss(**options)(Tensor([[1.0, 2, 3], [1, 0, -1]]), labels)
    assert float(loss) == pytest.approx(expected, abs=2e-6)


class Block(nn.Cell):
    """A small transformer block: attention, then two Dense layers, each with a residual."""

    def __init__(self, width):
        super().__init__()
        self.scale = width**-0.5
        self.query, self.key, self.value = (
            nn.Dense(width, width),
            nn.Dense(width, width),
            nn.Dense(width, width),
        )
        self.norm_1, self.norm_2 = nn.LayerNorm((width,)), nn.LayerNorm((width,))
        self.up, self.down = nn.Dense(width, 2 * width), nn.Dense(2 * width, width)
        self.gelu = nn.GELU()

    def construct(self, x):
        h = self.norm_1(x)
        scores = self.query(h) @ self.key(h).swapaxes(-1, -2) * self.scale
        x = x + ops.softmax(scores, -1) @ self.value(h)
        return x + self.down(self.gelu(self.up(self.norm_2(x))))


class Reader(nn.Cell):
    """Bytes in, a score per byte out."""

    def __init__(self, width=8):
        super().__init__()
        self.table = nn.Embedding(256, width)
        self.blocks = nn.CellList([Block(width), Block(width)])
        self.head = nn.Dense(width, 256)

    def construct(self, ids):
        x = self.table(ids)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def test_a_transformer_gives_the_same_in_both_modes():
    ops.randomness.set_seed(1)
    net, ids = Reader(), Tensor(np.frombuffer(b"to be or not", np.uint8).astype(np.int32))
    target = Tensor(np.roll(ids.asnumpy(), -1))
    weights = tuple(net.get_parameters())

    def loss(ids):
        return ops.cross_entropy(net(ids), target)

    found = {}
    for name, mode in (("eager", ms.PYNATIVE_MODE), ("graph", ms.GRAPH_MODE)):
        ms.set_context(mode=mode)
        try:
            value, _, gradients = differentiate(loss, (ids,), (), weights)
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)
        found[name] = [value.asnumpy(), *[g.asnumpy() for g in gradients]]
    for one, other in zip(found["eager"], found["graph"], strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-4, atol=2e-6)
    assert len(weights) == 2 * 14 + 3 and all(np.isfinite(g).all() for g in found["eager"])


def test_training_flag_reaches_every_cell():
    net = Net().set_train()
    assert all(cell.training for _, cell in net.cells_and_names())
    assert not net.set_train(False).lst[0].training
