"""What compiled code answers otherwise there: changes that are lost, text that is another."""

import ast

from .findings import DIFFERS
from .rule import inside, rule


@rule(
    "global-written",
    "The change of a global is lost.",
    "Return the new value and assign it outside.",
    """
count = 1

@ms.jit
def f(x):
    global count
    count = 5
    return x * count

f(ms.Tensor(1.0))
print(count)
""",
    """
count = 1

@ms.jit
def f(x):
    return x * 5, 5

_, count = f(ms.Tensor(1.0))
print(count)
""",
    kind=DIFFERS,
)
def global_written(program):
    """global n; n = 2"""
    for function, certain in program.compiled.items():
        nodes = [*ast.walk(function)]
        told = [each for each in nodes if isinstance(each, ast.Global)]
        stored = {
            each.id
            for each in nodes
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
        }
        yield from ((each, certain, None) for each in told if stored & set(each.names))


@rule(
    "list-changed",
    "The change of the list is lost.",
    "Make a new list: a = sorted(a), a = [v for v in a if v != 3].",
    """
@ms.jit
def f(x):
    a = [3, 1, 2]
    a.sort()
    return x * a[0]

print(f(ms.Tensor(1.0)))
""",
    """
@ms.jit
def f(x):
    a = [3, 1, 2]
    a = sorted(a)
    return x * a[0]

print(f(ms.Tensor(1.0)))
""",
    kind=DIFFERS,
)
def list_changed(program):
    """a.sort(), a.remove(3) of a list that the function makes."""
    yield from _methods(program, ast.List, ("sort", "remove"))


@rule(
    "dict-changed",
    "The change of the dict is lost.",
    "Assign an item: d['b'] = 2; to take one out, make a new dict.",
    """
@ms.jit
def f(x):
    d = {"a": 1}
    d.setdefault("b", 2)
    return x * len(d)

print(f(ms.Tensor(1.0)))
""",
    """
@ms.jit
def f(x):
    d = {"a": 1}
    d["b"] = 2
    return x * len(d)

print(f(ms.Tensor(1.0)))
""",
    kind=DIFFERS,
)
def dict_changed(program):
    """d.setdefault, d.popitem, d.pop of a dict that the function makes."""
    yield from _methods(program, ast.Dict, ("setdefault", "popitem", "pop"))


def _methods(program, kind, words):
    """Calls of some methods of what a compiled function makes by a literal."""
    for function, certain in program.compiled.items():
        nodes = [*ast.walk(function)]
        made = [each for each in nodes if isinstance(each, ast.Assign)]
        names = {
            target.id
            for each in made
            if isinstance(each.value, kind)
            for target in each.targets
            if isinstance(target, ast.Name)
        }
        for each in nodes:
            if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute):
                owner = each.func.value
                if isinstance(owner, ast.Name) and owner.id in names and each.func.attr in words:
                    yield each, certain, None


@inside(
    "subtraction-in-place",
    "The change of x.sub_(y) is lost.",
    "Write x.add_(-y), or x = x - y.",
    """
@ms.jit
def f(x):
    x.sub_(2.0)
    return x

print(f(ms.Tensor([1.0, 2.0])))
""",
    """
@ms.jit
def f(x):
    x = x - 2.0
    return x

print(f(ms.Tensor([1.0, 2.0])))
""",
    kind=DIFFERS,
)
def subtraction_in_place(program, node):
    """x.sub_(y)"""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "sub_"
    )


@inside(
    "text-with-a-format",
    "What follows the colon in an f-string is dropped.",
    "Write '{:.2f}'.format(n), or print outside of the function.",
    """
@ms.jit
def f(x, n):
    return x, f"n is {n:.2f}"

print(f(ms.Tensor(1.0), 2.0)[1])
""",
    """
@ms.jit
def f(x, n):
    return x, "n is {:.2f}".format(n)

print(f(ms.Tensor(1.0), 2.0)[1])
""",
    kind=DIFFERS,
)
def text_with_a_format(program, node):
    """f"{n:.2f}" """
    return isinstance(node, ast.FormattedValue) and node.format_spec is not None


@inside(
    "power-to-a-negative-number",
    "A whole number to a negative power is rounded to 0.",
    "Write the number as a float: 2.0 ** -1.",
    """
@ms.jit
def f(x):
    return x * 2 ** -1

print(f(ms.Tensor(1.0)))
""",
    """
@ms.jit
def f(x):
    return x * 2.0 ** -1

print(f(ms.Tensor(1.0)))
""",
    kind=DIFFERS,
)
def negative_power(program, node):
    """2 ** -1"""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Pow):
        return False
    base = getattr(node.left, "value", None)
    return type(base) is int and abs(base) > 1 and _is_negative(node.right)


def _is_negative(node):
    if not isinstance(node, ast.UnaryOp) or not isinstance(node.op, ast.USub):
        return False
    return type(getattr(node.operand, "value", None)) is int


@rule(
    "decorator-left-out",
    "A decorator that uses functools.wraps is left out: the function below it is compiled.",
    "Call the wrapped function by a name: def f(x): return twice(g(x)).",
    """
import functools

def twice(function):
    @functools.wraps(function)
    def inner(x):
        return function(x) * 2
    return inner

@ms.jit
@twice
def f(x):
    return x + 1

print(f(ms.Tensor(1.0)))
""",
    """
def twice(x):
    return x * 2

@ms.jit
def f(x):
    return twice(x + 1)

print(f(ms.Tensor(1.0)))
""",
    kind=DIFFERS,
)
def decorator_left_out(program):
    """@jit above another decorator."""
    wrapping = {
        each.name
        for each in program.nodes(ast.FunctionDef)
        if any(_wraps(inner) for inner in ast.walk(each) if inner is not each)
    }
    for function, certain in program.compiled.items():
        for mark in getattr(function, "decorator_list", ()):
            name = mark.func if isinstance(mark, ast.Call) else mark
            if isinstance(name, ast.Name) and name.id in wrapping:
                yield mark, certain, None


def _wraps(node):
    """Whether a function stands below @functools.wraps."""
    marks = getattr(node, "decorator_list", ()) if isinstance(node, ast.FunctionDef) else ()
    return any(ast.unparse(mark).split("(")[0].split(".")[-1] == "wraps" for mark in marks)
