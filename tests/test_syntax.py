"""What graph mode reads of Python, and what it says of the rest: as MindSpore, and a way out."""

import pytest

import ms_ext as ms
from ms_ext import Tensor
from ms_ext.engine import errors
from ms_ext.engine.frontend import unsupported

BACKENDS = ("reference", "cython")


@pytest.fixture(params=BACKENDS)
def compiled(request):
    """``jit`` with one of the backends."""
    return lambda function: ms.jit(function, backend=request.param)


# refused ------------------------------------------------------------------------------------------


def catching(x):
    try:
        x = x + 1
    finally:
        x = x * 2
    return x


def deleting(x):
    rows = [1, x]
    del rows[0]
    return rows


def a_class(x):
    class Inside:
        pass

    return x


def importing(x):
    import math

    return x * math.pi


def importing_from(x):
    from math import pi

    return x * pi


def matching(x):
    match x.ndim:
        case 0:
            return x
    return -x


G = 3


def writing_a_global(x):
    global G
    G = 5
    return x * G


def writing_outside(x):
    n = 1

    def inner():
        nonlocal n
        n = 2

    inner()
    return x * n


def yielding(x):
    yield x


def yielding_from(x):
    yield from (x,)


def a_set(x):
    return {1, 2}, x


def a_set_comprehension(x):
    return {i for i in (1, 2)}, x


def naming(x):
    return (y := x + 1) * y


def an_inner_async_function(x):
    async def inner():
        return 1

    return x


REFUSED = {
    catching: ("Unsupported statement 'Try'.", "if"),
    deleting: ("Unsupported statement 'Delete'.", "a = a[1:]"),
    a_class: ("Unsupported statement 'ClassDef'.", "outside"),
    importing: ("Unsupported statement 'Import'.", "top of the file"),
    importing_from: ("Unsupported statement 'ImportFrom'.", "top of the file"),
    matching: ("Unsupported statement 'Match'.", "elif"),
    writing_a_global: ("Unsupported statement 'Global'.", "assign it outside"),
    writing_outside: ("Unsupported statement 'Nonlocal'.", "n = inner(n)"),
    yielding: ("Unsupported expression 'Yield'.", "list"),
    yielding_from: ("Unsupported expression 'YieldFrom'.", "list"),
    a_set: ("Unsupported expression 'Set'.", "tuple"),
    a_set_comprehension: ("Unsupported expression 'SetComp'.", "list comprehension"),
    naming: ("Unsupported expression 'NamedExpr'.", "line of its own"),
    an_inner_async_function: ("Unsupported statement 'AsyncFunctionDef'.", "async"),
}


@pytest.mark.parametrize("function", REFUSED, ids=lambda f: f.__name__)
def test_what_is_not_read(function):
    message, way_out = REFUSED[function]
    with pytest.raises(RuntimeError) as caught:
        ms.jit(function)(Tensor(3.0))
    error = caught.value
    assert error.message == message and way_out in error.hint
    first = function.__code__.co_firstlineno
    assert first <= error.where.line <= first + 8 and "^" in str(error)


def test_every_kind_of_syntax_that_is_not_read_has_a_way_out():
    import ast

    from ms_ext.engine.frontend.reading import READERS

    kinds = {
        k for k in vars(ast).values() if isinstance(k, type) and issubclass(k, ast.stmt | ast.expr)
    }
    left = {k.__name__ for k in kinds - set(READERS) - {ast.stmt, ast.expr}}
    old = {"Num", "Str", "Bytes", "NameConstant", "Ellipsis", "slice", "Index", "ExtSlice"}
    inside = {"TemplateStr", "Interpolation", "Turns", "Failing", "Known"}
    assert left - old - inside <= set(unsupported.INSTEAD) | {"Assert"}


def endless_else(x):
    for _ in range(3):
        x = x + 1
    else:
        x = x * 0
    return x


def else_of_a_while(x):
    while x < 10:
        x = x * 2
        if x > 5:
            break
    else:
        x = x * 0
    return x


@pytest.mark.parametrize("function", [endless_else, else_of_a_while])
def test_else_of_a_loop(function):
    word = "for" if function is endless_else else "while"
    with pytest.raises(RuntimeError, match=f"The '{word}...else...' statement is not supported"):
        ms.jit(function)(Tensor(3.0))


COMPREHENSIONS = {
    "ListComp": lambda x: [i + j for i in (1, 2) for j in (3, 4)],
    "DictComp": lambda x: {i: j for i in (1, 2) for j in (3, 4)},
}


@pytest.mark.parametrize("kind", COMPREHENSIONS)
def test_two_for_in_one_comprehension(kind):
    with pytest.raises(
        TypeError, match=f"supports 1 'comprehension' in {kind}/GeneratorExp, but got 2"
    ):
        ms.jit(COMPREHENSIONS[kind])(Tensor(3.0))


FUNCTIONS = {
    "a lambda": lambda x: lambda y: y,
    "in a tuple": lambda x: (x, lambda y: y),
    "a method": lambda x: x.sum,
    "of a module": lambda x: catching,
    "one of two": lambda x: (lambda y: y) if x > 1 else (lambda y: -y),
}


@pytest.mark.parametrize("case", FUNCTIONS)
def test_a_function_is_not_given_back(case):
    with pytest.raises(RuntimeError, match="Function in output is not supported"):
        ms.jit(FUNCTIONS[case])(Tensor(3.0))


async def waiting(x):
    return x


def test_an_async_function():
    with pytest.raises(errors.InvalidType, match="'waiting' is an async function"):
        ms.jit(waiting)(Tensor(3.0))


def test_a_complex_number():
    with pytest.raises(TypeError, match="Unsupported Constant type : 1j"):
        ms.jit(lambda x: (x, 1j))(Tensor(3.0))


def test_nothing_to_raise_again(compiled):
    def f(x):
        raise

    with pytest.raises(RuntimeError, match="No active exception to reraise"):
        compiled(f)(Tensor(3.0))
