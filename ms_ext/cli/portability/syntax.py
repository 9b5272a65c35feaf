"""Statements and expressions that MindSpore's graph mode does not read."""

import ast
import builtins

from ms_ext.engine.frontend import unsupported

from .rule import RULES, Rule, inside

#: Kind of node -> (a program that is refused, how it is written instead).
_PROGRAMS = {
    "Try": (
        "@ms.jit\ndef f(x):\n    try:\n        return x + 1\n    except ValueError:\n"
        "        return x\n\nprint(f(ms.Tensor(1.0)))",
        "@ms.jit\ndef f(x):\n    return x + 1\n\ntry:\n    print(f(ms.Tensor(1.0)))\n"
        "except ValueError:\n    print('no')",
    ),
    "Import": (
        "@ms.jit\ndef f(x):\n    import math\n    return x * math.pi\n\nprint(f(ms.Tensor(1.0)))",
        "import math\n\n@ms.jit\ndef f(x):\n    return x * math.pi\n\nprint(f(ms.Tensor(1.0)))",
    ),
    "ImportFrom": (
        "@ms.jit\ndef f(x):\n    from math import pi\n    return x * pi\n\n"
        "print(f(ms.Tensor(1.0)))",
        "from math import pi\n\n@ms.jit\ndef f(x):\n    return x * pi\n\nprint(f(ms.Tensor(1.0)))",
    ),
    "Yield": (
        "def numbers():\n    yield 1\n    yield 2\n\n@ms.jit\ndef f(x):\n    for n in numbers():\n"
        "        x = x + n\n    return x\n\nprint(f(ms.Tensor(1.0)))",
        "def numbers():\n    return [1, 2]\n\n@ms.jit\ndef f(x):\n    for n in numbers():\n"
        "        x = x + n\n    return x\n\nprint(f(ms.Tensor(1.0)))",
    ),
    "YieldFrom": (
        "@ms.jit\ndef f(x):\n    yield from (x, x)\n\nprint(f(ms.Tensor(1.0)))",
        "@ms.jit\ndef f(x):\n    return [x, x]\n\nprint(f(ms.Tensor(1.0)))",
    ),
    "Delete": (
        "@ms.jit\ndef f(x):\n    a = [1, 2]\n    del a[0]\n    return x * a[0]\n\n"
        "print(f(ms.Tensor(1.0)))",
        "@ms.jit\ndef f(x):\n    a = [1, 2]\n    a = a[1:]\n    return x * a[0]\n\n"
        "print(f(ms.Tensor(1.0)))",
    ),
    "ClassDef": (
        "@ms.jit\ndef f(x):\n    class Two:\n        n = 2\n    return x * Two.n\n\n"
        "print(f(ms.Tensor(1.0)))",
        "@ms.jit_class\nclass Two:\n    n = 2\n\n@ms.jit\ndef f(x):\n    return x * Two.n\n\n"
        "print(f(ms.Tensor(1.0)))",
    ),
    "Match": (
        "@ms.jit\ndef f(x, n):\n    match n:\n        case 1:\n            return x\n"
        "    return -x\n\nprint(f(ms.Tensor(1.0), 1))",
        "@ms.jit\ndef f(x, n):\n    if n == 1:\n        return x\n    return -x\n\n"
        "print(f(ms.Tensor(1.0), 1))",
    ),
    "Nonlocal": (
        "@ms.jit\ndef f(x):\n    n = 1\n    def more():\n        nonlocal n\n        n = n + 1\n"
        "    more()\n    return x * n\n\nprint(f(ms.Tensor(1.0)))",
        "@ms.jit\ndef f(x):\n    n = 1\n    def more(n):\n        return n + 1\n"
        "    n = more(n)\n    return x * n\n\nprint(f(ms.Tensor(1.0)))",
    ),
    "Set": (
        "@ms.jit\ndef f(x, n):\n    return x if n in {1, 2} else -x\n\nprint(f(ms.Tensor(1.0), 1))",
        "@ms.jit\ndef f(x, n):\n    return x if n in (1, 2) else -x\n\nprint(f(ms.Tensor(1.0), 1))",
    ),
    "SetComp": (
        "@ms.jit\ndef f(x):\n    return x * len({i for i in range(3)})\n\nprint(f(ms.Tensor(1.0)))",
        "@ms.jit\ndef f(x):\n    return x * len([i for i in range(3)])\n\nprint(f(ms.Tensor(1.0)))",
    ),
    "NamedExpr": (
        "@ms.jit\ndef f(x):\n    return (y := x + 1) * y\n\nprint(f(ms.Tensor(1.0)))",
        "@ms.jit\ndef f(x):\n    y = x + 1\n    return y * y\n\nprint(f(ms.Tensor(1.0)))",
    ),
    "AsyncFunctionDef": (
        "@ms.jit\nasync def f(x):\n    return x + 1\n\nprint(f(ms.Tensor(1.0)))",
        "@ms.jit\ndef f(x):\n    return x + 1\n\nprint(f(ms.Tensor(1.0)))",
    ),
}


def _of_kind(kind):
    """Finds every node of a kind inside compiled functions."""

    def find(program):
        for node, certain in program.inside.items():
            if type(node).__name__ == kind:
                yield node, certain, None

    return find


