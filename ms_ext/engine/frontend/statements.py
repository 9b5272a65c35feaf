"""Statements: how each kind changes the frame's names, and how a block ends.

What follows an exit that only the running graph knows is read inside an If on the exit code; what
follows an ``if`` of which one arm always leaves, inside the other arm: read once either way.
"""

import ast

from .. import errors
from . import branches
from .assigning import assign
from .expressions import closure, truth
from .frame import BREAK, CODE, CONTINUE, RETURN, THROUGH, VALUE, Exit
from .reading import READERS, evaluate, reads

SUPPORTED = (
    "Graph mode reads: assignments, if, for, while, break, continue, return, def, assert, raise, "
    "pass."
)


def block(frame, statements, start=0):
    """Read ``statements`` from ``start`` on, until the block is left."""
    for index in range(start, len(statements)):
        statement = statements[index]
        if type(statement) is ast.If and _leaves_one_arm(statement):
            if_with_rest(frame, statement, statements[index + 1 :])
            return
        one(frame, statement)
        code = frame.code
        if type(code) is Exit:
            rest_if_through(frame, code, statements, index + 1)
            return
        if code != THROUGH:
            return


def one(frame, statement):
    """Read one statement; an error without a place gets the one being read."""
    reader = READERS.get(type(statement))
    frame.current = statement
    try:
        if reader is None:
            raise errors.InvalidSyntax(
                f"Unsupported statement '{type(statement).__name__}'.", hint=SUPPORTED
            )
        reader(frame, statement)
    except errors.MsExtError as error:
        frame.locate(error)
        raise


def rest_if_through(frame, code, statements, start):
    """``code`` is known only when the graph runs: the rest of the block is one arm of an If."""
    if start >= len(statements):
        return
    left = code.possible - {THROUGH}

    def gone(arm):
        arm.names[CODE] = next(iter(left)) if len(left) == 1 else Exit(arm.node(code.node), left)

    def through(arm):
        arm.names[CODE] = THROUGH
        block(arm, statements, start)

    branches.if_else(frame, code.node, gone, through)


# leaving ------------------------------------------------------------------------------------------


def always_leaves(statements):
    """Whether a block never runs through to its end, by its text alone."""
    last = statements[-1] if statements else None
    if isinstance(last, ast.Return | ast.Break | ast.Continue | ast.Raise):
        return True
    return isinstance(last, ast.If) and always_leaves(last.body) and always_leaves(last.orelse)


def _leaves_one_arm(statement):
    return always_leaves(statement.body) != always_leaves(statement.orelse)


def if_with_rest(frame, statement, rest):
    """One arm leaves: what follows the ``if`` is read inside the other arm."""
    body, orelse = statement.body, statement.orelse
    if always_leaves(body):
        orelse = [*orelse, *rest]
    else:
        body = [*body, *rest]
    _if(frame, statement, body, orelse)


def _if(frame, statement, body, orelse):
    """Read an ``if``; an error of joining its arms is shown at the test."""
    frame.current = statement.test
    try:
        test = truth(frame, statement.test)
        if type(test) is bool:
            return block(frame, body if test else orelse)
        frame.current = statement.test
        return branches.if_else(
            frame, test, lambda arm: block(arm, body), lambda arm: block(arm, orelse)
        )
    except errors.MsExtError as error:
        frame.locate(error)
        raise


@reads(ast.If)
def _if_statement(frame, statement):
    _if(frame, statement, statement.body, statement.orelse)


@reads(ast.Return)
def _return(frame, statement):
    value = None if statement.value is None else evaluate(frame, statement.value)
    frame.names[VALUE], frame.names[CODE] = value, RETURN


@reads(ast.Break)
def _break(frame, statement):
    frame.names[CODE] = BREAK


@reads(ast.Continue)
def _continue(frame, statement):
    frame.names[CODE] = CONTINUE


# assigning ----------------------------------------------------------------------------------------


@reads(ast.Assign)
def _assign(frame, statement):
    value = evaluate(frame, statement.value)
    for target in statement.targets:
        assign(frame, target, value)


@reads(ast.AnnAssign)
def _annotated(frame, statement):
    if statement.value is not None:
        assign(frame, statement.target, evaluate(frame, statement.value))


@reads(ast.AugAssign)
def _augmented(frame, statement):
    target = statement.target
    if not isinstance(target, ast.Name):
        assign(frame, target, None)  # says that only names can be assigned
    read = ast.copy_location(ast.Name(target.id, ast.Load()), target)
    value = ast.copy_location(ast.BinOp(read, statement.op, statement.value), statement)
    assign(frame, target, evaluate(frame, value))


@reads(ast.FunctionDef)
def _define(frame, statement):
    if statement.decorator_list:
        raise errors.InvalidSyntax(
            f"The inner function '{statement.name}' has a decorator.",
            hint="Define it without one inside graph mode, or decorate it outside.",
        )
    frame.names[statement.name] = closure(frame, statement, statement.name)


# the others ---------------------------------------------------------------------------------------


@reads(ast.Expr)
def _expression(frame, statement):
    if not isinstance(statement.value, ast.Constant):  # a docstring says nothing
        evaluate(frame, statement.value)


@reads(ast.Pass)
def _pass(frame, statement):
    pass


@reads(ast.Assert)
def _assert(frame, statement):
    test = truth(frame, statement.test)
    if type(test) is not bool:
        raise errors.InvalidSyntax(
            "An assert on a tensor cannot be checked while the graph is built.",
            hint="Assert on shapes and numbers here, on values outside the compiled function.",
        )
    if not test:
        message = evaluate(frame, statement.msg) if statement.msg else ""
        raise AssertionError(message)


@reads(ast.Raise)
def _raise(frame, statement):
    if frame.scope.parent is not None:
        raise errors.InvalidSyntax(
            "A raise that depends on a tensor is not known while the graph is built.",
            hint="Raise on shapes and numbers; check values outside the compiled function.",
        )
    value = evaluate(frame, statement.exc) if statement.exc else RuntimeError("no active exception")
    raise value() if isinstance(value, type) else value
