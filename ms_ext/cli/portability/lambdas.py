"""A lambda outside of compiled code is found there only if it stands on a line of its own."""

import ast

from .compiled import GRADIENTS, graph_mode, is_jit
from .rule import rule

_SAYS = "The lambda is not found: it must stand on a line of its own."
_INSTEAD = "Give it a name on its own line: f = lambda x: ..., or write def."
#: What compiles its function in both modes.
_COMPILING = (
    "vmap", "jvp", "jacfwd", "jacrev", "ops.vmap", "ops.jvp", "ops.jacfwd", "ops.jacrev",
)  # fmt: skip


@rule(
    "lambda-in-a-call",
    _SAYS,
    _INSTEAD,
    "f = ms.jit(lambda x: x * 2)\nprint(f(ms.Tensor(1.0)))",
    "double = lambda x: x * 2\nf = ms.jit(double)\nprint(f(ms.Tensor(1.0)))",
)
def in_a_call(program):
    """jit(lambda ...), vmap(lambda ...), and grad(lambda ...) whose result is compiled."""
    for node in program.nodes(ast.Call):
        first = node.args[0] if node.args else None
        if not isinstance(first, ast.Lambda) or node in program.inside:
            continue
        if is_jit(program, node) or program.is_one(node.func, *_COMPILING):
            if not stands_alone(program, first):
                yield first


def stands_alone(program, node):
    """Whether nothing but a name, or return, stands on the lines of a lambda."""
    lines = program.lines[node.lineno - 1 : node.end_lineno]
    try:
        (statement,) = ast.parse("\n".join(lines).strip()).body
    except (SyntaxError, ValueError):
        return False
    return isinstance(getattr(statement, "value", None), ast.Lambda)


@rule(
    "gradient-of-a-lambda",
    _SAYS,
    _INSTEAD,
    "ms.set_context(mode=ms.GRAPH_MODE)\ng = ms.grad(lambda x: x * x)\nprint(g(ms.Tensor(3.0)))",
    "ms.set_context(mode=ms.GRAPH_MODE)\nsquare = lambda x: x * x\ng = ms.grad(square)\n"
    "print(g(ms.Tensor(3.0)))",
)
def of_a_gradient(program):
    """grad(lambda ...) in graph mode, or under jit."""
    mode = graph_mode(program)
    jitted = {
        argument
        for call in program.nodes(ast.Call)
        if is_jit(program, call)
        for argument in call.args
    }
    for node in program.nodes(ast.Call):
        if not program.is_one(node.func, *GRADIENTS) or node in program.inside or not node.args:
            continue
        if not isinstance(node.args[0], ast.Lambda) or stands_alone(program, node.args[0]):
            continue
        if mode is not False or node in jitted:
            yield node.args[0], mode is True or node in jitted, None


@rule(
    "lambda-given-to-compiled-code",
    _SAYS,
    _INSTEAD,
    "@ms.jit\ndef f(x, g):\n    return g(x)\n\nprint(f(ms.Tensor(1.0), lambda a: a + 1))",
    "@ms.jit\ndef f(x, g):\n    return g(x)\n\nmore = lambda a: a + 1\n"
    "print(f(ms.Tensor(1.0), more))",
)
def given(program):
    """f(x, lambda ...) of a compiled function."""
    names = {each.name for each in program.compiled if isinstance(each, ast.FunctionDef)}
    certain = {each.name for each in program.compiled if _is_jitted(program, each)}
    for node in program.nodes(ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id in names & certain:
            if node not in program.inside:
                inline = [each for each in node.args if isinstance(each, ast.Lambda)]
                yield from (each for each in inline if not stands_alone(program, each))


def _is_jitted(program, function):
    marks = getattr(function, "decorator_list", ())
    return any(is_jit(program, mark) for mark in marks)


@rule(
    "lambda-kept",
    _SAYS,
    "Write def, or name each on its own line and keep the names.",
    """
steps = [lambda v: v * 2, lambda v: v + 1]

@ms.jit
def f(x):
    for step in steps:
        x = step(x)
    return x

print(f(ms.Tensor(1.0)))
""",
    """
double = lambda v: v * 2
more = lambda v: v + 1
steps = [double, more]

@ms.jit
def f(x):
    for step in steps:
        x = step(x)
    return x

print(f(ms.Tensor(1.0)))
""",
)
def kept_for_later(program):
    """A list, a tuple or a dict of lambdas that compiled code reads."""
    read = {
        each.id: certain for each, certain in program.inside.items() if isinstance(each, ast.Name)
    }
    for node in program.nodes(ast.Assign):
        if isinstance(node.value, ast.List | ast.Tuple | ast.Dict) and node not in program.inside:
            names = {each.id for each in node.targets if isinstance(each, ast.Name)} & set(read)
            items = getattr(node.value, "elts", None) or getattr(node.value, "values", [])
            for each in items if names else ():
                if isinstance(each, ast.Lambda) and not stands_alone(program, each):
                    yield each, any(read[name] for name in names), None
