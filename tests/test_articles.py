"""The snippets of the article on principles, section 4, give what it says, in both modes."""

import ms_ext as ms
from ms_ext import grad, nn


class Net(nn.Cell):
    def construct(self, x, y):
        return x + y


def func(x):
    return x**3 + 2 * x


@ms.jit
def add(x, y):
    return x + y


def test_one_program_two_modes(mode, capsys):
    net = Net()
    print(net(ms.Tensor(1), ms.Tensor(2)))
    assert capsys.readouterr().out == "3\n"


def test_gradient_by_source_transformation(mode, capsys):
    grad_fn = grad(func)
    x = ms.Tensor(2.0)
    print(func(x), grad_fn(x))
    assert capsys.readouterr().out == "12.0 14.0\n"


def test_gradient_inside_compiled_code(mode):
    value, slope = ms.jit(lambda x: (func(x), grad(func)(x)))(ms.Tensor(2.0))
    assert (str(value), str(slope)) == ("12.0", "14.0")


def test_static_compilation(mode, capsys):
    print(add(ms.Tensor(3), ms.Tensor(4)))
    assert capsys.readouterr().out == "7\n"
