"""Decorators, stars, and ``with``: what graph mode reads as Python does, or as MindSpore does."""

import pytest

import ms_ext as ms
from ms_ext import Tensor

BACKENDS = ("reference", "cython")


@pytest.fixture(params=BACKENDS)
def compiled(request):
    """``jit`` with one of the backends."""
    return lambda function: ms.jit(function, backend=request.param)


def doubling(function):
    def doubled(x):
        return function(x) * 2

    return doubled


def test_decorators_of_inner_functions(compiled):
    def f(x):
        @doubling
        @ms.jit
        def inner(y):
            return y + 1

        return inner(x)

    assert float(compiled(f)(Tensor(3.0))) == 8 == float(f(Tensor(3.0)))


def test_dicts_in_dicts_and_stars(compiled):
    def f(x):
        def told(*a, **k):
            return a, k

        table = {"a": x, "b": 2}
        first, *rest = [*table.values(), 3]
        return {**table, "c": first, **{"b": rest}}, told(*rest, **{"z": 1}), (*rest, 4)

    table, told, numbers = compiled(f)(Tensor(3.0))
    assert (float(table["a"]), table["b"], float(table["c"])) == (3, [2, 3], 3)
    assert told == ((2, 3), {"z": 1}) and numbers == (2, 3, 4)


# with ---------------------------------------------------------------------------------------------


@ms.jit_class
class Door:
    """Tells when it is entered and left."""

    def __init__(self, keeps=False):
        self.keeps = keeps

    def __enter__(self):
        print("enter")
        return self

    def __exit__(self, kind, value, traceback):
        print("exit")
        return self.keeps


door, keeping = Door(), Door(keeps=True)


def through(x):
    with door as d:
        print("inside")
        return x + d.keeps


def left_early(x):
    for _ in range(3):
        with door:
            if x > 1:
                break
            print("not left")
    return x


def two_doors(x):
    with door, keeping as second:
        print("inside", second.keeps)
    return x


@pytest.mark.parametrize(
    "case",
    [
        (through, ["enter", "inside", "exit"]),
        (left_early, ["enter", "exit"]),
        (two_doors, ["enter", "enter", "inside", "1", "exit", "exit"]),
    ],
    ids=lambda case: case[0].__name__,
)
def test_a_door_is_left_whichever_way(compiled, capsys, case):
    function, said = case
    assert float(compiled(function)(Tensor(3.0))) == 3
    assert capsys.readouterr().out.split() == said


@pytest.mark.parametrize("which", [door, keeping])
def test_an_error_leaves_without_exit(compiled, capsys, which):
    """As in MindSpore: what is raised when a graph runs ends it, and no ``__exit__`` keeps it."""

    def f(x):
        with which:
            if x > 1:
                raise ValueError("too big")
        return x

    with pytest.raises(ValueError, match="too big"):
        compiled(f)(Tensor(3.0))
    assert capsys.readouterr().out.split() == ["enter"]
    assert float(compiled(f)(Tensor(0.0))) == 0
    assert capsys.readouterr().out.split() == ["enter", "exit"]
