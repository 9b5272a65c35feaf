"""Cells, containers, Parameters and layers answer as MindSpore (programs in cell_programs)."""

import builtins
import copy
import json
import warnings

import cell_programs
import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Parameter, ParameterTuple, Tensor, nn, ops

RECORDED = json.loads(cell_programs.GOLDEN.read_text())


def test_every_program_is_recorded():
    assert list(RECORDED) == cell_programs.PROGRAMS


@pytest.mark.parametrize("program", cell_programs.PROGRAMS)
def test_it_answers_as_mindspore(program):
    kind, expected = RECORDED[program]
    known = cell_programs.environment(ms)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if kind == "raises":
            with pytest.raises(getattr(builtins, expected)):
                exec(program, known)
        else:
            exec(program, known)
            assert repr(known.get("r")) == expected


def test_the_texts_that_learners_know():
    class B(nn.Cell):
        def __init__(self):
            self.layer = nn.Dense(1, 1)

    with pytest.raises(AttributeError, match="The 'B' object has no attribute '_auto_prefix'"):
        B()
    with pytest.raises(AttributeError, match="For 'Cell', the method 'construct' is not defined"):
        nn.Cell()(Tensor([1.0]))


def test_an_optimizer_refuses_two_parameters_of_one_name():
    net = nn.Cell()
    net.a, net.b = Parameter(Tensor([1.0]), name="x"), Parameter(Tensor([1.0]), name="x")
    with pytest.raises(ValueError, match="its name 'x' already exists"):
        nn.SGD(net.trainable_params())


class Stack(nn.Cell):
    """A network that is changed after it has been compiled."""

    def __init__(self):
        super().__init__()
        self.layers = nn.SequentialCell(nn.Dense(2, 2, weight_init="ones", has_bias=False))

    def construct(self, x):
        return self.layers(x)


def test_graph_mode_sees_cells_that_are_added_replaced_and_taken_out():
    net, x = Stack(), ops.ones((1, 2))
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        assert net(x).asnumpy().tolist() == [[2, 2]]
        net.layers.append(nn.Dense(2, 1, weight_init="ones", has_bias=False))
        assert net(x).asnumpy().tolist() == [[4]]
        net.layers[1] = nn.Dense(2, 2, weight_init=Tensor([[1.0, 0], [0, 2]]), has_bias=False)
        assert net(x).asnumpy().tolist() == [[2, 4]]
        del net.layers[0]
        assert net(x).asnumpy().tolist() == [[1, 2]]
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert [p.name for p in net.get_parameters()] == ["layers.0.weight"]


def test_a_part_of_a_sequence_can_grow():
    part = nn.SequentialCell(nn.ReLU(), nn.Tanh(), nn.Sigmoid())[1:]
    part.append(nn.ReLU())
    assert [type(cell) for cell in part] == [nn.Tanh, nn.Sigmoid, nn.ReLU]


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "graph"])
def test_a_cell_dict_in_a_network(compiled):
    class Heads(nn.Cell):
        def __init__(self):
            super().__init__()
            self.heads = nn.CellDict({"a": nn.ReLU(), "b": nn.Tanh()})

        def construct(self, x, name):
            return self.heads[name](x)

    net, x = Heads(), Tensor([-1.0, 2.0])
    call = ms.jit(net) if compiled else net
    assert call(x, "a").asnumpy().tolist() == [0, 2]
    assert call(x, "b").asnumpy() == pytest.approx(np.tanh([-1, 2]))


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "graph"])
def test_a_buffer_is_read_and_written(compiled):
    class Counting(nn.Cell):
        def __init__(self):
            super().__init__()
            self.register_buffer("seen", Tensor([0.0]))

        def construct(self, x):
            ops.assign_add(self.seen, Tensor([1.0]))
            return x + self.seen

    net = Counting()
    if compiled:
        ms.set_context(mode=ms.GRAPH_MODE)
    try:
        found = [float(net(Tensor([10.0]))) for _ in range(2)]
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert found == [11, 12] and float(net.seen) == 2
    assert list(net.state_dict()) == ["seen"] and not net.trainable_params()


def test_state_goes_from_one_network_to_another():
    one, other = (nn.SequentialCell(nn.Dense(2, 3), nn.Dense(3, 1)) for _ in range(2))
    other.load_state_dict(one.state_dict())
    x = ops.ones((1, 2))
    assert one(x).asnumpy().tolist() == other(x).asnumpy().tolist()
    one[0].weight.set_data(ops.zeros((3, 2)))
    assert other[0].weight.asnumpy().any()


def test_a_copied_network_has_parameters_of_its_own():
    net = nn.SequentialCell(nn.Dense(1, 1), nn.LSTM(1, 1))
    twin = copy.deepcopy(net)
    assert [p.name for p in twin.get_parameters()] == [p.name for p in net.get_parameters()]
    twin[0].weight.set_data(Tensor([[7.0]]))
    twin[1].w_ih_list[0].set_data(ops.ones((4, 1)))
    assert float(net[0].weight) != 7 and twin[1].weight_ih_l0 is twin[1].w_ih_list[0]


def test_a_clone_has_memory_of_its_own():
    weight = Parameter(Tensor([1.0, 2.0]), name="w", requires_grad=False, layerwise_parallel=True)
    twin = weight.clone()
    twin[0] = 9.0
    assert weight.asnumpy().tolist() == [1, 2] and not twin.requires_grad
    assert twin.layerwise_parallel and twin.name == "w"
    moments = ParameterTuple([weight]).clone("moment", init="zeros")
    assert moments[0].name == "moment.w" and not moments[0].asnumpy().any()