def _says(kind):
    """What MindSpore says of a node of a kind."""
    if kind == "AsyncFunctionDef":
        return "A function with 'async' is not compiled."
    word = "statement" if issubclass(getattr(ast, kind), ast.stmt) else "expression"
    return f"Unsupported {word} '{kind}'."


for _kind, (_refused, _accepted) in _PROGRAMS.items():
    RULES[f"syntax-{_kind}"] = Rule(
        f"syntax-{_kind}", "refused", _of_kind(_kind), _says(_kind),
        unsupported.INSTEAD[_kind], _refused, _accepted,
    )  # fmt: skip


@inside(
    "loop-else",
    "An 'else' behind a loop is not supported.",
    "Keep in a variable whether the loop was left by break, and test it behind the loop.",
    """
@ms.jit
def f(x):
    for i in range(2):
        x = x + i
    else:
        x = x * 2
    return x

print(f(ms.Tensor(1.0)))
""",
    """
@ms.jit
def f(x):
    for i in range(2):
        x = x + i
    x = x * 2
    return x

print(f(ms.Tensor(1.0)))
""",
)
def loop_else(program, node):
    """A loop with an else."""
    return isinstance(node, ast.For | ast.While) and bool(node.orelse)


@inside(
    "two-for-comprehension",
    "A comprehension has one 'for'.",
    "Write one comprehension inside the other, or for statements.",
    """
@ms.jit
def f(x):
    return [x * i * j for i in (1, 2) for j in (1, 2)]

print(f(ms.Tensor(1.0)))
""",
    """
@ms.jit
def f(x):
    return [[x * i * j for j in (1, 2)] for i in (1, 2)]

print(f(ms.Tensor(1.0)))
""",
)
def two_for(program, node):
    """A list, a dict or a generator made by two for."""
    kinds = ast.ListComp | ast.DictComp | ast.GeneratorExp
    return isinstance(node, kinds) and len(node.generators) > 1


@inside(
    "position-only",
    "A function with '/' among its parameters is not called as it is written.",
    "Leave the '/' away.",
    """
@ms.jit
def f(x, n, /):
    return x * n

print(f(ms.Tensor(1.0), 2))
""",
    """
@ms.jit
def f(x, n):
    return x * n

print(f(ms.Tensor(1.0), 2))
""",
)
def position_only(program, node):
    """Parameters that cannot be named."""
    kinds = ast.FunctionDef | ast.Lambda
    return isinstance(node, kinds) and bool(node.args.posonlyargs)


@inside(
    "complex-number",
    "A complex number is not read.",
    "Keep the real and the imaginary part in two numbers.",
    """
@ms.jit
def f(x):
    z = 2j
    return x

print(f(ms.Tensor(1.0)))
""",
    """
@ms.jit
def f(x):
    real, imaginary = 0.0, 2.0
    return x

print(f(ms.Tensor(1.0)))
""",
)
def complex_number(program, node):
    """1j and the like."""
    return isinstance(node, ast.Constant) and isinstance(node.value, complex)


@inside(
    "own-error",
    "Only errors of Python itself are raised.",
    "Raise ValueError or another of Python's, or raise yours where the function is called.",
    """
class Wrong(Exception):
    pass

@ms.jit
def f(x):
    if x.ndim != 1:
        raise Wrong("one axis")
    return x

print(f(ms.Tensor(1.0)))
""",
    """
@ms.jit
def f(x):
    if x.ndim != 0:
        raise ValueError("no axis")
    return x

print(f(ms.Tensor(1.0)))
""",
)
def own_error(program, node):
    """Raising a class that the program defines."""
    if not isinstance(node, ast.Raise) or node.exc is None:
        return False
    kind = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    defined = {each.name for each in program.nodes(ast.ClassDef)}
    return isinstance(kind, ast.Name) and kind.id in defined and not hasattr(builtins, kind.id)


@inside(
    "with",
    "The manager of a 'with' is an object of a class with @ms.jit_class.",
    "Write @ms.jit_class above its class, or put the 'with' around the call.",
    """
class Twice:
    def __enter__(self):
        return 2

    def __exit__(self, *error):
        return None

@ms.jit
def f(x):
    with Twice() as n:
        return x * n

print(f(ms.Tensor(1.0)))
""",
    """
class Twice:
    def __enter__(self):
        return 2

    def __exit__(self, *error):
        return None

@ms.jit
def f(x, n):
    return x * n

with Twice() as n:
    print(f(ms.Tensor(1.0), n))
""",
)
def with_statement(program, node):
    """A with over an object of a class of the program."""
    if not isinstance(node, ast.With):
        return False
    return any(_is_plain(program, item.context_expr) for item in node.items)


def _is_plain(program, made):
    """Whether an expression makes an object of a class that is not marked."""
    if not isinstance(made, ast.Call) or not isinstance(made.func, ast.Name):
        return False
    kinds = [each for each in program.nodes(ast.ClassDef) if each.name == made.func.id]
    marks = [mark for kind in kinds for mark in kind.decorator_list]
    return bool(kinds) and not any(program.is_one(mark, "jit_class") for mark in marks)
