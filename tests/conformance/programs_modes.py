"""Modes and the context."""

import contextlib

import mindspore as ms
from arguments import nothing, vector
from cases import case
from mindspore import nn


@contextlib.contextmanager
def graph_mode():
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        yield
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


@case(eager=True)
def names_of_modes():
    return ms.GRAPH_MODE, ms.PYNATIVE_MODE


@case(eager=True)
def mode_at_first():
    return ms.get_context("mode")


def setting(**key):
    return lambda: (key,)


@case(
    setting(mode=3), setting(mode="graph"), setting(mode=None), setting(mode=True),
    setting(nosuch=1), setting(save_graphs=4), setting(save_graphs="x"),
    setting(device_target="TPU"), setting(device_id="x"),
    setting(save_graphs_path=3), setting(jit_syntax_level=5), setting(max_call_depth="x"),
    setting(max_call_depth=0), eager=True,
)  # fmt: skip
def context_refused(key):
    ms.set_context(**key)
    return "set"


@case(eager=True)
def context_without_a_name():
    return ms.get_context("nosuch")


@case(setting(mode=1), setting(save_graphs=True), setting(save_graphs=3), setting(save_graphs=-1),
      setting(save_graphs=0), setting(save_graphs=False),
      setting(max_call_depth=1000), eager=True)  # fmt: skip
def context_accepted(key):
    ms.set_context(**key)
    return "set"


@case(eager=True)
def context_read():
    keys = ("mode", "save_graphs", "device_target", "max_call_depth")
    return [ms.get_context(key) for key in keys]


class Branching(nn.Cell):
    def construct(self, x):
        if x.sum() > 0:
            return x * 2
        return x


class Printing(nn.Cell):
    def construct(self, x):
        print("here", x.shape)
        return x


class Trying(nn.Cell):
    def construct(self, x):
        try:
            return x * 2
        finally:
            pass


@case(vector, eager=True)
def cell_in_graph_mode(x):
    with graph_mode():
        return Branching()(x), ms.get_context("mode")


@case(vector, eager=True)
def cell_in_pynative_mode(x):
    return Trying()(x)


@case(vector, eager=True)
def cell_is_compiled_in_graph_mode(x):
    with graph_mode():
        return Trying()(x)


@case(vector, eager=True)
def function_is_not_compiled_in_graph_mode(x):
    def trying(x):
        try:
            return x * 2
        finally:
            pass

    with graph_mode():
        return trying(x)


@case(vector, eager=True)
def cell_prints_in_graph_mode(x):
    with graph_mode():
        return Printing()(x)


@case(vector, eager=True)
def gradient_in_graph_mode(x):
    with graph_mode():
        return ms.grad(Branching())(x)


@case(eager=True)
def device_that_is_none():
    ms.set_device("TPU")


@case(eager=True)
def device_that_is_not_here():
    ms.set_device("GPU")


@case(vector, eager=True)
def device_set_after_something_ran(x):
    (x + 1).asnumpy()
    ms.set_device("CPU")


@case(nothing, eager=True)
def version_of_the_language():
    return ms.STRICT, ms.LAX
