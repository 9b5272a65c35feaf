"""Hooks of Cells, and what a Cell with a bprop of its own, or recompute, makes of them."""

import mindspore as ms
from arguments import vector
from cases import case, in_all_modes
from functions import Both, Product, Twice, made, ten_times
from mindspore import Tensor, nn


def one():
    return (Tensor([1.0]),)


def pair():
    return Tensor([1.0]), Tensor([3.0])


class OfItsOwn(nn.Cell):
    def construct(self, x):
        return x * 2

    def bprop(self, x, out, dout):
        return (dout * 100,)


def more(cell, args):
    return (args[0] + 1,)


def more_bare(cell, args):
    return args[0] + 1


def leaves(cell, args):
    return None


def with_input(cell, args, output):
    return output * 10 + args[0]


def first_only(cell, args, output):
    return output[0]


def three_douts(cell, douts):
    return (douts[0] * 3,)


def five_dins(cell, dins, douts):
    return (dins[0] * 5,)


def with_dout(cell, dins, douts):
    return (dins[0] + douts[0],)


def looks(cell, dins, douts):
    return None


def keywords(cell, args, kwargs):
    return args, kwargs


def fails(*given):
    raise ValueError("from the hook")


before = made(Twice, forward_pre_hook=more)
before_bare = made(Twice, forward_pre_hook=more_bare)
before_nothing = made(Twice, forward_pre_hook=leaves)
behind = made(Twice, forward_hook=ten_times)
around = made(Twice, forward_pre_hook=more, forward_hook=with_input)
first = made(Both, forward_hook=first_only)
back_first = made(Twice, backward_pre_hook=three_douts)
back = made(Twice, backward_hook=five_dins)
back_looks = made(Twice, backward_hook=looks)
back_meets = made(Twice, forward_hook=ten_times, backward_hook=with_dout)
back_fails = made(Twice, backward_hook=fails)
before_fails = made(Twice, forward_pre_hook=fails)
all_four = made(
    Twice, forward_pre_hook=more, forward_hook=ten_times, backward_pre_hook=three_douts,
    backward_hook=five_dins,
)  # fmt: skip
too_few = made(Product, backward_hook=five_dins)
own_behind = made(OfItsOwn, forward_hook=ten_times)
own_around = made(OfItsOwn, backward_hook=five_dins, backward_pre_hook=three_douts)


@in_all_modes(one)
def pre_hook(x):
    return before(x), ms.grad(before)(x)


@in_all_modes(one)
def pre_hook_of_one_value(x):
    return before_bare(x), before_nothing(x)


@in_all_modes(one)
def pre_hook_that_fails(x):
    return before_fails(x)


@in_all_modes(one)
def forward_hook(x):
    return behind(x), ms.grad(behind)(x)


@in_all_modes(one)
def forward_hook_gets_the_changed_input(x):
    return around(x), ms.grad(around)(x)


@in_all_modes(pair, modes=("jit", "graph mode"))
def forward_hook_of_another_count(x, y):
    return first(x, y)


@in_all_modes(one)
def backward_pre_hook(x):
    return back_first(x), ms.grad(back_first)(x)


@in_all_modes(one)
def backward_hook(x):
    return back(x), ms.grad(back)(x), ms.grad(back_looks)(x)


@in_all_modes(one)
def backward_hook_gets_both(x):
    return ms.grad(back_meets)(x)


@in_all_modes(one)
def backward_hook_that_fails(x):
    return ms.grad(back_fails)(x)


@in_all_modes(one)
def all_hooks(x):
    return all_four(x), ms.grad(all_four)(x)


@in_all_modes(
    pair,
    says={
        "eager": "The backward hook return value size is 1 not equal to expect grad input size 2",
        "jit": "The backward hook return value size is 1 not equal to input size 2",
        "graph mode": "The backward hook return value size is 1 not equal to input size 2",
    },
)
def backward_hook_of_another_count(x, y):
    return ms.grad(too_few)(x, y)


@in_all_modes(one)
def forward_hook_of_a_cell_with_bprop(x):
    return own_behind(x), ms.grad(own_behind)(x)


@in_all_modes(one)
def backward_hooks_of_a_cell_with_bprop(x):
    return ms.grad(own_around)(x)


removable = Twice()
handle = removable.register_forward_hook(ten_times)


@case(one, one, eager=True)
def hook_removed_after_compiling(x):
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        found = removable(x)
        handle.remove()
        return found, removable(x)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


@case(vector, strict=False)
def hook_with_keywords_in_a_graph(x):
    return with_keywords(x)


with_keywords = Twice()
with_keywords.register_forward_pre_hook(keywords, with_kwargs=True)


@case(vector, strict=False, says="is not supported in 'construct' or function with @jit decorator")
def hook_registered_in_a_graph(x):
    removable.register_forward_hook(ten_times)
    return removable(x)
