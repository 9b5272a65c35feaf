"""Python that graph mode does not read: what is it called, and what can be written instead?

>>> import ast
>>> raise unsupported(ast.parse("del x").body[0])
Traceback (most recent call last):
    ...
ms_ext.engine.errors.InvalidSyntax: Unsupported statement 'Delete'.
    Give the name another value; of a list, take what stays: `a = a[1:]`.
"""

import ast

from .. import errors

_CATCH = "Test beforehand with `if`, or catch the error where the compiled function is called."
_IMPORT = "Import at the top of the file: compiled code sees the names of its module."
_ASYNC = "Leave `async` and `await` away, and wait outside of compiled code."
_YIELD = "Collect the values in a list and return it."
INSTEAD = {
    "Try": _CATCH, "TryStar": _CATCH, "Import": _IMPORT, "ImportFrom": _IMPORT,
    "AsyncFunctionDef": _ASYNC, "AsyncFor": _ASYNC, "AsyncWith": _ASYNC, "Await": _ASYNC,
    "Yield": _YIELD, "YieldFrom": _YIELD,
    "Delete": "Give the name another value; of a list, take what stays: `a = a[1:]`.",
    "ClassDef": "Define the class outside of the function, with @ms.jit_class above it.",
    "Match": "Write if, elif and else.",
    "Global": "Return the new value and assign it outside: compiled code does not change globals.",
    "Nonlocal": "Return the new value and assign it where the function is called: `n = inner(n)`.",
    "Set": "Write a tuple or a list: (1, 2).",
    "SetComp": "Write a list comprehension: [f(i) for i in items].",
    "NamedExpr": "Assign on a line of its own, before this one.",
    "Starred": "A star stands in a call, a tuple, a list, or on the left of an assignment.",
    "TypeAlias": "Define it outside of the function.",
}  # fmt: skip


def unsupported(node):
    """The error for a statement or expression that graph mode does not read."""
    kind = type(node).__name__
    hint = INSTEAD.get(kind)
    if isinstance(node, ast.stmt):
        return errors.InvalidSyntax(f"Unsupported statement '{kind}'.", hint=hint)
    return errors.InvalidSyntax(f"Unsupported expression '{kind}'.", hint=hint)


def loop_else(loop):
    """MindSpore's refusal of an ``else`` behind a loop."""
    word = "for" if isinstance(loop, ast.For) else "while"
    return errors.InvalidSyntax(
        f"The '{word}...else...' statement is not supported now.",
        hint="Keep in a variable whether the loop was left by break, and test it behind the loop.",
    )


def own_error(kind):
    """MindSpore's refusal of an error class that is not Python's."""
    return errors.InvalidSyntax(
        f"Unsupported exception type: {kind.__name__}. Raise only support some Python standard "
        "exception types: AssertionError, AttributeError, BaseException, EnvironmentError, "
        "Exception, IOError, IndentationError, IndexError, KeyError, KeyboardInterrupt, "
        "MemoryError, NameError, NotImplementedError, OSError, OverflowError, RuntimeError, "
        "RuntimeWarning, StopIteration, TypeError, UnboundLocalError, ValueError, "
        "ZeroDivisionError.",
        hint="Raise one of these, or raise yours where the compiled function is called.",
    )


def only_inside(loop, name):
    """The error for a name that is read behind the loop whose body alone defines it."""
    word = "for" if isinstance(loop, ast.For) else "while"
    return errors.UnboundName(
        f"The local variable '{name}' defined in the '{word}' loop body cannot be used outside of "
        f"the loop body. Please define variable '{name}' before '{word}'.",
    )


def loop_of(tree, name):
    """The loop of a function in which a name gets its value, or None."""
    for each in ast.walk(tree):
        if isinstance(each, ast.For | ast.While) and any(
            isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Store)
            for part in ast.walk(each)
        ):
            return each
    return None


def comprehensions(node):
    """MindSpore's refusal of several ``for`` in one comprehension."""
    return errors.InvalidType(
        "The 'generators' supports 1 'comprehension' in "
        f"{'DictComp' if isinstance(node, ast.DictComp) else 'ListComp'}/GeneratorExp, "
        f"but got {len(node.generators)} comprehensions.",
        hint="Write one comprehension inside the other, or for statements.",
    )


def needs_turns(error):
    """The error, marked: it would not come up if the loop around it were written out."""
    error.needs_turns = True
    return error


def is_for_turns(error):
    """Whether an error is marked so."""
    return getattr(error, "needs_turns", False)
