"""``recompute``, and layers: Dropout, Embedding, GELU."""

import mindspore as ms
from cases import case, in_all_modes
from mindspore import Parameter, Tensor, nn, ops


def one():
    return (Tensor([3.0]),)


def pair():
    return Tensor([3.0]), Tensor([5.0])


class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor([2.0]), name="weight")

    def construct(self, x):
        return x * self.weight * x


class Two(nn.Cell):
    def construct(self, x, y):
        return x * y, x + y


class Nested(nn.Cell):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def construct(self, x):
        return ms.recompute(self.block, x) * x


block, two, nested, again = Block(), Two(), Nested(), Block()
again.recompute()


def once(x):
    return ms.recompute(block, x)


def twice(x):
    return ms.recompute(block, ms.recompute(block, x))


def of_two(x, y):
    return ms.recompute(two, x, y)


def of_nested(x):
    return ms.recompute(nested, x)


@in_all_modes(one, modes=("eager", "jit"))
def result_of_recompute(x):
    return once(x)


@in_all_modes(one)
def recompute_of_a_cell(x):
    return ms.grad(once, 0, block.weight)(x)


@in_all_modes(one)
def recompute_twice(x):
    return ms.grad(twice, 0, block.weight)(x)


@in_all_modes(pair)
def recompute_of_two_results(x, y):
    return ms.grad(of_two, (0, 1))(x, y)


@in_all_modes(one)
def recompute_inside_recompute(x):
    return ms.grad(of_nested, 0, nested.block.weight)(x)


@in_all_modes(one)
def cell_that_is_recomputed(x):
    return again(x), ms.grad(again, 0, again.weight)(x)


@in_all_modes(one)
def recompute_under_two_gradients(x):
    return ms.grad(ms.grad(once))(x)


@case(one, eager=True)
def how_often_a_block_runs(x):
    told = []

    class Told(Block):
        def construct(self, x):
            told.append("run")
            return x * self.weight * x

    cell = Told()
    forward = ms.recompute(cell, x)
    told.append("grad")
    return forward, ms.grad(lambda x: ms.recompute(cell, x), 0, cell.weight)(x), told


@case(one, eager=True)
def recompute_and_hooks(x):
    told, cell = [], Block()
    cell.register_forward_hook(lambda c, a, o: told.append("fwd"))
    cell.register_backward_hook(lambda c, i, o: told.append("bwd"))
    return ms.grad(lambda x: ms.recompute(cell, x), 0, cell.weight)(x), told


@case(one, eager=True)
def recompute_of_a_function(x):
    return ms.recompute(lambda x: x * x, x)


@case(one, eager=True)
def recompute_of_a_function_without_reentrance(x):
    return ms.grad(lambda x: ms.recompute(lambda x: x * x * x, x, use_reentrant=False))(x)


@case(pair, eager=True)
def recompute_of_a_tuple(x, y):
    def f(x, y):
        return ms.recompute(lambda pair: pair[0] * pair[1], (x, y), use_reentrant=False)

    return ms.grad(f, (0, 1))(x, y)


@case(one, eager=True)
def recompute_with_an_unknown_option(x):
    return Block().recompute(foo=1)


@case(one, eager=True)
def recompute_with_an_option_that_is_no_bool(x):
    return Block().recompute(mp_comm_recompute=3)


@case(one, eager=True)
def recompute_with_contexts(x):
    return ms.recompute(Block(), x, context_fn=lambda: 1)


# layers -------------------------------------------------------------------------------------------

dropout, training = nn.Dropout(p=0.5), nn.Dropout(p=0.25)
training.set_train()


def ones():
    return (Tensor([1.0] * 64),)


@in_all_modes(ones)
def dropout_that_is_not_trained(x):
    return dropout(x), ms.grad(dropout)(x), ops.dropout(x, 0.5, training=False)


@in_all_modes(ones)
def dropout_that_is_trained(x):
    value, gradient = ms.value_and_grad(training)(x)
    kept = ((value == 0) | (ops.abs(value - 4 / 3) < 1e-6)).all()
    return kept, (value == gradient).all()


@case(eager=True)
def dropout_refuses():
    told = []
    for options in (
        {"p": 1.0}, {"p": -0.1}, {"p": "a"}, {"p": True}, {"keep_prob": 0.0}, {"keep_prob": 1},
    ):  # fmt: skip
        try:
            told.append(repr(nn.Dropout(**options)))
        except (TypeError, ValueError) as error:
            told.append(str(error).splitlines()[0])
    return told, repr(nn.Dropout()), repr(nn.Dropout(p=0.25))


class Trained(nn.Cell):
    def construct(self, x):
        return x * 2 if self.training else x * 3


@case(one, eager=True)
def set_train_after_compiling(x):
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        cell = Trained()
        return cell(x), cell.set_train()(x), cell.set_train(False)(x)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


table = nn.Embedding(4, 2)


def looked_up(ids):
    return table(ids).sum()


@in_all_modes(lambda: (Tensor([[1, 3], [1, 0]], ms.int32),))
def gradient_of_an_embedding(ids):
    return ms.grad(looked_up, None, table.embedding_table)(ids)


soft, exact = nn.GELU(), nn.GELU(approximate=False)


@in_all_modes(lambda: (Tensor([-1.0, 0.5]),))
def gelu_both_ways(x):
    return soft(x), exact(x), ms.grad(soft)(x), ms.grad(exact)(x)
