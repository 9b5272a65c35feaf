"""Builtin functions, and functions of MindSpore, that cannot be called in graph mode."""

import ast

from .rule import calls, inside

#: Words of builtin functions that are refused: "Got an unexpected keyword argument 'sep'".
WORDS = {
    "print": ("sep", "end", "file", "flush"), "zip": ("strict",), "sum": ("start",),
    "max": ("key", "default"), "min": ("key", "default"), "int": ("base",),
}  # fmt: skip


@inside(
    "builtin-argument",
    "This argument of a builtin function is not taken by name.",
    "Leave it away, or give it by place: sum(a, 1), int(text, 2).",
    """
@ms.jit
def f(x):
    return sum([x, x], start=1)

print(f(ms.Tensor(1.0)))
""",
    """
@ms.jit
def f(x):
    return sum([x, x], 1)

print(f(ms.Tensor(1.0)))
""",
)
def builtin_argument(program, node):
    """print(end=""), zip(strict=True), max(key=...) and the like."""
    if not calls(node, *WORDS):
        return False
    refused = [each.arg for each in node.keywords if each.arg in WORDS[node.func.id]]
    return bool(refused) and f"'{node.func.id}' does not take '{refused[0]}' by name."


@inside(
    "map-over-a-closure",
    "A function that reads local names of the one around it cannot be mapped.",
    "Write a list: [f(i) for i in items].",
    """
@ms.jit
def f(x):
    return tuple(map(lambda i: i * x, (1, 2)))

print(f(ms.Tensor(1.0)))
""",
    """
@ms.jit
def f(x):
    return tuple([i * x for i in (1, 2)])

print(f(ms.Tensor(1.0)))
""",
)
def map_over_a_closure(program, node):
    """map() of a lambda, or of an inner function, that reads parameters around it."""
    if not calls(node, "map") or not node.args:
        return False
    function = node.args[0]
    around = [each for each in program.compiled if each is not function and _holds(each, node)]
    given = {arg.arg for each in around for arg in ast.walk(each.args) if isinstance(arg, ast.arg)}
    if isinstance(function, ast.Name):
        inner = [
            each
            for outer in around
            for each in ast.walk(outer)
            if isinstance(each, ast.FunctionDef) and each.name == function.id and each is not outer
        ]
        function = inner[-1] if inner else None
    return function is not None and bool(_read(function) & given)


def _holds(function, node):
    return any(each is node for each in ast.walk(function))


def _read(function):
    """The names that a function reads and is not given."""
    if not isinstance(function, ast.Lambda | ast.FunctionDef):
        return set()
    own = {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}
    names = [each for each in ast.walk(function) if isinstance(each, ast.Name)]
    return {each.id for each in names if isinstance(each.ctx, ast.Load)} - own


@inside(
    "next",
    "next() is not read.",
    "Take the item by its place: items[0].",
    """
@ms.jit
def f(x):
    return x * next(iter((2, 3)))

print(f(ms.Tensor([1.0, 2.0, 3.0])))
""",
    """
@ms.jit
def f(x):
    return x * (2, 3)[0]

print(f(ms.Tensor([1.0, 2.0, 3.0])))
""",
)
def next_item(program, node):
    """next(...)"""
    return calls(node, "next")


@inside(
    "names-of-a-frame",
    "locals(), globals() and vars() do not find the names of compiled code.",
    "Write the name itself.",
    """
@ms.jit
def f(x):
    n = 3
    return x * locals()["n"]

print(f(ms.Tensor(1.0)))
""",
    """
@ms.jit
def f(x):
    n = 3
    return x * n

print(f(ms.Tensor(1.0)))
""",
)
def names_of_a_frame(program, node):
    """locals()["n"], globals()["n"], vars()["n"]; bare locals() is an empty dict there"""
    return isinstance(node, ast.Subscript) and calls(node.value, "locals", "globals", "vars")


@inside(
    "parameter-made-inside",
    "A Parameter is not made in compiled code.",
    "Make it in __init__: self.w = ms.Parameter(...).",
    """
@ms.jit
def f(x):
    w = ms.Parameter(ms.Tensor(2.0), name="w")
    return x * w

print(f(ms.Tensor(1.0)))
""",
    """
w = ms.Parameter(ms.Tensor(2.0), name="w")

@ms.jit
def f(x):
    return x * w

print(f(ms.Tensor(1.0)))
""",
)
def parameter_made(program, node):
    """Parameter(...)"""
    words = ("Parameter", "common.Parameter", "common.parameter.Parameter")
    return isinstance(node, ast.Call) and program.is_one(node.func, *words)


@inside(
    "list-of-cells-made-inside",
    "A CellList is not made in compiled code.",
    "Make it in __init__: self.layers = nn.CellList([...]).",
    """
@ms.jit
def f(x):
    layers = ms.nn.CellList([ms.nn.ReLU()])
    return layers[0](x)

print(f(ms.Tensor(1.0)))
""",
    """
layers = ms.nn.CellList([ms.nn.ReLU()])

@ms.jit
def f(x):
    return layers[0](x)

print(f(ms.Tensor(1.0)))
""",
)
def cells_made(program, node):
    """nn.CellList([...])"""
    return isinstance(node, ast.Call) and program.is_one(node.func, "nn.CellList")


@inside(
    "settings-inside",
    "Settings are not read or written in compiled code.",
    "Do it before the function is called, and hand over what it needs to know.",
    """
@ms.jit
def f(x):
    return x if ms.get_context("mode") == ms.GRAPH_MODE else -x

print(f(ms.Tensor(1.0)))
""",
    """
in_graphs = ms.get_context("mode") == ms.GRAPH_MODE

@ms.jit
def f(x):
    return x if in_graphs else -x

print(f(ms.Tensor(1.0)))
""",
)
def settings(program, node):
    """set_context, get_context, set_seed"""
    words = ("set_context", "get_context", "context.set_context", "context.get_context", "set_seed")
    return isinstance(node, ast.Call) and program.is_one(node.func, *words)
