"""Hooks of Cells that tell what they get and when, which only eager mode can; wrong hooks."""

import mindspore as ms
from cases import case
from functions import Both, Product, Scaled, Twice, made, ten_times
from mindspore import Tensor, nn


def one():
    return (Tensor([1.0]),)


def pair():
    return Tensor([1.0]), Tensor([3.0])


@case(one, eager=True)
def hooks_of_a_cell_in_order(x):
    told, cell = [], Twice()
    cell.register_forward_pre_hook(lambda c, a: (told.append(("pre", a)), a[0] + 1)[1])
    cell.register_forward_hook(lambda c, a, o: (told.append(("fwd", a, o)), o * 10)[1])
    cell.register_backward_pre_hook(lambda c, g: told.append(("bwd_pre", g)))
    cell.register_backward_hook(lambda c, i, o: told.append(("bwd", i, o)))
    forward = cell(x)
    return forward, told[:], ms.grad(cell)(x), told[2:]


@case(one, eager=True)
def several_hooks_of_each_kind(x):
    told, cell = [], Twice()
    for name in ("1", "2"):
        cell.register_forward_pre_hook(lambda c, a, n=name: told.append(f"pre{n}"))
        cell.register_forward_hook(lambda c, a, o, n=name: told.append(f"fwd{n}"))
        cell.register_backward_pre_hook(lambda c, g, n=name: told.append(f"bpre{n}"))
        cell.register_backward_hook(lambda c, i, o, n=name: told.append(f"bwd{n}"))
    cell.register_forward_pre_hook(lambda c, a: told.append("pre0"), prepend=True)
    cell.register_forward_hook(lambda c, a, o: told.append("fwd0"), prepend=True)
    return ms.grad(cell)(x), told


@case(one, eager=True)
def backward_hooks_one_after_the_other(x):
    told, cell = [], Twice()
    cell.register_backward_pre_hook(lambda c, g: (g[0] * 2,))
    cell.register_backward_pre_hook(lambda c, g: (told.append(g), g[0] + 1)[1])
    cell.register_backward_hook(lambda c, i, o: (told.append((i, o)), i[0] * 2)[1])
    cell.register_backward_hook(lambda c, i, o: (told.append((i, o)), i[0] + 1)[1])
    return ms.grad(cell)(x), told


def told_by(cell, f, *inputs):
    """What the two backward hooks of a cell get while f is differentiated by all its inputs."""
    told = []
    handles = [
        cell.register_backward_pre_hook(lambda c, g: told.append(g)),
        cell.register_backward_hook(lambda c, i, o: told.append((i, o))),
    ]
    found = ms.grad(f, tuple(range(len(inputs))))(*inputs)
    for handle in handles:
        handle.remove()
        handle.remove()
    return found, told


@case(pair, eager=True)
def what_backward_hooks_get(x, y):
    cell, both, scaled = Product(), Both(), Scaled()
    constant = Tensor([3.0])
    return (
        told_by(cell, cell, x, y),
        told_by(both, both, x, y),
        told_by(both, lambda x, y: both(x, y)[0], x, y),
        told_by(cell, lambda x: cell(x, 3.0), x),
        told_by(cell, lambda x: cell(x, constant), x),
        told_by(cell, lambda x: cell(constant, x), x),
        told_by(cell, lambda x: cell(x, x), x),
        told_by(scaled, lambda x, y: scaled(x, k=y), x, y),
        told_by(cell, lambda x: cell(x, 2.0) * x, x),
    )


class Unused(nn.Cell):
    def construct(self, x, y):
        return x * 2, 3, None


class Same(nn.Cell):
    def construct(self, x):
        return x


@case(pair, eager=True)
def what_backward_hooks_get_of_odd_cells(x, y):
    unused, same, twice = Unused(), Same(), Twice()
    return (
        told_by(unused, lambda x, y: unused(x, y)[0], x, y),
        told_by(same, lambda x: same(x) * 3, x),
        told_by(twice, lambda x: twice(twice(x)), x),
    )


class Outer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = Twice()

    def construct(self, x):
        return self.inner(x) * 3


@case(one, eager=True)
def hooks_of_cells_in_cells(x):
    told, outer = [], Outer()
    for cell, name in ((outer, "outer"), (outer.inner, "inner")):
        cell.register_forward_pre_hook(lambda c, a, n=name: told.append(f"{n} pre"))
        cell.register_forward_hook(lambda c, a, o, n=name: told.append(f"{n} fwd"))
        cell.register_backward_pre_hook(lambda c, g, n=name: told.append((f"{n} bpre", g)))
        cell.register_backward_hook(lambda c, i, o, n=name: told.append((f"{n} bwd", i, o)))
    return ms.grad(outer)(x), told


@case(one, eager=True)
def hooks_with_keywords(x):
    told, cell = [], Scaled()
    y = Tensor([3.0])

    def change(cell, args, kwargs):
        told.append((args, sorted(kwargs)))
        return (args[0] + 1,), {"by": 5.0}

    def output(cell, args, kwargs, output):
        told.append((args, sorted(kwargs), output))
        return output * 2

    first = cell.register_forward_pre_hook(change, with_kwargs=True)
    cell.register_forward_hook(output, with_kwargs=True)
    found = cell(x, k=y)
    first.remove()
    return found, cell(x, k=y, by=2.0), told


@case(one, eager=True, says="forward pre hook with kwargs must return None or a tuple of")
def hook_with_keywords_that_returns_arguments(x):
    cell = Scaled()
    cell.register_forward_pre_hook(lambda c, a, k: (a[0] + 1,), with_kwargs=True)
    return cell(x)


@case(one, eager=True)
def hook_that_is_always_called(x):
    class Failing(nn.Cell):
        def construct(self, x):
            raise ValueError("from construct")

    told, cell = [], Failing()
    cell.register_forward_hook(lambda c, a, o: told.append((a, o)), always_call=True)
    cell.register_forward_hook(lambda c, a, o: told.append("never"))
    try:
        cell(x)
    except ValueError as error:
        return str(error), told


@case(one, eager=True)
def hook_registered_in_construct(x):
    class Registers(nn.Cell):
        def __init__(self):
            super().__init__()
            self.inner = Twice()

        def construct(self, x):
            self.inner.register_forward_hook(ten_times)
            return self.inner(x)

    cell = Registers()
    return cell(x), cell(x)


@case(one, eager=True)
def backward_pre_hook_that_returns_two(x):
    cell = made(Twice, backward_pre_hook=lambda c, g: (g[0], g[0]))
    return ms.grad(cell)(x)


@case(one, eager=True)
def backward_hook_that_returns_a_number(x):
    cell = made(Twice, backward_hook=lambda c, i, o: 3.0)
    return ms.grad(cell)(x)


@case(eager=True)
def cell_hook_that_is_no_function():
    return Twice().register_backward_hook(5)


@case(eager=True)
def cell_hook_that_is_compiled():
    return Twice().register_forward_hook(ms.jit(ten_times))
